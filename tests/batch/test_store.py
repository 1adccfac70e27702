"""The store: what was added is there, once, for any reader; every trouble is one clear line."""

import os
import sqlite3
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbora.batch import store
from arbora.batch.job import Record
from arbora.errors import BadInput

RECORD = Record(
    identity="a",
    code="c1",
    problem="samegame",
    search="random",
    seed=1,
    threads=1,
    budget_seconds=None,
    budget_playouts=10,
    score=12.5,
    moves=[3, 1, 2],
    length=3,
    branching=2.5,
    playouts=10,
    seconds=0.25,
    nodes=7,
    depth=1.5,
    deepest=3,
    stopped="budget",
    trace=[[0.1, 2, 7.0], [0.2, 5, 12.5]],
    parameters="Random()",
    version="0",
    machine="m",
    started="2026-01-01T00:00:00.000+00:00",
    finished="2026-01-01T00:00:01.000+00:00",
)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "runs.sqlite"


def kept(path):
    with store.reading(path) as found:
        return [] if found is None else list(found.all())


def test_what_is_added_comes_back(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
        opened.add(replace(RECORD, identity="b", score=None, budget_seconds=0.5, budget_playouts=None, moves=[]))
    assert kept(path)[0] == RECORD
    assert kept(path)[1].score is None


@settings(max_examples=20, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    moves=st.lists(st.integers(0, 2**31 - 1), max_size=30),
    score=st.floats(allow_nan=False, allow_infinity=False),
    text=st.text(max_size=20).filter(lambda text: "\x00" not in text and text.isprintable()),
)
def test_any_record_comes_back(tmp_path_factory, moves, score, text):
    path = tmp_path_factory.mktemp("store") / "runs.sqlite"
    record = replace(RECORD, moves=moves, score=score, problem=text, trace=[[0.5, 1, score]])
    with store.writing(path) as opened:
        opened.add(record)
    assert kept(path) == [record]


def test_a_run_is_kept_once(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
        opened.add(replace(RECORD, score=99.0))
        assert opened.done([("a", "c1"), ("a", "c2"), ("b", "c1")]) == {("a", "c1")}
    assert [record.score for record in kept(path)] == [12.5]


def test_the_run_of_the_right_code_is_found_else_the_latest(path):
    older = replace(RECORD, code="c0", score=1.0, finished="2026-01-03T00:00:00.000+00:00")
    with store.writing(path) as opened:
        for record in (older, RECORD, replace(RECORD, code="c2", score=2.0, finished="2026-01-02T00:00:00.000+00:00")):
            opened.add(record)
        assert opened.find(["a"], {"a": "c1"})["a"].score == 12.5
        assert opened.find(["a"], {"a": "c9"})["a"].score == 1.0
        assert opened.find(["b"], {"b": "c1"}) == {}


def test_many_runs_are_found(path):
    with store.writing(path) as opened:
        for i in range(1_203):
            opened.add(replace(RECORD, identity=f"{i}"))
        wanted = [f"{i}" for i in range(0, 1_300)]
        assert len(opened.find(wanted, dict.fromkeys(wanted, "c1"))) == 1_203


def test_no_file_is_no_runs(path):
    assert kept(path) == []
    assert not path.exists()


@pytest.mark.parametrize("begun", ["", "PRAGMA journal_mode = WAL"])
def test_a_database_whose_writer_died_at_its_start_is_no_runs(path, begun):
    path.touch()
    with sqlite3.connect(path) as connection:
        connection.execute(begun)
    connection.close()
    assert kept(path) == []
    with store.writing(path) as opened:
        opened.add(RECORD)
    assert kept(path) == [RECORD]


def test_a_log_that_cannot_be_opened_is_read_in_a_copy(path, tmp_path):
    with store.writing(path) as opened:
        opened.add(RECORD)
        opened.add(replace(RECORD, identity="b"))
        left = tmp_path / "left"
        left.mkdir()
        for suffix in ("", "-wal"):
            (left / f"runs.sqlite{suffix}").write_bytes((tmp_path / f"runs.sqlite{suffix}").read_bytes())
    (left / "runs.sqlite-shm").mkdir()  # in the way of the index that SQLite wants to make
    assert {record.identity for record in kept(left / "runs.sqlite")} == {"a", "b"}
    assert sorted(os.listdir(left)) == ["runs.sqlite", "runs.sqlite-shm", "runs.sqlite-wal"]


def test_one_can_read_while_another_writes(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
        assert kept(path) == [RECORD]


def test_a_second_writer_is_turned_away_with_the_number_of_the_first(path):
    code = f"from arbora.batch import store; from pathlib import Path\nwith store.writing(Path({str(path)!r})): pass"
    with store.writing(path) as opened:
        opened.add(RECORD)
        second = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
        assert second.returncode != 0
        assert f"another process is writing it (number {os.getpid()}); wait for it, or give another file" in second.stderr
    assert kept(path) == [RECORD]
    assert subprocess.run([sys.executable, "-c", code], capture_output=True).returncode == 0


def test_a_database_of_a_newer_version(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
    with sqlite3.connect(path) as connection:
        connection.execute(f"PRAGMA user_version = {store.SCHEMA + 1}")
    connection.close()
    for opening in (store.reading, store.writing):
        with (
            pytest.raises(BadInput, match=r"written by a newer version of Arbora \(format 3; this one knows 2"),
            opening(path),
        ):
            pass


def test_a_database_of_an_older_version_is_read_and_brought_up_to_date(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
    with sqlite3.connect(path) as connection:
        for column in ("against", "against_playouts", "against_seconds"):
            connection.execute(f"ALTER TABLE runs DROP COLUMN {column}")
        connection.execute("PRAGMA user_version = 1")
    connection.close()
    assert kept(path) == [RECORD]
    game = replace(RECORD, identity="b", against="uct", against_playouts=7, against_seconds=0.5)
    with store.writing(path) as opened:
        assert opened.done([("a", "c1")]) == {("a", "c1")}
        opened.add(game)
    assert kept(path) == [RECORD, game]
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA user_version").fetchone() == (store.SCHEMA,)
    connection.close()


def test_a_database_of_another_program(path):
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE birds (name TEXT)")
    connection.close()
    for opening in (store.reading, store.writing):
        with pytest.raises(BadInput, match="is a database, but not of runs of Arbora"), opening(path):
            pass


def test_a_file_that_is_no_database(path):
    path.write_text("these are not the bytes you are looking for " * 50)
    for opening in (store.reading, store.writing):
        with pytest.raises(BadInput, match="file is not a database"), opening(path):
            pass
    assert path.read_text().startswith("these are")


def test_a_folder_and_a_missing_folder(tmp_path):
    with pytest.raises(BadInput, match="is a folder"), store.writing(tmp_path):
        pass
    with pytest.raises(BadInput, match="no such folder"), store.writing(tmp_path / "none" / "runs.sqlite"):
        pass


def test_a_folder_that_cannot_be_written(tmp_path):
    folder = tmp_path / "fixed"
    folder.mkdir()
    folder.chmod(0o500)
    path = folder / "runs.sqlite" if os.geteuid() != 0 else store.Path("/proc/runs.sqlite")  # nobody writes there
    with pytest.raises(BadInput, match="cannot be written here: "), store.writing(path):
        pass
    folder.chmod(0o700)


def test_a_lock_that_cannot_be_written(path):
    path.with_name("runs.sqlite.lock").symlink_to("/dev/full")
    with pytest.raises(BadInput, match=r"runs\.sqlite: cannot be written here: "), store.writing(path):
        pass


def test_a_full_disk_is_told_and_loses_nothing(path):
    with store.writing(path) as opened:
        opened.add(RECORD)
        pages = opened.connection.execute("PRAGMA page_count").fetchone()[0]
        opened.connection.execute(f"PRAGMA max_page_count = {pages}")
        large = replace(RECORD, identity="large", moves=list(range(100_000)))
        with pytest.raises(BadInput, match="cannot store the run: database or disk is full; what was stored before is safe"):
            opened.add(large)
        opened.connection.execute("PRAGMA max_page_count = 1000000")
        opened.add(replace(RECORD, identity="after"))
    assert {record.identity for record in kept(path)} == {"a", "after"}
    with sqlite3.connect(path) as connection:
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    connection.close()
