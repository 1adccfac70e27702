"""The fast kernels against their plain twin, both compiled, on thousands of random boards."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.component import fill, make_component, param
from arbora.engine import compile
from arbora.engine.rng import make_rng
from arbora.engine.run import make_run, with_records
from arbora.problem import Records, new_state, new_states
from arbora.problems.samegame import game
from arbora.problems.samegame.boards import MAX_SIDE, random_board, settle
from arbora.problems.samegame.game import SameGame
from arbora.problems.samegame.plain import PlainSameGame, spread
from arbora.search.search import search

CHECKS = ("agreed", "list", "size", "code", "kind", "sample", "cells", "left", "score", "end")
AGREED, LIST, SIZE, CODE, KIND, SAMPLE, CELLS, LEFT, SCORE, END = range(len(CHECKS))


@make_component
class Twin:
    """What the plain problem works in, and what became of the comparison."""

    states: np.ndarray
    moves: np.ndarray
    report: np.ndarray  # int64[2]: the check that failed first (0: none), and at which step


@search
class LockStep:
    """Plays the fast problem and the plain one side by side until they disagree."""

    plain: Any = param("the twin")
    lazy: int = param("the fast problem lists its moves at one step out of this many", default=1, low=1)

    def workspace(self, problem: Any) -> Any:
        return Twin(new_states(self.plain, 1), np.zeros(self.plain.max_moves(), np.int32), np.zeros(2, np.int64))

    def run(self, problem, run):
        fast, plain = run.states[0], run.work.states[0]
        problem.reset(fast)
        self.plain.reset(plain)
        step = 0
        while run.work.report[0] == AGREED and run.going():
            run.work.report[1] = step
            count = self.plain.moves(plain, run.work.moves)
            if run.rng.below(self.lazy) == 0:
                run.work.report[0] = self.compare_lists(problem, run, fast, plain, count)
            if count == 0 or run.work.report[0] != AGREED:
                break
            move = self.choose(problem, run, fast, plain, count)
            problem.play(fast, move)
            self.plain.play(plain, move)
            if run.work.report[0] == AGREED:
                run.work.report[0] = self.compare_positions(problem, fast, plain)
            step += 1
        if run.work.report[0] == AGREED:
            over = problem.sample(fast, run.moves, run.rng) == -1 and problem.moves(fast, run.moves) == 0
            run.work.report[0] = AGREED if over else END

    def choose(self, problem, run, fast, plain, count):
        """A listed move, any cell of a listed group, or what `sample` gives, which must be listed."""
        move = np.int64(run.work.moves[run.rng.below(count)])
        way = run.rng.below(3)
        if way == 0:
            move = np.int64(problem.sample(fast, run.moves, run.rng))
            listed = False
            for i in range(count):
                listed |= run.work.moves[i] == move
            if not listed:
                run.work.report[0] = SAMPLE
        elif way == 1:
            self.plain.forget(plain)
            skip = run.rng.below(spread(plain, move // 64 + 1, move % 64 + 1))
            for c in range(1, self.plain.width + 1):
                for r in range(1, self.plain.height + 1):
                    if plain.seen[c, r] == 1:
                        if skip == 0:
                            move = np.int64((c - 1) * 64 + r - 1)
                        skip -= 1
        return move

    def compare_lists(self, problem, run, fast, plain, count):
        """The same moves in the same order; of one of them, drawn at random, size, code and kind."""
        if problem.moves(fast, run.moves) != count:
            return LIST
        for i in range(count):
            if run.moves[i] != run.work.moves[i]:
                return LIST
        if count == 0:
            return AGREED
        move = np.int64(run.moves[run.rng.below(count)])
        color = np.int64(plain.grid[move // 64 + 1, move % 64 + 1]) - 1
        if problem.kind(fast, move) != color:
            return KIND
        self.plain.forget(plain)
        if fast.sizes[move // 64, move % 64] != spread(plain, move // 64 + 1, move % 64 + 1):
            return SIZE
        code = np.uint64(0)
        for c in range(1, self.plain.width + 1):
            for r in range(1, self.plain.height + 1):
                if plain.seen[c, r] == 1:
                    code ^= problem.zobrist[color, c - 1, r - 1]
        return AGREED if problem.code(fast, move) == code else CODE

    def compare_positions(self, problem, fast, plain):
        """The same colour in every cell, and nothing else on any plane; the same score."""
        occupied = 0
        for c in range(1, self.plain.width + 1):
            for r in range(1, self.plain.height + 1):
                if plain.grid[c, r] > 0:
                    occupied += 1
                    if problem.kind(fast, (c - 1) * 64 + r - 1) != plain.grid[c, r] - 1:
                        return CELLS
        if fast.left != occupied:
            return LEFT
        for color in range(problem.colors):
            occupied -= problem.kind_count(fast, color)
        if occupied != 0:
            return CELLS
        return AGREED if problem.score(fast) == self.plain.score(plain) else SCORE


@pytest.fixture(autouse=True, scope="module")
def _words_drawn_once() -> Iterator[None]:
    """A large board's Zobrist words take longer than the game; they are the same for every board."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(game, "random_words", cache(game.random_words))
        yield


