"""How play-outs of games choose: quickly, or with an eye on what the last move threatens."""

import numpy as np

from arbora.policies.policy import policy


@policy
class Light:
    """The game's own quick play-outs; every legal move equally likely, if it has none."""

    needs = ("players",)

    def choose(self, problem, state, memory, out, rng):
        return np.int64(problem.light(state, out, rng))

    def finish(self, problem, state, payoffs, rng):
        return problem.finish(state, payoffs, rng)


@policy
class Tactical:
    """What the game calls urgent after the last move, else its quick play-outs; in Go, play-outs in MoGo's style."""

    needs = ("players",)

    def choose(self, problem, state, memory, out, rng):
        move = np.int64(problem.urgent(state, out, rng))
        if move >= 0:
            return move
        return np.int64(problem.light(state, out, rng))
