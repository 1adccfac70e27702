"""Mixing words into keys, against SplitMix64 in whole numbers."""

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.mixing import mixed_in, scrambled
from arbora.engine.rng import splitmix
from arbora.problem import like_compiled

WORDS = st.integers(0, 2**64 - 1)


@given(WORDS)
def test_scrambled_is_splitmix(word):
    with like_compiled():
        assert int(scrambled(np.uint64(word))) == splitmix(word)


def test_two_bits_anywhere_in_four_words_give_their_own_key():
    keys = set()
    with like_compiled():
        for places in combinations(range(0, 256, 3), 2):
            words = [0, 0, 0, 0]
            for place in places:
                words[place // 64] |= 1 << place % 64
            key = np.uint64(0)
            for index, word in enumerate(words):
                key = mixed_in(key, np.uint64(index), np.uint64(word))
            keys.add(int(key))
    assert len(keys) == 86 * 85 // 2


def test_equal_words_in_other_places_give_another_key():
    with like_compiled():
        one = mixed_in(mixed_in(np.uint64(0), np.uint64(1), np.uint64(5)), np.uint64(2), np.uint64(9))
        other = mixed_in(mixed_in(np.uint64(0), np.uint64(1), np.uint64(9)), np.uint64(2), np.uint64(5))
    assert one != other
