"""Small problems that several tests share, so that each search is compiled for them only once."""

import itertools
from typing import Any

import numpy as np

import arbora

GAINS = np.array([[3, 1, 4], [1, 5, 9], [2, 6, 5], [3, 5, 8], [9, 7, 9], [3, 2, 3]])
REPEAT_COST = 3


@arbora.problem
class Walk:
    """Choose one of three columns in every row of GAINS; the same column twice in a row costs REPEAT_COST."""

    steps: int = arbora.param("rows to walk", default=6, low=1, high=6)

    def layout(self):
        return [("step", np.int64), ("last", np.int64), ("total", np.int64)]

    def max_moves(self):
        return 3

    def max_length(self):
        return self.steps

    def reset(self, state):
        state.step = 0
        state.last = -1
        state.total = 0

    def moves(self, state, out):
        if state.step == self.steps:
            return 0
        for move in range(3):
            out[move] = move
        return 3

    def play(self, state, move):
        state.total += GAINS[state.step, move]
        if move == state.last:
            state.total -= REPEAT_COST
        state.last = move
        state.step += 1

    def score(self, state):
        return float(state.total)

    def code(self, state, move):
        return np.uint64(3 * state.step + move)


def walk_score(moves: Any) -> int:
    """The score of a walk, straight from the rule."""
    gains = sum(int(GAINS[row, column]) for row, column in enumerate(moves))
    return gains - REPEAT_COST * sum(a == b for a, b in itertools.pairwise(moves))


def best_walk(steps: int = 6) -> int:
    """The highest score of all walks, by trying them all."""
    return max(walk_score(moves) for moves in itertools.product(range(3), repeat=steps))


class Shelf:
    """A plain simulator with lists, dicts and objects inside: put words on a shelf, letters in common with the last count.

    It keeps its own books twice and checks them on every call, so a state that was not restored cannot go unnoticed.
    """

    max_moves = 10
    max_length = 8

    def __init__(self, words: tuple[str, ...] = ("ash", "hazel", "elm", "maple", "lime")) -> None:
        self.words = words

    def reset(self) -> None:
        self.left = dict(enumerate(self.words))
        self.shelf: list[str] = []
        self.history: list[int] = []
        self.points = 0

    def check_books(self) -> None:
        assert self.shelf == [self.words[move] for move in self.history]
        assert sorted([*self.left, *self.history]) == list(range(len(self.words)))
        assert self.points == shelf_score(self.shelf)

    def moves(self) -> list[int]:
        self.check_books()
        return list(self.left)

    def play(self, move: int) -> None:
        self.check_books()
        word = self.left.pop(move)
        if self.shelf:
            self.points += len(set(word) & set(self.shelf[-1]))
        self.shelf.append(word)
        self.history.append(move)

    def score(self) -> float:
        self.check_books()
        return self.points

    def text(self, move: int) -> str:
        return self.words[move]


def shelf_score(shelf: list[str]) -> int:
    return sum(len(set(a) & set(b)) for a, b in itertools.pairwise(shelf))


def best_shelf(words: tuple[str, ...] = Shelf().words) -> int:
    """The highest score of all orders, by trying them all."""
    return max(shelf_score(list(order)) for order in itertools.permutations(words))
