"""Random search: the best of many independent play-outs."""

from arbora.component import param
from arbora.engine.run import play_out
from arbora.policies.uniform import Uniform
from arbora.search.search import search


@search
class Random:
    """The best of many independent play-outs from the start."""

    policy: object = param("how play-outs choose their moves", default=Uniform())

    def run(self, problem, run):
        problem.reset(run.states[0])
        while run.going():
            run.states[1] = run.states[0]
            play_out(problem, self.policy, run, run.states[1], 0)
