"""Connect four on the standard board, 7 columns of 6 cells, on two words.

A move is a column, 0 to 6 from the left; people call them 1 to 7. A column has eight bits, the lowest cell first; the two
that are never set keep lines from running on in the next column.
"""

from typing import Any

import numpy as np

from arbora.engine.bits import nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.problem import problem
from arbora.problems.board_text import EDGE, board_text, standing

WIDTH, HEIGHT = 7, 6
_0, _1, _3, _7, _8, _9 = (np.uint64(n) for n in (0, 1, 3, 7, 8, 9))
_BOTTOM = np.uint64(sum(1 << 8 * column for column in range(WIDTH)))
_CELLS = np.uint64(sum((1 << HEIGHT) - 1 << 8 * column for column in range(WIDTH)))
_DISCS = (("●", "bold red"), ("○", "bold yellow"))


@problem
class ConnectFour:
    """Two players in turn drop a disc into one of seven columns; four in a line win."""

    def layout(self) -> Any:
        return [("mover", np.uint64), ("taken", np.uint64)]  # the cells of who is to move, and of both players

    def max_moves(self) -> int:
        return WIDTH

    def max_length(self) -> int:
        return WIDTH * HEIGHT

    def players(self) -> int:
        return 2

    def reset(self, state):
        state.mover = _0
        state.taken = _0

    def player(self, state):
        return np.int64(popcount(state.taken) & _1)

    def moves(self, state, out):
        cells = open_cells(state)
        count = 0
        while cells != _0:
            out[count] = trailing_zeros(cells) >> _3
            cells &= cells - _1
            count += 1
        return count

    def sample(self, state, out, rng):
        cells = open_cells(state)
        if cells == _0:
            return -1
        return np.int64(nth_bit(cells, np.uint64(rng.below(popcount(cells)))) >> _3)

    def play(self, state, move):
        state.mover ^= state.taken
        state.taken |= state.taken + (_1 << (np.uint64(move) << _3))  # the carry goes to the first free cell

    def payoff(self, state, player):
        if not has_four(state.mover ^ state.taken):
            return 0.5
        return 0.0 if player == self.player(state) else 1.0

    def key(self, state):
        # The first free cell of each column, and below it the mover's discs: no two positions have the same.
        return scrambled(state.mover | state.taken + _BOTTOM)

    def text(self, state, move):
        return str(int(move) + 1)

    def render(self, state: Any) -> Any:
        rows: list[Any] = [[(str(column + 1), EDGE) for column in range(WIDTH)]]
        for row in self.rows_of(state):
            rows.append([("·", EDGE) if owner < 0 else _DISCS[owner] for owner in row])
        over = bool(open_cells(state) == _0)
        return board_text(rows, standing("●○", self.player(state), over, self.payoff(state, 0)))

    def rows_of(self, state: Any) -> list[list[int]]:
        """Who has each cell, row by row from the top: player 0, player 1, or -1 for nobody."""
        player = int(self.player(state))
        boards = {player: int(state.mover), 1 - player: int(state.mover ^ state.taken)}

        def owner(column: int, row: int) -> int:
            return next((player for player in (0, 1) if boards[player] >> (8 * column + row) & 1), -1)

        return [[owner(column, row) for column in range(WIDTH)] for row in reversed(range(HEIGHT))]


@inline_kernel
def open_cells(state):
    """The first free cell of each column: none when the game is over."""
    if has_four(state.mover ^ state.taken):
        return _0
    return state.taken + _BOTTOM & _CELLS


@inline_kernel
def has_four(cells):
    """Are there four in a column, a row or a diagonal?"""
    return lined(cells, _1) | lined(cells, _8) | lined(cells, _7) | lined(cells, _9) != _0


@inline_kernel
def lined(cells, step):
    """The first cells of all lines of four that go on in this step."""
    pairs = cells & cells >> step
    return pairs & pairs >> (step << _1)
