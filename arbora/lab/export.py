"""Stored runs as a table for other programs: CSV, or Parquet by pyarrow."""

import csv
import json
import os
from collections.abc import Iterable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from arbora.batch.job import Record
from arbora.batch.store import Store
from arbora.errors import BadInput
from arbora.lab.session import Stored

FORMATS = (".csv", ".parquet")


def check_format(path: Path) -> None:
    """Raise BadInput unless the name of the file says a format that can be written, to a place where it can be."""
    if path.suffix not in FORMATS:
        raise BadInput(f"{path}: unknown format; a name ends in {' or '.join(FORMATS)}")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: no such folder {path.parent}")
    if path.suffix == ".parquet":
        _pyarrow()


def all_runs(store: Store) -> list[dict[str, Any]]:
    """A row for every run."""
    return [_row(record) for record in store.all()]


def runs_of(stored: Stored) -> list[dict[str, Any]]:
    """A row for every run of an experiment, with its place in the report in front; of a match, that of `search`."""
    return [
        {"row": place.row, "column": place.column, "instance": place.instance, **_row(stored.records[place.job.identity])}
        for place in stored.places
        if place.side == 0 and place.job.identity in stored.records
    ]


def write(path: Path, rows: list[dict[str, Any]]) -> int:
    """Write the rows; the file is there whole or not at all. Returns how many there are."""
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        try:
            (_write_csv if path.suffix == ".csv" else _write_parquet)(temporary, rows)
            os.replace(temporary, path)
        finally:
            temporary.unlink(missing_ok=True)
    except OSError as error:
        raise BadInput(f"{path}: cannot write the runs: {error.strerror or error}") from None
    return len(rows)


def _row(record: Record) -> dict[str, Any]:
    return {**asdict(record), "moves": json.dumps(record.moves), "trace": json.dumps(record.trace)}


def _columns(rows: Iterable[dict[str, Any]]) -> list[str]:
    return list(next(iter(rows), dict.fromkeys(Record.__dataclass_fields__)))


def _write_csv(path: Path, rows: list[dict[str, Any]]) -> None:
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, _columns(rows))
        writer.writeheader()
        writer.writerows(rows)
        file.flush()
        os.fsync(file.fileno())


def _write_parquet(path: Path, rows: list[dict[str, Any]]) -> None:
    arrow, parquet = _pyarrow()
    # by the record, not by what the rows happen to hold: files of different runs must fit together
    schema = arrow.schema([(name, _arrow_type(arrow, name)) for name in _columns(rows)])
    parquet.write_table(arrow.Table.from_pylist(rows, schema), path)


def _arrow_type(arrow: Any, name: str) -> Any:
    declared = Record.__annotations__.get(name)
    if declared in (int, int | None):
        return arrow.int64()
    return arrow.float64() if declared in (float, float | None) else arrow.string()


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise BadInput("Parquet needs pyarrow, which is not installed; pip install 'arbora[lab]', or write .csv") from None
    return pyarrow, pyarrow.parquet
