"""Contestants and single games: budgets in specs, seats and deals, and programs that play, cheat, resign and die."""

import sys
from pathlib import Path

import pytest

from arbora.errors import BadInput
from arbora.match.contestant import check_contestant, parse_contestant
from arbora.match.game import play_game, seat_and_deal
from arbora.match.record import as_sgf
from arbora.sgf import parse, render
from arbora.spec import parse_problem

FAKE = Path(__file__).parent / "fake_gtp.py"
GO = "go,size=5,komi=0.5"
DICE = f"{Path(__file__).parent / 'dice_game.py'}:HighestThrow"
RANDOM = parse_contestant("random")


def program(kind: str, log: Path | None = None):
    return parse_contestant(f"gtp:{sys.executable} {FAKE} {kind} {{seed}}" + (f" {log}" if log else ""))


def test_budgets_in_specs():
    given = parse_contestant("uct,exploration=0.5,playouts=3_000,threads=2", seconds=1.0)
    assert (given.search, given.seconds, given.playouts, given.threads) == ("uct,exploration=0.5", None, 3000, 2)
    default = parse_contestant("uct", seconds=1.0, playouts=50)
    assert (default.search, default.seconds, default.playouts, default.threads) == ("uct", 1.0, 50, 1)
    assert parse_contestant("gtp:gnugo --mode gtp,x --level 1").command == "gnugo --mode gtp,x --level 1"


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("uct,playouts=0", "uct,playouts=0: playouts='0' is not allowed; playouts takes a whole number of 1 or more"),
        ("uct,playouts=1.5", "playouts='1.5' is not allowed"),
        ("uct,seconds=-1", "seconds='-1' is not allowed; seconds takes a number above 0"),
        ("uct,threads=x", "threads='x' is not allowed"),
        ("gtp:", "'gtp:' names no program; write gtp:COMMAND"),
    ],
)
def test_bad_budgets(spec, told):
    with pytest.raises(BadInput, match=told):
        parse_contestant(spec)


def test_seats_alternate_on_the_same_deal():
    assert [seat_and_deal(number, 2) for number in range(1, 6)] == [(0, 0), (1, 0), (0, 1), (1, 1), (0, 2)]
    assert [seat_and_deal(number, 3) for number in range(1, 6)] == [(0, 0), (1, 0), (2, 0), (0, 1), (1, 1)]


def test_games_of_chance_are_played_from_both_seats_with_the_same_deal():
    played = [play_game(DICE, RANDOM, RANDOM, number) for number in range(1, 9)]
    throws = [tuple(game.moves) for game in played]
    assert throws[0::2] == throws[1::2]
    assert len(set(throws)) > 1
    for first, second in zip(played[0::2], played[1::2], strict=True):
        assert first.score == -second.score  # what one seat gets the other pays


def test_the_same_game_again_is_the_same_and_another_is_another():
    games = [play_game("tic-tac-toe", RANDOM, RANDOM, number).moves for number in (1, 1, 2, 3, 4, 5)]
    assert games[0] == games[1]
    assert len({tuple(moves) for moves in games}) == 5


def test_a_game_against_a_program(tmp_path):
    log = tmp_path / "log"
    played = play_game(GO, RANDOM, program("plays", log), 1)
    game = parse_problem(GO)
    said = log.read_text().splitlines()
    assert said[:3] == ["1 boardsize 5", "1 clear_board", "1 komi 0.5"]
    assert played.ended == "complete"
    assert [game.text(None, move).upper() for move in played.moves[1:4:2]] in (["C3", "B2"], ["B2", "D4"], ["C3", "D4"])
    assert said[3:5] == [f"1 play B {game.text(None, played.moves[0])}", "1 genmove W"]
    assert sum("play W" in line for line in said) == 0
    assert played.score in (0.0, 1.0)
    assert played.seconds[1] > 0
    assert len(played.choices) == len(played.moves)


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        ("resigns", "resigned"),
        ("crashes", "crashes {seed} ended with exit code 3: Segmentation fault"),
        ("cheats", ", which is not legal here"),
        ("babbles", "babbles {seed} answered 'hello', which is no move"),
    ],
)
@pytest.mark.parametrize("number", [1, 2])
def test_a_program_that_will_not_or_cannot_go_on_loses(kind, told, number):
    as_second = play_game(GO, RANDOM, program(kind), number)
    as_first = play_game(GO, program(kind), RANDOM, number)
    assert (as_second.score, as_first.score) == (1.0, 0.0)
    assert as_second.ended.endswith(told)
    assert as_first.ended.endswith(told)


@pytest.mark.parametrize(
    ("spec", "game", "told"),
    [
        ("uct", "samegame", "samegame is not a game: it has no players; `arbora solve` is for it"),
        ("nrpa", "tic-tac-toe", "NRPA does not play games"),
        ("gtp:cat", "tic-tac-toe", "gtp:cat: GTP programs play Go only, not TicTacToe"),
        ("gtp:cat", "go,width=5,height=3", "gtp:cat: GTP programs play on square boards only, not 5 by 3"),
        ("gtp:no-such-program --x", "go", "gtp:no-such-program --x: no program 'no-such-program' on this machine"),
        ("gtp:'cat", "go", "gtp:'cat: not a command: No closing quotation"),
        (
            f"gtp:{sys.executable} {FAKE} refuses 1",
            GO,
            "cannot be played with: answers 'boardsize 5' by 'unacceptable size'",
        ),
        (f"gtp:{sys.executable} {FAKE} hangs-up 1", GO, "cannot be played with: ended with exit code 1: no license"),
    ],
)
def test_contestants_that_cannot_play(spec, game, told):
    with pytest.raises(BadInput) as caught:
        check_contestant(parse_contestant(spec), game)
    assert told in str(caught.value)


def test_a_finished_game_as_sgf():
    played = play_game(GO, RANDOM, RANDOM, 1)
    game = parse_problem(GO)
    made = as_sgf(game, played.moves, ("one", "other"), played.score == 1.0, played.ended)
    again = parse(render(made))
    assert [step.move[1] for step in again.steps] == played.moves
    assert again.result[0] == ("B" if played.score == 1.0 else "W")
    assert float(again.result[2:]) % 1 == 0.5
    assert (again.black, again.white, again.komi) == ("one", "other", 0.5)
    assert as_sgf(game, [], ("", ""), True, "resigned").result == "B+R"
    assert as_sgf(game, [], ("", ""), False, "gtp:x was killed").result == "W+F"
