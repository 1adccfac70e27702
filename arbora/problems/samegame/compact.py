"""SameGame with states of some hundred bytes, for searches that keep many of them.

Blocks keep the place they have on the start board: a state says which of them are left, column by column, and everything
else follows. That makes a block a lasting name for a move, whatever has been played before.

*Place* below means row and column on the start board; *position* the row and column where a block is now. `extract` turns
places into positions, since the blocks that are left have fallen onto each other; `deposit` goes the other way.
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.bits import ONE, ZERO, deposit, extract, nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.engine.mixing import mixed_in
from arbora.problem import problem
from arbora.problems.samegame.kernels import fill_runs
from arbora.problems.samegame.scoring import BONUS, SAMEGAME, group_points, optimistic

_2, _6, _63 = np.uint64(2), np.uint64(6), np.uint64(63)
# The bonus for a cleared board, eased: points lost for each block left over, at hardness 0 and 1.
_SOFTEST, _HARDEST = 10.0, 200.0


@problem
class CompactSameGame:
    """The same game, the same moves and scores as `SameGame`, in small states."""

    planes: np.ndarray = param("colour by column: which places had that colour at the start")
    color_of: np.ndarray = param("the colour of each place, column * 64 + row")
    colors: int = param("how many colours there are")
    width: int = param("columns of the start board")
    cells: int = param("blocks of the start board")
    rule_index: int = param("how removed groups score, see `RULES`")
    penalty: bool = param("subtract (n - 2)^2 for each colour left at the end")
    tabu_after: int = param("selective rule of document 002; negative for none")
    tabu_color: int = param("the colour it spares")

    def layout(self):
        columns = self.planes.shape[1]
        lane = self.planes.dtype
        words = -(-columns * lane.itemsize // 8)
        fields: list[Any] = [
            ("words", np.uint64, (words,)),
            ("group", lane, (columns,)),  # positions of the group flooded last
            ("origin", np.uint8, (columns,)),  # place of each column
            ("occupied", np.uint64),  # places of columns that are not empty
            *((name, np.int32) for name in ("points", "left", "columns", "played", "flooded", "low", "high")),
        ]
        plain = np.dtype(fields, align=True)
        assert plain.fields is not None
        assert plain.names is not None
        # `alive`, the places of blocks that are left, is the same memory as `words`, column by column.
        names = [*plain.names, "alive"]
        formats: list[Any] = [*(plain.fields[name][0] for name in plain.names), (lane, (columns,))]
        offsets = [*(plain.fields[name][1] for name in plain.names), 0]
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": plain.itemsize}, align=True)

    def max_moves(self):
        return max(self.cells // 2, 1)

    def max_length(self):
        return max(self.cells // 2, 1)

    def reset(self, state):
        for w in range(state.words.size):
            state.words[w] = ZERO
        state.occupied = ZERO
        state.columns = 0
        for x in range(self.width):
            cells = ZERO
            for k in range(self.colors):
                cells |= np.uint64(self.planes[k, x])
            state.group[x] = 0
            if cells != ZERO:
                state.alive[state.columns] = cells
                state.origin[state.columns] = x
                state.occupied |= ONE << np.uint64(x)
                state.columns += 1
        state.points = 0
        state.left = self.cells
        state.played = 0
        state.flooded = -1
        state.low = 0
        state.high = 0

    def moves(self, state, out):
        return list_moves(self.planes, self.color_of, state, out)

    def sample(self, state, out, rng):
        return sample_move(self.planes, self.color_of, self.colors, state, rng)

    def play(self, state, move):
        removed = remove_group(self.planes, self.color_of, state, move)
        state.left -= removed
        state.played += 1
        state.points += group_points(self.rule_index, removed)

    def score(self, state):
        if self.rule_index != SAMEGAME:
            return np.float64(state.points)
        if state.left == 0:
            return np.float64(state.points + BONUS)
        if self.penalty and not any_pair(self.planes, self.colors, state):
            return np.float64(state.points - self.leftover(state))
        return np.float64(state.points)

    def eased(self, state, hardness):
        """Part of the bonus for clearing is paid for a board with few blocks left."""
        if self.rule_index != SAMEGAME:
            return np.float64(state.points)
        price = _SOFTEST * (_HARDEST / _SOFTEST) ** hardness
        bonus = max(0.0, BONUS - price * state.left)
        return np.float64(state.points - (self.leftover(state) if self.penalty else 0)) + bonus

    def leftover(self, state):
        """What the blocks left at the end cost: (n - 2)^2 for each colour."""
        total = 0
        for color in range(self.colors):
            left = self.kind_count(state, color)
            if left > 0:
                total += (left - 2) * (left - 2)
        return total

    def candidates(self, state, out):
        """Document 002, Algorithm 5."""
        count = self.moves(state, out)
        if self.tabu_after < 0:
            return count
        tabu = 0
        for i in range(count):
            tabu += self.kind(state, out[i]) == self.tabu_color
        kept = 0
        if tabu > 1:
            for i in range(count):
                late_pair = state.played > self.tabu_after and self.size(state, out[i]) == 2
                if self.kind(state, out[i]) != self.tabu_color or late_pair:
                    out[kept] = out[i]
                    kept += 1
        return kept if kept > 0 else self.moves(state, out)

    def size(self, state, move):
        """Blocks of the group that a move removes."""
        flood_move(self.planes, self.color_of, state, move)
        return group_size(state)

    def bound(self, state):
        return optimistic(self, state)

    def key(self, state):
        key = mixed_in(ZERO, ONE, state.occupied)
        for w in range(np.uint64(state.words.size)):
            key = mixed_in(key, w + _2, state.words[w])
        return key if key != ZERO else ONE

    def label(self, state, move):
        """The place of the block that the move names."""
        return np.int64(place_of(state, move))

    def find(self, state, label, out):
        """The group of the block at that place, if it is still there and not alone."""
        return find_move(self.planes, self.color_of, state, label)

    def kinds(self):
        return self.colors

    def kind(self, state, move):
        return np.int64(self.color_of[self.label(state, move)])

    def kind_count(self, state, kind):
        count = ZERO
        for x in range(np.uint64(state.columns)):
            count += popcount(np.uint64(self.planes[kind, state.origin[x]]) & np.uint64(state.alive[x]))
        return np.int64(count)

    def text(self, state, move):
        return f"{int(move) >> 6},{int(move) & 63}"


@inline_kernel
def place_of(state, move):
    """The place of the block that a move names."""
    x = np.uint64(move) >> _6
    return (np.uint64(state.origin[x]) << _6) | nth_bit(np.uint64(state.alive[x]), np.uint64(move) & _63)


@inline_kernel
def lane(plane, state, x):
    """Positions of one colour in column `x` as it is now."""
    return extract(np.uint64(plane[np.uint64(state.origin[x])]), np.uint64(state.alive[x]))


@kernel
def flood(plane, state, x, seed):
    """Mark in `state.group` the group of the position `seed` in column `x`, and note its first and last column."""
    group = state.group
    rows = 16 if group.size == 16 else 64  # known when compiled
    last = np.uint64(state.columns) - ONE
    group[x] = fill_runs(seed, lane(plane, state, x), rows)
    low = high = x
    while True:
        y = low
        while y < last:
            touched = lane(plane, state, y + ONE) & np.uint64(group[y])
            if y < high:
                touched &= ~np.uint64(group[y + ONE])
            elif touched == ZERO:
                break
            else:
                high += ONE
                group[high] = 0
            y += ONE
            if touched != ZERO:
                group[y] = np.uint64(group[y]) | fill_runs(touched, lane(plane, state, y), rows)
        y = high
        changed = False
        while y > ZERO:
            touched = lane(plane, state, y - ONE) & np.uint64(group[y])
            if y > low:
                touched &= ~np.uint64(group[y - ONE])
            elif touched == ZERO:
                break
            else:
                low -= ONE
                group[low] = 0
            y -= ONE
            if touched != ZERO:
                group[y] = np.uint64(group[y]) | fill_runs(touched, lane(plane, state, y), rows)
                changed = True
        if not changed:
            break
    state.low = low
    state.high = high
    state.flooded = np.int32((low << _6) | trailing_zeros(np.uint64(group[low])))


@inline_kernel
def group_size(state):
    """Blocks of the flooded group."""
    size = ZERO
    for x in range(np.uint64(state.low), np.uint64(state.high) + ONE):
        size += popcount(np.uint64(state.group[x]))
    return np.int64(size)


@kernel
def flood_move(planes, color_of, state, move):
    """Flood the group of a move, unless it is the one flooded last."""
    if state.flooded != move:
        flood(planes[color_of[place_of(state, move)]], state, np.uint64(move) >> _6, ONE << (np.uint64(move) & _63))


@kernel
def find_move(planes, color_of, state, label):
    """The move that removes the block at place `label`; -1 if it is gone or alone."""
    column = np.uint64(label) >> _6
    place = ONE << (np.uint64(label) & _63)
    if state.occupied & (ONE << column) == ZERO:
        return np.int64(-1)
    x = popcount(state.occupied & ((ONE << column) - ONE))
    alive = np.uint64(state.alive[x])
    if alive & place == ZERO:
        return np.int64(-1)
    seed = ONE << popcount(alive & (place - ONE))
    flood(planes[color_of[np.uint64(label)]], state, x, seed)
    if state.low == state.high and np.uint64(state.group[x]) == seed:
        state.flooded = -1
        return np.int64(-1)
    return np.int64(state.flooded)


@kernel
def remove_group(planes, color_of, state, move):
    """Remove the group of a move: blocks fall, empty columns close to the left. Returns the number of blocks."""
    flood_move(planes, color_of, state, move)
    state.flooded = -1
    removed = ZERO
    x = np.uint64(state.high) + ONE
    while x > np.uint64(state.low):
        x -= ONE
        group, alive = np.uint64(state.group[x]), np.uint64(state.alive[x])
        removed += popcount(group)
        alive &= ~deposit(group, alive)
        state.alive[x] = alive
        if alive == ZERO:
            state.occupied &= ~(ONE << np.uint64(state.origin[x]))
            state.columns -= 1
            for y in range(x, np.uint64(state.columns)):
                state.alive[y] = state.alive[y + ONE]
                state.origin[y] = state.origin[y + ONE]
            state.alive[np.uint64(state.columns)] = 0
    return np.int64(removed)


@kernel
def any_pair(planes, colors, state):
    """Is there a group of two or more?"""
    columns = np.uint64(state.columns)
    for k in range(colors):
        plane = planes[k]
        before = ZERO
        for x in range(columns):
            here = lane(plane, state, x)
            if here & ((here >> ONE) | before) != ZERO:
                return True
            before = here
    return False


@kernel
def open_positions(planes, colors, state):
    """Mark in `state.group` positions with a neighbour of their colour above or right but none below or left.

    Every group has at least one: its lowest block in its leftmost column. Returns how many there are.
    """
    columns = np.uint64(state.columns)
    for x in range(columns):
        state.group[x] = 0
    for k in range(colors):
        plane = planes[k]
        before = ZERO
        here = lane(plane, state, ZERO)
        for x in range(columns):
            after = lane(plane, state, x + ONE) if x + ONE < columns else ZERO
            found = here & ((here >> ONE) | after) & ~((here << ONE) | before)
            state.group[x] = np.uint64(state.group[x]) | found
            before = here
            here = after
    count = ZERO
    for x in range(columns):
        count += popcount(np.uint64(state.group[x]))
    return count


@kernel
def sample_move(planes, color_of, colors, state, rng):
    """A uniformly random move, -1 if there is none: a random open position, if it is the one that names its group."""
    state.flooded = -1
    while True:
        count = open_positions(planes, colors, state) if state.columns > 0 else ZERO
        if count == ZERO:
            return np.int64(-1)
        n = np.uint64(rng.below(count))
        x = ZERO
        inside = popcount(np.uint64(state.group[x]))
        while n >= inside:
            n -= inside
            x += ONE
            inside = popcount(np.uint64(state.group[x]))
        move = np.int64((x << _6) | nth_bit(np.uint64(state.group[x]), n))
        state.flooded = -1
        flood_move(planes, color_of, state, move)
        if state.flooded == move:
            return move


@kernel
def list_moves(planes, color_of, state, out):
    """All moves in ascending order; returns how many."""
    count = 0
    columns = np.uint64(state.columns)
    for x in range(columns):
        for row in range(popcount(np.uint64(state.alive[x]))):
            move = np.int64((x << _6) | np.uint64(row))
            if find_move(planes, color_of, state, place_of(state, move)) == move:
                out[count] = move
                count += 1
    return count
