"""A* for a score to be maximised (document 001, Section 3).

All open nodes wait in one list, sorted by the problem's `bound`, an "over-estimator" of the score at the end. The first is
taken from the list and its children are added, until no open node promises more than the best episode has: that one is
then the best there is.
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.frontier import add_start, finish_node, make_frontier, open_node
from arbora.engine.greedy import BOUND, STATES, finishing_is_due
from arbora.search.search import search


@search
class AStar:
    """A*: open the node with the highest bound, until none can beat the best solution."""

    nodes: int = param(
        "most nodes in memory, with their states; then all open ones are finished greedily",
        default=1_000_000,
        low=1,
        high=2**31 - 1,
    )
    needs = ("bound",)
    keeps_states = True

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        return make_frontier(problem, self.nodes)

    def run(self, problem, run):
        frontier = run.work
        queue = frontier.queue
        add_start(problem, run, frontier)
        queue.push(0, frontier.nodes[0].bound)
        while run.going():
            if queue.size[0] == 0 or queue.value[queue.top()] <= run.best_score[0]:
                if frontier.lost[0] == 0:
                    run.complete()
                return
            index = queue.pop()
            if frontier.worthless(run, index):
                continue
            if frontier.lost[0] != 0 or finishing_is_due(frontier.effort):
                finish_node(problem, run, frontier, BOUND, index)
            if frontier.lost[0] == 0 and run.going():
                first = frontier.size[0]
                open_node(problem, run, frontier, index)
                for child in range(first, frontier.size[0]):
                    queue.push(np.int64(child), frontier.nodes[child].bound)
                if frontier.lost[0] != 0:
                    queue.push(index, frontier.nodes[index].bound)
