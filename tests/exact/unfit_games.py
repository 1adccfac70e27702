"""Games of one move that cannot be analysed, each for a reason of its own."""

import numpy as np

import arbora


class Three:
    """Three players."""

    players, max_moves, max_length = 3, 1, 1

    def reset(self):
        self.left = 1

    def moves(self):
        return range(self.left)

    def play(self, move):
        self.left = 0

    def player(self):
        return 0

    def payoff(self, player):
        return 0.5


class Friends(Three):
    """Two players who win together."""

    players, max_moves = 2, 2

    def reset(self):
        self.left, self.worth = 2, 0.0

    def play(self, move):
        self.left, self.worth = 0, float(move)

    def payoff(self, player):
        return self.worth


@arbora.problem
class Blind:
    """Hides something, but does not say what."""

    def layout(self):
        return [("step", np.int8)]

    def max_moves(self):
        return 1

    def max_length(self):
        return 1

    def players(self):
        return 2

    def reset(self, state):
        state.step = 0

    def player(self, state):
        return 0

    def moves(self, state, out):
        out[0] = 0
        return 1 - state.step

    def play(self, state, move):
        state.step += 1

    def payoff(self, state, player):
        return 0.5

    def determinize(self, state, player, rng):
        pass
