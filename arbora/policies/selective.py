"""Every candidate equally likely: play-outs keep to the problem's own selective rule (document 002, Section 3)."""

import numpy as np

from arbora.policies.policy import policy


@policy
class Selective:
    """Every one of the problem's `candidates` equally likely; every legal move, if the problem has no such rule."""

    def choose(self, problem, state, memory, out, rng):
        count = problem.candidates(state, out)
        if count == 0:
            return np.int64(-1)
        return np.int64(out[rng.below(count)])
