"""Random numbers: the published generators, their ranges, and streams of their own for every seed and thread."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.engine.rng import Rng, make_rng, random_words, splitmix

MASK = 2**64 - 1


@pytest.fixture(autouse=True)
def _wrapping_words():
    with np.errstate(over="ignore"):
        yield


def xoshiro256_plus_plus(words: list[int], count: int) -> list[int]:
    """Blackman and Vigna's generator on Python's whole numbers."""

    def rotate(word: int, places: int) -> int:
        return (word << places | word >> 64 - places) & MASK

    s, drawn = list(words), []
    for _ in range(count):
        drawn.append((rotate((s[0] + s[3]) & MASK, 23) + s[0]) & MASK)
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotate(s[3], 45)
    return drawn


def test_the_published_numbers_of_xoshiro():
    rng = Rng(np.array([1, 2, 3, 4], np.uint64))
    assert [int(rng.next()) for _ in range(5)] == [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
    ]


@settings(deadline=None)
@given(st.lists(st.integers(0, MASK), min_size=4, max_size=4))
def test_any_state_gives_the_numbers_of_xoshiro(words):
    rng = Rng(np.array(words, np.uint64))
    with np.errstate(over="ignore"):
        assert [int(rng.next()) for _ in range(20)] == xoshiro256_plus_plus(words, 20)


def test_the_published_numbers_of_splitmix():
    state = 1477776061723855037
    numbers = [splitmix((state + i * 0x9E3779B97F4A7C15) & MASK) for i in range(1, 4)]
    assert numbers == [1985237415132408290, 2979275885539914483, 13511426838097143398]


@settings(deadline=None)
@given(st.integers(0, MASK), st.integers(1, 2**32 - 1))
def test_below_scales_the_upper_half_of_the_next_word(seed, n):
    rng, twin = make_rng(seed), make_rng(seed)
    with np.errstate(over="ignore"):
        for _ in range(5):
            drawn = int(rng.below(n))
            assert 0 <= drawn < n
            assert drawn == (int(twin.next()) >> 32) * n >> 32


@pytest.mark.parametrize("n", [1, 2, 7])
def test_below_draws_every_number_equally_often(n):
    rng = make_rng(3)
    counts = np.bincount([rng.below(n) for _ in range(1000 * n)], minlength=n)
    assert len(counts) == n
    assert np.sum((counts - 1000) ** 2 / 1000) < 22.5  # chi-square, 6 degrees of freedom, 0.1 %


@settings(deadline=None)
@given(st.integers(0, MASK))
def test_uniform_is_the_upper_53_bits_of_the_next_word(seed):
    rng, twin = make_rng(seed), make_rng(seed)
    with np.errstate(over="ignore"):
        for _ in range(5):
            drawn = float(rng.uniform())
            assert 0 <= drawn < 1
            assert drawn == (int(twin.next()) >> 11) / 2**53


def test_the_largest_word_stays_below_one():
    # 2^64 - 1 comes out of this state: a + d is 2^64 - 1, which rotation leaves alone, and a is 0.
    largest = Rng(np.array([0, 1, 1, MASK], np.uint64))
    assert largest.uniform() < 1
    assert Rng(np.array([0, 1, 1, MASK], np.uint64)).below(5) == 4


def test_every_seed_and_stream_has_numbers_of_its_own():
    numbers = {int(make_rng(seed, stream).next()) for seed, stream in product(range(50), range(50))}
    assert len(numbers) == 2500


def test_a_seed_gives_the_same_numbers_for_ever():
    assert [int(make_rng(seed, stream).next()) for seed, stream in [(1, 0), (1, 1), (2, 0)]] == [
        3089066754876287324,
        13403101131512372093,
        13795003224635582232,
    ]
    assert random_words(1, 4).tolist() == make_rng(1).words.tolist()
