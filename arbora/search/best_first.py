"""Greedy best-first search: always open the node of the highest value, whatever way led there.

Unlike A*, the value may be anything that tells good positions from bad ones; bounds, if the problem has them, serve to
leave out what cannot be better than the best solution. So the search is complete only when nothing is left to open.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.frontier import add_start, finish_node, make_frontier, open_node
from arbora.engine.greedy import GUIDES, SCORE, STATES, evaluate, finishing_is_due, greedy_guide
from arbora.policies.uniform import Uniform
from arbora.search.search import search


@search
class BestFirst:
    """Best-first search: open the node of the highest value."""

    evaluation: str = param("what a node's value is", default="play-out", choices=GUIDES)
    samples: int = param("play-outs for one value, if it is their average or best", default=1, low=1)
    policy: object = param("how play-outs choose their moves", default=Uniform())
    nodes: int = param(
        "most nodes in memory, with their states; then all open ones are finished greedily",
        default=1_000_000,
        low=1,
        high=2**31 - 1,
    )
    guide: int = derived(init=False)
    keeps_states = True

    def prepare(self) -> Any:
        return fill(self, guide=GUIDES.index(self.evaluation))

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        return make_frontier(problem, self.nodes)

    def run(self, problem, run):
        frontier = run.work
        queue = frontier.queue
        add_start(problem, run, frontier)
        greedy = greedy_guide(problem, self.guide, frontier.states[0])
        guide = self.guide if self.guide > SCORE else greedy
        queue.push(0, np.inf)
        while run.going():
            if queue.size[0] == 0:
                if frontier.lost[0] == 0:
                    run.complete()
                return
            index = queue.pop()
            if frontier.worthless(run, index):
                continue
            if frontier.lost[0] != 0 or finishing_is_due(frontier.effort):
                finish_node(problem, run, frontier, greedy, index)
            if frontier.lost[0] == 0 and run.going():
                first = frontier.size[0]
                open_node(problem, run, frontier, index)
                depth = frontier.way_to(index, run.path)
                for child in range(first, frontier.size[0]):
                    run.path[depth] = frontier.nodes[child].move
                    value = evaluate(problem, self.policy, run, guide, self.samples, frontier.states[child], depth + 1)
                    queue.push(np.int64(child), value)
                if frontier.lost[0] != 0:
                    queue.push(index, queue.value[index])
