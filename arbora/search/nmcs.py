"""Nested Monte-Carlo Search (described in document 000, Sections 3 and 4).

Level 0 is a play-out by the policy. Level n tries every legal move with a search of level n-1 behind it, keeps the best
sequence it has ever seen, plays the next move of that sequence, and goes on from there to the end of the episode.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.best import make_best
from arbora.engine.run import TOO_LONG, play_out
from arbora.policies.uniform import Uniform
from arbora.problem import bounds
from arbora.search.search import search


@make_component
class Workspace:
    """All memory of one NMCS run; rows are levels."""

    best: object  # Best: the best sequence of each level, from the start of the problem
    moves: np.ndarray  # int32[levels + 1, max_moves]: the legal moves of the level's position
    count: np.ndarray  # int64[levels + 1]: how many they are
    tried: np.ndarray  # int64[levels + 1]: how many of them have been tried
    depth: np.ndarray  # int64[levels + 1]: how many moves lead to the level's position; `run.path` begins with them


@search
class NMCS:
    """Nested Monte-Carlo Search."""

    level: int = param("nesting depth", default=3, low=1, high=10)
    policy: object = param("how play-outs choose their moves", default=Uniform())

    def states(self) -> int:
        return self.level + 2  # the start, the position of each level, and that of a play-out

    def workspace(self, problem: Any) -> Any:
        rows = self.level + 1
        return Workspace(
            best=make_best(problem, rows),
            moves=np.zeros((rows, bounds(problem)[0]), np.int32),
            count=np.zeros(rows, np.int64),
            tried=np.zeros(rows, np.int64),
            depth=np.zeros(rows, np.int64),
        )

    def run(self, problem, run):
        """The whole search, again and again until the budget is spent."""
        problem.reset(run.states[0])
        play_state = self.level + 1
        while run.going():
            run.states[self.level] = run.states[0]
            self.call(problem, run, self.level, 0)
            self.nested(problem, run, play_state)

    def nested(self, problem, run, play_state):
        """The recursion, unrolled: `level` is the one at work, and those above it wait for its best sequence."""
        work = run.work
        level = self.level
        while run.going():
            depth = work.depth[level]
            if work.tried[level] < work.count[level]:
                move = work.moves[level, work.tried[level]]
                work.tried[level] += 1
                if depth == run.path.size:
                    run.fail(TOO_LONG, depth)
                    return
                run.path[depth] = move
                if level == 1:
                    run.states[play_state] = run.states[1]
                    problem.play(run.states[play_state], move)
                    score, length = play_out(problem, self.policy, run, run.states[play_state], depth + 1)
                    work.best.offer(1, score, run.path, length)
                else:
                    run.states[level - 1] = run.states[level]
                    problem.play(run.states[level - 1], move)
                    level -= 1
                    self.call(problem, run, level, depth + 1)
            elif work.count[level] > 0:  # every move has been tried: follow the best sequence
                move = work.best.moves[level, depth]
                run.path[depth] = move
                problem.play(run.states[level], move)
                self.list_moves(problem, run, level, depth + 1)
            else:  # the end of the episode: return to the level above
                if level == self.level:
                    return
                level += 1
                work.best.offer(level, work.best.score[level - 1], work.best.moves[level - 1], work.best.length[level - 1])

    def call(self, problem, run, level, depth):
        """Begin a search in `states[level]`. If the episode is over there, it is the only one."""
        run.work.best.empty(level)
        self.list_moves(problem, run, level, depth)
        if run.work.count[level] == 0:
            score = np.float64(problem.score(run.states[level]))
            run.finish(score, depth)
            run.work.best.offer(level, score, run.path, depth)

    def list_moves(self, problem, run, level, depth):
        work = run.work
        count = min(problem.moves(run.states[level], run.moves), work.moves.shape[1])
        for i in range(count):
            work.moves[level, i] = run.moves[i]
        work.count[level] = count
        work.tried[level] = 0
        work.depth[level] = depth
