"""A search that plays one random game of Go and keeps every position, with what the fast board says about it."""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine import compile
from arbora.engine.run import make_run, with_records
from arbora.problem import like_compiled, new_states
from arbora.problems.go.rules import is_eye, is_self_atari, is_sensible
from arbora.search.search import search


@make_component
class Record:
    """Row by row, the position before each move and the answers there; -1 where there was no question."""

    states: np.ndarray
    played: np.ndarray
    legal: np.ndarray
    owner: np.ndarray
    sensible: np.ndarray
    self_atari: np.ndarray
    eye: np.ndarray
    area: np.ndarray
    over: np.ndarray


@search
class RecordGame:
    """Plays legal moves and quick ones by turns, seldom a pass."""

    steps: int = param("positions to keep", default=150, low=1)

    def workspace(self, problem: Any) -> Any:
        def answers() -> np.ndarray:
            return np.full((self.steps, problem.max_moves()), -1, np.int8)

        return Record(
            states=new_states(problem, self.steps),
            played=np.full(self.steps, -1, np.int32),
            legal=answers(),
            owner=answers(),
            sensible=answers(),
            self_atari=answers(),
            eye=answers(),
            area=np.zeros(self.steps, np.int64),
            over=np.zeros(self.steps, np.int8),
        )

    def run(self, problem, run):
        state, work = run.states[0], run.work
        problem.reset(state)
        for step in range(self.steps):
            work.states[step] = run.states[0]
            self.ask(problem, state, work, step)
            count = problem.moves(state, run.moves)
            work.over[step] = count == 0
            for i in range(count):
                work.legal[step, run.moves[i]] = 1
            if count == 0:
                break
            move = np.int64(run.moves[run.rng.below(count)])
            if run.rng.below(2) == 0:
                move = np.int64(problem.light(state, run.moves, run.rng))
            if move == problem.columns * problem.rows and count > 1 and run.rng.below(4) != 0:
                problem.moves(state, run.moves)
                move = np.int64(run.moves[run.rng.below(count - 1)])
            work.played[step] = move
            problem.play(state, move)

    def ask(self, problem, state, work, step):
        work.area[step] = problem.area(state)
        color = np.uint64(problem.player(state) + 1)
        for move in range(problem.columns * problem.rows):
            point = np.uint64(problem.point_of[move])
            work.owner[step, move] = problem.owner(state, move)
            if problem.color(state, move) < 0:
                work.sensible[step, move] = is_sensible(state, point, color)
                work.self_atari[step, move] = is_self_atari(state, point, color)
                work.eye[step, move] = is_eye(state, point, color)


def recorded(go: Any, seed: int, compiled: bool, steps: int = 150) -> Any:
    """The record of one game."""
    search = RecordGame(steps=steps)
    run: Any = make_run(go, search, seed=seed)
    if compiled:
        compile.load(search, go, run)(search, go, run)
    else:
        with like_compiled():
            search.run(go, with_records(run))
    return run.work
