"""Nested Monte-Carlo Tree Search (document 000, Listing 2).

Level 0 is a play-out by the policy. Level 1 is MCTS. Level n is MCTS whose play-outs are searches of level n-1: each starts
at the state that was added to the tree, and its best solution is the result. Each level has one pool of nodes, which every
call of the level uses anew, so memory does not grow.

A level searches its start state (global search), or plays an action after each search and goes on from there
(action-by-action). The latter with one sample per legal action, following the best solution, is NMCS.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.best import make_best
from arbora.engine.run import play_out
from arbora.engine.tree import make_tree
from arbora.errors import BadInput
from arbora.policies.uniform import Uniform
from arbora.problem import bounds
from arbora.search.mcts import back_propagate, descend
from arbora.search.per_level import as_text, numbers
from arbora.search.search import search

LEVELS = 5
UNLIMITED, EACH = 0, -1  # budgets: until the run's budget is spent; one sample per legal action
GLOBAL, ALL = 1, 1 << 40  # actions


@make_component
class Trees:
    """A tree for each level. All are of one type, so that compiled code can index them."""

    level_1: object
    level_2: object
    level_3: object
    level_4: object
    level_5: object


@make_component
class Workspace:
    """All memory of one NMCTS run; the row of a level is its number minus 1."""

    trees: object
    best: object  # Best: the best solution of the call at work, from the start of the problem
    trail: np.ndarray  # int64[levels, max_length + 1]: the nodes of the current descent
    passed: np.ndarray  # int64[levels]: how many they are
    scale: np.ndarray  # float64[levels, 2]: lowest and highest result seen
    length: np.ndarray  # int64[levels]: how many moves lead to the root; `run.path` begins with them
    iteration: np.ndarray  # int64[levels]: where the loop over iterations stands
    limit: np.ndarray  # int64[levels]: and where it ends
    searched: np.ndarray  # int64[levels]: actions searched in this call


@search
class NMCTS:
    """Nested Monte-Carlo Tree Search."""

    level: int = param("nesting depth; 1 is MCTS", default=2, low=1, high=LEVELS)
    budgets: object = param(
        "iterations of each search, from level 1 up, as in 1000/50; the last holds for all levels above; `each` for one per "
        "legal action; 0 at the top for as long as the run lasts; auto for 1000 below a top of 0",
        default="auto",
    )
    exploration: object = param(
        "C: weight of the confidence bound, from level 1 up; auto for 1 at level 1 and 0 above", default="auto"
    )
    actions: object = param(
        "actions that are searched and played one by one, from level 1 up: a number, `all`, or `global` for none",
        default="global",
    )
    next: str = param(
        "what is played in action-by-action search: the next action of the best solution, or that of the most samples",
        default="best-solution",
        choices=("best-solution", "most-samples"),
    )
    policy: object = param("how play-outs choose their moves", default=Uniform())
    nodes: int = param(
        "most nodes of a level in memory (48 bytes each); a full tree is searched on",
        default=1_000_000,
        low=1,
        high=2**31 - 1,
    )
    iterations: np.ndarray = derived(init=False)
    explorations: np.ndarray = derived(init=False)
    searches: np.ndarray = derived(init=False)
    by_samples: bool = derived(init=False)

    def prepare(self) -> Any:
        level = self.level
        default = [*[1000] * (level - 1), UNLIMITED]
        budgets = numbers("NMCTS", "budgets", self.budgets, level, int, 0, {"each": EACH}, default)
        explorations = numbers("NMCTS", "exploration", self.exploration, level, float, 0, {}, [1.0, *[0.0] * (level - 1)])
        searches = numbers("NMCTS", "actions", self.actions, level, int, 1, {"global": GLOBAL, "all": ALL}, [GLOBAL] * level)
        if UNLIMITED in budgets[:-1]:
            raise BadInput(f"NMCTS: budgets={as_text(self.budgets)} is not allowed; only the top level's may be 0")
        if budgets[-1] == UNLIMITED and searches[-1] != GLOBAL:
            raise BadInput(
                f"NMCTS: actions={as_text(self.actions)} is not allowed with budgets={as_text(self.budgets)}; "
                "action by action, the top level needs a budget for each action"
            )
        return fill(
            self,
            budgets=as_text(self.budgets),
            exploration=as_text(self.exploration),
            actions=as_text(self.actions),
            iterations=np.array(budgets, np.int64),
            explorations=np.array(explorations, np.float64),
            searches=np.array(searches, np.int64),
            by_samples=self.next == "most-samples",
        )

    def states(self) -> int:
        return self.level + 2  # 0: the start; n: where level n's descent is, and the root of level n-1

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        sizes = [1] * LEVELS
        for row, budget in enumerate(self.iterations.tolist()):
            needed = {UNLIMITED: self.nodes, EACH: max_moves + 1}.get(budget, budget + 1)
            sizes[row] = min(needed, self.nodes)
        rows = self.level
        return Workspace(
            trees=Trees(*(make_tree(size) for size in sizes)),
            best=make_best(problem, rows),
            trail=np.zeros((rows, max_length + 1), np.int64),
            passed=np.zeros(rows, np.int64),
            scale=np.zeros((rows, 2)),
            length=np.zeros(rows, np.int64),
            iteration=np.zeros(rows, np.int64),
            limit=np.zeros(rows, np.int64),
            searched=np.zeros(rows, np.int64),
        )

    def run(self, problem, run):
        """Listing 2 from the start of the problem, again and again until the budget is spent."""
        problem.reset(run.states[0])
        top = self.level - 1
        while run.going():
            run.states[self.level + 1] = run.states[0]
            self.nested(problem, run)
            if run.work.length[top] == 0:
                run.work.trees[top].report(run.root)

    def nested(self, problem, run):
        """Listing 2 with its recursion unrolled: row `at` is the level at work, and those above wait for its result."""
        work = run.work
        for row in range(self.level):
            work.scale[row, 0], work.scale[row, 1] = np.inf, -np.inf
        at = self.level - 1
        self.call(problem, run, at, 0)
        while True:
            going = run.going()
            if going and work.iteration[at] < work.limit[at] and not work.trees[at].exhausted():
                work.iteration[at] += 1
                length = self.select_and_expand(problem, run, at)
                if at > 0:
                    at -= 1
                    self.call(problem, run, at, length)
                else:
                    score, length = play_out(problem, self.policy, run, run.states[1], length)
                    if score == -np.inf:  # stopped on the way
                        return
                    self.receive(run, at, score, run.path, length)
            elif not going or not self.next_action(problem, run, at):  # this level returns to the one above
                if at == self.level - 1 or work.best.score[at] == -np.inf:
                    return
                at += 1
                self.receive(run, at, work.best.score[at - 1], work.best.moves[at - 1], work.best.length[at - 1])
                self.close(run, at)

    def call(self, problem, run, at, length):
        """Begin a search of this level at its root. If the episode is over there, it is the only result."""
        work = run.work
        work.best.empty(at)
        work.length[at] = length
        work.searched[at] = 0
        if not self.begin_search(problem, run, at):
            score = np.float64(problem.score(run.states[at + 2]))
            run.finish(score, length)
            work.best.offer(at, score, run.path, length)
            work.limit[at] = 0
            work.searched[at] = self.searches[at]

    def begin_search(self, problem, run, at):
        """An empty tree at the root as it is now; false if the episode is over there."""
        work = run.work
        count = problem.moves(run.states[at + 2], run.moves)
        if count == 0:
            return False
        work.trees[at].clear()
        work.iteration[at] = 0
        work.limit[at] = self.iterations[at]
        if self.iterations[at] == EACH:
            work.limit[at] = count
        elif self.iterations[at] == UNLIMITED:
            work.limit[at] = 1 << 62
        work.searched[at] += 1
        return True

    def select_and_expand(self, problem, run, at):
        """One way through this level's tree, to the state that was added; returns how many moves lead there."""
        work = run.work
        run.states[at + 1] = run.states[at + 2]
        length, passed = descend(
            problem, run, run.states[at + 1], work.length[at], work.trees[at], work.trail[at], work.scale[at],
            self.explorations[at], True,
        )  # fmt: skip
        work.passed[at] = passed
        return length

    def receive(self, run, at, score, moves, length):
        """What follows a play-out, or a search of the level below: its result goes into the tree."""
        work = run.work
        back_propagate(work.trees[at], work.trail[at], work.passed[at], work.scale[at], score)
        work.best.offer(at, score, moves, length)

    def close(self, run, at):
        """Let nothing be searched again that began, and so ended, at the end of an episode.

        A level without exploration would otherwise come back to the best end it knows forever. Level 1 stays as it is in
        Listing 1.
        """
        work = run.work
        began = work.length[at - 1]
        in_tree = work.length[at] + work.passed[at] - 1 == began  # it is not if the tree is full
        if in_tree and work.best.length[at - 1] == began:
            work.trees[at].close(work.trail[at], work.passed[at])
            if work.length[at] == 0 and at == self.level - 1 and work.trees[at].exhausted():
                run.complete()

    def next_action(self, problem, run, at):
        """Action-by-action search: play an action and begin a search there; false if that was all."""
        work = run.work
        if work.searched[at] == self.searches[at]:
            return False
        length = work.length[at]
        move = work.trees[at].most_visited() if self.by_samples else work.best.moves[at, length]
        run.path[length] = move
        problem.play(run.states[at + 2], move)
        work.length[at] = length + 1
        return self.begin_search(problem, run, at)
