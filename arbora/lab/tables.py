"""The model of a report: everything that it shows, as plain data."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from arbora.lab.cells import Cell, Table, make_table
from arbora.lab.experiment import Experiment
from arbora.lab.results import Results
from arbora.lab.samples import samples_of
from arbora.lab.verdicts import Comparison, Disagreements, Verdict, comparisons, disagreements, verdict


@dataclass(frozen=True)
class Parameters:
    """Tuned parameters: what each tuning found, and what the document has in a column of that name."""

    names: tuple[str, ...]
    columns: tuple[str, ...]  # tunings, then columns that only the document has
    found: Mapping[tuple[str, str], float | str]  # parameter, tuning
    document: Mapping[tuple[str, str], float]
    document_only: tuple[str, ...] = ()


@dataclass(frozen=True)
class Report:
    """All that a report shows."""

    name: str
    scale: str
    title: str
    source: str
    about: str
    differs: str
    row_title: str  # what the labels of the rows are
    column_title: str
    digits: int
    notes: tuple[str, ...]
    tables: tuple[Table, ...]
    verdicts: tuple[Verdict, ...]
    comparisons: tuple[Comparison, ...]
    disagreements: Disagreements
    parameters: Parameters | None
    done: int
    wanted: int
    machines: tuple[str, ...]
    versions: tuple[str, ...]
    command: str

    @property
    def main_table(self) -> Table | None:
        """The table of the score, or the first one if the score is not shown."""
        return next((table for table in self.tables if table.value == "score"), self.tables[0] if self.tables else None)


def make_report(results: Results) -> Report:
    """Everything that the runs so far say."""
    experiment = results.experiment
    layout = experiment.layout
    values = dict.fromkeys([*layout.values, "score", *(claim.value for claim in experiment.claims)])
    samples = samples_of(results, values)
    tables = {value: make_table(results, samples, value) for value in values}
    shown = tuple(tables[value] for value in layout.values if any(_is_filled(cell) for cell in tables[value].cells.values()))
    return Report(
        name=experiment.name,
        scale=experiment.scale,
        title=experiment.title,
        source=experiment.source,
        about=experiment.about,
        differs=experiment.differs,
        row_title="seconds" if layout.rows == ("time",) else ", ".join(layout.rows),
        column_title=", ".join(layout.columns),
        digits=layout.digits,
        notes=tuple(_notes(results)),
        tables=shown,
        verdicts=tuple(verdict(claim, experiment, tables[claim.value], samples) for claim in experiment.claims),
        comparisons=tuple(comparisons(experiment, tables["score"], samples)),
        disagreements=disagreements(shown, samples) if experiment.comparable else Disagreements(),
        parameters=_parameters(results),
        done=results.done,
        wanted=results.wanted,
        machines=tuple(results.machines),
        versions=tuple(results.versions),
        command=results.command,
    )


def as_object(report: Report) -> dict[str, Any]:
    """The report for `--json`: what there is no number for is null."""
    content = {name: getattr(report, name) for name in report.__dataclass_fields__}
    content["tables"] = [_table_object(table) for table in report.tables]
    content["verdicts"] = [asdict(each) for each in report.verdicts]
    content["comparisons"] = [
        {"first": each.first, "second": each.second, "row": each.row, **asdict(each.difference)}
        for each in report.comparisons
    ]
    content["disagreements"] = asdict(report.disagreements)
    content["parameters"] = _parameters_object(report.parameters)
    return _plain(content)


def _is_filled(cell: Cell) -> bool:
    return cell.summary is not None or cell.document is not None


def _notes(results: Results) -> list[str]:
    experiment, notes = results.experiment, []
    if experiment.missing:
        notes.append(f"{_listed(experiment.missing)} not found; the boards are random ones instead")
        if not experiment.comparable:
            notes.append("the document's numbers are for other boards and are not compared")
    missing = results.wanted - results.done
    if missing > 0:
        notes.append(f"{missing:,} of {results.wanted:,} runs are still missing")
    if results.older:
        notes.append(f"{results.older:,} of the runs {_were(results.older)} made by an earlier version of the code")
    if experiment.reduced:
        whole = "the document's" if experiment.document else "those of the whole experiment"
        notes.append(f"at quick scale: smaller budgets than {whole}")
    return notes


def _listed(names: Sequence[str]) -> str:
    """`a, b and c were`"""
    *before, last = names
    return f"{', '.join(before)} and {last} were" if before else f"{last} was"


def _were(count: int) -> str:
    return "was" if count == 1 else "were"


def _parameters(results: Results) -> Parameters | None:
    found = {(name, tuning): value for tuning, outcome in results.tunings.items() for name, value in outcome.winner.items()}
    given = _document_parameters(results.experiment)
    if not found and not given:
        return None
    others = tuple(dict.fromkeys(column for _, column in given if column not in results.tunings))
    names = tuple(dict.fromkeys(name for name, _ in [*found, *given]))
    return Parameters(names, (*results.tunings, *others), found, given, others)


def _document_parameters(experiment: Experiment) -> dict[tuple[str, str], float]:
    rows = experiment.document.get("parameter", {})
    return {
        (name, column): numbers[column]
        for name, numbers in rows.items()
        for column in experiment.document_columns
        if math.isfinite(numbers.get(column, math.nan))
    }


def _table_object(table: Table) -> dict[str, Any]:
    cells = []
    for row in table.rows:
        for column in table.columns:
            cell = table.cells[row, column]
            summary = {} if cell.summary is None else asdict(cell.summary)
            cells.append({"row": row, "column": column, **summary, "document": cell.document, "ratio": cell.ratio})
    best = {row: table.best(row) for row in table.rows}
    return {
        "value": table.value,
        "rows": table.rows,
        "columns": table.columns,
        "document_only": table.document_only,
        "smaller_is_better": table.smaller_is_better,
        "best": best,
        "cells": cells,
    }


def _comparison_object(comparison: Comparison) -> dict[str, Any]:
    named = {"first": comparison.first, "second": comparison.second, "row": comparison.row}
    return {**named, **asdict(comparison.difference)}


def _parameters_object(parameters: Parameters | None) -> list[dict[str, Any]]:
    if parameters is None:
        return []
    return [
        {
            "parameter": name,
            "column": column,
            "found": parameters.found.get((name, column)),
            "document": parameters.document.get((name, column)),
        }
        for name in parameters.names
        for column in parameters.columns
    ]


def _plain(content: Any) -> Any:
    """Lists, dicts, text and finite numbers only."""
    if isinstance(content, Mapping):
        return {key: _plain(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return [_plain(value) for value in content]
    if isinstance(content, float) and not math.isfinite(content):
        return None
    return content
