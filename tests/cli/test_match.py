"""`arbora match`: results, resuming, programs, and what is refused."""

import json
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbora.batch import store
from arbora.cli.main import main

HERE = Path(__file__).resolve().parent.parent
FAKE = HERE / "match" / "fake_gtp.py"
DICE = f"{HERE / 'match' / 'dice_game.py'}:HighestThrow"
GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")
KEYS = {
    "first", "second", "game", "games", "wanted", "wins", "draws", "losses", "score", "interval", "payoff",
    "payoff_interval", "elo", "elo_interval", "seats", "distinct", "length", "playouts", "seconds", "rate", "faults",
}  # fmt: skip


@pytest.fixture(autouse=True)
def elsewhere(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)


def match(capsys, *arguments: str) -> dict:
    assert main(["match", *arguments, "--workers", "1", "--json"]) == 0
    said = capsys.readouterr().out
    assert said.count("\n") == 1
    return json.loads(said)


def records(database="match.sqlite"):
    with store.reading(Path(database)) as kept:
        return [] if kept is None else list(kept.all())


def test_uct_does_not_lose_tic_tac_toe_against_random(capsys):
    found = match(capsys, "uct,playouts=1000", "random", "--game", "tic-tac-toe", "--games", "20")
    assert set(found) == KEYS
    assert found["losses"] == 0
    assert found["wins"] + found["draws"] == found["games"] == found["wanted"] == 20
    assert found["score"] == (found["wins"] + found["draws"] / 2) / 20
    assert [seat["games"] for seat in found["seats"]] == [10, 10]
    assert found["interval"][0] < found["score"] < found["interval"][1] or found["score"] == 1.0
    assert found["distinct"] > 10
    assert 5 <= found["length"] <= 9
    assert found["playouts"][0] > 0
    assert (found["playouts"][1], found["rate"][1]) == (0, None)


def test_no_game_is_played_twice(capsys):
    match(capsys, "random", "random", "--game", "tic-tac-toe", "--games", "6")
    before = {record.identity: record for record in records()}
    assert len(before) == 6
    found = match(capsys, "random", "random", "--game", "tic-tac-toe", "--games", "12")
    assert found["games"] == 12
    after = {record.identity: record for record in records()}
    assert len(after) == 12
    assert {key: after[key] for key in before} == before
    assert sorted(record.seed for record in after.values()) == list(range(1, 13))


def test_another_budget_is_another_match(capsys):
    match(capsys, "uct", "random", "--playouts", "10", "--game", "tic-tac-toe", "--games", "2")
    match(capsys, "uct,playouts=10", "random", "--playouts", "99", "--game", "tic-tac-toe", "--games", "2")
    assert len(records()) == 2
    match(capsys, "uct,playouts=11", "random", "--game", "tic-tac-toe", "--games", "2")
    assert len(records()) == 4


def test_the_result_for_people(capsys):
    assert main(["match", "random", "random", "--game", "tic-tac-toe", "--games", "4", "--workers", "1"]) == 0
    said = capsys.readouterr().out
    assert said.startswith("random against random, tic-tac-toe\nwon ")
    assert " of 4 games\nscore " in said
    assert "; Elo " in said
    assert "  in seat 2: won " in said
    assert "4 distinct games of " in said


def test_payoffs_that_are_not_wins(capsys):
    found = match(capsys, "random", "random", "--game", DICE, "--games", "10")
    assert found["payoff"] == 0.0  # every deal from both seats
    assert found["distinct"] == 5
    assert found["seats"][0]["payoff"] == -found["seats"][1]["payoff"] != 0
    assert main(["match", "random", "random", "--game", DICE, "--games", "10", "--workers", "1"]) == 0
    assert "\npayoff +0.000 (+0.000 to +0.000)\n" in capsys.readouterr().out


def test_a_match_against_a_program(capsys):
    spec = f"gtp:{sys.executable} {FAKE} plays {{seed}}"
    found = match(capsys, "random", spec, "--game", "go,size=5", "--games", "2", "--sgf", "games")
    assert (found["games"], found["faults"]) == (2, [])
    assert sorted(path.name for path in Path("games").iterdir()) == ["0001.sgf", "0002.sgf"]
    assert f"PB[{spec}]PW[random]" in Path("games/0002.sgf").read_text()


def test_faults_of_a_program_are_told_in_a_line(capsys):
    spec = f"gtp:{sys.executable} {FAKE} crashes {{seed}}"
    assert main(["match", spec, "random", "--game", "go,size=5", "--games", "2", "--workers", "1", "--json"]) == 0
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert (found["losses"], len(found["faults"])) == (2, 2)
    assert [line.partition(": gtp")[0] for line in said.err.splitlines()] == ["arbora: game 1", "arbora: game 2"]
    assert said.err.count("ended with exit code 3: Segmentation fault") == 2


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("uct", "random", "--game", "tic-tak-toe"), "unknown problem 'tic-tak-toe'; did you mean 'tic-tac-toe'?"),
        (("uct", "random", "--game", "samegame"), "samegame is not a game: it has no players; `arbora solve` is for it"),
        (("nrpa", "random", "--game", "tic-tac-toe"), "NRPA does not play games"),
        (("uct", "utc", "--game", "tic-tac-toe"), "unknown search 'utc'; did you mean 'uct'?"),
        (("uct", "gtp:cat", "--game", "tic-tac-toe"), "gtp:cat: GTP programs play Go only, not TicTacToe"),
        (("uct", "gtp:no-such-program"), "gtp:no-such-program: no program 'no-such-program' on this machine"),
        (("uct", "random", "--game", "tic-tac-toe", "--games", "0"), "games=0 is not allowed; a match has 1 or more"),
        (("uct", "random", "--game", "tic-tac-toe", "--workers", "-1"), "workers=-1 is not allowed"),
        (("random", "random", "--game", "tic-tac-toe", "--sgf", "x"), "tic-tac-toe: SGF is for games of Go"),
        (("uct", "random", "--game", "tic-tac-toe", "--playouts", "0"), "playouts=0 is not allowed"),
    ],
)
def test_bad_input(capsys, arguments, told):
    assert main(["match", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("arbora: ")
    assert told in said.err
    assert said.err.count("\n") == 1
    assert not records()


def test_ctrl_c_shows_the_result_so_far_and_the_command_goes_on(capsys):
    arguments = ["match", "uct,seconds=0.05", "random", "--game", "tic-tac-toe", "--games", "2000", "--workers", "1"]
    process = subprocess.Popen([sys.executable, "-m", "arbora", *arguments], stdout=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 120
    while len(records()) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    said, _ = process.communicate(timeout=60)
    done = len(records())
    assert process.returncode == 130
    assert 2 <= done < 2000
    assert f" of {done} games (2000 wanted)" in said
    match(capsys, "uct,seconds=0.05", "random", "--game", "tic-tac-toe", "--games", str(done + 1))
    assert len(records()) == done + 1


def test_gnugo(capsys):
    if GNUGO is None:
        pytest.skip("gnugo is neither on PATH nor in /usr/games")
    program = f"gtp:{GNUGO} --mode gtp --chinese-rules --capture-all-dead --level 0 --seed {{seed}}"
    found = match(capsys, "random", program, "--game", "go,size=7", "--games", "1", "--sgf", "games")
    assert (found["games"], found["faults"], found["losses"]) == (1, [], 1)
    assert "RE[W+" in Path("games/0001.sgf").read_text()
