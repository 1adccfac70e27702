"""Annealing: edits, replays, temperature, and what comes of it on problems of several kinds."""

import itertools
from typing import Any

import numpy as np
import pytest

import arbora
from arbora.engine.run import make_run, with_records
from arbora.problem import like_compiled, new_state
from arbora.replay import replay
from tests.small_problems import Shelf, Walk, best_shelf, best_walk


@arbora.problem
class Tour:
    """Visit five places in the order that costs least; the cost of a step is the square of its length."""

    def layout(self):
        return [("seen", np.int64), ("here", np.int64), ("cost", np.int64)]

    def max_moves(self):
        return 5

    def max_length(self):
        return 5

    def reset(self, state):
        state.seen = 0
        state.here = 0
        state.cost = 0

    def moves(self, state, out):
        count = 0
        for place in range(5):
            if not state.seen >> place & 1:
                out[count] = place
                count += 1
        return count

    def play(self, state, place):
        state.cost += (3 * place % 7 - state.here) ** 2
        state.here = 3 * place % 7
        state.seen |= 1 << place

    def score(self, state):
        return -float(state.cost)

    def key(self, state):
        return np.uint64(1 + state.seen * 8 + state.here)


def tour_score(order: Any) -> float:
    here, cost = 0, 0
    for place in order:
        cost += (3 * place % 7 - here) ** 2
        here = 3 * place % 7
    return -float(cost)


def started(problem: Any, seed: int = 1, **parameters: Any) -> tuple[Any, Any]:
    """A search and its interpreted run with one line."""
    search = arbora.Anneal(lines=1, **parameters)
    run = with_records(make_run(problem, search, seed=seed, playouts=1000))
    problem.reset(run.states[0])
    search.begin(problem, run, 0)
    return search, run


@pytest.fixture(autouse=True)
def numbers_like_compiled_ones() -> Any:
    with like_compiled():
        yield


def line_of(run: Any) -> tuple[list[int], float]:
    lines, row = run.work.lines, run.work.row[0]
    return lines.moves[row, : lines.length[row]].tolist(), float(lines.score[row])


def test_every_line_is_a_whole_episode_with_its_score():
    """Whatever edits, skips and shortcuts went on: the moves replay, positions and scores kept on the way are true."""
    problem = Tour()
    search, run = started(problem, hot=1.0, cold=1.0)
    seen = set()
    for _ in range(400):
        search.step(problem, run, 0, 0.5)
        moves, score = line_of(run)
        assert sorted(moves) == list(range(5))
        assert score == tour_score(moves)
        seen.add(tuple(moves))
        lines, row = run.work.lines, run.work.row[0]
        for slot, step in enumerate(replay(problem, moves)):
            assert lines.at[row, slot] == slot
            assert problem.score(lines.states[row, slot]) + lines.gain[row, slot] == step.score
        assert problem.score(lines.last[row]) + lines.last_gain[row] == score
    assert len(seen) > 60  # of 120 orders


EDITS = {"delete": 0.0, "insert": 0.0, "exchange": 0.0, "shift": 0.0}


@pytest.mark.parametrize("kind", EDITS)
def test_the_plan_of_an_edit(kind):
    """A plan keeps all moves from the first change on, but for the one that is deleted or exchanged."""
    problem = Tour()
    search, run = started(problem, **{**EDITS, kind: 1.0})
    moves, _ = line_of(run)
    found = 0
    for _ in range(200):
        first, count, settled, new = search.edit(problem, run, run.work.row[0])
        if count < 0:
            continue
        found += 1
        plan = run.work.plan[:count].tolist()
        if kind == "delete":
            assert (plan, settled, new) == (list(range(first + 1, 5)), 0, -1)
        elif kind == "insert":
            assert (plan, settled) == ([-1, *range(first, 5)], 1)
        elif kind == "exchange":
            assert (plan, settled) == ([-1, *range(first + 1, 5)], 1)
        else:
            assert sorted(plan) == list(range(first, 5))
            assert plan != sorted(plan)
            assert plan[settled:] == list(range(first + settled, 5))
        if new >= 0:
            assert new not in moves[:first]
            assert new != moves[first]
    assert found > 50


