"""What the last move makes urgent, and what a move looks like before it was tried."""

import numpy as np

from arbora.engine.bits import trailing_zeros
from arbora.engine.kernel import inline_kernel, kernel
from arbora.problems.go.board import (
    EMPTY,
    NOWHERE,
    chain_liberties,
    having,
    is_atari,
    is_only_liberty,
    last_liberty,
    neighbor,
    sides,
    stride_of,
)
from arbora.problems.go.patterns import matches
from arbora.problems.go.rules import in_atari, is_eye, is_first_of_chain, is_self_atari, is_sensible

_0, _1, _2, _3 = (np.uint64(n) for n in range(4))


@kernel
def urgent_point(state, patterns, out, rng):
    """A point to play after the last move, in the order of MoGo's play-outs; NOWHERE if nothing is urgent.

    Own stones that the last move put in atari are saved; else a pattern around the last move is played; else stones in
    atari are taken, wherever they are. Of several points, any.
    """
    last = np.uint64(state.last)
    if last != NOWHERE:
        count = saving_points(state, last, out)
        if count == 0:
            count = pattern_points(state, last, patterns, out)
        if count > 0:
            return np.uint64(out[rng.below(count)])
    count = capturing_points(state, out)
    return np.uint64(out[rng.below(count)]) if count > 0 else NOWHERE


@inline_kernel
def add_point(state, point, color, out, count):
    """One more point in the list, if a play-out may go there and there is room; a point may be listed twice."""
    if count < out.shape[0] and is_sensible(state, point, color):
        out[count] = point
        return count + 1
    return count


@kernel
def saving_points(state, last, out):
    """Points that save own chains in atari beside the last stone: where they run, or take what puts them in atari."""
    color = np.uint64(state.turn) + _1
    count = 0
    rest = own = having(sides(state, last), color)
    while rest != _0:
        direction = trailing_zeros(rest)
        rest &= rest - _1
        stone = neighbor(state, last, direction)
        word = chain_liberties(state, stone)
        if is_atari(word) and is_first_of_chain(state, last, own, direction):
            escape = last_liberty(word)
            if not is_self_atari(state, escape, color):
                count = add_point(state, escape, color, out, count)
            count = countering_points(state, stone, escape, color, out, count)
    return count


@kernel
def countering_points(state, stone, escape, color, out, count):
    """Points, but for `escape`, that take chains in atari around the chain of a stone."""
    point = stone
    while True:
        rest = having(sides(state, point), _3 - color)
        while rest != _0:
            word = chain_liberties(state, neighbor(state, point, trailing_zeros(rest)))
            rest &= rest - _1
            if is_atari(word) and last_liberty(word) != escape:
                count = add_point(state, last_liberty(word), color, out, count)
        point = np.uint64(state.next[point])
        if point == stone:
            return count


@kernel
def pattern_points(state, last, patterns, out):
    """Empty points around the last stone that match a pattern and do not put own stones in atari."""
    color = np.uint64(state.turn) + _1
    stride = stride_of(state)
    count = 0
    for row in range(3):
        for column in range(3):
            point = last + np.uint64(row) * stride + np.uint64(column) - stride - _1
            if state.color[point] == EMPTY and matches(patterns, state.around[point]):
                if is_sensible(state, point, color) and not is_self_atari(state, point, color):
                    out[count] = point
                    count += 1
    return count


@kernel
def capturing_points(state, out):
    """Points that take an enemy chain in atari, each once."""
    color = np.uint64(state.turn) + _1
    count = 0
    for i in range(np.uint64(state.vacant)):
        point = np.uint64(state.empties[i])
        if having(sides(state, point), _3 - color) & in_atari(state, point) != _0:
            count = add_point(state, point, color, out, count)
    return count


@kernel
def promise(state, point, patterns, columns, rows):
    """A guess of how often the player to move wins after a stone here, from how the move looks; 1/2 is an even game."""
    color = np.uint64(state.turn) + _1
    if is_eye(state, point, color):
        return 0.1
    value = 0.5 + edge_promise(state, point, columns, rows) + nearness_promise(state, point)
    if matches(patterns, state.around[point]):
        value += 0.1
    taken, saved = chains_at_stake(state, point, color)
    if taken > 0:
        value += 0.25 + 0.02 * min(taken, 5)
    elif is_self_atari(state, point, color):
        value -= 0.3
    elif saved > 0:
        value += 0.2 + 0.02 * min(saved, 5)
    return min(max(value, 0.05), 0.95)


@kernel
def chains_at_stake(state, point, color):
    """How many enemy stones in atari can be taken here, and how many own ones in atari would run from here."""
    taken, saved = 0, 0
    four = sides(state, point)
    rest = having(four, color) | having(four, _3 - color)
    while rest != _0:
        stone = neighbor(state, point, trailing_zeros(rest))
        rest &= rest - _1
        if is_only_liberty(chain_liberties(state, stone), point):
            if state.color[stone] == color:
                saved += np.int64(state.size[np.uint64(state.chain[stone])])
            else:
                taken += np.int64(state.size[np.uint64(state.chain[stone])])
    return taken, saved


@kernel
def edge_promise(state, point, columns, rows):
    """Where there are no stones near, the first line is too low, the second a little, and the third is good."""
    stride = np.int64(stride_of(state))
    x, y = np.int64(point) % stride, np.int64(point) // stride
    line = min(min(x, columns + 1 - x), min(y, rows + 1 - y))
    if line > 3:
        return 0.0
    for dy in range(-2, 3):
        for dx in range(-2, 3):
            if (
                1 <= x + dx <= columns
                and 1 <= y + dy <= rows
                and state.color[np.uint64((y + dy) * stride + x + dx)] != EMPTY
            ):
                return 0.0
    return -0.25 if line == 1 else -0.1 if line == 2 else 0.05


@inline_kernel
def nearness_promise(state, point):
    """Answers are often near the last move."""
    last = np.int64(state.last)
    if last == 0:
        return 0.0
    stride = np.int64(stride_of(state))
    dx = abs(np.int64(point) % stride - last % stride)
    dy = abs(np.int64(point) // stride - last // stride)
    distance = dx + dy + max(dx, dy)
    if distance <= 2:
        return 0.1
    return 0.06 if distance <= 4 else 0.03 if distance <= 6 else 0.0
