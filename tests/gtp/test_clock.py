"""Time: shared out over the moves to come, never more than is left."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.gtp.clock import Clock, Left, Settings, allotted

LEAST = 0.001
times = st.floats(0, 1e5)
settings = st.builds(Settings, main=times, period=times, stones=st.integers(0, 30))


@given(times, st.integers(0, 361))
def test_absolute_time_is_never_exceeded(seconds, empty_points):
    assert allotted(Left(seconds), Settings(seconds), empty_points) <= max(seconds / 8, LEAST)


@given(times, st.integers(1, 30), settings, st.integers(0, 361))
def test_a_period_is_never_exceeded(seconds, stones, made, empty_points):
    assert allotted(Left(seconds, stones), made, empty_points) <= max(seconds / stones, LEAST)


@given(times, times, st.integers(1, 30), st.integers(0, 361))
def test_main_time_with_periods_to_come_is_never_exceeded(main, period, stones, empty_points):
    share = allotted(Left(main), Settings(main, period, stones), empty_points)
    assert share <= max(main / 8, period / stones, LEAST)


@given(settings.filter(lambda made: made.main + made.period > 1), st.lists(st.floats(0.0, 1.0), max_size=100))
def test_a_clock_that_is_kept_to_never_runs_out(made, parts):
    """Whatever share of the allotted time each move takes, there is time for the next."""
    clock, empty = Clock(made), 361
    for part in parts:
        seconds = clock.seconds(0, empty)
        assert seconds is not None
        if seconds > LEAST:
            clock.spend(0, seconds * part)
        empty = max(empty - 2, 0)
        assert clock.left[0].seconds >= 0


def test_lag_is_kept_back():
    assert allotted(Left(10.0, 1), Settings(0, 10, 1), 50) == pytest.approx(9.0)
    assert allotted(Left(10.0, 5), Settings(0, 10, 5), 50) == pytest.approx(1.8)


def test_main_time_lasts_for_the_game():
    """A game of 9×9 in which each move is thought about for as long as allowed."""
    clock, spent = Clock(Settings(300.0)), []
    for empty in range(81, 10, -2):
        spent.append(clock.seconds(0, empty))
        clock.spend(0, spent[-1] + 0.2)
    assert 200 < sum(spent) < 300
    assert min(spent) > 1


def test_no_limit():
    clock = Clock()
    assert clock.seconds(0, 81) is None
    clock.spend(0, 100.0)
    assert clock.seconds(0, 81) is None


def test_periods_are_counted_without_reports():
    clock = Clock(Settings(10.0, 30.0, 3))
    clock.spend(0, 15.0)  # five seconds into the first period, one stone of three
    assert clock.left == [Left(25.0, 2), Left(10.0)]
    clock.spend(0, 5.0)
    clock.spend(0, 5.0)
    assert clock.left[0] == Left(30.0, 3)


def test_reports_count():
    clock = Clock(Settings(10.0, 30.0, 3))
    clock.report(0, 7.0, 2)
    assert clock.left[0] == Left(7.0, 2)
    japanese = Clock(Settings(10.0, 30.0, 1, one_by_one=True))
    japanese.report(0, 30.0, 5)  # five periods
    assert japanese.left[0] == Left(30.0, 1)
    unknown = Clock()
    unknown.report(1, 60.0, 0)
    assert unknown.seconds(1, 81) < 60
    assert unknown.seconds(0, 81) is None
