"""Experiments of matches: numbers by seat and by side, ratios of times, from the file to the report."""

import math
from dataclasses import replace
from io import StringIO

import numpy as np
import pytest
from report_examples import results, run
from rich.console import Console

from arbora.batch import store
from arbora.lab import html, loading, plots, session
from arbora.lab.experiment import Claim, Layout
from arbora.lab.export import runs_of
from arbora.lab.numbers import shown, with_interval
from arbora.lab.results import OTHERS
from arbora.lab.statistics import summarize
from arbora.lab.tables import make_report
from arbora.lab.terminal import show

TEXT = """
title = "A match"
[grid]
problem = "kuhn-poker"
search = { PIMC = "pimc,playouts=20" }
against = { random = "random", "few steps" = "pimc,steps={steps}" }
steps = 30
seed = "1-6"
[report]
rows = ["against", "seat"]
columns = "side"
values = ["score", "playouts", "seconds", "time-ratio", "rate"]
digits = 6
plots = ["bars"]
[[claim]]
text = "PIMC moves once or twice a game"
order = ["PIMC"]
value = "playouts"
below = 100
at = "every"
[[claim]]
text = "it thinks more than five times in the first seat"
order = ["PIMC"]
value = "playouts"
above = 100
at = "few steps, 1"
"""


# a match, played


@pytest.fixture(scope="module")
def match(tmp_path_factory):
    """The experiment, its database, and how many runs were made."""
    folder = tmp_path_factory.mktemp("match")
    (folder / "match.toml").write_text(TEXT)
    experiment = loading.load(str(folder / "match.toml"))
    completed = session.run(experiment, folder / "lab.sqlite", 1, "threads")
    assert list(completed.failures) == []
    return experiment, folder / "lab.sqlite", completed.new


@pytest.fixture(scope="module")
def report(match):
    return make_report(session.gather(*match[:2]))


def records(match):
    with store.reading(match[1]) as kept:
        return list(kept.all())


def test_every_game_is_played_once_however_many_sides_are_shown(match):
    experiment, database, new = match
    assert new == len(records(match)) == 12
    again = session.run(experiment, database, 1, "threads")
    assert (again.known, again.new) == (12, 0)
    found = session.gather(experiment, database)
    assert (found.wanted, found.done, len(found.observations)) == (12, 12, 24)


def test_every_game_is_exported_once_with_the_place_of_the_search(match):
    rows = runs_of(session.stored(*match[:2]))
    assert len(rows) == 12
    assert {row["column"] for row in rows} == {"PIMC"}
    assert {(row["row"], (row["seed"] - 1) % 2) for row in rows} == {
        (f"{against}, {seat + 1}", seat) for against in ("random", "few steps") for seat in (0, 1)
    }


def test_both_sides_have_their_own_play_outs_and_seconds(match, report):
    tables = {table.value: table for table in report.tables}
    assert tables["score"].columns == ("PIMC", "random", "few steps")
    assert tables["score"].rows == ("random, 1", "random, 2", "few steps, 1", "few steps, 2")
    for against, spec in (("random", "random"), ("few steps", "pimc,steps=30")):
        for seat in (0, 1):
            first = [one for one in records(match) if one.against == spec and (one.seed - 1) % 2 == seat]
            second = [one for one in records(match) if one.against == spec and (one.seed - 1) % 2 != seat]
            row = f"{against}, {seat + 1}"
            expected = {
                ("score", "PIMC"): [one.score for one in first],
                ("playouts", "PIMC"): [one.playouts for one in first],
                ("seconds", "PIMC"): [one.seconds for one in first],
                ("rate", "PIMC"): [one.playouts / one.seconds for one in first],
                ("playouts", against): [one.against_playouts for one in second],
                ("seconds", against): [one.against_seconds for one in second],
            }
            for (value, column), numbers in expected.items():
                assert len(numbers) == 3, (value, row, column)
                assert tables[value].cells[row, column].summary.mean == pytest.approx(sum(numbers) / 3), (value, row, column)


def test_the_score_is_that_of_the_search_alone(report):
    (score,) = (table for table in report.tables if table.value == "score")
    assert all((cell.summary is not None) == (column == "PIMC") for (_, column), cell in score.cells.items())


def test_who_does_not_think_has_no_rate_and_is_nobodys_measure(report):
    tables = {table.value: table for table in report.tables}
    for seat in (1, 2):
        assert tables["playouts"].cells[f"random, {seat}", "random"].summary.mean == 0
        assert tables["seconds"].cells[f"random, {seat}", "random"].summary.mean == 0
        assert tables["rate"].cells[f"random, {seat}", "random"].summary is None
        assert tables["time-ratio"].cells[f"random, {seat}", "PIMC"].summary is None
        assert tables["time-ratio"].cells[f"random, {seat}", "random"].summary.mean == 0


