"""Tables: our means, and the document's numbers beside them."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from arbora.lab.experiment import Experiment
from arbora.lab.results import Results
from arbora.lab.samples import END_TOLERANCE, NO_SAMPLE, OVER_TIME, SUMMABLE, TOTAL, Samples, time_label
from arbora.lab.statistics import Summary, sum_of, summarize


@dataclass(frozen=True)
class Cell:
    """One place of a table. In a table of `sd`, the summary's mean is the standard deviation of the scores."""

    summary: Summary | None = None
    document: float | None = None
    ratio: float | None = None  # ours to the document's


@dataclass(frozen=True)
class Table:
    """One value, by rows and columns; there is a cell for each pair of them."""

    value: str
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]
    document_only: tuple[str, ...] = ()  # columns
    smaller_is_better: bool = False

    def best(self, row: str) -> tuple[str, ...]:
        """The columns with the best of our means in a row; none if there is nothing to choose from."""
        means = {column: summary.mean for column in self.columns if (summary := self.cells[row, column].summary)}
        if len(means) < 2:
            return ()
        best = min(means.values()) if self.smaller_is_better else max(means.values())
        return tuple(column for column, mean in means.items() if mean == best)


def make_table(results: Results, samples: Samples, value: str) -> Table:
    """The table of one value: our rows and columns, then those that only the document has, then the total."""
    experiment = results.experiment
    document = _document(experiment, value)
    with_total = experiment.layout.total and value in SUMMABLE
    own = [row for row in document if not (with_total and row.casefold() == TOTAL)]
    rows = _time_rows(results, own, value) if _by_time(experiment) else list(dict.fromkeys([*results.rows, *own]))
    named = {column for numbers in document.values() for column in numbers}
    others = [column for column in experiment.document_columns if column in named and column not in results.columns]
    columns = [*results.columns, *others]
    ours = {(row, column): _summary(samples, value, row, column) for row in rows for column in columns}
    theirs = {(row, column): document.get(row, {}).get(column) for row in rows for column in columns}
    if with_total:
        summed = {row.casefold(): numbers for row, numbers in document.items() if row not in own}.get(TOTAL, {})
        for column in columns:
            ours[TOTAL, column] = _total(ours, rows, column)
            theirs[TOTAL, column] = summed.get(column, _document_total(theirs, rows, column))
        rows = [*rows, TOTAL]
    cells = {place: _cell(ours[place], theirs[place], experiment.comparable) for place in ours}
    return Table(value, tuple(rows), tuple(columns), cells, tuple(others), is_smaller_better(experiment, value))


def is_smaller_better(experiment: Experiment, value: str) -> bool:
    """Whether less of a value comes first in an order: time, and a score that counts what is bad."""
    return value in ("seconds", "time-ratio") or (value == "score" and experiment.layout.lower_is_better)


def row_label(experiment: Experiment, row: str) -> str:
    """The label that a row has in the tables, for one that the document or a claim names."""
    try:
        return time_label(row) if _by_time(experiment) else row
    except ValueError:
        return row


def _by_time(experiment: Experiment) -> bool:
    return experiment.layout.rows == ("time",)


def _document(experiment: Experiment, value: str) -> dict[str, dict[str, float]]:
    """The document's numbers by row and column, without those it does not give."""
    found = {}
    for row, numbers in experiment.document.get(value, {}).items():
        given = {column: number for column, number in numbers.items() if math.isfinite(number)}
        if given:
            found[row_label(experiment, row)] = given
    return found


def _time_rows(results: Results, document_rows: Sequence[str], value: str) -> list[str]:
    """Times up to the end of the longest run, and the document's, in order."""
    longest = max((run.values["seconds"] for run in results.observations), default=0.0) if value in OVER_TIME else 0.0
    ours = [time_label(time) for time in results.experiment.layout.times if time <= longest * END_TOLERANCE]
    return sorted({*ours, *document_rows}, key=_seconds)


def _seconds(row: str) -> float:
    try:
        return float(row)
    except ValueError:
        return math.inf


def _summary(samples: Samples, value: str, row: str, column: str) -> Summary | None:
    sample = samples.get(("score" if value == "sd" else value, row, column), NO_SAMPLE)
    if not sample.runs or (value == "sd" and len(sample.runs) < 2):
        return None
    summary = summarize(sample.values)
    return Summary(summary.n, summary.sd, math.nan, math.nan) if value == "sd" else summary


def _total(ours: Mapping[tuple[str, str], Summary | None], rows: Sequence[str], column: str) -> Summary | None:
    parts = [summary for row in rows if (summary := ours[row, column]) is not None]
    return sum_of(parts) if rows and len(parts) == len(rows) else None


def _document_total(theirs: Mapping[tuple[str, str], float | None], rows: Sequence[str], column: str) -> float | None:
    parts = [number for row in rows if (number := theirs[row, column]) is not None]
    return sum(parts) if rows and len(parts) == len(rows) else None


def _cell(summary: Summary | None, document: float | None, comparable: bool) -> Cell:
    ratio = summary.mean / document if comparable and summary is not None and document else None
    return Cell(summary, document, ratio)
