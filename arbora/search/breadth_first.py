"""Breadth-first search: all positions one move from the start, then all that are two moves away, and so on.

Of equal positions only the one with the higher score is opened, and of those that have a bound only what may be better
than the best solution. While it goes through the layers, a tenth of the effort finishes episodes greedily.
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.frontier import add_start, finish_node, make_frontier, open_node
from arbora.engine.greedy import BOUND, STATES, estimate, finishing_is_due, greedy_guide
from arbora.search.search import search


@search
class BreadthFirst:
    """Breadth-first search: layer by layer, all positions of the same number of moves."""

    nodes: int = param(
        "most nodes in memory, with their states; then all open ones are finished greedily",
        default=1_000_000,
        low=1,
        high=2**31 - 1,
    )
    keeps_states = True

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        return make_frontier(problem, self.nodes)

    def run(self, problem, run):
        frontier = run.work
        queue = frontier.queue  # of use only when the memory is full: then the most promising come first
        add_start(problem, run, frontier)
        greedy = greedy_guide(problem, BOUND, frontier.states[0])
        opened = 0  # nodes are opened in the order they are made, which is that of their depth
        while run.going():
            full = frontier.lost[0] != 0
            if full and queue.size[0] > 0:
                index = queue.pop()
            elif not full and opened < frontier.size[0]:
                index = np.int64(opened)
                opened += 1
            else:
                if not full:
                    run.complete()
                return
            if frontier.worthless(run, index):
                continue
            if full or finishing_is_due(frontier.effort):
                finish_node(problem, run, frontier, greedy, index)
            if not full and run.going():
                open_node(problem, run, frontier, index)
                if frontier.lost[0] != 0:
                    self.queue_rest(problem, run, greedy, index)

    def queue_rest(self, problem, run, greedy, first):
        """Let all nodes from `first` on wait in the order of their values."""
        frontier = run.work
        for index in range(first, frontier.size[0]):
            if run.stopped():
                return
            frontier.queue.push(np.int64(index), estimate(problem, greedy, frontier.states[index]))
