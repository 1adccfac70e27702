"""The classic searches against exhaustive search, and against their own rules worked out by hand."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samegame_optimum import best_score
from small_problems import GAINS, REPEAT_COST, Walk, best_walk, walk_score

import arbora
from arbora.engine.greedy import FINISHING, OPENED
from arbora.engine.run import make_run, with_records
from arbora.problem import Records, like_compiled, new_states
from arbora.problems.samegame.game import RULES

NODES = 3_000
TO_THE_END = {
    "a-star": arbora.AStar(nodes=NODES),
    "ida-star": arbora.IDAStar(),
    "breadth-first": arbora.BreadthFirst(nodes=NODES),
    "depth-first": arbora.DepthFirst(),
    "depth-budgeted": arbora.DepthBudgeted(),
    "best-first": arbora.BestFirst(nodes=NODES),
    "beam": arbora.Beam(width=NODES),
}
POOLS = ("a-star", "breadth-first", "best-first")
BOARDS = st.tuples(
    st.lists(st.text("ab", min_size=4, max_size=4), min_size=3, max_size=4)
    | st.lists(st.text("abc", min_size=4, max_size=4), min_size=3, max_size=3)
).map(lambda rows: "\n".join(rows[0]))


@arbora.problem
class BoundedWalk(Walk):
    """A walk whose bound adds 9, the most there is anywhere, for each row to come."""

    def bound(self, state):
        return float(state.total + 9 * (self.steps - state.step))


@arbora.problem
class KnowingWalk(Walk):
    """A walk whose bound is the best that can be had, worked out backwards."""

    best: np.ndarray = arbora.derived(init=False)  # [step, last column]: the most to come

    def prepare(self):
        best = np.zeros((7, 3), np.int64)
        for step in range(self.steps - 1, -1, -1):
            for last in range(3):
                best[step, last] = max(GAINS[step, c] - REPEAT_COST * (c == last) + best[step + 1, c] for c in range(3))
        return arbora.fill(self, best=best)

    def bound(self, state):
        if state.last < 0:
            return float(best_walk(self.steps))
        return float(state.total + self.best[state.step, state.last])


@arbora.problem
class KeyedWalk(Walk):
    """A walk that tells equal positions: step and last column are all that matters for the rest."""

    def key(self, state):
        return np.uint64(3 * state.step + state.last + 1)


def plain_run(search, problem, playouts=10_000, finishing=0):
    """A run whose `finishing` greedy steps are thought to have been made already: after many, no more are due."""
    run = with_records(make_run(problem, search, playouts=playouts))
    if finishing:
        run.work.effort[FINISHING] = finishing
    with like_compiled():
        search.run(problem, run)
    return run


def solved(problem, search, **options):
    return arbora.solve(problem, search, **{"playouts": 10**6, "compiled": False, **options})


def greedy_moves(problem, value):
    """The episode in which each move leads to the child of the highest value, the first of equals."""
    states = Records(new_states(problem, 2))
    state, child = states[0], states[1]
    out = np.zeros(problem.max_moves(), np.int32)
    moves = []
    with like_compiled():
        problem.reset(state)
        while count := problem.moves(state, out):
            values = []
            for move in out[:count].tolist():
                states[1] = state
                problem.play(child, move)
                values.append(value(problem, child))
            moves.append(int(out[int(np.argmax(values))]))
            problem.play(state, moves[-1])
    return moves


# What they find


@pytest.mark.parametrize("name", TO_THE_END)
@settings(max_examples=40, deadline=None)
@given(board=BOARDS, rule=st.sampled_from(RULES), penalty=st.booleans())
def test_the_best_of_a_small_board_is_found_and_known_to_be(name, board, rule, penalty):
    game = arbora.SameGame(board=board, rule=rule, penalty=penalty)
    result = arbora.solve(game, TO_THE_END[name], playouts=10**6)
    assert (result.score, result.stopped) == (best_score(board, rule, penalty), "complete")


@pytest.mark.parametrize("walk", [Walk(), BoundedWalk(), KnowingWalk(), KeyedWalk()], ids=lambda walk: type(walk).__name__)
@pytest.mark.parametrize("name", TO_THE_END)
def test_the_best_walk_is_found_and_known_to_be(name, walk):
    if "star" in name and not isinstance(walk, (BoundedWalk, KnowingWalk)):
        with pytest.raises(
            arbora.BadInput, match=f"needs a problem with the methods bound; {type(walk).__name__} has no bound"
        ):
            solved(walk, TO_THE_END[name])
        return
    result = solved(walk, TO_THE_END[name])
    assert result.score == best_walk() == walk_score(result.moves)
    assert result.stopped == "complete"


@pytest.mark.parametrize("evaluation", ["bound", "score", "play-out", "best-play-out"])
@pytest.mark.parametrize("search", [arbora.BestFirst, arbora.Beam])
def test_every_evaluation_leads_to_the_end(search, evaluation):
    for walk in (Walk(), BoundedWalk()):
        result = solved(walk, search(evaluation=evaluation, samples=2))
        assert (result.score, result.stopped) == (best_walk(), "complete")


@pytest.mark.parametrize("name", TO_THE_END)
def test_compiled_equals_interpreted(name):
    board = "abcab\nbcabb\nacbac\nbbaca"
    tight = TO_THE_END[name].replace(**({"width": 5} if name == "beam" else {"nodes": 40}))
    for search, budget in ((TO_THE_END[name], 60), (tight, 10**6 if name != "beam" else 200)):
        for rule in RULES:
            game = arbora.SameGame(board=board, rule=rule)
            fast, plain = (arbora.solve(game, search, playouts=budget, compiled=compiled) for compiled in (True, False))
            assert (fast.score, fast.moves, fast.stopped) == (plain.score, plain.moves, plain.stopped)
            assert (fast.playouts, fast.nodes) == (plain.playouts, plain.nodes)


@pytest.mark.parametrize("name", TO_THE_END)
def test_threads_that_break_ties_at_random_find_the_same(name):
    board = "abba\nbaab\naabb"
    result = arbora.solve(arbora.SameGame(board=board), TO_THE_END[name], playouts=10**6, threads=3)
    assert (result.score, result.stopped) == (best_score(board), "complete")


# Limits


@pytest.mark.parametrize("nodes", [1, 2, 7])
@pytest.mark.parametrize("name", TO_THE_END)
def test_few_nodes_give_a_solution_that_is_not_called_the_best(name, nodes):
    result = solved(BoundedWalk(), TO_THE_END[name].replace(nodes=nodes))
    assert result.stopped == "budget"
    assert 0 < result.score == walk_score(result.moves) <= best_walk()
    assert len(result.moves) == 6
    if name != "beam":
        assert result.nodes == nodes


@pytest.mark.parametrize("name", ["breadth-first", "depth-first", "best-first"])
def test_a_node_limit_that_is_just_enough_is_no_limit(name):
    everything = sum(3**depth for depth in range(5))
    enough, one_less = (solved(Walk(steps=4), TO_THE_END[name].replace(nodes=everything - n)) for n in (0, 1))
    assert (enough.stopped, enough.nodes) == ("complete", everything)
    assert (one_less.stopped, one_less.nodes) == ("budget", everything - 1)


@pytest.mark.parametrize("name", ["a-star", "ida-star"])
def test_as_many_nodes_as_the_proof_takes_are_enough(name):
    needed = solved(BoundedWalk(), TO_THE_END[name]).nodes
    result = solved(BoundedWalk(), TO_THE_END[name].replace(nodes=needed))
    assert (result.score, result.stopped, result.nodes) == (best_walk(), "complete", needed)


@pytest.mark.parametrize("playouts", [1, 2, 5])
@pytest.mark.parametrize("name", TO_THE_END)
def test_no_more_episodes_are_finished_than_allowed(name, playouts):
    result = solved(Walk() if "star" not in name else BoundedWalk(), TO_THE_END[name], playouts=playouts)
    assert result.playouts == playouts or (result.playouts < playouts and result.stopped == "complete")
    assert len(result.moves) == 6


@pytest.mark.parametrize("name", TO_THE_END)
def test_a_problem_that_has_ended_before_it_began(name):
    result = arbora.solve(arbora.SameGame(board="ab"), TO_THE_END[name], playouts=100, compiled=False)
    assert (result.score, result.moves, result.stopped) == (-2.0, [], "complete")


@pytest.mark.parametrize("name", TO_THE_END)
def test_limits_below_one_are_refused(name):
    with pytest.raises(arbora.BadInput, match="nodes=0 is not allowed; nodes takes a whole number"):
        TO_THE_END[name].replace(nodes=0)
    if name == "beam":
        with pytest.raises(arbora.BadInput, match="width=0 is not allowed; width takes a whole number from 1 to"):
            arbora.Beam(width=0)


@pytest.mark.parametrize(
    "search", [*(TO_THE_END[name].replace(nodes=2**31 - 1) for name in POOLS), arbora.Beam(width=2**31 - 1)]
)
def test_more_than_the_machine_has_is_refused_in_one_line(search):
    with pytest.raises(arbora.BadInput, match=r"^not enough memory for .*; lower its limits$"):
        arbora.solve(arbora.SameGame(), search, playouts=10)
    with pytest.raises(arbora.BadInput, match=r"^Beam: width=1000000000000 is not allowed; width takes .* 2,147,483,647$"):
        arbora.Beam(width=10**12)


# How they go about it


def test_a_star_with_a_perfect_bound_opens_only_the_best_way():
    run = plain_run(arbora.AStar(), KnowingWalk(), finishing=10**6)
    assert run.work.effort[OPENED] == 6 + 1
    assert run.work.size[0] <= 1 + 3 * 6


def test_ida_star_with_a_perfect_bound_needs_one_iteration():
    run = plain_run(arbora.IDAStar(), KnowingWalk(), finishing=10**6)
    assert run.work.effort[OPENED] == 6 + 1
    assert run.best_score[0] == best_walk()


def test_ida_star_lowers_its_threshold_to_the_highest_bound_below():
    search, walk = arbora.IDAStar(), BoundedWalk()
    run = with_records(make_run(walk, search))
    walk.reset(run.work.states[0])
    threshold = walk.bound(run.work.states[0])
    assert threshold == 6 * 9
    for threshold in (54.0, 49.0, 45.0):
        # What is opened, and which bounds are met, straight from the rules
        opened, below = [()], set()
        for way in opened:
            for column in range(3 if len(way) < 6 else 0):
                child = (*way, column)
                bound = walk_score(child) + 9 * (6 - len(child))
                opened += [child] if bound >= threshold else []
                below |= {bound} if bound < threshold else set()
        run.best_score[0] = -100.0  # nothing is left out for being no better than the best
        run.work.effort[:] = 0, 10**6  # nor finished greedily
        assert search.iteration(walk, run, threshold) == max(below)
        assert run.work.effort[OPENED] == len(opened)


def test_breadth_first_goes_through_all_positions_layer_by_layer():
    run = plain_run(arbora.BreadthFirst(), Walk())
    assert run.work.size[0] == sum(3**depth for depth in range(7))
    depths = [int(run.work.nodes[i].depth) for i in range(run.work.size[0])]
    assert depths == sorted(depths)
    ways = set()
    path = np.zeros(6, np.int32)
    for index in range(run.work.size[0]):
        way = tuple(path[: run.work.way_to(index, path)].tolist())
        assert run.work.nodes[index].score == walk_score(way) == run.work.states[index].total
        ways.add(way)
    assert ways == {way for depth in range(7) for way in itertools.product(range(3), repeat=depth)}


@pytest.mark.parametrize("name", POOLS)
def test_equal_positions_are_opened_once(name):
    """Step and last column make 3 positions a layer; each is kept again only when its score has risen."""

    @arbora.problem
    class KeyedBoundedWalk(BoundedWalk):
        def key(self, state):
            return np.uint64(3 * state.step + state.last + 1)

    with_keys = plain_run(TO_THE_END[name], KeyedBoundedWalk())
    without = plain_run(TO_THE_END[name], BoundedWalk())
    assert with_keys.best_score[0] == without.best_score[0] == best_walk()
    assert with_keys.work.effort[OPENED] < without.work.effort[OPENED]
    best = {}
    for index in range(with_keys.work.size[0]):
        node = with_keys.work.nodes[index]
        assert node.score > best.get(int(node.key), -np.inf)
        best[int(node.key)] = node.score


def test_breadth_first_without_keys_opens_everything_that_depth_first_does():
    assert plain_run(arbora.DepthFirst(), Walk()).work.effort[OPENED] == sum(3**depth for depth in range(7))


def test_depth_first_goes_the_greedy_way_first():
    first = solved(BoundedWalk(), arbora.DepthFirst(), playouts=1)
    assert first.moves == greedy_moves(BoundedWalk(), lambda problem, state: problem.bound(state))
    first = solved(Walk(), arbora.DepthFirst(), playouts=1)
    assert first.moves == greedy_moves(Walk(), lambda problem, state: problem.score(state))


def test_depth_budgeted_by_hand():
    """Budget 1: each depth opens its best child; the two others of each are finished greedily."""
    one_pass = solved(Walk(steps=2), arbora.DepthBudgeted(nodes=3))
    assert (one_pass.nodes, one_pass.playouts, one_pass.stopped) == (3, 1 + 2 + 2, "budget")
    # Budget 2: both passes; the second opens two children of the start, and one each of theirs
    two_passes = solved(Walk(steps=2), arbora.DepthBudgeted(nodes=3 + 5))
    assert (two_passes.nodes, two_passes.playouts) == (8, 5 + 2 * (1 + 2) + 1)
    # Budget 16, the fifth pass, opens all 13 positions; in pass 4, with 8, a child gets two and two thirds
    everything = solved(Walk(steps=2), arbora.DepthBudgeted())
    assert everything.stopped == "complete"
    assert everything.nodes == 3 + 5 + (1 + 3 + 3) + (1 + 3 + 3 * 2) + 13
    halved = solved(Walk(steps=2), arbora.DepthBudgeted(budget=2, decay=0.5, nodes=2))
    assert (halved.nodes, halved.playouts) == (2, 3 + 2)  # one child of the start, none of its children


@pytest.mark.parametrize(
    "problem", [BoundedWalk(), arbora.SameGame(seed=2, width=6, height=5, colors=3)], ids=["walk", "samegame"]
)
@pytest.mark.parametrize("evaluation", ["bound", "score"])
def test_a_beam_of_one_is_greedy(problem, evaluation):
    result = solved(problem, arbora.Beam(width=1, evaluation=evaluation))
    assert result.moves == greedy_moves(problem, lambda problem, state: getattr(problem, evaluation)(state))
    assert result.stopped == "budget"


def test_a_beam_keeps_the_best_of_each_layer():
    """By score: the best `width` of all children of the layer before, worked out with sorted()."""
    search = arbora.Beam(width=4, evaluation="score")
    run = plain_run(search, Walk())
    layer = [()]
    path = np.zeros(6, np.int32)
    for depth in range(1, 7):
        children = [(*way, column) for way in layer for column in range(3)]
        scores = sorted(map(walk_score, children), reverse=True)[:4]
        layer = []
        for slot in range(min(len(children), 4)):
            run.work.way_to(depth, slot, path)
            layer.append(tuple(path[:depth].tolist()))
        assert sorted(map(walk_score, layer), reverse=True) == scores
        assert set(layer) <= set(children)
    assert run.best_score[0] == max(map(walk_score, layer))


def test_a_beam_keeps_the_better_of_equal_positions():
    run = plain_run(arbora.Beam(width=100, evaluation="score"), KeyedWalk())
    assert run.work.dropped[0] == 0
    path = np.zeros(6, np.int32)
    for depth in range(2, 7):
        found = []
        for slot in range(3):
            run.work.way_to(depth, slot, path)
            found.append(tuple(path[:depth].tolist()))
        assert {way[-1] for way in found} == {0, 1, 2}
        for way in found:
            rivals = (rival for rival in itertools.product(range(3), repeat=depth) if rival[-1] == way[-1])
            assert walk_score(way) == max(map(walk_score, rivals))