def test_a_label_that_stands_for_nothing_is_skipped():
    problem = Tour()
    search, run = started(problem)
    row, draft = run.work.row[0], run.work.row[1]
    moves, _ = line_of(run)
    run.work.plan[:6] = [-1, 0, 1, 2, 3, 4]
    met, _ = search.replay(problem, run, row, draft, 0, 6, 1, moves[3], 0.0)
    lines = run.work.lines
    assert lines.moves[draft, : lines.length[draft]].tolist()[:4] == [moves[3], *moves[:3]]
    assert met in (-1, 4, 5)  # the old line can only be met where it has used the same moves


def test_meeting_the_old_line_again_ends_the_replay():
    """Two moves in the other order lead to the same position if the same place comes last: the rest is taken over."""
    problem = Tour()
    search, run = started(problem)
    row, draft = run.work.row[0], run.work.row[1]
    moves, score = line_of(run)
    run.work.plan[:5] = [1, 0, 2, 3, 4]
    met, ahead = search.replay(problem, run, row, draft, 0, 5, 2, -1, 0.0)
    assert met == 3  # after the third move, which is the same in both
    changed = [moves[1], moves[0], *moves[2:]]
    assert run.work.lines.length[draft] == 3
    assert run.work.lines.score[draft] == score + ahead == tour_score(changed)


@arbora.problem
class Slots:
    """Fill ten slots with 0, 1 or 2; the same twice in a row is not allowed. A label names slot and value."""

    def layout(self):
        return [("slot", np.int64), ("last", np.int64), ("total", np.int64)]

    def max_moves(self):
        return 3

    def max_length(self):
        return 10

    def reset(self, state):
        state.slot = 0
        state.last = -1
        state.total = 0

    def moves(self, state, out):
        count = 0
        for value in range(3 if state.slot < 10 else 0):
            if value != state.last:
                out[count] = value
                count += 1
        return count

    def play(self, state, value):
        state.total += value * (state.slot % 3)
        state.last = value
        state.slot += 1

    def score(self, state):
        return float(state.total)

    def label(self, state, value):
        return state.slot * 3 + value

    def find(self, state, label, out):
        if label // 3 > state.slot:
            return -2
        return label % 3 if label // 3 == state.slot and label % 3 != state.last else -1


def test_the_policy_fills_in_where_a_label_must_wait():
    problem = Slots()
    search, run = started(problem, delete=1.0, insert=0.0, exchange=0.0, shift=0.0)
    row, draft = run.work.row[0], run.work.row[1]
    moves, _ = line_of(run)
    run.work.plan[:9] = [0, 1, 2, 3, 5, 6, 7, 8, 9]  # slot 4 has lost its value
    search.replay(problem, run, row, draft, 0, 9, 0, -1, 0.0)
    filled = run.work.lines.moves[draft, :10].tolist()
    assert filled[:4] == moves[:4]
    assert all(a != b for a, b in itertools.pairwise(filled))
    assert filled[6:] == moves[6:] or filled[5] != moves[5]


def test_the_temperature_is_steered_to_the_wanted_share():
    search, run = started(Tour(), hot=0.2, cold=0.2)
    kept = [search.accepts(run, -change, 0.5) for change in np.random.default_rng(1).exponential(50.0, 20_000)]
    assert np.mean(kept[5_000:]) == pytest.approx(0.2, abs=0.03)
    assert run.work.heat[0] == pytest.approx(12.5, rel=0.5)  # T / (T + 50) = 0.2
    assert search.accepts(run, 0.0, 0.5)
    assert search.accepts(run, 1.0, 0.5)


