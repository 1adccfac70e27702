"""A report in the terminal."""

from collections.abc import Iterator, Sequence

from rich.console import Console
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from arbora.lab import numbers
from arbora.lab.cells import Cell, Table
from arbora.lab.numbers import NOTHING, TITLES, decimals, shown
from arbora.lab.samples import TOTAL
from arbora.lab.tables import Parameters, Report
from arbora.lab.verdicts import NO_DATA, NOT_SEEN, SEEN, WEAK, Comparison, Disagreements, Verdict
from arbora.lab.words import agreement, disagreement, document_heading

SIGNS = {SEEN: ("✓", "green"), WEAK: ("~", "yellow"), NOT_SEEN: ("✗", "red"), NO_DATA: ("–", "dim")}
GAP = 2  # blanks between columns
ONLY_DOCUMENT = "document only"


def show(report: Report, console: Console) -> None:
    """Print everything but the plots. Tables that are too wide come in parts, one below the other."""
    _say(console, Text(report.title, style="bold"))
    _say(console, Text(document_heading(report), style="dim"))
    if report.about:
        _say(console, Text(report.about))
    for note in report.notes:
        _say(console, Text.assemble(("note  ", "yellow"), note))
    for table in report.tables:
        _show_table(table, report, console)
    _show_verdicts(report.verdicts, console)
    _show_comparisons(report, console)
    _show_disagreements(report.disagreements, report.digits, console)
    if report.differs:
        _heading("what differs, and why", console)
        _say(console, Text(report.differs))
    if report.parameters is not None:
        _show_parameters(report.parameters, console)
    _show_making(report, console)


def _show_table(table: Table, report: Report, console: Console) -> None:
    _heading(TITLES[table.value], console)
    digits = decimals(table.value, report.digits)
    counts = {cell.summary.n for (row, _), cell in table.cells.items() if cell.summary is not None and row != TOTAL}
    cells = {}
    for row in table.rows:
        best = table.best(row) if table.value == "score" else ()
        for column in table.columns:
            with_n = len(counts) > 1 and row != TOTAL
            cells[row, column] = _cell(table.cells[row, column], column in best, digits, with_n)
    _show_grid(report.row_title, table.rows, table.columns, table.document_only, cells, console)
    if len(counts) == 1:
        _say(console, Text(f"n {counts.pop():,} in each cell", style="dim"))


def _cell(cell: Cell, best: bool, digits: int, with_n: bool) -> Text:
    lines = []
    if cell.summary is not None:
        lines.append(Text(numbers.with_interval(cell.summary, digits), style="bold" if best else ""))
    if cell.document is not None:
        ratio = "" if cell.ratio is None else f" {numbers.ratio(cell.ratio)}"
        lines.append(Text(f"doc {shown(cell.document, digits)}{ratio}", style="dim"))
    if cell.summary is not None and with_n:
        lines.append(Text(f"n {cell.summary.n:,}", style="dim"))
    return Text("\n").join(lines) if lines else Text(NOTHING, style="dim")


def _show_grid(
    corner: str,
    rows: Sequence[str],
    columns: Sequence[str],
    document_only: Sequence[str],
    cells: dict[tuple[str, str], Text],
    console: Console,
) -> None:
    """Cells by rows and columns, as many columns at a time as the console is wide."""
    margin = max(_width(Text(label)) for label in (corner, *rows)) + GAP
    widths = {column: max(_head_width(column), *(_width(cells[row, column]) for row in rows)) + GAP for column in columns}
    for part in _parts(widths, console.width - margin):
        grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
        grid.add_column(Text(corner, style="dim"), no_wrap=True)
        for column in part:
            head = Text(column, style="bold")
            if column in document_only:
                head.append(f"\n{ONLY_DOCUMENT}", style="dim not bold")
            grid.add_column(head, justify="right")
        for row in rows:
            grid.add_row(Text(row), *(cells[row, column] for column in part))
        console.print(grid, highlight=False)


def _parts(widths: dict[str, int], room: int) -> Iterator[list[str]]:
    """Columns that fit beside each other; one that fits nowhere stands alone."""
    part: list[str] = []
    for column, width in widths.items():
        if part and sum(widths[each] for each in part) + width > room:
            yield part
            part = []
        part.append(column)
    yield part


def _width(text: Text) -> int:
    return max((line.cell_len for line in text.split("\n")), default=0)


def _head_width(column: str) -> int:
    """A heading may be broken between words."""
    return max((Text(word).cell_len for word in column.split()), default=0)


def _show_verdicts(verdicts: Sequence[Verdict], console: Console) -> None:
    if not verdicts:
        return
    _heading("what the document says", console)
    for verdict in verdicts:
        sign, style = SIGNS[verdict.word]
        _say(console, Text.assemble((f"{sign} ", style), verdict.text))
        line = Text.assemble((verdict.word, style), (f"  {verdict.numbers}" if verdict.numbers else "", "dim"))
        console.print(Padding(line, (0, 0, 0, 2), expand=False), highlight=False)


def _show_comparisons(report: Report, console: Console) -> None:
    if not report.comparisons:
        return
    _heading("comparisons: first − second, paired", console)
    grid = Grid(box=None, padding=(0, GAP, 0, 0), pad_edge=False)
    for name in ("columns", report.row_title):
        grid.add_column(Text(name, style="dim"))
    for name in ("difference", "p", "pairs"):
        grid.add_column(Text(name, style="dim"), justify="right")
    for each in report.comparisons:
        grid.add_row(*_comparison(each, report.digits))
    console.print(grid, highlight=False)


def _comparison(each: Comparison, digits: int) -> list[Text]:
    difference = each.difference
    told = f"{numbers.with_sign(difference.mean, digits)} ± {shown(difference.half, digits)}"
    cells = [f"{each.first} − {each.second}", each.row, told, numbers.p_value(difference.p), f"{difference.n:,}"]
    return [Text(cell) for cell in cells]


def _show_disagreements(found: Disagreements, digits: int, console: Console) -> None:
    if found.pairs:
        _heading("order of the columns", console)
        _say(console, Text(agreement(found)))
    for each in found.different:
        console.print(Padding(Text(disagreement(each, digits), style="dim"), (0, 0, 0, 2), expand=False), highlight=False)


def _show_parameters(parameters: Parameters, console: Console) -> None:
    _heading("tuned parameters", console)
    cells = {}
    for name in parameters.names:
        for column in parameters.columns:
            lines = []
            if (name, column) in parameters.found:
                lines.append(Text(numbers.bare(parameters.found[name, column])))
            if (name, column) in parameters.document:
                lines.append(Text(f"doc {numbers.bare(parameters.document[name, column])}", style="dim"))
            cells[name, column] = Text("\n").join(lines) if lines else Text(NOTHING, style="dim")
    _show_grid("parameter", parameters.names, parameters.columns, parameters.document_only, cells, console)


def _show_making(report: Report, console: Console) -> None:
    parts = [f"{report.done:,} of {report.wanted:,} runs", *report.machines, *report.versions]
    console.print()
    _say(console, Text("; ".join(parts), style="dim"))
    if report.command:
        _say(console, Text(report.command, style="dim"))


def _heading(title: str, console: Console) -> None:
    console.print()
    _say(console, Text(title, style="bold cyan"))


def _say(console: Console, text: Text) -> None:
    console.print(text, highlight=False)
