"""Lines: whole episodes that can be edited, each with positions kept on the way.

A line is a list of moves and their labels, from the start to the end of an episode. Some positions on the way are kept
(all of them, if memory allows), so that a changed line is played only from the change on. Among its positions a line keeps
the last one, from which its score follows.

When a changed line comes back to a position of the old one (equal keys), the rest of the old line is taken over as it is.
The positions taken over still hold the old line's score so far; `gain` says how much must be added to what they tell.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.problem import bounds, new_states, state_dtype

_NONE = np.uint64(0)
MEMORY = 1 << 26  # bytes that the kept positions of all lines may take


@make_component
class Lines:
    """Some lines of equal room, numbered from 0."""

    labels: np.ndarray  # int64[lines, max_length]
    moves: np.ndarray  # int32[lines, max_length]
    length: np.ndarray  # int64[lines]
    states: np.ndarray  # state[lines, slots]: the kept positions
    at: np.ndarray  # int64[lines, slots]: how many moves lead to each
    keys: np.ndarray  # uint64[lines, slots]
    gain: np.ndarray  # float64[lines, slots]
    kept: np.ndarray  # int64[lines]: positions in use
    last: np.ndarray  # state[lines]: where the line ends
    last_gain: np.ndarray  # float64[lines]
    score: np.ndarray  # float64[lines]
    worth: np.ndarray  # float64[lines]: the score as annealing sees it
    stride: int  # most moves between two kept positions, unless a line was taken over

    def begin(self, line, problem, start):
        """An empty line at the position `start`."""
        self.length[line] = 0
        self.kept[line] = 0
        self.keep(line, problem, start, 0.0)

    def keep(self, line, problem, state, gain):
        """Keep the position after the line's moves so far, if it is time for one."""
        slot = self.kept[line]
        length = self.length[line]
        if slot > 0 and length - self.at[line, slot - 1] < self.stride:
            return
        self.states[line, slot] = state
        self.at[line, slot] = length
        self.keys[line, slot] = problem.key(state)
        self.gain[line, slot] = gain
        self.kept[line] = slot + 1

    def append(self, line, problem, state, move, label, gain):
        """Play one more move."""
        length = self.length[line]
        self.labels[line, length] = label
        self.moves[line, length] = move
        self.length[line] = length + 1
        problem.play(state, move)
        self.keep(line, problem, state, gain)

    def slot_before(self, line, index):
        """The last kept position that at most `index` moves lead to."""
        if self.stride == 1:
            return index
        low, high = 0, self.kept[line]
        while high - low > 1:
            middle = (low + high) // 2
            if self.at[line, middle] <= index:
                low = middle
            else:
                high = middle
        return low

    def meets(self, old, index, new, problem, state):
        """Is a line's position `state` the one of another after `index` moves? Returns where that is kept, else -1."""
        slot = self.slot_before(old, index)
        if self.at[old, slot] != index or self.keys[old, slot] == _NONE:
            return np.int64(-1)
        newest = self.kept[new] - 1
        if self.at[new, newest] == self.length[new]:
            key = self.keys[new, newest]
        else:
            key = np.uint64(problem.key(state))
        return np.int64(slot) if key == self.keys[old, slot] else np.int64(-1)

    def copy_beginning(self, source, target, length, slots):
        """Give a line, which has later moves already, the first moves and positions of another."""
        for i in range(length):
            self.labels[target, i] = self.labels[source, i]
            self.moves[target, i] = self.moves[source, i]
        for slot in range(slots):
            self.copy_slot(source, slot, target, slot)

    def copy_end(self, source, target, slot, gain):
        """Append what follows the kept position `slot` of a line to another that stands in the same position.

        `gain` is what the other's score is ahead by.
        """
        begin = self.at[source, slot]
        shift = self.length[target] - begin
        for i in range(begin, self.length[source]):
            self.labels[target, i + shift] = self.labels[source, i]
            self.moves[target, i + shift] = self.moves[source, i]
        self.length[target] = self.length[source] + shift
        for later in range(slot + 1, self.kept[source]):
            free = self.kept[target]
            if self.at[source, later] + shift - self.at[target, free - 1] >= self.stride:
                self.copy_slot(source, later, target, free)
                self.at[target, free] += shift
                self.gain[target, free] += gain
                self.kept[target] = free + 1
        self.last[target] = self.last[source]
        self.last_gain[target] = self.last_gain[source] + gain

    def copy_slot(self, source, slot, target, free):
        self.states[target, free] = self.states[source, slot]
        self.at[target, free] = self.at[source, slot]
        self.keys[target, free] = self.keys[source, slot]
        self.gain[target, free] = self.gain[source, slot]


def make_lines(problem: Any, lines: int) -> Any:
    """Room for some lines, with as many kept positions as fit into `MEMORY`."""
    max_length = bounds(problem)[1]
    most = max(MEMORY // (lines * state_dtype(problem).itemsize), 2)
    stride = -(-(max_length + 1) // most)
    slots = -(-(max_length + 1) // stride) + 1
    return Lines(
        labels=np.zeros((lines, max_length), np.int64),
        moves=np.zeros((lines, max_length), np.int32),
        length=np.zeros(lines, np.int64),
        states=new_states(problem, lines * slots).reshape(lines, slots),
        at=np.zeros((lines, slots), np.int64),
        keys=np.zeros((lines, slots), np.uint64),
        gain=np.zeros((lines, slots)),
        kept=np.zeros(lines, np.int64),
        last=new_states(problem, lines),
        last_gain=np.zeros(lines),
        score=np.zeros(lines),
        worth=np.zeros(lines),
        stride=stride,
    )
