"""The plots of a report, as SVG."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from arbora.lab.cells import Table, row_label
from arbora.lab.numbers import TITLES
from arbora.lab.results import Observation, Results
from arbora.lab.samples import TOTAL, Sample, samples_of, scores_at, sign
from arbora.lab.statistics import half_widths
from arbora.lab.tables import Report
from arbora.svg import color, draw_svg, with_own_ids

MOMENTS = 80  # points of a line over time
ENOUGH = 0.5  # a line over time ends where fewer than this part of its runs still go on
LONGEST_TICK_LINE = 80  # characters of labels side by side, before they are tilted

Drawing = tuple[str, Callable[[Any], None], float]  # caption, what paints it on axes, width in inches


def draw(report: Report, results: Results) -> list[tuple[str, str]]:
    """Caption and SVG of each plot that the layout asks for and there is data for, then how each tuning narrowed down."""
    drawings = [drawing for kind in results.experiment.layout.plots for drawing in KINDS[kind](report, results)]
    plots = [
        (caption, draw_svg(f"plot-{number}", paint, width)) for number, (caption, paint, width) in enumerate(drawings, 1)
    ]
    for number, (name, outcome) in enumerate(results.tunings.items(), 1):
        from arbora.tune.plots import narrowing

        plots.append((f"How the tuning “{name}” narrowed down.", with_own_ids(narrowing(outcome), f"tuning-{number}")))
    return plots


def _time(report: Report, results: Results) -> Iterator[Drawing]:
    """Best score so far; a plot for each row, unless the rows are times or instances."""
    layout = results.experiment.layout
    together = layout.rows in ((), ("time",), ("instance",))
    for row in [None] if together else results.rows:
        runs = {
            column: [run for run in results.observations if run.column == column and row in (None, run.row)]
            for column in results.columns
        }
        if any(run.trace for found in runs.values() for run in found):
            caption = "Best score so far over the seconds of search; mean and 95 % interval" + (f"; {row}." if row else ".")
            document = _document_lines(report, results) if layout.rows == ("time",) else {}
            if document:
                caption += " Dashed: the document."
            yield caption, _over_time(runs, document, sign("score", layout)), 6.2


def _over_time(
    runs: dict[str, list[Observation]], document: dict[str, list[tuple[float, float]]], factor: int
) -> Callable[[Any], None]:
    def paint(axes: Any) -> None:
        for index, (column, found) in enumerate(runs.items()):
            moments, means, halves = _line(found)
            if len(moments):
                (line,) = axes.plot(moments, factor * means, **_line_style(index), label=column)
                line.set_gid(f"line-{index}")
                low, high = factor * means - halves, factor * means + halves
                axes.fill_between(moments, low, high, color=color(index), alpha=0.18, linewidth=0)
            if document.get(column):
                (line,) = axes.plot(
                    *zip(*document[column], strict=True), "--", color=color(index), linewidth=0.9, marker="."
                )
                line.set_gid(f"document-{index}")
        axes.set_xscale("log")
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
        axes.xaxis.set_minor_formatter(lambda value, _: "")
        axes.yaxis.set_major_formatter(_thousands)
        axes.set_xlabel("seconds")
        axes.set_ylabel("best score so far")

    return paint


def _line(runs: Sequence[Observation]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Moments, mean of the best scores then, and half widths of their intervals."""
    traced = [run for run in runs if run.trace]
    if not traced:
        return np.array([]), np.array([]), np.array([])
    starts, ends = [run.trace[0][0] for run in traced], np.array([run.values["seconds"] for run in traced])
    low, high = max(*starts, 1e-4), float(ends.max())
    moments = np.geomspace(min(low, high / 2), high, MOMENTS)
    scores = scores_at(traced, moments)
    kept = np.isfinite(scores).sum(axis=0) >= ENOUGH * len(traced)
    # A run that has ended keeps its score. Were it left out, the mean would rise and fall with who is left.
    over = moments > ends[:, None]
    scores[over] = np.broadcast_to([[run.trace[-1][2]] for run in traced], scores.shape)[over]
    moments, scores = moments[kept], scores[:, kept]
    counts = np.isfinite(scores).sum(axis=0)
    means = np.nanmean(scores, axis=0)
    halves = np.zeros(len(means))
    several = counts >= 2
    halves[several] = half_widths(np.nanstd(scores[:, several], axis=0, ddof=1), counts[several])
    return moments, means, halves


def _document_lines(report: Report, results: Results) -> dict[str, list[tuple[float, float]]]:
    table = report.main_table
    if table is None or table.value != "score" or not results.experiment.comparable:
        return {}
    found = {
        column: [(float(row), number) for row in table.rows if (number := table.cells[row, column].document) is not None]
        for column in results.columns
    }
    return {column: line for column, line in found.items() if line}


