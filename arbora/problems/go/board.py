"""The board of Go: stones, chains and their liberties, kept up to date move by move.

Points are numbered row by row with a border around the board, so that the neighbours of `p` are `p - 1`, `p + 1`,
`p - stride` and `p + stride`; point 0 is border, and stands for "no point". The state keeps

    color[p]    EMPTY, BLACK, WHITE or BORDER
    around[p]   the colours of the eight neighbours, two bits each: WEST, EAST, SOUTH, NORTH in the low byte, diagonals above
    chain[p]    a point that names the chain of the stone at p; its entry is where size and liberties of the chain are
    next[p]     another stone of the same chain, all of them in a circle
    size[p]     stones of the chain named p
    liberties[p]  a word that sums `liberty(q)` over all pairs of a stone of the chain named p and an empty neighbour q

An empty point is, in these tables, a chain of its own: a stone that is put there finds its entries made. `plain.py` says
the same in the straightforward way; the tests hold the two together.
"""

import numpy as np

from arbora.engine.bits import trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel

EMPTY, BLACK, WHITE, BORDER = (np.uint64(n) for n in range(4))
WEST, EAST, SOUTH, NORTH = (np.uint64(n) for n in (0, 2, 4, 6))
SOUTH_WEST, SOUTH_EAST, NORTH_WEST, NORTH_EAST = (np.uint64(n) for n in (8, 10, 12, 14))
NOWHERE = np.uint64(0)

_0, _1, _2, _3, _8, _16, _32, _48 = (np.uint64(n) for n in (0, 1, 2, 3, 8, 16, 32, 48))
_LOW = np.uint64(0x55)  # the lower bit of each of four neighbours
_BYTE = np.uint64(0xFF)
_WORD16 = np.uint64(0xFFFF)
# Fields of a word of liberties: squares of the points, the points, and how many; wide enough for 19×19.
_POINTS, _COUNT = np.uint64(29), np.uint64(49)
_SQUARES_MASK, _POINTS_MASK = np.uint64((1 << 29) - 1), np.uint64((1 << 20) - 1)
_ONE_LIBERTY, _ONE_POINT = np.uint64(1 << 49), np.uint64(1 << 29)


@inline_kernel
def stride_of(state):
    """Points from a row to the next; known when compiling."""
    return np.uint64(state.grid.shape[1])


@inline_kernel
def neighbor(state, point, direction):
    """The neighbour to the WEST, EAST, SOUTH or NORTH."""
    stride = stride_of(state)
    steps = _WORD16 | (_1 << _16) | ((_WORD16 + _1 - stride) << _32) | (stride << _48)
    return (point + (steps >> (direction << _3))) & _WORD16


@inline_kernel
def liberty(point):
    """A liberty at this point, as it is summed up in words of liberties."""
    return _ONE_LIBERTY + point * (_ONE_POINT + point)


@inline_kernel
def is_only_liberty(word, point):
    """Are all the liberties in the word at this point? It must be one of them."""
    return word == (word >> _COUNT) * liberty(point)


@inline_kernel
def is_atari(word):
    """Are all the liberties in the word at one point, and is there one?

    A mean of squares equals the square of the mean only for equal numbers.
    """
    points = (word >> _POINTS) & _POINTS_MASK
    return word != _0 and (word >> _COUNT) * (word & _SQUARES_MASK) == points * points


@inline_kernel
def last_liberty(word):
    """The only liberty of a chain in atari."""
    return ((word >> _POINTS) & _POINTS_MASK) // (word >> _COUNT)


@inline_kernel
def chain_liberties(state, point):
    """The word of liberties of the chain of the stone at `point`."""
    return state.liberties[np.uint64(state.chain[point])]


@inline_kernel
def chain_size(state, point):
    """Stones in the chain of the stone at `point`."""
    return np.uint64(state.size[np.uint64(state.chain[point])])


@inline_kernel
def sides(state, point):
    """The colours of the four neighbours."""
    return np.uint64(state.around[point]) & _BYTE


@inline_kernel
def corners(state, point):
    """The colours of the four diagonal neighbours."""
    return np.uint64(state.around[point]) >> _8


