"""The runs of a report's cells: the values of each, and what they are paired by."""

import math
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

import numpy as np

from arbora.lab.experiment import Layout
from arbora.lab.results import OTHERS, Observation, Results

TOTAL = "total"
OVER_TIME = ("score", "sd")  # what can be read off a trace
SUMMABLE = ("score", "length", "playouts", "seconds", "nodes")  # values whose sum over rows means something
END_TOLERANCE = 1.02  # a run of ten seconds may end a little before them and still count at ten


@dataclass(frozen=True)
class Sample:
    """The values of some runs; `runs` says which run each belongs to."""

    runs: Sequence[Hashable]
    values: np.ndarray

    def pairs_with(self, other: "Sample") -> bool:
        """Whether each run of one has its partner in the other, and there are at least two."""
        both = set(self.runs)
        return len(self.runs) == len(other.runs) == len(both) >= 2 and both == set(other.runs)

    def paired(self, other: "Sample") -> tuple[np.ndarray, np.ndarray]:
        """The values of the runs that both samples have, partner beside partner."""
        mine, theirs = dict(zip(self.runs, self.values, strict=True)), dict(zip(other.runs, other.values, strict=True))
        both = [run for run in mine if run in theirs]
        return np.array([mine[run] for run in both]), np.array([theirs[run] for run in both])


NO_SAMPLE = Sample((), np.array([]))
Samples = Mapping[tuple[str, str, str], Sample]  # value, row, column


def samples_of(results: Results, values: Iterable[str]) -> Samples:
    """The sample of every cell that has runs, as the report shows them: scores without their minus if lower is better.

    The sample of `sd` is how far each score is from the median, so that tests of it compare spreads (Brown and Forsythe).
    """
    layout = results.experiment.layout
    places: dict[tuple[str, str], list[Observation]] = {}
    for observation in results.observations:
        places.setdefault((observation.row, observation.column), []).append(observation)
    samples: dict[tuple[str, str, str], Sample] = {}
    for value in dict.fromkeys(values):
        for (row, column), runs in places.items():
            if layout.rows == ("time",):
                found = _at_times(runs, value, layout)
            else:
                found = {row: _sample(runs, _measured(runs, value, layout))}
            samples |= {(value, label, column): _spread(sample, value) for label, sample in found.items()}
    samples = {place: sample for place, sample in samples.items() if sample.runs}
    return samples | _totals(samples, results) if layout.total else samples


def time_label(seconds: float | str) -> str:
    """One spelling for each time, whether it comes from the layout or the document."""
    return f"{float(seconds):.10g}"


def scores_at(runs: Sequence[Observation], times: Sequence[float] | np.ndarray) -> np.ndarray:
    """Best score of each run (row) at each time (column); nan before its first score and after its end."""
    moments = np.asarray(times, dtype=float)
    found = np.full((len(runs), len(moments)), np.nan)
    for line, run in zip(found, runs, strict=True):
        if run.trace:
            entry = np.searchsorted([entry[0] for entry in run.trace], moments, side="right") - 1
            scores = np.array([entry[2] for entry in run.trace], dtype=float)
            counts = (entry >= 0) & (moments <= run.values["seconds"] * END_TOLERANCE)
            line[counts] = scores[entry[counts]]
    return found


def sign(value: str, layout: Layout) -> int:
    """What a stored value is multiplied with to be shown."""
    return -1 if layout.lower_is_better and value in ("score", "sd") else 1


def _totals(samples: Samples, results: Results) -> dict[tuple[str, str, str], Sample]:
    """All runs of each column that has some in every row, as one sample."""
    totals = {}
    for value, column in {(value, column) for value, _, column in samples if value in SUMMABLE}:
        parts = [(row, samples.get((value, row, column), NO_SAMPLE)) for row in results.rows]
        if all(part.runs for _, part in parts):
            runs = [(row, run) for row, part in parts for run in part.runs]
            totals[value, TOTAL, column] = Sample(runs, np.concatenate([part.values for _, part in parts]))
    return totals


def _at_times(runs: list[Observation], value: str, layout: Layout) -> dict[str, Sample]:
    if value not in OVER_TIME:
        return {}
    scores = sign(value, layout) * scores_at(runs, layout.times)
    return {time_label(time): _sample(runs, scores[:, i]) for i, time in enumerate(layout.times)}


def _measured(runs: list[Observation], value: str, layout: Layout) -> np.ndarray:
    if value == "time-ratio":
        return _time_ratios(runs)
    measured = "score" if value == "sd" else value
    return sign(value, layout) * np.array([run.values.get(measured, np.nan) for run in runs], dtype=float)


def _time_ratios(runs: list[Observation]) -> np.ndarray:
    """Numbers whose mean is the ratio of both sides' mean times, and whose spread is its own, by the delta method.

    Not the ratios of single games: where the other side has hardly thought at all, these may be anything.
    """
    own, others = (np.array([run.values.get(name, np.nan) for run in runs], dtype=float) for name in ("seconds", OTHERS))
    mean = others.mean()
    if not mean > 0.0:
        return np.full(len(runs), np.nan)
    ratio = own.mean() / mean
    return ratio + (own - ratio * others) / mean


def _sample(runs: list[Observation], values: np.ndarray) -> Sample:
    """A value for each run; games of a match that are of one deal are no independent runs, and count by their mean."""
    found: dict[tuple[str, int], list[float]] = {}
    for run, value in zip(runs, values.tolist(), strict=True):
        if math.isfinite(value):
            found.setdefault((run.instance, run.seed), []).append(value)
    return Sample(list(found), np.array([fmean(values) for values in found.values()]))


def _spread(sample: Sample, value: str) -> Sample:
    if value != "sd" or not sample.runs:
        return sample
    return Sample(sample.runs, np.abs(sample.values - np.median(sample.values)))
