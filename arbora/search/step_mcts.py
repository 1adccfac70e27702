"""Monte-Carlo Tree Search that commits itself to one step at a time (document 004, Sections 4.2 to 4.5).

A table H keeps the average score of each action, wherever it was used, in the tree or in a play-out (Section 4.4). It guides
selection among children with few visits, and, if wanted, the play-outs. After some iterations the best child of the root
becomes the root; its siblings are discarded with all that lies below them, and their memory is used again (Section 4.5).

What the document leaves open is settled here. What an action *is* is told by the problem's `code`. Scores count as [0, 1],
by the lowest and highest seen. Positions below which every episode has been seen are not selected again. An episode that
is committed to its end, or to a position of that kind, is followed by another one from the start position: the tree is new,
H stays.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.averages import make_averages
from arbora.engine.bandit import scaled, ucb1_tuned_width, ucb1_width
from arbora.engine.best import make_best
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import TOO_LONG
from arbora.engine.tree import EXHAUSTED, UNCOUNTED, make_tree
from arbora.policies.uniform import Uniform
from arbora.problem import bounds
from arbora.search.search import search

# What is added to an action's share of a biased draw, in units of the average action: no action is ever ruled out.
FLOOR = 0.1
CAP = 4.0  # an action that is better than so many average ones is drawn like them
DRAWS = 100  # moves drawn, one after the other, that may be rejected


@make_component
class Workspace:
    """All memory of one run."""

    tree: object  # its root is the position after the steps so far
    averages: object  # the table H
    trail: np.ndarray  # int64[max_length + 1]: the nodes of the current descent, from the root of the tree
    rows: np.ndarray  # int64[max_length]: where H keeps the actions of the episode being played
    scale: np.ndarray  # float64[2]: lowest and highest score seen
    best: object  # Best, one row: the best episode known that begins with the steps so far
    places: np.ndarray  # int32[nodes]: scratch for moving the tree together


@search
class StepMCTS:
    """MCTS that commits itself to one step at a time."""

    iterations: int = param("play-outs before each step; 0 for equal shares of what is left of the budget", default=0, low=0)
    commit: str = param(
        "the child to commit to: of the most visits, of the highest mean, or the next one of the best solution known",
        default="visits",
        choices=("visits", "mean", "best"),
    )
    exploration: float = param("weight of the confidence bound; scores count as [0, 1]", default=1.0, low=0)
    selection: str = param("the confidence bound", default="ucb1-tuned", choices=("ucb1-tuned", "ucb1"))
    top_weight: float = param("weight of a child's best score beside its mean", default=0.0, low=0)
    selection_bias: float = param("k: a child with fewer visits is judged by H as well; 0 for never", default=50.0, low=0)
    rollout_bias: bool = param("draw the moves of play-outs in proportion to H as well", default=False)
    policy: object = param("how play-outs choose their moves", default=Uniform())
    codes: int = param("most actions in H; those beyond that count as never used", default=1 << 20, low=1, high=1 << 30)
    nodes: int = param(
        "most nodes in memory (52 bytes each); a full tree is searched on", default=1_000_000, low=1, high=2**31 - 1
    )
    tuned: bool = derived(init=False)
    by_best: bool = derived(init=False)
    by_mean: bool = derived(init=False)

    def prepare(self) -> Any:
        return fill(
            self,
            tuned=self.selection == "ucb1-tuned",
            by_best=self.commit == "best",
            by_mean=self.commit == "mean",
        )

    def workspace(self, problem: Any) -> Any:
        max_length = bounds(problem)[1]
        return Workspace(
            tree=make_tree(self.nodes),
            averages=make_averages(self.codes),
            trail=np.zeros(max_length + 1, np.int64),
            rows=np.zeros(max_length, np.int64),
            scale=np.array([np.inf, -np.inf]),
            best=make_best(problem, 1),
            places=np.empty(self.nodes, np.int32),
        )

    def run(self, problem, run):
        work = run.work
        work.averages.clear()
        work.scale[0], work.scale[1] = np.inf, -np.inf
        whole = run.whole()
        begun = 0
        while run.going():
            self.play_episode(problem, run, whole, begun == 0)
            begun += 1

    def play_episode(self, problem, run, whole, first):
        """Section 4.5: search, commit to a step, search on from there, to the end of an episode.

        The report about the root and the proof are about the start position, so they belong to the first step.
        """
        tree = run.work.tree
        problem.reset(run.states[0])
        run.work.best.empty(0)
        tree.clear()
        run.count_node(0)
        step = 0
        while True:
            self.search_step(problem, run, whole, step)
            if step == 0 and first:
                tree.report(run.root)
            if step == 0 and tree.exhausted():
                run.complete()
            if tree.exhausted() or not run.going():
                break
            self.commit_step(problem, run, step)
            step += 1

    def search_step(self, problem, run, whole, step):
        """The iterations before a step. The best episode known after the first of them tells how many steps are left."""
        tree, best = run.work.tree, run.work.best
        done = 0
        while run.going() and not tree.exhausted() and (self.iterations == 0 or done < self.iterations):
            self.iterate(problem, run, step)
            done += 1
            if done == 1 and self.iterations == 0:
                run.share(whole, max(best.length[0] - step, 1))
        run.narrow(whole, 1.0)

    def commit_step(self, problem, run, step):
        """Make the best child of the root the root, and discard its siblings."""
        work = run.work
        move = self.best_move(run, step)
        play(problem, run, run.states[0], move, step)
        if move != work.best.moves[0, step]:
            work.best.empty(0)
        child = work.tree.child(0, move)
        if child != 0:
            work.tree.make_root(child, work.places)
        else:  # the pool was full
            work.tree.clear()
            run.count_node(step + 1)

    def best_move(self, run, step):
        """The move of the root's child with the highest mean or the most visits; or the next one of the best episode."""
        tree, best = run.work.tree, run.work.best
        chosen = np.int64(best.moves[0, step])
        if self.by_best:
            return chosen
        highest = -np.inf
        index = tree.nodes[0].first_child
        while index != 0:
            child = tree.nodes[index]
            value = child.total / child.visits if self.by_mean else np.float64(child.visits)
            if value > highest:
                highest = value
                chosen = np.int64(child.move)
            index = child.next_sibling
        return chosen

    def iterate(self, problem, run, step):
        """Selection and expansion, a play-out, and back-propagation."""
        run.states[1] = run.states[0]
        state = run.states[1]
        length, passed = self.descend(problem, run, state, step)
        score, length, ended = self.play_out(problem, run, state, length)
        if ended:
            self.back_propagate(run, score, length, step, passed)

    def descend(self, problem, run, state, depth):
        """Play from the root, `depth` moves into the episode, to the first state outside the tree and add it.

        Returns how many moves lead to the state reached, and how many nodes of `trail` were passed.
        """
        tree, trail = run.work.tree, run.work.trail
        node = np.int64(0)
        passed = 1
        trail[0] = 0
        while not run.stopped():
            if tree.nodes[node].untried != 0:
                count = problem.moves(state, run.moves)
                if tree.nodes[node].untried == UNCOUNTED:
                    tree.nodes[node].untried = count
                if count > 0 and fits(run, depth):
                    move = np.int64(tree.draw_untried(node, run.moves, count, run.rng))
                    play(problem, run, state, move, depth)
                    depth += 1
                    if not tree.full():
                        trail[passed] = tree.add_child(node, move)
                        run.count_node(depth)
                        passed += 1
                break
            node = self.select(problem, run, state, node)
            play(problem, run, state, np.int64(tree.nodes[node].move), depth)
            depth += 1
            trail[passed] = node
            passed += 1
        return depth, passed

    def select(self, problem, run, state, parent):
        """Section 4.4, selection biasing: the child of the highest value plus the width of its bound.

        The value of a child with n visits is alpha * V + (1 - alpha) * H(action): V is its mean, and alpha = min(1, n/k).
        Children below which every episode has been seen are left out.
        """
        tree, averages = run.work.tree, run.work.averages
        low, high = run.work.scale[0], run.work.scale[1]
        log_total = np.log(tree.nodes[parent].visits)
        best_value = -np.inf
        best = np.int64(0)
        index = np.int64(tree.nodes[parent].first_child)
        while index != 0:
            child = tree.nodes[index]
            if child.untried != EXHAUSTED:
                mean, square = scaled(child.total, child.squares, child.visits, low, high)
                if self.tuned:
                    width = ucb1_tuned_width(mean, square, child.visits, log_total)
                else:
                    width = ucb1_width(child.visits, log_total)
                value = mean
                if child.visits < self.selection_bias:
                    row = averages.row(np.uint64(problem.code(state, np.int64(child.move))))
                    alpha = child.visits / self.selection_bias
                    value = alpha * mean + (1.0 - alpha) * within(averages.mean(row), low, high)
                value += self.top_weight * within(child.best, low, high) + self.exploration * width
                if best == 0 or value > best_value:
                    best_value = value
                    best = index
            index = np.int64(child.next_sibling)
        return best

    def play_out(self, problem, run, state, length):
        """Play to the end by the policy, whose moves H may bias. Returns (score, length, did the episode end?)."""
        memory = run.memory[0]
        self.policy.begin(problem, state, memory, run.rng)
        while not run.stopped():
            if self.rollout_bias:
                move = draw_by_average(problem, self.policy, run, state)
            else:
                move = np.int64(self.policy.choose(problem, state, memory, run.moves, run.rng))
            if move < 0:
                score = np.float64(problem.score(state))
                self.policy.learn(problem, memory, score)
                run.finish(score, length)
                return score, length, True
            if not fits(run, length):
                break
            play(problem, run, state, move, length)
            length += 1
        return -np.inf, length, False

    def back_propagate(self, run, score, length, step, passed):
        """The score goes to the nodes passed and, in H, to every action of the episode.

        An episode that ended with the last of these nodes need not be played again.
        """
        work = run.work
        work.scale[0] = min(work.scale[0], score)
        work.scale[1] = max(work.scale[1], score)
        work.best.offer(0, score, run.path, length)
        for i in range(passed):
            work.tree.update(work.trail[i], score)
        for i in range(length):
            work.averages.add(work.rows[i], score)
        if length == step + passed - 1:
            work.tree.close(work.trail, passed)


