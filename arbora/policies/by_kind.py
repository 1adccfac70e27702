"""A kind of move first, then a move of it: kinds of which there are few moves come up as often as any other."""

import numpy as np

from arbora.component import param
from arbora.policies.policy import policy
from arbora.policies.tabu import color_slots


@policy
class ByKind:
    """Every kind of move is equally likely, then every move of the kind; what the problem's bias speaks against is rarer."""

    tries: int = param("draws that the bias may reject, one after the other", default=50, low=1)

    needs = ("kinds", "kind")

    def layout(self, problem):
        return [("count", np.int64, (color_slots(problem),)), ("present", np.int64, (color_slots(problem),))]

    def choose(self, problem, state, memory, out, rng):
        """A move is drawn in proportion to exp(bias) / moves of its kind, where a bias above 0 counts as 0."""
        count = problem.moves(state, out)
        if count == 0:
            return np.int64(-1)
        for kind in range(problem.kinds()):
            memory.count[kind] = 0
        kinds = 0
        for i in range(count):
            kind = problem.kind(state, out[i])
            if memory.count[kind] == 0:
                memory.present[kinds] = kind
                kinds += 1
            memory.count[kind] += 1
        move = np.int64(-1)
        for _ in range(self.tries):
            kind = memory.present[rng.below(kinds)]
            skip = rng.below(memory.count[kind])
            i = 0
            while problem.kind(state, out[i]) != kind or skip > 0:
                if problem.kind(state, out[i]) == kind:
                    skip -= 1
                i += 1
            move = np.int64(out[i])
            if rng.uniform() < np.exp(problem.bias(state, move)):
                break
        return move