def test_the_report_for_people_has_both_sides(match, report):
    out = StringIO()
    show(report, Console(file=out, width=120))
    said = out.getvalue()
    lines = [line.split() for line in said.splitlines()]
    assert lines.count(["against,", "seat", "PIMC", "random", "few", "steps"]) == 5
    assert ["seconds", "for", "each", "second", "of", "the", "opponent"] in lines
    page = html.render(report, plots.draw(report, session.gather(*match[:2])))
    (seconds,) = (table for table in report.tables if table.value == "seconds")
    for column in ("PIMC", "few steps"):
        for seat in (1, 2):
            summary = seconds.cells[f"few steps, {seat}", column].summary
            assert summary.mean > 0
            assert with_interval(summary, 6) in said
            assert shown(summary.mean, 6) in page
    assert "✓ PIMC moves once or twice a game\n  seen  in 4 of 4 rows, significant in 4\n" in said
    assert "✗ it thinks more than five times in the first seat\n  not seen  few steps, 1: " in said
    for words in ("few steps, 2", '<th scope="col">PIMC', "econds for each second of the opponent", "significant in 4"):
        assert words in page
    assert (page.count('class="sign seen"'), page.count('class="sign not-seen"')) == (1, 1)


def test_the_other_side_s_rows_are_by_the_seat_that_it_had_itself(match):
    experiment, database, _ = match
    apart = replace(experiment, layout=Layout(rows=("side", "seat"), columns=("against",), values=("playouts",)))
    table = make_report(session.gather(apart, database)).tables[0]
    assert table.rows == ("PIMC, 1", "PIMC, 2", "random, 1", "random, 2", "few steps, 1", "few steps, 2")
    for seat, numbers in ((1, (2, 4, 6)), (2, (1, 3, 5))):  # of the games in which it sat there
        played = [one.against_playouts for one in records(match) if one.against != "random" and one.seed in numbers]
        assert table.cells[f"few steps, {seat}", "few steps"].summary.mean == pytest.approx(sum(played) / 3)
        assert table.cells[f"few steps, {seat}", "random"].summary is None


# ratios of times


def timed(pairs, column="a", row="") -> list:
    return [run(1, row, column, seed=seed, seconds=own, **{OTHERS: others}) for seed, (own, others) in enumerate(pairs, 1)]


def ratios(made):
    return next(table for table in make_report(made).tables if table.value == "time-ratio")


BY_SIDE = Layout(columns=("side",), values=("time-ratio",))


def test_the_ratio_is_that_of_the_mean_times():
    found = ratios(results(timed([(1, 2), (2, 2), (3, 5)]), layout=BY_SIDE)).cells["", "a"].summary
    assert (found.n, found.mean) == (3, pytest.approx(2 / 3))
    # own - 2/3 others is -1/3, 2/3, -1/3, around 0; the others' mean is 3
    assert found.sd == pytest.approx(math.sqrt((1 + 4 + 1) / 9 / 2) / 3)
    assert found.half == pytest.approx(4.302653 * found.sd / math.sqrt(3), rel=1e-6)  # t of 2 degrees of freedom


def test_games_in_which_the_other_side_did_not_think_count_too():
    assert ratios(results(timed([(1, 0), (3, 0), (2, 4)]), layout=BY_SIDE)).cells["", "a"].summary.mean == 1.5


def test_times_in_proportion_leave_nothing_open():
    found = ratios(results(timed([(1, 2), (3, 6), (0.5, 1)]), layout=BY_SIDE)).cells["", "a"].summary
    assert (found.mean, found.half) == (0.5, pytest.approx(0, abs=1e-12))


def test_the_ratios_of_both_sides_are_each_other_s_inverse():
    pairs = [(1, 2), (2, 2), (3, 5)]
    table = ratios(results([*timed(pairs), *timed([pair[::-1] for pair in pairs], "b")], layout=BY_SIDE))
    assert table.cells["", "a"].summary.mean * table.cells["", "b"].summary.mean == pytest.approx(1)
    assert table.smaller_is_better
    assert table.best("") == ("a",)


def test_the_interval_of_a_ratio_is_that_of_a_bootstrap():
    rng = np.random.default_rng(1)
    length = rng.uniform(0.5, 1.5, 300)  # of a game: both sides think longer in a long one
    own, others = length * rng.lognormal(-0.5, 0.5, 300), length * rng.lognormal(0, 0.3, 300)
    found = ratios(results(timed(list(zip(own, others, strict=True))), layout=BY_SIDE)).cells["", "a"].summary
    drawn = rng.integers(0, 300, (4000, 300))
    resampled = own[drawn].mean(axis=1) / others[drawn].mean(axis=1)
    low, high = np.quantile(resampled, (0.025, 0.975))
    assert found.mean == pytest.approx(own.mean() / others.mean())
    assert found.half == pytest.approx((high - low) / 2, rel=0.08)
    assert abs(summarize(own / others).half / found.half - 1) > 0.1  # the mean of single games' ratios is something else


def test_claims_about_ratios_have_the_smallest_first():
    saves = [(1 + 0.01 * i, 2) for i in range(10)]
    spends = [(3 + 0.01 * i, 2) for i in range(10)]
    claims = (
        Claim("a saves more than b", ((None, "a"), (None, "b")), value="time-ratio"),
        Claim("a saves 40 % or more", ((None, "a"),), value="time-ratio", below=0.6),
        Claim("b takes more than 1.6 times as long", ((None, "b"),), value="time-ratio", above=1.6),
    )
    made = make_report(results([*timed(saves), *timed(spends, "b")], layout=BY_SIDE, claims=claims))
    assert [verdict.word for verdict in made.verdicts] == ["seen", "seen", "not seen"]
    assert [verdict.numbers.partition(" (")[0] for verdict in made.verdicts] == ["0.52 < 1.52", "0.52 < 0.60", "1.52 < 1.60"]
