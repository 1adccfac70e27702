"""Plain Python classes under the compiled searches."""

import threading
import traceback

import numpy as np
import pytest
from small_problems import Shelf, best_shelf, shelf_score

import arbora
from arbora.errors import ProblemError
from arbora.problem import new_state
from arbora.simulator import hosts, opened

SEARCHES = {"random": arbora.Random(), "mcts": arbora.MCTS(), "nrpa": arbora.NRPA(level=1, iterations=20)}


@pytest.mark.parametrize("name", SEARCHES)
def test_best_order_is_found_and_replays_to_its_score(name):
    shelf = Shelf()
    result = arbora.solve(shelf, SEARCHES[name], playouts=1500, seed=2)
    assert result.score == best_shelf() == shelf_score(result.text)
    assert result.text == [shelf.words[move] for move in result.moves]
    assert sorted(result.moves) == [0, 1, 2, 3, 4]
    assert result.scores == [shelf_score(result.text[: i + 1]) for i in range(5)]
    assert result.playouts == 1500


@pytest.mark.parametrize("name", SEARCHES)
def test_same_seed_gives_the_same_result(name):
    words = ("beech", "birch", "cedar", "larch", "maple", "hazel", "rowan")
    first, second = (arbora.solve(Shelf(words), SEARCHES[name], playouts=60, seed=9) for _ in range(2))
    assert (first.score, first.moves, first.playouts) == (second.score, second.moves, second.playouts)
    assert [row.playouts for row in first.trace] == [row.playouts for row in second.trace]


@pytest.mark.parametrize("name", SEARCHES)
def test_compiled_equals_interpreted(name):
    plain = arbora.solve(Shelf(), SEARCHES[name], playouts=30, seed=3, compiled=False)
    fast = arbora.solve(Shelf(), SEARCHES[name], playouts=30, seed=3)
    assert (fast.score, fast.moves) == (plain.score, plain.moves)


def test_objects_that_cannot_be_copied_work_too():
    shelf = Shelf()
    shelf.lock = threading.Lock()
    assert arbora.solve(shelf, arbora.Random(), playouts=20).playouts == 20
    assert hosts == {}


class Picky(Shelf):
    """Offers only the first two words left; codes are text-free big numbers, texts are shouted."""

    def candidates(self):
        return list(self.left)[:2]

    def code(self, move):
        return 2**64 - 1 - move * 10**15 - len(self.history)

    def text(self, move):
        return self.words[move].upper()


def test_candidates_and_text_of_a_simulator_are_used():
    result = arbora.solve(Picky(), SEARCHES["nrpa"], playouts=100)
    left = list(range(5))
    for move in result.moves:
        assert move in left[:2]
        left.remove(move)
    assert result.text == [Picky().words[move].upper() for move in result.moves]


def test_codes_decide_what_nrpa_learns():
    class SameCode(Shelf):
        def code(self, move):
            return 5

    blind = arbora.solve(SameCode(), SEARCHES["nrpa"], playouts=20, seed=1)
    unlearned = arbora.solve(Shelf(), arbora.NRPA(level=1, iterations=20, alpha=0.0), playouts=20, seed=1)
    assert (blind.score, blind.moves) == (unlearned.score, unlearned.moves)


class Failing(Shelf):
    """Raises after some calls, from a helper of its own."""

    def __init__(self, where: str) -> None:
        super().__init__()
        self.where = where
        self.calls = 0

    def explode(self, where: str) -> None:
        self.calls += 1
        if where == self.where and self.calls > 25:
            raise RuntimeError(f"the shelf broke in {where}")

    def moves(self):
        self.explode("moves")
        return super().moves()

    def play(self, move):
        self.explode("play")
        super().play(move)

    def score(self):
        self.explode("score")
        return super().score()


