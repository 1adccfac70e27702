"""SP-MCTS against document 001: formula (1), the four steps, restarts, time control, final move, Table 5."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nested_problems import First
from small_problems import Walk, best_walk, walk_score

import arbora
from arbora.engine.best import make_best
from arbora.engine.run import make_run, with_records
from arbora.engine.tree import EXHAUSTED, make_tree
from arbora.search.sp_mcts import formula_1
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


def tree_of(arms: list[list[float]]):
    """A root whose children, moves 0, 1, 2, …, have seen these scores."""
    tree = with_records(make_tree(len(arms) + 1))
    tree.clear()
    tree.nodes[0].untried = len(arms)
    for move, scores in enumerate(arms):
        child = tree.add_child(0, move)
        for score in scores:
            tree.update(child, score)
            tree.update(0, score)
    return tree


def nodes_of(tree) -> dict[tuple[int, ...], tuple]:
    """Visits, sum, sum of squares and top score by the moves that lead to a node."""
    found, waiting = {}, [(0, ())]
    while waiting:
        index, moves = waiting.pop()
        node = tree.nodes[index]
        found[moves] = (int(node.visits), float(node.total), float(node.squares), float(node.best))
        child = int(node.first_child)
        while child != 0:
            waiting.append((child, (*moves, int(tree.nodes[child].move))))
            child = int(tree.nodes[child].next_sibling)
    return found


def test_formula_1_by_hand():
    """Mean 25; W top = 4; C sqrt(ln 9 / 4) = 1.4823; sqrt((3000 - 4 * 625 + 100) / 4) = 12.2474."""
    child = tree_of([[10.0, 20.0, 30.0, 40.0]]).nodes[1]
    value = formula_1(child, math.log(9), 2.0, 100.0, 0.1)
    assert value == pytest.approx(25 + 4 + 1.48231 + 12.24745, abs=1e-4)


def test_one_visit_has_the_deviation_of_d_alone():
    child = tree_of([[7.0]]).nodes[1]
    assert formula_1(child, 0.0, 5.0, 9.0, 0.0) == 7 + 3


scores = st.floats(-100, 100).map(lambda value: round(value, 2))


@settings(max_examples=100, deadline=None)
@given(
    arms=st.lists(st.lists(scores, min_size=1, max_size=6), min_size=1, max_size=6),
    c=st.sampled_from([0.0, 0.1, 5.0, 100.0]),
    d=st.sampled_from([0.0, 32.0, 10_000.0]),
    w=st.sampled_from([0.0, 0.02, 0.5]),
)
def test_selection_is_the_formula_on_raw_scores(arms, c, d, w):
    visits = sum(len(arm) for arm in arms)
    tree = tree_of(arms)
    chosen = int(tree.nodes[arbora.SPMCTS(exploration=c, scale=1, deviation=d, top_weight=w).select(tree, 0)].move)

    def value(arm):
        n, mean = len(arm), sum(arm) / len(arm)
        spread = max(sum(score * score for score in arm) - n * mean**2, 0.0)
        return mean + w * max(arm) + c * math.sqrt(math.log(visits) / n) + math.sqrt((spread + d) / n)

    assert value(arms[chosen]) == pytest.approx(max(value(arm) for arm in arms), abs=1e-5)


def test_what_is_exhausted_is_not_selected():
    tree = tree_of([[9.0], [1.0], [5.0]])
    search = arbora.SPMCTS(exploration=0.0, deviation=0.0)
    assert tree.nodes[search.select(tree, 0)].move == 0
    tree.nodes[1].untried = EXHAUSTED
    assert tree.nodes[search.select(tree, 0)].move == 2


def test_tree_worked_by_hand():
    """The policy always walks 0, 0 for 3 + 1 - 3 = 1 point. Below T = 3 visits it decides, one node a play-out."""
    search = arbora.SPMCTS(policy=First(), threshold=3)
    first = nodes_of(plain_run(search, 1, Walk(steps=2)).work.tree)
    assert first == {(): (1, 1.0, 1.0, 1.0), (0,): (1, 1.0, 1.0, 1.0)}
    third = nodes_of(plain_run(search, 3, Walk(steps=2)).work.tree)
    assert third == {(): (3, 3.0, 3.0, 1.0), (0,): (3, 3.0, 3.0, 1.0), (0, 0): (2, 2.0, 2.0, 1.0)}


def test_after_the_threshold_unvisited_children_come_first():
    """The fourth and fifth play-out try 1 and 2, each followed by 0: 1 + 1 and 4 + 1 points."""
    search = arbora.SPMCTS(policy=First(), threshold=3)
    tree = nodes_of(plain_run(search, 5, Walk(steps=2)).work.tree)
    assert tree[(1,)] == (1, 2.0, 4.0, 2.0)
    assert tree[(2,)] == (1, 5.0, 25.0, 5.0)
    assert tree[()] == (5, 10.0, 32.0, 5.0)


@pytest.mark.parametrize("threshold", [0, 1, 5, 1000])
def test_sums_of_every_node_are_those_of_its_play_outs(threshold):
    run = plain_run(arbora.SPMCTS(threshold=threshold, exploration=5, scale=1), 200, Walk(steps=4))
    tree = nodes_of(run.work.tree)
    assert tree[()][0] == run.counters[0]
    for moves, (visits, total, squares, best) in tree.items():
        if len(moves) == 4:
            assert (total, squares, best) == (visits * walk_score(moves), visits * walk_score(moves) ** 2, walk_score(moves))
        elif moves:
            below = sum(node[0] for name, node in tree.items() if name[:-1] == moves and name)
            assert visits == below + 1


def test_a_search_ends_when_its_tree_has_that_many_nodes():
    for restarts in (1, 3):
        result = arbora.solve(Walk(), arbora.SPMCTS(nodes=20, restarts=restarts), playouts=100_000, compiled=False)
        assert result.nodes == 20 * restarts
        assert result.playouts >= 19 * restarts
        assert result.stopped == "budget"


def test_without_a_number_of_restarts_the_budget_ends_the_run():
    result = arbora.solve(Walk(), arbora.SPMCTS(nodes=20), playouts=500, compiled=False)
    assert result.playouts == 500
    assert 20 < result.nodes <= 500 + 500 // 19 + 1


def test_memory_stays_flat():
    run = plain_run(arbora.SPMCTS(nodes=20), 500)
    assert run.work.tree.nodes.size == 20


def test_every_restart_begins_with_an_empty_policy_memory():
    search = arbora.SPMCTS(policy=First(), nodes=4, restarts=3, threshold=0)
    run = plain_run(search, 1000)
    assert run.memory[0].episodes == 3  # the play-outs that added the nodes 1 to 3 of the last tree
    assert run.counters[0] == 9


def test_without_a_threshold_no_episode_of_the_tree_is_played_twice():
    result = arbora.solve(Walk(steps=4), arbora.SPMCTS(threshold=0), playouts=1000, compiled=False)
    assert (result.playouts, result.nodes, result.stopped) == (3 + 9 + 27 + 81, 1 + 3 + 9 + 27 + 81, "complete")
    assert result.score == best_walk(4)


@pytest.mark.parametrize("time", ["per-game", "per-move"])
def test_a_tree_that_is_searched_through_proves_the_best_solution(time):
    search = arbora.SPMCTS(time=time)
    result = arbora.solve(Walk(steps=3), search, playouts=100_000, compiled=False)
    assert (result.score, result.stopped) == (best_walk(3), "complete")
    assert result.playouts < 10_000


def test_per_move_searches_every_position_of_the_episode():
    """30 nodes at the first four moves; 1 + 3 + 9 positions are left at the fifth, 1 + 3 at the last."""
    for final in ("top-score", "average", "play-outs"):
        search = arbora.SPMCTS(time="per-move", final=final, nodes=30, restarts=1, exploration=5, scale=1)
        result = arbora.solve(Walk(), search, playouts=1_000_000, compiled=False)
        assert result.nodes == 4 * 30 + 13 + 4
        assert walk_score(result.moves) == result.score


def test_per_move_shares_the_budget():
    """Six moves get a sixth of the play-outs each, after one play-out that tells how long an episode is."""
    search = arbora.SPMCTS(time="per-move", restarts=1, exploration=5, scale=1)
    run = with_records(make_run(Walk(), search, playouts=61))
    ends = []
    for played in range(3):
        run.share((0.0, 61.0, 0.0, np.inf), 6 - played)
        ends.append(int(run.part[1]))
        run.counters[0] = run.part[1]
    assert ends == [11, 21, 31]
    assert arbora.solve(Walk(), search, playouts=61, compiled=False).playouts == 61


@arbora.problem
class Gamble:
    """Move 0 is worth 5 whatever follows; move 1 is worth 9 once in three, else 0."""

    steps: int = 2

    def layout(self):
        return [("step", np.int64), ("first", np.int64), ("second", np.int64)]

    def max_moves(self):
        return 3

    def max_length(self):
        return 2

    def reset(self, state):
        state.step = 0

    def moves(self, state, out):
        count = 0 if state.step == 2 else 2 + state.step
        for move in range(count):
            out[move] = move
        return count

    def play(self, state, move):
        if state.step == 0:
            state.first = move
        state.second = move
        state.step += 1

    def score(self, state):
        return 5.0 if state.first == 0 else 9.0 * (state.second == 2)


def test_the_average_plays_another_game_than_the_top_score():
    search = arbora.SPMCTS(time="per-move", restarts=1, threshold=1000, nodes=100)
    played = {
        final: arbora.solve(Gamble(), search.replace(final=final), playouts=300, compiled=False).score
        for final in ("top-score", "average")
    }
    assert played == {"top-score": 9.0, "average": 5.0}


def test_final_move_by_average_visits_and_top_score():
    best = make_best(Walk(), 2)
    best.offer(0, 9.0, np.array([2, 0, 0], np.int32), 3)
    run = SimpleNamespace(work=SimpleNamespace(tree=tree_of([[6.0], [2.0, 3.0, 2.0], [0.0, 9.0]]), best=best))
    search = arbora.SPMCTS(time="per-move")
    chosen = {final: int(search.replace(final=final).final_move(run, 0)) for final in ("average", "play-outs", "top-score")}
    assert chosen == {"average": 0, "play-outs": 1, "top-score": 2}


@pytest.mark.parametrize("playouts", [1, 2, 5, 40])
def test_an_episode_played_by_average_is_finished_with_the_budget(playouts):
    search = arbora.SPMCTS(time="per-move", final="average")
    result = arbora.solve(Walk(), search, playouts=playouts, compiled=False)
    assert result.playouts == playouts
    assert walk_score(result.moves) == result.score


CONFIGURATIONS = [
    {},
    {"nodes": 50, "restarts": 3},
    {"time": "per-move"},
    {"time": "per-move", "final": "average", "nodes": 30},
    {"time": "per-move", "final": "play-outs", "restarts": 1},
    {"exploration": 0.1, "scale": 1, "deviation": 10_000, "threshold": 3, "top_weight": 0.5},
]


@pytest.mark.parametrize("parameters", CONFIGURATIONS, ids=str)
def test_compiled_and_interpreted_are_equal(parameters):
    search = arbora.SPMCTS(**parameters)
    results = [arbora.solve(Walk(), search, playouts=700, seed=5, compiled=compiled) for compiled in (True, True, False)]
    seen = [(r.score, r.moves, r.playouts, r.nodes, [(row.playouts, row.score) for row in r.trace], r.root) for r in results]
    assert seen[0] == seen[1] == seen[2]
    assert walk_score(results[0].moves) == results[0].score


def test_presets_are_table_5():
    rows = {
        name: (s.exploration, s.deviation, s.threshold, s.top_weight, s.policy.epsilon)
        for name in ("manual", "cem-per-game", "cem-per-move")
        for s in [arbora.SPMCTS.preset(name)]
    }
    assert rows == {
        "manual": (0.1, 32, 10, 0.02, 0.003),
        "cem-per-game": (5.96, 67.98, 13, 0.49, 0.00007),
        "cem-per-move": (4.31, 96.67, 11, 0.28, 0.00007),
    }
    assert arbora.SPMCTS.preset("cem-per-move").time == "per-move"


def test_what_is_given_comes_before_the_preset():
    assert parse_search("sp-mcts,preset=cem-per-move,nodes=50000") == arbora.SPMCTS.preset("cem-per-move", nodes=50_000)
    search = parse_search("sp-mcts,preset=cem-per-game,exploration=1,policy.epsilon=0.5")
    assert search == arbora.SPMCTS.preset("cem-per-game", exploration=1, policy=arbora.TabuColor(epsilon=0.5))
    assert parse_search("sp-mcts,policy=uniform,preset=cem-per-game").policy == arbora.Uniform()
    assert parse_search(spec_of(search)) == search
    nested = parse_search("multi-start,search=sp-mcts,search.preset=manual,starts=2")
    assert nested.search == arbora.SPMCTS.preset("manual")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("sp-mcts,preset=best", "preset='best' is not allowed; preset takes manual, cem-per-game, cem-per-move"),
        ("mcts,preset=manual", "mcts has no parameter 'preset'"),
        ("sp-mcts,nodes=0", "nodes=0 is not allowed; nodes takes a whole number from 2"),
        ("sp-mcts,restarts=-1", "restarts=-1 is not allowed"),
        ("sp-mcts,time=sometimes", "time takes per-game, per-move"),
        ("sp-mcts,final=luck", "final takes top-score, average, play-outs"),
    ],
)
def test_bad_input_is_one_line(spec, message):
    with pytest.raises(arbora.BadInput) as error:
        parse_search(spec)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_preset_in_python_must_exist():
    with pytest.raises(arbora.BadInput, match="preset='best' is not allowed"):
        arbora.SPMCTS.preset("best")
