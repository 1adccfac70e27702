"""Depth-budgeted search: depth-first with a budget of nodes at every depth, greedy where it is spent.

Document 001, Section 2.3 mentions the method, "when the search reaches a depth where its budget has been spent, a greedy
simulation is performed", and leaves the rest open. Here it is so: in a pass, `budget` nodes may be opened at each depth,
times `decay` for every move from the start. A node has a share of that. It opens its best children, as many as its
share at the next depth has whole nodes; they divide the share equally. All other children are finished greedily. Passes
follow each other with twice the budget each; one in which every child had its share has seen everything.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.greedy import BOUND, STATES, greedy_guide
from arbora.engine.run import NODES
from arbora.engine.stack import enter_next, finish_next, make_stack, open_here
from arbora.problem import bounds
from arbora.search.search import search

_ROUNDING = 1e-9  # three thirds of a node are a whole one


@make_component
class Workspace:
    """All memory of a depth-budgeted search."""

    stack: object
    room: np.ndarray  # float64[max_length + 1]: what is left at each depth to divide among the children opened there
    openings: np.ndarray  # int64[max_length + 1]: how many more of them there may be


@search
class DepthBudgeted:
    """Depth-first search that opens so many nodes at each depth, and finishes all others greedily."""

    budget: int = param("nodes that may be opened at each depth; twice as many in each further pass", default=1, low=1)
    decay: float = param("what the budget is multiplied by from one depth to the next", default=1.0, low=0, high=1)
    nodes: int = param("most nodes to open in all passes together", default=10**12, low=1)
    keeps_states = True

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        rows = bounds(problem)[1] + 1
        return Workspace(make_stack(problem), np.zeros(rows), np.zeros(rows, np.int64))

    def run(self, problem, run):
        stack = run.work.stack
        problem.reset(stack.states[0])
        greedy = greedy_guide(problem, BOUND, stack.states[0])
        budget = np.float64(self.budget)
        while run.going() and run.counters[NODES] < self.nodes:
            if self.search_pass(problem, run, greedy, budget):
                run.complete()
                return
            budget *= 2.0

    def search_pass(self, problem, run, greedy, share):
        """One pass through the tree, the start's share being the whole budget. Returns whether it has seen everything."""
        stack, room, openings = run.work.stack, run.work.room, run.work.openings
        stack.depth[0] = 0
        everything = True
        entered = True
        while run.going():
            depth = stack.depth[0]
            if entered:
                open_here(problem, run, stack, greedy)
                room[depth] = share * self.decay
                openings[depth] = np.int64(min(np.floor(room[depth] + _ROUNDING), np.float64(stack.count[depth])))
                entered = False
            elif stack.exhausted():
                if depth == 0:
                    return everything
                stack.depth[0] -= 1
            elif greedy == BOUND and stack.next_value() <= run.best_score[0]:
                stack.skip()
            elif openings[depth] > 0 and run.counters[NODES] < self.nodes:
                share = room[depth] / openings[depth]
                room[depth] -= share
                openings[depth] -= 1
                enter_next(problem, stack)
                entered = True
            else:
                everything = False
                finish_next(problem, run, stack, greedy)
        return False
