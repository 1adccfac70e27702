"""The report in a terminal."""

from io import StringIO

import pytest
import report_examples as examples
from report_examples import cells_of, results
from rich.console import Console

from arbora.lab.experiment import Claim, Layout
from arbora.lab.numbers import decimals, with_interval
from arbora.lab.tables import make_report
from arbora.lab.terminal import show

EXAMPLES = {"time": examples.over_time, "settings": examples.settings, "total": examples.positions}


def printed(made, width=100):
    out = StringIO()
    show(make_report(made), Console(file=out, width=width))
    return [line.rstrip() for line in out.getvalue().splitlines()]


def test_a_whole_report():
    made = cells_of(
        {"x": {"a": [10, 14], "b": [7, 8]}, "y": {"a": [30, 31], "b": [40, 41]}},
        layout=Layout(rows=("playouts",), columns=("search",)),
        source="001, Table 1",
        about="Two searches.",
        differs="All of it.",
        document={"score": {"x": {"a": 8.0, "b": 5.0}, "y": {"a": 50.0, "b": 40.0}}},
        document_columns=("a", "b"),
        claims=(Claim("a is better in x", ((None, "a"), (None, "b")), "x"),),
        compare=(("a", "b"),),
        wanted=8,
        command="arbora lab run mine.toml",
    )
    assert printed(made) == [
        "Example",
        "001, Table 1 · mine · paper scale",
        "Two searches.",
        "",
        "score",
        "playouts             a             b",
        "x              12 ± 25         8 ± 6",
        "           doc 8 ×1.50   doc 5 ×1.50",
        "y               30 ± 6        40 ± 6",
        "          doc 50 ×0.61  doc 40 ×1.01",
        "n 2 in each cell",
        "",
        "what the document says",
        "~ a is better in x",
        "  seen, not significant  x: 12 > 8 (p 0.2)",
        "",
        "comparisons: first − second, paired",
        "columns  playouts  difference      p  pairs",
        "a − b    x            +4 ± 19    0.2      2",
        "a − b    y            -10 ± 0  <1e-9      2",
        "",
        "order of the columns",
        "1 of 2 pairs of columns come out in the document's order; the others:",
        "  y: a 30, b 40 (p <1e-9); the document has 50 and 40",
        "",
        "what differs, and why",
        "All of it.",
        "",
        "8 of 8 runs",
        "arbora lab run mine.toml",
    ]


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("width", [100, 45])
def test_every_mean_is_there_and_nothing_is_wider_than_the_console(name, width):
    made = EXAMPLES[name]()
    lines = printed(made, width)
    assert max(map(len, lines)) <= width
    report = make_report(made)
    for table in report.tables:
        for cell in table.cells.values():
            if cell.summary is not None:
                assert any(with_interval(cell.summary, decimals(table.value, report.digits)) in line for line in lines)


def test_wide_tables_come_in_parts():
    columns = [f"column{number}" for number in range(12)]
    lines = printed(cells_of({"x": {column: [1000, 1010] for column in columns}}, columns, layout=Layout(rows=("row",))), 60)
    heads = [line.split() for line in lines if "column" in line]
    assert [len(head) - 1 for head in heads] == [4, 4, 4]
    assert [column for head in heads for column in head[1:]] == columns
    assert {head[0] for head in heads} == {"row"}


def test_numbers_of_runs_that_differ_are_told_in_each_cell():
    lines = printed(cells_of({"": {"a": [1, 2], "b": [3]}}))
    assert any(line.split() == ["n", "2", "n", "1"] for line in lines)


def test_square_brackets_are_no_markup():
    made = cells_of({"[red]x": {"[bold]a": [1], "b": [2]}}, ("[bold]a", "b"), title="[/] [b]", layout=Layout(rows=("[i]r",)))
    lines = printed(made)
    assert lines[0] == "[/] [b]"
    assert any(line.startswith("[red]x") for line in lines)
    assert any("[bold]a" in line for line in lines)


def test_tuned_parameters():
    lines = printed(examples.settings())
    at = lines.index("tuned parameters")
    assert lines[at + 2].split() == ["parameter", "per", "game", "document", "only", "document", "only"]
    threshold = next(line for line in lines[at:] if line.startswith("threshold"))
    assert threshold.split() == ["threshold", "12", "doc", "10", "doc", "11"]


def test_nothing_but_the_head_without_runs():
    assert printed(results([], columns=("ours",))) == ["Example", "mine · paper scale", "", "0 of 0 runs"]
