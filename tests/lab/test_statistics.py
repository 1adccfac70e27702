"""Confidence intervals and t-tests, against published numbers and scipy.stats."""

import math
import sys

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from arbora.errors import BadInput
from arbora.lab.statistics import Difference, Summary, half_widths, p_of_sum, paired, sum_of, summarize, welch

# Student's own example (1908): hours of sleep gained by ten patients with each of two drugs
FIRST_DRUG = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0]
SECOND_DRUG = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4]

samples = st.lists(st.integers(-1000, 1000), min_size=2, max_size=30)


def test_summary_by_hand():
    summary = summarize([2, 4, 4, 4, 5, 5, 7, 9])
    assert (summary.n, summary.mean) == (8, 5.0)
    assert summary.sd == pytest.approx(math.sqrt(32 / 7))
    assert summary.half == pytest.approx(2.364624 * summary.sd / math.sqrt(8), rel=1e-6)  # t of 7 degrees of freedom


@pytest.mark.parametrize(("values", "n", "mean"), [([], 0, math.nan), ([7], 1, 7.0)])
def test_too_few_values_have_no_interval(values, n, mean):
    summary = summarize(values)
    assert summary.n == n
    assert summary.mean == pytest.approx(mean, nan_ok=True)
    assert math.isnan(summary.sd)
    assert math.isnan(summary.half)


def test_equal_values_have_an_interval_of_zero():
    assert summarize([3, 3, 3]) == Summary(3, 3.0, 0.0, 0.0)


def test_half_widths_are_those_of_summaries():
    one, other = summarize(FIRST_DRUG), summarize([1, 2, 4])
    assert list(half_widths(np.array([one.sd, other.sd]), np.array([10, 3]))) == pytest.approx([one.half, other.half])


def test_paired_test_of_students_sleep_data():
    difference = paired(FIRST_DRUG, SECOND_DRUG)
    assert difference.n == 10
    assert difference.mean == pytest.approx(-1.58)
    assert difference.mean - difference.half == pytest.approx(-2.4598858, abs=1e-7)
    assert difference.mean + difference.half == pytest.approx(-0.7001142, abs=1e-7)
    assert difference.p == pytest.approx(0.002833, abs=5e-7)


def test_welch_test_of_students_sleep_data():
    difference = welch(FIRST_DRUG, SECOND_DRUG)
    assert difference.n == 20
    assert difference.mean - difference.half == pytest.approx(-3.3654832, abs=1e-7)
    assert difference.mean + difference.half == pytest.approx(0.2054832, abs=1e-7)
    assert difference.p == pytest.approx(0.07939, abs=5e-6)


@pytest.mark.filterwarnings("ignore:Precision loss")
@settings(deadline=None)
@given(first=samples, second=samples)
def test_tests_are_those_of_scipy(first, second):
    short = min(len(first), len(second))
    pairs = first[:short], second[:short]
    if len({one - other for one, other in zip(*pairs, strict=True)}) > 1:
        expected = stats.ttest_rel(*pairs)
        assert paired(*pairs).p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-300)
        assert paired(*pairs).half == pytest.approx(np.ptp(expected.confidence_interval()) / 2)
    if len(set(first)) > 1 or len(set(second)) > 1:
        expected = stats.ttest_ind(first, second, equal_var=False)
        assert welch(first, second).p == pytest.approx(expected.pvalue, rel=1e-6, abs=1e-300)
        assert welch(first, second).half == pytest.approx(np.ptp(expected.confidence_interval()) / 2)


@pytest.mark.parametrize(("above", "p"), [(0, 1.0), (5, 0.0)])
def test_constant_differences(above, p):
    assert paired([1 + above, 2 + above, 4 + above], [1, 2, 4]) == Difference(3, above, 0.0, p)
    assert welch([3 + above, 3 + above], [3, 3]) == Difference(4, above, 0.0, p)


@pytest.mark.parametrize("test", [paired, welch])
def test_single_values_have_no_p(test):
    difference = test([5], [3])
    assert difference.mean == 2
    assert math.isnan(difference.half)
    assert math.isnan(difference.p)


def test_sum_of_two_means_has_the_interval_of_welch():
    first, second = [3, 5, 9, 4], [20, 30, 70]
    total = sum_of([summarize(first), summarize(second)])
    assert (total.n, total.mean) == (7, pytest.approx(5.25 + 40))
    assert total.half == pytest.approx(welch(first, [-value for value in second]).half)
    assert math.isnan(total.sd)


def test_sum_with_a_single_run_has_no_interval():
    assert math.isnan(sum_of([summarize([1, 2]), summarize([3])]).half)


def test_a_single_mean_is_tested_as_pairs_with_the_limit_are():
    assert p_of_sum([summarize(FIRST_DRUG)], 0.2) == pytest.approx(paired(FIRST_DRUG, [0.2] * 10).p)


def test_a_sum_is_tested_as_its_parts_are_by_welch():
    first, second = [3, 5, 9, 4], [20, 30, 70]
    parts = [summarize(first), summarize(second)]
    assert p_of_sum(parts, 20) == pytest.approx(welch(first, [20 - value for value in second]).p)
    total = sum_of(parts)
    assert p_of_sum(parts, total.mean - total.half) == pytest.approx(0.05)
    assert p_of_sum(parts, total.mean) == 1


def test_a_sum_with_a_single_run_has_no_p():
    assert math.isnan(p_of_sum([summarize([1, 2]), summarize([3])], 0))


def test_missing_scipy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "scipy", None)
    with pytest.raises(BadInput) as caught:
        summarize([1, 2])
    assert str(caught.value) == "scipy is not installed; pip install 'arbora[lab]'"
