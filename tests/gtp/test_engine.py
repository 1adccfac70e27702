"""The engine by transcripts: what a controller sends, and what it gets."""

from pathlib import Path

import pytest
from engines import Driver
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora import __version__, sgf
from arbora.gtp.commands import COMMANDS
from arbora.gtp.engine import LONGEST_LINE

TRANSCRIPTS = {
    "administration": [
        ("protocol_version", "= 2\n\n"),
        ("1 name", "=1 Arbora\n\n"),
        ("007 version", f"=007 {__version__}\n\n"),
        ("known_command genmove", "= true\n\n"),
        ("known_command genmoves", "= false\n\n"),
        ("known_command", "= false\n\n"),
        ("12 list_commands", "=12 " + "\n".join(sorted(COMMANDS)) + "\n\n"),
        ("make_coffee", "? unknown command\n\n"),
        ("99 make_coffee now", "?99 unknown command\n\n"),
        ("5", "?5 unknown command\n\n"),
        ("quit", "=\n\n"),
    ],
    "white space, comments and control characters": [
        ("", ""),
        ("   \t ", ""),
        ("# only a comment", ""),
        ("\t8\tname\t# a comment\r", "=8 Arbora\n\n"),
        ("na\x07me\x00", "= Arbora\n\n"),
        (b"\xff\xfe\xfa name", "? unknown command\n\n"),
    ],
    "a game": [
        ("boardsize 5", "=\n\n"),
        ("clear_board", "=\n\n"),
        ("komi 0.5", "=\n\n"),
        ("get_komi", "= 0.5\n\n"),
        ("play black c3", "=\n\n"),
        ("1 play w C4", "=1\n\n"),
        ("play B C3", "? illegal move\n\n"),
        ("play W pass", "=\n\n"),
        (
            "showboard",
            "= \n    A  B  C  D  E\n"
            " 5  .  .  .  .  .  5\n 4  .  .  O  .  .  4\n 3  .  .  X  .  .  3\n 2  .  .  .  .  .  2\n 1  .  .  .  .  .  1\n"
            "    A  B  C  D  E\nBlack to move, komi 0.5\n\n",
        ),
        ("final_score", "= W+0.5\n\n"),
        ("final_status_list alive", "= C3\nC4\n\n"),
        ("final_status_list dead", "=\n\n"),
        ("undo", "=\n\n"),
        ("undo", "=\n\n"),
        ("undo", "=\n\n"),
        ("undo", "? cannot undo\n\n"),
    ],
    "arguments": [
        ("boardsize", "? syntax error: a board size is missing\n\n"),
        ("boardsize nine", "? syntax error: 'nine' is no whole number, as a board size is\n\n"),
        ("boardsize 20", "? unacceptable size\n\n"),
        ("boardsize 1", "? unacceptable size\n\n"),
        (
            "boardsize 99999999999999999999",
            "? syntax error: '99999999999999999999' is no whole number, as a board size is\n\n",
        ),
        ("komi nan", "? syntax error: 'nan' is no number, as komi is\n\n"),
        ("komi 1e400", "? syntax error: '1e400' is no number, as komi is\n\n"),
        ("komi 1e9", "? unacceptable komi: allowed is -1000 to 1000\n\n"),
        ("play green A1", "? syntax error: 'green' is no colour; black and white are\n\n"),
        ("play b", "? syntax error: a vertex is missing\n\n"),
        ("play b I5", "? syntax error: 'I5' is no point of this board; points are A1 to J9, or pass\n\n"),
        ("play b A1 A2", "? syntax error: 'A2' is too much\n\n"),
        ("genmove", "? syntax error: a colour is missing\n\n"),
        ("final_status_list asleep", "? syntax error: the status is alive, seki or dead\n\n"),
        ("time_settings 60 -1 5", "? syntax error: byo-yomi time is 0 seconds or more\n\n"),
        ("time_left b ten 0", "? syntax error: 'ten' is no number, as time left is\n\n"),
        ("loadsgf", "? syntax error: a file is missing\n\n"),
        ("loadsgf no/such.sgf", "? cannot load file: no/such.sgf: no such file\n\n"),
        ("analyze b 10", "? this search has nothing to show\n\n"),
    ],
}


@pytest.mark.parametrize("name", TRANSCRIPTS)
def test_transcript(name):
    driver = Driver()
    assert [(line, driver.send(line)) for line, _ in TRANSCRIPTS[name]] == TRANSCRIPTS[name]


def test_quit_ends_the_engine():
    driver = Driver()
    driver.send("name")
    assert driver.engine.is_running
    driver.send("quit")
    assert not driver.engine.is_running