@inline_kernel
def having(four, color):
    """Which of four neighbours have this colour: a set of directions, as bits."""
    differs = four ^ (_LOW * color)
    return ~(differs | (differs >> _1)) & _LOW


@inline_kernel
def enclosed(four, color):
    """Have all four neighbours this colour, BLACK or WHITE, or are border?"""
    return four & (_LOW * color) == _LOW * color


@inline_kernel
def see(state, point, color):
    """Change what the neighbours of a point see there between EMPTY and `color`."""
    around, stride = state.around, stride_of(state)
    around[point + _1] ^= np.uint16(color << WEST)
    around[point - _1] ^= np.uint16(color << EAST)
    around[point + stride] ^= np.uint16(color << SOUTH)
    around[point - stride] ^= np.uint16(color << NORTH)
    around[point + stride + _1] ^= np.uint16(color << SOUTH_WEST)
    around[point + stride - _1] ^= np.uint16(color << SOUTH_EAST)
    around[point - stride + _1] ^= np.uint16(color << NORTH_WEST)
    around[point - stride - _1] ^= np.uint16(color << NORTH_EAST)


@inline_kernel
def change_liberties(state, point, change):
    """Add a word to the liberties of the chains around a point; on the border nobody looks at them."""
    chain, liberties, stride = state.chain, state.liberties, stride_of(state)
    liberties[np.uint64(chain[point - _1])] += change
    liberties[np.uint64(chain[point + _1])] += change
    liberties[np.uint64(chain[point - stride])] += change
    liberties[np.uint64(chain[point + stride])] += change


@inline_kernel
def add_stone(state, point, color, zobrist):
    """Put a stone on an empty point and join it with its chain. Takes no prisoners, see `capture`."""
    own = having(sides(state, point), color)
    state.color[point] = color
    state.hash ^= zobrist[_2 * point + color]
    state.balance += np.int64(_3) - np.int64(_2 * color)
    see(state, point, color)
    change_liberties(state, point, ~liberty(point) + _1)
    vacant = np.uint64(state.vacant) - _1
    place = np.uint64(state.place[point])
    moved = np.uint64(state.empties[vacant])
    state.empties[place] = moved
    state.place[moved] = place
    state.vacant = vacant
    while own != _0:
        join(state, np.uint64(state.chain[point]), np.uint64(state.chain[neighbor(state, point, trailing_zeros(own))]))
        own &= own - _1


@inline_kernel
def join(state, one, other):
    """Make one of two chains, unless they are one; the smaller takes the name of the larger."""
    if one != other:
        chain, next_, size = state.chain, state.next, state.size
        swap = size[one] < size[other]
        larger = other if swap else one
        smaller = one if swap else other
        stone = smaller
        while True:
            chain[stone] = larger
            stone = np.uint64(next_[stone])
            if stone == smaller:
                break
        behind = next_[larger]
        next_[larger] = next_[smaller]
        next_[smaller] = behind
        size[larger] += size[smaller]
        state.liberties[larger] += state.liberties[smaller]


@kernel
def remove_chain(state, name, zobrist):
    """Take a chain without liberties off the board. Its points become the last of the empty ones."""
    color = np.uint64(state.color[name])
    first = last = np.uint64(state.vacant)
    stone = name
    while True:
        following = np.uint64(state.next[stone])
        state.color[stone] = EMPTY
        state.chain[stone] = stone
        state.next[stone] = stone
        state.size[stone] = 1
        state.liberties[stone] = _0
        state.empties[last] = stone
        state.place[stone] = last
        state.hash ^= zobrist[_2 * stone + color]
        see(state, stone, color)
        last += _1
        stone = following
        if stone == name:
            break
    state.vacant = last
    state.balance -= (np.int64(_3) - np.int64(_2 * color)) * np.int64(last - first)
    for i in range(first, last):
        point = np.uint64(state.empties[i])
        change_liberties(state, point, liberty(point))


