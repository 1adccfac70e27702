"""Nested Monte-Carlo Search against its recursion, written down as it is."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nested_problems import First, leaves
from small_problems import Walk, walk_score

import arbora
from arbora.engine.run import make_run, with_records
from arbora.problem import new_state
from arbora.spec import parse_search


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def moves_after(problem, path) -> tuple[list[int], float]:
    """Legal moves and score after these moves."""
    state, out = new_state(problem), np.zeros(problem.max_moves(), np.int32)
    problem.reset(state)
    for move in path:
        problem.play(state, move)
    return out[: problem.moves(state, out)].tolist(), float(problem.score(state))


def nmcs(problem, path, level) -> tuple[float, list[int], int]:
    """The recursion with First as its policy: best score, best sequence, play-outs."""
    path = list(path)
    moves, score = moves_after(problem, path)
    if level == 0 or not moves:
        while moves:
            path.append(moves[0])
            moves, score = moves_after(problem, path)
        return score, path, 1
    best, sequence, playouts = -np.inf, [], 0
    while moves:
        for move in moves:
            result, found, spent = nmcs(problem, [*path, move], level - 1)
            playouts += spent
            if result > best:
                best, sequence = result, found
        path.append(sequence[len(path)])
        moves, _ = moves_after(problem, path)
    return best, sequence, playouts


def once(search, problem):
    """One whole search, without the restarts: its score, moves and play-outs."""
    run = with_records(make_run(problem, search, playouts=None))
    problem.reset(run.states[0])
    run.states[search.level] = run.states[0]
    search.call(problem, run, search.level, 0)
    search.nested(problem, run, search.level + 1)
    best = run.work.best
    assert best.score[search.level] == run.best_score[0]
    return float(run.best_score[0]), best.moves[search.level, : best.length[search.level]].tolist(), int(run.counters[0])


def test_level_1_by_hand():
    """Always 0 but for the move tried: 0, 0 (1 point), 1, 0 (2), 2, 0 (5): play 2. Then 2, 0 (5), 2, 1 (9), 2, 2 (10)."""
    assert once(arbora.NMCS(level=1, policy=First()), Walk(steps=2)) == (10.0, [2, 2], 6)


def test_the_best_sequence_is_remembered():
    """A later step that finds nothing better follows the sequence of an earlier one: its play-outs are not its choice."""
    problem = leaves(seed=4)
    score, moves, _ = once(arbora.NMCS(level=1, policy=First()), problem)
    first_step = max(nmcs(problem, [move], 0)[:2] for move in range(3))
    assert score >= first_step[0]
    assert moves[0] == first_step[1][0]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), level=st.integers(1, 3), steps=st.integers(1, 4))
def test_equals_the_recursion(seed, level, steps):
    problem = leaves(seed, steps)
    assert once(arbora.NMCS(level=level, policy=First()), problem) == nmcs(problem, [], level)


def test_a_finished_search_starts_anew_until_the_budget_is_spent():
    search = arbora.NMCS(level=1)
    result = arbora.solve(Walk(), search, playouts=10 * 18 + 7, seed=1, compiled=False)
    assert result.playouts == 187
    assert arbora.solve(Walk(), search, playouts=18, seed=1, compiled=False).score < result.score


def test_a_problem_that_is_over_at_once():
    result = arbora.solve(leaves(1, steps=1), arbora.NMCS(level=3, policy=First()), playouts=3, compiled=False)
    assert result.moves == [int(np.argmax(leaves(1, steps=1).values[1:]))]
    assert result.playouts == 3


@pytest.mark.parametrize("level", [1, 2, 4])
def test_compiled_and_interpreted_are_equal(level):
    search = arbora.NMCS(level=level)
    results = [arbora.solve(Walk(), search, playouts=300, seed=7, compiled=compiled) for compiled in (True, True, False)]
    seen = [(r.score, r.moves, r.playouts, [(row.playouts, row.score) for row in r.trace]) for r in results]
    assert seen[0] == seen[1] == seen[2]
    assert walk_score(results[0].moves) == results[0].score


def test_bad_levels_are_one_line():
    for level in (0, 11):
        with pytest.raises(arbora.BadInput, match=f"level={level} is not allowed; level takes a whole number from 1 to 10"):
            parse_search(f"nmcs,level={level}")
