"""Othello: known counts of games, and the bits against a plain board."""

import numpy as np
import pytest
from conforming import said_of
from hypothesis import given, settings
from hypothesis import strategies as st
from perft import follow, listed, perft, position

from arbora.problem import like_compiled
from arbora.problems.othello import PASS, Othello

STEPS = [(right, down) for right in (-1, 0, 1) for down in (-1, 0, 1) if (right, down) != (0, 0)]


class Plain:
    """The same game on rows from the top."""

    def __init__(self) -> None:
        self.board = [[-1] * 8 for _ in range(8)]
        self.board[3][4] = self.board[4][3] = 0
        self.board[3][3] = self.board[4][4] = 1
        self.player = 0
        self.played = 0

    def turned(self, square: int, player: int) -> list[tuple[int, int]]:
        row, column = divmod(square, 8)
        turned: list[tuple[int, int]] = []
        for right, down in STEPS if self.board[row][column] < 0 else []:
            line = []
            y, x = row + down, column + right
            while 0 <= y < 8 and 0 <= x < 8 and self.board[y][x] == 1 - player:
                line.append((y, x))
                y, x = y + down, x + right
            if 0 <= y < 8 and 0 <= x < 8 and self.board[y][x] == player:
                turned += line
        return turned

    def squares(self, player: int) -> list[int]:
        return [square for square in range(64) if self.turned(square, player)]

    def moves(self) -> list[int]:
        return self.squares(self.player) or ([PASS] if self.squares(1 - self.player) else [])

    def play(self, move: int) -> None:
        if move != PASS:
            for y, x in [*self.turned(move, self.player), divmod(move, 8)]:
                self.board[y][x] = self.player
        self.player = 1 - self.player
        self.played += 1

    def payoff(self) -> float:
        black, white = (sum(row.count(player) for row in self.board) for player in (0, 1))
        return 0.5 if black == white else float(black > white)


def test_known_counts_of_games():
    ways, _ = perft(Othello(), 8)
    assert ways == [1, 4, 12, 56, 244, 1_396, 8_200, 55_092, 390_216]


@settings(max_examples=25, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_games_go_as_on_a_plain_board(seed):
    game = Othello()
    follow(game, Plain(), seed, game.rows_of)


def square(name: str) -> int:
    return "abcdefgh".index(name[0]) + 8 * (int(name[1]) - 1)


def state_with(game: Othello, black: str, white: str):
    """A position with black to move."""
    state = position(game, [])
    state.mover = np.uint64(sum(1 << square(name) for name in black.split()))
    state.waiter = np.uint64(sum(1 << square(name) for name in white.split()))
    return state


@pytest.mark.parametrize(("right", "down"), STEPS)
@pytest.mark.parametrize("length", [1, 6])
def test_discs_are_turned_in_every_direction(right, down, length):
    game = Othello()
    x, y = (0 if step > 0 else 7 if step < 0 else 3 for step in (right, down))
    line = ["abcdefgh"[x + i * right] + str(y + i * down + 1) for i in range(length + 2)]
    state = state_with(game, line[-1], " ".join(line[1:-1]))
    assert listed(game, state) == [square(line[0])]
    game.play(state, square(line[0]))
    assert int(state.mover) == 0
    assert int(state.waiter) == sum(1 << square(name) for name in line)


@pytest.mark.parametrize(("black", "white"), [("g4", "h4"), ("b5", "a5"), ("g2", "h1"), ("b7", "a6")])
def test_lines_end_at_the_edge(black, white):
    """Only white can enclose here; black could if the rows ran on."""
    assert listed(Othello(), state_with(Othello(), black, white)) == [PASS]


def test_a_player_without_a_move_passes_if_the_other_has_one():
    game = Othello()
    state = state_with(game, "b1 a8", "a1")
    assert listed(game, state) == [PASS]
    assert game.text(state, PASS) == "pass"
    game.play(state, PASS)
    assert game.player(state) == 1
    assert listed(game, state) == [square("c1")]


@pytest.mark.parametrize(("black", "white", "payoff"), [("a1 c3", "h8", 1.0), ("a1", "h8", 0.5), ("a1", "g5 h8", 0.0)])
def test_it_ends_when_neither_can_move_and_more_discs_win(black, white, payoff):
    game = Othello()
    state = state_with(game, black, white)
    assert listed(game, state) == []
    assert (game.payoff(state, 0), game.payoff(state, 1)) == (payoff, 1 - payoff)


def test_a_full_board_with_as_many_of_each_is_a_draw():
    game = Othello()
    state = position(game, [])
    state.mover, state.waiter = np.uint64(2**32 - 1), np.uint64((2**32 - 1) << 32)
    assert listed(game, state) == []
    assert game.payoff(state, 0) == game.payoff(state, 1) == 0.5
    assert game.render(state).plain.endswith("● 32  ○ 32  a draw")


def test_people_see_a_board_with_letters_and_numbers():
    game = Othello()
    state = position(game, [square("d3")])
    assert game.render(state).plain.splitlines() == [
        "   a b c d e f g h",
        " 1 · · · · · · · ·",
        " 2 · · · · · · · ·",
        " 3 · · · ● · · · ·",
        " 4 · · · ● ● · · ·",
        " 5 · · · ● ○ · · ·",
        " 6 · · · · · · · ·",
        " 7 · · · · · · · ·",
        " 8 · · · · · · · ·",
        " ● 4  ○ 1  ○ to move",
    ]
    assert [game.text(state, move) for move in (0, 7, 19, 63)] == ["a1", "h1", "d3", "h8"]


def test_keys_tell_who_is_to_move():
    game = Othello()
    state = position(game, [])
    with like_compiled():
        key = game.key(state)
        state.turn ^= np.uint64(1)
        assert game.key(state) != key


def test_conforms():
    assert len(said_of(Othello())) >= 6
