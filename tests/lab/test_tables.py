"""The model of a report: cells, ratios, totals, claims and disagreements, from runs with known numbers."""

import json
import math

import pytest
import report_examples as examples
from report_examples import cells_of, results, run

from arbora.lab.cells import Cell
from arbora.lab.experiment import Claim, Layout
from arbora.lab.statistics import Summary, paired, summarize, welch
from arbora.lab.tables import as_object, make_report
from arbora.tune.cem import Outcome

BY_ROW = Layout(rows=("playouts",), columns=("search",))
A_OVER_B = ((None, "a"), (None, "b"))


def table_of(made, value="score"):
    return next(table for table in make_report(made).tables if table.value == value)


def verdict_of(made):
    (verdict,) = make_report(made).verdicts
    return verdict


# cells


def test_runs_of_a_cell_are_averaged_beside_the_document():
    made = cells_of({"": {"a": [10, 14], "b": [7]}}, document={"score": {"": {"a": 8.0}}}, document_columns=("a",))
    table = table_of(made)
    assert table.cells["", "a"] == Cell(summarize([10, 14]), 8.0, 1.5)
    assert table.cells["", "b"].summary.n == 1
    assert table.cells["", "b"].document is None
    assert table.best("") == ("a",)


def test_ratio_needs_both_numbers_and_a_document_that_is_not_zero():
    document = {"score": {"": {"a": 0.0, "c": 5.0}}}
    table = table_of(cells_of({"": {"a": [10], "b": [7]}}, document=document, document_columns=("a", "c")))
    assert [table.cells["", column].ratio for column in "abc"] == [None, None, None]


def test_numbers_that_cannot_be_compared_are_shown_only():
    document = {"score": {"": {"a": 8.0, "b": 9.0}}}
    report = make_report(
        cells_of({"": {"a": [10, 14], "b": [7]}}, document=document, document_columns=("a", "b"), comparable=False)
    )
    assert report.tables[0].cells["", "a"] == Cell(summarize([10, 14]), 8.0, None)
    assert report.disagreements.pairs == 0


def test_rows_and_columns_of_the_document_come_after_ours():
    document = {"score": {"y": {"b": 3.0, "c": 4.0}, "x": {"c": 5.0}, "z": {"d": math.nan}}}
    made = cells_of({"x": {"a": [1]}}, layout=BY_ROW, document=document, document_columns=("c", "b", "d"))
    table = table_of(made)
    assert table.rows == ("x", "y")
    assert table.columns == ("a", "b", "c")
    assert table.document_only == ("c",)
    assert table.cells["y", "c"] == Cell(None, 4.0, None)
    assert table.cells["x", "b"] == Cell()


def test_standard_deviation_of_the_scores():
    layout = Layout(columns=("search",), values=("sd",))
    made = cells_of(
        {"": {"a": [10, 14], "b": [7]}}, layout=layout, document={"sd": {"": {"a": 4.0}}}, document_columns=("a",)
    )
    cell = table_of(made, "sd").cells["", "a"]
    assert (cell.summary.n, cell.summary.mean) == (2, pytest.approx(math.sqrt(8)))
    assert math.isnan(cell.summary.half)
    assert cell.ratio == pytest.approx(math.sqrt(8) / 4)
    assert table_of(made, "sd").cells["", "b"].summary is None


def test_other_values_and_runs_that_lack_them():
    layout = Layout(columns=("search",), values=("depth", "rate"))
    made = results(
        [run(1, seed=1, depth=4), run(2, seed=2, depth=math.nan), run(3, seed=3, depth=8), run(4, seed=4)], layout=layout
    )
    report = make_report(made)
    assert [table.value for table in report.tables] == ["depth"]
    assert report.tables[0].cells["", "a"].summary == summarize([4, 8])


def test_games_of_one_deal_count_by_their_mean():
    """They are no independent runs: with good and bad cards in turn, their spread is not that of deals."""
    layout = Layout(columns=("search",))
    made = results(
        [run(score, seed=deal) for deal, scores in enumerate([(0, 4), (1, 5), (0, 6)]) for score in scores], layout=layout
    )
    assert table_of(made, "score").cells["", "a"].summary == summarize([2, 3, 3])


