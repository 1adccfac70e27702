"""Bit operations: the portable twins against whole-number arithmetic, the machine instructions against the twins."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from arbora.engine import compile
from arbora.engine.bits import deposit, extract, nth_bit, popcount, trailing_zeros

WORDS = st.integers(0, 2**64 - 1) | st.integers(0, 63).map(lambda place: 1 << place) | st.sampled_from([0, 2**64 - 1])


def places(word: int) -> list[int]:
    """Indices of the set bits, lowest first."""
    return [place for place in range(64) if word >> place & 1]


@settings(deadline=None)
@given(WORDS)
def test_popcount(word):
    assert popcount(np.uint64(word)) == word.bit_count()


@settings(deadline=None)
@given(WORDS.filter(bool))
def test_trailing_zeros(word):
    assert trailing_zeros(np.uint64(word)) == (word & -word).bit_length() - 1


@settings(deadline=None)
@given(WORDS, WORDS)
def test_extract(word, mask):
    with np.errstate(over="ignore"):
        packed = int(extract(np.uint64(word), np.uint64(mask)))
    assert packed == sum((word >> place & 1) << i for i, place in enumerate(places(mask)))


@settings(deadline=None)
@given(WORDS, WORDS)
def test_deposit_spreads_what_extract_packs(word, mask):
    with np.errstate(over="ignore"):
        spread = int(deposit(np.uint64(word), np.uint64(mask)))
        assert int(deposit(extract(np.uint64(word), np.uint64(mask)), np.uint64(mask))) == word & mask
    assert spread == sum((word >> i & 1) << place for i, place in enumerate(places(mask)))


@settings(deadline=None)
@given(WORDS.filter(bool))
def test_nth_bit(word):
    assert [nth_bit(np.uint64(word), np.uint64(n)) for n in range(word.bit_count())] == places(word)


def test_extract_by_hand():
    assert extract(np.uint64(0b1011_0010), np.uint64(0b1111_0000)) == 0b1011
    assert extract(np.uint64(0b1011_0010), np.uint64(0b1010_1010)) == 0b1101


def all_operations(words, masks, out):
    for i in range(words.size):
        out[i, 0] = popcount(words[i])
        out[i, 1] = trailing_zeros(words[i])
        out[i, 2] = extract(words[i], masks[i])
        out[i, 3] = nth_bit(words[i], popcount(words[i]) // np.uint64(2))
        out[i, 4] = deposit(words[i], masks[i])


def test_machine_instructions_equal_the_portable_twins():
    rng = np.random.default_rng(1)
    words, masks = rng.integers(0, 2**64, (2, 2000), np.uint64)
    words[:64] = masks[64:128] = np.uint64(1) << np.arange(64, dtype=np.uint64)
    words[500:1000] &= rng.integers(0, 2**64, 500, np.uint64) & rng.integers(0, 2**64, 500, np.uint64)
    words[words == 0] = 2**64 - 1
    masks[200:210], masks[210:220], words[220:230] = 0, 2**64 - 1, 2**64 - 1
    native, portable = np.zeros((2, words.size, 5), np.uint64)
    compile.prepare(())
    njit(all_operations)(words, masks, native)
    with np.errstate(over="ignore"):
        all_operations(words, masks, portable)
    assert np.array_equal(native, portable)
