"""A report as one HTML file that needs nothing else: no scripts, no links, styles and plots inside."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from importlib.resources import files
from pathlib import Path

from arbora.files import write_text
from arbora.lab import numbers
from arbora.lab.cells import Cell, Table
from arbora.lab.numbers import NOTHING, TITLES, decimals, shown
from arbora.lab.samples import TOTAL
from arbora.lab.tables import Parameters, Report
from arbora.lab.verdicts import NO_DATA, NOT_SEEN, SEEN, WEAK, Disagreements, Verdict
from arbora.lab.words import agreement, disagreement, document_heading

SIGNS = {SEEN: ("seen", "✓"), WEAK: ("weak", "~"), NOT_SEEN: ("not-seen", "✗"), NO_DATA: ("no-data", "–")}


def render(report: Report, plots: Sequence[tuple[str, str]]) -> str:
    """The page; `plots` are captions and SVG elements, which are put in as they are."""
    style = (files("arbora.lab") / "report.css").read_text(encoding="utf-8")
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(report.title)}</title>
<style>
{style}</style>
</head>
<body>
{"".join(_body(report, plots))}</body>
</html>
"""


def write(path: Path, page: str) -> None:
    """Replace the file in one step. Raises BadInput if it cannot be written."""
    write_text(path, page, "report")


def _body(report: Report, plots: Sequence[tuple[str, str]]) -> Iterator[str]:
    yield f"<header>\n<h1>{escape(report.title)}</h1>\n"
    yield f'<p class="source">{escape(document_heading(report))}</p>\n</header>\n'
    yield _paragraph(report.about)
    yield _list("notes", [escape(note) for note in report.notes])
    for table in report.tables:
        yield _section(TITLES[table.value].capitalize(), _table(table, report))
    yield _section("What the document says", _verdicts(report.verdicts))
    yield _section("Comparisons", _comparisons(report))
    yield _section("Order of the columns", _disagreements(report.disagreements, report.digits))
    yield _section("What differs, and why", _paragraph(report.differs))
    yield _section("Plots", "".join(_figure(caption, svg) for caption, svg in plots))
    yield _section("Tuned parameters", _parameters(report.parameters))
    yield _section("How this was made", _making(report))


def _section(title: str, content: str) -> str:
    return f"<section>\n<h2>{escape(title)}</h2>\n{content}</section>\n" if content else ""


def _paragraph(text: str) -> str:
    return f"<p>{escape(text)}</p>\n" if text else ""


def _list(kind: str, items: Sequence[str]) -> str:
    """`items` are HTML already."""
    lines = "".join(f"<li>{item}</li>\n" for item in items)
    return f'<ul class="{kind}">\n{lines}</ul>\n' if items else ""


def _grid(head: Iterable[str], rows: Iterable[str], key: str = "") -> str:
    """A table of rows that are HTML already, and a line below it on how to read them."""
    told = f'<p class="key">{escape(key)}</p>\n' if key else ""
    return (
        f'<div class="scroll">\n<table>\n<thead><tr>{"".join(head)}</tr></thead>\n'
        f"<tbody>\n{''.join(rows)}</tbody>\n</table>\n</div>\n{told}"
    )


def _table(table: Table, report: Report) -> str:
    digits = decimals(table.value, report.digits)
    head = [f'<th scope="col">{escape(report.row_title)}</th>']
    head += [_column_head(column, column in table.document_only) for column in table.columns]
    rows = []
    for row in table.rows:
        best = table.best(row) if table.value == "score" else ()
        cells = "".join(_cell(table.cells[row, column], column in best, digits) for column in table.columns)
        kind = ' class="total"' if row == TOTAL else ""
        rows.append(f'<tr{kind}><th scope="row">{escape(row)}</th>{cells}</tr>\n')
    return _grid(head, rows, _table_key(table))


def _table_key(table: Table) -> str:
    parts = []
    if any(cell.summary is not None for cell in table.cells.values()):
        parts.append(
            "standard deviation, number of runs (n)" if table.value == "sd" else "mean ± 95 % interval, number of runs (n)"
        )
    if any(cell.ratio is not None for cell in table.cells.values()):
        parts.append("the document’s number and ours relative to it")
    elif any(cell.document is not None for cell in table.cells.values()):
        parts.append("the document’s number")
    if table.value == "score" and table.smaller_is_better:
        parts.append("less is better")
    return "; ".join(parts)


