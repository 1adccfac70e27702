"""`arbora lab` and `arbora tune` on the command line."""

import json
import sqlite3

import pytest

from arbora.cli.main import main

TEXT = """
title = "Sparing a colour"
source = "001, Table 1"
[grid]
problem = "samegame,seed=1-4,width=6,height=6"
search = { uniform = "random", tabu = "random,policy=tabu-color" }
playouts = 20
[report]
columns = "search"
plots = ["bars"]
[document]
columns = ["uniform", "tabu"]
score = [100, 200]
[[claim]]
text = "sparing helps"
order = ["tabu", "uniform"]
"""


@pytest.fixture
def mine(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "mine.toml").write_text(TEXT)
    return tmp_path


def called(capsys, *arguments: str, code: int = 0) -> str:
    assert main(list(arguments)) == code
    return capsys.readouterr().out


def refused(capsys, *arguments: str) -> str:
    """The one line with which a command refuses its input."""
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err.removeprefix("arbora: ").strip()


def test_an_experiment_from_run_to_export(mine, capsys):
    shown = called(capsys, "lab", "run", "mine.toml")
    assert "Sparing a colour" in shown
    assert "8 of 8 runs" in shown
    rows = json.loads(called(capsys, "lab", "status", "mine.toml", "--json"))
    assert rows == [{"name": "mine.toml", "scale": scale, "done": 8, "wanted": 8} for scale in ("quick", "paper")]
    report = json.loads(called(capsys, "lab", "report", "mine.toml", "--json"))
    assert report["title"] == "Sparing a colour"
    assert report["command"] == "arbora lab run mine.toml --scale quick"
    elsewhere = json.loads(called(capsys, "lab", "report", "mine.toml", "--json", "--db", "my runs.sqlite"))
    assert elsewhere["command"] == "arbora lab run mine.toml --scale quick --db 'my runs.sqlite'"
    assert "8 runs written to runs.csv" in called(capsys, "lab", "export", "runs.csv")
    called(capsys, "lab", "export", "runs.parquet", "--experiment", "mine.toml")
    assert (mine / "runs.csv").read_text().count("\n") == 9
    called(capsys, "lab", "report", "mine.toml", "--html", "page.html")
    page = (mine / "page.html").read_text()
    assert "<svg" in page
    assert "Sparing a colour" in page


def test_the_mean_in_the_report_is_that_of_the_stored_runs(mine, capsys):
    called(capsys, "lab", "run", "mine.toml", "--workers", "1", "--kind", "threads")
    with sqlite3.connect("lab.sqlite") as connection:
        query = "SELECT avg(score) FROM runs WHERE search = 'random'"
        (mean,) = connection.execute(query).fetchone()
    connection.close()
    text = json.dumps(json.loads(called(capsys, "lab", "report", "mine.toml", "--json")))
    assert f'"mean": {mean}' in text


def test_listing(capsys):
    names = [row["name"] for row in json.loads(called(capsys, "lab", "list", "--json"))]
    assert {"000/figure-1", "001/table-7", "002/table-3"} <= set(names)
    assert "002/table-6" in called(capsys, "lab", "list")


def test_a_new_experiment(mine, capsys):
    assert "arbora lab run other.toml" in called(capsys, "lab", "new", "other.toml")
    assert "exists already" in refused(capsys, "lab", "new", "other.toml")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("run", "002/tabel-3"), "unknown experiment '002/tabel-3'; did you mean '002/table-3'?"),
        (("run", "gone.toml"), "gone.toml: cannot read: No such file or directory"),
        (("run", "mine.toml", "--scale", "huge"), "unknown scale 'huge'; known: quick, paper"),
        (("run", "mine.toml", "--kind", "fibres"), "unknown kind of workers 'fibres'"),
        (("run", "mine.toml", "--workers", "-1"), "workers=-1 is not allowed"),
        (("run", "mine.toml", "--data", "nowhere"), "--data nowhere: no such folder"),
        (("run", "mine.toml", "--db", "nowhere/lab.sqlite"), "nowhere/lab.sqlite: no such folder nowhere"),
        (("run", "mine.toml", "--db", "."), ".: is a folder; a database of runs is a file"),
        (("export", "runs.xls"), "runs.xls: unknown format; a name ends in .csv or .parquet"),
        (("export", "runs.csv"), "lab.sqlite: no such file; `arbora lab run` makes one"),
        (("export", "nowhere/runs.csv"), "nowhere/runs.csv: no such folder nowhere"),
        (("rnu",), "No such command 'rnu'"),
    ],
)
def test_bad_input(mine, capsys, arguments, told):
    assert told in refused(capsys, "lab", *arguments)


def test_a_run_that_fails_is_told_and_the_others_are_kept(mine, capsys):
    (mine / "fussy.py").write_text(
        "class Fussy:\n"
        "    def __init__(self, number=1): self.number = number\n"
        "    def reset(self): self.left = 2\n"
        "    def moves(self): return [0] if self.left else []\n"
        "    def play(self, move):\n"
        "        self.left -= 1\n"
        "        if self.number == 2: raise RuntimeError('not this one')\n"
        "    def score(self): return self.number\n"
    )
    (mine / "fussy.toml").write_text(
        'title = "t"\n[grid]\nproblem = "fussy.py:Fussy,number=1-3"\nsearch = "random"\nplayouts = 2\n'
    )
    assert main(["lab", "run", "fussy.toml"]) == 2
    said = capsys.readouterr()
    assert "fussy.py:Fussy,number=2 with random, seed 1: RuntimeError: not this one" in said.err
    assert "1 runs failed; the same command tries them again" in said.err
    assert "2 of 3 runs" in said.out


TUNE = ("tune", "samegame,width=5,height=5", "mcts", "--playouts", "10", "--positions", "2", "--samples", "4",
        "--elite", "2", "--iterations", "2")  # fmt: skip


def test_tuning_finds_writes_and_repeats(mine, capsys):
    options = ("--param", "exploration=0.1:2:log", "--param", "policy=uniform|tabu-color", "--preset", "tuned.toml",
               "--plot", "tuned.svg", "--storage", "sqlite:///study.db")  # fmt: skip
    first = json.loads(called(capsys, *TUNE, *options, "--json"))
    assert 0.1 <= first["parameters"]["exploration"] <= 2
    assert len(first["iterations"]) == 2
    with sqlite3.connect("tune.sqlite") as connection:
        assert connection.execute("SELECT count(*) FROM runs").fetchone()[0] <= 2 * 4 * 2
    connection.close()
    assert json.loads(called(capsys, *TUNE, *options, "--json")) == first
    found = json.loads(called(capsys, "solve", "samegame,width=5,height=5", "mcts,preset=tuned.toml", "-n", "5", "--json"))
    assert found["playouts"] == 5
    assert (mine / "tuned.svg").read_text().lstrip().startswith("<?xml")
    assert "exploration" in called(capsys, *TUNE, *options)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (("--param", "exploratoin=0:1"), "did you mean 'exploration'?"),
        (("--param", "exploration=1:0"), "exploration"),
        (("--param", "exploration"), "exploration"),
        (("--param", "exploration=0:1", "--elite", "5"), "elite=5 is not allowed; elite takes a whole number from 1 to"),
        (("--param", "exploration=0:1", "--positions", "0"), "positions=0 is not allowed"),
        (("--param", "exploration=0:1", "--preset", "nowhere/p.toml"), "nowhere/p.toml: no such folder nowhere"),
    ],
)
def test_bad_tunings(mine, capsys, changes, told):
    assert told in refused(capsys, *TUNE, *changes)
