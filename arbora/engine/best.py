"""Rows of best solutions: whole sequences of moves from the start, for searches that keep one per level or position."""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.problem import bounds


@make_component
class Best:
    """The best solution of each row."""

    moves: np.ndarray  # int32[rows, max_length]
    length: np.ndarray  # int64[rows]
    score: np.ndarray  # float64[rows]; minus infinity for no solution

    def empty(self, row):
        self.length[row] = 0
        self.score[row] = -np.inf

    def offer(self, row, score, moves, length):
        """Keep the first `length` of `moves` in a row if they score higher than what is there."""
        if score > self.score[row]:
            self.score[row] = score
            self.length[row] = length
            for i in range(length):
                self.moves[row, i] = moves[i]


def make_best(problem: Any, rows: int) -> Any:
    return Best(
        moves=np.zeros((rows, bounds(problem)[1]), np.int32),
        length=np.zeros(rows, np.int64),
        score=np.full(rows, -np.inf),
    )