def test_lines_that_are_too_long_are_refused():
    driver = Driver()
    assert driver.send("3 name " + "x" * LONGEST_LINE) == "?3 syntax error: the line is longer than 65,536 bytes\n\n"
    assert driver.send("# " + "x" * LONGEST_LINE) == ""


def test_illegal_moves_change_nothing():
    driver = Driver(size=5)
    driver.send("play b a2", "play b b1")
    for line in ("play w a1", "play b a2", "play w b1"):  # suicide, and points that are taken
        assert driver.refuse(line) == "illegal move"
    driver.send("play w c1", "play w b2", "play w a1")  # no suicide any more: it captures
    assert driver.stones() == {"A2": "B", "C1": "W", "B2": "W", "A1": "W"}


def test_ko_and_superko():
    driver = Driver(size=5)
    for color, points in (("b", "b1 a2 b3"), ("w", "c1 d2 c3 b2")):
        driver.send(*(f"play {color} {point}" for point in points.split()))
    driver.send("play b c2")
    assert "B2" not in driver.stones()
    assert driver.refuse("play w b2") == "illegal move"
    driver.send("play w e5", "play b e4")
    assert driver.ask("play w b2") == ""


def test_a_colour_may_move_twice_and_undo_takes_one_move_back():
    driver = Driver()
    driver.send("play b d4", "play b e5", "play w c3", "play w c4")
    assert driver.stones() == {"D4": "B", "E5": "B", "C3": "W", "C4": "W"}
    seen = []
    for _ in range(4):
        driver.ask("undo")
        seen.append(driver.stones())
    assert seen == [{"D4": "B", "E5": "B", "C3": "W"}, {"D4": "B", "E5": "B"}, {"D4": "B"}, {}]
    assert driver.refuse("undo") == "cannot undo"


def test_passes_in_between_end_no_game():
    driver = Driver()
    driver.send("play b d4", "play b pass", "play b pass")
    driver.player.script = [("E5", 0.6)]
    assert driver.ask("genmove w") == "E5"


def test_a_game_goes_on_after_two_passes_if_asked_to():
    driver = Driver()
    driver.send("play b pass", "play w pass")
    driver.player.script = [("E5", 0.6)]
    assert driver.ask("genmove b") == "E5"
    assert driver.stones() == {"E5": "B"}


def test_reg_genmove_is_not_played():
    driver = Driver()
    driver.send("play b d4")
    before = driver.snapshot()
    driver.player.script = [("E5", 0.6)]
    assert driver.ask("reg_genmove b") == "E5"
    assert driver.snapshot() == before


def test_komi_keeps_the_position_and_the_board_its_player():
    driver = Driver()
    driver.send("play b d4", "komi 7.5", "clear_board", "boardsize 9")
    assert driver.players_made == 1
    driver.send("play b d4", "komi 6.5")
    assert (driver.players_made, driver.stones()) == (2, {"D4": "B"})
    driver.send("boardsize 7")
    assert (driver.players_made, driver.stones(), driver.ask("get_komi")) == (3, {}, "6.5")


def test_rectangular_boards():
    driver = Driver()
    driver.send("rectangular_boardsize 5 3")
    assert driver.ask("play b E3") == ""
    assert driver.refuse("play w A4").startswith("syntax error")


FIXED = {
    9: ("C3", "G7", "C7", "G3", "E5", "C5", "G5", "E3", "E7"),
    13: ("D4", "K10", "D10", "K4", "G7", "D7", "K7", "G4", "G10"),
    19: ("D4", "Q16", "D16", "Q4", "K10", "D10", "Q10", "K4", "K16"),
}
# Which of these, by number of stones
PLACES = {2: "01", 3: "012", 4: "0123", 5: "01234", 6: "012356", 7: "0123456", 8: "01235678", 9: "012345678"}


@pytest.mark.parametrize("size", FIXED)
@pytest.mark.parametrize("count", PLACES)
def test_fixed_handicap_as_specified(size, count):
    driver = Driver(size=size)
    wanted = {FIXED[size][int(place)] for place in PLACES[count]}
    assert set(driver.ask(f"fixed_handicap {count}").split()) == wanted
    assert driver.stones() == dict.fromkeys(wanted, "B")
    assert "White to move" in driver.ask("showboard")
    assert driver.refuse(f"fixed_handicap {count}") == "board not empty"
    assert driver.refuse("undo") == "cannot undo"
    driver.ask("play w e4")
    driver.ask("undo")
    assert driver.stones() == dict.fromkeys(wanted, "B")


