"""Counting all games of up to so many moves, compiled: what the rules of a game are usually checked with."""

from collections.abc import Callable
from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.rng import make_rng
from arbora.engine.run import make_run
from arbora.problem import bounds, like_compiled, new_state
from arbora.search.search import search


@make_component
class Counts:
    """How far the walk through all games is, and what it has met."""

    listed: np.ndarray  # int32[depth + 1, max_moves]: the moves of each position on the way
    left: np.ndarray  # int64[depth + 1]: how many of them are still to be tried
    met: np.ndarray  # int64[depth + 1]: how many ways lead to each number of moves
    ended: np.ndarray  # int64[3]: finished games that player 0 has lost, drawn and won


@search
class Perft:
    """All games of up to `depth` moves."""

    depth: int = param("moves")

    def states(self) -> int:
        return self.depth + 1

    def workspace(self, problem: Any) -> Any:
        rows = self.depth + 1
        listed = np.zeros((rows, bounds(problem)[0]), np.int32)
        return Counts(listed, np.zeros(rows, np.int64), np.zeros(rows, np.int64), np.zeros(3, np.int64))

    def run(self, problem, run):
        problem.reset(run.states[0])
        self.arrive(problem, run, 0)
        depth = 0
        while depth >= 0:
            if run.work.left[depth] == 0:
                depth -= 1
            else:
                run.work.left[depth] -= 1
                run.states[depth + 1] = run.states[depth]
                problem.play(run.states[depth + 1], run.work.listed[depth, run.work.left[depth]])
                depth += 1
                self.arrive(problem, run, depth)

    def arrive(self, problem, run, depth):
        state, counts = run.states[depth], run.work
        counts.met[depth] += 1
        count = problem.moves(state, counts.listed[depth])
        counts.left[depth] = count if depth < self.depth else 0
        if count == 0:
            counts.ended[np.int64(2 * problem.payoff(state, 0))] += 1


def perft(problem: Any, depth: int) -> tuple[list[int], list[int]]:
    """How many ways there are to play 0, 1, … `depth` moves, and how many of these games player 0 lost, drew and won."""
    from arbora.engine import compile

    walk = Perft(depth=depth)
    run = make_run(problem, walk)
    compile.load(walk, problem, run)(walk, problem, run)
    counts: Any = run.work
    return counts.met.tolist(), counts.ended.tolist()


def position(problem: Any, moves: list[int]) -> Any:
    """The position after these moves, interpreted."""
    state = new_state(problem)
    problem.reset(state)
    for move in moves:
        problem.play(state, move)
    return state


def key_after(problem: Any, moves: list[int]) -> int:
    with like_compiled():
        return int(problem.key(position(problem, moves)))


def listed(problem: Any, state: Any) -> list[int]:
    out = np.full(problem.max_moves(), -1, np.int32)
    return out[: problem.moves(state, out)].tolist()


def follow(problem: Any, plain: Any, seed: int, same_board: Callable[[Any], Any]) -> None:
    """Play a random game on both, comparing everything on the way.

    `plain` has moves(), play(move), player, payoff() of player 0, and `board`, which `same_board` makes of a state.
    """
    rng, state = make_rng(seed), position(problem, [])
    keys = set()
    with like_compiled():
        while True:
            moves = plain.moves()
            assert listed(problem, state) == moves
            assert problem.player(state) == plain.player
            assert same_board(state) == plain.board
            keys.add(int(problem.key(state)))
            move = int(problem.sample(state, np.zeros(problem.max_moves(), np.int32), rng))
            if not moves:
                assert move == -1
                assert (problem.payoff(state, 0), problem.payoff(state, 1)) == (plain.payoff(), 1 - plain.payoff())
                assert len(keys) == plain.played + 1
                return
            assert move in moves
            problem.play(state, move)
            plain.play(move)
