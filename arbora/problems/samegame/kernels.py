"""SameGame on column bit-planes: the hot loops.

A *lane* is one column of one colour: bit r set means that colour at row r, counted from the bottom. Lanes lie side by
side in 64-bit words, with at least one empty lane on either side of the board and one bit free on top of each lane, so
that neighbours in all directions are shifts of whole words. `plain.py` says the same in the straightforward way, cell by
cell; the tests hold the two together.
"""

import numpy as np

from arbora.engine.bits import ONE, ZERO, extract, nth_bit, popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.engine.mixing import mixed_in

_CLEAN = 1 << 30
_1, _2, _4, _6, _8, _16, _32, _63, _64 = (np.uint64(n) for n in (1, 2, 4, 6, 8, 16, 32, 63, 64))


@inline_kernel
def first_lane(state):
    """Lane of column 0: the first of the second word."""
    return _64 // np.uint64(state.sizes.shape[1])


@inline_kernel
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


@inline_kernel
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
    touched = ZERO
    emptied = False
    x = low
    while x <= high:
        removed += popcount(state.mask[x])
        touched |= state.mask[x]
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
    state.dirty_row = min(state.dirty_row, np.int64(trailing_zeros(touched)))
    if emptied:
        state.dirty_high = max(state.dirty_high, np.int64(first) + state.columns - 1)
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
    """Bring the table of groups up to date.

    Blocks have moved only inside a box of changed columns, from the lowest removed row up (row 0 if a column closed). With
    one more column on either side, the box holds a cell of every group that may have changed: its table entries are
    dropped, its cells flooded anew. A group that reached into the box from outside did so through a cell that has not
    moved, so it is found again, and with it its old entry.
    """
    if state.dirty_low > state.dirty_high:
        return
    state.flooded = -1  # the mask is about to be used for other groups
    first = first_lane(state)
    low = np.uint64(max(state.dirty_low - 1, np.int64(first)))
    high = np.uint64(min(state.dirty_high + 1, np.int64(first) + state.sizes.shape[0] - 1))
    box = ~ZERO << np.uint64(state.dirty_row)
    state.dirty_low = _CLEAN
    state.dirty_high = -1
    state.dirty_row = _CLEAN
    heads, seen, mask = state.heads, state.seen, state.mask
    for x in range(low, high + _1):
        heads[x] = np.uint64(heads[x]) & ~box
    for k in range(np.uint64(state.lanes.shape[0])):
        plane = state.lanes[k]
        for x in range(low, high + _1):
            seen[x] = ZERO
        for x in range(low, high + _1):
            own = np.uint64(plane[x])
            beside = np.uint64(plane[x - _1]) | np.uint64(plane[x + _1])
            rest = own & ((own >> _1) | (own << _1) | beside) & box & ~seen[x]
            while rest != ZERO:
                left, right = flood(state, k, x, rest & (~rest + _1))
                rest &= ~mask[x]
                for y in range(x + _1, min(right, high) + _1):
                    seen[y] |= mask[y]
                enter_group(state, k, left, right, first, zobrist)


@inline_kernel
def enter_group(state, color, left, right, first, zobrist):
    """Write the flooded group into the table: size, and the XOR of its cells' Zobrist words."""
    heads, mask = state.heads, state.mask
    size = ZERO
    code = ZERO
    for x in range(left, right + _1):
        cells = mask[x]
        heads[x] = np.uint64(heads[x]) & ~cells
        size += popcount(cells)
        words = zobrist[color, x - first]
        while cells != ZERO:
            code ^= words[trailing_zeros(cells)]
            cells &= cells - ONE
    row = trailing_zeros(mask[left])
    column = left - first
    heads[left] = np.uint64(heads[left]) | (_1 << row)
    state.sizes[column, row] = size
    state.codes[column, row] = code


@inline_kernel
def list_word(state, w, heads, out, count):
    """Append the moves `heads` of one word of lanes to `out`; return how many there are now."""
    bits = np.uint64(state.sizes.shape[1])
    column = (np.uint64(w) - _1) * (_64 // bits)
    while heads != ZERO:
        place = trailing_zeros(heads)
        out[count] = np.int32(((column + place // bits) << _6) | (place % bits))
        heads &= heads - ONE
        count += _1
    return count


@kernel
def list_groups(state, out):
    """Write the moves of the table into `out` in ascending order; return how many."""
    count = ZERO
    for w in range(1, state.head_words.size - 1):
        count = list_word(state, w, state.head_words[w], out, count)
    return np.int64(count)


@kernel
def list_allowed(state, tabu_color, late, out):
    """Document 002, Algorithm 5: like `list_groups`, without the tabu colour.

    It is allowed all the same if it has only one group, if nothing else is left, and, when `late`, in groups of two.
    """
    tabu_plane = state.words[tabu_color]
    tabu_groups = ZERO
    for w in range(1, state.head_words.size - 1):
        tabu_groups += popcount(state.head_words[w] & tabu_plane[w])
    if tabu_groups <= _1:
        return list_groups(state, out)
    count = ZERO
    for w in range(1, state.head_words.size - 1):
        tabu = state.head_words[w] & tabu_plane[w]
        allowed = state.head_words[w] ^ tabu
        if late:
            allowed |= pairs(state, w, tabu)
        count = list_word(state, w, allowed, out, count)
    if count == ZERO:
        return list_groups(state, out)
    return np.int64(count)


@inline_kernel
def pairs(state, w, heads):
    """Those of the groups `heads` of one word that have two cells."""
    bits = np.uint64(state.sizes.shape[1])
    column = (np.uint64(w) - _1) * (_64 // bits)
    found = ZERO
    while heads != ZERO:
        place = trailing_zeros(heads)
        if state.sizes[column + place // bits, place % bits] == 2:
            found |= _1 << place
        heads &= heads - ONE
    return found


@kernel
def position_key(state):
    """64 bits that depend on every block and where it stands, never 0."""
    key = ZERO
    index = ZERO
    for k in range(state.words.shape[0]):
        for w in range(1, state.words.shape[1] - 1):
            index += _1
            key = mixed_in(key, index, state.words[k, w])
    return key if key != ZERO else ONE
