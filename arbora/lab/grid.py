"""The runs of an experiment: every combination of its grid's values, each with its place in the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from arbora.batch.job import Job
from arbora.errors import BadInput
from arbora.lab.experiment import GRID_KEYS, ONLY_COLUMN, Experiment
from arbora.match.contestant import GTP, check_contestant
from arbora.spec import expand, parse_problem, parse_search


@dataclass(frozen=True)
class Place:
    """A job, and where its result stands in the report."""

    job: Job
    row: str
    column: str
    instance: str  # the number in the range of the problem's spec; "" if it has none


def places(experiment: Experiment, tuned: Mapping[str, str]) -> list[Place]:
    """All runs, so ordered that those to be compared with each other come close together.

    `tuned` has the searches that `@NAME` stands for.
    """
    grid = experiment.grid
    if not grid:
        return []
    found = [
        place for labels in product(*grid.values()) for place in _of(experiment, dict(zip(grid, labels, strict=True)), tuned)
    ]
    return sorted(found, key=lambda place: (place.job.seed, int(place.instance or 0)))


def rows_and_columns(experiment: Experiment) -> tuple[list[str], list[str]]:
    """The labels of the report's rows and columns, in the order of the grid."""
    layout = experiment.layout
    if layout.rows == ("time",):
        rows = [f"{time:g}" for time in layout.times]
    else:
        rows = _labels(experiment, layout.rows) or [""]
    return rows, _labels(experiment, layout.columns) or [ONLY_COLUMN]


def check(places_of: list[Place]) -> None:
    """Raise BadInput unless every problem and search of these runs can be made, and every match played."""
    jobs = [place.job for place in places_of]
    for spec in {job.located for job in jobs}:
        parse_problem(spec)
    for spec in {job.search for job in jobs if not job.against}:
        parse_search(spec)
    matches = {(job.located, contestant) for job in jobs if job.against for contestant in job.contestants}
    for game, contestant in matches:
        check_contestant(contestant, game)


def _of(experiment: Experiment, labels: dict[str, str], tuned: Mapping[str, str]) -> list[Place]:
    """The runs of one combination: as many as the problem has instances."""
    values = {key: experiment.grid[key][label] for key, label in labels.items()}
    search = _search(values["search"], tuned)
    variables = {key: value for key, value in values.items() if key not in GRID_KEYS}
    search = _contestant("search", search, variables)
    result = []
    for instance, problem in expand(_filled("problem", values["problem"], variables)):
        job = Job(
            problem=problem,
            search=search,
            seed=_number("seed", values["seed"], variables, int),
            seconds=_number("seconds", values.get("seconds"), variables, float),
            playouts=_number("playouts", values.get("playouts"), variables, int),
            threads=_number("threads", values.get("threads", 1), variables, int),
            files=experiment.files,
            against=_contestant("against", values.get("against", ""), variables),
        )
        with_instance = {**labels, "instance": instance}
        layout = experiment.layout
        row = "" if layout.rows == ("time",) else _label(with_instance, layout.rows)
        result.append(Place(job, row, _label(with_instance, layout.columns) or ONLY_COLUMN, instance))
    return result


def _search(text: str, tuned: Mapping[str, str]) -> str:
    if not text.startswith("@"):
        return text
    if text[1:] not in tuned:
        raise BadInput(f"grid.search: there is no [tune.{text[1:]}] for {text!r}; known: {', '.join(tuned) or 'none'}")
    return tuned[text[1:]]


def _contestant(key: str, text: str, variables: Mapping[str, Any]) -> str:
    """A spec with its variables filled in; the {seed} of an external program is for the game to fill in."""
    return _filled(key, text, {"seed": "{seed}", **variables} if text.startswith(GTP) else variables)


def _filled(key: str, text: str, variables: Mapping[str, Any]) -> str:
    try:
        return text.format_map(variables)
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise BadInput(
            f"grid.{key}: {text!r} names what the grid does not have ({error}); variables: {', '.join(variables) or 'none'}"
        ) from None


def _number(key: str, value: Any, variables: Mapping[str, Any], kind: type) -> Any:
    if value is None:
        return None
    if isinstance(value, str):
        value = _filled(key, value, variables)
    try:
        number = float(value)
        if isinstance(value, bool) or number < (0 if key == "seed" else 1e-9) or (kind is int and number != int(number)):
            raise ValueError
        return number if kind is float else int(value)
    except (ValueError, TypeError, OverflowError):
        wanted = "a number above 0" if kind is float else "a whole number of 1 or more"
        raise BadInput(f"grid.{key}={value!r} is not allowed; {key} takes {wanted}") from None


def _label(labels: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return ", ".join(labels[key] for key in keys)


def _labels(experiment: Experiment, keys: tuple[str, ...]) -> list[str]:
    if not keys:
        return []
    ways = [_instances(experiment) if key == "instance" else list(experiment.grid[key]) for key in keys]
    return [", ".join(labels) for labels in product(*ways)]


def _instances(experiment: Experiment) -> list[str]:
    variables = {key: next(iter(values.values())) for key, values in experiment.grid.items() if key not in GRID_KEYS}
    specs = [_filled("problem", spec, variables) for spec in experiment.grid["problem"].values()]
    return list(dict.fromkeys(instance for spec in specs for instance, _ in expand(spec)))
