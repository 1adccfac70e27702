"""Intervals and Elo against known values."""

import math

import pytest
from scipy import special

from arbora.match.statistics import elo, mean_interval, student, wilson


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        (8, 10, 0.4902, 0.9433),
        (1, 10, 0.0179, 0.4042),
        (0, 20, 0.0, 0.1611),
        (10, 10, 0.7225, 1.0),
        (50, 100, 0.4038, 0.5962),
    ],
)
def test_wilson(won, games, low, high):
    assert wilson(won / games, games) == pytest.approx((low, high), abs=5e-5)


def test_nothing_is_known_without_games():
    assert wilson(0.5, 0) == (0.0, 1.0)
    assert mean_interval([3.0]) == (-math.inf, math.inf)


@pytest.mark.parametrize("freedom", [1, 2, 3, 5, 10, 100, 10_000])
def test_students_quantile(freedom):
    assert student(freedom) == pytest.approx(special.stdtrit(freedom, 0.975), rel=0.01 if freedom == 3 else 0.002)


def test_interval_of_a_mean():
    # mean 3, sd √2.5, five values: 3 ± 2.776 · 0.7071
    assert mean_interval([1, 2, 3, 4, 5]) == pytest.approx((1.037, 4.963), abs=0.006)


@pytest.mark.parametrize(("score", "difference"), [(0.5, 0.0), (0.64, 99.95), (10 / 11, 400.0), (1 / 11, -400.0)])
def test_elo(score, difference):
    assert elo(score) == pytest.approx(difference, abs=0.01)


def test_elo_has_no_end():
    assert elo(1.0) == math.inf
    assert elo(0.0) == -math.inf
