"""SameGame on column bit-planes: the hot loops.

A *lane* is one column of one colour: bit r set means that colour at row r, counted from the bottom. Lanes lie side by
side in 64-bit words, with at least one empty lane on either side of the board and one bit free on top of each lane, so
that neighbours in all directions are shifts of whole words. `plain.py` says the same in the straightforward way, cell by
cell; the tests hold the two together.
"""

import numpy as np

from arbora.engine.bits import ONE, ZERO, extract, nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import kernel

_1, _2, _4, _6, _8, _16, _32, _63, _64 = (np.uint64(n) for n in (1, 2, 4, 6, 8, 16, 32, 63, 64))


@kernel
def first_lane(state):
    """Lane of column 0: the first of the second word."""
    return _64 // np.uint64(state.sizes.shape[1])


@kernel
def fill_runs(seeds, lane, rows):
    """All bits of the vertical runs of `lane` that hold a seed: upwards by carry, downwards by doubling shifts."""
    filled = (((seeds + lane) ^ lane) | seeds) & lane
    filled |= lane & (filled >> _1)
    lane &= lane >> _1
    filled |= lane & (filled >> _2)
    lane &= lane >> _2
    filled |= lane & (filled >> _4)
    lane &= lane >> _4
    filled |= lane & (filled >> _8)
    if rows > 16:
        lane &= lane >> _8
        filled |= lane & (filled >> _16)
        lane &= lane >> _16
        filled |= lane & (filled >> _32)
    return filled


@kernel
def flood(state, color, lane, bit):
    """Mark in `state.mask` the group of the cell `bit` in `lane`; return its first and last lane."""
    plane = state.lanes[color]
    mask = state.mask
    rows = state.sizes.shape[1]
    mask[lane] = fill_runs(bit, np.uint64(plane[lane]), rows)
    low = high = lane
    while True:
        x = low
        while True:
            touched = np.uint64(plane[x + _1]) & mask[x]
            if x < high:
                touched &= ~mask[x + _1]
            elif touched == ZERO:
                break
            else:
                high += _1
                mask[high] = ZERO
            x += _1
            if touched != ZERO:
                mask[x] |= fill_runs(touched, np.uint64(plane[x]), rows)
        x = high
        changed = False
        while True:
            touched = np.uint64(plane[x - _1]) & mask[x]
            if x > low:
                touched &= ~mask[x - _1]
            elif touched == ZERO:
                break
            else:
                low -= _1
                mask[low] = ZERO
            x -= _1
            if touched != ZERO:
                mask[x] |= fill_runs(touched, np.uint64(plane[x]), rows)
                changed = True
        if not changed:
            return low, high


@kernel
def color_at(state, lane, bit):
    """Colour of the cell `bit` in `lane`; the number of colours if it is empty."""
    color = ZERO
    count = np.uint64(state.lanes.shape[0])
    while color < count and np.uint64(state.lanes[color, lane]) & bit == ZERO:
        color += _1
    return color


@kernel
def open_cells(state):
    """Mark in `state.open` the cells with a neighbour of their colour above or right but none below or left.

    Every group has at least one: its lowest cell in its leftmost column. Returns how many there are.
    """
    words = state.words
    bits = np.uint64(state.sizes.shape[1])
    count = ZERO
    for w in range(1, words.shape[1] - 1):
        cells = ZERO
        for k in range(words.shape[0]):
            own = words[k, w]
            right = ((own >> (bits - _1)) >> _1) | (words[k, w + 1] << (_64 - bits))
            left = ((own << (bits - _1)) << _1) | (words[k, w - 1] >> (_64 - bits))
            cells |= own & ((own >> _1) | right) & ~((own << _1) | left)
        state.open[w] = cells
        count += popcount(cells)
    return count


@kernel
def sample_group(state, rng):
    """Flood a uniformly random group of two or more cells; return its move, or -1 if there is none.

    Draws an open cell and keeps it if it is the lowest cell of its group's leftmost column, which each group has
    exactly once.
    """
    count = open_cells(state)
    if count == ZERO:
        return np.int64(-1)
    bits = np.uint64(state.sizes.shape[1])
    per_word = _64 // bits
    while True:
        n = np.uint64(rng.below(count))
        w = _1
        inside = popcount(state.open[w])
        while n >= inside:
            n -= inside
            w += _1
            inside = popcount(state.open[w])
        place = nth_bit(state.open[w], n)
        lane = w * per_word + place // bits
        row = place % bits
        bit = _1 << row
        color = color_at(state, lane, bit)
        low, high = flood(state, color, lane, bit)
        if low == lane and state.mask[lane] & (bit - _1) == ZERO:
            move = np.int64(((lane - per_word) << _6) | row)
            state.flooded = move
            state.low = low
            state.high = high
            return move


