"""Small games with known values, made of a table: one class for all, so that each search is compiled for it only once."""

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import arbora
from arbora.problem import CHANCE


@arbora.problem
class TableGame:
    """A game of a fixed number of moves, with the same choices at each, whose ends are written in a table."""

    width: int
    seats: np.ndarray  # int64[length]: who makes each move; CHANCE for chance
    odds: np.ndarray  # float64[width]: the probabilities of chance
    ends: np.ndarray  # float64[players, width**length]: what each end is worth for each player
    lowest: float
    highest: float

    def layout(self):
        return [("step", np.int64), ("place", np.int64)]

    def max_moves(self):
        return self.width

    def max_length(self):
        return len(self.seats)

    def players(self):
        return len(self.ends)

    def payoffs(self):
        return self.lowest, self.highest

    def reset(self, state):
        state.step = 0
        state.place = 0

    def moves(self, state, out):
        if state.step == self.seats.size:
            return 0
        for move in range(self.width):
            out[move] = move
        return self.width

    def play(self, state, move):
        state.step += 1
        state.place = state.place * self.width + move

    def player(self, state):
        return self.seats[state.step] if state.step < self.seats.size else np.int64(0)

    def payoff(self, state, player):
        return self.ends[player, state.place]

    def chance(self, state, move):
        return self.odds[move]


Ends = Callable[[tuple[int, ...]], Sequence[float]]


def table_game(seats: Sequence[int], worth: Ends, width: int = 2, odds: Sequence[float] = (), payoffs: Any = (0, 1)) -> Any:
    """The game in which these players move in turn, and an end is worth what `worth` says of its moves, for each player."""
    ends = np.array([worth(moves) for moves in itertools.product(range(width), repeat=len(seats))], float).T.copy()
    chances = np.array(odds or [1 / width] * width, float)
    return TableGame(width, np.array(seats, np.int64), chances, ends, float(payoffs[0]), float(payoffs[1]))


def exact_values(game: Any, moves: tuple[int, ...] = ()) -> list[float]:
    """What a position is worth for each player if everybody plays for himself, by working back from the ends."""
    seats = game.seats.tolist()
    if len(moves) == len(seats):
        place = int(np.ravel_multi_index(moves, [game.width] * len(moves)))
        return game.ends[:, place].tolist()
    below = [exact_values(game, (*moves, move)) for move in range(game.width)]
    player = seats[len(moves)]
    if player == CHANCE:
        return [float(np.dot(game.odds, values)) for values in zip(*below, strict=True)]
    return max(below, key=lambda values: values[player])


def best_moves(game: Any) -> list[int]:
    """The first moves that are worth most for who makes them."""
    player = int(game.seats[0])
    values = [exact_values(game, (move,))[player] for move in range(game.width)]
    return [move for move, value in enumerate(values) if value == max(values)]


_SHARES = {
    (0, 0, 0): (9, 6, 1), (0, 0, 1): (3, 6, 5), (0, 1, 0): (9, 1, 1), (0, 1, 1): (9, 1, 5),
    (1, 0, 0): (0, 1, 2), (1, 0, 1): (1, 1, 1), (1, 1, 0): (5, 4, 4), (1, 1, 1): (0, 2, 1),
}  # fmt: skip

# Three players, each for himself: 0, 0, 1 would follow on 0, and 1, 1, 0 is better for all but the second. Who takes the
# average (7.5 against 1.5), or thinks that the others are against him (3 against 0), plays 0 first.
BARGAIN = table_game([0, 1, 2], _SHARES.__getitem__, payoffs=(0, 9))


def _dice(moves: tuple[int, ...]) -> list[float]:
    """Choose a safe 4, a die that shows 0, 1 or 20, or one that shows 12, 2 or 0; the second player gets what is missing."""
    bet, shown = moves
    gain = ([4, 4, 4], [0, 1, 20], [12, 2, 0])[bet][shown]
    return [gain, 20 - gain]


# The die is loaded: 0.6, 0.3, 0.1. Bets are worth 4, 2.3 and 7.8; if all sides were alike, 4, 7 and 4.7.
DICE = table_game([0, CHANCE], _dice, width=3, odds=(0.6, 0.3, 0.1), payoffs=(0, 20))


def _corridor(moves: tuple[int, ...]) -> list[float]:
    """Player 0 moves twice in a row, then player 1 twice."""
    first = float(moves in {(1, 0, a, b) for a in (0, 1) for b in (0, 1)} or (moves[0] == 0 and moves[2:] != (1, 1)))
    return [first, 1 - first]


# Only 1 and then 0 wins for sure; after 0, player 1 wins by playing 1 twice, though most ends there are won.
TWICE = table_game([0, 0, 1, 1], _corridor)


def _stakes(moves: tuple[int, ...]) -> list[float]:
    """Payoffs from -10 to 10, and many between."""
    value = ([[3, -4, 9], [2, 1, 5], [-10, 10, 10]])[moves[0]][moves[1]]
    return [value, -value]


# The second player has the last word: the moves are worth -4, 1 and -10.
STAKES = table_game([0, 1], _stakes, width=3, payoffs=(-10, 10))
