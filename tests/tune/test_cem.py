"""The Cross-Entropy Method: exact steps, bounds, and an optimum that is known."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.errors import BadInput
from arbora.tune.cem import Normal, Odds, best_guess, draw, focus, start, tune
from arbora.tune.space import Choice, Range

SPACE = {
    "plain": Range(2, 10),
    "log": Range(0.01, 100, log=True),
    "whole": Range(0, 30, whole=True),
    "choice": Choice(("a", "b", "c", "d")),
}


def test_start_is_the_middle_and_half_the_difference():
    assert start(SPACE) == {
        "plain": Normal(6, 4),
        "log": Normal(0, 2),
        "whole": Normal(15, 15),
        "choice": Odds((0.25, 0.25, 0.25, 0.25)),
    }


ELITE = [
    {"plain": 3.0, "log": 0.1, "whole": 5, "choice": "a"},
    {"plain": 7.0, "log": 10.0, "whole": 11, "choice": "a"},
    {"plain": 5.0, "log": 1.0, "whole": 8, "choice": "c"},
]


def test_focus_is_mean_and_deviation_of_the_elite():
    focused = focus(SPACE, start(SPACE), ELITE)
    assert focused["plain"] == Normal(5, pytest.approx(math.sqrt(8 / 3)))
    assert focused["log"] == Normal(pytest.approx(0), pytest.approx(math.sqrt(2 / 3)))
    assert focused["whole"] == Normal(8, pytest.approx(math.sqrt(6)))
    assert focused["choice"].probabilities == pytest.approx((2.25 / 4, 0.25 / 4, 1.25 / 4, 0.25 / 4))


def test_smoothing_is_the_weight_of_the_new():
    focused = focus(SPACE, start(SPACE), ELITE, smoothing=0.75)
    assert focused["plain"].mean == pytest.approx(0.75 * 5 + 0.25 * 6)
    assert focused["plain"].sd == pytest.approx(0.75 * math.sqrt(8 / 3) + 0.25 * 4)
    assert focused["choice"].probabilities[0] == pytest.approx(0.75 * 2.25 / 4 + 0.25 * 0.25)
    assert sum(focused["choice"].probabilities) == pytest.approx(1)


def test_an_elite_that_agrees_leaves_room_for_neighbours_only_where_rounding_hides_them():
    space = {"plain": Range(0, 1), "whole": Range(0, 9, whole=True), "log": Range(1, 1000, log=True, whole=True)}
    focused = focus(space, start(space), [{"plain": 0.5, "whole": 4, "log": 100}] * 3)
    assert focused["plain"] == Normal(0.5, 0)
    assert focused["whole"] == Normal(4, pytest.approx(1 / math.sqrt(12)))
    assert focused["log"] == Normal(2, pytest.approx(1 / math.sqrt(12) / 100 / math.log(10)))
    rng = np.random.default_rng(1)
    assert {draw(space, focused, rng)["log"] for _ in range(200)} == {99, 100, 101}


def test_best_guess_is_the_mean_and_the_likeliest():
    distribution = {
        "plain": Normal(2.5, 1),
        "log": Normal(-1, 1),
        "whole": Normal(12.6, 3),
        "choice": Odds((0.2, 0.1, 0.6, 0.1)),
    }
    guess = best_guess(SPACE, distribution)
    assert guess == {"plain": 2.5, "log": pytest.approx(0.1), "whole": 13, "choice": "c"}
    assert isinstance(guess["whole"], int)


@st.composite
def ranges_with_normals(draw_from):
    """Any range, and a distribution that may lie far outside of it."""
    log, whole = draw_from(st.booleans()), draw_from(st.booleans())
    ends = st.integers(1 if log else -1000, 1000) if whole else st.floats(1e-6 if log else -1e6, 1e6)
    low, high = sorted(draw_from(st.tuples(ends, ends).filter(lambda pair: pair[0] != pair[1])))
    return Range(low, high, log, whole), Normal(draw_from(st.floats(-3000, 3000)), draw_from(st.floats(0, 1000)))


@given(ranges_with_normals(), st.integers(0, 2**32))
def test_draws_stay_within_the_bounds(case, seed):
    dimension, normal = case
    if dimension.log:
        normal = Normal(normal.mean / 1000, normal.sd / 1000)
    value = draw({"x": dimension}, {"x": normal}, np.random.default_rng(seed))["x"]
    assert dimension.low <= value <= dimension.high
    assert type(value) is (int if dimension.whole else float)


def test_the_ends_of_whole_numbers_are_as_likely_as_their_neighbours():
    space = {"x": Range(1, 4, whole=True)}
    rng = np.random.default_rng(3)
    drawn = [draw(space, {"x": Normal(2.5, 20)}, rng)["x"] for _ in range(4000)]
    for value in (1, 2, 3, 4):
        assert drawn.count(value) == pytest.approx(1000, abs=100)


def test_draws_follow_the_distribution():
    rng = np.random.default_rng(1)
    distribution = {**start(SPACE), "log": Normal(0.5, 0.2), "choice": Odds((0.7, 0.1, 0.2, 0))}
    drawn = [draw(SPACE, distribution, rng) for _ in range(4000)]
    logs = np.log10([values["log"] for values in drawn])
    assert (logs.mean(), logs.std()) == (pytest.approx(0.5, abs=0.02), pytest.approx(0.2, abs=0.02))
    counts = [sum(values["choice"] == value for values in drawn) / len(drawn) for value in "abcd"]
    assert counts == pytest.approx([0.7, 0.1, 0.2, 0], abs=0.03)


def noisy(seed):
    """A quadratic with noise; its optimum is at plain=4, log=1, whole=7 and choice=b."""

    def evaluate(iteration, candidates):
        rng = np.random.default_rng([seed, iteration])
        return [
            -((c["plain"] - 4) ** 2)
            - math.log10(c["log"]) ** 2
            - ((c["whole"] - 7) / 4) ** 2
            - (0 if c["choice"] == "b" else 2)
            + rng.normal(0, 0.1)
            for c in candidates
        ]

    return evaluate


@pytest.mark.parametrize("seed", range(5))
def test_the_optimum_is_found(seed):
    outcome = tune(SPACE, noisy(seed), samples=100, elite=10, iterations=15, smoothing=0.8, seed=seed)
    assert outcome.winner == {
        "plain": pytest.approx(4, abs=0.3),
        "log": pytest.approx(1, rel=0.6),
        "whole": pytest.approx(7, abs=1),
        "choice": "b",
    }
    assert best_guess(SPACE, outcome.distribution) == outcome.winner


def test_an_iteration_says_what_happened():
    seen = []
    outcome = tune(SPACE, noisy(1), samples=20, elite=5, iterations=3, on_iteration=seen.append)
    assert tuple(seen) == outcome.iterations
    assert [iteration.number for iteration in seen] == [1, 2, 3]
    assert seen[0].distribution == start(SPACE)
    for iteration, following in zip(seen, [*(i.distribution for i in seen[1:]), outcome.distribution], strict=True):
        best = sorted((sample.fitness for sample in iteration.samples), reverse=True)[:5]
        assert [iteration.samples[index].fitness for index in iteration.elite] == best
        elite = [iteration.samples[index].values for index in iteration.elite]
        assert focus(SPACE, iteration.distribution, elite) == following


def test_the_same_seed_gives_the_same_outcome():
    first, second, other = (tune(SPACE, noisy(1), samples=10, elite=3, iterations=4, seed=seed) for seed in (7, 7, 8))
    assert first == second
    assert first != other


def test_a_longer_tuning_begins_like_a_shorter_one():
    short, long = (tune(SPACE, noisy(1), samples=10, elite=3, iterations=count) for count in (2, 5))
    assert long.iterations[:2] == short.iterations


def test_the_earlier_of_equals_is_elite_and_minus_infinity_is_last():
    def evaluate(iteration, candidates):
        return [-math.inf, 1, 1, 1]

    assert tune(SPACE, evaluate, samples=4, elite=2, iterations=1).iterations[0].elite == (1, 2)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"samples": 1}, "samples=1 is not allowed; samples takes a whole number of 2 or more"),
        ({"elite": 0}, "elite=0 is not allowed; elite takes a whole number from 1 to samples, which is 10"),
        ({"elite": 11}, "elite=11 is not allowed"),
        ({"iterations": 0}, "iterations=0 is not allowed; iterations takes a whole number of 1 or more"),
        ({"smoothing": 0}, "smoothing=0 is not allowed; smoothing takes a number above 0 and up to 1"),
        ({"smoothing": 1.5}, "smoothing=1.5 is not allowed"),
        ({"seed": -1}, "seed=-1 is not allowed; seed takes a whole number of 0 or more"),
        ({"space": {}}, "nothing to tune: the space has no parameters"),
        ({"evaluate": lambda *_: [1, 2]}, "iteration 1: evaluate returned 2 numbers for 10 samples"),
        ({"evaluate": lambda *_: [*[1.0] * 9, math.nan]}, "iteration 1: the fitness of sample 10 is not a number"),
    ],
)
def test_bad_settings(settings, message):
    given = {"space": SPACE, "evaluate": noisy(1), "samples": 10, "elite": 2, "iterations": 1, **settings}
    with pytest.raises(BadInput) as error:
        tune(given.pop("space"), given.pop("evaluate"), **given)
    assert message in str(error.value)
