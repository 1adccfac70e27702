"""The positions a search has reached: a pool of nodes with their states, of which the open ones wait in a queue.

Node 0 is the start. A node knows the way back, so its state may be anything that `problem.play` makes of its parent's.
Positions with equal keys have the same future: of these only the one with the higher score so far is worth opening.
When the pool is full nothing is added any more, and `lost` says that something has been left out.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.greedy import FINISHING, OPENED, finish_greedily, list_moves, new_effort
from arbora.engine.heap import make_heap
from arbora.engine.kernel import inline_kernel
from arbora.engine.keys import make_keys
from arbora.problem import new_states

NODE = np.dtype(
    [
        ("parent", np.int32),
        ("move", np.int32),  # the move that leads here
        ("depth", np.int64),  # moves from the start
        ("bound", np.float64),  # the lowest bound on the way here
        ("score", np.float64),  # as it stands here
        ("key", np.uint64),
    ],
    align=True,
)


@make_component
class Frontier:
    """A pool of nodes."""

    states: np.ndarray  # the problem's states[capacity]
    nodes: np.ndarray  # NODE[capacity]
    size: np.ndarray  # int64[1]: nodes in use
    lost: np.ndarray  # int64[1]: nonzero if a child found no room
    effort: np.ndarray  # int64[2]: nodes opened, and greedy steps
    queue: object  # the open nodes; a search that takes them in another order leaves it empty
    keys: object  # the best node of each key

    def full(self):
        return self.size[0] == self.nodes.size

    def add(self, parent, move, depth, bound, score, key):
        """Make a node of the state that is already in its place, behind all others."""
        index = self.size[0]
        node = self.nodes[index]
        node.parent = parent
        node.move = move
        node.depth = depth
        node.bound = bound
        node.score = score
        node.key = key
        self.keys.put(key, index)
        self.size[0] = index + 1

    def outdone(self, key, score):
        """Has the same position been reached with no lower score?"""
        other = self.keys.get(key)
        return other >= 0 and self.nodes[other].score >= score

    def worthless(self, run, index):
        """Can nothing new come of this node? Its bound is no better than the best score, or there is a better twin."""
        node = self.nodes[index]
        if node.bound <= run.best_score[0]:
            return True
        return node.key != 0 and self.keys.get(node.key) != index

    def way_to(self, index, path):
        """Write the moves from the start to a node into `path`; return how many."""
        depth = self.nodes[index].depth
        for i in range(depth - 1, -1, -1):
            path[i] = self.nodes[index].move
            index = self.nodes[index].parent
        return depth


@inline_kernel
def add_start(problem, run, frontier):
    """Make the start position node 0."""
    state = frontier.states[0]
    problem.reset(state)
    bound, score, key = problem.bound(state), problem.score(state), problem.key(state)
    frontier.add(-1, -1, 0, np.float64(bound), np.float64(score), np.uint64(key))
    run.count_node(0)


@inline_kernel
def open_node(problem, run, frontier, index):
    """Add the children of a node that can lead to something new; an episode that ends here is finished."""
    frontier.effort[OPENED] += 1
    depth = frontier.nodes[index].depth
    count = list_moves(problem, run, frontier.states[index], depth)
    if count == 0:
        frontier.way_to(index, run.path)
        run.finish(np.float64(problem.score(frontier.states[index])), depth)
    for i in range(count):
        run.states[2] = frontier.states[index]
        state = run.states[2]
        problem.play(state, run.moves[i])
        bound = min(frontier.nodes[index].bound, np.float64(problem.bound(state)))
        if bound <= run.best_score[0]:
            continue
        score, key = np.float64(problem.score(state)), np.uint64(problem.key(state))
        if frontier.outdone(key, score):
            continue
        if frontier.full():
            frontier.lost[0] = 1
            break
        frontier.states[frontier.size[0]] = state
        frontier.add(index, run.moves[i], depth + 1, bound, score, key)
        run.count_node(depth + 1)


@inline_kernel
def finish_node(problem, run, frontier, guide, index):
    """Finish an episode greedily from a node, which stays as it is."""
    depth = frontier.way_to(index, run.path)
    run.states[1] = frontier.states[index]
    frontier.effort[FINISHING] += finish_greedily(problem, run, guide, run.states[1], depth)


def make_frontier(problem: Any, capacity: int) -> Any:
    return Frontier(
        states=new_states(problem, capacity),
        nodes=np.empty(capacity, NODE),
        size=np.zeros(1, np.int64),
        lost=np.zeros(1, np.int64),
        effort=new_effort(),
        queue=make_heap(capacity),
        keys=make_keys(capacity),
    )
