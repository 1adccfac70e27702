"""Single-Player Monte-Carlo Tree Search (document 001, Section 4).

Selection by formula (1) on raw scores, a play-out by the simulation strategy, one new node per play-out, and backpropagation
of the mean, the sum of squares and the top score. A search ends when its tree has `nodes` nodes, and another one starts from
nothing (randomized restarts, Section 4.3). The budget goes to the start position, or in shares to every move of the
episode (Section 6.4).

The document does not say in what unit C counts. In points, as the formula is printed, its C of 0.1 is nothing beside scores
of thousands, and the search falls short of its scores. `scale` is 1,000 because with that it does not, and the deepest
nodes are about as deep as in Table 2; the order of the settings, and the parameters found by CEM, still come out otherwise.

Positions below which every episode has been seen are not selected again. The document does not say what becomes of
those; a greedy search would otherwise end up playing one and the same episode over and over.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.best import make_best
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import TOO_LONG, play_on
from arbora.engine.tree import EXHAUSTED, UNCOUNTED, make_tree
from arbora.errors import BadInput
from arbora.policies.tabu import TabuColor
from arbora.policies.uniform import Uniform
from arbora.problem import bounds
from arbora.search.search import search

# Table 5: C, D, T, W and epsilon, tuned for SameGame
_TABLE_5 = {
    "manual": (0.1, 32.0, 10, 0.02, 0.003, "per-game"),
    "cem-per-game": (5.96, 67.98, 13, 0.49, 0.00007, "per-game"),
    "cem-per-move": (4.31, 96.67, 11, 0.28, 0.00007, "per-move"),
}
PRESETS: dict[str, dict[str, Any]] = {
    name: {
        "exploration": c,
        "deviation": d,
        "threshold": t,
        "top_weight": w,
        "policy": TabuColor(epsilon=epsilon),
        "time": time,
    }
    for name, (c, d, t, w, epsilon, time) in _TABLE_5.items()
}


@make_component
class Workspace:
    """All memory of one SP-MCTS run."""

    tree: object
    trail: np.ndarray  # int64[max_length + 1]: the nodes of the current descent, from the root of the tree
    best: object  # Best; row 0: the best play-out that begins with the moves played so far; row 1: a new one


@search
class SPMCTS:
    """Single-Player Monte-Carlo Tree Search."""

    policy: object = param("the simulation strategy", default=Uniform())
    exploration: float = param("C: weight of the UCT term, in units of `scale`", default=0.1, low=0)
    scale: float = param("points of the score that count as 1 for C", default=1000.0, low=0)
    deviation: float = param("D: makes rarely visited nodes promising", default=32.0, low=0)
    threshold: int = param("T: visits before a node's moves are selected by formula (1)", default=10, low=0)
    top_weight: float = param("W: weight of a node's top score beside its mean", default=0.02, low=0)
    nodes: int = param(
        "a search ends when its tree has so many nodes (48 bytes each)", default=1_000_000, low=2, high=2**31 - 1
    )
    restarts: int = param("searches of a position; 0 for as many as the budget allows", default=0, low=0)
    time: str = param(
        "search the start position, or every move of the episode", default="per-game", choices=("per-game", "per-move")
    )
    final: str = param(
        "per move: what decides which move is played", default="top-score", choices=("top-score", "average", "play-outs")
    )
    per_move: bool = derived(init=False)
    by_top: bool = derived(init=False)
    by_average: bool = derived(init=False)

    def prepare(self) -> Any:
        per_move = self.time == "per-move"
        return fill(
            self,
            per_move=per_move,
            by_top=self.final == "top-score" or not per_move,
            by_average=self.final == "average",
        )

    @classmethod
    def preset(cls, name: str, **changes: Any) -> Any:
        """The parameters of document 001, Table 5: "manual", "cem-per-game" or "cem-per-move", with changes."""
        if name not in PRESETS:
            raise BadInput(f"SPMCTS: preset={name!r} is not allowed; preset takes {', '.join(PRESETS)}")
        return cls(**{**PRESETS[name], **changes})

    def workspace(self, problem: Any) -> Any:
        return Workspace(
            tree=make_tree(self.nodes),
            trail=np.zeros(bounds(problem)[1] + 1, np.int64),
            best=make_best(problem, 2),
        )

    def run(self, problem, run):
        whole = run.whole()
        while run.going():
            problem.reset(run.states[0])
            run.work.best.empty(0)
            if self.per_move:
                self.play_episode(problem, run, whole)
                run.narrow(whole, 1.0)
            else:
                self.search_position(problem, run, 0)
            if self.restarts > 0:
                break

    def play_episode(self, problem, run, whole):
        """Section 6.4, per move: search, play a move, search again, each time with an equal share of what is left.

        How many moves are left is told by the best play-out known; a first one is made for that.
        """
        best = run.work.best
        self.play_out(problem, run, 0, 0)
        played = 0
        while played < best.length[0] and run.going():
            run.share(whole, best.length[0] - played)
            move = self.search_position(problem, run, played)
            run.narrow(whole, 1.0)
            if not run.going():
                break
            run.path[played] = move
            problem.play(run.states[0], move)
            played += 1
            if move != best.moves[0, played - 1]:  # never by top score: the best play-out goes another way, take a new one
                best.empty(1)
                self.play_out(problem, run, played, 1)
                if run.stopped():
                    break
                best.empty(0)
                best.offer(0, best.score[1], best.moves[1], best.length[1])
        if not self.by_top and best.score[0] > run.best_score[0]:
            for i in range(best.length[0]):
                run.path[i] = best.moves[0, i]
            run.publish(best.score[0], best.length[0])

    def search_position(self, problem, run, depth):
        """Section 4.3: searches from nothing of the position in `states[0]`, `depth` moves into the episode.

        Returns the move to play there.
        """
        tree = run.work.tree
        searches = 0
        exhausted = False
        while run.going() and not exhausted and (self.restarts == 0 or searches < self.restarts):
            run.forget()
            tree.clear()
            run.count_node(0)
            while run.going() and not tree.full() and not tree.exhausted():
                self.iterate(problem, run, depth)
            exhausted = tree.exhausted()
            searches += 1
        if depth == 0:
            tree.report(run.root)
            if exhausted:
                run.complete()
        return self.final_move(run, depth)

    def final_move(self, run, depth):
        """Section 4.2: the first move of the best play-out, or the root's child of the highest mean or most visits."""
        tree, best = run.work.tree, run.work.best
        chosen = best.moves[0, depth]
        if self.by_top:
            return chosen
        highest = -np.inf
        index = tree.nodes[0].first_child
        while index != 0:
            child = tree.nodes[index]
            if child.visits > 0:
                value = child.total / child.visits if self.by_average else np.float64(child.visits)
                if value > highest:
                    highest = value
                    chosen = child.move
            index = child.next_sibling
        return chosen

    def iterate(self, problem, run, depth):
        """Section 4.1, the four steps."""
        tree, trail = run.work.tree, run.work.trail
        run.states[1] = run.states[0]
        state = run.states[1]
        reached, passed, begun = self.descend(problem, run, state, depth)
        if not begun:
            self.policy.begin(problem, state, run.memory[0], run.rng)
        score, length, ended = play_on(problem, self.policy, run, state, reached)
        if ended:
            self.finish(run, score, length, 0)
            for i in range(passed):
                tree.update(trail[i], score)
            if length == depth + passed - 1:
                tree.close(trail, passed)

    def descend(self, problem, run, state, depth):
        """Selection and expansion: play to the first position that is not in the tree, and add it.

        A node of fewer than `threshold` visits leaves the choice to the policy; so do all nodes below it, which have no
        more. Returns the number of moves played, how many nodes of `trail` they passed, and whether the policy has begun.
        """
        tree, trail = run.work.tree, run.work.trail
        node = np.int64(0)
        passed = 1
        trail[0] = 0
        begun = False
        while not run.stopped():
            if tree.nodes[node].visits < self.threshold:
                if not begun:
                    self.policy.begin(problem, state, run.memory[0], run.rng)
                    begun = True
                move = np.int64(self.policy.choose(problem, state, run.memory[0], run.moves, run.rng))
                child = np.int64(tree.child(node, move))
            else:
                move, child = self.select_move(problem, run, state, node)
            if move < 0:
                break
            if depth == run.path.size:
                run.fail(TOO_LONG, depth)
                break
            run.path[depth] = move
            problem.play(state, move)
            depth += 1
            if child == 0:
                uncounted = tree.nodes[node].untried == UNCOUNTED
                trail[passed] = tree.add_child(node, move)
                if uncounted:
                    tree.nodes[node].untried = UNCOUNTED
                run.count_node(passed)
                return depth, passed + 1, begun
            node = child
            trail[passed] = node
            passed += 1
        return depth, passed, begun

    def select_move(self, problem, run, state, node):
        """A move without a child, drawn at random, as long as there is one; then that of the highest formula (1).

        Returns the move, -1 if there is none, and the child, 0 if there is none yet.
        """
        tree = run.work.tree
        if tree.nodes[node].untried == UNCOUNTED:
            tree.nodes[node].untried = problem.moves(state, run.moves) - tree.count_children(node)
        if tree.nodes[node].untried > 0:
            count = problem.moves(state, run.moves)
            return np.int64(tree.draw_untried(node, run.moves, count, run.rng)), np.int64(0)
        if tree.nodes[node].first_child == 0:
            return np.int64(-1), np.int64(0)
        child = self.select(tree, node)
        return np.int64(tree.nodes[child].move), child

    def select(self, tree, parent):
        """The child with the highest formula (1) of those below which there is something new."""
        log_visits = np.log(tree.nodes[parent].visits)
        highest = -np.inf
        best = tree.nodes[parent].first_child
        index = tree.nodes[parent].first_child
        while index != 0:
            child = tree.nodes[index]
            if child.untried != EXHAUSTED:
                value = formula_1(child, log_visits, self.exploration * self.scale, self.deviation, self.top_weight)
                if value > highest:
                    highest = value
                    best = index
            index = child.next_sibling
        return np.int64(best)

    def play_out(self, problem, run, depth, row):
        """A play-out of the position in `states[0]`, outside any tree, for a row of `best`."""
        run.states[1] = run.states[0]
        self.policy.begin(problem, run.states[1], run.memory[0], run.rng)
        score, length, ended = play_on(problem, self.policy, run, run.states[1], depth)
        if ended:
            self.finish(run, score, length, row)

    def finish(self, run, score, length, row):
        """Count an episode and keep it if it is the best of its row.

        If moves are chosen by average or visits, the solution is the episode that is played: then play-outs are counted,
        but not published.
        """
        if self.by_top:
            run.finish(score, length)
        else:
            run.count(score, length)
        run.work.best.offer(row, score, run.path, length)


@inline_kernel
def formula_1(child, log_visits, exploration, deviation, top_weight):
    """v + W top + C sqrt(ln n_p / n) + sqrt((sum r^2 - n v^2 + D) / n) of a child with n visits."""
    mean = child.total / child.visits
    spread = max(child.squares - child.visits * mean * mean, 0.0)
    uct = exploration * np.sqrt(log_visits / child.visits)
    return mean + top_weight * child.best + uct + np.sqrt((spread + deviation) / child.visits)