def test_lower_scores_are_shown_without_their_minus():
    layout = Layout(columns=("search",), values=("score", "sd"), lower_is_better=True)
    made = cells_of(
        {"": {"a": [-10, -14], "b": [-20, -22]}},
        layout=layout,
        document={"score": {"": {"a": 8.0}}},
        document_columns=("a",),
    )
    assert table_of(made).cells["", "a"] == Cell(summarize([10, 14]), 8.0, 1.5)
    assert table_of(made).best("") == ("a",)
    assert table_of(made, "sd").cells["", "a"].summary.mean == pytest.approx(math.sqrt(8))


def test_equal_means_are_all_the_best_and_a_single_one_is_not():
    table = table_of(cells_of({"x": {"a": [3], "b": [3]}, "y": {"a": [3]}}, layout=BY_ROW))
    assert table.best("x") == ("a", "b")
    assert table.best("y") == ()


def test_without_any_number_there_is_no_table():
    assert make_report(results([], columns=("ours",))).tables == ()


# times


def timed(**given):
    """Two runs of `a`, 1 and 4 seconds long."""
    runs = [
        run(9, seed=1, seconds=0.99, trace=[(0.2, 1, 5), (0.5, 2, 9)]),
        run(20, seed=2, seconds=4.0, trace=[(0.6, 1, 10), (2.0, 2, 15), (3.9, 3, 20)]),
    ]
    layout = Layout(rows=("time",), columns=("search",), times=(0.1, 0.2, 0.5, 1.0, 2.0, 8.0), **given.pop("layout", {}))
    return results(runs, [f"{time:g}" for time in layout.times], ("a",), layout=layout, **given)


def test_best_score_at_each_time():
    table = table_of(timed())
    assert table.rows == ("0.1", "0.2", "0.5", "1", "2")
    assert table.cells["0.1", "a"].summary is None
    assert table.cells["0.2", "a"].summary.mean == 5
    assert table.cells["0.5", "a"].summary.mean == 9
    assert table.cells["1", "a"].summary == summarize([9, 10])  # a run of 0.99 seconds counts at 1
    assert table.cells["2", "a"].summary == Summary(
        1, 15.0, pytest.approx(math.nan, nan_ok=True), pytest.approx(math.nan, nan_ok=True)
    )


def test_times_of_the_document_stand_in_order_and_in_its_spelling():
    table = table_of(
        timed(document={"score": {"8.0": {"a": 30.0}, "0.50": {"a": 3.0}, "4": {"a": 7.0}}}, document_columns=("a",))
    )
    assert table.rows == ("0.1", "0.2", "0.5", "1", "2", "4", "8")
    assert table.cells["8", "a"] == Cell(None, 30.0, None)
    assert table.cells["0.5", "a"].ratio == 3
    assert table.cells["4", "a"].summary is None


def test_only_scores_are_read_off_over_time():
    report = make_report(timed(layout={"values": ("score", "sd", "playouts")}))
    assert [table.value for table in report.tables] == ["score", "sd"]
    assert report.tables[1].cells["1", "a"].summary.mean == pytest.approx(math.sqrt(0.5))


def test_lower_scores_over_time():
    layout = Layout(rows=("time",), columns=("search",), times=(1.0,), lower_is_better=True)
    made = results([run(-7, trace=[(0.1, 1, -9), (0.9, 2, -7)])], ["1"], ("a",), layout=layout)
    assert table_of(made).cells["1", "a"].summary.mean == 7


# totals

TOTALS = Layout(rows=("instance",), columns=("search",), total=True)


def test_total_is_the_sum_of_the_means():
    document = {"score": {"1": {"a": 4.0, "c": 1.0}, "2": {"a": 6.0, "c": 2.0}}}
    scores = {"1": {"a": [3, 5], "b": [1]}, "2": {"a": [10, 12]}}
    table = table_of(cells_of(scores, layout=TOTALS, document=document, document_columns=("a", "c")))
    assert table.rows == ("1", "2", "total")
    total = table.cells["total", "a"]
    assert (total.summary.n, total.summary.mean, total.document, total.ratio) == (4, 15, 10, 1.5)
    assert total.summary.half == pytest.approx(welch([3, 5], [-10, -12]).half)
    assert table.cells["total", "b"] == Cell()
    assert table.cells["total", "c"] == Cell(None, 3.0, None)


def test_total_of_the_document_itself():
    document = {"score": {"1": {"a": 4.0}, "Total": {"a": 100.0}}}
    table = table_of(
        cells_of({"1": {"a": [50]}, "2": {"a": [150]}}, layout=TOTALS, document=document, document_columns=("a",))
    )
    assert table.rows == ("1", "2", "total")
    assert table.cells["total", "a"].ratio == 2