@pytest.mark.parametrize("where", ["moves", "play", "score"])
@pytest.mark.parametrize("name", SEARCHES)
def test_users_exception_stops_the_run_with_the_users_own_traceback(name, where):
    with pytest.raises(RuntimeError, match=f"the shelf broke in {where}") as caught:
        arbora.solve(Failing(where), SEARCHES[name], seconds=30)
    frames = [(frame.filename, frame.name) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert frames[-2:] == [(__file__, where), (__file__, "explode")]
    assert hosts == {}


def test_exception_in_an_optional_method_comes_out_too():
    class BadText(Shelf):
        def text(self, move):
            raise KeyError("no name")

    with pytest.raises(KeyError, match="no name"):
        arbora.solve(BadText(), arbora.Random(), playouts=5)


def test_too_many_moves_are_told():
    class Wide(Shelf):
        def moves(self):
            return range(11)

    with pytest.raises(ProblemError, match="class Wide: 11 moves at once, but max_moves is 10"):
        arbora.solve(Wide(), arbora.Random(), playouts=5)


def test_negative_move_is_told():
    class Down(Shelf):
        def moves(self):
            return [0, -3]

    with pytest.raises(ProblemError, match="class Down: move -3; moves are 0 or more"):
        arbora.solve(Down(), arbora.Random(), playouts=5)


@pytest.mark.parametrize("move", [1.5, "one", None, 2**31, np.float64(2.0)])
def test_moves_that_are_not_whole_numbers_of_32_bits_are_told(move):
    class Loose(Shelf):
        def moves(self):
            return [0, move]

    with pytest.raises(ProblemError) as caught:
        arbora.solve(Loose(), arbora.Random(), playouts=5, compiled=False)
    assert str(caught.value) == f"class Loose: move {move!r}; moves are whole numbers from 0 to 2,147,483,647"


def test_candidates_are_checked_like_moves():
    class Astray(Shelf):
        def candidates(self):
            return [-1]

    with pytest.raises(ProblemError, match="class Astray: move -1; moves are 0 or more"):
        arbora.solve(Astray(), SEARCHES["nrpa"], playouts=5)


@pytest.mark.parametrize("kind", [tuple, set, iter, np.array, dict.fromkeys, lambda moves: bytes(list(moves))])
def test_moves_may_come_in_anything_that_can_be_gone_through(kind):
    class Wrapped(Shelf):
        def moves(self):
            return kind(super().moves())

    wrapped, plain = (arbora.solve(shelf, arbora.Random(), playouts=20, compiled=False) for shelf in (Wrapped(), Shelf()))
    assert (wrapped.score, wrapped.moves) == (plain.score, plain.moves)


class Logged(Shelf):
    """Notes what it is asked to do."""

    def __init__(self) -> None:
        super().__init__()
        self.log = []

    def reset(self):
        self.log.append("reset")
        super().reset()

    def play(self, move):
        self.log.append(move)
        super().play(move)

    def moves(self):
        self.log.append("moves")
        return super().moves()


def test_the_object_goes_on_by_one_move_and_to_anywhere_else_from_the_start_when_it_is_asked():
    shelf, out = Logged(), np.zeros(10, np.int32)
    with opened(shelf) as problem:
        here, there = new_state(problem), new_state(problem)

        def log_of(state, *moves):
            for move in moves:
                problem.play(state, move)
            shelf.log.clear()
            problem.moves(state, out)
            return shelf.log

        assert log_of(here) == ["reset", "moves"]
        assert log_of(here, 3) == [3, "moves"]
        assert log_of(here) == []
        assert log_of(here, 1, 0) == ["reset", 3, 1, 0, "moves"]
        assert log_of(there, 3, 1) == ["reset", 3, 1, "moves"]
        assert log_of(there, 2) == [2, "moves"]
        assert problem.score(here) == shelf_score([shelf.words[move] for move in (3, 1, 0)])


def test_after_an_exception_the_object_is_reset():
    class Hiccup(Logged):
        def play(self, move):
            super().play(move)
            if move == 2 and self.log.count(2) == 1:
                raise OSError("once only")

    shelf, out = Hiccup(), np.zeros(10, np.int32)
    with opened(shelf) as problem:
        state = new_state(problem)
        problem.play(state, 4)
        assert problem.moves(state, out) == 4
        problem.play(state, 2)
        assert problem.moves(state, out) == 0
        assert problem.moves(state, out) == 3
        assert shelf.log == ["reset", 4, "moves", 2, "reset", 4, 2, "moves"]


@pytest.mark.parametrize("name", SEARCHES)
def test_endless_episode_is_told_by_the_users_class_name(name):
    class Endless(Shelf):
        def moves(self):
            return [0]

        def play(self, move):
            pass

    with pytest.raises(ProblemError, match=r"class Endless: an episode is longer than max_length\(\) = 8"):
        arbora.solve(Endless(), SEARCHES[name], playouts=5)


@pytest.mark.parametrize("value", [np.inf, np.nan])
def test_score_that_is_not_finite_is_told(value):
    class Wild(Shelf):
        def score(self):
            return value

    with pytest.raises(ProblemError, match=r"class Wild: score\(\) is not a finite number after 5 moves"):
        arbora.solve(Wild(), arbora.Random(), playouts=5)


@pytest.mark.parametrize("name", ["reset", "moves", "play", "score"])
def test_missing_method_is_told(name):
    members = {key: getattr(Shelf, key) for key in ("reset", "moves", "play", "score") if key != name}
    with pytest.raises(ProblemError, match=rf"class Part \(.*\): method {name} is missing"):
        arbora.solve(type("Part", (), members)(), playouts=1)


def test_wrong_signature_is_told_with_its_place():
    class Twisted(Shelf):
        def play(self, move, much):
            pass

    line = Twisted.play.__code__.co_firstlineno
    with pytest.raises(ProblemError) as caught:
        arbora.solve(Twisted(), playouts=1)
    assert str(caught.value) == f"class Twisted, {__file__}:{line}: play must be play(self, move)"


@pytest.mark.parametrize("value", [0, -1, "ten", 2.5, True, lambda: 0])
def test_bad_bound_is_told(value):
    shelf = Shelf()
    shelf.max_moves = value
    with pytest.raises(ProblemError, match="class Shelf: max_moves must be a whole number of 1 or more"):
        arbora.solve(shelf, playouts=1)


def test_bounds_may_be_methods():
    class Bounded(Shelf):
        def max_moves(self):
            return len(self.words)

        def max_length(self):
            return 8

    assert arbora.solve(Bounded(), arbora.Random(), playouts=5).playouts == 5


def test_threads_are_cut_to_one():
    result = arbora.solve(Shelf(), arbora.Random(), playouts=10, threads=2)
    assert (result.threads, result.playouts) == (1, 10)


class Knowing(Shelf):
    """A shelf that knows more: every pair of words has at most five letters in common, and words have lasting names."""

    def bound(self):
        return self.points + 5 * min(len(self.left), len(self.words) - 1)

    def key(self):
        last = self.history[-1] if self.history else 7
        return 2**63 + 8 * sum(1 << move for move in self.history) + last

    def bias(self, move):
        return float(move)

    def label(self, move):
        return len(self.words[move]) * 100 + move

    def find(self, label):
        return label % 100 if label % 100 in self.left else -1


@pytest.mark.parametrize("compiled", [True, False])
def test_bounds_and_keys_of_a_simulator_are_used(compiled):
    proved = arbora.solve(Knowing(), arbora.AStar(nodes=500), playouts=1000, compiled=compiled)
    assert (proved.score, proved.stopped) == (best_shelf(), "complete")
    assert proved.nodes <= 1 + 5 * 2**4  # positions that differ in what is left or in the last word
    with pytest.raises(arbora.BadInput, match="search AStar needs a problem with the methods bound; Shelf has no bound"):
        arbora.solve(Shelf(), arbora.AStar(nodes=500), playouts=10, compiled=compiled)


def test_optional_methods_and_what_stands_in_for_them():
    out = np.zeros(10, np.int32)
    with opened(Knowing()) as knowing, opened(Shelf()) as plain:
        for problem in (knowing, plain):
            state = new_state(problem)
            problem.reset(state)
            problem.play(state, 1)
            answers = (
                problem.bound(state),
                int(problem.key(state)),
                problem.bias(state, 4),
                int(problem.label(state, 4)),
                [int(problem.find(state, label, out)) for label in (404, 501, 4, 1)],
            )
            if problem is knowing:
                assert answers == (5.0 * 4, 2**63 + 8 * 2 + 1, 4.0, 404, [4, -1, 4, -1])
            else:
                assert answers == (np.inf, 0, 0.0, 4, [-1, -1, 4, -1])


@pytest.mark.parametrize("value", ["here", 1.5, None, 2**64, True])
def test_keys_and_labels_of_a_simulator_are_whole_numbers(value):
    class Vague(Knowing):
        def key(self):
            return value

    line = Vague.key.__code__.co_firstlineno
    told = f"^class Vague, {__file__}:{line}: key must return a whole number of 64 bits, not {value!r}$"
    with pytest.raises(ProblemError, match=told):
        arbora.solve(Vague(), arbora.BreadthFirst(nodes=100), playouts=100, compiled=False)


def test_find_with_the_wrong_arguments_is_told():
    class Lost(Shelf):
        def find(self):
            return 0

    with pytest.raises(ProblemError, match=r"class Lost, .*: find must be find\(self, label\)$"):
        arbora.solve(Lost(), arbora.Random(), playouts=1)
