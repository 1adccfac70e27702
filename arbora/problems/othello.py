"""Othello on 8 × 8 squares, on two words.

A move is a square, 0 to 63, row by row from the top left: as text a1 to h8, letters for columns and numbers for rows from
the top. 64 is a pass, which is a move only of a player who has no other while the opponent has one. Black begins.
"""

from typing import Any

import numpy as np

from arbora.engine.bits import nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.engine.mixing import mixed_in
from arbora.problem import problem
from arbora.problems.board_text import EDGE, board_text, standing

PASS = 64
_0, _1, _7, _8, _9 = (np.uint64(n) for n in (0, 1, 7, 8, 9))
_BLACK_START = np.uint64(1 << 28 | 1 << 35)  # e4, d5
_WHITE_START = np.uint64(1 << 27 | 1 << 36)  # d4, e5
# Without the columns a and h, so that lines to the side end at the edge of the board.
_INNER = np.uint64(0x7E7E7E7E7E7E7E7E)
_DISCS = (("●", "bold green"), ("○", "bold white"))


@problem
class Othello:
    """Two players in turn place a disc that encloses some of the other's, which change sides; more discs win."""

    def layout(self) -> Any:
        # The discs of who is to move, those of the other player, and who is to move.
        return [("mover", np.uint64), ("waiter", np.uint64), ("turn", np.uint64)]

    def max_moves(self) -> int:
        return 60

    def max_length(self) -> int:
        return 120  # 60 discs, with a pass before each at most

    def players(self) -> int:
        return 2

    def reset(self, state):
        state.mover = _BLACK_START
        state.waiter = _WHITE_START
        state.turn = _0

    def player(self, state):
        return np.int64(state.turn)

    def moves(self, state, out):
        squares = open_squares(state.mover, state.waiter)
        if squares == _0:
            if open_squares(state.waiter, state.mover) == _0:
                return 0
            out[0] = PASS
            return 1
        count = 0
        while squares != _0:
            out[count] = trailing_zeros(squares)
            squares &= squares - _1
            count += 1
        return count

    def sample(self, state, out, rng):
        squares = open_squares(state.mover, state.waiter)
        if squares == _0:
            return -1 if open_squares(state.waiter, state.mover) == _0 else PASS
        return np.int64(nth_bit(squares, np.uint64(rng.below(popcount(squares)))))

    def play(self, state, move):
        mover, waiter = state.mover, state.waiter
        if move != PASS:
            disc = _1 << np.uint64(move)
            turned = enclosed(mover, waiter, disc)
            mover |= disc | turned
            waiter ^= turned
        state.mover = waiter
        state.waiter = mover
        state.turn ^= _1

    def payoff(self, state, player):
        own, other = popcount(state.mover), popcount(state.waiter)
        if own == other:
            return 0.5
        return 1.0 if (own > other) == (player == self.player(state)) else 0.0

    def key(self, state):
        return mixed_in(mixed_in(state.turn, _0, state.mover), _1, state.waiter)

    def text(self, state, move):
        return "pass" if move == PASS else f"{'abcdefgh'[int(move) % 8]}{int(move) // 8 + 1}"

    def render(self, state: Any) -> Any:
        rows: list[Any] = [[(letter, EDGE) for letter in " abcdefgh"]]
        for number, row in enumerate(self.rows_of(state), start=1):
            rows.append([(str(number), EDGE), *(("·", EDGE) if owner < 0 else _DISCS[owner] for owner in row)])
        over = bool(open_squares(state.mover, state.waiter) | open_squares(state.waiter, state.mover) == _0)
        black, white = (sum(row.count(player) for row in self.rows_of(state)) for player in (0, 1))
        caption = standing("●○", self.player(state), over, self.payoff(state, 0))
        return board_text(rows, f"● {black}  ○ {white}  {caption}")

    def rows_of(self, state: Any) -> list[list[int]]:
        """Whose disc is on each square, row by row from the top: player 0, player 1, or -1 for none."""
        player = int(self.player(state))
        boards = {player: int(state.mover), 1 - player: int(state.waiter)}

        def owner(square: int) -> int:
            return next((player for player in (0, 1) if boards[player] >> square & 1), -1)

        return [[owner(8 * row + column) for column in range(8)] for row in range(8)]


@kernel
def open_squares(mover, waiter):
    """The squares where a disc of the mover encloses some of the waiter's."""
    inner = waiter & _INNER
    reached = ends(mover, inner, _1) | ends(mover, inner, _7) | ends(mover, inner, _9) | ends(mover, waiter, _8)
    return reached & ~(mover | waiter)


@kernel
def enclosed(mover, waiter, disc):
    """The waiter's discs between a new disc and others of the mover."""
    inner = waiter & _INNER
    return (
        between(mover, inner, disc, _1)
        | between(mover, inner, disc, _7)
        | between(mover, inner, disc, _9)
        | between(mover, waiter, disc, _8)
    )


@inline_kernel
def ends(mover, waiter, step):
    """The squares behind unbroken lines of the waiter's discs that begin at a disc of the mover, to both sides."""
    return line_up(mover, waiter, step) << step | line_down(mover, waiter, step) >> step


@inline_kernel
def between(mover, waiter, disc, step):
    """The waiter's discs that `disc` and a disc of the mover have between them, to both sides."""
    up, down = line_up(disc, waiter, step), line_down(disc, waiter, step)
    turned = up if up << step & mover != _0 else _0
    return turned | down if down >> step & mover != _0 else turned


@inline_kernel
def line_up(discs, waiter, step):
    """The waiter's discs in unbroken lines behind `discs`, up to six, towards higher squares.

    Equals six times `line |= waiter & (discs | line) << step`, in steps of one, one, two and two.
    """
    line = waiter & discs << step
    line |= waiter & line << step
    pairs, two = waiter & waiter << step, step << _1
    line |= pairs & line << two
    return line | pairs & line << two


@inline_kernel
def line_down(discs, waiter, step):
    """The same towards lower squares."""
    line = waiter & discs >> step
    line |= waiter & line >> step
    pairs, two = waiter & waiter >> step, step << _1
    line |= pairs & line >> two
    return line | pairs & line >> two