@inline_kernel
def has_captured(state, point, rivals):
    """Has one of the neighbours `rivals` of a new stone no liberty left?"""
    chain, liberties, stride = state.chain, state.liberties, stride_of(state)
    west = (liberties[np.uint64(chain[point - _1])] == _0) & (rivals >> WEST & _1 != _0)
    east = (liberties[np.uint64(chain[point + _1])] == _0) & (rivals >> EAST & _1 != _0)
    south = (liberties[np.uint64(chain[point - stride])] == _0) & (rivals >> SOUTH & _1 != _0)
    north = (liberties[np.uint64(chain[point + stride])] == _0) & (rivals >> NORTH & _1 != _0)
    return west | east | south | north


@kernel
def capture(state, point, rivals, zobrist):
    """Take those of the neighbours `rivals` of a new stone that have no liberty left off the board."""
    rest = rivals
    while rest != _0:
        victim = neighbor(state, point, trailing_zeros(rest))
        rest &= rest - _1
        name = np.uint64(state.chain[victim])
        if state.color[victim] != EMPTY and state.liberties[name] == _0:
            remove_chain(state, name, zobrist)


@inline_kernel
def play_stone(state, point, zobrist):
    """Play on an empty point for whoever has the turn: captures, suicide and ko, but no question whether it is legal."""
    color = np.uint64(state.turn) + _1
    rival = _3 - color
    four = sides(state, point)
    rivals = having(four, rival)
    add_stone(state, point, color, zobrist)
    played = min(np.uint64(state.played) + _1, np.uint64(state.history.shape[0] - 1))
    state.ko = NOWHERE
    if has_captured(state, point, rivals):
        first = np.uint64(state.vacant)
        capture(state, point, rivals, zobrist)
        if np.uint64(state.vacant) == first + _1 and enclosed(four, rival):
            state.ko = state.empties[first]
    elif chain_liberties(state, point) == _0:
        remove_chain(state, np.uint64(state.chain[point]), zobrist)
    state.fewest = min(state.fewest, state.vacant)
    state.history[played] = state.hash
    state.played = played
    state.last = point
    state.passes = 0
    state.turn ^= np.uint8(1)


@inline_kernel
def pass_turn(state):
    """Pass."""
    played = min(np.uint64(state.played) + _1, np.uint64(state.history.shape[0] - 1))
    state.history[played] = state.hash
    state.played = played
    state.last = NOWHERE
    state.ko = NOWHERE
    state.passes = min(state.passes + 1, 2)
    state.turn ^= np.uint8(1)


@kernel
def clear_board(state, columns, rows):
    """The empty board, Black to play."""
    stride = stride_of(state)
    for p in range(np.uint64(state.color.shape[0])):
        state.color[p] = BORDER
        state.around[p] = 0
        state.chain[p] = p
        state.next[p] = p
        state.size[p] = 1
        state.liberties[p] = _0
        state.empties[p] = 0
        state.place[p] = 0
        state.reach[p] = 0
    vacant = _0
    for y in range(_1, np.uint64(rows) + _1):
        for x in range(_1, np.uint64(columns) + _1):
            point = y * stride + x
            state.color[point] = EMPTY
            state.empties[vacant] = point
            state.place[point] = vacant
            vacant += _1
    state.vacant = vacant
    for i in range(vacant):
        point = np.uint64(state.empties[i])
        change_liberties(state, point, liberty(point))
    for p in range(stride + _1, np.uint64(state.color.shape[0]) - stride - _1):
        if state.color[p] == EMPTY:
            state.around[p] = np.uint16(colors_around(state, p))
    for i in range(state.history.shape[0]):
        state.history[i] = _0
    state.hash = _0
    state.balance = 0
    state.played = 0
    state.fewest = vacant
    state.ko = NOWHERE
    state.last = NOWHERE
    state.passes = 0
    state.turn = 0


@kernel
def colors_around(state, point):
    """The colours of the eight neighbours: what `around` is kept equal to."""
    color, stride = state.color, stride_of(state)
    return (
        np.uint64(color[point - _1]) << WEST
        | np.uint64(color[point + _1]) << EAST
        | np.uint64(color[point - stride]) << SOUTH
        | np.uint64(color[point + stride]) << NORTH
        | np.uint64(color[point - stride - _1]) << SOUTH_WEST
        | np.uint64(color[point - stride + _1]) << SOUTH_EAST
        | np.uint64(color[point + stride - _1]) << NORTH_WEST
        | np.uint64(color[point + stride + _1]) << NORTH_EAST
    )