def test_rows_that_only_the_document_has_leave_us_without_total():
    document = {"score": {"1": {"a": 4.0}, "2": {"a": 6.0}}}
    table = table_of(cells_of({"1": {"a": [3]}}, layout=TOTALS, document=document, document_columns=("a",)))
    assert table.cells["total", "a"] == Cell(None, 10.0, None)


def test_standard_deviations_are_not_summed():
    layout = Layout(rows=("instance",), columns=("search",), values=("sd",), total=True)
    assert table_of(cells_of({"1": {"a": [1, 2]}}, layout=layout), "sd").rows == ("1",)


# comparisons


def test_comparisons_pair_runs_by_instance_and_seed():
    first = [run(score, "x", "a", instance, seed) for score, instance, seed in [(10, "1", 1), (20, "1", 2), (33, "2", 1)]]
    second = [run(score, "x", "b", instance, seed) for score, instance, seed in [(30, "2", 1), (8, "1", 1), (99, "3", 1)]]
    (found,) = make_report(results(first + second, ("x",), layout=BY_ROW, compare=(("a", "b"),))).comparisons
    assert (found.first, found.second, found.row) == ("a", "b", "x")
    assert found.difference == paired([10, 33], [8, 30])


def test_comparison_needs_two_pairs():
    scores = {"x": {"a": [1, 2], "b": [3]}, "y": {"a": [1, 2], "b": [3, 5]}}
    report = make_report(cells_of(scores, layout=BY_ROW, compare=(("a", "b"), ("a", "nothing"))))
    assert [found.row for found in report.comparisons] == ["y"]


def test_comparison_of_totals_is_of_all_pairs():
    scores = {"1": {"a": [5, 6], "b": [3, 5]}, "2": {"a": [20, 24], "b": [10, 11]}}
    total = make_report(cells_of(scores, layout=TOTALS, compare=(("a", "b"),))).comparisons[-1]
    whole = paired([5, 6, 20, 24], [3, 5, 10, 11])
    assert (total.row, total.difference.n, total.difference.p) == ("total", 4, whole.p)
    assert total.difference.mean == (5.5 + 22) - (4 + 10.5) == 2 * whole.mean
    assert total.difference.half == 2 * whole.half


# claims


@pytest.mark.parametrize(
    ("a", "b", "word", "numbers"),
    [
        ([3038, 3040, 3036], [2069, 2070, 2068], "seen", "3,038 > 2,069 (p 4e-7)"),
        ([10, 30], [9, 28], "seen, not significant", "20 > 18 (p 0.2)"),
        ([1, 2], [3, 5], "not seen", "2 < 4 (p 0.13)"),
        ([1, 3], [2, 2], "not seen", "2 = 2 (p 1)"),
        ([5], [3], "seen, not significant", "5 > 3"),
        ([5, 6], [], "no data", ""),
    ],
)
def test_words_for_a_claim(a, b, word, numbers):
    verdict = verdict_of(cells_of({"": {"a": a, "b": b}}, claims=(Claim("a is better", A_OVER_B),)))
    assert (verdict.text, verdict.word, verdict.numbers) == ("a is better", word, numbers)


@pytest.mark.parametrize(
    ("limit", "word", "numbers"),
    [
        ({"above": 0.5}, "seen", "0.85 > 0.50 (p 0.01)"),
        ({"above": 0.7}, "seen, not significant", "0.85 > 0.70 (p 0.19)"),
        ({"above": 0.9}, "not seen", "0.85 < 0.90 (p 0.65)"),
        ({"below": 1.2}, "seen", "0.85 < 1.20 (p 0.01)"),
        ({"below": 0.9}, "seen, not significant", "0.85 < 0.90 (p 0.65)"),
        ({"below": 0.7}, "not seen", "0.85 > 0.70 (p 0.19)"),
        ({"below": 0.85}, "not seen", "0.85 = 0.85 (p 1)"),
    ],
)
def test_a_claim_may_be_about_a_number(limit, word, numbers):
    scores = [1, 1, 1, 1, 1, 1, 1, 1, 0, 0.5]
    layout = Layout(columns=("search",), digits=2)
    made = cells_of({"": {"a": scores, "b": []}}, layout=layout, claims=(Claim("a wins", ((None, "a"),), **limit),))
    verdict = verdict_of(made)
    assert (verdict.word, verdict.numbers) == (word, numbers)
    assert verdict.findings[0].means == (0.85, *limit.values())
    assert verdict.findings[0].p == pytest.approx([paired(scores, [*limit.values()] * 10).p])


