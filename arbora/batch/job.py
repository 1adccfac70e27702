"""A job: one run that is to be done, everything its result depends on, and the record of it when it is done."""

import hashlib
import json
import os
import platform
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from arbora.component import is_component
from arbora.engine.fingerprint import fingerprint
from arbora.errors import BadInput
from arbora.match.contestant import Contestant, parse_contestant, seated
from arbora.match.game import play_game
from arbora.problem import compacted, state_dtype
from arbora.running import Progress
from arbora.simulator import opened
from arbora.solve import solve
from arbora.spec import parse_problem, parse_search

UNLIMITED = 1 << 60  # play-outs, for searches that end by themselves


@dataclass(frozen=True)
class Job:
    """A problem and a search as specs, a budget, threads and a seed.

    `files` tells where the data files lie that the problem's spec names; a file's content counts, not its place. With a
    contestant in `against` it is a game of a match: `seed` is its number, budget and threads are for contestants whose specs
    have none of their own.
    """

    problem: str
    search: str
    seed: int = 1
    seconds: float | None = None
    playouts: int | None = None
    threads: int = 1
    files: tuple[tuple[str, str], ...] = ()
    against: str = ""

    @property
    def located(self) -> str:
        """The problem's spec with data files where they lie on this machine."""
        return located(self.problem, self.files)

    @property
    def identity(self) -> str:
        """Equal for jobs that are the same run, whatever code performs it."""
        if self.against:
            game = [_problem_identity(self.located), *(_contestant_identity(each) for each in self.contestants), self.seed]
            return hashlib.sha256(json.dumps(game).encode()).hexdigest()[:32]
        parts = [_problem_identity(self.located), _search_identity(self.search)]
        described = [*parts, self.seed, self.seconds, self.playouts, self.threads]
        return hashlib.sha256(json.dumps(described).encode()).hexdigest()[:32]

    @property
    def code(self) -> str:
        """A hash of the code that the run is made by: problem, search, policy, and all that they reach."""
        searches = [each.search for each in self.contestants if each.search] if self.against else [self.search]
        return _code(_kind(self.located), *searches)

    @property
    def contestants(self) -> tuple[Contestant, Contestant]:
        """Who plays, if it is a game of a match."""
        first, second = (
            parse_contestant(spec, self.seconds, self.playouts, self.threads) for spec in (self.search, self.against)
        )
        return first, second

    @property
    def machine_code(self) -> tuple[str, str]:
        """Equal for jobs that compile to the same machine code."""
        return self.code, _state_layout(self.located)


@dataclass(frozen=True)
class Record:
    """What is kept of a run. `score` is None if not one episode was finished.

    Of a game of a match, `score` is what the end is worth for the first contestant: 1 for a win, ½ for a draw, 0 for a loss;
    the payoff itself in games that pay something else. `stopped` tells how it ended.
    """

    identity: str
    code: str
    problem: str
    search: str
    seed: int
    threads: int
    budget_seconds: float | None
    budget_playouts: int | None
    score: float | None
    moves: list[int] = field(repr=False)
    length: int
    branching: float
    playouts: int
    seconds: float
    nodes: int
    depth: float
    deepest: int
    stopped: str
    trace: list[list[float]] = field(repr=False)
    parameters: str = field(repr=False)
    version: str = ""
    machine: str = ""
    started: str = ""
    finished: str = ""
    against: str = ""  # the other contestant of a match, and what it used
    against_playouts: int = 0
    against_seconds: float = 0.0


def perform(job: Job, progress: Callable[[Any], None] | None = None) -> Record:
    """Run a job in this process. `progress` is called now and then."""
    return _play(job, progress) if job.against else _solve(job, progress)


def _solve(job: Job, progress: Callable[[Progress], None] | None) -> Record:
    started = _now()
    problem, search = parse_problem(job.located), parse_search(job.search)
    result = solve(
        problem,
        search,
        seconds=job.seconds,
        playouts=job.playouts,
        seed=job.seed,
        threads=job.threads,
        progress=progress,
    )
    finite = np.isfinite(result.score)
    return Record(
        identity=job.identity,
        code=job.code,
        problem=job.problem,
        search=job.search,
        seed=job.seed,
        threads=result.threads,
        budget_seconds=job.seconds,
        budget_playouts=job.playouts,
        score=result.score if finite else None,
        moves=result.moves if finite else [],
        length=len(result.moves) if finite else 0,
        branching=sum(result.choices) / max(len(result.choices), 1),
        playouts=result.playouts,
        seconds=result.seconds,
        nodes=result.nodes,
        depth=result.depth,
        deepest=result.deepest,
        stopped=result.stopped,
        trace=[[row.seconds, row.playouts, row.score] for row in result.trace],
        parameters=repr(search),
        version=_version(),
        machine=machine(),
        started=started,
        finished=_now(),
    )


