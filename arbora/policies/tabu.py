"""Tabu-colour policies: one colour is not played while there is any other move, so that its groups grow together.

For problems whose moves come in kinds: `kinds`, `kind` and `kind_count` (documents 000 and 001).
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.bandit import scaled, ucb1_tuned_width
from arbora.engine.kernel import inline_kernel
from arbora.policies.policy import policy


@inline_kernel
def choose_but(problem, state, tabu, epsilon, out, rng):
    """A random move of any colour but `tabu`; any move if there is no other, or with probability epsilon."""
    count = problem.moves(state, out)
    if count == 0:
        return np.int64(-1)
    if epsilon == 0.0 or rng.uniform() >= epsilon:
        kept = 0
        for i in range(count):
            if problem.kind(state, out[i]) != tabu:
                out[kept] = out[i]
                kept += 1
        if kept > 0:
            count = kept
    return np.int64(out[rng.below(count)])


@policy
class TabuRandom:
    """One colour, drawn at random for each play-out, is not played while there is any other move (document 001)."""

    needs = ("kinds", "kind", "kind_count")

    epsilon: float = param("probability of a random move instead", default=0.003, low=0, high=1)

    def layout(self, problem):
        return [("tabu", np.int64)]

    def begin(self, problem, state, memory, rng):
        memory.tabu = rng.below(problem.kinds())

    def choose(self, problem, state, memory, out, rng):
        return choose_but(problem, state, memory.tabu, self.epsilon, out, rng)


@policy
class TabuColor:
    """The most frequent colour at the start of a play-out is not played while there is any other move (document 001)."""

    needs = ("kinds", "kind", "kind_count")

    epsilon: float = param("probability of a random move instead", default=0.003, low=0, high=1)

    def layout(self, problem):
        return [("tabu", np.int64)]

    def begin(self, problem, state, memory, rng):
        memory.tabu = most_frequent(problem, state)

    def choose(self, problem, state, memory, out, rng):
        return choose_but(problem, state, memory.tabu, self.epsilon, out, rng)


@policy
class TabuBandit:
    """The tabu colour of each play-out is chosen by a UCB1-Tuned bandit that learns which one does best (document 000)."""

    needs = ("kinds", "kind", "kind_count")

    epsilon: float = param("probability of a random move instead", default=0.0, low=0, high=1)
    exploration: float = param("weight of the confidence bound", default=1.0, low=0)

    def layout(self, problem):
        arms = color_slots(problem)
        return [
            ("visits", np.float64, (arms,)),
            ("total", np.float64, (arms,)),
            ("squares", np.float64, (arms,)),
            ("tabu", np.int64),
            ("low", np.float64),
            ("high", np.float64),
            ("trials", np.float64),
        ]

    def begin(self, problem, state, memory, rng):
        memory.tabu = 0
        best = -np.inf
        for color in range(problem.kinds()):
            if memory.visits[color] == 0:
                memory.tabu = color
                return
            mean, square = scaled(memory.total[color], memory.squares[color], memory.visits[color], memory.low, memory.high)
            width = ucb1_tuned_width(mean, square, memory.visits[color], np.log(memory.trials))
            if mean + self.exploration * width > best:
                best = mean + self.exploration * width
                memory.tabu = color

    def choose(self, problem, state, memory, out, rng):
        return choose_but(problem, state, memory.tabu, self.epsilon, out, rng)

    def learn(self, problem, memory, score):
        if memory.trials == 0:
            memory.low = score
            memory.high = score
        memory.low = min(memory.low, score)
        memory.high = max(memory.high, score)
        memory.trials += 1
        memory.visits[memory.tabu] += 1
        memory.total[memory.tabu] += score
        memory.squares[memory.tabu] += score * score


@inline_kernel
def most_frequent(problem, state):
    """The colour of which most is left; the lowest of equals."""
    best = 0
    most = problem.kind_count(state, 0)
    for color in range(1, problem.kinds()):
        count = problem.kind_count(state, color)
        if count > most:
            best = color
            most = count
    return best


def color_slots(problem: Any) -> int:
    """Room for the problem's colours in a few sizes only, since every size compiles anew."""
    return 1 << max(int(problem.kinds()) - 1, 7).bit_length()