def test_lines_are_dropped_by_their_mean():
    search = arbora.Anneal(lines=8, settle=0.5)
    assert [search.wanted(8, spent) for spent in (0.0, 0.4, 0.5, 0.75, 1.0)] == [8, 8, 8, 3, 1]
    run = make_run(Tour(), search, playouts=1)
    run.work.total[:4], run.work.steps[:4] = [30.0, 10.0, 40.0, 20.0], [3.0, 2.0, 2.0, 2.0]
    assert search.drop(run, 4, 2) == 2
    assert sorted(run.work.row[:2].tolist()) == [0, 2] or sorted(run.work.row[:2].tolist()) == [2, 3]
    assert not run.work.total[:2].any()


def test_a_budget_shorter_than_its_lines_is_kept():
    result = arbora.solve(Tour(), arbora.Anneal(lines=24), playouts=10, seed=1, compiled=False)
    assert result.playouts == 10
    assert result.score == tour_score(result.moves)


def test_the_number_of_lines_follows_the_budget():
    search = arbora.Anneal()
    assert [search.affordable(edits, 0.01) for edits in (1, 400, 40_000, 10_000_000)] == [0, 1, 10, 32]
    assert arbora.Anneal(lines=5).affordable(1, 0.01) == 5


def test_every_start_of_multi_start_cools_down_anew():
    search = arbora.MultiStart(search=arbora.Anneal(), starts=3)
    plain = arbora.solve(Tour(), search, playouts=300, seed=1, compiled=False)
    assert plain.playouts == 300
    assert plain.score == max(tour_score(order) for order in itertools.permutations(range(5)))


@pytest.mark.parametrize("seed", [1, 2])
def test_compiled_equals_interpreted(seed):
    plain = arbora.solve(Tour(), arbora.Anneal(), playouts=500, seed=seed, compiled=False)
    fast = arbora.solve(Tour(), arbora.Anneal(), playouts=500, seed=seed)
    assert (fast.moves, fast.playouts) == (plain.moves, 500)
    assert fast.score == max(tour_score(order) for order in itertools.permutations(range(5)))


def test_small_optima():
    assert arbora.solve(Walk(), arbora.Anneal(), playouts=3_000, seed=1, compiled=False).score == best_walk()
    assert arbora.solve(Shelf(), arbora.Anneal(), playouts=1_000, seed=1).score == best_shelf()


def test_samegame_by_default():
    problem = arbora.SameGame(seed=1)
    result = arbora.solve(problem, playouts=100_000, seed=1)
    assert type(result.search) is arbora.Anneal
    assert result.problem is problem
    assert result.playouts == 100_000
    assert result.score > 2_000
    assert arbora.solve(problem, playouts=100_000, seed=1).moves == result.moves
    plain = arbora.solve(problem, result.search, playouts=150, seed=3, compiled=False)
    assert plain.moves == arbora.solve(problem, result.search, playouts=150, seed=3).moves


@pytest.mark.parametrize("problem", [arbora.WeakSchur(parts=3), arbora.Bus(model="clean")], ids=["weak-schur", "bus"])
def test_labels_name_moves(problem):
    """`find` undoes `label`, and a label of the past stands for nothing."""
    state = new_state(problem)
    out = np.zeros(problem.max_moves(), np.int32)
    with like_compiled():
        problem.reset(state)
        before: list[int] = []
        for _ in range(12):
            count = problem.moves(state, out)
            if count == 0:
                break
            labels = [int(problem.label(state, move)) for move in out[:count]]
            assert [problem.find(state, label, out.copy()) for label in labels] == out[:count].tolist()
            assert all(problem.find(state, label, out.copy()) == -1 for label in before)
            before = labels
            problem.play(state, out[count - 1])


def test_a_line_that_never_ends_is_told():
    @arbora.problem
    class Endless(Tour):  # type: ignore[misc, valid-type]
        def moves(self, state, out):
            out[0] = 0
            return 1

    with pytest.raises(arbora.ProblemError, match=r"longer than max_length\(\) = 5"):
        arbora.solve(Endless(), arbora.Anneal(), playouts=10, compiled=False)
