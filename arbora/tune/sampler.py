"""The Cross-Entropy Method for Optuna: a sampler for objectives of your own, and a mirror of our tunings in a study.

    study = optuna.create_study(sampler=CrossEntropySampler(samples=50, elite=5, seed=1), direction="maximize")
    study.optimize(objective, n_trials=1000)

Importing this raises BadInput if Optuna is not installed.
"""

import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arbora.errors import BadInput
from arbora.tune.cem import Distribution, Iteration, Sample, check_settings, draw, focus, start
from arbora.tune.space import Choice, Range, Space, Value

try:
    import optuna
except ImportError:
    raise BadInput("optuna is not installed; pip install 'arbora[tune]'") from None

from optuna.distributions import BaseDistribution, CategoricalDistribution, FloatDistribution, IntDistribution
from optuna.search_space import intersection_search_space
from optuna.study import Study, StudyDirection
from optuna.trial import FrozenTrial, TrialState, create_trial


class CrossEntropySampler(optuna.samplers.BaseSampler):
    """Draws trials by the Cross-Entropy Method (`arbora.tune.cem`).

    Every `samples` complete trials, in the order of their numbers, are an iteration; the best `elite` of them make the
    distribution of the next. Failed and pruned trials do not count. All that is known is read from the study's trials at
    each draw: a study goes on where it stopped with any storage, and workers share what they find. With a seed, what a
    trial draws depends on the seed, its number and the complete trials before it.
    """

    def __init__(self, samples: int = 100, elite: int = 10, smoothing: float = 1.0, seed: int | None = None) -> None:
        check_settings(samples, elite, smoothing)
        self.samples = samples
        self.elite = elite
        self.smoothing = smoothing
        self.seed = seed

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """The parameters that all complete trials have."""
        known = intersection_search_space(study.get_trials(deepcopy=False))
        return {name: distribution for name, distribution in known.items() if not distribution.single()}

    def sample_relative(self, study: Study, trial: FrozenTrial, search_space: dict[str, BaseDistribution]) -> dict[str, Any]:
        return self._draw(study, trial, search_space, "")

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """A parameter that not all complete trials have, by those that do."""
        return self._draw(study, trial, {param_name: param_distribution}, param_name)[param_name]

    def _draw(self, study: Study, trial: FrozenTrial, wanted: dict[str, BaseDistribution], stream: str) -> dict[str, Any]:
        if len(study.directions) > 1:
            raise BadInput(f"CrossEntropySampler takes studies of one objective, not of {len(study.directions)}")
        key = None if self.seed is None else [self.seed, trial.number, zlib.crc32(stream.encode())]
        space = {name: _dimension(distribution) for name, distribution in wanted.items()}
        drawn = draw(space, self._focused(study, space, wanted), np.random.default_rng(key))
        return {name: _outside(distribution, drawn[name]) for name, distribution in wanted.items()}

    def _focused(self, study: Study, space: Space, wanted: dict[str, BaseDistribution]) -> Distribution:
        """What the complete trials make of the first distribution, iteration by iteration."""
        complete = study.get_trials(deepcopy=False, states=(TrialState.COMPLETE,))
        complete = sorted(complete, key=lambda trial: trial.number)
        better = -1 if study.direction == StudyDirection.MAXIMIZE else 1
        focused = start(space)
        for first in range(0, len(complete) - self.samples + 1, self.samples):
            ranked = sorted(complete[first : first + self.samples], key=lambda trial: better * _result(trial))
            elite = [
                {name: _inside(distribution, trial.params[name]) for name, distribution in wanted.items()}
                for trial in ranked[: self.elite]
                if all(trial.distributions.get(name) == distribution for name, distribution in wanted.items())
            ]
            if elite:
                focused = focus(space, focused, elite, self.smoothing)
        return focused