@inline_kernel
def fits(run, length):
    """Is there room for one more move? If not, the problem said too little in `max_length`."""
    if length == run.path.size:
        run.fail(TOO_LONG, length)
    return length < run.path.size


@inline_kernel
def play(problem, run, state, move, depth):
    """Play the move number `depth` of the episode and remember which action it is."""
    run.path[depth] = move
    run.work.rows[depth] = run.work.averages.enter(np.uint64(problem.code(state, move)))
    problem.play(state, move)


@inline_kernel
def within(score, low, high):
    """A score after scaling [low, high] to [0, 1]."""
    return (score - low) / (high - low) if high > low else 0.5


@inline_kernel
def draw_by_average(problem, policy, run, state):
    """Section 4.4, rollout biasing: a move of the policy that was kept in proportion to H(action); -1 if there is none.

    So moves are drawn in proportion to what the policy gives them times H. H counts in units of the average of all actions,
    up to CAP, and FLOOR is added: one never used before counts as 1, one that has always led to the lowest score can
    still be drawn.
    """
    averages = run.work.averages
    low, high = run.work.scale[0], run.work.scale[1]
    average = within(averages.mean(averages.all_uses()), low, high)
    move = np.int64(-1)
    for _ in range(DRAWS):
        move = np.int64(policy.choose(problem, state, run.memory[0], run.moves, run.rng))
        if move < 0 or high <= low or average <= 0.0:
            break
        row = averages.row(np.uint64(problem.code(state, move)))
        share = min(max(within(averages.mean(row), low, high) / average, 0.0) + FLOOR, CAP)
        if run.rng.uniform() * CAP < share:
            break
    return move
