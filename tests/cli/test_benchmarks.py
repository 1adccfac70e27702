"""`arbora bench`: what it measures, and that ratios are those of the figures beside them."""

import json

import pytest

from arbora.cli.benchmarks import Bench
from arbora.cli.main import main

NAMES = ["uniform", "nrpa", "go-light", "connect-four", "story", "threads", "callback", "warm-start", "mcts-memory"]


def test_names():
    assert list(Bench(0.1, None, None).measurements()) == NAMES


@pytest.mark.parametrize(("name", "unit"), [("go-light", "play-outs/s"), ("connect-four", "simulations/s by UCT")])
def test_games_are_measured_beside_the_mean_of_two_references(capsys, monkeypatch, name, unit):
    references = iter([100.0, 300.0])
    monkeypatch.setattr(Bench, "reference", lambda self: ("the reference", next(references)))
    assert main(["bench", "--only", name, "--seconds", "0.1", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found) == [name]
    row = found[name]
    assert (row["unit"], row["reference"], row["reference_value"]) == (unit, "the reference", 200.0)
    assert row["ratio"] == row["value"] / 200.0 > 0


def test_unknown_measurement(capsys):
    assert main(["bench", "--only", "connect"]) == 2
    assert "unknown measurement 'connect'; did you mean 'connect-four'?" in capsys.readouterr().err