def holed_board(seed: int, width: int, height: int, colors: int, holes: int) -> np.ndarray:
    """A random board, settled after `holes` tenths of its cells have been taken out at random."""
    board = random_board(seed, width, height, colors)
    board[random_board(seed + 1, width, height, 10) < holes] = -1
    return settle(board)


def twins(board: np.ndarray, rule: str) -> tuple[Any, Any]:
    """The fast problem, and the plain one on its larger grid whatever the board, so that it compiles once."""
    plain = PlainSameGame(board=board, rule=rule)
    grid = np.zeros((MAX_SIDE + 2, MAX_SIDE + 2), np.int8)
    side = plain.grid.shape[0]
    grid[:side, :side] = plain.grid
    return SameGame(board=board, rule=rule), fill(plain, grid=grid)


def disagreement(board: np.ndarray, rule: str = "samegame", seed: int = 1, lazy: int = 1, compiled: bool = True) -> str:
    """Play one game in lock step: `agreed`, or what was different and when."""
    fast, plain = twins(board, rule)
    lock_step = LockStep(plain=plain, lazy=lazy)
    run: Any = make_run(fast, lock_step, seed=seed)
    if compiled:
        compile.load(lock_step, fast, run)(lock_step, fast, run)
    else:
        with np.errstate(over="ignore"):
            lock_step.run(fast, with_records(run))
    check, step = run.work.report
    return CHECKS[check] if check == AGREED else f"{CHECKS[check]} at step {step}"


SEEDS = st.integers(0, 2**32)
RULES = st.sampled_from(game.RULES)


@settings(max_examples=2000, deadline=None)
@given(st.integers(1, 16), st.integers(1, 15), st.integers(1, 5), SEEDS, st.integers(0, 9), RULES, st.integers(1, 6))
def test_small_boards_agree_with_the_plain_twin(width, height, colors, seed, holes, rule, lazy):
    board = holed_board(seed, width, height, colors, holes)
    assert disagreement(board, rule, seed, lazy) == "agreed"


@settings(max_examples=1000, deadline=None)
@given(st.integers(1, 50), st.integers(1, 50), st.integers(1, 26), SEEDS, st.integers(0, 9), RULES, st.integers(1, 6))
def test_boards_of_any_size_agree_with_the_plain_twin(width, height, colors, seed, holes, rule, lazy):
    board = holed_board(seed, width, height, colors, holes)
    assert disagreement(board, rule, seed, lazy) == "agreed"


@pytest.mark.parametrize(("width", "height", "colors"), [(16, 15, 5), (15, 15, 5), (50, 50, 26), (50, 50, 2), (17, 16, 6)])
def test_full_boards_agree_with_the_plain_twin(width, height, colors):
    for seed in range(20):
        assert disagreement(random_board(seed, width, height, colors), seed=seed, lazy=1 + seed % 3) == "agreed"


@pytest.mark.parametrize(("width", "height", "colors"), [(1, 1, 1), (1, 9, 2), (9, 1, 2), (6, 6, 3), (5, 17, 7)])
def test_interpreted_kernels_agree_with_the_plain_twin(width, height, colors):
    for seed in range(2):
        assert disagreement(random_board(seed, width, height, colors), seed=seed, lazy=2, compiled=False) == "agreed"


