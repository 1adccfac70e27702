"""Random numbers: xoshiro256++, seeded by SplitMix64, one independent stream per thread."""

import numpy as np

from arbora.component import make_component

_MASK = (1 << 64) - 1

_R17, _R19, _R23, _R41, _R45 = (np.uint64(n) for n in (17, 19, 23, 41, 45))
_R11, _R32 = np.uint64(11), np.uint64(32)
_UNIT = 1.0 / (1 << 53)


@make_component
class Rng:
    """A stream of random numbers; `words` is its 256-bit state, advanced in place."""

    words: np.ndarray

    def next(self):
        """64 random bits."""
        w = self.words
        a, b, c, d = w[0], w[1], w[2], w[3]
        total = a + d
        result = ((total << _R23) | (total >> _R41)) + a
        c ^= a
        d ^= b
        w[1] = b ^ c
        w[0] = a ^ d
        w[2] = c ^ (b << _R17)
        w[3] = (d << _R45) | (d >> _R19)
        return result

    def below(self, n):
        """A whole number in 0 .. n-1; n must be under 2**32."""
        return np.int64(((self.next() >> _R32) * np.uint64(n)) >> _R32)

    def uniform(self):
        """A float in [0, 1)."""
        return np.float64(self.next() >> _R11) * _UNIT


def splitmix(value: int) -> int:
    """SplitMix64's output function: a well-mixed 64-bit word from any 64-bit word."""
    value = (value ^ (value >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    value = (value ^ (value >> 27)) * 0x94D049BB133111EB & _MASK
    return value ^ (value >> 31)


def random_words(seed: int, count: int, stream: int = 0) -> np.ndarray:
    """`count` words of SplitMix64, started from the seed and the number of the stream."""
    state = splitmix((seed & _MASK) ^ splitmix(stream * 0x9E3779B97F4A7C15 + 1 & _MASK))
    words = np.empty(count, np.uint64)
    for i in range(count):
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        words[i] = splitmix(state)
    return words


def make_rng(seed: int, stream: int = 0) -> Rng:
    """The generator of one thread (`stream`) of a run with this seed."""
    return Rng(random_words(seed, 4, stream))