@kernel
def remove_group(state, move):
    """Remove the group at `move`: blocks fall, empty columns close to the left. Returns the number of cells."""
    first = first_lane(state)
    if state.flooded == move:
        low, high = np.uint64(state.low), np.uint64(state.high)
    else:
        lane = (np.uint64(move) >> _6) + first
        bit = _1 << (np.uint64(move) & _63)
        low, high = flood(state, color_at(state, lane, bit), lane, bit)
    state.flooded = -1
    removed = ZERO
    emptied = False
    x = low
    while x <= high:
        removed += popcount(state.mask[x])
        keep = ~state.mask[x]
        occupied = ZERO
        for k in range(state.lanes.shape[0]):
            fallen = extract(np.uint64(state.lanes[k, x]), keep)
            state.lanes[k, x] = fallen
            occupied |= fallen
        emptied |= occupied == ZERO
        x += _1
    state.dirty_low = min(state.dirty_low, np.int64(low))
    state.dirty_high = max(state.dirty_high, np.int64(high))
    if emptied:
        state.dirty_high = np.int64(first) + state.columns - 1
        close_columns(state, low, high, first)
    return np.int64(removed)


@kernel
def close_columns(state, low, high, first):
    """Shift what lies right of each empty column among `low` .. `high` one column to the left."""
    x = high
    while x >= low:
        occupied = ZERO
        for k in range(state.lanes.shape[0]):
            occupied |= np.uint64(state.lanes[k, x])
        if occupied == ZERO:
            end = first + np.uint64(state.columns)
            for k in range(state.lanes.shape[0]):
                c = x
                while c < end:
                    state.lanes[k, c] = state.lanes[k, c + _1]
                    c += _1
            state.columns -= 1
        x -= _1


@kernel
def regroup(state, zobrist):
    """Bring the table of groups up to date: only groups that reach into a changed column, or next to one, are redone."""
    if state.dirty_low > state.dirty_high:
        return
    first = np.int64(first_lane(state))
    low = max(state.dirty_low - 1 - first, 0)
    high = min(state.dirty_high + 1 - first, state.heads.size - 1)
    state.dirty_low = 1 << 30
    state.dirty_high = -1
    drop_groups(state, low, high)
    for c in range(low, min(high, state.columns - 1) + 1):
        find_groups(state, c, low, zobrist)


@kernel
def drop_groups(state, low, high):
    """Forget the groups with a cell in columns `low` .. `high`."""
    for c in range(low, high + 1):
        state.heads[c] = ZERO
    for c in range(low):
        rest = state.heads[c]
        while rest != ZERO:
            row = trailing_zeros(rest)
            rest &= rest - ONE
            if state.reach[c, row] >= low:
                state.heads[c] ^= _1 << row


@kernel
def find_groups(state, column, from_column, zobrist):
    """Enter the groups with a cell in `column` whose leftmost column is this one or lies left of `from_column`."""
    first = first_lane(state)
    lane = np.uint64(column) + first
    for k in range(state.lanes.shape[0]):
        plane = state.lanes[k]
        own = np.uint64(plane[lane])
        if own == ZERO:
            continue
        left = np.uint64(plane[lane - _1])
        right = np.uint64(plane[lane + _1])
        rest = own & ((own >> _1) | (own << _1) | left | right)
        while rest != ZERO:
            bit = rest & (~rest + _1)
            low, high = flood(state, np.uint64(k), lane, bit)
            rest &= ~state.mask[lane]
            if low == lane or (column == from_column and low < lane):
                enter_group(state, k, low, high, first, zobrist)


@kernel
def enter_group(state, color, low, high, first, zobrist):
    """Write the flooded group into the table: size, reach, colour, and the XOR of its cells' Zobrist words."""
    size = ZERO
    code = ZERO
    x = low
    while x <= high:
        cells = state.mask[x]
        size += popcount(cells)
        words = zobrist[np.uint64(color), x - first]
        while cells != ZERO:
            code ^= words[trailing_zeros(cells)]
            cells &= cells - ONE
        x += _1
    row = trailing_zeros(state.mask[low])
    column = low - first
    state.heads[column] |= _1 << row
    state.sizes[column, row] = size
    state.reach[column, row] = high - first
    state.hues[column, row] = color
    state.codes[column, row] = code


@kernel
def list_groups(state, out):
    """Write the moves of the table into `out` in ascending order; return how many."""
    count = 0
    for c in range(state.columns):
        rest = state.heads[c]
        while rest != ZERO:
            out[count] = np.int32((np.uint64(c) << _6) | trailing_zeros(rest))
            rest &= rest - ONE
            count += 1
    return count
