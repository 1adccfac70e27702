"""Monte-Carlo with roulette-wheel selection (MC-RWS, as described in document 001).

The document says what the strategy aims at, one large group of one colour and larger groups of the others, and gives no
formula. Here a colour's share of the wheel is by how many cells it falls short of the most frequent colour: that one is
spared as long as possible, and the rarer a colour is, the sooner it goes.
"""

import numpy as np

from arbora.policies.policy import policy
from arbora.policies.tabu import color_slots


@policy
class Roulette:
    """A colour by roulette wheel, the rarer the likelier, then a random move of that colour (MC-RWS)."""

    needs = ("kinds", "kind", "kind_count")

    def layout(self, problem):
        return [("groups", np.int64, (color_slots(problem),)), ("share", np.int64, (color_slots(problem),))]

    def choose(self, problem, state, memory, out, rng):
        count = problem.moves(state, out)
        if count == 0:
            return np.int64(-1)
        largest = 0
        for color in range(problem.kinds()):
            memory.groups[color] = 0
            memory.share[color] = problem.kind_count(state, color)
            largest = max(largest, memory.share[color])
        for i in range(count):
            memory.groups[problem.kind(state, out[i])] += 1
        wheel = 0
        for color in range(problem.kinds()):
            memory.share[color] = largest - memory.share[color] if memory.groups[color] > 0 else 0
            wheel += memory.share[color]
        if wheel == 0:
            return np.int64(out[rng.below(count)])
        rest = rng.below(wheel)
        chosen = 0
        while rest >= memory.share[chosen]:
            rest -= memory.share[chosen]
            chosen += 1
        skip = rng.below(memory.groups[chosen])
        for i in range(count):
            if problem.kind(state, out[i]) == chosen:
                if skip == 0:
                    return np.int64(out[i])
                skip -= 1
        return np.int64(-1)
