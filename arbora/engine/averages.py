"""The average score of each action, wherever it was used: one table of sums, keyed by move codes.

The sums stand in the order in which the codes came, so what is known of an action keeps its place. A small index of twice as
many places, which doubles as it fills, finds it: open addressing with linear probing. Once there is no room for more codes,
all others are taken for actions that were never used.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.kernel import inline_kernel

SUMS = np.dtype([("code", np.uint64), ("uses", np.int64), ("total", np.float64)], align=True)

_FIRST_BITS = 10
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_1, _64 = np.uint64(1), np.uint64(64)


@make_component
class Averages:
    """Sums of scores, one row for each code, and a last one for all uses of all actions."""

    sums: np.ndarray  # SUMS[capacity + 1]
    used: np.ndarray  # int64[1]: rows in use, without the last
    index: np.ndarray  # int32[a power of two]: the row of a code plus 1; 0 for none
    bits: np.ndarray  # int64[1]: log2 of the part of the index in use

    def clear(self):
        """Forget everything."""
        self.used[0] = 0
        self.empty_index(_FIRST_BITS)
        everything = self.sums[self.all_uses()]
        everything.uses = 0
        everything.total = 0.0

    def all_uses(self):
        """The row of all uses together."""
        return np.int64(self.sums.size - 1)

    def row(self, code):
        """The row of a code; that of all uses if it has none."""
        found = self.index[slot(self, code)]
        return np.int64(found) - 1 if found > 0 else self.all_uses()

    def enter(self, code):
        """The same, but a new code gets a row if there is room."""
        i = slot(self, code)
        if self.index[i] > 0:
            return np.int64(self.index[i]) - 1
        row = self.used[0]
        if row == self.all_uses():
            return row
        new = self.sums[row]
        new.code = code
        new.uses = 0
        new.total = 0.0
        self.used[0] = row + 1
        self.index[i] = row + 1
        if 2 * self.used[0] > 1 << self.bits[0]:
            self.grow()
        return row

    def add(self, row, score):
        """One more use of the action of a row, in an episode with this score."""
        everything = self.sums[self.all_uses()]
        everything.uses += 1
        everything.total += score
        if row != self.all_uses():
            action = self.sums[row]
            action.uses += 1
            action.total += score

    def mean(self, row):
        """The average score of an action; of all uses of all actions if it was never used; 0 if none was."""
        found = self.sums[row]
        if found.uses == 0:
            found = self.sums[self.all_uses()]
        return found.total / found.uses if found.uses > 0 else 0.0

    def empty_index(self, bits):
        self.bits[0] = bits
        for i in range(1 << bits):
            self.index[i] = 0

    def grow(self):
        """Double the index."""
        self.empty_index(self.bits[0] + 1)
        for row in range(self.used[0]):
            self.index[slot(self, self.sums[row].code)] = row + 1


@inline_kernel
def slot(table, code):
    """The place of a code in the index, or the free one where it would go."""
    last = (_1 << np.uint64(table.bits[0])) - _1
    i = (code * _GOLDEN) >> (_64 - np.uint64(table.bits[0]))
    while table.index[i] > 0 and table.sums[table.index[i] - 1].code != code:
        i = (i + _1) & last
    return i


def make_averages(capacity: int) -> Any:
    """An empty table with room for `capacity` codes."""
    bits = max(_FIRST_BITS, (2 * capacity - 1).bit_length())
    table: Any = Averages(
        sums=np.empty(capacity + 1, SUMS),
        used=np.zeros(1, np.int64),
        index=np.empty(1 << bits, np.int32),
        bits=np.zeros(1, np.int64),
    )
    table.sums[capacity] = (0, 0, 0.0)
    table.empty_index(_FIRST_BITS)
    return table
