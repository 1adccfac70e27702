"""Exhaustive searches over small boards, with the fast board's own rules; results are in `run.work.found[0]`."""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine import compile
from arbora.engine.run import make_run
from arbora.problems.go.board import EMPTY, add_stone, chain_liberties
from arbora.search.search import search


@make_component
class Stack:
    """What each depth of a search remembers."""

    moves: np.ndarray
    count: np.ndarray
    tried: np.ndarray
    low: np.ndarray
    high: np.ndarray
    found: np.ndarray


def stack(problem: Any, depth: int) -> Any:
    columns = [np.zeros(depth, np.int64) for _ in range(4)]
    return Stack(np.zeros((depth, problem.max_moves()), np.int32), *columns, np.zeros(1, np.int64))


@search
class CountPositions:
    """How many colourings of the board leave every chain a liberty."""

    depth: int = param("points of the board, and one more", default=17)

    def states(self):
        return self.depth

    def workspace(self, problem: Any) -> Any:
        return stack(problem, self.depth)

    def run(self, problem, run):
        tried, points = run.work.tried, problem.columns * problem.rows
        problem.reset(run.states[0])
        depth = 0
        while depth >= 0:
            if depth == points:
                run.work.found[0] += self.all_breathe(problem, run.states[depth])
                depth -= 1
            elif tried[depth] == 3:
                tried[depth] = 0
                depth -= 1
            else:
                run.states[depth + 1] = run.states[depth]
                color = np.uint64(tried[depth])
                if color != EMPTY:
                    add_stone(run.states[depth + 1], np.uint64(problem.point_of[depth]), color, problem.zobrist)
                tried[depth] += 1
                depth += 1

    def all_breathe(self, problem, state):
        for move in range(problem.columns * problem.rows):
            if problem.color(state, move) >= 0 and chain_liberties(state, np.uint64(problem.point_of[move])) == 0:
                return False
        return True


@search
class SolveArea:
    """The area that Black wins by when both play their best: alpha-beta over all legal games, passes first."""

    depth: int = param("most moves of a game", default=201)

    def states(self):
        return self.depth

    def workspace(self, problem: Any) -> Any:
        return stack(problem, self.depth)

    def run(self, problem, run):
        work, points = run.work, problem.columns * problem.rows
        problem.reset(run.states[0])
        depth = 0
        self.enter(problem, run, 0, -points, points)
        while True:
            done = work.tried[depth] == work.count[depth] or work.low[depth] >= work.high[depth]
            if not done:
                i = work.count[depth] - 1 - work.tried[depth]
                work.tried[depth] += 1
                run.states[depth + 1] = run.states[depth]
                problem.play(run.states[depth + 1], work.moves[depth, i])
                depth += 1
                self.enter(problem, run, depth, -work.high[depth - 1], -work.low[depth - 1])
            elif depth == 0:
                break
            else:
                depth -= 1
                work.low[depth] = max(work.low[depth], -work.low[depth + 1])
        work.found[0] = work.low[0]

    def enter(self, problem, run, depth, low, high):
        """Bounds on the value for whoever has the turn; at the end of a game, the value itself."""
        work, state = run.work, run.states[depth]
        work.tried[depth] = 0
        work.count[depth] = problem.moves(state, work.moves[depth])
        work.low[depth], work.high[depth] = low, high
        if work.count[depth] == 0:
            value = problem.area(state)
            work.low[depth] = value if problem.player(state) == 0 else -value


def answer(search: Any, go: Any) -> int:
    """What the search finds, compiled."""
    run: Any = make_run(go, search)
    compile.load(search, go, run)(search, go, run)
    return int(run.work.found[0])
