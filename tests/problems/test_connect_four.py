"""Connect four: known counts of games, and the bits against a plain board."""

import numpy as np
import pytest
from conforming import said_of
from hypothesis import given, settings
from hypothesis import strategies as st
from perft import follow, key_after, listed, perft, position

from arbora.problems.connect_four import HEIGHT, WIDTH, ConnectFour, has_four

STEPS = [(0, 1), (1, 0), (1, 1), (1, -1)]  # columns to the right, rows down
LINES = [
    [(column + i * right, row + i * down) for i in range(4)]
    for column in range(WIDTH)
    for row in range(HEIGHT)
    for right, down in STEPS
    if column + 3 * right < WIDTH and 0 <= row + 3 * down < HEIGHT
]
DRAW = [0, 1, 0, 1, 1, 0, 1, 0, 0, 1, 0, 1, 2, 3, 2, 3, 3, 2, 3, 2, 2, 3, 2, 3, 4, 5, 4, 5, 5, 4, 5, 4, 4, 5, 4, 5, *[6] * 6]


class Plain:
    """The same game on rows from the top."""

    def __init__(self) -> None:
        self.board = [[-1] * WIDTH for _ in range(HEIGHT)]
        self.played = 0

    @property
    def player(self) -> int:
        return self.played % 2

    def winner(self) -> int | None:
        lines = ({self.board[row][column] for column, row in line} for line in LINES)
        return next((owners.pop() for owners in lines if owners in ({0}, {1})), None)

    def moves(self) -> list[int]:
        return [] if self.winner() is not None else [column for column in range(WIDTH) if self.board[0][column] < 0]

    def play(self, column: int) -> None:
        row = max(row for row in range(HEIGHT) if self.board[row][column] < 0)
        self.board[row][column] = self.player
        self.played += 1

    def payoff(self) -> float:
        winner = self.winner()
        return 0.5 if winner is None else 1.0 - winner


def test_known_counts_of_games():
    ways, _ = perft(ConnectFour(), 8)
    assert ways == [1, 7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]


@settings(max_examples=50, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_games_go_as_on_a_plain_board(seed):
    game = ConnectFour()
    follow(game, Plain(), seed, game.rows_of)


def word(cells: list[tuple[int, int]]) -> np.uint64:
    """The bits of some cells, given by column and row from the top."""
    return np.uint64(sum(1 << (8 * column + HEIGHT - 1 - row) for column, row in cells))


def test_all_lines_of_four_are_seen_and_none_with_a_gap():
    assert len(LINES) == 69
    for line in LINES:
        assert has_four(word(line))
        for missing in line:
            assert not has_four(word([cell for cell in line if cell != missing]))


def test_lines_do_not_run_on_in_the_next_column():
    assert not has_four(word([(2, 0), (2, 1), (3, 4), (3, 5)]))
    assert not has_four(word([(2, 0), (3, 0), (4, 0), (0, 5)]))


@pytest.mark.parametrize(
    ("moves", "winner"),
    [
        ([0, 1, 0, 1, 0, 1, 0], 0),
        ([6, 0, 0, 1, 1, 2, 2, 3], 1),
        ([0, 1, 1, 2, 2, 3, 2, 3, 3, 6, 3], 0),
        ([6, 5, 5, 4, 4, 3, 4, 3, 3, 0, 3], 0),
    ],
    ids=["column", "row", "rising", "falling"],
)
def test_four_in_a_line_end_the_game(moves, winner):
    game = ConnectFour()
    assert moves[-1] in listed(game, position(game, moves[:-1]))
    state = position(game, moves)
    assert listed(game, state) == []
    assert (game.payoff(state, winner), game.payoff(state, 1 - winner)) == (1.0, 0.0)


def test_a_full_board_without_a_line_is_a_draw():
    game = ConnectFour()
    state = position(game, DRAW)
    assert listed(game, state) == []
    assert (game.payoff(state, 0), game.payoff(state, 1)) == (0.5, 0.5)
    assert game.render(state).plain.endswith("a draw")


def test_a_full_column_is_closed():
    game = ConnectFour()
    assert listed(game, position(game, [3] * 6)) == [0, 1, 2, 4, 5, 6]


def test_people_see_discs_below_numbered_columns():
    game = ConnectFour()
    state = position(game, [3, 3, 0])
    assert game.render(state).plain.splitlines() == [
        " 1 2 3 4 5 6 7",
        *[" · · · · · · ·"] * 4,
        " · · · ○ · · ·",
        " ● · · ● · · ·",
        " ○ to move",
    ]
    assert game.text(state, 6) == "7"
    assert game.render(position(game, [0, 1, 0, 1, 0, 1, 0])).plain.endswith("● has won")


def test_keys_are_those_of_the_position_not_of_the_way_there():
    game = ConnectFour()
    assert key_after(game, [0, 1, 2]) == key_after(game, [2, 1, 0])
    assert key_after(game, [0, 1, 2]) != key_after(game, [0, 2, 1])


def test_conforms():
    assert len(said_of(ConnectFour())) >= 6