def test_the_last_of_an_order_may_have_a_limit_too():
    scores = {"": {"a": [30, 31, 33], "b": [20, 21, 22]}}
    above, below, less = (
        Claim("", A_OVER_B, above=19),
        Claim("", A_OVER_B, below=25),
        Claim("", A_OVER_B[::-1], value="seconds", below=2),
    )
    verdicts = make_report(cells_of(scores, claims=(above, below))).verdicts
    assert [verdict.numbers for verdict in verdicts] == [
        "31 > 21 > 19 (p 0.001, 0.074)", "31 > 21 < 25 (p 0.001, 0.02)",
    ]  # fmt: skip
    assert [verdict.word for verdict in verdicts] == ["seen, not significant", "seen"]
    runs = [
        run(0, column=column, seed=seed, seconds=seconds + seed / 100)
        for column, seconds in [("a", 1.5), ("b", 1)]
        for seed in (1, 2, 3)
    ]
    timed_ones = verdict_of(results(runs, claims=(less,)))
    assert (timed_ones.word, timed_ones.findings[0].means) == ("seen", pytest.approx((1.02, 1.52, 2)))


def test_every_step_of_a_claim_is_tested():
    scores = {"": {"a": [30, 31, 32], "b": [20, 21, 22], "c": [19, 21, 22]}}
    claim = Claim("a, then b, then c", ((None, "a"), (None, "b"), (None, "c")))
    verdict = verdict_of(cells_of(scores, ("a", "b", "c"), claims=(claim,)))
    assert verdict.word == "seen, not significant"
    assert verdict.findings[0].means == (31, 21, pytest.approx(62 / 3))
    assert verdict.findings[0].p == (0.0, paired([20, 21, 22], [19, 21, 22]).p)


def test_runs_that_do_not_all_pair_are_tested_by_welch():
    a, b = [30, 41, 52], [20, 21]
    verdict = verdict_of(cells_of({"": {"a": a, "b": b}}, claims=(Claim("", A_OVER_B),)))
    assert verdict.findings[0].p == (welch(a, b).p,)


def test_claim_with_less_as_better():
    layout = Layout(columns=("search",), lower_is_better=True)
    made = cells_of({"": {"a": [-10, -11], "b": [-20, -21]}}, layout=layout, claims=(Claim("", A_OVER_B),))
    assert (verdict_of(made).word, verdict_of(made).numbers) == ("seen", "10 < 20 (p <1e-9)")


ROWS = {"x": {"a": [5, 6], "b": [1, 2]}, "y": {"a": [3, 4], "b": [5, 6]}, "z": {"a": [9, 9]}}


@pytest.mark.parametrize(
    ("at", "word", "numbers"),
    [
        ("first", "seen", "x: 6 > 2 (p <1e-9)"),
        ("last", "not seen", "y: 4 < 6 (p <1e-9)"),
        ("x", "seen", "x: 6 > 2 (p <1e-9)"),
        ("z", "no data", ""),
        ("every", "not seen", "in 1 of 2 rows, significant in 1; not in y: 4 < 6 (p <1e-9)"),
    ],
)
def test_rows_of_a_claim(at, word, numbers):
    verdict = verdict_of(cells_of(ROWS, layout=BY_ROW, claims=(Claim("", A_OVER_B, at),)))
    assert (verdict.word, verdict.numbers) == (word, numbers)


def test_claim_that_holds_in_every_row():
    scores = {"x": {"a": [5, 6], "b": [1, 2]}, "y": {"a": [8, 6], "b": [5, 5]}}
    made = cells_of(scores, layout=BY_ROW, claims=(Claim("", A_OVER_B, "every"),))
    assert verdict_of(made).word == "seen, not significant"
    assert verdict_of(made).numbers == "in 2 of 2 rows, significant in 1"


def test_claim_about_cells_of_other_rows():
    claims = (Claim("", (("y", "b"), ("x", "b"))), Claim("", ((None, "a"), ("y", "a")), "first"))
    apart, mixed = make_report(cells_of(ROWS, layout=BY_ROW, claims=claims)).verdicts
    assert (apart.word, apart.numbers) == ("seen", "6 > 2 (p <1e-9)")
    assert (mixed.word, mixed.numbers) == ("seen", "x: 6 > 4 (p <1e-9)")


