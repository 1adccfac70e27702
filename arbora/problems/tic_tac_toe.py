"""Tic-tac-toe, on two words of nine bits.

A move is a cell, 0 to 8, row by row from the top left; people call them 1 to 9. The empty cells of a printed board show
their numbers.
"""

from typing import Any

import numpy as np

from arbora.engine.bits import nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.problem import problem
from arbora.problems.board_text import EDGE, board_text, standing

_0, _1, _2, _3, _4, _6, _8, _9 = (np.uint64(n) for n in (0, 1, 2, 3, 4, 6, 8, 9))
_ALL = np.uint64(0b111_111_111)
_FIRST_ROW, _FIRST_COLUMN, _TOP_LEFT, _TOP_RIGHT = (np.uint64(n) for n in (0b111, 0b001_001_001, 0b001, 0b100))
_SIGNS = (("X", "bold red"), ("O", "bold blue"))


@problem
class TicTacToe:
    """Two players in turn put a sign on one of nine cells; three in a row win."""

    def layout(self) -> Any:
        return [("mover", np.uint64), ("waiter", np.uint64)]  # the cells of who is to move, and of the other player

    def max_moves(self) -> int:
        return 9

    def max_length(self) -> int:
        return 9

    def players(self) -> int:
        return 2

    def reset(self, state):
        state.mover = _0
        state.waiter = _0

    def player(self, state):
        return np.int64(popcount(state.mover | state.waiter) & _1)

    def moves(self, state, out):
        cells = open_cells(state)
        count = 0
        while cells != _0:
            out[count] = trailing_zeros(cells)
            cells &= cells - _1
            count += 1
        return count

    def sample(self, state, out, rng):
        cells = open_cells(state)
        if cells == _0:
            return -1
        return np.int64(nth_bit(cells, np.uint64(rng.below(popcount(cells)))))

    def play(self, state, move):
        moved = state.mover | _1 << np.uint64(move)
        state.mover = state.waiter
        state.waiter = moved

    def payoff(self, state, player):
        if not has_three(state.waiter):
            return 0.5
        return 0.0 if player == self.player(state) else 1.0

    def key(self, state):
        return scrambled(_1 | state.mover << _1 | state.waiter << (_1 + _9))

    def text(self, state, move):
        return str(int(move) + 1)

    def render(self, state: Any) -> Any:
        owners = self.cells_of(state)
        cells = [(str(cell + 1), EDGE) if owner < 0 else _SIGNS[owner] for cell, owner in enumerate(owners)]
        over = bool(open_cells(state) == _0)
        caption = standing("XO", self.player(state), over, self.payoff(state, 0))
        return board_text([cells[0:3], cells[3:6], cells[6:9]], caption)

    def cells_of(self, state: Any) -> list[int]:
        """Who has each cell: player 0, player 1, or -1 for nobody."""
        player = int(self.player(state))
        boards = {player: int(state.mover), 1 - player: int(state.waiter)}
        return [next((owner for owner in (0, 1) if boards[owner] >> cell & 1), -1) for cell in range(9)]


@inline_kernel
def open_cells(state):
    """The cells that may be taken: none when the game is over."""
    if has_three(state.waiter):
        return _0
    return _ALL & ~(state.mover | state.waiter)


@inline_kernel
def has_three(cells):
    """Are there three in a row, a column or a diagonal?"""
    rows = cells & cells >> _1 & cells >> _2 & _FIRST_COLUMN
    columns = cells & cells >> _3 & cells >> _6 & _FIRST_ROW
    falling = cells & cells >> _4 & cells >> _8 & _TOP_LEFT
    rising = cells & cells >> _2 & cells >> _4 & _TOP_RIGHT
    return rows | columns | falling | rising != _0
