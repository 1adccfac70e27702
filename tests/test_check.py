"""The conformance suite: what it passes, what it fails, and how it says so."""

import itertools
import re

import numpy as np
import pytest
from small_problems import Shelf, Walk, walk_score

import arbora
from arbora.check import Report, interpreted_checks
from arbora.component import where
from arbora.errors import ProblemError
from arbora.problem import like_compiled
from arbora.spec import load_file
from arbora.watched import Watched

_names = itertools.count()


def build(tmp_path, **methods):
    """A two-step problem class in a file of its own, with some methods' source replaced, and that file's path."""
    source = {
        "layout": 'def layout(self):\n    return [("step", np.int64), ("total", np.int64)]',
        "max_moves": "def max_moves(self):\n    return 2",
        "max_length": "def max_length(self):\n    return 2",
        "reset": "def reset(self, state):\n    state.step = 0\n    state.total = 0",
        "moves": "def moves(self, state, out):\n    out[0] = 0\n    out[1] = 1\n    return 2 if state.step < 2 else 0",
        "play": "def play(self, state, move):\n    state.step += 1\n    state.total += move",
        "score": "def score(self, state):\n    return float(state.total)",
    }
    source.update(methods)
    body = "\n\n".join("\n".join("    " + line for line in text.splitlines()) for text in source.values())
    path = tmp_path / f"mine{next(_names)}.py"
    path.write_text(f"import numpy as np\nimport arbora\n\n\n@arbora.problem\nclass Mine:\n{body}\n")
    return load_file(str(path)).Mine(), path


def line_of(path, text):
    """The number of the only line that has this text."""
    numbers = [n for n, line in enumerate(path.read_text().splitlines(), start=1) if text in line]
    assert len(numbers) == 1, text
    return numbers[0]


@pytest.mark.parametrize("problem", [Walk(), Shelf()], ids=["problem", "simulator"])
def test_good_problems_pass_and_it_says_what_passed(problem):
    report = arbora.check_problem(problem, playouts=5)
    assert report.failure is None
    assert report.ok
    assert report.name == type(problem).__name__
    said = [re.sub(r"[\d,.]+", "#", line) for line in report.passed]
    assert said[0].startswith("a state is # bytes; at most # moves# # long")
    assert said[1].startswith("# interpreted play-outs keep to their bounds: # to # moves")
    assert said[2] == "reset restores the start: used and fresh states play alike"
    assert said[3] == "candidates are legal moves# and never none while moves remain"
    assert said[4].startswith("sample gives legal moves")
    assert said[5] == "# compiled play-outs equal the interpreted ones move for move (# s)"
    assert said[6] == "so does NRPA# with candidates and codes (# s)"
    assert len(said) == 7


def test_what_a_problem_has_beyond_that_is_said_too():
    """SameGame on its default board compiles no more than the tests of SameGame do anyway."""
    passed = arbora.check_problem(arbora.SameGame(seed=1), playouts=3).passed
    assert passed[5] == "bound, key: what they promise holds at every step"
    assert re.fullmatch(r"compact gives a problem with the same moves and scores; its states are \d+ bytes", passed[6])
    assert [re.sub(r"[\d.]+", "#", line) for line in passed[9:]] == [
        "SameGame answers alike, compiled and interpreted (# s)",
        "CompactSameGame answers alike, compiled and interpreted (# s)",
    ]


def test_bounds_are_told_exactly():
    assert arbora.check_problem(Walk(), playouts=5).passed[0] == "a state is 24 bytes; at most 3 moves, 6 long"


