"""NMCTS against document 000, Listing 2, and its special cases MCTS and NMCS."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nested_problems import First, leaves
from small_problems import Walk, best_walk, walk_score

import arbora
from arbora.engine.run import make_run, memory_of, with_records
from arbora.spec import parse_search, spec_of


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def plain_run(search, playouts: int, problem=None, seed: int = 1):
    problem = problem if problem is not None else Walk()
    run = with_records(make_run(problem, search, seed=seed, playouts=playouts))
    search.run(problem, run)
    return run


def once(search, problem):
    """One whole search, without restarts: its score, moves and play-outs."""
    run = with_records(make_run(problem, search, playouts=None))
    problem.reset(run.states[0])
    run.states[search.level + 1] = run.states[0]
    search.nested(problem, run)
    return float(run.best_score[0]), run.best_moves[: run.counters[2]].tolist(), int(run.counters[0])


def outcome(run):
    return run.best_score[0], run.best_moves.tolist(), run.trace[: run.counters[3], 1:].tolist(), run.rng.next()


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("exploration", [0.2, 1])
def test_level_1_is_mcts(seed, exploration):
    nested = plain_run(arbora.NMCTS(level=1, exploration=exploration), 300, seed=seed)
    plain = plain_run(arbora.MCTS(exploration=exploration), 300, seed=seed)
    assert outcome(nested) == outcome(plain)
    assert nested.work.trees[0].size[0] == plain.work.tree.size[0]
    assert nested.root.array.tolist() == plain.root.array.tolist()


def test_level_1_is_mcts_on_samegame():
    board = arbora.SameGame(seed=3, width=6, height=6, colors=3)
    outcomes = [outcome(plain_run(search, 40, board)) for search in (arbora.NMCTS(level=1), arbora.MCTS())]
    assert outcomes[0] == outcomes[1]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 1000), level=st.integers(1, 3), steps=st.integers(1, 4))
def test_one_sample_per_action_following_the_best_solution_is_nmcs(seed, level, steps):
    problem = leaves(seed, steps)
    special = arbora.NMCTS(level=level, budgets="each", actions="all", next="best-solution", policy=First())
    plain = arbora.NMCS(level=level, policy=First())
    run = with_records(make_run(problem, plain, playouts=None))
    problem.reset(run.states[0])
    run.states[level] = run.states[0]
    plain.call(problem, run, level, 0)
    plain.nested(problem, run, level + 1)
    expected = float(run.best_score[0]), run.best_moves[: run.counters[2]].tolist(), int(run.counters[0])
    assert once(special, problem) == expected


@pytest.mark.parametrize(
    ("level", "budgets", "actions", "playouts"),
    [
        (1, "7", "global", 7),
        (2, "7/5", "global", 35),
        (3, "2/3/4", "global", 24),
        (1, "7", "3", 21),
        (2, "7/5", "global/2", 70),
        (2, "7/5", "2/global", 70),
        (2, "each/each", "global", 9),
    ],
)
def test_play_outs_are_the_product_of_all_budgets(level, budgets, actions, playouts):
    """No descent of the upper trees, and no action, comes near the end of six steps here."""
    assert once(arbora.NMCTS(level=level, budgets=budgets, actions=actions), Walk())[2] == playouts


def test_each_level_fills_its_own_tree_anew():
    """40 iterations of 25 play-outs: a node of level 2 for each call; the last call's 25 are all that level 1 knows."""
    run = plain_run(arbora.NMCTS(level=2, budgets="25/0", exploration="1/5"), 1000)
    assert run.work.trees[1].size[0] == 41
    assert [int(run.work.trees[row].nodes[0].visits) for row in (0, 1)] == [25, 40]


def test_results_of_level_1_are_what_level_2_sums_up():
    """A child of level 2's root is worth the best of a whole search, so never less than its plain play-outs' mean."""
    run = plain_run(arbora.NMCTS(level=2, budgets="25/0"), 25 * 3)
    tree = run.work.trees[1]
    results = [float(tree.nodes[child].total) for child in (1, 2, 3)]
    assert max(results) == run.best_score[0]
    assert float(tree.nodes[0].total) == sum(results)


def test_memory_follows_the_budgets():
    small = make_run(Walk(), arbora.NMCTS(level=3, budgets="10/20/30"))
    assert [tree.nodes.size for tree in small.work.trees] == [11, 21, 31, 1, 1]
    each = make_run(Walk(), arbora.NMCTS(level=2, budgets="each/0", nodes=500))
    assert [tree.nodes.size for tree in each.work.trees[:2]] == [4, 500]
    before = memory_of(small.work)
    run = plain_run(arbora.NMCTS(level=3, budgets="10/20/30"), 3000)
    assert run.counters[0] == 3000
    assert memory_of(make_run(Walk(), arbora.NMCTS(level=3, budgets="10/20/30")).work) == before