def test_claim_about_a_time_in_the_documents_spelling():
    claim = Claim("", (("1.0", "a"), ("0.50", "a")))
    assert verdict_of(timed(claims=(claim,))).numbers == "10 > 9"


def test_claim_about_another_value_than_those_shown():
    runs = [
        run(1, column=column, seed=seed, depth=depth)
        for column, seed, depth in [("a", 1, 8), ("a", 2, 9), ("b", 1, 2), ("b", 2, 3)]
    ]
    made = results(runs, claims=(Claim("", A_OVER_B, value="depth"),))
    assert verdict_of(made).word == "seen"
    assert [table.value for table in make_report(made).tables] == ["score"]


def test_claim_about_spread_compares_distances_from_the_median():
    made = cells_of({"": {"a": [0, 50, 100], "b": [49, 50, 52]}}, claims=(Claim("", A_OVER_B, value="sd"),))
    verdict = verdict_of(made)
    assert verdict.findings[0].means == (50, pytest.approx(1.527525))
    assert verdict.findings[0].p == (paired([50, 0, 50], [1, 0, 2]).p,)


def test_claim_about_the_total():
    scores = {"1": {"a": [5, 6], "b": [3, 5]}, "2": {"a": [20, 24], "b": [10, 11]}}
    verdict = verdict_of(cells_of(scores, layout=TOTALS, claims=(Claim("", A_OVER_B),)))
    assert verdict.findings[0].row == "total"
    assert verdict.findings[0].means == (27.5, 14.5)
    assert verdict.findings[0].p == (paired([5, 6, 20, 24], [3, 5, 10, 11]).p,)


SUMS = {"x": {"a": [1, 2, 3]}, "y": {"a": [5, 6, 7, 9]}, "z": {"a": [20, 20.5]}}
ONLY_A = ((None, "a"),)


@pytest.mark.parametrize(
    ("claim", "row", "word"),
    [
        (Claim("", ONLY_A, "total", above=25), "total", "seen"),
        (Claim("", ONLY_A, "total", below=29.5), "total", "seen, not significant"),
        (Claim("", ONLY_A, "total", below=28), "total", "not seen"),
        (Claim("", ONLY_A, above=19), "z", "seen, not significant"),
        (Claim("", ONLY_A, "first", below=5), "x", "seen"),
    ],
)
def test_a_limit_is_for_a_row_unless_the_total_is_asked_for(claim, row, word):
    (finding,) = verdict_of(cells_of(SUMS, ("a",), layout=TOTALS, claims=(claim,))).findings
    assert (finding.row, finding.word) == (row, word)


def test_a_limit_in_every_row_leaves_the_total_out():
    verdict = verdict_of(cells_of(SUMS, ("a",), layout=TOTALS, claims=(Claim("", ONLY_A, "every", below=25),)))
    assert [finding.row for finding in verdict.findings] == ["x", "y", "z"]
    assert verdict.numbers == "in 3 of 3 rows, significant in 3"


def test_the_order_of_columns_in_every_row_is_looked_at_in_the_total_too():
    scores = {"1": {"a": [5, 6], "b": [3, 5]}, "2": {"a": [20, 24], "b": [10, 11]}}
    verdict = verdict_of(cells_of(scores, layout=TOTALS, claims=(Claim("", A_OVER_B, "every"),)))
    assert [finding.row for finding in verdict.findings] == ["1", "2", "total"]


def test_the_total_is_tested_against_a_limit_by_the_interval_that_it_is_shown_with():
    for off, word in ((1.01, "seen"), (0.99, "seen, not significant")):
        total = table_of(cells_of(SUMS, ("a",), layout=TOTALS)).cells["total", "a"].summary
        claim = Claim("", ONLY_A, "total", above=total.mean - off * total.half)
        assert verdict_of(cells_of(SUMS, ("a",), layout=TOTALS, claims=(claim,))).word == word


def test_rows_of_unequal_numbers_of_runs_count_alike_in_a_total():
    scores = {"x": {"a": [1.0, 1.1] * 50}, "y": {"a": [3.0, 3.1]}}
    claim = Claim("", ONLY_A, "total", above=4.05)
    (finding,) = verdict_of(cells_of(scores, ("a",), layout=TOTALS, claims=(claim,))).findings
    assert finding.means[0] == pytest.approx(4.1)
    assert finding.p == pytest.approx([welch(scores["x"]["a"], [4.05 - 3.0, 4.05 - 3.1]).p])


