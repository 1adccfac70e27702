"""SameGame in small states against SameGame itself, in lock step, and what makes it fit for annealing."""

from itertools import combinations
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbora
from arbora.component import make_component, param
from arbora.engine import compile
from arbora.engine.bits import ONE
from arbora.engine.run import make_run, with_records
from arbora.problem import like_compiled, new_state, new_states
from arbora.problems.samegame import game
from arbora.problems.samegame.boards import random_board, settle
from arbora.search.search import search

CHECKS = ("agreed", "moves", "candidates", "kind", "label", "score", "bound", "sample")
AGREED, MOVES, CANDIDATES, KIND, LABEL, SCORE, BOUND, SAMPLE = range(len(CHECKS))


@make_component
class Twin:
    states: np.ndarray
    moves: np.ndarray
    report: np.ndarray  # int64[1]: the check that failed first, 0 for none


@search
class SideBySide:
    """Plays a problem and its compact twin side by side until they disagree."""

    twin: Any = param("the compact twin")

    def workspace(self, problem: Any) -> Any:
        return Twin(new_states(self.twin, 1), np.zeros(self.twin.max_moves() + 1, np.int32), np.zeros(1, np.int64))

    def run(self, problem, run):
        state, small, report = run.states[0], run.work.states[0], run.work.report
        problem.reset(state)
        self.twin.reset(small)
        while report[0] == AGREED:
            count = problem.candidates(state, run.moves)
            if self.twin.candidates(small, run.work.moves) != count or self.differ(run, count):
                report[0] = CANDIDATES
                break
            count = problem.moves(state, run.moves)
            if self.twin.moves(small, run.work.moves) != count or self.differ(run, count):
                report[0] = MOVES
                break
            report[0] = self.compare(problem, run, state, small, count)
            if count == 0:
                break
            move = self.twin.sample(small, run.work.moves, run.rng)
            if not self.listed(run, move, count):
                report[0] = SAMPLE
                break
            problem.play(state, move)
            self.twin.play(small, move)

    def differ(self, run, count):
        for i in range(count):
            if run.moves[i] != run.work.moves[i]:
                return True
        return False

    def listed(self, run, move, count):
        for i in range(count):
            if run.moves[i] == move:
                return True
        return False

    def compare(self, problem, run, state, small, count):
        for i in range(count):
            move = run.moves[i]
            if self.twin.kind(small, move) != problem.kind(state, move):
                return KIND
            if self.twin.find(small, self.twin.label(small, move), run.work.moves) != move:
                return LABEL
        if self.twin.score(small) != problem.score(state):
            return SCORE
        if self.twin.bound(small) != problem.bound(state):
            return BOUND
        return AGREED


def disagreement(problem: Any, seed: int, compiled: bool = True) -> str:
    side_by_side = SideBySide(twin=problem.compact())
    run: Any = make_run(problem, side_by_side, seed=seed)
    if compiled:
        compile.load(side_by_side, problem, run)(side_by_side, problem, run)
    else:
        with like_compiled():
            side_by_side.run(problem, with_records(run))
    return CHECKS[run.work.report[0]]


def holed(seed: int, width: int, height: int, colors: int, holes: int) -> np.ndarray:
    board = random_board(seed, width, height, colors)
    board[random_board(seed + 1, width, height, 10) < holes] = -1
    return settle(board)


SELECTIVE = st.sampled_from(["none", "tabu", "0", "5"])


@settings(max_examples=500, deadline=None)
@given(
    st.integers(1, 16), st.integers(1, 15), st.integers(1, 5), st.integers(0, 2**32), st.integers(0, 9),
    st.sampled_from(game.RULES), st.booleans(), SELECTIVE,
)  # fmt: skip
def test_small_boards_agree(width, height, colors, seed, holes, rule, penalty, selective):
    board = holed(seed, width, height, colors, holes)
    problem = arbora.SameGame(board=board, rule=rule, penalty=penalty, selective=selective)
    assert disagreement(problem, seed) == "agreed"