SAMPLE = "def sample(self, state, out, rng):\n    {}"
CANDIDATES = "def candidates(self, state, out):\n    {}"
FAULTS = {
    "too many counted": (
        "moves", "def moves(self, state, out):\n    return 3",
        "def moves", "returned 3 moves; allowed are 0 to max_moves() = 2",
    ),
    "too many written": (
        "moves", "def moves(self, state, out):\n    for i in range(3):\n        out[i] = i  # here\n    return 3",
        "# here", "IndexError: index 2 is out of bounds for axis 0 with size 2; is max_moves() = 2 too low?",
    ),
    "negative count": (
        "moves", "def moves(self, state, out):\n    return -1",
        "def moves", "returned -1 moves; allowed are 0 to max_moves() = 2",
    ),
    "no count": (
        "moves", "def moves(self, state, out):\n    out[0] = 0",
        "def moves", "must return how many moves it wrote, not None",
    ),
    "negative move": (
        "moves", "def moves(self, state, out):\n    out[0] = -4\n    return 1",
        "def moves", "move -4 in place 0 of `out`; moves are 0 or more",
    ),
    "listed twice": (
        "moves", "def moves(self, state, out):\n    out[0] = 1\n    out[1] = 1\n    return 2",
        "def moves", "move 1 is listed twice",
    ),
    "too long": (
        "moves", "def moves(self, state, out):\n    out[0] = 1\n    return 1",
        "def play", "an episode is longer than max_length() = 2",
    ),
    "score None": (
        "score", "def score(self, state):\n    return None",
        "def score", "score must return a number, not None",
    ),
    "score nan": (
        "score", "def score(self, state):\n    return np.nan",
        "def score", "score is nan after 2 moves; it must be a finite number",
    ),
    "score inf": (
        "score", "def score(self, state):\n    return -np.inf",
        "def score", "score is -inf after 2 moves; it must be a finite number",
    ),
    "no candidates": (
        "candidates", CANDIDATES.format("return 0"),
        "def candidates", "no candidate, though there are legal moves",
    ),
    "illegal candidate": (
        "candidates", CANDIDATES.format("out[0] = 5\n    return 1"),
        "def candidates", "move 5 is a candidate but not legal",
    ),
    "illegal sample": (
        "sample", SAMPLE.format("return 7"),
        "def sample", "move 7 is not legal",
    ),
    "fractional code": (
        "code", "def code(self, state, move):\n    return 0.5",
        "def code", "code must be a whole number, not 0.5",
    ),
    "low bound": (
        "bound", "def bound(self, state):\n    return 1.5 if state.step == 1 else 2",
        "def bound", "bound is 1.5 after 1 moves of an episode that scores 2",
    ),
    "bound nan": (
        "bound", "def bound(self, state):\n    return np.nan",
        "def bound", "bound is nan",
    ),
    "bound None": (
        "bound", "def bound(self, state):\n    return None",
        "def bound", "bound must return a number, not None",
    ),
    "fractional key": (
        "key", "def key(self, state):\n    return 0.5",
        "def key", "key must be a whole number of 64 bits, not 0.5",
    ),
    "restless key": (
        "key", "def key(self, state):\n    state.asked += 1\n    return state.asked",
        "def key", "key is 1 after 0 moves, and 2 when asked again",
    ),
    "key of the past": (
        "key", "def key(self, state):\n    return 1 + state.step + 10 * state.asked",
        "def key", "key is 11 after 0 moves, but was 1 after the same moves",
    ),
    "key of two positions": (
        "key", "def key(self, state):\n    return 1",
        "def key", "key 1 stands for two positions that have different moves",
    ),
    "fractional label": (
        "label", "def label(self, state, move):\n    return 0.5",
        "def label", "label must be a whole number, not 0.5",
    ),
    "find of another": (
        "find", "def find(self, state, label, out):\n    return 0",
        "def find", "find gives 0 for label 1, which label gave to move 1 in the same position",
    ),
    "infinite bias": (
        "bias", "def bias(self, state, move):\n    return np.inf",
        "def bias", "bias is inf for 0; it must be a finite number",
    ),
    "eased nan": (
        "eased", "def eased(self, state, hardness):\n    return np.nan if hardness == 0.5 else 1.0",
        "def eased", "eased is nan for 0.5; it must be a finite number",
    ),
    "exception": (
        "play", "def play(self, state, move):\n    state.step += 1\n    state.total += 1 // int(state.step - 1)  # here",
        "# here", "ZeroDivisionError: integer division or modulo by zero",
    ),
    "unknown field": (
        "reset", "def reset(self, state):\n    state.step = 0\n    state.total = state.totl  # here",
        "# here", "AttributeError: 'State' object has no attribute 'totl'",
    ),
}  # fmt: skip
_ASKED = 'def layout(self):\n    return [("step", np.int64), ("total", np.int64), ("asked", np.int64)]'
CHANGED_TOO = {
    "low bound": {"play": "def play(self, state, move):\n    state.step += 1\n    state.total += 1"},
    "restless key": {"layout": _ASKED},
    "key of the past": {
        "layout": _ASKED,
        "play": "def play(self, state, move):\n    state.step += 1\n    state.asked = state.step == 2",
    },
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told_with_class_method_file_and_line(tmp_path, fault):
    method, source, line, reason = FAULTS[fault]
    problem, path = build(tmp_path, **{method: source, **CHANGED_TOO.get(fault, {})})
    report = arbora.check_problem(problem)
    named = "play" if fault == "too long" else method
    assert report.failure == f"class Mine, method {named}, {path}:{line_of(path, line)}: {reason}"
    assert not report.ok


@pytest.mark.parametrize("fault", ["too many counted", "listed twice", "score None", "exception", "illegal sample"])
def test_solve_tells_the_same_before_it_compiles(tmp_path, fault):
    method, source, line, reason = FAULTS[fault]
    problem, path = build(tmp_path, **{method: source})
    with pytest.raises(ProblemError) as caught:
        arbora.solve(problem, arbora.Random(), playouts=10)
    assert str(caught.value) == f"class Mine, method {method}, {path}:{line_of(path, line)}: {reason}"


@arbora.problem
class TwinnedWalk(Walk):
    """A walk with a twin, which is as good as the parameter says."""

    flaw: str = arbora.param("what is wrong with the twin", default="none")

    def bound(self, state):
        return 100.0

    def key(self, state):
        return np.uint64(3 * state.step + state.last + 2)

    def compact(self):
        return {"none": Twin, "bound": Walk, "moves": ShortTwin, "score": DearTwin, "key": SameTwin}[self.flaw](
            steps=self.steps
        )


@arbora.problem
class Twin(Walk):
    def bound(self, state):
        return 99.0

    def key(self, state):
        return np.uint64(3 * state.step + state.last + 2)


@arbora.problem
class ShortTwin(Twin):
    def moves(self, state, out):
        count = Walk.moves(self, state, out)
        return count if state.step < 2 else min(count, 2)


@arbora.problem
class DearTwin(Twin):
    def play(self, state, move):
        Walk.play(self, state, move)
        state.total -= state.step == 3


@arbora.problem
class SameTwin(Twin):
    def key(self, state):
        return 5


@pytest.mark.parametrize(
    ("flaw", "told"),
    [
        ("none", None),
        ("bound", "class TwinnedWalk, method compact, {own}: Walk has no bound"),
        (
            "moves",
            "class TwinnedWalk, method compact, {own}: after 2 moves, move 2 is legal in only one of problem and twin",
        ),
        ("score", "class TwinnedWalk, method compact, {own}: after 3 moves, score is {score}, and {less} in the twin"),
        ("key", "class SameTwin, method key, {key}: key 5 stands for two positions that have different moves"),
    ],
)
def test_a_compact_twin_plays_the_same(flaw, told):
    problem = TwinnedWalk(flaw=flaw)
    with like_compiled():
        watched = Watched(problem)
        moves, _ = watched.play_out(1)
    score = walk_score(moves[:3])
    report = Report("TwinnedWalk")
    try:
        report.passed += interpreted_checks(problem, 5, 1)
    except ProblemError as error:
        report.failure = str(error)
    places = {"own": where(TwinnedWalk.compact), "key": where(SameTwin.key), "score": score, "less": score - 1}
    assert report.failure == (None if told is None else told.format(**places))


def test_reset_that_forgets_a_field(tmp_path):
    problem, _ = build(tmp_path, reset="def reset(self, state):\n    state.step = 0")
    report = arbora.check_problem(problem)
    assert report.failure == "class Mine: reset does not restore the start; a used state plays differently"


def test_bad_layout_is_a_failure_not_an_exception(tmp_path):
    problem, path = build(tmp_path, layout="def layout(self):\n    return undefined_name")
    report = arbora.check_problem(problem)
    place = f"{path}:{line_of(path, 'undefined_name')}"
    assert report.failure == f"class Mine, method layout, {place}: NameError: name 'undefined_name' is not defined"


def test_compiled_that_differs_from_interpreted(tmp_path):
    big = "def play(self, state, move):\n    state.step += 1\n    state.total = int(move + 1) * 10**18 * 20 // 10**18"
    problem, _ = build(tmp_path, play=big)
    report = arbora.check_problem(problem, playouts=5)
    assert report.failure is not None
    assert report.failure.startswith("class Mine: ")
    assert "compiled and interpreted play-outs differ" in report.failure or "in plain Python gives" in report.failure


RARE = "def score(self, state):\n    if state.step > 5:  # never, so that it runs as plain Python\n        "
TYPING = {
    "method of a dict": (
        "play", "def play(self, state, move):\n    state.step += 1\n    names = {1: 2}\n    names.fromkeys(names)  # here",
        r"unknown attribute 'fromkeys'",
    ),
    "method of a str": (
        "score", "def score(self, state):\n    text = 'a,b'\n    return float(len(text.encode()))  # here",
        r"unknown attribute 'encode'",
    ),
    "numpy function": (
        "play", "def play(self, state, move):\n    state.step += 1\n    state.total += len(np.poly(np.eye(2)))  # here",
        r"(numpy|np)\.poly cannot be compiled",
    ),
    "two types": (
        "score", "def score(self, state):\n    if state.step > 5:\n        value = 'none'\n    else:\n"
        "        value = 1.0\n    print(value)  # here\n    return 1.0",
        r"variable 'value' has two types",
    ),
    "unknown method": (
        "score", RARE + "return self.missing(state)  # here\n    return 1.0",
        r"'missing'",
    ),
    "unknown field": (
        "score", RARE + "return float(state.totl)  # here\n    return 1.0",
        r"unknown attribute 'totl' of the state \(not a field of the layout\)",
    ),
    "unknown global": (
        "score", RARE + "return float(nowhere)  # here\n    return 1.0",
        r"unknown name 'nowhere'",
    ),
    "types that do not go together": (
        "score", RARE + "return float('a' + state.step)  # here\n    return 1.0",
        r"these types do not go together",
    ),
}  # fmt: skip


@pytest.mark.parametrize("fault", TYPING)
def test_code_that_cannot_be_compiled_is_told_in_one_line(tmp_path, fault):
    method, source, reason = TYPING[fault]
    problem, path = build(tmp_path, **{method: source})
    with pytest.raises(ProblemError) as caught:
        arbora.solve(problem, arbora.Random(), playouts=3)
    told = str(caught.value)
    assert told.startswith(f"class Mine, method {method}, {path}:{line_of(path, '# here')}: ")
    assert re.search(reason, told)
    assert "\n" not in told
    assert len(told) < 300 + len(str(path))
    assert not re.search(r"nopython|lowering|Invalid use of|numba|overload", told)


def test_check_tells_the_same_as_solve(tmp_path):
    method, source, _ = TYPING["unknown field"]
    problem, _ = build(tmp_path, **{method: source})
    with pytest.raises(ProblemError) as caught:
        arbora.solve(problem, arbora.Random(), playouts=3)
    assert arbora.check_problem(problem).failure == str(caught.value)


def test_error_in_a_helper_function_names_a_line_that_leads_there(tmp_path):
    score = "def score(self, state):\n    return self.value(state)"
    value = "def value(self, state):\n    return len(np.poly(np.eye(2))) * 1.0  # here"
    problem, path = build(tmp_path, score=score, value=value)
    with pytest.raises(ProblemError) as caught:
        arbora.solve(problem, arbora.Random(), playouts=3)
    assert f"{path}:{line_of(path, '# here')}: " in str(caught.value)


def test_policy_that_cannot_be_compiled_is_told_by_its_own_name():
    @arbora.policy
    class Vague:
        def choose(self, problem, state, memory, out, rng):
            count = problem.moves(state, out)
            if count > 100:
                return memory.nothing
            return out[0] if count > 0 else -1

    with pytest.raises(ProblemError) as caught:
        arbora.solve(Walk(), arbora.Random(policy=Vague()), playouts=3)
    line = Vague.choose.__code__.co_firstlineno + 3
    assert str(caught.value).startswith(f"class Vague, method choose, {__file__}:{line}: unknown attribute 'nothing'")


def test_answers_that_differ_when_compiled_are_told(tmp_path):
    key = "def key(self, state):\n    return int(state.step + 1) * 10**18 * 20 // 10**18"  # overflows only when compiled
    problem, _ = build(tmp_path, key=key)
    assert arbora.check_problem(problem, playouts=3).failure == (
        "class Mine: key: compiled and interpreted answers differ; look for integer overflow, division by zero, or indices "
        "out of range"
    )


def test_an_optional_method_that_cannot_be_compiled_is_told(tmp_path):
    label = "def label(self, state, move):\n    return int(move) + len(np.poly(np.eye(2))) - 3  # here"
    find = "def find(self, state, label, out):\n    return label"
    problem, path = build(tmp_path, label=label, find=find)
    told = arbora.check_problem(problem, playouts=3).failure
    assert told is not None
    assert told.startswith(f"class Mine, method label, {path}:{line_of(path, '# here')}: ")


def test_the_bound_of_a_simulator_is_checked():
    class Modest(Shelf):
        def bound(self):
            return self.points

    told = arbora.check_problem(Modest()).failure
    place = where(Modest.bound)
    assert re.fullmatch(
        rf"class Modest, method bound, {place}: bound is 0 after 0 moves of an episode that scores \d+", told
    )


@pytest.mark.parametrize("value", [None, "high", np.nan])
def test_score_of_a_simulator_that_is_no_number(value):
    class Odd(Shelf):
        def score(self):
            return value

    report = arbora.check_problem(Odd())
    assert report.failure is not None
    assert report.failure.startswith("class Odd, ")
    assert "score" in report.failure or "float" in report.failure


def test_division_by_zero_is_told_with_its_line(tmp_path):
    source = "def play(self, state, move):\n    state.step += 1\n    state.total += 6 // (state.step - 1)  # here"
    problem, path = build(tmp_path, play=source)
    told = arbora.check_problem(problem).failure
    assert told == f"class Mine, method play, {path}:{line_of(path, '# here')}: " + (
        "FloatingPointError: divide by zero encountered in scalar floor_divide"
    )


def test_an_exception_in_compiled_code_is_a_problem_error(tmp_path, monkeypatch):
    source = "def play(self, state, move):\n    state.step += 1\n    state.total += 6 // (state.step - 1)"
    problem, _ = build(tmp_path, play=source)
    monkeypatch.setattr("arbora.running.quick_check", lambda problem: None)  # as for a mistake it did not come across
    with pytest.raises(ProblemError, match=r"^class Mine: ZeroDivisionError: .*, in compiled code; compiled=False shows"):
        arbora.solve(problem, arbora.Random(), playouts=3)
