"""UCT, AMAF, RAVE and MC-RAVE against document 004, Sections 2 and 3: its figures, its formulas, its update rules."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import TWICE, table_game

import arbora
from arbora.engine.run import make_run, with_records
from arbora.problem import like_compiled
from arbora.search.game_search import back_propagate, select

SEARCHES = [arbora.UCT, arbora.AMAF, arbora.RAVE, arbora.MCRAVE]


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Random numbers wrap around, as they do in a player."""
    with like_compiled():
        yield


def start(game, search, playouts=0):
    """A run of this search in plain Python, before the first play-out."""
    run = with_records(make_run(game, search, playouts=playouts))
    game.reset(run.states[0])
    run.team.clear()
    run.team.played_count[0] = 0
    return run


def grow(tree, parent, counts, player=0):
    """Give a node children 0, 1, … with so many wins and visits each. Returns where they begin."""
    first = int(tree.reserve(len(counts)))
    for move, (wins, visits) in enumerate(counts):
        tree.empty(first + move, move)
        tree.nodes[first + move].visits = visits
        tree.nodes[first + move].total = wins
    tree.publish(parent, first, len(counts), player)
    return first


def counts_of(tree):
    """(wins, visits) of all nodes, by the moves that lead there."""
    found, waiting = {}, [(0, ())]
    while waiting:
        index, path = waiting.pop()
        found[path] = (float(tree.nodes[index].total), int(tree.nodes[index].visits))
        waiting += [(child, (*path, int(tree.nodes[child].move))) for child in range(*tree.children(index))]
    return found


def test_figure_2_one_iteration():
    """The four steps of Section 2.2 in the tree of Figure 2.

    The document counts the wins of one player in all nodes; ours count for whoever moved there, which is the same in a
    game of one player. It adds one child to a node; ours gets room for both at once, and one of them a play-out.
    """
    game = table_game([0] * 5, lambda moves: [1.0])
    search = arbora.UCT(exploration=0, early_stop=False)
    run = start(game, search, playouts=1)
    tree = run.team
    tree.nodes[0].visits, tree.nodes[0].total = 5, 2
    top = grow(tree, 0, [(0, 1), (2, 3)])
    grow(tree, top + 1, [(1, 1), (0, 1)])
    search.run(game, run)
    counts = counts_of(tree)
    added = [path for path in counts if len(path) == 3 and counts[path] == (1, 1)]
    assert len(added) == 1
    assert added[0][:2] == (1, 0)
    sibling = (1, 0, 1 - added[0][2])
    assert counts == {
        (): (3, 6),
        (0,): (0, 1),
        (1,): (3, 4),
        (1, 0): (2, 2),
        (1, 1): (0, 1),
        added[0]: (1, 1),
        sibling: (0, 0),
    }


A, B, C, D, E = range(5)
# Figure 4: three simulations through A and three through B, each with whether it was won; in two of the former B follows
# later, in one of the latter A. Z's player makes every other move.
FIGURE_4 = [
    ([A, C, D, E], 1),
    ([A, C, B, D], 0),
    ([A, D, B, E], 0),
    ([B, C, A, D], 1),
    ([B, D, C, E], 1),
    ([B, C, D, A], 0),  # the other player's A does not count
]


def figure_4(search):
    """The tree after the simulations of Figure 4, driven by hand: Z, and the nodes that its moves lead to."""
    run = start(table_game([0, 1, 0, 1], lambda moves: [0.5, 0.5], width=5), search)
    first = grow(run.team, 0, [(0, 0)] * 2)
    for moves, won in FIGURE_4:
        run.path[:] = moves
        run.work.movers[:4] = [0, 1, 0, 1]
        run.work.trail[:2] = [0, first + moves[0]]
        run.work.payoffs[:] = won, 1 - won
        back_propagate(search, run, 2, 4)
    return run.team, first


@pytest.mark.parametrize(("search", "choice"), [(arbora.UCT(exploration=0), B), (arbora.RAVE(exploration=0), A)])
def test_figure_4_mcts_takes_b_and_rave_takes_a(search, choice):
    tree, first = figure_4(search)
    a, b = tree.nodes[first + A], tree.nodes[first + B]
    assert (a.total, a.visits, b.total, b.visits) == (1, 3, 2, 3)
    if search.uses_amaf():
        assert (a.amaf_total, a.amaf_visits, b.amaf_total, b.amaf_visits) == (2, 4, 2, 5)
    assert select(search, tree, 0, first, first + 2) == first + choice
    assert tree.nodes[0].visits == 6


