"""The compile cache never lies: every test works on files of its own, in processes and a cache folder of its own."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

PUZZLE = """
import arbora
import numpy as np
from helper import BONUS, TABLE, Side, bent, straight
import helper

rule = straight


@arbora.problem
class Puzzle:
    size: int = 3

    def layout(self):
        return [("step", np.int64), ("total", np.int64)]

    def max_moves(self):
        return 2

    def max_length(self):
        return 3

    def reset(self, state):
        state.step = 0
        state.total = 0

    def moves(self, state, out):
        for move in range(self.max_moves()):
            out[move] = move
        return self.max_moves() if state.step < self.size else 0

    def play(self, state, move):
        state.step += 1
        state.total += 10 + 0 * straight(move) + 0 * bent(move) + rule(0)

    def score(self, state):
        return float(state.total + BONUS + TABLE[1] + helper.FACTOR * helper.worth(state.step) + Side.LEFT)

    def render(self, state):
        return "a picture"
"""
HELPER = """
from enum import IntEnum

import arbora
import numpy as np

BONUS = 100
FACTOR = 1000
TABLE = np.array([0, 10000])


class Side(IntEnum):
    LEFT = 100000


@arbora.kernel
def worth(step):
    return step


@arbora.kernel
def straight(move):
    return move


@arbora.kernel
def bent(move):
    return move + 1
"""
ALGORITHMS = """
import arbora
import numpy as np


@arbora.policy
class Last:
    def choose(self, problem, state, memory, out, rng):
        count = problem.moves(state, out)
        return out[count - 1] if count > 0 else -1


@arbora.search
class Once:
    policy: object = Last()

    def run(self, problem, run):
        problem.reset(run.states[0])
        state = run.states[0]
        length = 0
        while run.going():
            move = self.policy.choose(problem, state, run.memory[0], run.moves, run.rng)
            if move < 0:
                run.finish(problem.score(state), length)
                problem.reset(state)
                length = 0
            else:
                run.path[length] = move
                problem.play(state, move)
                length += 1
"""
SCRIPT = """
import arbora
from algorithms import Once
from puzzle import Puzzle