def _play(job: Job, progress: Callable[[None], None] | None) -> Record:
    started = _now()
    first, second = job.contestants
    played = play_game(job.located, first, second, job.seed, lambda: progress(None) if progress is not None else None)
    return Record(
        identity=job.identity,
        code=job.code,
        problem=job.problem,
        search=job.search,
        seed=job.seed,
        threads=first.threads,
        budget_seconds=first.seconds,
        budget_playouts=first.playouts,
        score=played.score,
        moves=played.moves,
        length=len(played.moves),
        branching=sum(played.choices) / max(len(played.choices), 1),
        playouts=played.playouts[0],
        seconds=played.seconds[0],
        nodes=0,
        depth=0.0,
        deepest=0,
        stopped=played.ended,
        trace=[],
        parameters=first.command or repr(parse_search(first.search)),
        version=_version(),
        machine=machine(),
        started=started,
        finished=_now(),
        against=job.against,
        against_playouts=played.playouts[1],
        against_seconds=played.seconds[1],
    )


def compile_for(job: Job) -> None:
    """Have the machine code of a job in the compile cache."""
    if job.against:
        for contestant in job.contestants:
            if contestant.search:
                seated(contestant, job.located, 0, job.seed).close()
        return
    with opened(parse_problem(job.located)) as problem:
        solve(problem, parse_search(job.search), playouts=job.threads, seed=job.seed, threads=job.threads)


def located(spec: str, files: tuple[tuple[str, str], ...]) -> str:
    """A problem's spec with the names of data files replaced by their paths."""
    name, colon, rest = spec.partition(":")
    for known, path in files:
        instance = rest.partition(",")[0]
        if colon and (instance == known or instance.startswith(known + "#")):
            return f"{name}:{path}{rest[len(known) :]}"
    return spec


@cache
def machine() -> str:
    """The processor, how many there are, and the system."""
    model = platform.processor() or platform.machine()
    cpuinfo = Path("/proc/cpuinfo")
    if cpuinfo.exists():
        lines = cpuinfo.read_text().splitlines()
        model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), model)
    return f"{model}, {os.cpu_count()} cores, {platform.system()}, Python {platform.python_version()}"


def _version() -> str:
    from arbora import __version__

    return __version__


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


@cache
def _problem_identity(spec: str) -> str:
    problem = parse_problem(spec)
    if is_component(problem):
        return _described(problem)
    return f"{spec.partition(':')[2]} {_object_hash(problem, spec)}"


@cache
def _search_identity(spec: str) -> str:
    return _described(parse_search(spec))


@cache
def _contestant_identity(contestant: Contestant) -> list[Any]:
    if contestant.command:
        return [contestant.command]
    budget: list[Any] = []
    if contestant.thinks:
        budget = [contestant.seconds, contestant.playouts, contestant.threads]
        budget += [["steps", contestant.steps]] if contestant.steps is not None else []
    return [_search_identity(contestant.search), *budget]


def _described(component: Any) -> str:
    """Class and parameters as text, with a hash in place of each array."""
    values = []
    for name, p in component.parameters.items():
        value = getattr(component, name)
        if p.derived:
            continue
        if is_component(value):
            values.append(f"{name}={_described(value)}")
        elif isinstance(value, np.ndarray):
            content = hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()[:16]
            values.append(f"{name}={value.dtype}{value.shape}{content}")
        else:
            values.append(f"{name}={value!r}")
    return f"{type(component).__qualname__}({', '.join(values)})"


@cache
def _code(problem: str, *searches: str) -> str:
    made, algorithms = parse_problem(problem), [parse_search(search) for search in searches]
    classes = [cls for algorithm in algorithms for cls in _classes(algorithm)]
    if not is_component(made):
        return hashlib.sha256(f"{fingerprint(classes)} {_object_hash(made, problem)}".encode()).hexdigest()[:16]
    twin = compacted(made) if any(algorithm.keeps_states for algorithm in algorithms) else made
    return fingerprint([*classes, *_classes(made), *_classes(twin)])[:16]


def _classes(component: Any) -> Iterator[type]:
    yield type(component)
    for value in component:
        if is_component(value):
            yield from _classes(value)


@cache
def _kind(spec: str) -> str:
    """A spec of the same class that may serve for many: the code does not depend on the instance of ours."""
    return spec.partition(",")[0].partition(":")[0] if is_component(parse_problem(spec)) else spec


@cache
def _state_layout(spec: str) -> str:
    with opened(parse_problem(spec)) as problem:
        return str(state_dtype(problem))


def _object_hash(made: Any, spec: str) -> str:
    """Of what a plain object's play depends on: the file that its spec names, or what its adapter says."""
    if hasattr(made, "identity"):
        return hashlib.sha256(made.identity.encode()).hexdigest()[:16]
    file = spec.partition(".py:")[0] + ".py"
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()[:16]
    except OSError as error:
        raise BadInput(f"{file}: cannot read: {error.strerror}") from None