def _lines(report: Report, results: Results) -> Iterator[Drawing]:
    """Means over the rows: on a scale if they are numbers, side by side if not."""
    table = report.main_table
    rows = _rows(table, results)
    if table is None or not rows:
        return
    numbers = [_number(row) for row in rows]
    on_scale = all(math.isfinite(number) for number in numbers)
    places = dict(zip(rows, numbers if on_scale else range(len(rows)), strict=True))

    def paint(axes: Any) -> None:
        for index, column in enumerate(_columns(table)):
            cells = [(places[row], table.cells[row, column]) for row in sorted(rows, key=lambda row: places[row])]
            ours = [(place, cell.summary.mean, np.nan_to_num(cell.summary.half)) for place, cell in cells if cell.summary]
            if ours:
                drawn = axes.errorbar(*zip(*ours, strict=True), **_line_style(index), label=column, marker="o", capsize=3)
                drawn[0].set_gid(f"line-{index}")
            if results.experiment.comparable:
                _draw_document(axes, index, [(place, cell.document) for place, cell in cells if cell.document is not None])
        _scale_ticks(axes, numbers) if on_scale else _name_ticks(axes, rows)
        axes.set_xlabel(report.row_title)
        _name_values(axes, table)

    yield _caption(table, rows, results, "Dashed: the document."), paint, 6.2


def _bars(report: Report, results: Results) -> Iterator[Drawing]:
    """A bar for each cell, in groups by row."""
    table = report.main_table
    rows = _rows(table, results)
    if table is None or not rows:
        return
    columns = _columns(table)

    def paint(axes: Any) -> None:
        for row, column, place, width, label in _grouped(axes, rows, columns):
            cell, index = table.cells[row, column], columns.index(column)
            if cell.summary is not None:
                half = np.nan_to_num(cell.summary.half)
                (bar,) = axes.bar(place, cell.summary.mean, width, color=color(index), label=label)
                bar.set_gid(f"bar-{rows.index(row)}-{index}")
                axes.errorbar(place, cell.summary.mean, half, color="#333333", capsize=2, linewidth=1)
            if cell.document is not None and results.experiment.comparable:
                (marker,) = axes.plot(place, cell.document, "D", color="black", markersize=4)
                marker.set_gid(f"document-{rows.index(row)}-{index}")
        axes.grid(visible=False, axis="x")
        _name_values(axes, table)

    yield _caption(table, rows, results, "Black: the document."), paint, _width(len(rows) * len(columns))


def _differences(report: Report, results: Results) -> Iterator[Drawing]:
    """A bar for each comparison in each row, and a line at zero."""
    found = {
        (f"{each.first} − {each.second}", each.row): each.difference for each in report.comparisons if each.row != TOTAL
    }
    if not found:
        return
    pairs, rows = list(dict.fromkeys(pair for pair, _ in found)), list(dict.fromkeys(row for _, row in found))

    def paint(axes: Any) -> None:
        for row, pair, place, width, label in _grouped(axes, rows, pairs):
            if (pair, row) in found:
                difference, index = found[pair, row], pairs.index(pair)
                (bar,) = axes.bar(place, difference.mean, width, color=color(index), label=label)
                bar.set_gid(f"bar-{rows.index(row)}-{index}")
                axes.errorbar(place, difference.mean, difference.half, color="#333333", capsize=3, linewidth=1)
        axes.axhline(0, color="#333333", linewidth=0.8)
        axes.grid(visible=False, axis="x")
        axes.yaxis.set_major_formatter(_thousands)
        axes.set_ylabel("difference of the scores")

    caption = "Mean difference of paired runs, with 95 % intervals" + (f": {pairs[0]}." if len(pairs) == 1 else ".")
    yield caption, paint, _width(len(found))


def _boxes(report: Report, results: Results) -> Iterator[Drawing]:
    """The runs of each cell: median, quartiles, and whiskers to the last run within 1.5 times their distance."""
    samples = {
        (row, column): sample
        for (_, row, column), sample in samples_of(results, ["score"]).items()
        if row != TOTAL or not results.experiment.layout.total
    }
    labels = [row_label(results.experiment, row) for row in results.rows]
    rows = [row for row in labels if any((row, column) in samples for column in results.columns)]
    if not rows:
        return
    columns = list(results.columns)

    def paint(axes: Any) -> None:
        for row, column, place, width, label in _grouped(axes, rows, columns):
            if (row, column) in samples:
                _box(axes, samples[row, column], place, width, (rows.index(row), columns.index(column)), label)
        axes.grid(visible=False, axis="x")
        axes.yaxis.set_major_formatter(_thousands)
        axes.set_ylabel("score")

    yield "Scores of the runs: median, quartiles and range; dots are runs far outside.", paint, _width(len(samples))


