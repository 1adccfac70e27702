"""Bit operations on unsigned 64-bit words.

These are the twins in plain Python. When compiled, `arbora.engine.native` puts single machine instructions in their place:
always for `popcount` and `trailing_zeros`, for the others where the processor has them; where it has not, they compile as
they stand.
"""

import numpy as np

ZERO = np.uint64(0)
ONE = np.uint64(1)


def popcount(word: np.uint64) -> np.uint64:
    """Number of set bits."""
    return np.uint64(int(word).bit_count())


def trailing_zeros(word: np.uint64) -> np.uint64:
    """Index of the lowest set bit; `word` must not be 0."""
    return np.uint64((int(word) & -int(word)).bit_length() - 1)


def extract(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The bits of `word` under `mask`, packed together at the low end (x86 `pext`)."""
    result, place = ZERO, ONE
    word &= mask
    while word != ZERO:
        lowest = mask & (~mask + ONE)
        if word & lowest != ZERO:
            result |= place
            word ^= lowest
        place <<= ONE
        mask ^= lowest
    return result


def deposit(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The low bits of `word` spread over the set bits of `mask` (x86 `pdep`): what `extract` undoes."""
    result = ZERO
    while mask != ZERO:
        lowest = mask & (~mask + ONE)
        if word & ONE != ZERO:
            result |= lowest
        word >>= ONE
        mask ^= lowest
    return result


def nth_bit(word: np.uint64, n: np.uint64) -> np.uint64:
    """Index of the n-th set bit, counted from 0; `word` must have more than n set bits."""
    while n != ZERO:
        word &= word - ONE
        n -= ONE
    return trailing_zeros(word)
