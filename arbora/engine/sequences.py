"""Sequences of moves that a policy can be adapted to without replaying them: every step with the codes of all candidates.

A row holds one sequence. A step with a single candidate has no codes. What the problem's `bias` says of each candidate is
kept beside its code; for a problem without `bias` there is nothing to keep, and compiled code knows it from the type.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.kernel import kernel
from arbora.problem import bounds, offers

# Weights and biases beyond this count as this much: then exp(weight) * exp(bias) neither overflows nor vanishes.
MOST_EXPONENT = 300.0


@make_component
class NoBias:
    """The biases of a problem that has none: all candidates have the factor exp(0) = 1."""

    def record(self, row, i, problem, state, move):
        return 1.0

    def factor(self, row, i):
        return 1.0

    def copy(self, row, source, source_row, count):
        pass


@make_component
class Biases:
    """exp(bias) of each candidate, in the place of its code."""

    factors: np.ndarray  # float64[rows, max_length * max_moves]

    def record(self, row, i, problem, state, move):
        """Ask the problem about candidate `i` of a row; returns exp(bias)."""
        factor = np.exp(min(max(np.float64(problem.bias(state, move)), -MOST_EXPONENT), MOST_EXPONENT))
        self.factors[row, i] = factor
        return factor

    def factor(self, row, i):
        return self.factors[row, i]

    def copy(self, row, source, source_row, count):
        copy_row(self.factors, row, source.factors, source_row, count)


@make_component
class Sequences:
    """Rows of sequences with their scores."""

    moves: np.ndarray  # int32[rows, max_length]
    codes: np.ndarray  # uint64[rows, max_length * max_moves]
    biases: object
    ends: np.ndarray  # uint64[rows, max_length]: where the codes of a step end
    chosen: np.ndarray  # uint64[rows, max_length]: which of them was played
    length: np.ndarray  # int64[rows]
    score: np.ndarray  # float64[rows]; minus infinity for no sequence

    def empty(self, row):
        self.length[row] = 0
        self.score[row] = -np.inf

    def copy(self, row, source, source_row):
        """Give a row the sequence of `source`, which may be these sequences or others of the same problem."""
        length = source.length[source_row]
        copy_row(self.moves, row, source.moves, source_row, length)
        copy_row(self.ends, row, source.ends, source_row, length)
        copy_row(self.chosen, row, source.chosen, source_row, length)
        if length > 0:
            count = np.int64(source.ends[source_row, length - 1])
            copy_row(self.codes, row, source.codes, source_row, count)
            self.biases.copy(row, source.biases, source_row, count)
        self.length[row] = length
        self.score[row] = source.score[source_row]

    def equal(self, row, source, source_row):
        """Do both have the same moves?"""
        length = self.length[row]
        return length == source.length[source_row] and equal_rows(self.moves, row, source.moves, source_row, length)


@kernel
def copy_row(target, target_row, source, source_row, count):
    for i in range(count):
        target[target_row, i] = source[source_row, i]


@kernel
def equal_rows(one, one_row, other, other_row, count):
    for i in range(count):
        if one[one_row, i] != other[other_row, i]:
            return False
    return True


def make_sequences(problem: Any, rows: int) -> Any:
    max_moves, max_length = bounds(problem)
    candidates = (rows, max_length * max_moves)
    return Sequences(
        moves=np.empty((rows, max_length), np.int32),
        codes=np.empty(candidates, np.uint64),
        biases=Biases(np.empty(candidates)) if offers(problem, "bias") else NoBias(),
        ends=np.empty((rows, max_length), np.uint64),
        chosen=np.empty((rows, max_length), np.uint64),
        length=np.zeros(rows, np.int64),
        score=np.full(rows, -np.inf),
    )
