"""A tree of information sets in flat memory: what the player to move sees is the key to what is known of his moves.

The moves of a set are one block of neighbours in a pool. Where the moves differ between positions that look alike, a set
learns of them one by one, and its block moves to a place with more room when it is full.
"""

from typing import Any

import numpy as np

from arbora.component import make_component

SET = np.dtype(
    [("key", np.uint64), ("first", np.int32), ("count", np.int32), ("room", np.int32), ("used", np.int32)], align=True
)
ARM = np.dtype(
    [
        ("move", np.int32),
        ("visits", np.int32),
        ("available", np.int32),  # how often the move was there to be chosen
        ("total", np.float64),  # sum of payoffs for the player who moves
    ],
    align=True,
)
_NOWHERE = -1
_DENSITY = 2  # slots of the table for each set


@make_component
class InformationTree:
    """Sets by open addressing, and the pool of their moves."""

    sets: np.ndarray  # SET[2**bits]
    arms: np.ndarray  # ARM[capacity]
    sizes: np.ndarray  # int64[3]: sets in use, arms in use, and the number of the search that they belong to

    def begin(self):
        """Forget everything."""
        self.sizes[0] = 0
        self.sizes[1] = 0
        self.sizes[2] += 1

    def find(self, key):
        """The set of a key, an empty one if it is new; -1 if there is no room for it."""
        last = np.uint64(self.sets.size - 1)
        slot = key & last
        stamp = np.int32(self.sizes[2])
        while self.sets[slot].used == stamp and self.sets[slot].key != key:
            slot = (slot + np.uint64(1)) & last
        if self.sets[slot].used != stamp:
            if self.sizes[0] * _DENSITY >= self.sets.size:
                return np.int64(_NOWHERE)
            self.sizes[0] += 1
            self.sets[slot].key = key
            self.sets[slot].used = stamp
            self.sets[slot].first = 0
            self.sets[slot].count = 0
            self.sets[slot].room = 0
        return np.int64(slot)

    def arm(self, index, place, count, move):
        """Where a move of a set is in the pool, which is made if it is new; -1 if there is no room for it.

        It is looked for at its place in the list of `count` legal moves first.
        """
        entry = self.sets[index]
        first = np.int64(entry.first)
        if place < entry.count and self.arms[first + place].move == move:
            return first + place
        for other in range(entry.count):
            if self.arms[first + other].move == move:
                return first + other
        if entry.count == entry.room and not self.widen(entry, max(count, 2 * entry.room)):
            return np.int64(_NOWHERE)
        made = np.int64(entry.first) + entry.count
        entry.count += 1
        self.arms[made].move = move
        self.arms[made].visits = 0
        self.arms[made].available = 0
        self.arms[made].total = 0.0
        return made

    def widen(self, entry, room):
        """Give a set room for so many moves. Is there so much?"""
        first = self.sizes[1]
        if first + room > self.arms.size:
            return False
        for i in range(entry.count):
            self.arms[first + i] = self.arms[entry.first + i]
        entry.first = first
        entry.room = room
        self.sizes[1] = first + room
        return True


def make_information_tree(capacity: int) -> Any:
    """An empty tree with room for `capacity` moves."""
    made: Any = InformationTree(
        sets=np.zeros(1 << (_DENSITY * capacity // 2).bit_length(), SET),
        arms=np.zeros(capacity, ARM),
        sizes=np.zeros(3, np.int64),
    )
    return made
