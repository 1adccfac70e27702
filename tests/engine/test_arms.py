"""Arms against plain Python: document 003's equations (2) and (3), means and deviations of payoffs, what is kept."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.arms import make_arms
from arbora.engine.bandit import ucb1_tuned
from arbora.engine.run import with_records

MOVES = np.array([7, 3, 5, 9], np.int32)
payoffs = st.one_of(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1))
histories = st.lists(st.tuples(st.integers(0, 3), payoffs), max_size=60)


def begun(count=4, levels=1, level=0):
    arms = with_records(make_arms(levels, len(MOVES)))
    arms.begin(level, MOVES, count)
    return arms


def learned(history, count=4):
    """Arms after these play-outs, and the payoffs of each."""
    arms, found = begun(count), [[] for _ in range(count)]
    for arm, payoff in history:
        arms.learn(0, arm % count, payoff)
        found[arm % count].append(payoff)
    return arms, found


def urgency(seen, total):
    """Equations (2) and (3) by the letter."""
    visits = len(seen)
    mean = sum(seen) / visits
    variance = sum(x * x for x in seen) / visits - mean**2 + math.sqrt(2 * math.log(total) / visits)
    return mean + math.sqrt(math.log(total) / visits * min(1 / 4, variance))


@given(histories, st.integers(1, 4))
def test_the_pick_has_the_highest_bound(history, count):
    arms, found = learned(history, count)
    picked = arms.pick_tuned(0)
    untried = [arm for arm in range(count) if not found[arm]]
    if untried:
        assert picked == untried[0]
    else:
        bounds = [urgency(seen, len(history)) for seen in found]
        assert bounds[picked] == pytest.approx(max(bounds), abs=1e-9)


@given(st.lists(payoffs, min_size=1, max_size=8), st.integers(1, 300), st.integers(0, 10**5))
def test_the_bound_is_that_of_the_document(seen, times, others):
    seen = seen * times
    total, visits = len(seen) + others, len(seen)
    squares = sum(payoff**2 for payoff in seen)
    bound = ucb1_tuned(sum(seen) / visits, squares / visits, visits, math.log(total))
    assert bound == pytest.approx(urgency(seen, total), abs=1e-7)


def test_the_variance_counts_where_it_is_low():
    """Both were tried equally often; the better one is sure, the other one may yet be worth more."""
    arms = begun(2)
    for i in range(2000):
        arms.learn(0, 0, 0.51)
        arms.learn(0, 1, float(i % 2))
    assert urgency([0.51] * 2000, 4000) < urgency([0.0, 1.0] * 1000, 4000)
    assert arms.best(0) == 0
    assert arms.pick_tuned(0) == 1


@given(histories)
def test_equal_picks_are_the_least_tried(history):
    arms, found = learned(history)
    tried = [len(seen) for seen in found]
    assert arms.pick_equal(0) == tried.index(min(tried))


def test_equal_picks_go_in_turn():
    arms, picked = begun(3), []
    for _ in range(7):
        picked.append(arms.pick_equal(0))
        arms.learn(0, picked[-1], 0.5)
    assert picked == [0, 1, 2, 0, 1, 2, 0]


@given(histories)
def test_means_and_deviations(history):
    arms, found = learned(history)
    means = [statistics.fmean(seen) if seen else 0.0 for seen in found]
    for arm, seen in enumerate(found):
        assert arms.mean(0, arm) == pytest.approx(means[arm], abs=1e-12)
        assert arms.deviation(0, arm) == pytest.approx(statistics.pstdev(seen) if seen else 0.0, abs=1e-7)
    assert means[arms.best(0)] == pytest.approx(max(means), abs=1e-12)
    assert arms.drawn[0] == len(history)


def test_of_equal_means_the_first_is_best():
    arms, _ = learned([(1, 0.5), (2, 1.0), (2, 0.0), (3, 0.25)])
    assert arms.best(0) == 1
    assert begun().best(0) == 0


@given(histories, st.floats(0, 1))
def test_what_is_kept_counts_for_a_share(history, share):
    arms, found = learned(history)
    arms.keep(0, share)
    assert arms.drawn[0] == pytest.approx(share * len(history))
    for arm, seen in enumerate(found):
        row = arms.rows[0, arm]
        assert row.visits == pytest.approx(share * len(seen))
        assert row.total == pytest.approx(share * sum(seen))
        assert row.squares == pytest.approx(share * sum(payoff**2 for payoff in seen))
        if seen and share > 1e-3:
            assert arms.mean(0, arm) == pytest.approx(statistics.fmean(seen))
            assert arms.deviation(0, arm) == pytest.approx(statistics.pstdev(seen), abs=1e-6)


@given(histories, histories)
def test_keeping_nothing_is_beginning_anew(before, after):
    arms, _ = learned(before)
    arms.keep(0, 0.0)
    for arm, payoff in after:
        arms.learn(0, arm, payoff)
    assert arms.rows.array.tobytes() == learned(after)[0].rows.array.tobytes()
    assert arms.pick_tuned(0) == learned(after)[0].pick_tuned(0)


@pytest.mark.parametrize("drawn", [0.0, 0.5, 1.0, 1.5, 2.0, 99.0, 4094.5, 4095.0, 4096.0, 4097.0, 1e9, 2.0**40 + 0.5])
def test_the_logarithm_of_all_draws_is_looked_up(drawn):
    arms = begun()
    arms.drawn[0] = drawn
    assert arms.log_drawn(0) == pytest.approx(math.log(max(drawn, 1.0)), rel=1e-15)


def test_levels_know_nothing_of_each_other():
    arms = begun(levels=3, level=1)
    arms.learn(1, 2, 0.75)
    before = arms.rows.array[1].tobytes()
    arms.begin(2, MOVES[::-1].copy(), 2)
    arms.begin(0, MOVES, 1)
    arms.learn(2, 0, 1.0)
    arms.keep(0, 0.0)
    assert arms.rows.array[1].tobytes() == before
    assert (arms.count.tolist(), arms.drawn.tolist()) == ([1, 4, 2], [0.0, 1.0, 1.0])
    assert [int(arms.rows[2, arm].move) for arm in range(2)] == [9, 5]
    arms.begin(1, MOVES, 4)
    assert [float(arms.rows[1, arm].visits) for arm in range(4)] == [0.0] * 4