def record(iteration: Iteration, space: Space, storage: str | optuna.storages.BaseStorage, study_name: str) -> int:
    """Add the samples of an iteration to an Optuna study as complete trials, and return how many were new.

    The study is made if there is none. A trial has the user attributes `iteration`, `sample` (both from 1) and `elite`;
    those that are there already are left alone, so a tuning that is repeated may be recorded again. Raises BadInput if
    the storage cannot be opened, or if the study holds another tuning.
    """
    added = 0
    study = open_study(storage, study_name)
    there = {_place(trial): trial.params for trial in study.get_trials(deepcopy=False)}
    for number, sample in enumerate(iteration.samples, start=1):
        place = (iteration.number, number)
        if place not in there:
            attributes = {"iteration": iteration.number, "sample": number, "elite": number - 1 in iteration.elite}
            study.add_trial(_trial(space, sample, attributes))
            added += 1
        elif there[place] != sample.values:
            raise BadInput(f"study {study_name!r} holds another tuning; give this one another name")
    return added


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Optuna's line for every study that is opened."""
    level = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    try:
        yield
    finally:
        optuna.logging.set_verbosity(level)


def open_study(storage: str | optuna.storages.BaseStorage, study_name: str) -> Study:
    try:
        with _quiet():
            study = optuna.create_study(storage=storage, study_name=study_name, direction="maximize", load_if_exists=True)
    except Exception as error:  # of Optuna, SQLAlchemy or any driver; nothing in common
        raise BadInput(f"cannot open study {study_name!r}: {str(error).partition(chr(10))[0]}") from None
    if study.directions != [StudyDirection.MAXIMIZE]:
        raise BadInput(f"study {study_name!r} does not maximize one objective; give the tuning another name")
    return study


def _place(trial: FrozenTrial) -> tuple[int | None, int | None]:
    return trial.user_attrs.get("iteration"), trial.user_attrs.get("sample")


def _trial(space: Space, sample: Sample, attributes: dict[str, Any]) -> FrozenTrial:
    distributions = {name: _as_distribution(dimension) for name, dimension in space.items()}
    return create_trial(params=dict(sample.values), distributions=distributions, value=sample.fitness, user_attrs=attributes)


def _as_distribution(dimension: Range | Choice) -> BaseDistribution:
    if isinstance(dimension, Choice):
        return CategoricalDistribution(dimension.values)
    if dimension.whole:
        return IntDistribution(int(dimension.low), int(dimension.high), log=dimension.log)
    return FloatDistribution(dimension.low, dimension.high, log=dimension.log)


def _result(trial: FrozenTrial) -> float:
    assert trial.value is not None
    return trial.value


def _dimension(distribution: BaseDistribution) -> Range | Choice:
    """A distribution of Optuna's for the method: categories by their index, steps by their number."""
    if isinstance(distribution, CategoricalDistribution):
        return Choice(tuple(str(index) for index in range(len(distribution.choices))))
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    if distribution.step is not None and not distribution.log:
        return Range(0, round((distribution.high - distribution.low) / distribution.step), whole=True)
    whole = isinstance(distribution, IntDistribution)
    return Range(distribution.low, distribution.high, log=distribution.log, whole=whole)


def _inside(distribution: BaseDistribution, value: Any) -> Value:
    """A parameter's value as the method counts it."""
    if isinstance(distribution, CategoricalDistribution):
        return str(int(distribution.to_internal_repr(value)))
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    if distribution.step is not None and not distribution.log:
        return round((value - distribution.low) / distribution.step)
    return value


def _outside(distribution: BaseDistribution, value: Value) -> Any:
    """A value of the method's as Optuna has it."""
    if isinstance(distribution, CategoricalDistribution):
        return distribution.choices[int(value)]
    assert isinstance(distribution, (FloatDistribution, IntDistribution))
    assert not isinstance(value, str)
    if distribution.step is not None and not distribution.log:
        return min(distribution.low + value * distribution.step, distribution.high)
    return value
