"""Plots: well-formed, with all that they should show, and able to stand beside each other."""

import sys
from collections import Counter
from dataclasses import replace
from xml.etree import ElementTree

import pytest
import report_examples as examples
from report_examples import cells_of, results, run

from arbora.errors import BadInput
from arbora.lab import plots
from arbora.lab.experiment import PLOTS, Layout
from arbora.lab.tables import make_report
from arbora.svg import with_own_ids

SVG = "{http://www.w3.org/2000/svg}"


def drawn(made, *kinds):
    """Captions and SVG elements of these kinds of plots."""
    layout = replace(made.experiment.layout, plots=kinds)
    made = replace(made, experiment=replace(made.experiment, layout=layout), tunings={})
    return [(caption, ElementTree.fromstring(svg)) for caption, svg in plots.draw(make_report(made), made)]


def ids(element):
    return [part.get("id") for part in element.iter() if part.get("id") is not None]


def counted(element):
    """How many lines, bars, boxes and numbers of the document there are."""
    kinds = (name.split("-")[2] for name in ids(element) if name.count("-") >= 3)
    return Counter(kind for kind in kinds if kind in ("line", "bar", "box", "document"))


def texts(element):
    return ["".join(text.itertext()).strip() for text in element.iter(f"{SVG}text")]


def test_score_over_time_has_a_line_for_each_column_and_one_for_the_document():
    ((caption, svg),) = drawn(examples.over_time(), "time")
    assert counted(svg) == {"line": 3, "document": 3}
    assert {"no tabu", "tabu", "t > 10", "seconds", "best score so far"} <= set(texts(svg))
    assert caption == "Best score so far over the seconds of search; mean and 95 % interval. Dashed: the document."


def test_score_over_time_for_each_row():
    runs = [run(9, row, "a", seed=seed, trace=[(0.1, 1, 5), (0.5, 2, 9)]) for row in ("x", "y") for seed in (1, 2)]
    made = results(runs, ("x", "y"), ("a", "b"), layout=Layout(rows=("playouts",), columns=("search",)))
    assert [counted(svg) for _, svg in drawn(made, "time")] == [{"line": 1}, {"line": 1}]
    assert [caption.rpartition("; ")[2] for caption, _ in drawn(made, "time")] == ["x.", "y."]


def test_line_over_time_by_hand():
    runs = [run(9, seed=1, trace=[(0.1, 1, 5), (0.5, 2, 9)]), run(11, seed=2, trace=[(0.1, 1, 7), (0.5, 2, 11)])]
    moments, means, halves = plots._line(runs)
    assert (moments[0], moments[-1]) == (pytest.approx(0.1), pytest.approx(1.0))
    assert set(means[moments < 0.5]) == {6.0}
    assert set(means[moments >= 0.5]) == {10.0}
    assert halves == pytest.approx([12.7062047] * len(moments))  # t of one degree of freedom, standard error 1


def test_line_over_time_ends_with_the_middle_of_its_runs():
    ends = (1.0, 2.0, 3.0, 50.0)
    moments, means, _ = plots._line([run(9, seed=seed, seconds=end, trace=[(0.1, 1, 9)]) for seed, end in enumerate(ends)])
    assert 2.8 < moments[-1] <= 3.06
    assert set(means) == {9.0}


def test_line_over_time_does_not_fall_because_a_good_run_has_ended_or_a_bad_one_begun():
    runs = [
        run(9, seed=1, seconds=1.0, trace=[(0.1, 1, 5), (0.5, 2, 9)]),
        run(3, seed=2, seconds=2.0, trace=[(0.2, 1, 1), (0.6, 2, 3)]),
    ]
    moments, means, _ = plots._line(runs)
    assert (moments[0], moments[-1]) == (pytest.approx(0.2), pytest.approx(2.0))
    assert list(dict.fromkeys(means)) == [3.0, 5.0, 6.0]


def test_lines_bars_and_boxes_of_a_table():
    made = examples.settings()
    for kind, expected in {
        "lines": {"line": 3, "document": 3},
        "bars": {"bar": 6, "document": 6},
        "differences": {"bar": 4},
        "boxes": {"box": 6},
    }.items():
        ((_, svg),) = drawn(made, kind)
        assert counted(svg) == expected, kind


def test_rows_with_names_are_named_on_the_axis():
    made = cells_of({"low": {"a": [1, 2]}, "high": {"a": [3, 4]}}, layout=Layout(rows=("level",), columns=("search",)))
    for kind in ("lines", "bars", "boxes"):
        ((_, svg),) = drawn(made, kind)
        assert {"low", "high"} <= set(texts(svg)), kind


def test_columns_are_named_on_the_axis_if_there_is_one_row():
    made = cells_of({"": {"a": [1, 2], "b": [3, 4]}})
    ((_, svg),) = drawn(made, "bars")
    assert counted(svg) == {"bar": 2}
    assert texts(svg).count("a") == texts(svg).count("b") == 1


def test_numbers_of_a_document_that_cannot_be_compared_are_left_out():
    ((caption, svg),) = drawn(examples.positions(), "bars")
    assert counted(svg) == {"bar": 40}  # twenty positions, the total left out
    assert caption == "Score: means and 95 % intervals."


def test_nothing_is_drawn_without_data():
    assert drawn(results([]), *PLOTS) == []
    assert drawn(results([], document={"score": {"": {"a": 3.0}}}, document_columns=("a",)), *PLOTS) == []


def test_labels_are_text_and_no_formulas():
    ((_, svg),) = drawn(cells_of({"": {"$x$ <b>": [1, 2], "5$": [3, 4]}}, ("$x$ <b>", "5$")), "bars")
    assert {"$x$ <b>", "5$"} <= set(texts(svg))


def test_plots_of_a_page_share_no_ids_and_keep_their_references():
    both = [*drawn(examples.settings(), *PLOTS), *drawn(examples.settings(), "bars")]
    assert len(both) == 5
    every = [name for _, svg in both[:4] for name in ids(svg)]
    assert len(every) == len(set(every))
    for _, svg in both:
        known = set(ids(svg))
        for part in svg.iter():
            for key, value in part.attrib.items():
                if key.endswith("href"):
                    assert value[1:] in known
                if "url(#" in value:
                    assert value.partition("url(#")[2].partition(")")[0] in known


def test_the_same_runs_make_the_same_text():
    made = examples.settings()
    report = make_report(made)
    assert plots.draw(report, made) == plots.draw(report, made)
    assert "dc:date" not in plots.draw(report, made)[0][1]


def test_tunings_come_last():
    made = examples.settings()
    drawings = plots.draw(make_report(made), made)
    assert len(drawings) == 5
    assert drawings[-1][0] == "How the tuning “per game” narrowed down."
    assert all(name.startswith("tuning-1-") for name in ids(ElementTree.fromstring(drawings[-1][1])))


def test_ids_in_texts_stay_as_they_are():
    svg = '<svg xmlns="http://www.w3.org/2000/svg"><g id="a"><text fill="url(#a)">id="a" #a</text></g></svg>'
    changed = ElementTree.fromstring(with_own_ids(svg, "mine"))
    (text,) = changed.iter(f"{SVG}text")
    assert (ids(changed), text.get("fill"), text.text) == (["mine-a"], "url(#mine-a)", 'id="a" #a')


def test_missing_matplotlib_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput) as caught:
        drawn(examples.settings(), "bars")
    assert str(caught.value) == "matplotlib is not installed; pip install 'arbora[lab]'"
