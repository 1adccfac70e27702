"""A small problem without ties and a policy without chance, for tests of the tree and nested searches."""

from typing import Any

import numpy as np

import arbora

WIDTH = 3


@arbora.problem
class Leaves:
    """A tree of three moves a step; some episodes end early. All positions have different scores."""

    values: np.ndarray
    steps: int = 4

    def layout(self):
        return [("place", np.int64), ("step", np.int64)]

    def max_moves(self):
        return WIDTH

    def max_length(self):
        return self.steps

    def reset(self, state):
        state.place = 0
        state.step = 0

    def moves(self, state, out):
        if state.step == self.steps or (state.step >= 2 and state.place % 5 == 4):
            return 0
        for move in range(WIDTH):
            out[move] = move
        return WIDTH

    def play(self, state, move):
        state.place = WIDTH * state.place + move + 1
        state.step += 1

    def score(self, state):
        return np.float64(self.values[state.place])


def leaves(seed: int, steps: int = 4) -> Any:
    positions = (WIDTH ** (steps + 1) - 1) // (WIDTH - 1)
    return Leaves(values=np.random.default_rng(seed).permutation(positions).astype(np.float64), steps=steps)


@arbora.policy
class First:
    """The first legal move, always; the memory counts episodes."""

    def layout(self, problem):
        return [("episodes", np.int64)]

    def choose(self, problem, state, memory, out, rng):
        return np.int64(out[0]) if problem.moves(state, out) > 0 else np.int64(-1)

    def learn(self, problem, memory, score):
        memory.episodes += 1
