"""Bit operations on unsigned 64-bit words.

These are the portable twins, plain Python that numba could compile as it stands. When compiled, `arbora.engine.native`
puts single machine instructions in their place where the processor has them.
"""

import numpy as np

ZERO = np.uint64(0)
ONE = np.uint64(1)


def popcount(word: np.uint64) -> np.uint64:
    """Number of set bits."""
    count = ZERO
    while word != ZERO:
        word &= word - ONE
        count += ONE
    return count


def trailing_zeros(word: np.uint64) -> np.uint64:
    """Index of the lowest set bit; `word` must not be 0."""
    count = ZERO
    while word & ONE == ZERO:
        word >>= ONE
        count += ONE
    return count


def extract(word: np.uint64, mask: np.uint64) -> np.uint64:
    """The bits of `word` under `mask`, packed together at the low end (x86 `pext`)."""
    result, place = ZERO, ONE
    while mask != ZERO:
        lowest = mask & (~mask + ONE)
        if word & lowest != ZERO:
            result |= place
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