@settings(max_examples=200, deadline=None)
@given(
    moves=st.lists(st.integers(0, 4), min_size=2, max_size=7),
    movers=st.lists(st.integers(-1, 1), min_size=7, max_size=7),
    payoffs=st.sampled_from([(1.0, 0.0), (0.0, 1.0), (0.5, 0.5)]),
    passed=st.integers(1, 3),
)
def test_all_moves_as_first(moves, movers, payoffs, passed):
    """A child counts if its move was made from its node on, and its node's player was the first to make it."""
    search = arbora.RAVE()
    length = len(moves)
    passed = min(passed, length)
    run = start(table_game([0] * 7, lambda moves: [0.0, 0.0]), search)
    tree, trail = run.team, [0]
    for depth in range(passed):
        first = grow(tree, trail[-1], [(0, 0)] * 4, player=movers[depth])  # move 4 is not legal anywhere in the tree
        trail.append(first + min(moves[depth], 3))
    run.path[:length] = moves
    run.work.movers[:length] = movers[:length]
    run.work.trail[:passed] = trail[:passed]
    run.work.payoffs[:] = payoffs
    back_propagate(search, run, passed, length)
    for depth in range(passed):
        for index in range(*tree.children(trail[depth])):
            child = tree.nodes[index]
            made = [time for time in range(depth, length) if moves[time] == child.move]
            counts = bool(made) and movers[made[0]] == movers[depth] != -1
            assert child.amaf_visits == counts
            assert child.amaf_total == (payoffs[movers[depth]] if counts else 0)


def test_a_node_counts_for_who_moved_there():
    search = arbora.UCT()
    run = start(table_game([0, 1, 1, 0], lambda moves: [0.0, 0.0]), search)
    tree, trail = run.team, [0]
    for _ in range(3):
        trail.append(grow(tree, trail[-1], [(0, 0)] * 2))
    run.work.trail[:4] = trail
    run.work.movers[:4] = [0, 1, 1, 0]
    run.work.payoffs[:] = 0.25, 0.75
    back_propagate(search, run, 4, 4)
    assert [float(tree.nodes[index].total) for index in trail[1:]] == [0.25, 0.75, 0.75]
    assert [float(tree.nodes[index].squares) for index in trail[1:]] == [0.0625, 0.5625, 0.5625]


def node(wins=0.0, visits=0, squares=None, pending=0, amaf=(0.0, 0)):
    squares = wins if squares is None else squares
    return SimpleNamespace(
        total=wins, visits=visits, squares=squares, pending=pending, amaf_total=amaf[0], amaf_visits=amaf[1], exact=-1.0
    )


PARENT = node(visits=100)
LOG = math.log(100)


def test_ucb1():
    search = arbora.UCT(exploration=1.4)
    assert search.urgency(PARENT, node(6, 10), LOG) == pytest.approx(0.6 + 1.4 * math.sqrt(LOG / 10))
    assert search.urgency(PARENT, node(), LOG) == math.inf


def test_ucb1_tuned():
    search = arbora.UCT(exploration=0.5, selection="ucb1-tuned")
    payoffs = [1.0] * 900 + [0.5] * 60 + [0.0] * 40
    total, squares = sum(payoffs), sum(payoff**2 for payoff in payoffs)
    variance = squares / 1000 - (total / 1000) ** 2 + math.sqrt(2 * LOG / 1000)
    assert variance < 0.25
    assert search.urgency(PARENT, node(total, 1000, squares), LOG) == pytest.approx(
        total / 1000 + 0.5 * math.sqrt(2 * LOG / 1000 * variance)
    )
    assert search.urgency(PARENT, node(5, 10), LOG) == pytest.approx(0.5 + 0.5 * math.sqrt(2 * LOG / 10 * 0.25))


def test_playouts_on_the_way_count_as_lost():
    for search in (arbora.UCT(), arbora.MCRAVE(exploration=0.3)):
        assert search.urgency(PARENT, node(6, 10, pending=2, amaf=(3, 5)), LOG) == pytest.approx(
            search.urgency(PARENT, node(6, 12, amaf=(3, 5)), LOG)
        )
        assert search.urgency(PARENT, node(6, 10, pending=2), LOG) < search.urgency(PARENT, node(6, 10), LOG)


@pytest.mark.parametrize("search", [arbora.AMAF(exploration=0.4), arbora.RAVE(exploration=0.4)])
def test_amaf_and_rave_go_by_the_moves_value(search):
    child = node(9, 10, amaf=(3, 12))
    assert search.urgency(PARENT, child, LOG) == pytest.approx(0.25 + 0.4 * math.sqrt(LOG / 11))
    assert search.replace(exploration=0).urgency(PARENT, node(), LOG) == 0.5


def test_mc_rave_weighs_both_values_the_same_at_k_visits_of_the_parent():
    search = arbora.MCRAVE(schedule="hand", equivalence=100, exploration=0)
    child = node(8, 10, amaf=(3, 12))
    assert search.weight(PARENT, 10, 12) == pytest.approx(0.5)
    assert search.urgency(PARENT, child, LOG) == pytest.approx(0.5 * 0.8 + 0.5 * 0.25)
    for visits in (0, 7, 1000):
        assert search.weight(node(visits=visits), 10, 12) == pytest.approx(math.sqrt(100 / (3 * visits + 100)))


