"""The fingerprint changes with everything that compiled code freezes, and with nothing else."""

import subprocess
import sys
from types import ModuleType

import pytest

import arbora
from arbora.engine.fingerprint import fingerprint


def made(source: str, name: str = "f", **scope):
    """A function or class from source, in a module of its own."""
    module = ModuleType("made")
    sys.modules["made"] = module
    vars(module).update(scope)
    exec(compile(source, "made.py", "exec"), vars(module))
    return vars(module)[name]


def prints(*sources: str, name: str = "f") -> list[str]:
    return [fingerprint([made(source, name)]) for source in sources]


def test_equal_code_gives_equal_prints():
    source = "K = 3\ndef g(x):\n    return x + K\ndef f(x):\n    return g(x)"
    first, second = prints(source, source)
    assert first == second


@pytest.mark.parametrize(
    "changed",
    [
        "\n\n# a comment\nK = 3\ndef g(x):\n\n    return x + K  # here\ndef f(x):\n    return g(x)",
        "K = 3\nUNUSED = 7\ndef unused(x):\n    return 1\ndef g(x):\n    return x + K\ndef f(x):\n    return g(x)",
    ],
    ids=["comments and lines", "what is not reached"],
)
def test_what_compiled_code_cannot_see_does_not_count(changed):
    first, second = prints("K = 3\ndef g(x):\n    return x + K\ndef f(x):\n    return g(x)", changed)
    assert first == second


