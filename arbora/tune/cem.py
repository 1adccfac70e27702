"""The Cross-Entropy Method (document 001, Section 5).

A distribution over the parameters is narrowed step by step: draw samples from it, measure their fitness, and fit it to the
best of them, the elite. Parameters are drawn independently of each other: numbers from normal distributions, choices by
their odds. The best guess in the end is the middle of the distribution, as in the document's Table 5.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arbora.errors import BadInput
from arbora.tune.space import Choice, Range, Space, Value

TRIES = 100  # draws outside the bounds before one is moved to the nearest end
ROUNDING = 1 / math.sqrt(12)  # standard deviation of what rounding to a whole number takes away


@dataclass(frozen=True)
class Normal:
    """The distribution of a number; of its decimal logarithm if its range is logarithmic."""

    mean: float
    sd: float


@dataclass(frozen=True)
class Odds:
    """The distribution of a choice: the probability of each of its values."""

    probabilities: tuple[float, ...]


Distribution = dict[str, Normal | Odds]


@dataclass(frozen=True)
class Sample:
    """A vector of parameters and its fitness; more is better."""

    values: Mapping[str, Value]
    fitness: float


@dataclass(frozen=True)
class Iteration:
    """One step: the distribution drawn from, what was drawn, and which samples are the elite, the best first."""

    number: int  # from 1
    distribution: Distribution
    samples: tuple[Sample, ...]
    elite: tuple[int, ...]


@dataclass(frozen=True)
class Outcome:
    """All steps, the distribution in the end, and its best guess."""

    space: Space
    iterations: tuple[Iteration, ...]
    distribution: Distribution
    winner: dict[str, Value]


def tune(
    space: Space,
    evaluate: Callable[[int, list[dict[str, Value]]], Sequence[float]],
    *,
    samples: int,
    elite: int,
    iterations: int,
    smoothing: float = 1.0,
    seed: int = 1,
    on_iteration: Callable[[Iteration], None] | None = None,
) -> Outcome:
    """Section 5: draw, evaluate, focus, again and again.

    `evaluate(iteration, candidates)` returns the fitness of each candidate, where more is better. What is drawn in an
    iteration depends on the seed, its number and the fitness so far: with the same fitness, a tuning repeats itself.
    """
    check_settings(samples, elite, smoothing)
    _require("iterations", iterations, iterations >= 1, "a whole number of 1 or more")
    _require("seed", seed, seed >= 0, "a whole number of 0 or more")
    if not space:
        raise BadInput("nothing to tune: the space has no parameters")
    distribution = start(space)
    done = []
    for number in range(1, iterations + 1):
        rng = np.random.default_rng([seed, number])
        candidates = [draw(space, distribution, rng) for _ in range(samples)]
        fitness = _checked(number, samples, evaluate(number, candidates))
        best = sorted(range(samples), key=lambda index: -fitness[index])[:elite]
        drawn = tuple(Sample(values, value) for values, value in zip(candidates, fitness, strict=True))
        done.append(Iteration(number, distribution, drawn, tuple(best)))
        distribution = focus(space, distribution, [candidates[index] for index in best], smoothing)
        if on_iteration is not None:
            on_iteration(done[-1])
    return Outcome(space, tuple(done), distribution, best_guess(space, distribution))


def start(space: Space) -> Distribution:
    """Section 5: the mean is the middle of the bounds, the standard deviation half their difference; all choices alike."""
    return {name: _first(dimension) for name, dimension in space.items()}


def draw(space: Space, distribution: Distribution, rng: np.random.Generator) -> dict[str, Value]:
    """A sample. A number that comes out beyond its bounds is drawn again; a whole one is rounded."""
    return {name: _drawn(dimension, distribution[name], rng) for name, dimension in space.items()}


def focus(
    space: Space, distribution: Distribution, elite: Sequence[Mapping[str, Value]], smoothing: float = 1.0
) -> Distribution:
    """The distribution fitted to the elite: its mean, its standard deviation (over n), its frequencies.

    `smoothing` is the weight of the new estimate beside the old distribution; 1, the new one alone, is the method as the
    document has it. Two things keep the search alive that the document does not mention. A whole number keeps the standard
    deviation that rounding hides, 1/sqrt(12), even if the elite agrees on it. Choices are counted as if one more elite
    sample were shared out evenly among them, so that none is gone for good because a small elite happens not to have it.
    """
    return {
        name: _fitted(dimension, distribution[name], [values[name] for values in elite], smoothing)
        for name, dimension in space.items()
    }


def best_guess(space: Space, distribution: Distribution) -> dict[str, Value]:
    """The means as values, and the likeliest choices: what the document reports as tuned (Table 5)."""
    return {name: _middle(dimension, distribution[name]) for name, dimension in space.items()}


def check_settings(samples: int, elite: int, smoothing: float) -> None:
    """Raise BadInput for settings that make no distribution."""
    _require("samples", samples, samples >= 2, "a whole number of 2 or more")
    _require("elite", elite, 1 <= elite <= samples, f"a whole number from 1 to samples, which is {samples}")
    _require("smoothing", smoothing, 0 < smoothing <= 1, "a number above 0 and up to 1")


def _first(dimension: Range | Choice) -> Normal | Odds:
    if isinstance(dimension, Choice):
        count = len(dimension.values)
        return Odds((1 / count,) * count)
    low, high = _scaled(dimension, dimension.low), _scaled(dimension, dimension.high)
    return Normal((low + high) / 2, (high - low) / 2)


def _drawn(dimension: Range | Choice, shape: Normal | Odds, rng: np.random.Generator) -> Value:
    if isinstance(dimension, Choice):
        assert isinstance(shape, Odds)
        return dimension.values[rng.choice(len(dimension.values), p=shape.probabilities)]
    assert isinstance(shape, Normal)
    # Half a number beyond both ends rounds to them, which gives them as much room as the numbers between.
    beyond = 0.5 if dimension.whole else 0.0
    low, high = _scaled(dimension, dimension.low - beyond), _scaled(dimension, dimension.high + beyond)
    for _ in range(TRIES):
        number = rng.normal(shape.mean, shape.sd)
        if low <= number <= high:
            return _value(dimension, number)
    return _value(dimension, min(max(shape.mean, low), high))


def _fitted(dimension: Range | Choice, old: Normal | Odds, values: Sequence[Value], smoothing: float) -> Normal | Odds:
    if isinstance(dimension, Choice):
        assert isinstance(old, Odds)
        share = 1 / len(dimension.values)
        counted = [(values.count(value) + share) / (len(values) + 1) for value in dimension.values]
        return Odds(tuple(_smoothed(*pair, smoothing) for pair in zip(counted, old.probabilities, strict=True)))
    assert isinstance(old, Normal)
    numbers = [_scaled(dimension, float(value)) for value in values]
    mean = _smoothed(float(np.mean(numbers)), old.mean, smoothing)
    sd = _smoothed(float(np.std(numbers)), old.sd, smoothing)
    return Normal(mean, max(sd, _least_sd(dimension, mean)))


def _middle(dimension: Range | Choice, shape: Normal | Odds) -> Value:
    if isinstance(dimension, Choice):
        assert isinstance(shape, Odds)
        return dimension.values[int(np.argmax(shape.probabilities))]
    assert isinstance(shape, Normal)
    return _value(dimension, shape.mean)


def _scaled(dimension: Range, value: float) -> float:
    return math.log10(value) if dimension.log else value


def _value(dimension: Range, number: float) -> float:
    """The value that a number on the scale stands for, within the bounds."""
    value = 10**number if dimension.log else number
    within = min(max(value, dimension.low), dimension.high)
    return round(within) if dimension.whole else float(within)


def _least_sd(dimension: Range, mean: float) -> float:
    """What the standard deviation of a whole number does not fall below; on a logarithmic scale, steps shrink with size."""
    if not dimension.whole:
        return 0.0
    return ROUNDING / (10**mean * math.log(10)) if dimension.log else ROUNDING


def _smoothed(new: float, old: float, smoothing: float) -> float:
    return smoothing * new + (1 - smoothing) * old


def _checked(number: int, samples: int, fitness: Sequence[float]) -> list[float]:
    """The fitness that `evaluate` returned, if it is one number for each sample."""
    if len(fitness) != samples:
        raise BadInput(f"iteration {number}: evaluate returned {len(fitness)} numbers for {samples} samples")
    for index, value in enumerate(fitness):
        if math.isnan(value):
            raise BadInput(f"iteration {number}: the fitness of sample {index + 1} is not a number")
    return [float(value) for value in fitness]


def _require(name: str, value: float, holds: bool, takes: str) -> None:
    if not holds:
        raise BadInput(f"{name}={value} is not allowed; {name} takes {takes}")
