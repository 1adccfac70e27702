"""SameGame in the straightforward way: a grid of cells and flood fill.

The twin that the fast kernels are tested against, and the yardstick they are measured against. Same moves, same scores,
no cleverness; without selective rules and without NRPA codes.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.kernel import kernel
from arbora.problem import problem
from arbora.problems.samegame import boards
from arbora.problems.samegame.game import RULES


@problem
class PlainSameGame:
    """SameGame by flood fill on a grid, with a border of empty cells."""

    board: object = param("a board to play: text, or rows of colours from the top, -1 for empty", default=None)
    rule: str = param("how removed groups score", default="samegame", choices=RULES)
    penalty: bool = param("samegame only: subtract (n - 2)^2 for each colour left at the end", default=True)
    rule_index: int = derived(init=False)
    width: int = derived(init=False)
    height: int = derived(init=False)
    grid: np.ndarray = derived(init=False)

    def prepare(self) -> Any:
        board = boards.as_board(self.board)
        height, width = board.shape
        side = 17 if max(height, width) <= 15 else boards.MAX_SIDE + 2  # two sizes only, since each compiles anew
        grid = np.zeros((side, side), np.int8)  # column by column, bottom up; 0 is empty, colour c is c + 1
        grid[1 : width + 1, 1 : height + 1] = board[::-1].T + 1
        return fill(self, board=board, rule_index=RULES.index(self.rule), width=width, height=height, grid=grid)

    def layout(self):
        columns, rows = self.grid.shape
        return [
            ("grid", np.int8, (columns, rows)),
            ("seen", np.int8, (columns, rows)),
            ("stack", np.int32, (columns * rows,)),
            ("points", np.int64),
        ]

    def max_moves(self):
        return max(int((self.grid > 0).sum()) // 2, 1)

    def max_length(self):
        return self.max_moves()

    def reset(self, state):
        for c in range(self.grid.shape[0]):
            for r in range(self.grid.shape[1]):
                state.grid[c, r] = self.grid[c, r]
        state.points = 0

    def moves(self, state, out):
        self.forget(state)
        count = 0
        for c in range(1, self.width + 1):
            for r in range(1, self.height + 1):
                if state.grid[c, r] > 0 and state.seen[c, r] == 0 and spread(state, c, r) >= 2:
                    out[count] = (c - 1) * 64 + r - 1
                    count += 1
        return count

    def play(self, state, move):
        self.forget(state)
        size = spread(state, move // 64 + 1, move % 64 + 1)
        if self.rule_index == 0:
            state.points += (size - 2) * (size - 2)
        elif self.rule_index == 1:
            state.points += size
        else:
            state.points += size * (size - 1)
        self.collapse(state)

    def score(self, state):
        total = state.points
        if self.rule_index == 0:
            over = not self.has_move(state)
            left = 0
            for color in range(1, boards.MAX_COLORS + 1):
                cells = self.count(state, color)
                left += cells
                if cells > 0 and over and self.penalty:
                    total -= (cells - 2) * (cells - 2)
            if left == 0:
                total += 1000
        return np.float64(total)

    def forget(self, state):
        """No cell has been seen."""
        for c in range(1, self.width + 1):
            for r in range(1, self.height + 1):
                state.seen[c, r] = 0

    def has_move(self, state):
        """Are there two equal blocks side by side?"""
        for c in range(1, self.width + 1):
            for r in range(1, self.height + 1):
                cell = state.grid[c, r]
                if cell > 0 and (cell == state.grid[c + 1, r] or cell == state.grid[c, r + 1]):
                    return True
        return False

    def count(self, state, color):
        """Cells of a colour."""
        cells = 0
        for c in range(1, self.width + 1):
            for r in range(1, self.height + 1):
                if state.grid[c, r] == color:
                    cells += 1
        return cells

    def collapse(self, state):
        """Remove the seen cells: blocks fall, empty columns close to the left."""
        target = 1
        for c in range(1, self.width + 1):
            height = 1
            for r in range(1, self.height + 1):
                if state.grid[c, r] > 0 and state.seen[c, r] == 0:
                    state.grid[target, height] = state.grid[c, r]
                    height += 1
            if height > 1:
                for r in range(height, self.height + 1):
                    state.grid[target, r] = 0
                target += 1
        for c in range(target, self.width + 1):
            for r in range(1, self.height + 1):
                state.grid[c, r] = 0


@kernel
def spread(state, column, row):
    """Mark the group of a cell as seen; return its size."""
    color = state.grid[column, row]
    rows = state.grid.shape[1]
    state.seen[column, row] = 1
    state.stack[0] = column * rows + row
    waiting = 1
    size = 0
    while waiting > 0:
        waiting -= 1
        cell = state.stack[waiting]
        size += 1
        for direction in range(4):
            c = cell // rows + (direction == 0) - (direction == 1)
            r = cell % rows + (direction == 2) - (direction == 3)
            if state.grid[c, r] == color and state.seen[c, r] == 0:
                state.seen[c, r] = 1
                state.stack[waiting] = c * rows + r
                waiting += 1
    return size
