"""Every legal move equally likely."""

from arbora.policies.policy import policy


@policy
class Uniform:
    """Every legal move equally likely."""

    def choose(self, problem, state, memory, out, rng):
        return problem.sample(state, out, rng)
