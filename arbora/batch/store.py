"""Records of runs in one SQLite file: what has been acknowledged stays, whatever happens to the program.

Write-ahead logging, one writer at a time (a lock file beside the database, which the system releases when its holder dies),
any number of readers. A row is one run, keyed by what was run and by what code.
"""

import fcntl
import json
import os
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import fields
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from arbora.batch.job import Record
from arbora.errors import BadInput

APPLICATION = 0x4152424F  # "ARBO", so that no other program's database is taken for ours
SCHEMA = 2

_COLUMNS = [field.name for field in fields(Record)]
_ADDED = ("against", "against_playouts", "against_seconds")  # since format 1; empty in the runs of older databases
_AS_JSON = ("moves", "trace")
_TYPES = {"int": "INTEGER", "float": "REAL", "str": "TEXT"}


def _type(annotation: Any) -> str:
    name = getattr(annotation, "__name__", str(annotation))
    return next((kind for known, kind in _TYPES.items() if name.startswith(known)), "TEXT")


_DECLARED = {field.name: "TEXT" if field.name in _AS_JSON else _type(field.type) for field in fields(Record)}
_TABLE = (
    "CREATE TABLE runs ("
    + ", ".join(f"{name} {kind}" for name, kind in _DECLARED.items())
    + ", PRIMARY KEY (identity, code)) WITHOUT ROWID"
)


