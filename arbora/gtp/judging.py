"""Which stones are dead, and what the score is without them."""

from typing import Any

import numpy as np

from arbora.gtp.protocol import BLACK
from arbora.problem import like_compiled, new_state

ALIVE, SEKI, DEAD = "alive", "seki", "dead"
# How sure a chain must own the points it stands on
_SURELY_ALIVE, _SURELY_DEAD = 0.7, 0.3


def chains(colors: list[int], width: int) -> list[list[int]]:
    """The chains of stones on a board, each a list of points."""
    found, seen = [], set()
    for start, color in enumerate(colors):
        if color < 0 or start in seen:
            continue
        seen.add(start)
        chain = [start]
        for point in chain:
            for other in neighbors(point, width, len(colors)):
                if colors[other] == color and other not in seen:
                    seen.add(other)
                    chain.append(other)
        found.append(sorted(chain))
    return found


def neighbors(point: int, width: int, points: int) -> list[int]:
    column = point % width
    around = [(point - width, True), (point + width, True), (point - 1, column > 0), (point + 1, column < width - 1)]
    return [other for other, inside in around if inside and 0 <= other < points]


def statuses(colors: list[int], width: int, owners: np.ndarray) -> list[tuple[str, list[int]]]:
    """Each chain with its status. `owners` says for each point how sure it is Black's in the end."""
    found = []
    for chain in chains(colors, width):
        blackness = float(np.mean(owners[chain]))
        own = blackness if colors[chain[0]] == BLACK else 1.0 - blackness
        found.append((ALIVE if own > _SURELY_ALIVE else DEAD if own < _SURELY_DEAD else SEKI, chain))
    return found


def margin_without(game: Any, colors: list[int], dead: set[int]) -> float:
    """Black's area minus White's and komi, when the dead stones are off the board."""
    state = new_state(game)
    with like_compiled():
        game.reset(state)
        for point, color in enumerate(colors):
            if color >= 0 and point not in dead:
                game.put(state, point, color)
        return float(game.area(state)) - float(game.komi)