def _box(axes: Any, sample: Sample, place: float, width: float, cell: tuple[int, int], label: str | None) -> None:
    row, index = cell
    drawn = axes.boxplot(
        [sample.values],
        positions=[place],
        widths=width * 0.85,
        patch_artist=True,
        manage_ticks=False,
        boxprops={"facecolor": color(index), "alpha": 0.55, "label": label},
        medianprops={"color": "black"},
        flierprops={"marker": ".", "markersize": 4, "markeredgecolor": color(index)},
    )
    drawn["boxes"][0].set_gid(f"box-{row}-{index}")


def _grouped(axes: Any, rows: Sequence[str], columns: Sequence[str]) -> Iterator[tuple[str, str, float, float, str | None]]:
    """Row, column, place on the x axis, width and label of everything in a plot by rows, whose ticks it sets.

    With one row, the columns are named on the axis; with more, the rows are, and the columns in the legend.
    """
    if len(rows) == 1:
        _name_ticks(axes, columns)
        yield from ((rows[0], column, float(place), 0.6, None) for place, column in enumerate(columns))
        return
    _name_ticks(axes, rows)
    width = 0.8 / len(columns)
    for place, row in enumerate(rows):
        for index, column in enumerate(columns):
            label = column if place == 0 and len(columns) > 1 else None
            yield row, column, place + (index - (len(columns) - 1) / 2) * width, width, label


def _line_style(index: int) -> dict[str, Any]:
    return {"color": color(index), "markersize": 4}


def _draw_document(axes: Any, index: int, points: Sequence[tuple[float, float]]) -> None:
    """The document's numbers for a line, thin and dashed."""
    if points:
        (line,) = axes.plot(*zip(*points, strict=True), "--", color=color(index), linewidth=0.9, marker=".", markersize=4)
        line.set_gid(f"document-{index}")


def _scale_ticks(axes: Any, numbers: Sequence[float]) -> None:
    """Ticks for rows that are numbers: at each of them if there are few."""
    if min(numbers) > 0 and max(numbers) > 50 * min(numbers):
        _log_scale(axes)
    if len(numbers) <= 12:
        axes.set_xticks(numbers)
    axes.xaxis.set_major_formatter(_thousands)


def _log_scale(axes: Any) -> None:
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter(_thousands)
    axes.xaxis.set_minor_formatter(lambda value, _: "")


def _name_ticks(axes: Any, labels: Sequence[str]) -> None:
    tilted = sum(len(label) + 2 for label in labels) > LONGEST_TICK_LINE
    axes.set_xticks(
        range(len(labels)), labels, **({"rotation": 35, "ha": "right", "rotation_mode": "anchor"} if tilted else {})
    )
    axes.set_xlim(-0.6, len(labels) - 0.4)


def _name_values(axes: Any, table: Table) -> None:
    axes.yaxis.set_major_formatter(_thousands)
    axes.set_ylabel(TITLES[table.value])


def _thousands(value: float, _: int) -> str:
    return f"{value:,.0f}" if value == round(value) and abs(value) < 1e7 else f"{value:g}"


def _caption(table: Table, rows: Sequence[str], results: Results, about_document: str) -> str:
    text = f"{TITLES[table.value].capitalize()}: means and 95 % intervals."
    theirs = any(table.cells[row, column].document is not None for row in rows for column in _columns(table))
    return f"{text} {about_document}" if theirs and results.experiment.comparable else text


def _rows(table: Table | None, results: Results) -> list[str]:
    """The rows with something to draw, the total left out; none if there are no runs at all."""
    if table is None or not any(cell.summary for cell in table.cells.values()):
        return []
    theirs = results.experiment.comparable
    cells = {row: [table.cells[row, column] for column in _columns(table)] for row in table.rows if row != TOTAL}
    return [row for row, own in cells.items() if any(cell.summary or (theirs and cell.document is not None) for cell in own)]


def _columns(table: Table) -> list[str]:
    return [column for column in table.columns if column not in table.document_only]


def _number(row: str) -> float:
    try:
        return float(row.replace(",", ""))
    except ValueError:
        return math.nan


def _width(bars: int) -> float:
    return min(max(6.2, 0.2 * bars + 1.5), 9.5)


KINDS = {"time": _time, "lines": _lines, "bars": _bars, "differences": _differences, "boxes": _boxes}
