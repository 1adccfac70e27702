"""Games of OpenSpiel by spec: what is understood, and what is refused in one clear line."""

import sys
from pathlib import Path

import pytest

import arbora
from arbora.adapters import openspiel
from arbora.batch.job import Job
from arbora.cli.main import main
from arbora.errors import BadInput
from arbora.spec import parse_problem

HERE = Path(__file__).resolve().parent
FILE = HERE / "spiel_resamplers.py"
GIVE = "give resample=FILE.py:FUNCTION, a function (state, player, rng) that returns such a state"


def test_what_is_said_without_openspiel(monkeypatch, capsys):
    monkeypatch.setattr(openspiel, "find_spec", lambda name: None)
    assert main(["play", "openspiel:hearts"]) == 2
    told = "games of OpenSpiel need the package open_spiel; pip install 'arbora[adapters]' brings it"
    assert capsys.readouterr().err == f"arbora: {told}\n"


def test_an_openspiel_that_cannot_be_imported_is_told(monkeypatch, capsys):
    def fail(name):
        raise ImportError("libspiel.so: cannot open shared object file\nNo such file")

    monkeypatch.setattr(openspiel, "find_spec", lambda name: True)
    monkeypatch.setattr(openspiel, "import_module", fail)
    assert main(["play", "openspiel:hearts"]) == 2
    told = "the package open_spiel cannot be used: libspiel.so: cannot open shared object file"
    assert capsys.readouterr().err == f"arbora: {told}\n"


def test_no_name_is_told_with_or_without_openspiel(monkeypatch):
    monkeypatch.setitem(sys.modules, "pyspiel", None)
    for spec in ("openspiel", "openspiel:"):
        with pytest.raises(BadInput, match="openspiel names no game; write one behind a colon, as in openspiel:hearts"):
            parse_problem(spec)


@pytest.mark.parametrize(
    ("spec", "name", "players"),
    [
        ("openspiel:hearts", "hearts", 4),
        ("openspiel:go(board_size=9)", "go", 2),
        ("openspiel:bridge(use_double_dummy_result=false)", "bridge", 4),
        ("openspiel:kuhn_poker(players=3)", "kuhn_poker", 3),
        ("openspiel:mnk(m=4,n=3,k=3)", "mnk", 2),
        (f"openspiel:phantom_ttt(obstype=reveal-numturns),resample={FILE}:guess", "phantom_ttt", 2),
    ],
)
def test_games_by_spec(spec, name, players):
    pytest.importorskip("pyspiel")
    game = parse_problem(spec)
    assert (game.game.get_type().short_name, game.players) == (name, players)
    assert hasattr(game, "determinize") is (name not in ("go", "mnk"))


def test_parameters_reach_the_game():
    pytest.importorskip("pyspiel")
    given = parse_problem("openspiel:go(board_size=9,komi=5.5)").game.get_parameters()
    assert (given["board_size"], given["komi"]) == (9, 5.5)
    assert len(arbora.OpenSpiel("mnk(m=4,n=3,k=3)").moves()) == 12


@pytest.mark.parametrize(
    ("game", "told"),
    [
        ("hearst", "unknown game 'hearst'; did you mean 'hearts'?"),
        ("tic-tac-toe", "unknown game 'tic-tac-toe'; did you mean 'tic_tac_toe'?"),
        ("Hearts", "unknown game 'Hearts'; did you mean 'hearts'?"),
        ("zzzzzz", "unknown game 'zzzzzz'; pyspiel.registered_names() gives all their names"),
        ("go(bord_size=9)", "OpenSpiel cannot load it: Unknown parameter 'bord_size'"),
        ("go(board_size=99)", "OpenSpiel cannot load it: The current Go implementation supports board size up to 19"),
        ("go(board_size=x)", "OpenSpiel cannot load it: Wrong type for parameter board_size"),
        ("go(board_size=9", "OpenSpiel cannot load it: Missing closing bracket"),
        ("misere", "OpenSpiel cannot load it: Missing parameter game"),
        ("mfg_garnet", "a game of a mean field has no players who move in turn; it cannot be played here"),
        ("tarok", "OpenSpiel does not say there what chance has done"),
        ("crossword", "LegalActions unimplemented"),
        ("phantom_ttt", f"OpenSpiel cannot say what a player may hold possible there; {GIVE}"),
        ("colored_trails", GIVE),  # what OpenSpiel draws there is always the real position
        ("universal_poker(numPlayers=3,blind=1 1 1,stack=9 9 9)", GIVE),  # OpenSpiel would crash
        ("goofspiel(imp_info=true)", GIVE),
        ("phantom_ttt,resample=guess", "resample='guess' is not allowed; resample takes FILE.py:FUNCTION"),
        ("phantom_ttt,resample=x.py:", "resample='x.py:' is not allowed; resample takes FILE.py:FUNCTION"),
        ("phantom_ttt,resample=nowhere.py:guess", "nowhere.py: no such file"),
        (f"phantom_ttt,resample={FILE}:guesses", "no function 'guesses'"),
        (f"phantom_ttt,resample={FILE}:no_function", "no function 'no_function'"),
    ],
)
def test_what_is_refused(game, told, capsys, tmp_path, monkeypatch):
    pytest.importorskip("pyspiel")
    monkeypatch.chdir(tmp_path)
    assert main(["match", "random", "random", "--game", f"openspiel:{game}", "--games", "2"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("arbora: ")
    assert told in said.err
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    ("function", "told"),
    [
        ("nothing", "nothing must return a state of phantom_ttt(), not None"),
        ("start", "start has returned a state in which player 1 would have seen something else"),
    ],
)
def test_a_resampler_that_returns_something_wrong_is_named(function, told, capsys):
    pytest.importorskip("pyspiel")
    spec = f"openspiel:phantom_ttt,resample={FILE}:{function}"
    assert main(["play", spec, "is-mcts", "--both", "--playouts", "20"]) == 2
    said = capsys.readouterr().err.splitlines()[-1]
    assert said.startswith(f"arbora: {FILE}:")
    assert said.endswith(told)


def test_a_resampler_that_raises_is_shown(capsys):
    pytest.importorskip("pyspiel")
    spec = f"openspiel:phantom_ttt,resample={FILE}:breaks"
    assert main(["play", spec, "is-mcts", "--both", "--playouts", "20"]) == 2
    said = capsys.readouterr().err
    assert "in breaks" in said
    assert said.endswith("arbora: RuntimeError: no cards left\n")


def test_what_makes_a_run_the_same_run(tmp_path, monkeypatch):
    pytest.importorskip("pyspiel")

    def jobs(name):
        (tmp_path / name).write_text(text)
        spec = f"openspiel:phantom_ttt,resample={tmp_path / name}:guess"
        return Job(spec, "is-mcts", 1, playouts=5, against="random")

    text = FILE.read_text()
    before = jobs("one.py")
    assert jobs("one.py").identity == before.identity
    kept = parse_problem(before.problem).identity
    text += "# another\n"
    jobs("one.py")
    assert parse_problem(before.problem).identity != kept
    assert parse_problem("openspiel:hearts").identity.startswith("OpenSpiel 2")
    monkeypatch.setattr(openspiel, "version", lambda package: "99")
    assert parse_problem("openspiel:hearts").identity == "OpenSpiel 99\nhearts"
