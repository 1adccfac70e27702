"""Experiments run from start to end: nothing is lost, nothing is run twice, nothing is wrong."""

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arbora.batch import store
from arbora.lab import loading, session
from arbora.lab.export import all_runs, runs_of, write

TEXT = """
title = "t"
[grid]
problem = "samegame,seed=1-{boards},width=6,height=6"
search = {{ uniform = "random", tabu = "random,policy=tabu-color" }}
playouts = {playouts}
[report]
columns = "search"
[[compare]]
first = "tabu"
second = "uniform"
"""


@pytest.fixture
def small(tmp_path):
    path = tmp_path / "small.toml"
    path.write_text(TEXT.format(boards=4, playouts=20))
    return loading.load(str(path))


def test_a_second_run_has_nothing_to_do_and_a_larger_one_only_what_is_new(small, tmp_path):
    database = tmp_path / "lab.sqlite"
    assert session.stored(small, database).done == 0
    first = session.run(small, database, 2)
    assert (first.known, first.new, list(first.failures)) == (0, 8, [])
    again = session.run(small, database, 1, "threads")
    assert (again.known, again.new) == (8, 0)
    small.path.write_text(TEXT.format(boards=5, playouts=20))
    more = session.run(loading.load(str(small.path)), database, 2)
    assert (more.known, more.new) == (8, 2)


def test_what_is_gathered_is_what_was_run(small, tmp_path):
    database = tmp_path / "lab.sqlite"
    session.run(small, database, 2)
    results = session.gather(small, database, "the command")
    assert (results.columns, results.rows, results.done, results.wanted, results.older) == (
        ["uniform", "tabu"], [""], 8, 8, 0,
    )  # fmt: skip
    assert {(each.column, each.instance) for each in results.observations} == {
        (column, str(number)) for column in ("uniform", "tabu") for number in range(1, 5)
    }
    with store.reading(database) as kept:
        scores = {(record.problem, record.search): record.score for record in kept.all()}
    for each in results.observations:
        search = "random" if each.column == "uniform" else "random,policy=tabu-color"
        assert each.values["score"] == scores[f"samegame,seed={each.instance},width=6,height=6", search]


def test_runs_by_earlier_code_serve_until_there_are_new_ones(small, tmp_path):
    database = tmp_path / "lab.sqlite"
    session.run(small, database, 2)
    with sqlite3.connect(database) as connection:
        connection.execute("UPDATE runs SET code = 'earlier'")
    connection.close()
    assert session.gather(small, database).older == 8
    assert session.run(small, database, 2).new == 8
    assert session.gather(small, database).older == 0
    with store.reading(database) as kept:
        assert len(list(kept.all())) == 16


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_exported_runs_come_back(small, tmp_path, suffix):
    database, path = tmp_path / "lab.sqlite", tmp_path / f"runs{suffix}"
    session.run(small, database, 2)
    with store.reading(database) as kept:
        assert write(path, all_runs(kept)) == 8
    assert [name for name in os.listdir(tmp_path) if name.endswith(".tmp")] == []
    rows = runs_of(session.stored(small, database))
    assert {row["column"] for row in rows} == {"uniform", "tabu"}
    write(path, rows)
    if suffix == ".csv":
        import csv

        with path.open(newline="") as file:
            read = list(csv.DictReader(file))
        assert [float(row["score"]) for row in read] == [row["score"] for row in rows]
    else:
        parquet = pytest.importorskip("pyarrow.parquet")
        table = parquet.read_table(path)
        assert table.to_pylist() == rows
        kinds = {name: str(table.schema.field(name).type) for name in ("seed", "budget_seconds", "budget_playouts", "moves")}
        assert kinds == {"seed": "int64", "budget_seconds": "double", "budget_playouts": "int64", "moves": "string"}


def running(path: Path, database: Path) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-m", "arbora", "lab", "run", str(path), "--db", str(database), "--workers", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, start_new_session=True)


def children(process: int) -> list[int]:
    found = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True).stdout
    return [int(line) for line in found.split()]


def test_kills_lose_nothing_and_break_nothing():
    """Four kills here; `python benchmarks/lab_kills.py` has twenty, of a run of 200 cells."""
    script = Path(__file__).parents[2] / "benchmarks" / "lab_kills.py"
    ended = subprocess.run([sys.executable, script, "--kills", "4", "--cells", "60"], capture_output=True, text=True)
    assert "60 runs of 60, 0 twice, 0 wrong, database sound" in ended.stdout, ended.stderr
    assert ended.returncode == 0


def test_workers_do_not_outlive_the_program(tmp_path):
    path = tmp_path / "long.toml"
    path.write_text(TEXT.format(boards=2, playouts=2_000_000_000))
    process = running(path, tmp_path / "lab.sqlite")
    deadline = time.monotonic() + 120
    while not (workers := children(process.pid)) or len(workers) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.1)
    process.kill()
    process.wait()
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.1)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_run_says_how_to_go_on(tmp_path, number):
    path, database = tmp_path / "long.toml", tmp_path / "lab.sqlite"
    path.write_text(TEXT.format(boards=50, playouts=2_000_000))
    process = running(path, database)
    while not database.exists():
        time.sleep(0.05)
    time.sleep(2.0)
    os.killpg(process.pid, number) if number == signal.SIGINT else process.send_signal(number)
    _, said = process.communicate(timeout=120)
    assert process.returncode == 130
    assert b"of 100 runs are stored in" in said
    assert b"the same command goes on from there" in said
    assert b"Traceback" not in said
