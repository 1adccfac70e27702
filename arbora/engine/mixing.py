"""Keys of positions from words that say what is where."""

import numpy as np

from arbora.engine.kernel import inline_kernel

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_FIRST, _SECOND = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_27, _30, _31 = np.uint64(27), np.uint64(30), np.uint64(31)


@inline_kernel
def scrambled(word):
    """SplitMix64's output function: every bit of the word changes about half of the result's. `rng.splitmix` is its twin."""
    word = (word ^ (word >> _30)) * _FIRST
    word = (word ^ (word >> _27)) * _SECOND
    return word ^ (word >> _31)


@inline_kernel
def mixed_in(key, index, word):
    """A key with one more word in it, the one with this index; in any order.

    A sum of words times constants will not do: a high bit of a word changes nothing but high bits of such a sum, so boards
    that differ in two blocks of the top rows would have the same key.
    """
    return key + scrambled(word ^ (index * _GOLDEN))
