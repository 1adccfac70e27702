"""AMCTS against document 003, Section 4: how many play-outs, and when it searches again."""

import math
import statistics

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from perft import position

import arbora
from arbora.engine.arms import make_arms
from arbora.engine.run import LAST_STEP, PLAYOUTS, STEPS, make_run, with_records
from arbora.problem import like_compiled
from arbora.search.amcts import is_close

CHEAP = arbora.AMCTS(inner=arbora.PIMC(playouts=1))


def arms_of(found):
    """Arms that have seen these payoffs."""
    arms = with_records(make_arms(1, len(found)))
    arms.begin(0, np.arange(len(found), dtype=np.int32), len(found))
    for arm, payoffs in enumerate(found):
        for payoff in payoffs:
            arms.learn(0, arm, payoff)
    return arms


def close(found, worlds):
    """Equation (6), for any action but the best."""
    means = [statistics.fmean(payoffs) for payoffs in found]
    best = means.index(max(means))
    limits = [(statistics.pstdev(found[best]) + statistics.pstdev(payoffs)) / math.sqrt(worlds) for payoffs in found]
    return any(means[best] - means[arm] < limits[arm] for arm in range(len(found)) if arm != best)


@pytest.mark.parametrize(
    ("found", "worlds", "is_it"),
    [
        ([[0.75, 0.5], [0.5, 0.25]], 1, False),  # a gap of 1/4, deviations of 1/8 each: just not
        ([[0.75, 0.5], [0.5001, 0.25]], 1, True),
        ([[0.75, 0.5], [0.625, 0.375]], 1, True),
        ([[0.75, 0.5], [0.625, 0.375]], 4, False),  # the gap is 1/8, and so is half of both deviations
        ([[0.75, 0.5], [0.625, 0.3751]], 4, True),
        ([[0.5, 0.25], [0.75, 0.5]], 1, False),  # whichever stands first
        ([[0.9], [0.8]], 1, False),  # nothing varies
        ([[0.9], [0.8], [0.0, 1.0]], 1, True),  # not the second best, but another one that varies
        ([[0.9], [0.8], [0.0, 1.0]], 4, False),
        ([[0.5, 0.5], [0.5, 0.5]], 1, False),
        ([[0.5], []], 1, False),  # never tried: 0 for sure
        ([[0.5]], 1, False),
    ],
)
def test_equation_6(found, worlds, is_it):
    assert is_close(arms_of(found), 0, float(worlds)) == is_it


payoffs = st.lists(st.integers(0, 4).map(lambda reward: reward / 4), min_size=1, max_size=12)


@given(st.lists(payoffs, min_size=1, max_size=4), st.sampled_from([1, 2, 3, 5, 8, 1000]))
def test_equation_6_by_the_letter(found, worlds):
    arms = arms_of(found)
    best = int(arms.best(0))
    margins = [
        (statistics.pstdev(found[best]) + statistics.pstdev(found[arm])) / math.sqrt(worlds)
        - (statistics.fmean(found[best]) - statistics.fmean(found[arm]))
        for arm in range(len(found))
        if arm != best
    ]
    if all(abs(margin) > 1e-7 for margin in margins):
        assert is_close(arms, 0, float(worlds)) == close(found, worlds)


def searched(search, df=0.0, seed=1, moves=(2, 5), playouts=None, steps=None):
    """A run of AMCTS from a position of the document's tree: play-outs, what the arms are left with, and the run."""
    game = arbora.SyntheticTree(trees=1, df=df, seed=seed)
    run = with_records(make_run(game, search, seed=seed, playouts=playouts))
    if steps is not None:
        run.part[LAST_STEP] = steps
    with like_compiled():
        run.states[0] = position(game, list(moves))
        search.run(game, run)
    kept = sum(float(run.work.arms.rows[0, arm].visits) for arm in range(2))
    assert sum(float(run.team.rows[0, arm].visits) for arm in range(2)) == pytest.approx(kept)
    return int(run.counters[PLAYOUTS]), kept, run


@pytest.mark.parametrize(
    ("search", "df", "playouts"),
    [
        (CHEAP, 0.0, 8 * 2 * 25),
        (CHEAP, 1.0, 1 * 2 * 25),
        (CHEAP.replace(per_world=3.2), 0.0, 52),  # 51.2, rounded up
        (CHEAP.replace(most_worlds=2), 0.0, 2 * 2 * 25),
        (CHEAP.replace(most_worlds=100), 0.0, 400),
    ],
)
def test_equation_5(search, df, playouts):
    """As many play-outs as worlds times actions times C; where it is close, as many again, and only those count."""
    again = 0
    for seed in range(1, 7):
        done, kept, run = searched(search, df, seed, playouts=100_000)
        assert done in (playouts, 2 * playouts)
        assert kept == playouts
        if done == playouts:
            assert not is_close(run.work.arms, 0, min(8.0 if df == 0 else 1.0, search.most_worlds))
        again += done > playouts
    assert again > 0


def close_seed():
    """A tree where the document's test finds it close."""
    return next(seed for seed in range(1, 100) if searched(CHEAP, seed=seed, playouts=100_000)[0] == 800)


def test_the_first_search_is_pimc():
    """Thought for thought: the same play-outs from the same random numbers, as long as it is not searched again."""
    for seed in range(1, 20):
        done, _, run = searched(CHEAP, seed=seed, playouts=100_000)
        if done == 400:
            alike = searched(arbora.PIMC(), seed=seed, playouts=400)[2]
            assert alike.team.rows.array.tobytes() == run.team.rows.array.tobytes()
            return
    pytest.fail("it was always close")


def test_what_is_kept_of_the_first_search():
    seed = close_seed()
    for keep in (0.0, 0.5, 1.0):
        done, kept, _ = searched(CHEAP.replace(keep=keep), seed=seed, playouts=100_000)
        assert (done, kept) == (800, 400 + keep * 400)


def test_play_outs_limit_each_of_both_searches():
    for limit in (30, 100, 399, 400):
        found = {searched(CHEAP, seed=seed, playouts=limit)[:2] for seed in range(1, 6)}
        assert (2 * limit, limit) in found
        assert found <= {(limit, limit), (2 * limit, limit)}


def test_without_a_limit_of_play_outs_the_second_search_goes_on():
    """All steps are used if it is close; if not, no more than the first search takes."""
    ended, seed = set(), 0
    while len(ended) < 2:
        seed += 1
        done, kept, run = searched(CHEAP, seed=seed, steps=12_000)
        if done == 400:
            assert run.counters[STEPS] == 400 * 6
        else:
            assert 12_000 <= run.counters[STEPS] < 12_000 + 6 + 4 + 2
            assert kept == done - 400 > 400
        ended.add(done == 400)
