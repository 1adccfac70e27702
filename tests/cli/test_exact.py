"""`arbora exploit` and `arbora export`: figures, files, and what is refused."""

import json

import pytest
from test_bad_input import HERE, refused

from arbora.cli.main import main
from arbora.exact import gambit_text, tree_of
from arbora.problems.kuhn_poker import KuhnPoker

GAMES = f"{HERE / 'exact' / 'unfit_games.py'}"
KEYS = {
    "game", "search", "playouts", "steps", "seed", "exploitability", "value", "best_responses", "information_sets",
    "positions", "seconds",
}  # fmt: skip


def exploit(capsys, *arguments: str) -> dict:
    assert main(["exploit", *arguments, "--json"]) == 0
    said = capsys.readouterr()
    assert said.out.count("\n") == 1
    return json.loads(said.out)


def test_exact_strategies(capsys):
    found = exploit(capsys, "uniform", "--game", "kuhn-poker")
    assert set(found) == KEYS
    assert found["exploitability"] == pytest.approx(0.458333, abs=1e-6)
    assert found["value"] == pytest.approx(0.125)
    assert sum(found["best_responses"]) / 2 == pytest.approx(found["exploitability"])
    assert (found["information_sets"], found["positions"]) == (12, 58)
    assert (found["playouts"], found["steps"]) == (None, None)
    assert exploit(capsys, "exact-pimc")["exploitability"] == pytest.approx(1 / 6)


def test_a_search_repeats_by_its_seed(capsys):
    first, again = (exploit(capsys, "is-mcts", "--playouts", "300", "--seed", "4") for _ in range(2))
    assert {**first, "seconds": 0} == {**again, "seconds": 0}
    assert (first["playouts"], first["steps"]) == (300, None)
    assert 0 < first["exploitability"] < 1
    assert exploit(capsys, "is-mcts", "--steps", "500")["steps"] == 500
    assert exploit(capsys, "is-mcts")["playouts"] == 1000


def test_people_get_lines(capsys):
    assert main(["exploit", "uniform", "--game", "leduc-poker"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert said[0] == "exploitability 2.3736: what a perfect opponent wins more than is even, over both seats"
    assert said[1] == "the best response wins +2.0875 in the first seat, +2.6597 in the second"
    assert said[2] == "the search against itself wins -0.0781 in the first seat"
    assert said[3] == "leduc-poker: 936 information sets in 9,457 positions"


def test_export(capsys, tmp_path):
    out = tmp_path / "kuhn.efg"
    out.write_text("what was there")
    assert main(["export", "kuhn-poker", "--out", str(out)]) == 0
    assert capsys.readouterr().out == f"{out}: 58 positions, 12 information sets\n"
    assert out.read_text() == gambit_text(tree_of(KuhnPoker(), compiled=False), "kuhn-poker")
    assert list(tmp_path.iterdir()) == [out]


def test_a_file_stays_if_its_game_is_too_large(capsys, tmp_path):
    out = tmp_path / "kuhn.efg"
    out.write_text("what was there")
    told = refused(capsys, "export", "kuhn-poker", "--out", str(out), "--positions", "20")
    assert told == "KuhnPoker is too large to be walked through: it has more than 20 positions"
    assert out.read_text() == "what was there"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["bogus"], "unknown search 'bogus'; known: "),
        (["uniform", "--game", "bogus"], "unknown problem 'bogus'; did you mean 'bus'? known: "),
        (["uniform", "--game", "samegame"], "SameGame is not a game: it has no players"),
        (["nrpa"], "NRPA does not play games"),
        (["uct"], "UCT would look at what KuhnPoker hides from its players"),
        (["uniform", "--playouts", "3"], "uniform is exact and takes no budget; leave out --playouts and --steps"),
        (["is-mcts", "--playouts", "3", "--steps", "3"], "--playouts and --steps are both given; give one of them"),
        (["is-mcts", "--playouts", "0"], "--playouts=0 is not allowed; --playouts takes a whole number from 1"),
        (["is-mcts", "--seed", "-1"], "--seed=-1 is not allowed"),
        (["uniform", "--positions", "0"], "--positions=0 is not allowed; --positions takes a whole number from 1 to"),
        (["uniform", "--positions", "57"], "KuhnPoker is too large to be walked through: it has more than 57 positions"),
        (["uniform", "--game", f"{GAMES}:Three"], "Three has 3 players; exploitability is for games of two"),
        (["uniform", "--game", f"{GAMES}:Friends"], "Friends: what one player wins is not what the other loses"),
        (["pimc", "--game", f"{GAMES}:Blind"], "Blind hides something from its players, but has no method seen"),
    ],
)
def test_what_exploit_refuses(capsys, arguments, told):
    assert told in refused(capsys, "exploit", *arguments)


@pytest.mark.parametrize(
    ("out", "told"),
    [
        ("kuhn.txt", "kuhn.txt: is not an extensive-form file; --out takes FILE.efg"),
        ("nowhere/kuhn.efg", "nowhere/kuhn.efg: no such folder nowhere"),
        ("folder.efg", "folder.efg: is a folder; --out takes a file"),
    ],
)
def test_what_export_refuses(capsys, tmp_path, monkeypatch, out, told):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder.efg").mkdir()
    assert refused(capsys, "export", "kuhn-poker", "--out", out) == told
