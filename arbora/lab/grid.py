"""The runs of an experiment: every combination of its grid's values, each with its place in the report."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from arbora.batch.job import Job
from arbora.errors import BadInput
from arbora.lab.experiment import GRID_KEYS, OF_MATCHES, ONLY_COLUMN, SIDES, Experiment
from arbora.match.contestant import GTP, check_contestant
from arbora.match.game import seat_and_deal
from arbora.problem import is_game
from arbora.simulator import opened
from arbora.spec import expand, parse_problem, parse_search


@dataclass(frozen=True)
class Place:
    """A job, and where its result stands in the report."""

    job: Job
    row: str
    column: str
    instance: str  # the number in the range of the problem's spec; "" if it has none
    side: int = 0  # whose numbers are shown of a game of a match: 0 for `search`, 1 for `against`


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
    contestants = {contestant: None for place in places_of if place.job.against for contestant in place.job.contestants}
    for each in contestants:
        if each.thinks and each.seconds is None and each.playouts is None and each.steps is None:
            raise BadInput(f"{each.spec!r} has no budget; give it one, or [grid] seconds or playouts")
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
        layout = experiment.layout
        for side in _sides(experiment):
            of_match = _of_match(job, labels, side) if set(OF_MATCHES) & {*layout.rows, *layout.columns} else {}
            known = {**labels, **of_match, "instance": instance}
            row = "" if layout.rows == ("time",) else _label(known, layout.rows)
            result.append(Place(job, row, _label(known, layout.columns) or ONLY_COLUMN, instance, side))
    return result


def _sides(experiment: Experiment) -> tuple[int, ...]:
    """Whose numbers a report shows of each run."""
    return (0, 1) if "side" in (*experiment.layout.rows, *experiment.layout.columns) else (0,)


def _of_match(job: Job, labels: Mapping[str, str], side: int) -> dict[str, str]:
    """Side and seat of those whose numbers are shown; where they have several seats, the seat of their only opponent."""
    players = _players(job.located)
    seat, _ = seat_and_deal(job.seed, players)
    return {"seat": str((1 - seat if side == 1 and players == 2 else seat) + 1), "side": labels[SIDES[side]]}


def seed_or_deal(job: Job) -> int:
    """What runs are told apart by, and paired by: the seed, or of a game of a match the deal, which every seat plays."""
    return seat_and_deal(job.seed, _players(job.located))[1] if job.against else job.seed


@cache
def _players(game: str) -> int:
    with opened(parse_problem(game)) as made:
        if not is_game(made):
            raise BadInput(f"{game} is not a game: it has no players, and no seats or sides")
        return int(made.players())


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
    ways = [_ways(experiment, key) for key in keys]
    return [", ".join(labels) for labels in product(*ways)]


def _ways(experiment: Experiment, key: str) -> list[str]:
    """The labels of a row or column of this name."""
    if key == "instance":
        return _instances(experiment)
    if key == "side":
        return [label for side in SIDES for label in experiment.grid[side]]
    if key == "seat":
        return [str(seat + 1) for seat in range(max(_players(spec) for _, spec in _problems(experiment)))]
    return list(experiment.grid[key])


def _instances(experiment: Experiment) -> list[str]:
    return list(dict.fromkeys(instance for instance, _ in _problems(experiment)))


def _problems(experiment: Experiment) -> list[tuple[str, str]]:
    """Instances and specs of the problems, for all values of the variables."""
    variables = {key: values.values() for key, values in experiment.grid.items() if key not in GRID_KEYS}
    ways = [dict(zip(variables, values, strict=True)) for values in product(*variables.values())]
    specs = dict.fromkeys(_filled("problem", spec, way) for spec in experiment.grid["problem"].values() for way in ways)
    return [pair for spec in specs for pair in expand(spec)]
