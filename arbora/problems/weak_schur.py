"""Weak Schur numbers: put 1, 2, 3, … into K parts so that no part holds a + b = c with a < b (document 002, Section 3.3).

A move is the part, from 0, that takes the next number. Numbers go into the same part in *runs* a, a+1, …, b, and the work
is done by runs. Within an open run nothing has to be updated: a part whose least number is m can take a, …, a + m - 1 as far
as sums with the run's own numbers go (m + a is the first of those), and the sums of its earlier numbers are known. When the
run is over, all sums of a number of the part and a number of the run are forbidden at once, on bit sets.
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.bits import nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.problem import problem

# The highest number there is room for, by the number of parts. Up to four parts no partition goes further (WS(1..4) = 2, 8,
# 23, 66); then the highest known are 196, 646, 2146, 6976 and 22,536. An episode that filled its room would end there.
ROOM = (0, 2, 8, 23, 66, 255, 1023, 3071, 9215, 28671)
MAX_PARTS = len(ROOM) - 1

_0, _1, _6, _63, _64 = (np.uint64(n) for n in (0, 1, 6, 63, 64))
_4, _15, _30 = np.uint64(4), np.uint64(15), np.uint64(30)
_ALL = np.uint64(0xFFFFFFFFFFFFFFFF)
_MIX = np.uint64(0x9E3779B97F4A7C15)
_MIX_AGAIN = np.uint64(0xBF58476D1CE4E5B9)


@problem
class WeakSchur:
    """Put 1, 2, 3, … into parts; no part may hold a + b = c with a < b. The score is the last number that fits."""

    parts: int = param("K: how many parts", default=6, low=1, high=MAX_PARTS)
    selective: bool = param("play-outs stay in the part of the previous number while they can", default=True)
    bias_same: float = param("bias for the part of the previous number, for searches that use one", default=0.0)

    def layout(self) -> Any:
        words = self.max_length() // 64 + 1
        return [
            # The closed runs: which numbers each part has, and which it cannot take.
            ("members", np.uint64, (self.parts, words)),
            ("forbidden", np.uint64, (self.parts, words)),
            ("spread", np.uint64, (words,)),  # scratch
            ("least", np.uint64, (self.parts,)),  # 0 for an empty part
            ("latest", np.uint64, (self.parts,)),  # the last number of the closed runs; 0 if there is none
            ("hash", np.uint64),
            # The open run: part `part` has all numbers from `start` to `placed` and can take those up to `reach`.
            ("part", np.uint64),
            ("start", np.uint64),
            ("placed", np.uint64),
            ("reach", np.uint64),
        ]

    def max_moves(self) -> int:
        return self.parts

    def max_length(self) -> int:
        return ROOM[self.parts]

    def reset(self, state):
        for part in range(self.parts):
            for word in range(state.members.shape[1]):
                state.members[part, word] = _0
                state.forbidden[part, word] = _0
            state.least[part] = _0
            state.latest[part] = _0
        for word in range(state.spread.size):
            state.spread[word] = _0
        state.hash = _0
        state.part = np.uint64(self.parts)  # none
        state.start = _1
        state.placed = _0
        state.reach = _0

    def moves(self, state, out):
        open_parts = legal(state, ROOM[self.parts])
        count = 0
        while open_parts != _0:
            out[count] = trailing_zeros(open_parts)
            open_parts &= open_parts - _1
            count += 1
        return count

    def candidates(self, state, out):
        """Algorithm 6: if the part of the previous number can take the next one, nothing else is considered."""
        if self.selective and state.placed < state.reach:
            out[0] = state.part
            return 1
        return self.moves(state, out)

    def sample(self, state, out, rng):
        open_parts = legal(state, ROOM[self.parts])
        if open_parts == _0:
            return -1
        return np.int64(nth_bit(open_parts, np.uint64(rng.below(popcount(open_parts)))))

    def play(self, state, move):
        part = np.uint64(move)
        if part != state.part:
            if state.placed != _0:
                close_run(state)
            open_run(state, part, np.uint64(ROOM[self.parts]))
        state.placed += _1

    def score(self, state):
        return np.float64(state.placed)

    def code(self, state, move):
        """The part, the number, and the number before it in that part (Section 3.3)."""
        part = np.uint64(move)
        before = state.placed if part == state.part else state.latest[part]
        return (part << _30) | ((state.placed + _1) << _15) | before

    def bias(self, state, move):
        return self.bias_same if np.uint64(move) == state.part else 0.0

    def key(self, state):
        return mixed(state.hash, state.part, state.start, state.placed)

    def label(self, state, move):
        """The number and its part."""
        return np.int64((state.placed + _1) << _4 | np.uint64(move))

    def find(self, state, label, out):
        number, part = np.uint64(label) >> _4, np.uint64(label) & _15
        if number > state.placed + _1:
            return np.int64(-2)
        if number <= state.placed or legal(state, ROOM[self.parts]) >> part & _1 == _0:
            return np.int64(-1)
        return np.int64(part)

    def text(self, state, move):
        return f"{int(state.placed) + 1}→{int(move)}"

    def render(self, state):
        return "\n".join(f"{part}: {_runs(numbers)}" for part, numbers in enumerate(self.numbers_of(state)))

    def numbers_of(self, state: Any) -> list[list[int]]:
        """The numbers of each part, in order."""
        found = []
        for part in range(self.parts):
            words = [int(word) for word in state.members[part]]
            numbers = [64 * i + bit for i, word in enumerate(words) for bit in range(64) if word >> bit & 1]
            if part == state.part:
                numbers += range(int(state.start), int(state.placed) + 1)
            found.append(numbers)
        return found


@inline_kernel
def legal(state, room):
    """The parts that can take the next number, as bits."""
    number = state.placed + _1
    found = _0
    if number > np.uint64(room):
        return found
    word, bit = number >> _6, number & _63
    for part in range(state.least.size):
        found |= (~state.forbidden[part, word] >> bit & _1) << np.uint64(part)
    if state.part < np.uint64(state.least.size):  # the sums of the open run are not in `forbidden` yet
        found &= ~(_1 << state.part)
        if number <= state.reach:
            found |= _1 << state.part
    return found


@kernel
def open_run(state, part, room):
    """Let the next number start a run in `part`, and work out how far that can go."""
    start = state.placed + _1
    if state.least[part] == _0:
        state.least[part] = start
        reach = start + start  # the first sum of two different numbers is start + (start + 1)
    else:
        reach = start + state.least[part] - _1
    reach = min(reach, room)
    word = start >> _6
    ahead = state.forbidden[part, word] >> (start & _63) << (start & _63)
    while ahead == _0 and word < reach >> _6:
        word += _1
        ahead = state.forbidden[part, word]
    if ahead != _0:
        reach = min(reach, (word << _6) + trailing_zeros(ahead) - _1)
    state.part = part
    state.start = start
    state.reach = reach


@kernel
def close_run(state):
    """Forbid the sums of the open run's numbers with each other and with the part's earlier numbers; then add them.

    Equals, for each number n of the run in turn, `forbidden |= members << n` and then `members |= 1 << n`.
    """
    part, start, end = state.part, state.start, state.placed
    members, forbidden, spread = state.members[part], state.forbidden[part], state.spread
    least, latest = state.least[part], state.latest[part]
    if latest != _0:
        low, high = least >> _6, latest >> _6
        if start == end:
            shift_into(forbidden, members, low, high, start)
        else:
            high = widen(spread, members, low, high, end - start + _1)
            shift_into(forbidden, spread, low, high, start)
    set_range(forbidden, start + start + _1, end + end - _1)
    set_range(members, start, end)
    state.latest[part] = end
    state.hash = mixed(state.hash, part, start, end)


@inline_kernel
def shift_into(target, source, low, high, shift):
    """target |= source << shift, where `source` has bits in words `low` to `high` only; what goes beyond is dropped."""
    words, bits = shift >> _6, shift & _63
    last = np.uint64(target.size) - _1
    if low + words > last:
        return
    target[low + words] |= source[low] << bits
    for word in range(low + _1, min(high, last - words) + _1):
        # Two steps: a shift by 64, for bits = 0, is not defined.
        target[word + words] |= (source[word] << bits) | (source[word - _1] >> _1 >> (_63 - bits))
    if high + words < last:
        target[high + words + _1] |= source[high] >> _1 >> (_63 - bits)


@inline_kernel
def widen(spread, source, low, high, width):
    """spread = source | source << 1 | … | source << (width - 1), by doubling; returns the highest word in use."""
    last = np.uint64(spread.size) - _1
    for word in range(low, high + _1):
        spread[word] = source[word]
    done = _1
    while done < width:
        shift = min(done, width - done)
        words, bits = shift >> _6, shift & _63
        top = min(high + words + _1, last)
        for word in range(high + _1, top + _1):
            spread[word] = _0
        word = top
        while word > low + words:  # downwards, so that what is read has not been changed
            spread[word] |= (spread[word - words] << bits) | (spread[word - words - _1] >> _1 >> (_63 - bits))
            word -= _1
        if low + words <= last:
            spread[low + words] |= spread[low] << bits
        high = top if spread[top] != _0 else top - _1
        done += shift
    return high


@inline_kernel
def set_range(row, first, last):
    """Set the bits `first` to `last`, as far as the row goes."""
    last = min(last, (np.uint64(row.size) << _6) - _1)
    if first > last:
        return
    low, high = first >> _6, last >> _6
    head, tail = _ALL << (first & _63), _ALL >> (_63 - (last & _63))
    if low == high:
        row[low] |= head & tail
        return
    row[low] |= head
    for word in range(low + _1, high):
        row[word] = _ALL
    row[high] |= tail


@inline_kernel
def mixed(word, part, start, end):
    """A hash of everything before, `word`, and one more run."""
    word = (word ^ (part << _30) ^ (start << _15) ^ end) * _MIX
    word = (word ^ (word >> _30)) * _MIX_AGAIN
    return word ^ (word >> _30)


def _runs(numbers: list[int]) -> str:
    """Numbers with runs of three and more abbreviated: `1 2 4-7`."""
    shown: list[str] = []
    begin = 0
    for i, number in enumerate(numbers):
        if i + 1 == len(numbers) or numbers[i + 1] != number + 1:
            run = numbers[begin : i + 1]
            shown += [f"{run[0]}-{run[-1]}"] if len(run) > 2 else [str(n) for n in run]
            begin = i + 1
    return " ".join(shown)
