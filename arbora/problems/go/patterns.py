"""3×3 patterns: points around the last move where a fighting move often fits, in the manner of MoGo's play-outs.

A pattern shows the eight neighbours of an empty point. Both colours may take either role, in all eight symmetries.
"""

from functools import cache
from itertools import product

import numpy as np

from arbora.engine.kernel import inline_kernel

# X and O are stones of different colours, . is empty, - the border; x is anything but X, o anything but O, ? anything.
PATTERNS = (
    "XOX / .*. / ???",  # hane around a stone between two
    "XO. / .*. / ?.?",  # hane
    "XO? / X*. / x.?",  # turn
    ".O. / X*. / ...",  # shoulder hit
    "XO? / O*o / ?o?",  # cut that nobody protects
    "XO? / O*X / ???",  # cut that is peeped at
    "?X? / O*O / ooo",  # cut between two stones
    "OX? / o*O / ???",  # cut of a knight's move
    "X.? / O*? / ---",  # chase along the edge
    "OX? / X*O / ---",  # block a cut on the edge
    "?X? / x*O / ---",  # block a connection on the edge
    "?XO / x*x / ---",  # descend to the edge
    "?OX / X*O / ---",  # cut on the edge
)
_KINDS = {".": ".", "X": "X", "O": "O", "-": "-", "x": ".O-", "o": ".X-", "?": ".XO-"}
# Where the colours of the eight neighbours, read row by row from the north-west, are in a word of `around`.
_SHIFTS = (12, 6, 14, 0, 2, 8, 4, 10)


@inline_kernel
def matches(patterns, around):
    """Does what is around an empty point match one of the patterns?"""
    word = np.uint64(around)
    return (patterns[word >> np.uint64(6)] >> (word & np.uint64(63))) & np.uint64(1) != np.uint64(0)


@cache
def pattern_table() -> np.ndarray:
    """A bit for each of the 65,536 surroundings: does it match? 64 of them in each word."""
    found = np.zeros(1 << 16, bool)
    for pattern in PATTERNS:
        for way in _symmetries(pattern.replace(" ", "").replace("/", "")):
            neighbors = way[:4] + way[5:]
            for colors in ({".": 0, "X": 1, "O": 2, "-": 3}, {".": 0, "X": 2, "O": 1, "-": 3}):
                for stones in product(*(_KINDS[kind] for kind in neighbors)):
                    found[sum(colors[stone] << shift for stone, shift in zip(stones, _SHIFTS, strict=True))] = True
    return np.packbits(found, bitorder="little").view(np.uint64)


def _symmetries(square: str) -> set[str]:
    """A 3×3 square, as nine letters row by row, turned and mirrored in all ways."""
    ways = set()
    for _ in range(4):
        square = "".join(square[3 * (2 - column) + row] for row in range(3) for column in range(3))
        ways |= {square, "".join(square[3 * row : 3 * row + 3][::-1] for row in range(3))}
    return ways
