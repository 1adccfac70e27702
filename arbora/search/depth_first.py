"""Depth-first branch and bound: one line of play to its end, then back to the last choice, and so on through all of them.

At each position the moves are tried in the order of their children's bounds, or scores if the problem has no bound. A
child whose bound is no better than the best solution is left out, and with it all that come after it.
"""

from typing import Any

from arbora.component import param
from arbora.engine.greedy import BOUND, STATES, greedy_guide
from arbora.engine.run import NODES
from arbora.engine.stack import enter_next, finish_next, make_stack, open_here
from arbora.search.search import search


@search
class DepthFirst:
    """Depth-first search through everything, with branch and bound if the problem has a bound."""

    nodes: int = param("most nodes to open; then what is untried is finished greedily", default=10**12, low=1)
    keeps_states = True

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        return make_stack(problem)

    def run(self, problem, run):
        stack = run.work
        problem.reset(stack.states[0])
        greedy = greedy_guide(problem, BOUND, stack.states[0])
        everything = True
        entered = True
        while run.going():
            if entered:
                open_here(problem, run, stack, greedy)
                entered = False
            elif stack.exhausted():
                if stack.depth[0] == 0:
                    if everything:
                        run.complete()
                    return
                stack.depth[0] -= 1
            elif greedy == BOUND and stack.next_value() <= run.best_score[0]:
                stack.skip()
            elif run.counters[NODES] < self.nodes:
                enter_next(problem, stack)
                entered = True
            else:
                everything = False
                finish_next(problem, run, stack, greedy)
