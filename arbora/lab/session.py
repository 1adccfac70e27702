"""Running an experiment, and gathering what is stored of it for a report."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from arbora.batch import store
from arbora.batch.batch import Completed, Watch, complete
from arbora.batch.job import Record
from arbora.batch.store import Store
from arbora.batch.workers import Workers
from arbora.errors import BadInput
from arbora.lab.experiment import Experiment
from arbora.lab.grid import Place, check, places, rows_and_columns, seed_or_deal
from arbora.lab.results import OTHERS, Observation, Results
from arbora.tune import cem, tuner


@dataclass(frozen=True)
class Stored:
    """What a store has of an experiment: its tunings, as far as they are done, and for each of its runs the record."""

    outcomes: Mapping[str, cem.Outcome]
    places: list[Place]
    records: Mapping[str, Record]  # by identity
    wanted: int  # runs, those of tunings included
    done: int  # by the code as it is now or earlier code

    @property
    def current(self) -> int:
        """How many runs of the grid the code as it is now has made."""
        codes = {place.job.identity: place.job.code for place in self.places}
        return sum(codes[identity] == record.code for identity, record in self.records.items())


def run(
    experiment: Experiment,
    database: Path,
    workers: int,
    kind: str = "processes",
    watch: Watch | None = None,
    on_iteration: Callable[[str, cem.Iteration], None] | None = None,
) -> Completed:
    """Run what is missing of an experiment: its tunings, then its grid."""
    check_all(experiment)
    with store.writing(database) as kept, Workers(workers, kind, watch.waiting if watch else None) as crew:
        tuned = {}
        for name, tuning in experiment.tunings.items():

            def told(iteration: cem.Iteration, name: str = name) -> None:
                if on_iteration is not None:
                    on_iteration(name, iteration)

            tuned[name] = tuning.spec(tuner.run(tuning, kept, crew, watch, told).winner)
        return complete([place.job for place in places(experiment, tuned)], kept, crew, watch)


def check_all(experiment: Experiment) -> None:
    """Raise BadInput, naming the experiment's file, unless everything in it can be run."""
    try:
        for tuning in experiment.tunings.values():
            tuner.check(tuning)
        check(places(experiment, {name: tuning.search for name, tuning in experiment.tunings.items()}))
    except BadInput as error:
        raise BadInput(f"{experiment.path}: {error}") from None


def stored(experiment: Experiment, database: Path) -> Stored:
    """What is stored of an experiment, in a database that need not exist yet."""
    with store.reading(database) as kept:
        outcomes, found = _recalled(experiment, kept)
        tuned = {
            name: tuning.spec(outcomes[name].winner) if name in outcomes else tuning.search
            for name, tuning in experiment.tunings.items()
        }
        wanted = places(experiment, tuned)
        codes = {place.job.identity: place.job.code for place in wanted}
        records = {} if kept is None else kept.find(list(codes), codes)
    for_tuning = sum(tuning.iterations * tuning.samples * tuning.positions for tuning in experiment.tunings.values())
    return Stored(outcomes, wanted, records, len(codes) + for_tuning, len(records) + found)


def gather(experiment: Experiment, database: Path, command: str = "") -> Results:
    """What is stored of an experiment, for a report. Where the code as it is now has no run, one by earlier code serves."""
    found = stored(experiment, database)
    rows, columns = rows_and_columns(experiment)
    observations = [
        _observation(place, found.records[place.job.identity])
        for place in found.places
        if place.job.identity in found.records
    ]
    records = found.records.values()
    return Results(
        experiment=experiment,
        observations=observations,
        rows=rows,
        columns=columns,
        done=found.done,
        wanted=found.wanted,
        older=len(found.records) - found.current,
        machines=sorted({record.machine for record in records}),
        versions=sorted({record.version for record in records}),
        tunings=found.outcomes,
        command=command,
    )


def _recalled(experiment: Experiment, kept: Store | None) -> tuple[dict[str, cem.Outcome], int]:
    """The tunings that are done, and how many runs there are of all of them."""
    outcomes: dict[str, cem.Outcome] = {}
    found = 0
    if kept is not None:
        for name, tuning in experiment.tunings.items():
            outcome, count = tuner.recall(tuning, kept)
            found += count
            if outcome is not None:
                outcomes[name] = outcome
    return outcomes, found


def _observation(place: Place, record: Record) -> Observation:
    used = [(record.playouts, record.seconds), (record.against_playouts, record.against_seconds)]
    (playouts, seconds), (_, others) = used if place.side == 0 else used[::-1]
    values = {
        "score": float("nan") if record.score is None or place.side == 1 else record.score,
        "length": record.length,
        "branching": record.branching,
        "playouts": playouts,
        "seconds": seconds,
        OTHERS: others if place.job.against else float("nan"),
        "rate": playouts / seconds if seconds > 0 else float("nan"),
        "nodes": record.nodes,
        "depth": record.depth,
        "deepest": record.deepest,
    }
    trace = [(seconds, int(playouts), score) for seconds, playouts, score in record.trace]
    return Observation(place.row, place.column, place.instance, seed_or_deal(place.job), values, trace)
