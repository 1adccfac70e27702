"""What is legal, what play-outs play, and who owns what at the end."""

import numpy as np

from arbora.engine.bits import popcount, trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.problems.go.board import (
    EAST,
    EMPTY,
    NORTH,
    NOWHERE,
    SOUTH,
    WEST,
    chain_liberties,
    corners,
    enclosed,
    having,
    is_atari,
    is_only_liberty,
    liberty,
    neighbor,
    sides,
    stride_of,
)

_0, _1, _2, _3 = (np.uint64(n) for n in range(4))
_LOW = np.uint64(0x55)


@inline_kernel
def is_over(state, limit):
    """Have both passed, or are there too many moves?"""
    return state.passes >= 2 or state.played >= limit


@inline_kernel
def is_eye(state, point, color):
    """Is the empty point an eye of this colour, by its looks?

    All neighbours are own stones or border, and at most one diagonal neighbour, none at the edge, is an enemy.
    """
    if not enclosed(sides(state, point), color):
        return False
    four = corners(state, point)
    at_edge = four & (four >> _1) & _LOW != _0
    return popcount(having(four, _3 - color)) + np.uint64(at_edge) < _2


@inline_kernel
def in_atari(state, point):
    """Which of the neighbours of an empty point have their only liberty there: a set of directions, border at random."""
    stride = stride_of(state)
    return (
        np.uint64(is_only_liberty(chain_liberties(state, point - _1), point)) << WEST
        | np.uint64(is_only_liberty(chain_liberties(state, point + _1), point)) << EAST
        | np.uint64(is_only_liberty(chain_liberties(state, point - stride), point)) << SOUTH
        | np.uint64(is_only_liberty(chain_liberties(state, point + stride), point)) << NORTH
    )


@inline_kernel
def breathes(state, point, color):
    """Would a stone on this empty point have a liberty, after captures? If not, it would be suicide."""
    four = sides(state, point)
    if having(four, EMPTY) != _0:
        return True
    last = in_atari(state, point)
    return (having(four, color) & ~last) | (having(four, _3 - color) & last) != _0


@inline_kernel
def is_sensible(state, point, color):
    """May a play-out put a stone on this empty point: no own eye, no suicide, no simple ko?"""
    if having(sides(state, point), EMPTY) != _0:
        return True
    return point != state.ko and not is_eye(state, point, color) and breathes(state, point, color)


@inline_kernel
def random_point(state, rng):
    """A sensible point for whoever has the turn, all equally likely; NOWHERE if there is none.

    Points that turn out not to be sensible go to the end of the list, so that none is drawn twice.
    """
    color = np.uint64(state.turn) + _1
    empties, place = state.empties, state.place
    left = np.uint64(state.vacant)
    while left != _0:
        i = np.uint64(rng.below(left))
        point = np.uint64(empties[i])
        if is_sensible(state, point, color):
            return point
        left -= _1
        last = np.uint64(empties[left])
        empties[i] = last
        place[last] = i
        empties[left] = point
        place[point] = left
    return NOWHERE


@kernel
def is_self_atari(state, point, color):
    """Would a stone on this empty point leave its chain with one liberty or none? Captures never do."""
    four = sides(state, point)
    if having(four, _3 - color) & in_atari(state, point) != _0:
        return False
    word = state.liberties[point]
    rest = own = having(four, color)
    while rest != _0:
        direction = trailing_zeros(rest)
        word -= liberty(point)
        if is_first_of_chain(state, point, own, direction):
            word += chain_liberties(state, neighbor(state, point, direction))
        rest &= rest - _1
    return word == _0 or is_atari(word)


@inline_kernel
def is_first_of_chain(state, point, neighbors, direction):
    """Does none of the `neighbors` in an earlier direction belong to the chain of the one in this direction?"""
    name = state.chain[neighbor(state, point, direction)]
    earlier = neighbors & ((_1 << direction) - _1)
    while earlier != _0:
        if state.chain[neighbor(state, point, trailing_zeros(earlier))] == name:
            return False
        earlier &= earlier - _1
    return True


