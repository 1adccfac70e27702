"""Strategies of searches, and what they tend to: known figures, and the same worked out in another way."""

import os

import numpy as np
import pytest
from hidden_cards import decisions
from hidden_table import random_table
from perft import listed, position

import arbora
from arbora import exact
from arbora.errors import BadInput
from arbora.exact.tree import GameTree
from arbora.problem import CHANCE, Records, like_compiled, new_states

slow = pytest.mark.skipif("ARBORA_SLOW_TESTS" not in os.environ, reason="takes long; set ARBORA_SLOW_TESTS to run it")


@pytest.fixture(scope="module")
def kuhn() -> GameTree:
    return exact.tree_of(arbora.KuhnPoker(), compiled=False)


@pytest.fixture(scope="module")
def leduc() -> GameTree:
    return exact.tree_of(arbora.LeducPoker(), compiled=False)


def test_exact_pimc(kuhn, leduc):
    """Its weakness: it believes that it will know the other's card when it has to decide again."""
    assert exact.exploitability(kuhn, exact.exact_pimc(kuhn)) == pytest.approx(1 / 6)
    assert exact.exploitability(leduc, exact.exact_pimc(leduc)) == pytest.approx(0.5)


@pytest.mark.parametrize("strategy", [exact.uniform, exact.exact_pimc, exact.pimc_limit, exact.iimc_limit])
def test_strategies_are_probabilities(leduc, strategy):
    found = strategy(leduc)
    assert (found >= 0).all()
    assert np.bincount(leduc.set_of_sequence, found) == pytest.approx(np.ones(leduc.sets))


class ByHand:
    """The limits worked out position by position, as their definitions say, without a tree."""

    def __init__(self, game) -> None:
        self.game = game
        self.alike = decisions(game)

    def after(self, state, move):
        states = Records(new_states(self.game, 1))
        states[0] = state
        self.game.play(states[0], move)
        return states[0]

    def worth(self, state, player: int, strategy=None) -> float:
        """What a position is worth for a player who goes on by a strategy, if he has one; others play at random."""
        moves = listed(self.game, state)
        if not moves:
            return float(self.game.payoff(state, player))
        mover = self.game.player(state)
        chances = [1 / len(moves)] * len(moves)
        if mover == CHANCE:
            chances = [self.game.chance(state, move) for move in moves]
        elif mover == player and strategy is not None:
            chances = strategy(player, int(self.game.seen(state, player)))
        below = (self.worth(self.after(state, move), player, strategy) for move in moves)
        return sum(chance * worth for chance, worth in zip(chances, below, strict=True) if chance)

    def pimc(self, player: int, seen: int, inner=None) -> list[float]:
        """Positions are equally likely in the games of this test."""
        positions = self.alike[player, seen]
        moves = listed(self.game, positions[0])
        means = [np.mean([self.worth(self.after(state, move), player, inner) for state in positions]) for move in moves]
        best = [float(mean > max(means) - 1e-9) for mean in means]
        return [share / sum(best) for share in best]

    def iimc(self, player: int, seen: int) -> list[float]:
        return self.pimc(player, seen, self.pimc)


@pytest.mark.parametrize(
    "game",
    [arbora.KuhnPoker(), *(arbora.SyntheticTree(trees=1, width=2, depth=4, df=0.5, seed=seed) for seed in (3, 4))],
    ids=["kuhn", "tree 3", "tree 4"],
)
def test_limits_are_what_their_definitions_say(game):
    tree = exact.tree_of(game, compiled=False)
    by_hand = ByHand(game)
    with like_compiled():
        for limit, worked_out in ((exact.pimc_limit, by_hand.pimc), (exact.iimc_limit, by_hand.iimc)):
            strategy = limit(tree)
            for number in range(tree.sets):
                player = int(tree.set_player[number])
                seen = int(game.seen(position(game, tree.moves_to(int(tree.set_node[number]))), player))
                found = strategy[tree.set_first[number] :][: tree.set_moves[number]]
                assert found.tolist() == pytest.approx(worked_out(player, seen))


