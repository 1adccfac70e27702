"""The stored runs of an experiment, each in its place in the report's tables."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from arbora.lab.experiment import Experiment
from arbora.tune.cem import Outcome

OTHERS = "others-seconds"  # among the values of an observation: what the other side of a match thought


@dataclass(frozen=True)
class Observation:
    """One run in its place."""

    row: str  # "" if the report has no rows, or if they are times
    column: str
    instance: str  # "" if the problem has no range
    seed: int  # or the deal of a match's game: games of the same deal are one observation, made in parts
    values: Mapping[str, float]  # all of `experiment.VALUES` but sd and time-ratio, and OTHERS
    trace: Sequence[tuple[float, int, float]]  # seconds, play-outs and score of every improvement


@dataclass(frozen=True)
class Results:
    """Everything that a report is made from."""

    experiment: Experiment
    observations: Sequence[Observation]
    rows: Sequence[str]  # in the order of the grid; [""] if there are none; times as text if they are times
    columns: Sequence[str]
    wanted: int  # runs of the whole experiment, those of tunings included,
    done: int = 0  # and how many of them are stored
    older: int = 0  # runs among the observations that an earlier version of the code made
    machines: Sequence[str] = ()
    versions: Sequence[str] = ()
    tunings: Mapping[str, Outcome] = field(default_factory=dict)
    command: str = ""
