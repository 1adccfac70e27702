"""The problem protocol: mistakes are told at once, and what a class may do works interpreted and compiled alike."""

import numpy as np
import pytest
from small_problems import Walk

import arbora
from arbora.errors import ProblemError
from arbora.problem import bounds, new_state, state_dtype


def make_class(**changes):
    """A walk of two steps, with some members changed; None leaves a member out."""
    members = {name: vars(Walk)[name] for name in ("layout", "max_moves", "max_length", "reset", "moves", "play", "score")}
    members.update(steps=2, __annotations__={"steps": int}, **changes)
    return type("Mine", (), {name: value for name, value in members.items() if value is not None})


@pytest.mark.parametrize(
    ("method", "signature"),
    [
        ("layout", "layout(self)"),
        ("max_moves", "max_moves(self)"),
        ("max_length", "max_length(self)"),
        ("reset", "reset(self, state)"),
        ("moves", "moves(self, state, out)"),
        ("play", "play(self, state, move)"),
        ("score", "score(self, state)"),
    ],
)
def test_missing_method_is_told_with_its_signature(method, signature):
    with pytest.raises(ProblemError) as caught:
        arbora.problem(make_class(**{method: None}))
    assert str(caught.value).startswith("class Mine (")
    assert str(caught.value).endswith(f": method {signature} is missing")


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("play", lambda self, state: None, "play must be play(self, state, move), not play(self, state)"),
        ("score", lambda self: 0.0, "score must be score(self, state), not score(self)"),
        ("moves", lambda self, state, *out: 0, "moves must be moves(self, state, out), not moves(self, state, *out)"),
        ("reset", lambda self, state, extra: None, "reset must be reset(self, state), not reset(self, state, extra)"),
        ("code", lambda self, move: 0, "code must be code(self, state, move), not code(self, move)"),
        ("kinds", lambda self, state: 1, "kinds must be kinds(self), not kinds(self, state)"),
    ],
)
def test_wrong_signature_is_told_with_file_and_line(name, function, told):
    with pytest.raises(ProblemError) as caught:
        arbora.problem(make_class(**{name: function}))
    assert str(caught.value) == f"class Mine, {__file__}:{function.__code__.co_firstlineno}: {told}"


def test_method_that_is_not_plain_is_told():
    with pytest.raises(ProblemError, match=r"score must be a plain method score\(self, state\)"):
        arbora.problem(make_class(score=staticmethod(lambda state: 0.0)))


@pytest.mark.parametrize(
    ("layout", "told"),
    [
        ("hello", "layout must return a numpy dtype, not 'hello'"),
        ([("step", "nonsense")], "layout must return a numpy dtype, not"),
        (7, "layout must return a numpy dtype, not 7"),
        (np.int64, "layout must return a dtype with named fields, not int64"),
        (None, "layout must return a dtype with named fields, not float64"),
        ([("step", object)], "layout has a field of Python objects; use numbers, or a simulator"),
    ],
)
def test_bad_layout_is_told_before_anything_runs(layout, told):
    problem = arbora.problem(make_class(layout=lambda self: layout))()
    with pytest.raises(ProblemError) as caught:
        arbora.solve(problem, arbora.Random(), playouts=1)
    assert f"class Mine, {__file__}:" in str(caught.value)
    assert told in str(caught.value)


@pytest.mark.parametrize("value", ["3", 3.0, 0, -1, None, True])
@pytest.mark.parametrize("name", ["max_moves", "max_length"])
def test_bound_that_is_no_whole_number_is_told(name, value):
    problem = arbora.problem(make_class(**{name: lambda self: value}))()
    with pytest.raises(ProblemError) as caught:
        bounds(problem)
    assert str(caught.value).startswith(f"class Mine, {__file__}:")
    assert str(caught.value).endswith(f"{name} must return a whole number of 1 or more, not {value!r}")


def test_states_are_aligned_and_keep_their_fields():
    mixed = arbora.problem(make_class(layout=lambda self: [("small", np.int8), ("big", np.int64), ("row", np.int16, 3)]))()
    dtype = state_dtype(mixed)
    assert dtype.names == ("small", "big", "row")
    assert [dtype.fields[name][1] for name in dtype.names] == [0, 8, 16]


def test_layout_with_offsets_of_its_own_is_left_alone():
    shared = {"names": ["whole", "half"], "formats": [np.uint32, np.uint16], "offsets": [0, 0], "itemsize": 8}
    problem = arbora.problem(make_class(layout=lambda self: np.dtype(shared)))()
    assert state_dtype(problem) == np.dtype(shared)


