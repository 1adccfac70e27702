"""Go against numbers that are known exactly: legal positions, games, and values of small boards."""

import os
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from go_searches import CountPositions, SolveArea, answer

from arbora.problem import Records, like_compiled, new_states
from arbora.problems.go.game import Go

slow = pytest.mark.skipif("ARBORA_SLOW_TESTS" not in os.environ, reason="takes long; set ARBORA_SLOW_TESTS to run it")

POSITIONS = {
    (1, 1): 1,
    (2, 1): 5,
    (3, 1): 15,
    (4, 1): 41,
    (5, 1): 113,
    (2, 2): 57,
    (3, 2): 489,
    (4, 2): 4_125,
    (3, 3): 12_675,
    (4, 3): 321_689,
}


@pytest.mark.parametrize(("board", "positions"), POSITIONS.items())
def test_number_of_legal_positions(board, positions):
    assert answer(CountPositions(), Go(width=board[0], height=board[1])) == positions


@slow
def test_number_of_legal_positions_on_4x4():
    assert answer(CountPositions(), Go(size=4)) == 24_318_165


VALUES = {(1, 1): 0, (2, 1): 0, (3, 1): 3, (4, 1): 4, (5, 1): 0, (2, 2): 1}


@pytest.mark.parametrize(("board", "value"), VALUES.items())
def test_area_that_black_wins_by(board, value):
    assert answer(SolveArea(), Go(width=board[0], height=board[1])) == value


class Games:
    """All games in which nobody repeats a position, and either colour may move at any time."""

    def __init__(self, width: int) -> None:
        self.go: Any = Go(width=width, height=1, suicide=True)
        self.states = Records(new_states(self.go, 60))
        self.go.reset(self.states[0])

    def after(self, depth: int, anything: bool = False) -> Iterator[int]:
        """Play each move of either colour, legal or `anything`, on a copy of the state at `depth`; yields where it is."""
        for move in range(self.go.columns):
            for player in (0, 1):
                self.states[depth].turn = player
                free = self.go.color(self.states[depth], move) < 0
                if free if anything else self.go.legal(self.states[depth], move):
                    self.states[depth + 1] = self.states[depth]
                    self.go.play(self.states[depth + 1], move)
                    yield depth + 1

    def positions(self) -> np.ndarray:
        """For each position that can arise, the set of those that a move makes of it, as bits."""
        numbers, following, at = {int(self.states[0].hash): 0}, [0], 0
        kept = [self.states.array[0].copy()]
        while at < len(kept):
            self.states.array[0] = kept[at]
            for deeper in self.after(0, anything=True):
                state = self.states[deeper]
                if int(state.hash) not in numbers:
                    numbers[int(state.hash)] = len(kept)
                    kept.append(self.states.array[deeper].copy())
                    following.append(0)
                following[at] |= 1 << numbers[int(state.hash)]
            at += 1
        return np.array(following, np.uint64)

    def count(self, depth: int = 0) -> int:
        return 1 + sum(self.count(deeper) for deeper in self.after(depth))


@pytest.mark.parametrize(("width", "games"), [(1, 1), (2, 9), (3, 907)])
def test_number_of_games(width, games):
    with like_compiled():
        assert Games(width).count() == games


@slow
def test_number_of_games_on_1x4():
    """Too many to play one by one: the board tells which positions follow each, and paths through these are counted."""
    from numba import njit

    with like_compiled():
        following = Games(4).positions()
    assert len(following) == 41
    assert njit(count_paths)(following, np.zeros(42, np.uint64)) == 2_098_407_841


def count_paths(following, rest):
    """Paths from position 0 that visit none twice; `following` has a set of positions for each, as bits."""
    paths, depth, visited = 1, 0, np.uint64(1)
    one = np.uint64(1)
    path = np.zeros(42, np.uint64)
    rest[0] = following[0] & ~visited
    while depth >= 0:
        if rest[depth] == 0:
            visited ^= path[depth]
            depth -= 1
        else:
            lowest = rest[depth] & (~rest[depth] + one)
            rest[depth] ^= lowest
            paths += 1
            depth += 1
            path[depth] = lowest
            visited |= lowest
            number = 0
            while lowest >> np.uint64(number) != one:
                number += 1
            rest[depth] = following[number] & ~visited
    return paths
