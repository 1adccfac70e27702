"""Monte-Carlo Tree Search for one player (document 000, Listing 1).

Every play-out selects a way through the tree by upper confidence bounds, adds the first state outside it, and is finished
by the policy. The best whole solution is kept. Which move to prefer is left to the caller: `result.root` tells visits,
mean and best score of each.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.bandit import scaled, ucb1_tuned_width, ucb1_width
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import TOO_LONG, play_out
from arbora.engine.tree import EXHAUSTED, UNCOUNTED, make_tree
from arbora.policies.uniform import Uniform
from arbora.problem import bounds
from arbora.search.search import search


@make_component
class Workspace:
    """All memory of one MCTS run."""

    tree: object
    trail: np.ndarray  # int64[max_length + 1]: the nodes of the current descent
    scale: np.ndarray  # float64[2]: lowest and highest score seen


@search
class MCTS:
    """Monte-Carlo Tree Search with UCB1-Tuned or UCB1."""

    policy: object = param("how play-outs choose their moves", default=Uniform())
    exploration: float = param("C: weight of the confidence bound; scores count as [0, 1]", default=1.0, low=0)
    selection: str = param("the confidence bound", default="ucb1-tuned", choices=("ucb1-tuned", "ucb1"))
    nodes: int = param(
        "most nodes in memory (48 bytes each); a full tree is searched on", default=1_000_000, low=1, high=2**31 - 1
    )
    tuned: bool = derived(init=False)

    def prepare(self) -> Any:
        return fill(self, tuned=self.selection == "ucb1-tuned")

    def workspace(self, problem: Any) -> Any:
        max_length = bounds(problem)[1]
        return Workspace(
            tree=make_tree(self.nodes),
            trail=np.zeros(max_length + 1, np.int64),
            scale=np.array([np.inf, -np.inf]),
        )

    def run(self, problem, run):
        problem.reset(run.states[0])
        tree, trail, scale = run.work.tree, run.work.trail, run.work.scale
        tree.clear()
        scale[0], scale[1] = np.inf, -np.inf
        while run.going():
            run.states[1] = run.states[0]
            state = run.states[1]
            length, passed = descend(problem, run, state, 0, tree, trail, scale, self.exploration, self.tuned)
            score, _ = play_out(problem, self.policy, run, state, length)
            if score == -np.inf:  # stopped on the way
                break
            back_propagate(tree, trail, passed, scale, score)
        tree.report(run.root)


@inline_kernel
def descend(problem, run, state, length, tree, trail, scale, exploration, tuned):
    """Selection and expansion: play from the root to the first state outside the tree and add it.

    The root is `length` moves into the episode. Returns how many moves lead to the state reached, and how many nodes of
    `trail` were passed.
    """
    node = np.int64(0)
    passed = 1
    trail[0] = 0
    while not run.stopped():
        if tree.nodes[node].untried != 0:
            count = problem.moves(state, run.moves)
            if tree.nodes[node].untried == UNCOUNTED:
                tree.nodes[node].untried = count
            if count > 0:
                if length == run.path.size:
                    run.fail(TOO_LONG, length)
                    break
                move = tree.draw_untried(node, run.moves, count, run.rng)
                run.path[length] = move
                problem.play(state, move)
                length += 1
                if not tree.full():
                    trail[passed] = tree.add_child(node, move)
                    passed += 1
            return length, passed
        if tree.nodes[node].first_child == 0:
            break
        node = select(tree, node, scale, exploration, tuned)
        run.path[length] = tree.nodes[node].move
        problem.play(state, tree.nodes[node].move)
        length += 1
        trail[passed] = node
        passed += 1
    return length, passed


@inline_kernel
def select(tree, parent, scale, exploration, tuned):
    """Equation (2c): the child with the highest mean plus `exploration` times the width of its bound.

    Children below which there is nothing new are left out, in searches that close them.
    """
    log_total = np.log(tree.nodes[parent].visits)
    best_value = -np.inf
    best = tree.nodes[parent].first_child
    index = tree.nodes[parent].first_child
    while index != 0:
        child = tree.nodes[index]
        mean, square = scaled(child.total, child.squares, child.visits, scale[0], scale[1])
        if tuned:
            width = ucb1_tuned_width(mean, square, child.visits, log_total)
        else:
            width = ucb1_width(child.visits, log_total)
        if child.untried != EXHAUSTED and mean + exploration * width > best_value:
            best_value = mean + exploration * width
            best = index
        index = child.next_sibling
    return np.int64(best)


@inline_kernel
def back_propagate(tree, trail, passed, scale, score):
    """Equations (1a) and (1b) for the first `passed` nodes of the trail; the scale takes in the score."""
    scale[0] = min(scale[0], score)
    scale[1] = max(scale[1], score)
    for i in range(passed):
        tree.update(trail[i], score)