def _column_head(column: str, document_only: bool) -> str:
    mark = '<span class="document">only in the document</span>' if document_only else ""
    return f'<th scope="col">{escape(column)}{mark}</th>'


def _cell(cell: Cell, best: bool, digits: int) -> str:
    parts, small = [], []
    if cell.document is not None:
        ratio = "" if cell.ratio is None else f" {numbers.ratio(cell.ratio)}"
        small.append(f"doc {shown(cell.document, digits)}{ratio}")
    if cell.summary is not None:
        mean, _, half = numbers.with_interval(cell.summary, digits).partition(" ± ")
        half = f' <span class="half">± {half}</span>' if half else ""
        parts.append(f'<span class="{"best" if best else "ours"}">{mean}{half}</span>')
        small.append(f'<span class="n">n {cell.summary.n:,}</span>')
    if small:
        parts.append(f'<span class="document">{" ".join(small)}</span>')
    return f"<td>{''.join(parts) or NOTHING}</td>"


def _verdicts(verdicts: Sequence[Verdict]) -> str:
    items = []
    for verdict in verdicts:
        kind, sign = SIGNS[verdict.word]
        told = f" {escape(verdict.numbers)}" if verdict.numbers else ""
        items.append(
            f'<span class="sign {kind}" aria-hidden="true">{sign}</span>{escape(verdict.text)}'
            f'<span class="numbers"><b class="{kind}">{verdict.word}</b>{told}</span>'
        )
    return _list("verdicts", items)


def _comparisons(report: Report) -> str:
    pairs = dict.fromkeys((each.first, each.second) for each in report.comparisons)
    parts = [_comparison(pair, report) for pair in pairs]
    if parts:
        parts.append('<p class="key">mean difference of paired runs ± 95 % interval; paired two-tailed t-test</p>\n')
    return "".join(parts)


def _comparison(pair: tuple[str, str], report: Report) -> str:
    head = [f'<th scope="col">{escape(name)}</th>' for name in (report.row_title, "difference", "p", "pairs")]
    rows = []
    for each in report.comparisons:
        if (each.first, each.second) == pair:
            difference = each.difference
            rows.append(
                f'<tr><th scope="row">{escape(each.row)}</th>'
                f"<td>{numbers.with_sign(difference.mean, report.digits)} "
                f'<span class="half">± {shown(difference.half, report.digits)}</span></td>'
                f"<td>{escape(numbers.p_value(difference.p))}</td><td>{difference.n:,}</td></tr>\n"
            )
    return f"<h3>{escape(pair[0])} − {escape(pair[1])}</h3>\n{_grid(head, rows)}"


def _disagreements(found: Disagreements, digits: int) -> str:
    if not found.pairs:
        return ""
    items = [escape(disagreement(each, digits)) for each in found.different]
    return _paragraph(agreement(found)) + _list("others", items)


def _figure(caption: str, svg: str) -> str:
    return f'<figure>\n<div class="plot">{svg}</div>\n<figcaption>{escape(caption)}</figcaption>\n</figure>\n'


def _parameters(parameters: Parameters | None) -> str:
    if parameters is None:
        return ""
    head = ['<th scope="col">parameter</th>']
    head += [_column_head(column, column in parameters.document_only) for column in parameters.columns]
    rows = []
    for name in parameters.names:
        cells = "".join(_parameter(parameters, name, column) for column in parameters.columns)
        rows.append(f'<tr><th scope="row">{escape(name)}</th>{cells}</tr>\n')
    return _grid(head, rows)


def _parameter(parameters: Parameters, name: str, column: str) -> str:
    parts = []
    if (name, column) in parameters.found:
        parts.append(f"<span>{escape(numbers.bare(parameters.found[name, column]))}</span>")
    if (name, column) in parameters.document:
        parts.append(f'<span class="document">doc {numbers.bare(parameters.document[name, column])}</span>')
    return f"<td>{''.join(parts) or NOTHING}</td>"


def _making(report: Report) -> str:
    facts = [
        ("command", f"<code>{escape(report.command)}</code>" if report.command else ""),
        ("runs", f"{report.done:,} of {report.wanted:,}"),
        ("machines", "<br>".join(escape(machine) for machine in report.machines)),
        ("versions", "<br>".join(escape(version) for version in report.versions)),
    ]
    lines = "".join(f"<dt>{name}</dt><dd>{fact}</dd>\n" for name, fact in facts if fact)
    return f"<dl>\n{lines}</dl>\n"
