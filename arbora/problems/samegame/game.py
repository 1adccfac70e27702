"""SameGame, Clickomania and Bubble Breaker: one implementation, three reward rules (documents 000 and 001).

A move is `column * 64 + row` of a cell of the group it removes, rows counted from the bottom; as text `x,y`. Listed
moves name the group's lowest cell in its leftmost column.
"""

from functools import cache
from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.bits import popcount
from arbora.engine.rng import random_words
from arbora.errors import BadInput
from arbora.problem import problem
from arbora.problems.samegame import boards
from arbora.problems.samegame.kernels import (
    color_at,
    first_lane,
    list_allowed,
    list_groups,
    open_cells,
    position_key,
    regroup,
    remove_group,
    sample_group,
)
from arbora.problems.samegame.scoring import BONUS, SAMEGAME, group_points, optimistic

RULES = ("samegame", "clickomania", "bubble-breaker")
_NEVER = 1 << 30
_6, _63 = np.uint64(6), np.uint64(63)
_1 = np.uint64(1)


@problem
class SameGame:
    """Remove groups of two or more equal blocks; what is above falls, empty columns close to the left."""

    seed: int = param("random board to play, if no board is given", default=1, low=0)
    width: int = param("columns of a random board", default=15, low=1, high=boards.MAX_SIDE)
    height: int = param("rows of a random board", default=15, low=1, high=boards.MAX_SIDE)
    colors: int = param("colours of a random board", default=5, low=1, high=boards.MAX_COLORS)
    rule: str = param("how removed groups score", default="samegame", choices=RULES)
    penalty: bool = param("samegame only: subtract (n - 2)^2 for each colour left at the end", default=True)
    selective: str = param("moves a play-out may choose: none (all), tabu, or a number t (document 002)", default="none")
    tabu_rank: int = param("the tabu colour is the n-th most frequent one of the start board", default=1, low=1, high=26)
    board: object = param("a board to play: text, or rows of colours from the top, -1 for empty", default=None)
    grid: np.ndarray = derived(init=False)  # the settled start board, rows from the top, -1 for empty
    rule_index: int = derived(init=False)
    tabu_after: int = derived(init=False)
    tabu_color: int = derived(init=False)
    cells: int = derived(init=False)
    start: np.ndarray = derived(init=False)
    zobrist: np.ndarray = derived(init=False)

    def prepare(self) -> Any:
        """Settle the board and lay it out on bit-planes."""
        given: Any = self.board
        if given is None or np.size(given) == 0:
            given = np.zeros((0, 0), np.int8)
            board = boards.random_board(self.seed, self.width, self.height, self.colors)
        else:
            given = board = boards.as_board(given)
        height, width = board.shape
        counts = np.bincount(board[board >= 0], minlength=1)
        colors = max(len(counts), 1)
        small = height <= 15 and width <= 16 and colors <= 5
        planes, columns, rows = (5, 16, 16) if small else (boards.MAX_COLORS, boards.MAX_SIDE, 64)
        start = np.zeros((planes, _words(columns, rows) * 64 // rows), np.uint16 if small else np.uint64)
        for row, column in zip(*np.nonzero(board >= 0), strict=True):
            start[board[row, column], 64 // rows + column] |= start.dtype.type(1 << (height - 1 - row))
        ranked = sorted(range(colors), key=lambda color: (-counts[color], color))
        return fill(
            self,
            width=width,
            height=height,
            colors=colors,
            board=given,
            grid=board,
            selective=self.selective.lower(),
            rule_index=RULES.index(self.rule),
            tabu_after=_tabu_after(self.selective.lower()),
            tabu_color=ranked[min(self.tabu_rank, colors) - 1],
            cells=int(counts.sum()),
            start=start,
            zobrist=_zobrist(planes, columns, rows),
        )

    def layout(self):
        planes, lanes = self.start.shape
        _, columns, rows = self.zobrist.shape
        fields = [
            ("words", np.uint64, (planes, lanes * rows // 64)),
            ("codes", np.uint64, (columns, rows)),
            ("mask", np.uint64, (lanes,)),
            ("seen", np.uint64, (lanes,)),
            ("open", np.uint64, (lanes * rows // 64,)),
            ("head_words", np.uint64, (lanes * rows // 64,)),
            ("sizes", np.uint16, (columns, rows)),
            *((name, np.int64) for name in ("points", "left", "columns", "played", "flooded", "low", "high")),
            ("dirty_low", np.int64),
            ("dirty_high", np.int64),
            ("dirty_row", np.int64),
        ]
        plain = np.dtype(fields, align=True)
        # `lanes` and `heads` are the same memory as `words` and `head_words`, column by column.
        lane = self.start.dtype
        formats = [*(plain.fields[name][0] for name in plain.names), (lane, (planes, lanes)), (lane, (lanes,))]
        offsets = [plain.fields[name][1] for name in (*plain.names, "words", "head_words")]
        names = [*plain.names, "lanes", "heads"]
        return np.dtype({"names": names, "formats": formats, "offsets": offsets, "itemsize": plain.itemsize}, align=True)

    def max_moves(self):
        return max(self.cells // 2, 1)

    def max_length(self):
        return max(self.cells // 2, 1)

    def reset(self, state):
        planes, lanes = self.start.shape
        for k in range(planes):
            for x in range(lanes):
                state.lanes[k, x] = self.start[k, x]
        first = np.int64(first_lane(state))
        state.columns = 0
        for x in range(first, lanes):
            for k in range(planes):
                if self.start[k, x] != 0:
                    state.columns = x - first + 1
        for w in range(state.head_words.size):
            state.head_words[w] = 0
        state.points = 0
        state.played = 0
        state.left = self.cells
        state.flooded = -1
        state.dirty_low = first
        state.dirty_high = first + state.columns - 1
        state.dirty_row = 0
        regroup(state, self.zobrist)

    def moves(self, state, out):
        regroup(state, self.zobrist)
        return list_groups(state, out)

    def sample(self, state, out, rng):
        return sample_group(state, rng)

    def play(self, state, move):
        removed = remove_group(state, move)
        state.left -= removed
        state.played += 1
        state.points += group_points(self.rule_index, removed)

    def score(self, state):
        total = state.points
        if self.rule_index == SAMEGAME:
            if state.left == 0:
                total += BONUS
            elif self.penalty and open_cells(state) == 0:  # the episode is over
                for color in range(self.colors):
                    left = self.kind_count(state, color)
                    if left > 0:
                        total -= (left - 2) * (left - 2)
        return np.float64(total)

    def candidates(self, state, out):
        if self.tabu_after < 0:
            return self.moves(state, out)
        regroup(state, self.zobrist)
        return list_allowed(state, self.tabu_color, state.played > self.tabu_after, out)

    def code(self, state, move):
        return state.codes[np.uint64(move) >> _6, np.uint64(move) & _63]

    def kinds(self):
        return self.colors

    def kind(self, state, move):
        lane = (np.uint64(move) >> _6) + first_lane(state)
        return np.int64(color_at(state, lane, _1 << (np.uint64(move) & _63)))

    def kind_count(self, state, kind):
        count = np.uint64(0)
        for w in range(1, state.words.shape[1] - 1):
            count += popcount(state.words[kind, w])
        return np.int64(count)

    def bound(self, state):
        return optimistic(self, state)

    def key(self, state):
        return position_key(state)

    def compact(self):
        from arbora.problems.samegame.compact import CompactSameGame

        _, columns, rows = self.zobrist.shape
        color_of = np.zeros((columns, 64), np.uint8)
        color_of[: self.width, : self.height] = np.maximum(self.grid[::-1].T, 0)
        return CompactSameGame(
            planes=np.ascontiguousarray(self.start[:, 64 // rows : 64 // rows + columns]),
            color_of=color_of.ravel(),
            colors=self.colors,
            width=self.width,
            cells=self.cells,
            rule_index=self.rule_index,
            penalty=self.penalty,
            tabu_after=self.tabu_after,
            tabu_color=self.tabu_color,
        )

    def text(self, state, move):
        return f"{int(move) >> 6},{int(move) & 63}"

    def render(self, state):
        from arbora.problems.samegame.render import render_board

        return render_board(self.cells_of(state))

    def cells_of(self, state: Any) -> np.ndarray:
        """The position as rows of colours from the top, -1 for empty."""
        first = 64 // self.zobrist.shape[2]
        board = np.full((self.height, self.width), -1, np.int8)
        for color in range(self.colors):
            for column in range(self.width):
                lane = int(state.lanes[color, first + column])
                for row in range(self.height):
                    if lane >> row & 1:
                        board[self.height - 1 - row, column] = color
        return board


@cache
def _zobrist(planes: int, columns: int, rows: int) -> np.ndarray:
    """A random word for each colour at each cell."""
    return random_words(0x5A0B, planes * columns * rows).reshape(planes, columns, rows)


def _words(columns: int, rows: int) -> int:
    """64-bit words that hold `columns` lanes, with a word of empty lanes on either side."""
    return -(-columns * rows // 64) + 2


def _tabu_after(selective: str) -> int:
    if selective == "none":
        return -1
    if selective == "tabu":
        return _NEVER
    if selective.isascii() and selective.isdecimal():
        return min(int(selective), _NEVER)
    raise BadInput(f"SameGame: selective={selective!r} is not allowed; selective takes none, tabu or a whole number")
