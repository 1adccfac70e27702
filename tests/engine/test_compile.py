"""Classes of one name, in one process or met again from the cache, never share machine code."""

import os
import subprocess
import sys

CLASS = """
import numpy as np
import arbora

@arbora.problem
class Mine:
    gain: int = 1
    def layout(self):
        return [("left", np.int64), ("total", np.int64)]
    def max_moves(self):
        return 2
    def max_length(self):
        return 2
    def reset(self, state):
        state.left = 2
        state.total = 0
    def moves(self, state, out):
        out[0], out[1] = 0, 1
        return 2 if state.left else 0
    def play(self, state, move):
        state.left -= 1
        state.total += self.gain * move * FACTOR
    def score(self, state):
        return float(state.total)
"""

SCRIPT = """
import sys
import arbora
from arbora.spec import parse_problem
for spec in sys.argv[1:]:
    told = []
    result = arbora.solve(parse_problem(spec), arbora.Random(), playouts=30, on_compile=lambda: told.append("compiled"))
    print(result.score, *told)
"""


def scores(folder, *files: str) -> list[str]:
    """What the best of 30 play-outs is for class `Mine` of each file, one after the other in a new process."""
    command = [sys.executable, "-c", SCRIPT, *(f"{folder / file}:Mine" for file in files)]
    own_cache = {**os.environ, "ARBORA_CACHE_DIR": str(folder / "cache")}
    return subprocess.run(command, env=own_cache, capture_output=True, text=True, check=True).stdout.splitlines()


def test_classes_of_one_name_keep_their_own_code(tmp_path):
    for file, factor in (("one.py", 1), ("ten.py", 10), ("hundred.py", 100)):
        (tmp_path / file).write_text(CLASS.replace("FACTOR", str(factor)))
    assert scores(tmp_path, "one.py", "ten.py", "one.py") == ["2.0 compiled", "20.0 compiled", "2.0"]
    assert scores(tmp_path, "one.py", "hundred.py", "ten.py") == ["2.0", "200.0 compiled", "20.0"]


def test_a_class_defined_again_is_the_new_class():
    code = f"SOURCE = {CLASS!r}\n" + (
        "import arbora\n"
        "for factor in (1, 10):\n"
        "    scope = {'__name__': '__main__'}\n"
        "    exec(SOURCE.replace('FACTOR', str(factor)), scope)\n"
        "    print(arbora.solve(scope['Mine'](), arbora.Random(), playouts=30).score)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.splitlines() == ["2.0", "20.0"]