compiled = []
result = arbora.solve(Puzzle(), Once(), playouts=2, on_compile=lambda: compiled.append(1))
print(int(result.score), result.moves, "compiled" if compiled else "warm")
"""
ANSWER = "113130 [1, 1, 1]"


def write_files(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in {"puzzle": PUZZLE, "helper": HELPER, "algorithms": ALGORITHMS, "script": SCRIPT}.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def start(folder: Path, cache: Path, script: str = "script.py") -> subprocess.Popen[str]:
    environment = {**os.environ, "ARBORA_CACHE_DIR": str(cache), "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, script]
    return subprocess.Popen(command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def finished(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=300)
    assert process.returncode == 0, error
    assert error == ""
    return out.strip()


def run(folder: Path, cache: Path, script: str = "script.py") -> str:
    return finished(start(folder, cache, script))


def code_files(cache: Path) -> dict[str, int]:
    return {path.name: path.stat().st_ino for path in cache.iterdir()}


@pytest.fixture(scope="module")
def warm_folder(tmp_path_factory) -> Path:
    """The files and a cache that has seen them once."""
    folder = write_files(tmp_path_factory.mktemp("warm"))
    assert run(folder, folder / "cache") == f"{ANSWER} compiled"
    return folder


@pytest.fixture
def folder(warm_folder, tmp_path) -> Path:
    """A copy of the warm folder, to be edited."""
    copied = tmp_path / "copy"
    shutil.copytree(warm_folder, copied)
    return copied


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert text.count(old) == 1, old
    path.write_text(text.replace(old, new))


def test_warm_in_a_new_process_and_nothing_is_written(folder):
    before = code_files(folder / "cache")
    assert [Path(name).suffix for name in before] == [".code"]
    assert run(folder, folder / "cache") == f"{ANSWER} warm"
    assert code_files(folder / "cache") == before


EDITS = {
    "the problem's method": ("puzzle", "+= 10 + 0 *", "+= 20 + 0 *", "113160 [1, 1, 1]"),
    "a bound that compiled code reads": ("puzzle", "        return 2\n", "        return 1\n", "113130 [0, 0, 0]"),
    "a function in another file": ("helper", "    return step\n", "    return 2 * step\n", "116130 [1, 1, 1]"),
    "a number in another file": ("helper", "BONUS = 100\n", "BONUS = 200\n", "113230 [1, 1, 1]"),
    "an attribute of a module": ("helper", "FACTOR = 1000\n", "FACTOR = 2000\n", "116130 [1, 1, 1]"),
    "an array in another file": ("helper", "[0, 10000]", "[0, 20000]", "123130 [1, 1, 1]"),
    "an enumeration": ("helper", "LEFT = 100000", "LEFT = 200000", "213130 [1, 1, 1]"),
    "which function a name stands for": ("puzzle", "rule = straight", "rule = bent", "113133 [1, 1, 1]"),
    "the policy": ("algorithms", "out[count - 1]", "out[0]", "113130 [0, 0, 0]"),
    "the search": ("algorithms", "run.finish(problem.score(state)", "run.finish(-problem.score(state)", None),
}


@pytest.mark.parametrize("what", EDITS)
def test_edits_are_picked_up(folder, what):
    file, old, new, answer = EDITS[what]
    edit(folder / f"{file}.py", old, new)
    if answer is None:  # the score a search claims is replayed, so this edit shows as a complaint
        process = start(folder, folder / "cache")
        assert "the search scored -113130, but replaying its 3 moves" in process.communicate(timeout=300)[1]
    else:
        assert run(folder, folder / "cache") == f"{answer} compiled"
    assert len(code_files(folder / "cache")) == 2


def test_edits_that_cannot_matter_compile_nothing(folder):
    edit(folder / "puzzle.py", '"a picture"', '"another picture"')
    edit(folder / "puzzle.py", "rule = straight\n", "rule = straight  # as the crow flies\n\n\nUNUSED = 5\n")
    edit(folder / "helper.py", "    return step\n", "    # worth a comment\n    return step\n")
    edit(folder / "algorithms.py", "        length = 0\n        while", "        length = 0  # so far\n\n        while")
    before = code_files(folder / "cache")
    assert run(folder, folder / "cache") == f"{ANSWER} warm"
    assert code_files(folder / "cache") == before


def test_an_edit_taken_back_is_warm_again(folder):
    edit(folder / "helper.py", "BONUS = 100\n", "BONUS = 200\n")
    edit(folder / "helper.py", "BONUS = 200\n", "BONUS = 100\n")
    assert run(folder, folder / "cache") == f"{ANSWER} warm"


def test_processes_that_start_cold_together(tmp_path):
    folder, cache = write_files(tmp_path / "files"), tmp_path / "cache"
    processes = [start(folder, cache) for _ in range(2)]
    assert [finished(process) for process in processes] == [f"{ANSWER} compiled"] * 2
    assert [Path(name).suffix for name in code_files(cache)] == [".code"]
    assert run(folder, cache) == f"{ANSWER} warm"


def test_cache_folder_that_cannot_be_made(tmp_path):
    folder = write_files(tmp_path / "files")
    (tmp_path / "a_file").write_text("not a folder")
    assert run(folder, tmp_path / "a_file" / "cache") == f"{ANSWER} compiled"


def test_read_only_cache_folder_is_still_read(folder):
    cache = folder / "cache"
    before = code_files(cache)
    for path in (*cache.iterdir(), cache):
        path.chmod(0o555 if path.is_dir() else 0o444)
    try:
        assert run(folder, cache) == f"{ANSWER} warm"
        assert code_files(cache) == before
    finally:
        cache.chmod(0o755)


@pytest.mark.parametrize("damage", ["truncated", "garbage"])
def test_damaged_files_are_compiled_again(folder, damage):
    (path,) = (folder / "cache").iterdir()
    content = path.read_bytes()
    middle = len(content) // 2
    rest = b"" if damage == "truncated" else bytes(64) + content[middle + 64 :]
    path.write_bytes(content[:middle] + rest)
    assert run(folder, folder / "cache") == f"{ANSWER} compiled"
    assert len(path.read_bytes()) == pytest.approx(len(content), rel=0.1)


def test_script_run_directly_is_warm_the_second_time(tmp_path):
    imports = ("from algorithms import Once", "from puzzle import Puzzle")
    body = PUZZLE + ALGORITHMS + SCRIPT.replace(imports[0], "").replace(imports[1], "")
    folder, cache = write_files(tmp_path / "files"), tmp_path / "cache"
    (folder / "main.py").write_text(body)
    assert run(folder, cache, "main.py") == f"{ANSWER} compiled"
    assert run(folder, cache, "main.py") == f"{ANSWER} warm"
    elsewhere = write_files(tmp_path / "other")  # a class of the same name in a script of the same name
    (elsewhere / "main.py").write_text(body.replace("+= 10 + 0 *", "+= 20 + 0 *"))
    assert run(elsewhere, cache, "main.py") == "113160 [1, 1, 1] compiled"
    assert run(folder, cache, "main.py") == f"{ANSWER} warm"


def test_code_that_two_processes_cached_for_two_layouts_is_told_apart_by_a_third(tmp_path):
    code = (
        "import sys, arbora\n"
        "for parts in map(int, sys.argv[1:]):\n"
        "    print(arbora.solve(arbora.WeakSchur(parts=parts), arbora.Random(), playouts=200, seed=1).score)\n"
    )

    def scores(*parts: str) -> list[str]:
        environment = {**os.environ, "ARBORA_CACHE_DIR": str(tmp_path)}
        command = [sys.executable, "-c", code, *parts]
        return subprocess.run(command, env=environment, check=True, capture_output=True, text=True).stdout.split()

    alone = [*scores("3"), *scores("4")]
    assert scores("3", "4") == alone
