"""What groups score under each rule, and what a position can still bring at most (document 001, Section 3)."""

import numpy as np

from arbora.engine.kernel import inline_kernel

SAMEGAME, CLICKOMANIA, BUBBLE_BREAKER = range(3)
BONUS = 1000


@inline_kernel
def group_points(rule_index, blocks):
    """What a group of so many blocks scores."""
    if rule_index == SAMEGAME:
        return (blocks - 2) * (blocks - 2)
    if rule_index == BUBBLE_BREAKER:
        return blocks * (blocks - 1)
    return blocks


@inline_kernel
def best_gain(rule_index, penalty, blocks):
    """The most that `blocks` blocks of one colour can still bring: all of them removed at once.

    A block that is alone of its colour stays to the end: it brings nothing, and costs (1 - 2)^2 under a penalty.
    """
    if blocks < 2:
        return -blocks if rule_index == SAMEGAME and penalty else 0
    return group_points(rule_index, blocks)


@inline_kernel
def optimistic(game, state):
    """Points so far and the best gain of every colour; with it the bonus for clearing, unless a block is alone."""
    total = np.int64(state.points)
    clears = game.rule_index == SAMEGAME
    for color in range(game.colors):
        blocks = game.kind_count(state, color)
        total += best_gain(game.rule_index, game.penalty, blocks)
        if blocks == 1:
            clears = False
    return np.float64(total + BONUS if clears else total)
