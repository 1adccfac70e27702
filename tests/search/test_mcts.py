"""MCTS against document 000, Listing 1 and equations (1) to (2c)."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_problems import Walk, best_walk, walk_score

import arbora
from arbora.engine.run import make_run, with_records
from arbora.engine.tree import make_tree
from arbora.search.mcts import select


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes and random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def plain_run(search, playouts: int, seed: int = 1, problem=None):
    problem = problem if problem is not None else Walk()
    run = with_records(make_run(problem, search, seed=seed, playouts=playouts))
    search.run(problem, run)
    return run


def children(tree, node: int) -> list[int]:
    found, child = [], int(tree.nodes[node].first_child)
    while child != 0:
        found.append(child)
        child = int(tree.nodes[child].next_sibling)
    return found


def every_node(tree):
    """(index, moves that lead there) of all nodes that hang in the tree."""
    waiting = [(0, ())]
    while waiting:
        node, moves = waiting.pop()
        yield node, moves
        waiting += [(child, (*moves, int(tree.nodes[child].move))) for child in children(tree, node)]


@pytest.mark.parametrize("playouts", [1, 2, 3, 17, 60])
def test_one_node_is_added_per_playout(playouts):
    tree = plain_run(arbora.MCTS(exploration=3), playouts).work.tree
    assert tree.size[0] == playouts + 1
    assert sorted(node for node, _ in every_node(tree)) == list(range(playouts + 1))


def test_visits_and_sums_add_up():
    tree = plain_run(arbora.MCTS(), 80).work.tree
    assert tree.nodes[0].visits == 80
    for node, moves in every_node(tree):
        below = sum(int(tree.nodes[child].visits) for child in children(tree, node))
        own = 0 if node == 0 else 1  # the play-out that added the node
        assert len(moves) == 6 or tree.nodes[node].visits == below + own
        assert tree.nodes[node].best >= tree.nodes[node].total / tree.nodes[node].visits - 1e-9


def test_leaves_know_their_exact_score():
    tree = plain_run(arbora.MCTS(exploration=3), 900, problem=Walk(steps=3)).work.tree
    leaves = [(node, moves) for node, moves in every_node(tree) if len(moves) == 3]
    assert len(leaves) == 27
    for node, moves in leaves:
        assert tree.nodes[node].total == tree.nodes[node].visits * walk_score(moves)
        assert tree.nodes[node].squares == tree.nodes[node].visits * walk_score(moves) ** 2


@pytest.mark.parametrize("selection", ["ucb1-tuned", "ucb1"])
def test_every_child_is_tried_before_any_is_tried_twice(selection):
    for playouts in range(1, 25):
        tree = plain_run(arbora.MCTS(selection=selection), playouts, seed=2).work.tree
        for node, _ in every_node(tree):
            visits = [int(tree.nodes[child].visits) for child in children(tree, node)]
            assert len(visits) == 3 or all(count == 1 for count in visits)


def test_untried_moves_are_drawn_at_random():
    first = {int(plain_run(arbora.MCTS(), 1, seed).path[0]) for seed in range(20)}
    assert first == {0, 1, 2}


def bound(scores: list[float], low: float, high: float, parent_visits: int, exploration: float, tuned: bool) -> float:
    """Equations (2a) to (2c) from the scores themselves, scaled to [0, 1]."""
    scaled = [(score - low) / (high - low) for score in scores]
    n = len(scaled)
    mean = sum(scaled) / n
    if not tuned:
        return mean + exploration * math.sqrt(2 * math.log(parent_visits) / n)
    variance = sum(score * score for score in scaled) / n - mean * mean
    v = variance + math.sqrt(2 * math.log(parent_visits) / n)
    return mean + exploration * math.sqrt(2 * math.log(parent_visits) / n * min(0.25, v))


def tree_of(arms: list[list[float]]):
    """A root whose children have seen these scores."""
    tree = with_records(make_tree(len(arms) + 1))
    tree.clear()
    tree.nodes[0].untried = len(arms)
    for move, scores in enumerate(arms):
        child = tree.add_child(0, move)
        for score in scores:
            tree.update(child, score)
            tree.update(0, score)
    return tree


scores = st.floats(-100, 100).map(lambda value: round(value, 2))


@settings(max_examples=150, deadline=None)
@given(
    arms=st.lists(st.lists(scores, min_size=1, max_size=8), min_size=2, max_size=6),
    exploration=st.sampled_from([0.0, 0.3, 1.0, 5.0]),
    tuned=st.booleans(),
)
def test_selection_is_the_formula(arms, exploration, tuned):
    seen = [score for arm in arms for score in arm]
    low, high = min(seen) - 1, max(seen) + 1
    tree = tree_of(arms)
    chosen = int(tree.nodes[select(tree, 0, np.array([low, high]), exploration, tuned)].move)
    bounds = [bound(arm, low, high, len(seen), exploration, tuned) for arm in arms]
    assert bounds[chosen] == pytest.approx(max(bounds), abs=1e-9)


def test_selection_on_a_tree_worked_by_hand():
    """Means 0.5 and 0.6 of four and one visits, ln 5 = 1.609: tuned widths 0.4485 and 0.8971 at C = 1."""
    tree = tree_of([[0.5, 0.5, 0.5, 0.5], [0.6]])
    scale = np.array([0.0, 1.0])
    assert tree.nodes[select(tree, 0, scale, 1.0, True)].move == 1
    tree = tree_of([[0.9, 0.9, 0.9, 0.9], [0.6]])
    assert tree.nodes[select(tree, 0, scale, 0.5, True)].move == 0  # 1.124 against 1.048
    assert tree.nodes[select(tree, 0, scale, 1.0, True)].move == 1  # 1.349 against 1.497


def test_equal_scores_everywhere_do_not_trip_the_scale():
    tree = tree_of([[3.0, 3.0], [3.0]])
    assert tree.nodes[select(tree, 0, np.array([3.0, 3.0]), 1.0, True)].move == 1


def test_best_solution_is_kept_and_the_optimum_found():
    run = plain_run(arbora.MCTS(exploration=2), 800, problem=Walk(steps=4))
    assert run.best_score[0] == best_walk(4) == walk_score(run.best_moves[:4].tolist())
    assert run.best_score[0] == max(run.work.tree.nodes[node].best for node, _ in every_node(run.work.tree))


def test_scale_is_what_has_been_seen():
    run = plain_run(arbora.MCTS(), 50)
    rows = [run.work.tree.nodes[child].best for child in children(run.work.tree, 0)]
    assert run.work.scale[1] == max(rows) == run.best_score[0]
    assert run.work.scale[0] <= min(run.trace[: run.counters[3], 2])


def test_root_report_is_the_tree():
    run = plain_run(arbora.MCTS(), 50)
    tree = run.work.tree
    rows = {int(run.root[i].move): run.root[i] for i in range(3)}
    for child in children(tree, 0):
        row = rows[int(tree.nodes[child].move)]
        assert row.visits == tree.nodes[child].visits
        assert row.mean == tree.nodes[child].total / tree.nodes[child].visits
        assert row.best == tree.nodes[child].best


def test_full_pool_keeps_counting_what_it_has():
    run = plain_run(arbora.MCTS(nodes=5), 60)
    tree = run.work.tree
    assert tree.size[0] == 5
    assert tree.nodes[0].visits == 60
    assert sum(int(tree.nodes[child].visits) for child in children(tree, 0)) == 60