@arbora.problem
class Names:
    """Fields called like numpy attributes, and helpers that call helpers."""

    def layout(self):
        return [("item", np.int64), ("size", np.int64, 3), ("shape", np.float64)]

    def max_moves(self):
        return 2

    def max_length(self):
        return 3

    def reset(self, state):
        state.item = 0
        state.shape = 0.5
        for i in range(3):
            state.size[i] = 0

    def moves(self, state, out):
        out[0] = 0
        out[1] = 1
        return 0 if state.item == 3 else 2

    def play(self, state, move):
        state.size[state.item] = move
        state.shape += self.worth(state, move)
        state.item += 1

    def worth(self, state, move):
        return self.doubled(move) * (state.item + 1)

    def doubled(self, move):
        return 2 * move

    def score(self, state):
        return state.shape + state.size[0] - state.size[2] * 0.25


def test_fields_named_like_numpy_attributes_and_helpers_through_self():
    plain = arbora.solve(Names(), arbora.Random(), playouts=60, compiled=False)
    fast = arbora.solve(Names(), arbora.Random(), playouts=60)
    assert plain.moves == fast.moves == [1, 1, 1]
    assert plain.score == fast.score == 0.5 + 2 * (1 + 2 + 3) + 1 - 0.25


def test_used_state_reads_what_was_written():
    state = new_state(Names())
    Names().reset(state)
    Names().play(state, 1)
    assert (state.item, state.size.tolist(), state.shape) == (1, [1, 0, 0], 2.5)


@pytest.mark.parametrize("name", ["content", "array", "dtype", "copy", "T", "fields"])
def test_any_field_name_can_be_read_and_written(name):
    state = new_state(arbora.problem(make_class(layout=lambda self: [(name, np.int64)]))())
    setattr(state, name, 5)
    assert getattr(state, name) == 5


@arbora.problem
class Chain:
    """`worth` is a field here and a method in Names; `ways` a method here."""

    worth: int = 2

    def layout(self):
        return [("step", np.int64), ("total", np.int64)]

    def max_moves(self):
        return 2

    def max_length(self):
        return 2

    def reset(self, state):
        state.step = 0
        state.total = 0

    def ways(self, state):
        return 2 if state.step < 2 else 0

    def moves(self, state, out):
        for i in range(self.ways(state)):
            out[i] = i
        return self.ways(state)

    def play(self, state, move):
        seen = np.zeros(3, np.int64)  # memory of its own, in compiled code too
        seen[move] = self.worth
        copies = np.concatenate((seen, seen))
        state.total = state.total * 3 + copies.sum() * (move + 1)
        state.step += 1

    def score(self, state):
        return float(state.total)


@arbora.problem
class Fork:
    """`ways` is a field here and a method in Chain."""

    ways: int = 3

    def layout(self):
        return [("chosen", np.int64)]

    def max_moves(self):
        return self.ways

    def max_length(self):
        return 1

    def reset(self, state):
        state.chosen = -1

    def moves(self, state, out):
        if state.chosen >= 0:
            return 0
        for i in range(self.ways):
            out[i] = i
        return self.ways

    def play(self, state, move):
        state.chosen = move

    def score(self, state):
        return float(state.chosen * self.ways)


def test_field_and_method_of_one_name_in_two_classes_and_memory_made_in_methods():
    for _ in range(2):
        chain = arbora.solve(Chain(worth=5), arbora.Random(), playouts=40)
        fork = arbora.solve(Fork(ways=4), arbora.Random(), playouts=40)
        assert (chain.score, chain.moves) == (20 * 3 + 20, [1, 1])
        assert (fork.score, fork.moves) == (12, [3])


def test_memory_made_in_methods_compiled_equals_interpreted():
    plain = arbora.solve(Chain(), arbora.Random(), playouts=7, seed=4, compiled=False)
    fast = arbora.solve(Chain(), arbora.Random(), playouts=7, seed=4)
    assert (fast.score, fast.moves) == (plain.score, plain.moves)


class Stepping:
    """Methods that several problems may inherit."""

    def reset(self, state):
        state.step = 0

    def moves(self, state, out):
        out[0] = 0
        out[1] = 1
        return 2 if state.step < 2 else 0

    def score(self, state):
        return float(state.step)


def test_methods_may_be_inherited():
    @arbora.problem
    class Heir(Stepping):
        def layout(self):
            return [("step", np.int64)]

        def max_moves(self):
            return 2

        def max_length(self):
            return 2

        def play(self, state, move):
            state.step += 1

    assert arbora.solve(Heir(), arbora.Random(), playouts=2, compiled=False).score == 2.0


def test_solving_something_else_is_told():
    with pytest.raises(arbora.BadInput, match="Walk is not a problem; give an instance"):
        arbora.solve(Walk, playouts=1)
    with pytest.raises(arbora.BadInput, match="MCTS is not a problem; give an instance"):
        arbora.solve(arbora.MCTS(), playouts=1)
    with pytest.raises(arbora.BadInput, match="'nrpa' is not a search; give one such as"):
        arbora.solve(Walk(), "nrpa", playouts=1)
    with pytest.raises(arbora.BadInput, match=r"policy TabuColor needs a problem with the methods .*; Walk has no kind"):
        arbora.solve(Walk(), arbora.Random(policy=arbora.TabuColor()), playouts=1)
