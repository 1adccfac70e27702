"""Strategies of small games: a search's, and what searches would do if their play-outs were infinitely many.

A strategy is a probability for each sequence of the tree, that is, for each move at each information set, of all players.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from arbora.errors import BadInput
from arbora.exact.tree import GameTree
from arbora.exact.values import minimax_values, node_values, reach_probabilities, step_probabilities, values_by_steps
from arbora.player import Player
from arbora.search.random import Random

_ROUNDING = 1e-9


def uniform(tree: GameTree) -> np.ndarray:
    """Every move equally likely."""
    return np.repeat(1.0 / tree.set_moves, tree.set_moves)


def exact_pimc(tree: GameTree) -> np.ndarray:
    """Perfect-information Monte Carlo without the Monte Carlo: each position held possible is played out by minimax."""
    return _best_on_average(tree, minimax_values(tree))


def pimc_limit(tree: GameTree) -> np.ndarray:
    """PIMC as in document 003 with infinitely many play-outs, in which everybody plays at random."""
    return _best_on_average(tree, node_values(tree, uniform(tree)))


def iimc_limit(tree: GameTree, sees_all: bool = False) -> np.ndarray:
    """IIMC with infinitely many play-outs, in which the player goes on by the limit of PIMC, and all others at random.

    `sees_all` is another reading of document 003: in play-outs the player chooses as if he saw the position that was drawn,
    not by what he would see.
    """
    random = step_probabilities(tree, uniform(tree))
    inner = _best_at_sight(tree) if sees_all else step_probabilities(tree, pimc_limit(tree))
    mover = tree.player[np.maximum(tree.parent, 0)]
    values = np.stack(
        [values_by_steps(tree, np.where(mover == player, inner, random))[:, player] for player in range(tree.players)],
        axis=1,
    )
    return _best_on_average(tree, values)


def _best_at_sight(tree: GameTree) -> np.ndarray:
    """How likely the move into each node is for who sees everything, if everybody plays at random afterwards."""
    values = node_values(tree, uniform(tree))
    mover = np.maximum(tree.player[tree.parent[1:]], 0)
    own = values[1:][np.arange(len(mover)), mover]
    starts, sizes = (tree.first_child - 1)[tree.children > 0], tree.children[tree.children > 0]
    best = own >= np.repeat(np.maximum.reduceat(own, starts), sizes) - _rounding(tree)
    step = np.ones(tree.nodes)
    step[1:] = best / np.repeat(np.add.reduceat(best.astype(float), starts), sizes)
    return step


def search_strategy(
    tree: GameTree,
    search: Any,
    *,
    playouts: int | None = None,
    steps: int | None = None,
    seed: int = 1,
    compiled: bool = True,
    progress: Callable[[int, int], object] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> np.ndarray:
    """The move that a search chooses at each information set, with this budget for each; its tree is empty each time.

    `progress` is told how many sets are done, of how many.
    """
    if isinstance(search, Random):
        return uniform(tree)
    if playouts is None and steps is None:
        raise BadInput("a search needs a budget for each decision: playouts or steps")
    strategy = np.zeros(tree.sequences)
    with Player(tree.game, search, seed=seed, compiled=compiled, on_compile=on_compile) as player:
        for number in range(tree.sets):
            player.reset()
            for move in tree.moves_to(int(tree.set_node[number])):
                player.play(move, check=False)
            thought = player.think(playouts=playouts, steps=steps)
            if thought.stopped == "interrupted":
                raise KeyboardInterrupt
            first = int(tree.set_first[number])
            child = int(tree.first_child[tree.set_node[number]])
            moves = tree.move[child : child + tree.set_moves[number]].tolist()
            strategy[first + moves.index(thought.move)] = 1.0
            if progress is not None:
                progress(number + 1, tree.sets)
    return strategy


def _best_on_average(tree: GameTree, values: np.ndarray) -> np.ndarray:
    """The move of the highest mean value over the positions that its player holds possible; what is equal shares evenly.

    Positions count as they are likely by the moves of chance alone: how others would have played tells nothing.
    """
    weight = reach_probabilities(tree, tree.chance)
    chosen = np.flatnonzero(tree.sequence >= 0)
    mover = tree.player[tree.parent[chosen]]
    total = np.bincount(tree.sequence[chosen], weight[chosen] * values[chosen, mover], tree.sequences)
    mean = total / np.bincount(tree.sequence[chosen], weight[chosen], tree.sequences)
    best = np.repeat(np.maximum.reduceat(mean, tree.set_first), tree.set_moves) if tree.sets else mean
    is_best = mean >= best - _rounding(tree)
    return is_best / np.bincount(tree.set_of_sequence, is_best, tree.sets)[tree.set_of_sequence]


def _rounding(tree: GameTree) -> float:
    """How far apart values may be that count as equal."""
    return _ROUNDING * max(float(np.ptp(tree.payoffs)), 1.0)
