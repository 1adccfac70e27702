"""IDA*, iterative deepening A*, for a score to be maximised (document 001, Section 3).

A depth-first search goes no further where the bound falls below a threshold, which begins as the bound of the start. If it
returns without an episode that reaches the threshold, the threshold is lowered to the highest bound that fell below it.
So nodes are opened about as A* opens them, again and again, but none is kept.
"""

from typing import Any

import numpy as np

from arbora.component import param
from arbora.engine.greedy import BOUND, STATES, finishing_is_due
from arbora.engine.run import NODES
from arbora.engine.stack import enter_next, finish_next, make_stack, open_here
from arbora.search.search import search


@search
class IDAStar:
    """IDA*: depth-first under a threshold on the bound, lowered step by step."""

    nodes: int = param("most nodes to open; then what is untried is finished greedily", default=10**12, low=1)
    needs = ("bound",)
    keeps_states = True

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        return make_stack(problem)

    def run(self, problem, run):
        stack = run.work
        problem.reset(stack.states[0])
        threshold = np.float64(problem.bound(stack.states[0]))
        while threshold > run.best_score[0]:
            if not run.going() or run.counters[NODES] >= self.nodes:
                return
            threshold = self.iteration(problem, run, threshold)
        run.complete()

    def iteration(self, problem, run, threshold):
        """Search as far as bounds reach the threshold. Returns the next one; the same if this came to no end."""
        stack = run.work
        stack.depth[0] = 0
        following = -np.inf
        everything = True
        entered = True
        while run.going() and run.best_score[0] < threshold:
            if entered:
                open_here(problem, run, stack, BOUND)
                entered = False
            elif stack.exhausted():
                if stack.depth[0] == 0:
                    return following if everything else threshold
                stack.depth[0] -= 1
            elif stack.next_value() <= run.best_score[0]:
                stack.skip()
            elif stack.next_value() >= threshold and run.counters[NODES] < self.nodes:
                enter_next(problem, stack)
                entered = True
            else:
                reached = stack.next_value() >= threshold
                if not reached:  # the highest of those that fall below: all that come after it do, too
                    following = max(following, stack.next_value())
                if reached or finishing_is_due(stack.effort):
                    finish_next(problem, run, stack, BOUND)
                if reached:
                    everything = False
                else:
                    stack.skip()
        return threshold
