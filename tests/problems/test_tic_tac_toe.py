"""Tic-tac-toe: every game there is, and the bits against a plain list."""

import itertools

import pytest
from conforming import said_of
from hypothesis import given, settings
from hypothesis import strategies as st
from perft import follow, key_after, listed, perft, position

from arbora.problems.tic_tac_toe import TicTacToe

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class Plain:
    """The same game on a list."""

    def __init__(self) -> None:
        self.board = [-1] * 9
        self.played = 0

    @property
    def player(self) -> int:
        return self.played % 2

    def winner(self) -> int | None:
        return next((self.board[a] for a, b, c in LINES if -1 < self.board[a] == self.board[b] == self.board[c]), None)

    def moves(self) -> list[int]:
        return [] if self.winner() is not None else [cell for cell in range(9) if self.board[cell] < 0]

    def play(self, cell: int) -> None:
        self.board[cell] = self.player
        self.played += 1

    def payoff(self) -> float:
        winner = self.winner()
        return 0.5 if winner is None else 1.0 - winner


def test_all_games_and_their_results():
    ways, results = perft(TicTacToe(), 9)
    assert ways[:5] == [1, 9, 72, 504, 3024]
    assert results == [77_904, 46_080, 131_184]
    assert sum(results) == 255_168


@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_games_go_as_on_a_plain_list(seed):
    game = TicTacToe()
    follow(game, Plain(), seed, game.cells_of)


@pytest.mark.parametrize("line", LINES)
@pytest.mark.parametrize("winner", [0, 1])
def test_three_in_any_line_end_the_game(line, winner):
    game = TicTacToe()
    others = next(
        cells for cells in itertools.combinations([cell for cell in range(9) if cell not in line], 3) if cells not in LINES
    )
    turns = zip(line, others, strict=True) if winner == 0 else zip(others, line, strict=True)
    moves = list(itertools.chain(*turns))[: 5 + winner]
    before = position(game, moves[:-1])
    assert moves[-1] in listed(game, before)
    state = position(game, moves)
    assert listed(game, state) == []
    assert (game.payoff(state, winner), game.payoff(state, 1 - winner)) == (1.0, 0.0)


def test_a_full_board_without_a_line_is_a_draw():
    game = TicTacToe()
    state = position(game, [0, 1, 2, 4, 3, 5, 7, 6, 8])
    assert listed(game, state) == []
    assert (game.payoff(state, 0), game.payoff(state, 1)) == (0.5, 0.5)


def test_people_see_signs_and_the_numbers_of_free_cells():
    game = TicTacToe()
    state = position(game, [4, 0])
    assert game.render(state).plain == " O 2 3\n 4 X 6\n 7 8 9\n X to move"
    assert game.text(state, 8) == "9"
    assert game.render(position(game, [4, 0, 1, 2, 7])).plain.endswith("X has won")
    assert game.render(position(game, [0, 1, 2, 4, 3, 5, 7, 6, 8])).plain.endswith("a draw")


def test_keys_are_those_of_the_position_not_of_the_way_there():
    game = TicTacToe()
    assert key_after(game, [0, 1, 2]) == key_after(game, [2, 1, 0])
    assert key_after(game, [0, 1, 2]) != key_after(game, [0, 2, 1])


def test_conforms():
    assert len(said_of(TicTacToe())) >= 6
