"""A table from position keys to items (node numbers, say): open addressing with linear probing, of fixed size.

A key of 0 means "none" and is never stored. At most half of the places are used, which is the caller's promise: it stores
no more items than it asked room for.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.kernel import inline_kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_0, _1, _64 = np.uint64(0), np.uint64(1), np.uint64(64)


@make_component
class Keys:
    """Keys and the item each stands for."""

    keys: np.ndarray  # uint64[2**bits]: 0 where there is none
    items: np.ndarray  # int32[2**bits]
    bits: int

    def clear(self):
        for i in range(self.keys.size):
            self.keys[i] = _0

    def get(self, key):
        """The item of a key, -1 if it is not there."""
        i = slot(self, key)
        if key == _0 or self.keys[i] == _0:
            return np.int64(-1)
        return np.int64(self.items[i])

    def put(self, key, item):
        """Let a key stand for an item, whatever it stood for before. Nothing happens for key 0."""
        if key != _0:
            i = slot(self, key)
            self.keys[i] = key
            self.items[i] = item

    def remove(self, key):
        """Forget a key, if it is there: those behind it move up, so that no search ends too early."""
        last = np.uint64(self.keys.size - 1)
        gap = slot(self, key)
        if key == _0 or self.keys[gap] == _0:
            return
        i = gap
        while True:
            i = (i + _1) & last
            if self.keys[i] == _0:
                break
            home = home_of(self, self.keys[i])
            if ((i - home) & last) >= ((i - gap) & last):  # its way from home leads over the gap
                self.keys[gap] = self.keys[i]
                self.items[gap] = self.items[i]
                gap = i
        self.keys[gap] = _0


@inline_kernel
def home_of(table, key):
    """The place where a key is looked for first."""
    return (key * _GOLDEN) >> (_64 - np.uint64(table.bits))


@inline_kernel
def slot(table, key):
    """The place of a key, or the free one where it would go."""
    last = np.uint64(table.keys.size - 1)
    i = home_of(table, key)
    while table.keys[i] != key and table.keys[i] != _0:
        i = (i + _1) & last
    return i


def make_keys(capacity: int) -> Any:
    """A table with room for `capacity` keys."""
    bits = max(2 * capacity - 1, 1).bit_length()
    return Keys(keys=np.zeros(1 << bits, np.uint64), items=np.empty(1 << bits, np.int32), bits=bits)
