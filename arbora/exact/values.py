"""What strategies are worth: expected payoffs, best responses, exploitability."""

import numpy as np

from arbora.errors import BadInput
from arbora.exact.tree import GameTree
from arbora.exact.walk import END
from arbora.problem import CHANCE


def step_probabilities(tree: GameTree, strategy: np.ndarray) -> np.ndarray:
    """How likely the move into each node is, at the node before."""
    step = tree.chance.copy()
    chosen = tree.sequence >= 0
    step[chosen] = strategy[tree.sequence[chosen]]
    return step


def reach_probabilities(tree: GameTree, step: np.ndarray) -> np.ndarray:
    """How likely each node is reached, if its moves are as likely as `step` says."""
    reach = np.ones(tree.nodes)
    for level in tree.levels[1:]:
        reach[level] = reach[tree.parent[level]] * step[level]
    return reach


def node_values(tree: GameTree, strategy: np.ndarray) -> np.ndarray:
    """The expected payoff of each player at each node."""
    return values_by_steps(tree, step_probabilities(tree, strategy))


def values_by_steps(tree: GameTree, step: np.ndarray) -> np.ndarray:
    """The same, if its moves are as likely as `step` says."""
    values = tree.payoffs.copy()
    for above, level in zip(tree.levels[-2::-1], tree.levels[:0:-1], strict=True):
        weighted = values[level] * step[level, None]
        for player in range(tree.players):
            values[above, player] += np.bincount(
                tree.parent[level] - above.start, weighted[:, player], above.stop - above.start
            )
    return values


def expected_payoffs(tree: GameTree, strategy: np.ndarray) -> np.ndarray:
    """What the game is worth for each player when all play the strategy."""
    return node_values(tree, strategy)[0]


def minimax_values(tree: GameTree) -> np.ndarray:
    """The payoff of each player at each node if everybody saw everything and chose the best for himself."""
    values = tree.payoffs.copy()
    for above, level in zip(tree.levels[-2::-1], tree.levels[:0:-1], strict=True):
        parents = np.flatnonzero(tree.children[above]) + above.start
        starts = tree.first_child[parents] - level.start
        mover = np.maximum(tree.player[tree.parent[level]], 0)
        own = values[level][np.arange(len(mover)), mover]
        best = np.repeat(np.maximum.reduceat(own, starts), tree.children[parents])
        _, first = np.unique(tree.parent[level][own == best], return_index=True)
        values[parents] = values[level][np.flatnonzero(own == best)[first]]
        by_chance = tree.player[parents] == CHANCE
        means = np.add.reduceat(values[level] * tree.chance[level, None], starts)
        values[parents[by_chance]] = means[by_chance]
    return values


def best_response(tree: GameTree, strategy: np.ndarray, player: int) -> tuple[float, np.ndarray]:
    """The most that a player can win against the others' strategy, and a strategy that does: theirs, but for his moves.

    Each end counts for the last sequence of the player on the way there. From the last information sets to the first, the
    best sequence of a set counts for the sequence before it.
    """
    own = tree.set_player[tree.set_of_sequence] == player
    reach = reach_probabilities(tree, step_probabilities(tree, np.where(own, 1.0, strategy)))
    ends = tree.player == END
    gained = np.bincount(1 + tree.last[ends, player], (reach * tree.payoffs[:, player])[ends], 1 + tree.sequences)
    found = np.where(own, 0.0, strategy)
    for number in np.flatnonzero(tree.set_player == player)[::-1]:
        first = tree.set_first[number]
        best = first + gained[1 + first : 1 + first + tree.set_moves[number]].argmax()
        gained[1 + tree.set_prior[number]] += gained[1 + best]
        found[best] = 1.0
    return float(gained[0]), found


def exploitability(tree: GameTree, strategy: np.ndarray) -> float:
    """How much more than the value of the game a perfect opponent wins against the strategy, on average over both seats."""
    require_constant_sum(tree)
    total = float(expected_payoffs(tree, strategy).sum())
    return (best_response(tree, strategy, 0)[0] + best_response(tree, strategy, 1)[0] - total) / 2


def require_constant_sum(tree: GameTree) -> None:
    if tree.players != 2:
        raise BadInput(
            f"{tree.name} has {tree.players} player{'s' * (tree.players > 1)}; exploitability is for games of two"
        )
    if not tree.constant_sum:
        raise BadInput(f"{tree.name}: what one player wins is not what the other loses; exploitability needs that")
