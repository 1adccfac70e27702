"""When each move was first made in a play-out, from some point on: what all-moves-as-first counts (document 004, 3.1).

Filled from the end of the play-out backwards, so that at every point the table tells of what came after it. A table from
moves to times by open addressing; entries of earlier play-outs are known by their stamp, so nothing is ever cleared.
"""

from typing import Any

import numpy as np

from arbora.component import make_component


@make_component
class FirstMoves:
    """The first time of each move in the play-out at hand."""

    moves: np.ndarray  # int32[2**bits]
    times: np.ndarray  # int32[2**bits]
    stamps: np.ndarray  # int64[2**bits]: the play-out an entry belongs to
    now: np.ndarray  # int64[1]: the play-out at hand

    def begin(self):
        """Forget all; a new play-out."""
        self.now[0] += 1

    def note(self, move, time):
        """The move was made at this time, before all that was noted so far."""
        slot = self.slot(move)
        self.moves[slot] = move
        self.times[slot] = time
        self.stamps[slot] = self.now[0]

    def time_of(self, move):
        """When the move was first made, -1 for never."""
        slot = self.slot(move)
        if self.stamps[slot] != self.now[0]:
            return np.int64(-1)
        return np.int64(self.times[slot])

    def slot(self, move):
        """The place of a move, or the free one where it would go."""
        last = np.uint64(self.moves.size - 1)
        slot = np.uint64(move) & last
        while self.stamps[slot] == self.now[0] and self.moves[slot] != move:
            slot = (slot + np.uint64(1)) & last
        return slot


def make_first_moves(max_moves: int, max_length: int) -> Any:
    """A table for play-outs of at most `max_length` moves."""
    size = 1 << (2 * max(max_moves, max_length)).bit_length()
    return FirstMoves(
        moves=np.zeros(size, np.int32),
        times=np.zeros(size, np.int32),
        stamps=np.zeros(size, np.int64),
        now=np.zeros(1, np.int64),
    )