def test_a_search_that_begins_at_an_end_is_one_episode():
    """At level 2 of a one-step walk, every call of level 1 starts at an end, and none of them is searched twice."""
    result = arbora.solve(Walk(steps=1), arbora.NMCTS(level=2, budgets="50/0"), playouts=30, compiled=False)
    assert (result.score, result.playouts, result.stopped) == (4, 3, "complete")
    assert sorted(row.best for row in result.root) == [1, 3, 4]


def test_without_exploration_the_upper_level_does_not_stay_at_the_best_end():
    """Greedy at level 2, as the document has it: all 27 ends are found in the end, by searches of one play-out."""
    result = arbora.solve(Walk(steps=3), arbora.NMCTS(level=2, budgets="1/0"), playouts=500, compiled=False)
    assert (result.score, result.stopped) == (best_walk(3), "complete")
    assert result.playouts == 3 + 9 + 27


def test_the_most_sampled_action_is_played():
    search = arbora.NMCTS(level=1, budgets="12", actions="2", next="most-samples")
    run = with_records(make_run(Walk(), search, seed=2))
    Walk().reset(run.states[0])
    run.states[2] = run.states[0]
    run.work.scale[0, 0], run.work.scale[0, 1] = np.inf, -np.inf
    search.call(Walk(), run, 0, 0)
    for _ in range(12):
        run.work.iteration[0] += 1
        length = search.select_and_expand(Walk(), run, 0)
        score, length = arbora.play_out(Walk(), search.policy, run, run.states[1], length)
        search.receive(run, 0, score, run.path, length)
    tree = run.work.trees[0]
    expected = int(tree.most_visited())
    assert search.next_action(Walk(), run, 0)
    assert run.path[0] == expected
    assert run.states[2].last == expected
    assert tree.size[0] == 1


def test_finds_the_optimum():
    for parameters in ({"budgets": "20/0"}, {"level": 3, "budgets": "5/5/0"}, {"budgets": "each", "actions": "all"}):
        result = arbora.solve(Walk(), arbora.NMCTS(**parameters), playouts=3000, seed=1, compiled=False)
        assert result.score == best_walk()


@pytest.mark.parametrize(
    "parameters",
    [
        {"level": 1},
        {"budgets": "20/0"},
        {"level": 3, "budgets": "4/3/2", "exploration": "1/0.5/0", "actions": "global/all/2"},
        {"level": 2, "budgets": "each", "actions": "all", "next": "most-samples"},
        {"level": 5, "budgets": "3/2/2/2/0", "nodes": 10},
    ],
    ids=str,
)
def test_compiled_and_interpreted_are_equal(parameters):
    search = arbora.NMCTS(**parameters)
    results = [arbora.solve(Walk(), search, playouts=400, seed=5, compiled=compiled) for compiled in (True, True, False)]
    seen = [(r.score, r.moves, r.playouts, [(row.playouts, row.score) for row in r.trace], r.root) for r in results]
    assert seen[0] == seen[1] == seen[2]
    assert walk_score(results[0].moves) == results[0].score


def test_values_per_level():
    search = arbora.NMCTS(level=3, budgets=(1000, 50, 0), exploration=(0.5, 0), actions="global")
    assert search.iterations.tolist() == [1000, 50, 0]
    assert search.explorations.tolist() == [0.5, 0, 0]
    assert search == parse_search("nmcts,level=3,budgets=1000/50/0,exploration=0.5/0")
    assert parse_search(spec_of(search)) == search
    assert arbora.NMCTS().iterations.tolist() == [1000, 0]
    assert arbora.NMCTS(level=3).explorations.tolist() == [1, 0, 0]
    assert arbora.NMCTS(level=1).iterations.tolist() == [0]


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("nmcts,level=0", "level=0 is not allowed; level takes a whole number from 1 to 5"),
        ("nmcts,level=6", "level=6 is not allowed; level takes a whole number from 1 to 5"),
        ("nmcts,budgets=many", "budgets='many' is not allowed; budgets takes whole numbers of 0 or more, each"),
        ("nmcts,budgets=10/", "budgets='10/' is not allowed"),
        ("nmcts,budgets=10/-1", "budgets='10/-1' is not allowed"),
        ("nmcts,budgets=0/10", "only the top level's may be 0"),
        ("nmcts,budgets=1/2/3", "budgets='1/2/3' has values for 3 levels, but level=2"),
        ("nmcts,exploration=-1", "exploration takes numbers of 0 or more, from level 1 up, as in 1/0"),
        ("nmcts,actions=0", "actions takes whole numbers of 1 or more, global, all"),
        ("nmcts,budgets=5/0,actions=all", "action by action, the top level needs a budget for each action"),
        ("nmcts,next=luck", "next takes best-solution, most-samples"),
        ("nmcts,nodes=0", "nodes=0 is not allowed"),
    ],
)
def test_bad_input_is_one_line(spec, message):
    with pytest.raises(arbora.BadInput) as error:
        parse_search(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
