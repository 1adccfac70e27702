"""Upper confidence bounds by hand, and scaling against the scaled scores themselves."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.engine.bandit import scaled, ucb1_tuned_width, ucb1_width


@pytest.mark.parametrize(
    ("mean", "mean_square", "visits", "log_total", "width"),
    [
        (0.5, 0.5, 2, 1.0, 0.5),  # bound of the variance 0.25 + 1, so 1/4 counts: sqrt(1 * 1/4)
        (0.5, 0.29, 200, 1.0, math.sqrt(0.01 * 0.14)),  # 0.29 - 0.25 + sqrt(0.01) = 0.14
        (0.5, 0.25, 200, 1.0, math.sqrt(0.01 * 0.1)),  # no variance seen
        (0.3, 0.29, 800, 4.0, math.sqrt(0.01 * 0.25)),  # 0.29 - 0.09 + 0.1 = 0.3, so 1/4 counts
        (0.7, 0.49, 1, 0.0, 0.0),
    ],
)
def test_ucb1_tuned(mean, mean_square, visits, log_total, width):
    assert ucb1_tuned_width(mean, mean_square, visits, log_total) == pytest.approx(width, rel=1e-12)


@pytest.mark.parametrize(("visits", "log_total", "width"), [(2, 1.0, 1.0), (8, 1.0, 0.5), (1, 2.0, 2.0), (5, 0.0, 0.0)])
def test_ucb1(visits, log_total, width):
    assert ucb1_width(visits, log_total) == pytest.approx(width, rel=1e-12)


@settings(deadline=None)
@given(st.lists(st.integers(-3000, 3000), min_size=1, max_size=20), st.integers(-3000, 0), st.integers(1, 3000))
def test_scaling_sums_equals_scaling_scores(scores, low, high):
    low, high = min(low, *scores), max(high, *scores)
    rewards = [(score - low) / (high - low) for score in scores]
    mean, square = scaled(float(sum(scores)), float(sum(score**2 for score in scores)), len(scores), low, high)
    assert mean == pytest.approx(sum(rewards) / len(scores), abs=1e-9)
    assert square == pytest.approx(sum(reward**2 for reward in rewards) / len(scores), abs=1e-9)


def test_one_score_alone_is_in_the_middle():
    assert scaled(30.0, 300.0, 3, 10.0, 10.0) == (0.5, 0.25)


def test_rounding_never_makes_a_variance_negative():
    scores = [1e8 + 0.1] * 3
    mean, square = scaled(sum(scores), sum(score**2 for score in scores), 3, 0.0, 2e8)
    assert square >= mean**2
