"""Tuning a search on a problem: the Cross-Entropy Method over stored runs (document 001, Sections 5 and 6.6).

A sample's fitness is the mean score of its runs on the positions of its iteration. All runs go through a store, and
everything else follows from the seed: a tuning that is started again repeats itself from the store up to the point where
it was cut off, and goes on from there.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbora.batch.batch import Watch, complete
from arbora.batch.job import Job, Record
from arbora.batch.store import Store
from arbora.batch.workers import Workers
from arbora.errors import BadInput
from arbora.registry import PROBLEMS
from arbora.spec import expand, parse_problem, parse_search, settable
from arbora.tune import cem
from arbora.tune.space import Space, as_spec, parse_space

FIRST_BOARD = 1_000_000  # random positions by seed from here on, so that those with small seeds stay unseen


@dataclass(frozen=True)
class Tuning:
    """What to tune, and how long."""

    problem: str
    search: str
    param: Mapping[str, Any]
    seconds: float | None = None
    playouts: int | None = None
    samples: int = 100
    elite: int = 10
    iterations: int = 20
    positions: int = 30
    smoothing: float = 1.0
    seed: int = 1

    @property
    def space(self) -> Space:
        return parse_space(self.search, self.param)

    def spec(self, values: Mapping[str, Any]) -> str:
        """The search with these values."""
        return as_spec(self.search, values)


def check(tuning: Tuning) -> None:
    """Raise BadInput unless the tuning can be run."""
    if tuning.seconds is None and tuning.playouts is None:
        raise BadInput("a tuning needs a budget for its runs; give seconds or playouts")
    if tuning.positions < 1:
        raise BadInput(f"positions={tuning.positions} is not allowed; positions takes a whole number of 1 or more")
    parse_search(tuning.spec(cem.best_guess(tuning.space, cem.start(tuning.space))))
    for problem, _ in positions(tuning, 1):
        parse_problem(problem)


def run(
    tuning: Tuning,
    store: Store,
    workers: Workers,
    watch: Watch | None = None,
    on_iteration: Callable[[cem.Iteration], None] | None = None,
) -> cem.Outcome:
    """Tune; runs that are stored already are not run again."""
    check(tuning)

    def evaluate(iteration: int, candidates: list[dict[str, Any]]) -> list[float]:
        jobs = _jobs(tuning, iteration, candidates)
        completed = complete([job for of_sample in jobs for job in of_sample], store, workers, watch)
        for job, reason in completed.failures:
            raise BadInput(f"{job.problem} with {job.search} failed: {reason}")
        return _fitness(jobs, store)

    return _tuned(tuning, evaluate, on_iteration)


def recall(tuning: Tuning, store: Store) -> tuple[cem.Outcome | None, int]:
    """What a tuning came to by the runs that are stored, None if some are missing; and how many there are."""
    found = 0

    def evaluate(iteration: int, candidates: list[dict[str, Any]]) -> list[float]:
        nonlocal found
        jobs = _jobs(tuning, iteration, candidates)
        known = _records([job for of_sample in jobs for job in of_sample], store)
        found += sum(job.identity in known for of_sample in jobs for job in of_sample)
        if any(job.identity not in known for of_sample in jobs for job in of_sample):
            raise _Missing
        return _fitness(jobs, store)

    try:
        return _tuned(tuning, evaluate, None), found
    except _Missing:
        return None, found


class _Missing(Exception):
    """A run that a tuning depends on is not stored."""


def positions(tuning: Tuning, iteration: int) -> list[tuple[str, int]]:
    """Problems and seeds of the runs in an iteration, the same for all its samples.

    A range is drawn from; a problem with a `seed` gets fresh random positions; any other is the same with other seeds
    of the search.
    """
    first = 1 + (iteration - 1) * tuning.positions
    seeds = range(first, first + tuning.positions)
    instances = expand(tuning.problem)
    if len(instances) > 1:
        rng = np.random.default_rng([tuning.seed, iteration])
        drawn = rng.choice(len(instances), tuning.positions, replace=tuning.positions > len(instances))
        return [(instances[index][1], seed) for index, seed in zip(drawn, seeds, strict=True)]
    if _has_random_positions(tuning.problem):
        board = FIRST_BOARD * tuning.seed
        return [(f"{tuning.problem},seed={board + seed}", seed) for seed in seeds]
    return [(tuning.problem, seed) for seed in seeds]


def _has_random_positions(spec: str) -> bool:
    """Does the seed of the problem, which the spec leaves open, make its positions?"""
    name, *given = spec.split(",")
    return name in PROBLEMS and "seed" in settable(PROBLEMS[name]) and not any(g.startswith("seed=") for g in given)


def _tuned(tuning: Tuning, evaluate: Any, on_iteration: Callable[[cem.Iteration], None] | None) -> cem.Outcome:
    return cem.tune(
        tuning.space,
        evaluate,
        samples=tuning.samples,
        elite=tuning.elite,
        iterations=tuning.iterations,
        smoothing=tuning.smoothing,
        seed=tuning.seed,
        on_iteration=on_iteration,
    )


def _jobs(tuning: Tuning, iteration: int, candidates: list[dict[str, Any]]) -> list[list[Job]]:
    """For each candidate its runs, one on each position."""
    where = positions(tuning, iteration)
    specs = [tuning.spec(values) for values in candidates]
    return [[Job(problem, spec, seed, tuning.seconds, tuning.playouts) for problem, seed in where] for spec in specs]


def _records(jobs: list[Job], store: Store) -> dict[str, Record]:
    return store.find([job.identity for job in jobs], {job.identity: job.code for job in jobs})


def _fitness(jobs: list[list[Job]], store: Store) -> list[float]:
    records = _records([job for of_sample in jobs for job in of_sample], store)
    return [_mean([records[job.identity].score for job in of_sample]) for of_sample in jobs]


def _mean(scores: list[float | None]) -> float:
    """Minus infinity if a run was too short for one play-out: no parameters can be worse."""
    known = [score for score in scores if score is not None]
    return sum(known) / len(known) if len(known) == len(scores) else -np.inf
