"""The command line: results, solution files, listings, checks and help."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from arbora.cli.main import main

HERE = Path(__file__).resolve().parent.parent
SHELF = f"{HERE / 'small_problems.py'}:Shelf"
KEYS = {
    "problem", "search", "seed", "threads", "score", "moves", "text", "scores", "playouts", "seconds", "trace", "stopped",
    "nodes",
}  # fmt: skip


def solve_json(capsys, *arguments: str) -> dict:
    assert main(["solve", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_json_has_the_documented_keys(capsys):
    found = solve_json(capsys, "samegame,seed=1", "random", "--playouts", "50", "--seed", "3")
    assert set(found) == KEYS
    assert (found["problem"], found["search"], found["seed"], found["threads"]) == ("samegame,seed=1", "random", 3, 1)
    assert (found["playouts"], found["stopped"]) == (50, "budget")
    assert len(found["moves"]) == len(found["text"]) == len(found["scores"])
    assert found["scores"][-1] == found["score"] == found["trace"][-1][2]
    assert [f"{move >> 6},{move & 63}" for move in found["moves"]] == found["text"]


def test_json_is_one_line_and_alone_on_stdout(capsys):
    main(["solve", "samegame,seed=1", "random", "--playouts", "5", "--json"])
    assert capsys.readouterr().out.count("\n") == 1


def test_same_seed_same_json(capsys):
    runs = [solve_json(capsys, "samegame", "random", "-n", "20", "-k", "4") for _ in range(2)]
    kept = [{key: run[key] for key in KEYS - {"seconds", "trace"}} for run in runs]
    assert kept[0] == kept[1]


def test_search_is_told_as_a_spec_that_can_be_given_again(capsys):
    found = solve_json(capsys, "samegame", "mcts,exploration=0.5,nodes=1000", "-n", "5")
    assert found["search"] == "mcts,exploration=0.5,nodes=1000"


def test_plain_output_shows_moves_score_and_where_it_was_saved(capsys, tmp_path):
    out = tmp_path / "best.json"
    assert main(["solve", SHELF, "random", "-n", "300", "--out", str(out)]) == 0
    shown = capsys.readouterr().out
    content = json.loads(out.read_text())
    assert "moves  " + " ".join(content["text"]) in shown
    assert f"score  {content['score']} in 5 moves; 300 play-outs" in shown
    assert f"arbora replay {out}" in shown


def test_out_is_written_whole_and_replays(capsys, tmp_path):
    out = tmp_path / "best.json"
    found = solve_json(capsys, "samegame,seed=1", "random", "-n", "50", "--out", str(out))
    assert json.loads(out.read_text()) == found
    assert [path.name for path in tmp_path.iterdir()] == ["best.json"]
    assert main(["replay", str(out), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["valid"] is True
    assert replayed["score"] == found["score"]
    assert [row["text"] for row in replayed["moves"]] == found["text"]
    assert [row["score"] for row in replayed["moves"]] == found["scores"]


def test_replay_for_people(capsys, tmp_path):
    out = tmp_path / "best.json"
    found = solve_json(capsys, SHELF, "random", "-n", "20", "--out", str(out))
    assert main(["replay", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split()[:2] for line in lines[:5]] == [[str(i + 1), text] for i, text in enumerate(found["text"])]
    assert lines[5].startswith(f"score  {found['score']} in 5 moves holds")


@pytest.fixture
def solution(capsys, tmp_path) -> Path:
    out = tmp_path / "solution.json"
    solve_json(capsys, "samegame,seed=1", "random", "-n", "5", "--out", str(out))
    return out


def changed(path: Path, **changes) -> None:
    content = json.loads(path.read_text())
    content.update(changes)
    path.write_text(json.dumps({key: value for key, value in content.items() if value is not None}))


def refused(capsys, path: Path) -> str:
    """The one line with which `replay` refuses a file."""
    assert main(["replay", str(path)]) == 1
    said = capsys.readouterr()
    assert said.err.startswith("arbora: ")
    assert said.err.count("\n") == 1
    return said.err


def test_replay_of_a_file_that_was_cut_off(capsys, solution):
    text = solution.read_text()
    for length in (0, 1, len(text) // 2, len(text) - 2):
        solution.write_text(text[:length])
        said = refused(capsys, solution)
        assert f"{solution}: not a whole solution file: " in said
        assert f"of {length}" in said


def test_replay_of_an_edited_move(capsys, solution):
    moves = json.loads(solution.read_text())["moves"]
    changed(solution, moves=[*moves[:4], 60, *moves[5:]])
    assert "move 5 (60) is not legal there; " in refused(capsys, solution)


def test_replay_of_moves_that_end_too_early(capsys, solution):
    content = json.loads(solution.read_text())
    changed(solution, moves=content["moves"][:3], scores=content["scores"][:3], score=content["scores"][2])
    assert "the moves end too early: after move 3 there are still legal moves" in refused(capsys, solution)


def test_replay_of_moves_after_the_end(capsys, solution):
    content = json.loads(solution.read_text())
    changed(solution, moves=[*content["moves"], 0])
    number = len(content["moves"]) + 1
    assert f"move {number} (0) is not legal there; 0 moves are" in refused(capsys, solution)


def test_replay_of_an_edited_score(capsys, solution):
    content = json.loads(solution.read_text())
    changed(solution, score=content["score"] + 1)
    wanted = f"move {len(content['moves'])}: the file says {content['score'] + 1:g}, replay gives {content['score']:g}"
    assert wanted in refused(capsys, solution)


def test_replay_tells_at_which_move_the_score_departs(capsys, solution):
    content = json.loads(solution.read_text())
    scores = list(content["scores"])
    scores[6] += 5
    changed(solution, scores=scores)
    place = f"the score departs at move 7 ({content['text'][6]})"
    assert f"{place}: the file says {scores[6]:g}, replay gives {scores[6] - 5:g}" in refused(capsys, solution)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"moves": "1,2"}, "moves is not a list of whole numbers"),
        ({"moves": [1, "2"]}, "moves is not a list of whole numbers"),
        ({"moves": [1, True]}, "moves is not a list of whole numbers"),
        ({"moves": [1.5]}, "moves is not a list of whole numbers"),
        ({"moves": None}, "moves is missing"),
        ({"score": "high"}, "score is not a number"),
        ({"score": None}, "score is missing"),
        ({"scores": 5}, "scores is not a list of numbers"),
        ({"scores": [None]}, "scores is not a list of numbers"),
        ({"problem": 3}, "problem is not the spec of a problem"),
        ({"problem": None}, "problem is missing"),
    ],
)
def test_replay_of_wrong_types(capsys, solution, changes, told):
    changed(solution, **changes)
    assert refused(capsys, solution) == f"arbora: {solution}: {told}\n"


@pytest.mark.parametrize("text", ["[1, 2]", "3", "null", '"moves"'])
def test_replay_of_json_that_is_no_object(capsys, tmp_path, text):
    path = tmp_path / "list.json"
    path.write_text(text)
    assert refused(capsys, path) == f"arbora: {path}: not a solution file: no JSON object\n"


@pytest.mark.parametrize("moves", [[-1], [2**40], [-(2**70)]])
def test_replay_of_moves_out_of_all_range(capsys, solution, moves):
    changed(solution, moves=moves)
    assert f"move 1 ({moves[0]}) is not legal there; " in refused(capsys, solution)


def test_list_names_everything(capsys):
    assert main(["list"]) == 0
    shown = capsys.readouterr().out
    for name in (
        "samegame",
        "clickomania",
        "bubble-breaker",
        "random",
        "mcts",
        "nrpa",
        "uniform",
        "tabu-bandit",
        "roulette",
    ):
        assert f"  {name}  " in shown
    assert "iterations=100" in shown


def test_list_of_one_name(capsys):
    assert main(["list", "nrpa"]) == 0
    shown = capsys.readouterr().out
    assert "level=3" in shown
    assert "mcts  " not in shown


def test_list_as_json(capsys):
    assert main(["list", "--json"]) == 0
    rooms = json.loads(capsys.readouterr().out)
    assert set(rooms) == {"problems", "searches", "policies"}
    assert set(rooms["searches"]) >= {"random", "mcts", "nrpa"}
    level = rooms["searches"]["nrpa"]["parameters"]["level"]
    assert (level["default"], level["allowed"]) == (3, "a whole number from 1 to 10")


def test_check_says_what_passed(capsys):
    assert main(["check", SHELF, "--playouts", "5"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert all(line.startswith("  ok    ") for line in lines[:-1])
    assert lines[-1] == f"Shelf is a problem; try: arbora solve {SHELF}"


def test_check_as_json(capsys):
    assert main(["check", SHELF, "--playouts", "5", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["problem"], found["ok"], found["failure"]) == (SHELF, True, None)
    assert len(found["passed"]) >= 5


BAD_CLASS = "class Bad:\n    def reset(self): pass\n    def moves(self): return [0, 0]\n    def play(self, move): pass\n"


def test_check_of_a_class_that_fails(capsys, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(BAD_CLASS + "    def score(self): return 1\n")
    assert main(["check", f"{file}:Bad"]) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == 1
    assert said.err.startswith("arbora: class Bad, method moves")
    assert "move 0 is listed twice" in said.err
    assert "is a problem" not in said.out


def test_check_of_a_class_that_fails_as_json(capsys, tmp_path):
    file = tmp_path / "bad.py"
    file.write_text(BAD_CLASS + "    def score(self): return 1\n")
    assert main(["check", f"{file}:Bad", "--json"]) == 2
    found = json.loads(capsys.readouterr().out)
    assert found["ok"] is False
    assert "move 0 is listed twice" in found["failure"]


@pytest.mark.parametrize("command", ["solve", "replay", "list", "check", "bench"])
def test_help_shows_examples(capsys, command):
    assert main([command, "--help"]) == 0
    shown = capsys.readouterr().out
    assert "Examples:" in shown
    lines = [line.strip() for line in shown.partition("Examples:")[2].splitlines()]
    assert sum(line.startswith(f"arbora {command}") for line in lines) >= 3


def test_version(capsys):
    import arbora

    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"arbora {arbora.__version__}\n"


def start(*arguments: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "arbora", *arguments]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def wait_for(path: Path, process: subprocess.Popen[str]) -> None:
    """Until the run has written its first solution, or ended."""
    while not path.exists():
        try:
            process.wait(timeout=0.05)
            return
        except subprocess.TimeoutExpired:
            continue


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_signals_end_a_run_with_its_result(tmp_path, number):
    out = tmp_path / "best.json"
    with start("solve", "samegame,seed=1", "random", "--seconds", "600", "--json", "--out", str(out)) as process:
        wait_for(out, process)
        running = json.loads(out.read_text())
        process.send_signal(number)
        shown, said = process.communicate(timeout=60)
    found = json.loads(shown)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert (found["stopped"], running["stopped"]) == ("interrupted", "running")
    assert found["score"] >= running["score"]
    assert json.loads(out.read_text()) == found
    assert [path.name for path in tmp_path.iterdir()] == ["best.json"]
    assert main(["replay", str(out), "--no-boards"]) == 0


def test_file_of_a_run_that_was_killed_replays(tmp_path):
    out = tmp_path / "best.json"
    with start("solve", "samegame,seed=1", "random", "--seconds", "600", "--out", str(out)) as process:
        wait_for(out, process)
        process.kill()
    assert main(["replay", str(out), "--no-boards"]) == 0


def test_exit_codes_of_the_program():
    with start("solve", "samegame", "--playouts", "0") as process:
        _, said = process.communicate(timeout=60)
    assert process.returncode == 2
    assert said == "arbora: playouts=0 is not allowed; playouts takes a whole number from 1 to 4,611,686,018,427,387,904\n"
