"""Go with area scoring and positional superko.

A move is `x + y * columns`, column from the left and row from the bottom, both from 0; the number of points is a pass.
"""

from functools import cache
from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.rng import random_words
from arbora.problem import problem
from arbora.problems.go import text
from arbora.problems.go.board import NOWHERE, clear_board, pass_turn, play_stone
from arbora.problems.go.patterns import pattern_table
from arbora.problems.go.rules import area_balance, is_legal, is_over, owner_of, random_point
from arbora.problems.go.tactics import promise, urgent_point

# Boards are laid out, and compiled, for the next larger of these sides.
SIDES = (9, 13, 19)


@problem
class Go:
    """Surround more of the board than the other: stones and the empty points that only they reach."""

    size: int = param("points on a side of the board", default=9, low=1, high=SIDES[-1])
    width: int = param("columns, if not `size`", default=0, low=0, high=SIDES[-1])
    height: int = param("rows, if not `size`", default=0, low=0, high=SIDES[-1])
    komi: float = param("points White gets for moving second", default=7.5, low=-1000, high=1000)
    suicide: bool = param("may several stones take their own last liberty?", default=False)
    columns: int = derived(init=False)
    rows: int = derived(init=False)
    limit: int = derived(init=False)  # moves after which a game is over, whatever the position
    point_of: np.ndarray = derived(init=False)  # the point of the board for each move, NOWHERE for a pass
    move_of: np.ndarray = derived(init=False)  # the move for each point of the board
    zobrist: np.ndarray = derived(init=False)
    patterns: np.ndarray = derived(init=False)

    def prepare(self) -> Any:
        columns, rows = self.width or self.size, self.height or self.size
        stride = _side(columns, rows) + 2
        passing = columns * rows
        point_of = np.zeros(passing + 1, np.uint16)
        move_of = np.full(stride * stride, passing, np.uint16)
        for move in range(passing):
            point = (move // columns + 1) * stride + move % columns + 1
            point_of[move] = point
            move_of[point] = move
        return fill(
            self,
            columns=columns,
            rows=rows,
            limit=_limit(columns, rows),
            point_of=point_of,
            move_of=move_of,
            zobrist=_zobrist(),
            patterns=pattern_table(),
        )

    def layout(self):
        side = _side(self.columns, self.rows)
        points = (side + 2) * (side + 2)
        number = np.uint8 if points < 256 else np.uint16
        fields = [
            ("liberties", np.uint64, (points,)),
            ("hash", np.uint64),
            ("around", np.uint16, (points,)),
            *((name, number, (points,)) for name in ("chain", "next", "size", "empties", "place")),
            ("color", np.uint8, (points,)),
            ("reach", np.uint8, (points,)),
            ("balance", np.int16),
            *((name, np.uint16) for name in ("vacant", "fewest", "played", "ko", "last")),
            ("passes", np.uint8),
            ("turn", np.uint8),
            ("history", np.uint64, (_limit(side, side) + 1,)),
        ]
        plain = np.dtype(fields, align=True)
        # `grid` is the same memory as `color`, by row and column.
        assert plain.fields is not None
        return np.dtype(
            {
                "names": [*plain.names, "grid"],
                "formats": [*(plain.fields[name][0] for name in plain.names), (np.uint8, (side + 2, side + 2))],
                "offsets": [plain.fields[name][1] for name in (*plain.names, "color")],
                "itemsize": plain.itemsize,
            },
            align=True,
        )

    def max_moves(self):
        return self.columns * self.rows + 1

    def max_length(self):
        return self.limit

    def players(self):
        return 2

    def reset(self, state):
        clear_board(state, self.columns, self.rows)

    def player(self, state):
        return np.int64(state.turn)

    def moves(self, state, out):
        if is_over(state, self.limit):
            return 0
        count = 0
        passing = self.columns * self.rows
        for move in range(passing):
            if is_legal(state, np.uint64(self.point_of[move]), self.suicide, self.zobrist):
                out[count] = move
                count += 1
        out[count] = passing
        return count + 1

    def legal(self, state, move):
        """May whoever has the turn play this, whether the game is over or not?"""
        point = np.uint64(self.point_of[np.uint64(move)])
        return point == NOWHERE or is_legal(state, point, self.suicide, self.zobrist)

    def play(self, state, move):
        """Any empty point will do, and a pass; that the move is legal is for `moves` to see to."""
        point = np.uint64(self.point_of[np.uint64(move)])
        if point == NOWHERE:
            pass_turn(state)
        else:
            play_stone(state, point, self.zobrist)

    def put(self, state, move, player):
        """Play for this player, whoever has the turn: for handicap stones and positions from elsewhere."""
        state.turn = player
        self.play(state, move)

    def light(self, state, out, rng):
        """Every point equally likely but own eyes, suicide and simple ko; a pass if there is no other."""
        if is_over(state, self.limit):
            return np.int64(-1)
        return np.int64(self.move_of[random_point(state, rng)])

    def urgent(self, state, out, rng):
        """Save what the last move put in atari, play a pattern beside it, or take what can be taken."""
        if is_over(state, self.limit):
            return np.int64(-1)
        point = urgent_point(state, self.patterns, out, rng)
        return np.int64(-1) if point == NOWHERE else np.int64(self.move_of[point])

    def prior(self, state, move):
        """What a move looks like: atari, patterns, the edge, how near it is to the last move. A pass looks bad."""
        point = np.uint64(self.point_of[np.uint64(move)])
        if point == NOWHERE:
            return 0.1
        return promise(state, point, self.patterns, self.columns, self.rows)

    def payoff(self, state, player):
        margin = self.area(state) - self.komi
        if margin == 0.0:
            return 0.5
        return 1.0 if (margin > 0.0) == (player == 0) else 0.0

    def area(self, state):
        """Black's area minus White's, without komi, all stones on the board alive."""
        return area_balance(state)

    def owner(self, state, move):
        """Whose area a point is, as it stands: 0 Black's, 1 White's, -1 nobody's."""
        return owner_of(state, np.uint64(self.point_of[np.uint64(move)]))

    def color(self, state, move):
        """Whose stone is on a point: 0 Black's, 1 White's, -1 nobody's."""
        return np.int64(state.color[np.uint64(self.point_of[np.uint64(move)])]) - 1

    def text(self, state, move):
        return text.vertex(int(move), self.columns, self.rows)

    def parse(self, vertex: str) -> int:
        """The move that a text such as D4 or pass stands for."""
        return text.parse_vertex(vertex, self.columns, self.rows)

    def render(self, state):
        last = int(self.move_of[int(state.last)])
        at = (last % self.columns, last // self.columns) if state.last else None
        return text.picture(state.grid, self.columns, self.rows, at)


def _side(columns: int, rows: int) -> int:
    return next(side for side in SIDES if max(columns, rows) <= side)


def _limit(columns: int, rows: int) -> int:
    """Three moves for each point, and no fewer than 200: play-outs end long before."""
    return max(3 * columns * rows, 200)


@cache
def _zobrist() -> np.ndarray:
    """A random word for either colour at each point of the largest board: the one of color c at p is at 2 * p + c."""
    return random_words(0x60, 2 * (SIDES[-1] + 2) ** 2 + 1)
