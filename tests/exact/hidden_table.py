"""Small games that hide something, made of a table: chance draws a world, and each player sees something of it."""

from collections.abc import Sequence
from typing import Any

import numpy as np

import arbora
from arbora.engine.mixing import scrambled
from arbora.problem import CHANCE


@arbora.problem
class HiddenTable:
    """Chance draws one of several worlds; then these players move in turn, everybody sees the moves, all have two."""

    seats: np.ndarray  # int64[length]: who makes each move
    odds: np.ndarray  # float64[worlds]
    views: np.ndarray  # int64[players, worlds]: worlds that look alike to a player have the same number
    ends: np.ndarray  # float64[worlds, 2**length]: what each end is worth for the first player; the second loses that
    forgets: bool = False  # does `seen` leave out the moves?
    uneven: bool = False  # is there one move only in the second world?

    def layout(self):
        return [("world", np.int64), ("step", np.int64), ("place", np.int64)]

    def max_moves(self):
        return max(2, len(self.odds))

    def max_length(self):
        return 1 + len(self.seats)

    def players(self):
        return 2

    def payoffs(self):
        return -1.0, 1.0

    def reset(self, state):
        state.world = -1
        state.step = 0
        state.place = 0

    def player(self, state):
        if state.world < 0:
            return np.int64(CHANCE)
        return self.seats[state.step] if state.step < self.seats.size else np.int64(0)

    def moves(self, state, out):
        if state.step == self.seats.size:
            return 0
        count = self.odds.size if state.world < 0 else 2
        if self.uneven and state.world == 1:
            count = 1
        for move in range(count):
            out[move] = move
        return count

    def chance(self, state, move):
        return self.odds[move]

    def play(self, state, move):
        if state.world < 0:
            state.world = move
        else:
            state.step += 1
            state.place = 2 * state.place + move

    def payoff(self, state, player):
        worth = self.ends[state.world, state.place]
        return worth if player == 0 else -worth

    def determinize(self, state, player, rng):
        if state.world < 0:
            return
        view, total = self.views[player, state.world], 0.0
        for world in range(self.odds.size):
            if self.views[player, world] == view:
                total += self.odds[world]
        left = rng.uniform() * total
        for world in range(self.odds.size):
            if self.views[player, world] == view:
                left -= self.odds[world]
                if left < 0:
                    state.world = world
                    return

    def seen(self, state, player):
        view = self.views[player, state.world] if state.world >= 0 else np.int64(-1)
        place = np.int64(0) if self.forgets else state.place
        return scrambled(np.uint64(((place * 64 + state.step) * 64 + view + 1) * 2 + player + 1))


def hidden_table(seats: Sequence[int], odds: Sequence[float], views: Any, ends: Any, **more: bool) -> HiddenTable:
    def whole(values: Any) -> np.ndarray:
        return np.array(values, np.int64)

    return HiddenTable(whole(seats), np.array(odds, float), whole(views), np.array(ends, float), **more)


def random_table(seed: int) -> HiddenTable:
    """Four worlds of which the first player tells apart the halves, the second odd from even; payoffs by lot."""
    rng = np.random.default_rng(seed)
    odds = rng.dirichlet(np.ones(4) * 5)
    return hidden_table([0, 1, 0, 1], odds, [[0, 0, 1, 1], [0, 1, 0, 1]], rng.uniform(-1, 1, (4, 16)))
