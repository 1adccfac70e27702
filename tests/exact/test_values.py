"""What strategies are worth: known figures, and best responses against all there are."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from small_games import BARGAIN, DICE, STAKES, TWICE, exact_values

import arbora
from arbora import exact
from arbora.errors import BadInput
from arbora.exact.values import minimax_values, node_values, reach_probabilities, step_probabilities
from arbora.exact.walk import END

KUHN = exact.tree_of(arbora.KuhnPoker(), compiled=False)


def equilibrium(alpha: float) -> np.ndarray:
    """Kuhn's solution: how the first player bets with J (alpha), Q (never) and K (three times as often), and so on."""
    strategy = np.zeros(KUHN.sequences)
    bets = {
        (0, "J", ""): alpha, (0, "Q", ""): 0.0, (0, "K", ""): 3 * alpha,
        (0, "J", "pb"): 0.0, (0, "Q", "pb"): alpha + 1 / 3, (0, "K", "pb"): 1.0,
        (1, "J", "p"): 1 / 3, (1, "Q", "p"): 0.0, (1, "K", "p"): 1.0,
        (1, "J", "b"): 0.0, (1, "Q", "b"): 1 / 3, (1, "K", "b"): 1.0,
    }  # fmt: skip
    for number in range(KUHN.sets):
        cards, moves = np.split(KUHN.moves_to(int(KUHN.set_node[number])), [2])
        player = int(KUHN.set_player[number])
        bet = bets[player, "JQK"[cards[player]], "".join("pb"[move] for move in moves)]
        strategy[KUHN.set_first[number] :][:2] = 1 - bet, bet
    return strategy


@pytest.mark.parametrize("alpha", [0.0, 0.2, 1 / 3])
def test_kuhns_solution_cannot_be_exploited(alpha):
    found = equilibrium(alpha)
    assert exact.expected_payoffs(KUHN, found) == pytest.approx([-1 / 18, 1 / 18])
    assert exact.exploitability(KUHN, found) == pytest.approx(0, abs=1e-12)


def test_exploitability_of_uniform_play():
    """The figures of OpenSpiel."""
    assert exact.exploitability(KUHN, exact.uniform(KUHN)) == pytest.approx(0.458333, abs=1e-6)
    leduc = exact.tree_of(arbora.LeducPoker(), compiled=False)
    assert exact.exploitability(leduc, exact.uniform(leduc)) == pytest.approx(2.373611, abs=1e-6)


def random_strategy(seed: int) -> np.ndarray:
    weights = np.random.default_rng(seed).exponential(size=KUHN.sequences)
    return weights / np.bincount(KUHN.set_of_sequence, weights)[KUHN.set_of_sequence]


@settings(max_examples=10)
@given(seed=st.integers(0, 2**32), player=st.integers(0, 1))
def test_a_best_response_is_the_best_of_all_pure_strategies(seed, player):
    strategy = random_strategy(seed)
    own = [number for number in range(KUHN.sets) if KUHN.set_player[number] == player]
    found = []
    for moves in itertools.product(range(2), repeat=len(own)):
        response = strategy.copy()
        for number, move in zip(own, moves, strict=True):
            first = KUHN.set_first[number]
            response[first : first + 2] = move == 0, move == 1
        found.append(exact.expected_payoffs(KUHN, response)[player])
    payoff, response = exact.best_response(KUHN, strategy, player)
    assert payoff == pytest.approx(max(found))
    other = KUHN.set_player[KUHN.set_of_sequence] != player
    assert (response[other] == strategy[other]).all()
    assert exact.expected_payoffs(KUHN, response)[player] == pytest.approx(payoff)


@given(seed=st.integers(0, 2**32))
def test_values_from_the_ends_and_probabilities_from_the_start_agree(seed):
    strategy = random_strategy(seed)
    reach = reach_probabilities(KUHN, step_probabilities(KUHN, strategy))
    assert reach[KUHN.player == END].sum() == pytest.approx(1)
    assert (reach[:, None] * KUHN.payoffs).sum(axis=0) == pytest.approx(node_values(KUHN, strategy)[0])


@pytest.mark.parametrize("game", [BARGAIN, DICE, STAKES, TWICE], ids=["bargain", "dice", "stakes", "twice"])
def test_minimax(game):
    tree = exact.tree_of(game, compiled=False)
    values = minimax_values(tree)
    for node in range(tree.nodes):
        assert values[node].tolist() == pytest.approx(exact_values(game, tuple(tree.moves_to(node))))


def test_perfect_play_where_nothing_is_hidden_cannot_be_exploited():
    """Tic-tac-toe is drawn."""
    tree = exact.tree_of(arbora.TicTacToe())
    strategy = exact.exact_pimc(tree)
    assert exact.expected_payoffs(tree, strategy) == pytest.approx([0.5, 0.5])
    assert exact.exploitability(tree, strategy) == pytest.approx(0, abs=1e-12)


def test_exploitability_is_for_two_players_of_whom_one_wins_what_the_other_loses():
    tree = exact.tree_of(BARGAIN, compiled=False)
    with pytest.raises(BadInput, match="TableGame has 3 players; exploitability is for games of two"):
        exact.exploitability(tree, exact.uniform(tree))