@inline_kernel
def is_legal(state, point, suicide, zobrist):
    """May whoever has the turn play here: an empty point, no suicide unless allowed, no position of the game again?"""
    if state.color[point] != EMPTY:
        return False
    color = np.uint64(state.turn) + _1
    captured = having(sides(state, point), _3 - color) & in_atari(state, point)
    if breathes(state, point, color):
        # A position with fewer empty points than any before is a new one.
        if captured == _0 and state.vacant <= state.fewest:
            return True
    elif not suicide:
        return False
    return not is_known(state, hash_after(state, point, color, captured, zobrist))


@kernel
def is_known(state, position):
    """Has there been a position with this hash in the game?"""
    found = False
    for i in range(np.uint64(state.played) + _1):
        found |= state.history[i] == position
    return found


@kernel
def hash_after(state, point, color, captured, zobrist):
    """The hash of the position after a move that captures the chains in the directions `captured`, or is suicide."""
    result = state.hash ^ chains_hash(state, point, _3 - color, captured, zobrist)
    if not breathes(state, point, color):
        return result ^ chains_hash(state, point, color, having(sides(state, point), color), zobrist)
    return result ^ zobrist[_2 * point + color]


@kernel
def chains_hash(state, point, color, directions, zobrist):
    """Zobrist words of the chains of a colour in these directions from a point."""
    result = _0
    rest = directions
    while rest != _0:
        direction = trailing_zeros(rest)
        rest &= rest - _1
        if is_first_of_chain(state, point, directions, direction):
            end = stone = neighbor(state, point, direction)
            while True:
                result ^= zobrist[_2 * stone + color]
                stone = np.uint64(state.next[stone])
                if stone == end:
                    break
    return result


@kernel
def area_balance(state):
    """Black's area minus White's: stones, and empty regions that reach only one colour."""
    total = np.int64(state.balance)
    for i in range(np.uint64(state.vacant)):
        four = sides(state, np.uint64(state.empties[i]))
        if having(four, EMPTY) != _0:
            return flooded_balance(state)
        total += np.int64(enclosed(four, _1)) - np.int64(enclosed(four, _2))
    return total


@kernel
def flooded_balance(state):
    """What `area_balance` is, for regions of any size."""
    flood(state)
    total = np.int64(state.balance)
    for i in range(np.uint64(state.vacant)):
        reached = state.reach[np.uint64(state.empties[i])]
        total += np.int64(reached == 1) - np.int64(reached == 2)
    return total


@kernel
def flood(state):
    """Mark in `reach` for each empty point which colours its region touches: 1 black, 2 white, 3 both."""
    for p in range(np.uint64(state.reach.shape[0])):
        state.reach[p] = 0
    for i in range(np.uint64(state.vacant)):
        point = np.uint64(state.empties[i])
        four = sides(state, point)
        state.reach[point] = np.uint8(having(four, _1) != _0) + np.uint8(2) * np.uint8(having(four, _2) != _0)
    first = stride_of(state) + _1
    last = np.uint64(state.reach.shape[0]) - first - _1
    changed = True
    while changed:
        changed = False
        for p in range(first, last + _1):
            changed |= spread(state, p)
        for p in range(first, last + _1):
            changed |= spread(state, first + last - p)


@inline_kernel
def spread(state, point):
    """Let an empty point reach what its neighbours reach; has that changed anything?"""
    if state.color[point] != EMPTY:
        return False
    reach, stride = state.reach, stride_of(state)
    before = reach[point]
    after = before | reach[point - _1] | reach[point + _1] | reach[point - stride] | reach[point + stride]
    reach[point] = after
    return after != before


@kernel
def owner_of(state, point):
    """Whose area the point is when the game is over: 0 Black's, 1 White's, -1 nobody's."""
    color = np.uint64(state.color[point])
    if color != EMPTY:
        return np.int64(color) - 1
    four = sides(state, point)
    if having(four, EMPTY) == _0:
        black, white = enclosed(four, _1), enclosed(four, _2)
    else:
        flood(state)
        black, white = state.reach[point] == 1, state.reach[point] == 2
    if black == white:
        return np.int64(-1)
    return np.int64(0) if black else np.int64(1)