# disagreements


def test_pairs_in_another_order_than_in_the_document():
    document = {"score": {"x": {"a": 3.0, "b": 2.0, "c": 1.0}, "y": {"a": 1.0, "b": 1.0, "c": 2.0, "d": 9.0}}}
    scores = {"x": {"a": [5, 6], "b": [9, 8], "c": [1, 1]}, "y": {"a": [4], "b": [5], "c": [4]}}
    made = cells_of(scores, ("a", "b", "c"), layout=BY_ROW, document=document, document_columns=("a", "b", "c", "d"))
    found = make_report(made).disagreements
    assert found.pairs == 3 + 2  # a and b of the second row are equal in the document
    assert [(each.row, each.first, each.second, each.ours, each.document) for each in found.different] == [
        ("x", "a", "b", (5.5, 8.5), (3.0, 2.0)),
        ("y", "a", "c", (4.0, 4.0), (1.0, 2.0)),
        ("y", "b", "c", (5.0, 4.0), (1.0, 2.0)),
    ]
    assert found.different[0].p == paired([5, 6], [9, 8]).p


# the rest


def test_notes():
    made = cells_of(
        {"": {"a": [1]}}, wanted=3, older=1, scale="quick", reduced=True, missing=("a.txt", "b.txt"), comparable=False,
        document={"score": {"": {"a": 1.0}}},
    )  # fmt: skip
    assert make_report(made).notes == (
        "a.txt and b.txt were not found; the boards are random ones instead",
        "the document's numbers are for other boards and are not compared",
        "2 of 3 runs are still missing",
        "1 of the runs was made by an earlier version of the code",
        "at quick scale: smaller budgets than the document's",
    )


def test_no_notes_if_all_is_well():
    assert make_report(cells_of({"": {"a": [1]}})).notes == ()
    assert make_report(cells_of({"": {"a": [1]}}, scale="quick")).notes == ()


def test_tuned_parameters_beside_the_documents():
    document = {"parameter": {"threshold": {"manual": 10.0, "mine": 13.0}, "weight": {"manual": 0.02, "mine": math.nan}}}
    winner = {"threshold": 12, "policy": "tabu"}
    made = results([], document=document, document_columns=("manual", "mine"), tunings={"mine": Outcome({}, (), {}, winner)})
    parameters = make_report(made).parameters
    assert parameters.names == ("threshold", "policy", "weight")
    assert parameters.columns == ("mine", "manual")
    assert parameters.document_only == ("manual",)
    assert parameters.found == {("threshold", "mine"): 12, ("policy", "mine"): "tabu"}
    assert parameters.document == {("threshold", "manual"): 10, ("threshold", "mine"): 13, ("weight", "manual"): 0.02}


@pytest.mark.parametrize(
    "made", [examples.over_time(), examples.settings(), examples.positions()], ids=["time", "settings", "total"]
)
def test_object_is_json_with_everything(made):
    report = make_report(made)
    content = json.loads(json.dumps(as_object(report), allow_nan=False))
    assert [table["value"] for table in content["tables"]] == [table.value for table in report.tables]
    for told, table in zip(content["tables"], report.tables, strict=True):
        assert len(told["cells"]) == len(table.rows) * len(table.columns)
        for cell in told["cells"]:
            ours = table.cells[cell["row"], cell["column"]]
            assert (cell["document"], cell["ratio"]) == (ours.document, ours.ratio)
            assert cell.get("mean") == (ours.summary and ours.summary.mean)
    assert [each["word"] for each in content["verdicts"]] == [each.word for each in report.verdicts]
    assert [each["mean"] for each in content["comparisons"]] == [each.difference.mean for each in report.comparisons]
    assert content["disagreements"]["pairs"] == report.disagreements.pairs
    assert content["notes"] == list(report.notes)
    assert (content["done"], content["wanted"]) == (report.done, report.wanted)


def test_object_has_null_for_what_is_not_a_number():
    content = as_object(make_report(cells_of({"": {"a": [5], "b": []}})))
    ours, empty = content["tables"][0]["cells"]
    assert (ours["mean"], ours["half"], ours["sd"], ours["document"]) == (5, None, None, None)
    assert "mean" not in empty