@settings(max_examples=100, deadline=None)
@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 26), st.integers(0, 2**32), SELECTIVE)
def test_boards_of_any_size_agree(width, height, colors, seed, selective):
    problem = arbora.SameGame(board=random_board(seed, width, height, colors), selective=selective)
    assert disagreement(problem, seed) == "agreed"


@pytest.mark.parametrize(("width", "height", "colors"), [(1, 1, 1), (6, 6, 3), (5, 17, 7)])
def test_interpreted_boards_agree(width, height, colors):
    assert disagreement(arbora.SameGame(board=random_board(3, width, height, colors), selective="2"), 3, False) == "agreed"


BOARD = """
    b a c
    a a b
    b c b
"""


def played(*moves: int) -> tuple[Any, Any]:
    problem = arbora.SameGame(board=BOARD).compact()
    state = new_state(problem)
    with like_compiled():
        problem.reset(state)
        for move in moves:
            problem.play(state, move)
    return problem, state


def move_at(x: int, y: int) -> int:
    return x * 64 + y


OUT = np.zeros(9, np.int32)


def test_a_label_outlives_the_position():
    problem, state = played()
    with like_compiled():
        pair = problem.label(state, move_at(2, 0))  # the b's at the bottom right
        assert pair == move_at(2, 0)
        problem.play(state, move_at(0, 1))  # the three a's: the first column becomes b b
        assert problem.find(state, pair, OUT) == move_at(2, 0)
        left = problem.find(state, move_at(0, 2), OUT)  # the b that was on top of the first column has fallen
        assert left == move_at(0, 0)
        problem.play(state, left)  # the first column is gone, all others move to the left
        assert problem.find(state, pair, OUT) == move_at(1, 0)
        assert problem.find(state, move_at(0, 2), OUT) == -1
        assert problem.find(state, move_at(1, 0), OUT) == -1  # a single c


def test_the_key_does_not_depend_on_the_order():
    problem, one = played(move_at(0, 1), move_at(2, 0))
    _, other = played(move_at(2, 0), move_at(0, 1))
    _, shorter = played(move_at(0, 1))
    with like_compiled():
        assert problem.key(one) == problem.key(other)
        assert problem.key(one) != problem.key(shorter)


def test_the_key_tells_columns_apart_that_look_alike():
    problem = arbora.SameGame(board="ab\nab").compact()
    one, other = new_state(problem), new_state(problem)
    with like_compiled():
        problem.reset(one)
        problem.reset(other)
        problem.play(one, move_at(0, 0))
        problem.play(other, move_at(1, 0))
        assert problem.key(one) != problem.key(other)


def test_keys_differ_where_any_two_blocks_do():
    """Two boards that differ in two blocks, wherever they are, are told apart: high bits count as much as low ones."""
    problem = arbora.SameGame(seed=1).compact()
    state = new_state(problem)
    seen = set()
    places = [(x, ONE << np.uint64(y)) for x in range(15) for y in range(9, 15)]
    with like_compiled():
        problem.reset(state)
        for one, other in combinations(places, 2):
            for x, bit in (one, other):
                state.alive[x] ^= bit
            seen.add(int(problem.key(state)))
            for x, bit in (one, other):
                state.alive[x] ^= bit
    assert len(seen) == len(places) * (len(places) - 1) // 2


def test_eased_pays_part_of_the_bonus():
    problem = arbora.SameGame(board="ab\nba").compact()
    state = new_state(problem)
    with like_compiled():
        problem.reset(state)
        assert problem.moves(state, OUT) == 0
        assert problem.score(state) == 0  # two of each colour are left: (2 - 2)^2 for each
        assert problem.eased(state, 0.0) == 1000 - 4 * 10
        assert problem.eased(state, 1.0) == pytest.approx(1000 - 4 * 200)
    problem, state = played(move_at(0, 1), move_at(2, 0), move_at(0, 0), move_at(0, 0))
    with like_compiled():
        assert problem.score(state) == problem.eased(state, 0.5) == 1 + 1000
