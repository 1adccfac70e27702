"""The memory of an adaptive policy: a weight for each move code, one table per level of nesting.

Open addressing with linear probing. A table starts small and doubles when it is half full, up to a capacity given once;
codes that come later than that keep the weight 0 and are not learned. Copying a policy is copying its table. Behind each
table lies one scrap entry, which stands for all codes that found no place.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.kernel import inline_kernel

ENTRY = np.dtype([("key", np.uint64), ("weight", np.float64), ("gibbs", np.float64), ("change", np.float64)], align=True)

_FIRST_BITS = 10
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
# Stored keys are codes XOR this, so that small codes, 0 among them, are not mistaken for an empty entry.
_SALT = np.uint64(0x6A09E667F3BCC909)
_0, _1, _64 = np.uint64(0), np.uint64(1), np.uint64(64)


@make_component
class Weights:
    """Tables 1 .. levels of move codes; table 0 is the spare one that growing works in."""

    entries: np.ndarray  # ENTRY[levels + 1, capacity + 1]
    bits: np.ndarray  # int64[levels + 1]: log2 of the size in use
    used: np.ndarray  # int64[levels + 1]

    def clear(self, level):
        """Forget all weights of a level."""
        self.bits[level] = min(_FIRST_BITS, self.max_bits())
        self.used[level] = 0
        table = self.entries[level]
        for i in range(1 << self.bits[level]):
            table[i].key = _0
        enter(table, self.scrap(), _0)

    def copy(self, source, target):
        """Give one level the weights of another."""
        self.bits[target] = self.bits[source]
        self.used[target] = self.used[source]
        old, new = self.entries[source], self.entries[target]
        for i in range(1 << self.bits[source]):
            new[i] = old[i]
        enter(new, self.scrap(), _0)

    def max_bits(self):
        bits = 0
        while 2 << bits < self.entries.shape[1]:
            bits += 1
        return bits

    def scrap(self):
        """The entry for codes that found no place."""
        return np.uint64(self.entries.shape[1] - 1)

    def slot(self, level, code):
        """Where the code's entry is, made if need be; the scrap entry if the table is full."""
        i = find(self.entries[level], self.bits[level], code)
        if self.entries[level][i].key == _0:
            if 2 * self.used[level] >= 1 << self.bits[level]:
                if self.bits[level] == self.max_bits():
                    return self.scrap()
                self.grow(level)
                i = find(self.entries[level], self.bits[level], code)
            enter(self.entries[level], i, key_of(code))
            self.used[level] += 1
        return i

    def grow(self, level):
        """Double the table."""
        size = 1 << self.bits[level]
        table, spare = self.entries[level], self.entries[0]
        for i in range(size):
            spare[i] = table[i]
        for i in range(2 * size):
            table[i].key = _0
        self.bits[level] += 1
        for i in range(size):
            if spare[i].key != _0:
                table[find(table, self.bits[level], spare[i].key ^ _SALT)] = spare[i]


@inline_kernel
def key_of(code):
    """What is stored for a code: never 0, which marks an empty entry."""
    key = code ^ _SALT
    return key if key != _0 else _1


@inline_kernel
def find(table, bits, code):
    """Index of the code's entry, or of the empty one where it would go."""
    key = key_of(code)
    last = (_1 << np.uint64(bits)) - _1
    i = (key * _GOLDEN) >> (_64 - np.uint64(bits))
    while table[i].key != key and table[i].key != _0:
        i = (i + _1) & last
    return i


@inline_kernel
def enter(table, i, key):
    entry = table[i]
    entry.key = key
    entry.weight = 0.0
    entry.gibbs = 1.0
    entry.change = 0.0


@inline_kernel
def gibbs(table, bits, code):
    """exp(k * weight) of a code; 1 if it has never been learned."""
    entry = table[find(table, bits, code)]
    if entry.key == _0:
        return 1.0
    return entry.gibbs


def make_weights(levels: int, capacity: int) -> Any:
    size = 1 << max(capacity - 1, 1).bit_length()
    return Weights(
        entries=np.empty((levels + 1, size + 1), ENTRY),
        bits=np.zeros(levels + 1, np.int64),
        used=np.zeros(levels + 1, np.int64),
    )