BODY = "def f(x):\n    return {}"
CHANGES = {
    "code": (BODY.format("x + 1"), BODY.format("x - 1")),
    "constant": (BODY.format("x + 1"), BODY.format("x + 2")),
    "type of a constant": (BODY.format("x + 1"), BODY.format("x + 1.0")),
    "sign of zero": (BODY.format("x * 0.0"), BODY.format("x * -0.0")),
    "name of a field": (BODY.format("x.size"), BODY.format("x.shape")),
    "callee": ("def g(x):\n    return 1\n" + BODY.format("g(x)"), "def g(x):\n    return 2\n" + BODY.format("g(x)")),
    "callee of a callee": tuple(
        f"def h(x):\n    return {n}\ndef g(x):\n    return h(x)\n" + BODY.format("g(x)") for n in (1, 2)
    ),
    "function within": tuple(f"def f(x):\n    def g():\n        return {n}\n    return g()" for n in (1, 2)),
    "global of a function within": tuple(
        f"K = {n}\ndef f(x):\n    def g():\n        return K\n    return g()" for n in (1, 2)
    ),
    "global number": tuple(f"K = {n}\n" + BODY.format("x + K") for n in (1, 2)),
    "type of a global": tuple(f"K = {n}\n" + BODY.format("x + K") for n in ("1", "1.0", "True")),
    "global numpy number": tuple(
        f"import numpy as np\nK = np.{kind}(1)\n" + BODY.format("x + K") for kind in ("int8", "uint8", "int64")
    ),
    "global array": tuple(f"import numpy as np\nK = np.array([1, {n}])\n" + BODY.format("K[x]") for n in (1, 2)),
    "shape of an array": tuple(
        f"import numpy as np\nK = np.zeros({shape})\n" + BODY.format("K[x]") for shape in ("4", "(2, 2)", "(4, 1)")
    ),
    "type of an array": tuple(
        f"import numpy as np\nK = np.zeros(4, {kind!r})\n" + BODY.format("K[x]") for kind in ("i8", "u8", "f8")
    ),
    "middle of a large array": tuple(
        f"import numpy as np\nK = np.zeros(10_000)\nK[5_000] = {n}\n" + BODY.format("K[x]") for n in (1, 2)
    ),
    "global tuple": tuple(f"K = (1, (2, {n}))\n" + BODY.format("K[x]") for n in (3, 4)),
    "text": tuple(f"K = {n!r}\n" + BODY.format("len(K)") for n in ("a", "b")),
    "default": tuple(f"def g(x, k={n}):\n    return x + k\n" + BODY.format("g(x)") for n in (1, 2)),
    "closure": tuple(f"def make(k):\n    def g(x):\n        return x + k\n    return g\nf = make({n})" for n in (1, 2)),
    "which function a name stands for": tuple(
        f"def g(x):\n    return 1\ndef h(x):\n    return 2\nrule = {rule}\n" + BODY.format("g(x) + h(x) + rule(x)")
        for rule in ("g", "h")
    ),
    "jitted function in a tuple": tuple(
        f"from numba import njit\n@njit\ndef g(x):\n    return {n}\nRULES = (g, g)\n" + BODY.format("RULES[0](x)")
        for n in (1, 2)
    ),
    "member of an enumeration": tuple(
        f"from enum import IntEnum\nclass Side(IntEnum):\n    LEFT = {n}\n" + BODY.format("x + Side.LEFT") for n in (1, 2)
    ),
    "global member of an enumeration": tuple(
        f"from enum import IntEnum\nclass Side(IntEnum):\n    A = 1\n    B = 2\nS = Side.{n}\n" + BODY.format("x + S")
        for n in "AB"
    ),
    "fields of a named tuple": tuple(
        f"from collections import namedtuple\nK = namedtuple('K', {n!r})(1, 2)\n" + BODY.format("K.a")
        for n in ("a b", "b a")
    ),
    "code of a jitted function": tuple(
        f"from numba import njit\n@njit\ndef g(x):\n    return {n}\n" + BODY.format("g(x)") for n in (1, 2)
    ),
    "options of a jitted function": tuple(
        f"from numba import njit\n@njit(fastmath={n})\ndef g(x):\n    return x\n" + BODY.format("g(x)")
        for n in (True, False)
    ),
    "global of a jitted function": tuple(
        f"from numba import njit\nK = {n}\n@njit\ndef g(x):\n    return K\n" + BODY.format("g(x)") for n in (1, 2)
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_everything_that_is_frozen_counts(what):
    found = prints(*CHANGES[what])
    assert len(set(found)) == len(found)


@pytest.mark.parametrize("what", CHANGES)
def test_the_same_again_gives_the_same_print(what):
    source = CHANGES[what][0]
    assert len(set(prints(source, source))) == 1


def module_with(**members) -> ModuleType:
    module = ModuleType("rules")
    vars(module).update(members)
    return module


def test_attributes_of_modules_count_when_they_are_named():
    source = BODY.format("x + rules.K")
    one, two = (fingerprint([made(source, rules=module_with(K=k))]) for k in (1, 2))
    assert one != two
    same, other = (fingerprint([made(source, rules=module_with(K=1, UNUSED=k))]) for k in (1, 2))
    assert same == other


def test_modules_within_packages_count():
    source = BODY.format("x + pack.rules.K")
    one, two = (fingerprint([made(source, pack=module_with(rules=module_with(K=k)))]) for k in (1, 2))
    assert one != two


def test_functions_that_call_each_other_end():
    source = "def g(x):\n    return f(x - 1)\ndef f(x):\n    return g(x) if x else {}"
    one, again, two = prints(source.format(1), source.format(1), source.format(2))
    assert one == again != two


PROBLEM = """
import numpy as np
import arbora

@arbora.problem
class Mine:
    size: int = 1
    def layout(self): return [("a", np.int64)]
    def max_moves(self): return 1
    def max_length(self): return 1
    def reset(self, state): state.a = 0
    def moves(self, state, out): return self.helper(1 - state.a)
    def helper(self, x): return x
    def play(self, state, move): state.a = 1
    def score(self, state): return 1.0
    def text(self, state, move): return "x"
    def render(self, state): return "x"
"""


@pytest.mark.parametrize(
    ("old", "new", "counts"),
    [
        ("return 1.0", "return 2.0", True),
        ("def helper(self, x): return x", "def helper(self, x): return x + 0", True),
        ('state, move): return "x"', 'state, move): return "y"', False),
        ('def render(self, state): return "x"', 'def render(self, state): return "y"', False),
        ("size: int = 1", "size: int = 2", False),
    ],
)
def test_methods_of_a_problem_count_unless_they_are_for_people(old, new, counts):
    one, two = prints(PROBLEM, PROBLEM.replace(old, new), name="Mine")
    assert (one != two) == counts


@pytest.mark.parametrize("name", ["max_moves", "max_length"])
def test_bounds_count_where_compiled_code_calls_them(name):
    source = PROBLEM.replace("return 1.0", f"return 1.0 * self.{name}()")
    one, two = prints(source, source.replace(f"def {name}(self): return 1", f"def {name}(self): return 2"), name="Mine")
    assert one != two


def test_print_is_the_same_in_another_process():
    code = (
        "import arbora; from arbora.engine.fingerprint import fingerprint\n"
        "print(fingerprint([arbora.SameGame, arbora.NRPA]))"
    )
    ran = [subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True) for _ in range(2)]
    assert {run.stdout.strip() for run in ran} == {fingerprint([arbora.SameGame, arbora.NRPA])}