@pytest.mark.parametrize(
    ("size", "count", "told"),
    [
        (9, 10, "invalid number of stones: allowed is from 2 to 9"),
        (9, 1, "invalid number of stones: allowed is from 2 to 9"),
        (8, 5, "invalid number of stones: allowed is from 2 to 4"),
        (7, 5, "invalid number of stones: allowed is from 2 to 4"),
        (5, 2, "invalid number of stones: allowed is none on a board of this size"),
    ],
)
def test_handicaps_that_there_are_not(size, count, told):
    assert Driver(size=size).refuse(f"fixed_handicap {count}") == told


def test_free_handicap():
    driver = Driver()
    assert len(driver.ask("place_free_handicap 12").split()) == 9
    driver.send("clear_board")
    assert driver.ask("set_free_handicap A1 B2 C3") == ""
    assert driver.stones() == {"A1": "B", "B2": "B", "C3": "B"}
    driver.send("clear_board")
    for points in ("A1", "A1 A1", "A1 pass", ""):
        assert driver.refuse(f"set_free_handicap {points}") == "bad vertex list: two or more different points are needed"


def load(driver: Driver, folder: Path, text: str, rest: str = "") -> str:
    (folder / "a game.sgf").write_text(text)
    return driver.send(f"loadsgf {folder / 'a game.sgf'}{rest}")


def test_loading_a_game(tmp_path):
    driver = Driver()
    game = "(;SZ[5]KM[3.5];B[cc];W[dd];B[tt];W[ee])"
    assert load(driver, tmp_path, game) == "=\n\n"
    assert driver.stones() == {"C3": "B", "D2": "W", "E1": "W"}
    assert driver.ask("get_komi") == "3.5"
    driver.ask("undo")
    assert driver.stones() == {"C3": "B", "D2": "W"}
    load(driver, tmp_path, game, " 2")
    assert driver.stones() == {"C3": "B"}
    load(driver, tmp_path, game, " 1")
    assert driver.stones() == {}


def test_loading_a_position(tmp_path):
    driver = Driver()
    load(driver, tmp_path, "(;SZ[5]AB[aa][bb][cc]AW[ee]PL[W])")
    assert driver.stones() == {"A5": "B", "B4": "B", "C3": "B", "E1": "W"}
    assert "White to move" in driver.ask("showboard")
    load(driver, tmp_path, "(;SZ[5]AB[aa];W[bb];B[cc];AE[aa]AW[cc]PL[B])")
    assert driver.stones() == {"B4": "W", "C3": "W"}
    assert "Black to move" in driver.ask("showboard")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("(;SZ[25])", "unacceptable size"),
        ("(;SZ[9];B[aa];W[aa])", "cannot load file: move 2, A9, is illegal"),
        ("(;SZ[9]AB[ab][ba]AW[aa])", "cannot load file: stones without liberties are set up"),
        ("(;SZ[9]KM[5000])", "unacceptable komi"),
    ],
)
def test_games_that_cannot_be_loaded_change_nothing(tmp_path, text, told):
    driver = Driver()
    driver.send("play b d4")
    before = driver.snapshot()
    assert load(driver, tmp_path, text) == f"? {told}\n\n"
    assert driver.snapshot() == before


def test_what_is_wrong_in_a_file_is_told(tmp_path):
    answer = load(Driver(), tmp_path, "(;B[zz])")
    assert answer.endswith("a game.sgf, line 1, column 5: [zz] is no point of a board of 19\\xd719\n\n")


@given(st.lists(st.integers(0, 25), max_size=40), st.integers(0, 40))
@settings(max_examples=30, deadline=None)
def test_undo_restores(moves, count):
    """After any game, taking moves back gives the positions of the game without them."""
    driver = Driver(size=5)
    positions = [driver.stones()]
    for number, move in enumerate(moves):
        name = driver.player.text(move)
        if driver.send(f"play {'bw'[number % 3 % 2]} {name}") == "=\n\n":
            positions.append(driver.stones())
    for _ in range(min(count, len(positions) - 1)):
        positions.pop()
        driver.ask("undo")
    assert driver.stones() == positions[-1]


def test_a_record_of_a_game_can_be_loaded(tmp_path):
    driver = Driver(size=5)
    for number in range(20):
        driver.ask(f"genmove {'bw'[number % 2]}")
    steps = sgf.steps_of([turn.move for turn in driver.engine.table.turns])
    other = Driver()
    assert load(other, tmp_path, sgf.render(sgf.Game(width=5, height=5, steps=steps))) == "=\n\n"
    assert other.stones() == driver.stones()
