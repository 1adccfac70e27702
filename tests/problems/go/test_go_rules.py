"""The rules of Go, one position at a time."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import arbora
from arbora.engine.rng import make_rng
from arbora.problem import like_compiled, new_state
from arbora.problems.go.board import NOWHERE
from arbora.problems.go.game import Go
from arbora.problems.go.text import parse_vertex


@pytest.fixture(autouse=True)
def _numbers_as_compiled() -> Iterator[None]:
    with like_compiled():
        yield


class Game:
    """A game that is told in words: a picture of the start, then moves such as `C2`."""

    def __init__(self, picture: str, **options: Any) -> None:
        rows = [row.split() for row in picture.strip().splitlines()]
        self.go: Any = Go(width=len(rows[0]), height=len(rows), **options)
        self.state = new_state(self.go)
        self.go.reset(self.state)
        for y, row in enumerate(reversed(rows)):
            for x, sign in enumerate(row):
                if sign != ".":
                    self.go.put(self.state, x + y * self.go.columns, "XO".index(sign))
        self.state.turn = 0

    def play(self, *vertices: str) -> "Game":
        for vertex in vertices:
            assert vertex in self.legal(), f"{vertex} in\n{self.go.render(self.state)}"
            self.go.play(self.state, self.go.parse(vertex))
        return self

    def legal(self) -> set[str]:
        out = np.zeros(self.go.max_moves(), np.int32)
        return {self.go.text(self.state, move) for move in out[: self.go.moves(self.state, out)]}

    def board(self) -> str:
        rows = self.state.grid[self.go.rows : 0 : -1, 1 : self.go.columns + 1]
        return " / ".join("".join(".XO"[color] for color in row) for row in rows)

    def ko(self) -> str:
        return self.go.text(self.state, self.go.move_of[self.state.ko])


KO = """
    . . . . .
    . X O . .
    X O . O .
    . X O . ."""


def test_a_ko_is_retaken_only_after_a_move_elsewhere():
    game = Game(KO).play("C2")
    assert game.board() == "..... / .XO.. / X.XO. / .XO.."
    assert game.ko() == "B2"
    assert "B2" not in game.legal()
    game.play("E4", "A4")
    assert game.state.ko == NOWHERE
    game.play("B2")
    assert game.board() == "X...O / .XO.. / XO.O. / .XO.."
    assert game.ko() == "C2"


def test_two_passes_do_not_make_a_position_new():
    game = Game(KO).play("C2", "pass")
    assert game.state.ko == NOWHERE
    game.state.passes = 0  # a referee who lets the game go on
    game.play("pass")
    assert "B2" not in game.legal()


@pytest.mark.parametrize(
    ("board", "moves", "forbidden"),
    [
        (". . . .", ("B1", "D1", "A1", "C1"), "B1"),  # two stones sent, two returned
        (". . . . .", ("B1", "D1", "C1", "A1"), "B1"),  # two stones sent, one returned
        (". . .", ("A1", "B1", "pass", "C1"), "A1"),
    ],
)
def test_no_position_comes_back(board, moves, forbidden):
    game = Game(board).play(*moves)
    assert game.ko() == "pass", "a simple ko would forbid it too"
    assert forbidden not in game.legal()
    game.go.put(game.state, game.go.parse(forbidden), 0)
    earlier = game.state.history[: game.state.played]
    assert game.state.hash in earlier


def test_a_snapback_is_no_ko():
    game = Game("""
        . . . . .
        X X X X X
        X O O O X
        X O . . X""")
    game.play("C1", "D1")
    assert game.board() == "..... / XXXXX / XOOOX / XO.OX"
    game.play("C1")
    assert game.board() == "..... / XXXXX / X...X / X.X.X"


def test_several_chains_are_captured_at_once():
    game = Game("""
        . X O X .
        X O . O X
        . X O X .
        . . X . .""")
    game.play("C3")
    assert game.board() == ".X.X. / X.X.X / .X.X. / ..X.."
    assert game.ko() == "pass"


SELF_CAPTURE = """
    O O O .
    X . O ."""


def test_suicide_of_several_stones_is_a_question_of_rules():
    assert "B1" not in Game(SELF_CAPTURE).legal()
    game = Game(SELF_CAPTURE, suicide=True).play("B1")
    assert game.board() == "OOO. / ..O."
    assert game.go.player(game.state) == 1


def test_suicide_of_one_stone_repeats_the_position():
    eye = """
        . O .
        O . O
        . O ."""
    assert Game(eye).legal() == {"pass"}
    assert Game(eye, suicide=True).legal() == {"pass"}


SEKI = """
    . O . O O
    O O O O O
    X X X X X
    O O X X X
    . O . X ."""


def test_a_shared_liberty_of_a_seki_is_nobodys():
    game = Game(SEKI)
    owners = {game.go.text(game.state, move): game.go.owner(game.state, move) for move in range(25)}
    assert {vertex for vertex, owner in owners.items() if owner < 0} == {"C1"}
    assert {owners[vertex] for vertex in ("A1", "A5", "C5", "B2")} == {1}
    assert {owners[vertex] for vertex in ("E1", "A3", "D1")} == {0}
    assert game.go.area(game.state) == -4


@pytest.mark.parametrize(
    ("picture", "area"),
    [
        (". . .\n. . .\n. . .", 0),
        (". . .\n. X .\n. . .", 9),
        (". X .\n. X O\n. X O", 4),
        (". X .\nX X O\n. X .", 5),
        (". . X . .\n. . X . .\nX X X O O\n. . O . .\n. . O . .", 1),
        (".", 0),
    ],
)
def test_area_is_stones_and_what_only_one_colour_reaches(picture, area):
    game = Game(picture, komi=0)
    assert game.go.area(game.state) == area


@pytest.mark.parametrize(("komi", "black", "white"), [(3.5, 1.0, 0.0), (4.0, 0.5, 0.5), (4.5, 0.0, 1.0)])
def test_payoff_is_win_tie_or_loss(komi, black, white):
    game = Game(SEKI.translate(str.maketrans("XO", "OX")), komi=komi)
    assert game.go.payoff(game.state, 0) == black
    assert game.go.payoff(game.state, 1) == white
    assert game.go.score(game.state) == black


def test_two_passes_end_the_game_and_a_stone_opens_it_again():
    game = Game(". . .").play("B1", "pass", "pass")
    assert game.legal() == set()
    assert game.go.light(game.state, np.zeros(4, np.int32), make_rng(1)) == -1
    game.go.put(game.state, 0, 0)
    assert game.legal() == {"C1", "pass"}


def test_a_game_ends_at_its_longest():
    game = Game(". .")
    for _ in range(game.go.max_length()):
        assert "pass" in game.legal()
        game.state.passes = 0
        game.go.play(game.state, 2)
        game.state.passes = 0
    assert game.legal() == set()
    game.go.put(game.state, 0, 1)
    assert game.board() == "O."


def test_quick_moves_are_equally_likely_and_spare_own_eyes():
    game = Game("""
        . X . X
        X X X O
        . X O .
        O . . .""")
    rng, out = make_rng(1), np.zeros(17, np.int32)
    drawn = Counter(game.go.text(game.state, game.go.light(game.state, out, rng)) for _ in range(6000))
    assert set(drawn) == {"A2", "D2", "B1", "C1", "D1", "C4"}, "A4 is an eye, C4 a false one"
    assert all(abs(count - 1000) < 100 for count in drawn.values())


def test_quick_play_outs_pass_when_only_eyes_are_left():
    game = Game(". X .\nX X X")
    assert game.go.text(game.state, game.go.light(game.state, np.zeros(7, np.int32), make_rng(1))) == "pass"


def test_points_have_letters_without_i_and_rows_from_the_bottom():
    go: Any = Go(size=19)
    assert [go.text(None, move) for move in (0, 8, 18, 19, 360, 361)] == ["A1", "J1", "T1", "A2", "T19", "pass"]
    assert [go.parse(go.text(None, move)) for move in range(362)] == list(range(362))
    assert parse_vertex(" q16 ", 19, 19) == 15 * 19 + 15
    assert parse_vertex("PASS", 9, 9) == 81


@pytest.mark.parametrize("vertex", ["", "I5", "A0", "A10", "K1", "5", "AA", "A-1", "pas"])
def test_texts_that_are_no_points_are_told(vertex):
    with pytest.raises(arbora.BadInput, match="points are A1 to J9, or pass"):
        Go().parse(vertex)


def test_the_picture_shows_coordinates_and_the_last_stone():
    game = Game(". O .\nX . .").play("C2")
    expected = """\
    A  B  C
 2  .  O (X) 2
 1  X  .  .  1
    A  B  C"""
    assert game.go.render(game.state) == expected


def test_boards_may_be_oblong_and_follow_their_size():
    assert (Go(width=5, height=1).columns, Go(width=5, height=1).rows) == (5, 1)
    assert (Go(width=5).columns, Go(width=5).rows) == (5, 9)
    assert Go().replace(size=13).max_moves() == 170
    with pytest.raises(arbora.BadInput, match="size takes a whole number from 1 to 19"):
        Go(size=20)