class Store:
    """A database of runs, open for reading; `writing` opens it for one writer."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection
        self.columns = _columns_of(connection)

    def add(self, record: Record) -> None:
        """Keep a record; when this returns, it is kept. A run that is there already stays as it is."""
        values = [json.dumps(getattr(record, name)) if name in _AS_JSON else getattr(record, name) for name in _COLUMNS]
        places = ", ".join("?" * len(_COLUMNS))
        try:
            with self.connection:
                self.connection.execute(f"INSERT OR IGNORE INTO runs ({', '.join(_COLUMNS)}) VALUES ({places})", values)
        except sqlite3.Error as error:
            raise BadInput(
                f"{self.path}: cannot store the run: {error}; what was stored before is safe, "
                "and the same command goes on from there"
            ) from None

    def done(self, pairs: Iterable[tuple[str, str]]) -> set[tuple[str, str]]:
        """Which of these (identity, code) are there."""
        wanted = set(pairs)
        with _told(self.path):
            return {pair for pair in self.connection.execute("SELECT identity, code FROM runs") if pair in wanted}

    def find(self, identities: Sequence[str], code: dict[str, str]) -> dict[str, Record]:
        """By identity: the record made by the code it should have, else the latest by any other."""
        found: dict[str, Record] = {}
        with _told(self.path):
            for start in range(0, len(identities), 500):
                part = identities[start : start + 500]
                places = ", ".join("?" * len(part))
                query = f"SELECT {', '.join(self.columns)} FROM runs WHERE identity IN ({places}) ORDER BY finished"
                for row in self.connection.execute(query, part):
                    record = self._record(row)
                    kept = found.get(record.identity)
                    if kept is None or kept.code != code[record.identity]:
                        found[record.identity] = record
        return found

    def all(self) -> Iterator[Record]:
        """Every record, the oldest first."""
        with _told(self.path):
            for row in self.connection.execute(f"SELECT {', '.join(self.columns)} FROM runs ORDER BY finished"):
                yield self._record(row)

    def _record(self, row: Sequence[Any]) -> Record:
        values = dict(zip(self.columns, row, strict=True))
        for name in _AS_JSON:
            values[name] = json.loads(values[name])
        return Record(**{name: value for name, value in values.items() if value is not None or name not in _ADDED})


@contextmanager
def reading(path: Path) -> Iterator[Store | None]:
    """The store for reading, while somebody may be writing it; None if there is no such file, or nothing in it."""
    if not path.exists():
        yield None
        return
    with _connected_to_read(path) as connection:
        if _is_empty(connection):  # its writer died before there was anything to keep
            yield None
            return
        _check(path, connection)
        yield Store(path, connection)


@contextmanager
def writing(path: Path) -> Iterator[Store]:
    """The store for its one writer; made if there is none yet."""
    if path.is_dir():
        raise BadInput(f"{path}: is a folder; a database of runs is a file")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: no such folder {path.parent}")
    with _locked(path), closing(_open_to_write(path)) as connection:
        yield Store(path, connection)


def _open_to_write(path: Path) -> sqlite3.Connection:
    with _told(path):
        connection = sqlite3.connect(path, timeout=10)
        try:
            if _is_empty(connection):
                connection.execute("PRAGMA journal_mode = WAL")
                with connection:
                    connection.execute("BEGIN")  # all or nothing: sqlite3 begins none by itself for these
                    connection.execute(_TABLE)
                    connection.execute(f"PRAGMA application_id = {APPLICATION}")
                    connection.execute(f"PRAGMA user_version = {SCHEMA}")
            _check(path, connection)
            _bring_up_to_date(connection)
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = NORMAL")
        except BaseException:
            connection.close()
            raise
        return connection


def _bring_up_to_date(connection: sqlite3.Connection) -> None:
    """Give the table of an older version the columns that it has not."""
    there = _columns_of(connection)
    with connection:
        connection.execute("BEGIN")
        for name in _COLUMNS:
            if name not in there:
                connection.execute(f"ALTER TABLE runs ADD COLUMN {name} {_DECLARED[name]}")
        connection.execute(f"PRAGMA user_version = {SCHEMA}")


def _columns_of(connection: sqlite3.Connection) -> list[str]:
    return [row[1] for row in connection.execute("PRAGMA table_info(runs)")]


def _is_empty(connection: sqlite3.Connection) -> bool:
    return bool(connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0)


@contextmanager
def _connected_to_read(path: Path) -> Iterator[sqlite3.Connection]:
    """Read-only. Where nothing can be written, a log that a dead writer left behind is read in a copy."""
    with ExitStack() as stack:
        with _told(path):
            try:
                connection = _opened_to_read(path, "mode=ro")
            except sqlite3.OperationalError:
                file = path.resolve()
                log = file.with_name(file.name + "-wal")
                if log.exists():
                    folder = Path(stack.enter_context(TemporaryDirectory()))
                    shutil.copy(file, folder / "runs")
                    shutil.copy(log, folder / "runs-wal")
                    connection = _opened_to_read(folder / "runs", "mode=rw")
                else:
                    connection = _opened_to_read(path, "mode=ro&immutable=1")
        yield stack.enter_context(closing(connection))


def _opened_to_read(path: Path, mode: str) -> sqlite3.Connection:
    connection = sqlite3.connect(f"{path.resolve().as_uri()}?{mode}", uri=True, timeout=10)
    try:
        _is_empty(connection)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(path: Path, connection: sqlite3.Connection) -> None:
    with _told(path):
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        schema = connection.execute("PRAGMA user_version").fetchone()[0]
    if application != APPLICATION:
        raise BadInput(f"{path}: is a database, but not of runs of Arbora; give another file")
    if schema > SCHEMA:
        raise BadInput(
            f"{path}: was written by a newer version of Arbora (format {schema}; this one knows {SCHEMA}); "
            "install that version, or give another file"
        )


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Errors of the database as one clear line."""
    try:
        yield
    except (sqlite3.Error, OSError) as error:
        raise BadInput(f"{path}: cannot be used as a database of runs: {error}") from None


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Only one writer at a time. The lock ends with the process, however it ends."""
    lock = path.with_name(path.name + ".lock")
    try:
        handle = os.open(lock, os.O_RDWR | os.O_CREAT, 0o644)
    except OSError as error:
        raise BadInput(f"{path}: cannot be written here: {error.strerror}") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            holder = os.read(handle, 32).decode(errors="replace").strip() or "unknown"
            raise BadInput(
                f"{path}: another process is writing it (number {holder}); wait for it, or give another file with --db"
            ) from None
        try:
            os.truncate(handle, 0)
            os.write(handle, f"{os.getpid()}\n".encode())
        except OSError as error:
            raise BadInput(f"{path}: cannot be written here: {error.strerror}") from None
        yield
    finally:
        os.close(handle)
