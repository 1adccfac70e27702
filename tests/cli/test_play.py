"""`arbora play` with a keyboard made of text."""

import io
import re
from pathlib import Path

import pytest

from arbora.cli.main import main

HERE = Path(__file__).resolve().parent.parent
NIM = f"{HERE.parent / 'examples' / 'python_game.py'}:Nim"


def play(capsys, monkeypatch, typed: str, *arguments: str) -> str:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert main(["play", *arguments]) == 0
    return capsys.readouterr().out


def test_a_whole_game(capsys, monkeypatch):
    everything = "1\n" + "".join(f"{cell}\n" for cell in "123456789" * 9)  # what is refused is followed by the next one
    said = play(capsys, monkeypatch, everything, "tic-tac-toe", "uct", "--playouts", "1000")
    assert said.splitlines()[-1] in ("the engine wins", "a draw")
    assert re.search(
        r"the engine plays [1-9]: \d+\.\d%( \(proved\))? in [\d,]+ play-outs and \d+\.\d s, expects [1-9]", said
    )
    assert "'1' is not a move here; legal: " in said
    assert said.startswith(" 1 2 3\n 4 5 6\n 7 8 9\n X to move\n")


def test_the_engine_may_begin_and_the_end_of_the_text_is_the_end(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "", "tic-tac-toe", "random", "--first", "engine")
    assert said.count("the engine plays") == 1
    assert said.endswith("your move> \n")


def test_words_at_the_keyboard(capsys, monkeypatch):
    typed = "help\nmoves\nundo\nd9\n\n5\nundo\n5\nQUIT\n"
    said = play(capsys, monkeypatch, typed, "tic-tac-toe", "random")
    lines = said.splitlines()
    assert any(line.startswith("a move, or: undo") for line in lines)
    assert "1 2 3 4 5 6 7 8 9" in lines
    assert "you have made no move yet" in lines
    assert "'d9' is not a move here; legal: 1 2 3 4 5 6 7 8 9, or help" in lines
    assert said.count(" 1 2 3\n 4 5 6\n 7 8 9\n X to move\n") == 2  # at the start, and after undo
    assert said.count("the engine plays") == 2


def test_a_hint_is_what_the_engine_would_do(capsys, monkeypatch):
    typed = "1\nhint\n"
    said = play(capsys, monkeypatch, typed, "tic-tac-toe", "uct", "--playouts", "500")
    hints = re.findall(r"^  ([1-9]): \d+\.\d%(?: \(proved\))?, [\d,]+ visits", said, re.MULTILINE)
    assert 1 <= len(hints) <= 5
    assert len(set(hints)) == len(hints)


def test_the_engine_against_itself(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "", "tic-tac-toe", "uct", "--both", "--playouts", "2000")
    assert said.splitlines()[-1] == "a draw"
    assert said.count("player 1 plays") == 5
    assert said.count("player 2 plays") == 4


def test_a_game_of_ones_own(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "1 FROM HEAP 1\nquit\n", NIM, "random")
    assert re.search(r"the engine plays \d from heap [234]\n", said)


def test_payoffs_are_told_where_nobody_wins_all(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "", f"{HERE / 'match' / 'dice_game.py'}:HighestThrow", "random")
    assert said.count("chance: ") == 6
    assert re.search(r"\n(payoffs: you -?\d+, the engine -?\d+|a draw)\n$", said)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("samegame",), "SameGame is not a game: it has no players"),
        (("chess",), "unknown problem 'chess'"),
        (("tic-tac-toe", "nrpa"), "NRPA does not play games"),
        (("tic-tac-toe", "random", "--first", "me"), "--first 'me' is not allowed; it takes human or engine"),
        (("tic-tac-toe", "uct", "--threads", "0"), "threads=0 is not allowed"),
        (("tic-tac-toe", "uct", "--seconds", "0"), "seconds=0.0 is not a budget; give a number above 0"),
    ],
)
def test_bad_input(capsys, arguments, told):
    assert main(["play", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith(f"arbora: {told}")
    assert said.err.count("\n") == 1


def test_solve_says_what_games_are_for(capsys):
    assert main(["solve", "tic-tac-toe"]) == 2
    told = "tic-tac-toe is a game, with players; `arbora play tic-tac-toe` and `arbora match` are for games"
    assert capsys.readouterr().err == f"arbora: {told}\n"


def test_what_is_hidden_from_a_seat_is_not_shown_there(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "call\n", "leduc-poker", "random", "--first", "engine", "--seed", "3")
    moved, view = said.splitlines()[:2]
    assert moved == "the engine has moved"
    assert re.fullmatch(r"player 1 has \? and paid [13], player 2 has [JQK][sh] and paid 1; (call|raise)", view)
    assert "chance" not in said
    assert "plays" not in said


def test_a_hint_in_a_game_that_hides_something_does_not_look(capsys, monkeypatch):
    """With the middle card there is no telling which it is."""
    searched = ("kuhn-poker", "is-mcts", "--first", "engine", "--playouts", "2000")
    for seed in range(1, 20):
        said = play(capsys, monkeypatch, "hint\n", *searched, "--seed", f"{seed}")
        if "player 2 has Q; pass" in said:
            worth = [float(share) for share in re.findall(r"^  \w+: (\d+\.\d)%", said, re.MULTILINE)]
            assert all(40 < share < 60 for share in worth)
            break
    else:
        pytest.fail("no such deal")


def test_against_itself_everything_is_shown(capsys, monkeypatch):
    said = play(capsys, monkeypatch, "", "kuhn-poker", "random", "--both")
    assert said.count("chance: ") == 2
    assert said.count("plays") >= 2