def test_pimc_and_iimc_with_many_play_outs_choose_as_their_limits():
    """Wherever the best move is far enough ahead for so many play-outs, which is at most information sets."""
    for search, limit in (
        (arbora.PIMC(), exact.pimc_limit),
        (arbora.IIMC(inner=arbora.PIMC(playouts=300)), exact.iimc_limit),
    ):
        alike = total = 0
        for seed in range(3):
            tree = exact.tree_of(random_table(seed))
            wanted = limit(tree)
            found = exact.search_strategy(tree, search, playouts=3000, seed=1)
            alike += int((wanted[found == 1] == 1).sum())
            total += tree.sets
        assert total == 3 * 30
        assert alike >= 0.9 * total


def test_is_mcts_in_kuhn_poker(kuhn):
    for seed in (1, 2, 3):
        found = exact.search_strategy(kuhn, arbora.ISMCTS(), playouts=10_000, seed=seed)
        assert exact.exploitability(kuhn, found) == pytest.approx(1 / 6)
    assert (found == exact.search_strategy(kuhn, arbora.ISMCTS(), playouts=10_000, seed=3)).all()


@slow
def test_is_mcts_in_leduc_poker(leduc):
    for playouts, most in ((100, 1.4), (1000, 1.1), (5000, 0.62)):
        for seed in range(1, 6):
            found = exact.search_strategy(leduc, arbora.ISMCTS(), playouts=playouts, seed=seed)
            assert exact.exploitability(leduc, found) <= most


def test_random_is_uniform_and_a_search_needs_a_budget(kuhn):
    assert (exact.search_strategy(kuhn, arbora.Random()) == exact.uniform(kuhn)).all()
    with pytest.raises(BadInput, match="playouts or steps"):
        exact.search_strategy(kuhn, arbora.ISMCTS())


def test_progress_is_told(kuhn):
    told = []
    exact.search_strategy(kuhn, arbora.ISMCTS(), steps=50, progress=lambda done, total: told.append((done, total)))
    assert told == [(number, 12) for number in range(1, 13)]


def reward_of(tree: GameTree, strategy: np.ndarray, against: np.ndarray) -> float:
    """What a strategy earns against another one, over both seats."""
    own = tree.set_player[tree.set_of_sequence]
    return float(np.mean([exact.expected_payoffs(tree, np.where(own == seat, strategy, against))[seat] for seat in (0, 1)]))


def advantage(df: float, trees: int, sees_all: bool = False) -> tuple[float, float]:
    """How much more than even the limit of IIMC earns against that of PIMC, and how far off that may be (95 %)."""
    found = []
    for seed in range(1, trees + 1):
        tree = exact.tree_of(arbora.SyntheticTree(trees=1, seed=seed, df=df))
        found.append(reward_of(tree, exact.iimc_limit(tree, sees_all), exact.pimc_limit(tree)) - 2.0)
    return float(np.mean(found)), 1.96 * float(np.std(found, ddof=1)) / trees**0.5


def test_a_search_within_play_outs_pays_the_more_the_more_is_found_out():
    """On the synthetic tree of document 003; the figures are for 100 trees."""
    low, low_error = advantage(0.0, 100)
    high, high_error = advantage(1.0, 100)
    assert 0.0 < low < 0.09
    assert low_error < 0.025
    assert high == pytest.approx(0.138, abs=0.018)
    assert high_error < 0.012


def test_a_search_that_sees_the_drawn_position_gains_nothing_where_nothing_is_found_out():
    """Known figures for 100 trees are +0.011 ± 0.020 at df = 0 and +0.138 ± 0.009 at 1.

    Of the readings tried only this one comes near both; that the figures were made by it is not known.
    """
    low, low_error = advantage(0.0, 100, sees_all=True)
    high, _ = advantage(1.0, 100, sees_all=True)
    assert low == pytest.approx(0.011, abs=0.020 + low_error)
    assert high == pytest.approx(0.138, abs=0.009)
    assert high == pytest.approx(advantage(1.0, 100)[0])
