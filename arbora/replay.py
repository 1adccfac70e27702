"""Playing a solution again, in plain Python and nothing else: the proof of every score that is reported."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbora.errors import BadSolution
from arbora.problem import bounds, like_compiled, new_state


@dataclass(frozen=True)
class Step:
    """One move of a solution: what was played, and the score as it stands after it."""

    number: int
    move: int
    text: str
    score: float
    state: Any
    choices: int = 0  # how many moves were legal there


def replay(problem: Any, moves: Sequence[int]) -> Iterator[Step]:
    """Play `moves` from the start; step 0 is the start position. Raises BadSolution at an illegal move."""
    max_moves, _ = bounds(problem)
    state = new_state(problem)
    out = np.zeros(max_moves, np.int32)
    with like_compiled():
        problem.reset(state)
    yield Step(0, -1, "", _score(problem, state), state)
    for number, move in enumerate(moves, start=1):
        with like_compiled():
            count = problem.moves(state, out)
            if move not in out[:count]:
                raise BadSolution(f"move {number} ({move}) is not legal there; {count} moves are")
            text = problem.text(state, move)
            problem.play(state, move)
        yield Step(number, int(move), text, _score(problem, state), state, int(count))


def same_score(a: float, b: float) -> bool:
    """Equal, but for the last digits: compiled sums may round differently."""
    return a == b or (math.isfinite(a) and math.isfinite(b) and abs(a - b) <= 1e-9 * max(abs(a), abs(b)))


def is_finished(problem: Any, state: Any) -> bool:
    """Does the episode end here?"""
    with like_compiled():
        return bool(problem.moves(state, np.zeros(bounds(problem)[0], np.int32)) == 0)


def _score(problem: Any, state: Any) -> float:
    with like_compiled():
        return float(problem.score(state))
