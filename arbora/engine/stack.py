"""The position a depth-first search stands at, and at every depth above it the moves that are still to be tried."""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.greedy import FINISHING, OPENED, estimate, finish_greedily, list_moves, new_effort
from arbora.engine.kernel import inline_kernel
from arbora.problem import bounds, new_states


@make_component
class Stack:
    """One row per depth. Moves are in the order of their children's values, the highest first."""

    states: np.ndarray  # the problem's states[max_length + 1]
    moves: np.ndarray  # int32[max_length + 1, max_moves]
    values: np.ndarray  # float64[max_length + 1, max_moves]: of the child that the move leads to
    count: np.ndarray  # int64[max_length + 1]
    tried: np.ndarray  # int64[max_length + 1]: how many of them have been tried
    way: np.ndarray  # int32[max_length + 1]: the moves played
    depth: np.ndarray  # int64[1]: where the search stands
    effort: np.ndarray  # int64[2]: nodes opened, and greedy steps

    def exhausted(self):
        """Have all moves of this depth been tried?"""
        return self.tried[self.depth[0]] == self.count[self.depth[0]]

    def next_value(self):
        """The value of the child that comes next at this depth."""
        return self.values[self.depth[0], self.tried[self.depth[0]]]

    def skip(self):
        """Leave the moves of this depth that have not been tried."""
        self.tried[self.depth[0]] = self.count[self.depth[0]]


@inline_kernel
def enter_next(problem, stack):
    """Go to the child that comes next; its moves are still to be listed, by `open_here`."""
    depth = stack.depth[0]
    move = stack.moves[depth, stack.tried[depth]]
    stack.tried[depth] += 1
    stack.way[depth] = move
    stack.states[depth + 1] = stack.states[depth]
    problem.play(stack.states[depth + 1], move)
    stack.depth[0] = depth + 1


@inline_kernel
def open_here(problem, run, stack, guide):
    """List the moves of this position by their children's values; an episode that ends here is finished."""
    depth = stack.depth[0]
    run.count_node(depth)
    stack.effort[OPENED] += 1
    state = stack.states[depth]
    count = list_moves(problem, run, state, depth)
    moves, values = stack.moves[depth], stack.values[depth]
    for i in range(count):
        run.states[2] = state
        problem.play(run.states[2], run.moves[i])
        value = estimate(problem, guide, run.states[2])
        at = i
        while at > 0 and values[at - 1] < value:
            values[at] = values[at - 1]
            moves[at] = moves[at - 1]
            at -= 1
        values[at] = value
        moves[at] = run.moves[i]
    stack.count[depth] = count
    stack.tried[depth] = 0
    if count == 0:
        retrace(run, stack, depth)
        run.finish(np.float64(problem.score(state)), depth)


@inline_kernel
def finish_next(problem, run, stack, guide):
    """Finish an episode greedily by way of the child that comes next."""
    depth = stack.depth[0]
    move = stack.moves[depth, stack.tried[depth]]
    stack.tried[depth] += 1
    retrace(run, stack, depth)
    run.path[depth] = move
    run.states[1] = stack.states[depth]
    problem.play(run.states[1], move)
    stack.effort[FINISHING] += finish_greedily(problem, run, guide, run.states[1], depth + 1)


@inline_kernel
def retrace(run, stack, depth):
    """Write the first `depth` moves of the way here into `run.path`."""
    for i in range(depth):
        run.path[i] = stack.way[i]


def make_stack(problem: Any) -> Any:
    max_moves, max_length = bounds(problem)
    rows = max_length + 1
    return Stack(
        states=new_states(problem, rows),
        moves=np.empty((rows, max_moves), np.int32),
        values=np.empty((rows, max_moves), np.float64),
        count=np.zeros(rows, np.int64),
        tried=np.zeros(rows, np.int64),
        way=np.zeros(rows, np.int32),
        depth=np.zeros(1, np.int64),
        effort=new_effort(),
    )