@pytest.mark.parametrize(("visits", "amaf_visits", "bias"), [(10, 40, 0.1), (10, 40, 0.0), (1000, 50, 0.3), (3, 0, 0.1)])
def test_mc_rave_of_minimum_squared_error(visits, amaf_visits, bias):
    search = arbora.MCRAVE(schedule="minimum-mse", bias=bias, exploration=0)
    beta = amaf_visits / (visits + amaf_visits + 4 * visits * amaf_visits * bias**2)
    assert search.weight(PARENT, visits, amaf_visits) == pytest.approx(beta)
    child = node(0.75 * visits, visits, amaf=(0.25 * amaf_visits, amaf_visits))
    assert search.urgency(PARENT, child, LOG) == pytest.approx((1 - beta) * 0.75 + beta * 0.25)


def test_mc_rave_adds_the_bonus_of_uct():
    search, child = arbora.MCRAVE(exploration=0.7), node(6, 10, amaf=(3, 5))
    plain = search.replace(exploration=0).urgency(PARENT, child, LOG)
    assert search.urgency(PARENT, child, LOG) == pytest.approx(plain + 0.7 * math.sqrt(LOG / 10))


def test_a_guess_of_the_game_counts_as_playouts_of_new_moves():
    @arbora.problem
    class Guessed(type(TWICE)):
        def prior(self, state, move):
            return 0.25 if move == 0 else 0.75

    game = Guessed(*TWICE)
    search = arbora.MCRAVE(prior=8)
    run = start(game, search, playouts=1)
    search.run(game, run)
    rows = {int(run.team.nodes[i].move): run.team.nodes[i] for i in range(*run.team.children(0))}
    made = {int(move) for move in run.path[[0, 1]]}
    assert rows[1].amaf_visits == 8 + (1 in made)
    assert rows[0].amaf_visits == 8 + (0 in made)
    assert rows[0].amaf_total - 2.0 in ((0.0, 1.0) if 0 in made else (0.0,))
    assert rows[1].amaf_total - 6.0 in ((0.0, 1.0) if 1 in made else (0.0,))


def test_proved_moves_are_taken_for_what_they_are():
    tree = start(table_game([0, 1], lambda moves: [0.5, 0.5], width=4), arbora.UCT()).team
    tree.nodes[0].visits = 40
    first = grow(tree, 0, [(9, 10), (1, 10), (5, 10), (0, 0)])
    search = arbora.UCT(exploration=0)
    tree.nodes[first].exact = 0.0
    tree.nodes[first + 3].exact = 0.5
    assert select(search, tree, 0, first, first + 4) in (first + 2, first + 3)  # both 0.5
    tree.nodes[first + 2].total = 4
    assert select(search, tree, 0, first, first + 4) == first + 3
    tree.nodes[first + 1].exact = 1.0
    assert select(search, tree, 0, first, first + 4) == first + 1


@pytest.mark.parametrize("kind", SEARCHES)
def test_compiled_equals_interpreted_and_results_repeat(kind):
    game, search = arbora.TicTacToe(), kind(nodes=5_000)
    thoughts = []
    for compiled in (True, True, False):
        with arbora.Player(game, search, seed=5, compiled=compiled) as player:
            player.play(0)
            first = player.think(playouts=300)
            player.play(first.move)
            player.play(player.legal()[0])
            second = player.think(playouts=200)
            thoughts.append([(found.moves, found.playouts, found.nodes, found.stopped) for found in (first, second)])
    assert thoughts[0] == thoughts[1]
    for compiled, plain in zip(thoughts[0], thoughts[2], strict=True):
        assert compiled[1:] == plain[1:]
        assert [(one.move, one.visits, one.exact, one.line) for one in compiled[0]] == [
            (one.move, one.visits, one.exact, one.line) for one in plain[0]
        ]
        assert [one.value for one in compiled[0]] == pytest.approx([one.value for one in plain[0]])


def test_seeds_differ():
    thoughts = [arbora.Player(arbora.TicTacToe(), arbora.UCT(nodes=5_000), seed=seed).think(playouts=300) for seed in (1, 2)]
    assert [found.visits for found in thoughts[0].moves] != [found.visits for found in thoughts[1].moves]


def test_a_flat_search_knows_only_the_moves_at_hand():
    search = arbora.AMAF(nodes=5_000)
    run = start(arbora.TicTacToe(), search, playouts=200)
    search.run(arbora.TicTacToe(), run)
    visited = [path for path, (_, visits) in counts_of(run.team).items() if visits > 0]
    assert sorted(visited) == [(), *((move,) for move in range(9))]
    assert np.count_nonzero(run.team.nodes.array["pending"][: run.team.size[0]]) == 0