def group_of(board: np.ndarray, move: int) -> set[tuple[int, int]]:
    """The (column, row) cells of a move's group, rows from the bottom, by walking over the board's cells."""
    cells = {(move >> 6, move & 63)}
    color = board[len(board) - 1 - (move & 63), move >> 6]
    waiting = list(cells)
    while waiting:
        x, y = waiting.pop()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            inside = 0 <= cell[0] < board.shape[1] and 0 <= cell[1] < len(board)
            if inside and cell not in cells and board[len(board) - 1 - cell[1], cell[0]] == color:
                cells.add(cell)
                waiting.append(cell)
    return cells


def color_of(board: np.ndarray, move: int) -> int:
    return int(board[len(board) - 1 - (move & 63), move >> 6])


def positions(problem: Any, seed: int) -> Iterator[tuple[Any, list[int]]]:
    """The states of one random game with their moves, the end included; interpreted."""
    state, out, rng = new_state(problem), np.zeros(problem.max_moves(), np.int32), make_rng(seed)
    with np.errstate(over="ignore"):
        problem.reset(state)
        while True:
            moves = out[: problem.moves(state, out)].tolist()
            yield state, moves
            if not moves:
                return
            problem.play(state, moves[rng.below(len(moves))])


@pytest.mark.parametrize(("width", "height", "colors"), [(7, 6, 3), (15, 15, 5), (4, 18, 6)])
def test_the_code_of_a_move_is_the_xor_of_its_cells(width, height, colors):
    problem = SameGame(width=width, height=height, colors=colors)
    for state, moves in positions(problem, seed=1):
        board = problem.cells_of(state)
        for move in moves:
            code = np.uint64(0)
            for x, y in group_of(board, move):
                code ^= problem.zobrist[color_of(board, move), x, y]
            assert problem.code(state, move) == code


def test_sample_draws_every_group_equally_often_whatever_its_shape():
    # The a-group has three cells that start a run upwards, the others one each.
    problem = SameGame(board="aaaaa\nabaca\nabaca")
    state, out, rng = new_state(problem), np.zeros(problem.max_moves(), np.int32), make_rng(1)
    drawn = {0 * 64: 0, 1 * 64: 0, 3 * 64: 0}
    with np.errstate(over="ignore"):
        problem.reset(state)
        for _ in range(3000):
            drawn[int(problem.sample(state, out, rng))] += 1
    assert sum((count - 1000) ** 2 / 1000 for count in drawn.values()) < 13.8  # chi-square, 2 degrees of freedom, 0.1 %


def test_a_sampled_move_may_be_played_after_listing():
    problem = SameGame(width=6, height=6, colors=3)
    states, out = Records(new_states(problem, 2)), np.zeros(problem.max_moves(), np.int32)
    with np.errstate(over="ignore"):
        for seed in range(10):
            rng = make_rng(seed)
            problem.reset(states[0])
            while (move := problem.sample(states[0], out, rng)) >= 0:
                states[1] = states[0]
                problem.moves(states[0], out)
                problem.play(states[0], move)
                problem.play(states[1], move)
                assert problem.cells_of(states[0]).tolist() == problem.cells_of(states[1]).tolist()


def algorithm_5(board: np.ndarray, possible: list[int], tabu_color: int | None, played: int, t: float) -> list[int]:
    """Document 002, Algorithm 5, line by line."""
    moves = []
    if sum(color_of(board, m) == tabu_color for m in possible) == 1:
        tabu_color = None
    for m in possible:
        if color_of(board, m) == tabu_color:
            if len(group_of(board, m)) == 2 and played > t:
                moves.append(m)
        else:
            moves.append(m)
    return moves or possible


@pytest.mark.parametrize(("selective", "t"), [("none", None), ("tabu", float("inf")), ("0", 0), ("3", 3), ("10", 10)])
@pytest.mark.parametrize("tabu_rank", [1, 3])
def test_candidates_are_those_of_algorithm_5(selective, t, tabu_rank):
    for seed, (width, height, colors) in enumerate([(5, 5, 3), (15, 15, 5), (9, 7, 4), (3, 20, 3)]):
        problem = SameGame(seed, width, height, colors, selective=selective, tabu_rank=tabu_rank)
        counts = np.bincount(problem.grid.ravel(), minlength=colors)
        tabu = int(np.argsort(-counts, kind="stable")[tabu_rank - 1])
        out = np.zeros(problem.max_moves(), np.int32)
        for played, (state, moves) in enumerate(positions(problem, seed)):
            allowed = moves if t is None else algorithm_5(problem.cells_of(state), moves, tabu, played, t)
            assert out[: problem.candidates(state, out)].tolist() == allowed
