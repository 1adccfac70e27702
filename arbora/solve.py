"""Solving a problem: a search on all threads, and a result that has been replayed."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arbora.component import has_role
from arbora.engine import run as runs
from arbora.engine.run import Run
from arbora.errors import BadInput, ProblemError
from arbora.problem import compacted
from arbora.registry import default_search_spec
from arbora.replay import replay, same_score
from arbora.running import Progress, Running, check_whole, checked_budget, raise_failures
from arbora.simulator import host_of, opened, provides, raise_error
from arbora.spec import parse_search
from arbora.watched import problem_name


@dataclass(frozen=True)
class Improvement:
    """One line of a trace: when, after how many play-outs, to what score."""

    seconds: float
    playouts: int
    score: float


@dataclass(frozen=True)
class RootMove:
    """What a tree search found out about one move of the start position."""

    move: int
    visits: int
    mean: float
    best: float


@dataclass(frozen=True)
class Result:
    """What a run found. `score` is minus infinity if not one episode was finished."""

    problem: Any
    search: Any
    seed: int
    threads: int
    score: float
    moves: list[int]
    text: list[str]
    playouts: int
    seconds: float
    trace: list[Improvement]
    stopped: str  # "budget", "interrupted" or "complete"
    nodes: int = 0  # nodes visited or stored, by searches that count them
    depth: float = 0.0  # their mean depth below the root,
    deepest: int = 0  # and the depth of the deepest
    scores: list[float] = field(repr=False, default_factory=list)  # the score as it stands after each move
    choices: list[int] = field(repr=False, default_factory=list)  # how many moves were legal at each move
    root: list[RootMove] = field(repr=False, default_factory=list)


def solve(
    problem: Any,
    search: Any = None,
    *,
    seconds: float | None = None,
    playouts: int | None = None,
    seed: int = 1,
    threads: int = 1,
    progress: Callable[[Progress], None] | None = None,
    on_compile: Callable[[], None] | None = None,
    compiled: bool = True,
) -> Result:
    """Search a problem and return the best solution seen. Without a search, the one that is best for the problem.

    The budget is `seconds`, `playouts` (over all threads), or whichever ends first; 10 seconds if neither is given. Ctrl-C
    and SIGTERM end the run early and return the best so far; a second Ctrl-C raises KeyboardInterrupt. One thread with
    a budget of play-outs alone gives the same result for the same seed; a Python simulator always has one thread.
    `progress` is called about ten times a second; `on_compile` when something has to be compiled first. `compiled=False`
    runs everything as plain Python.
    """
    if search is None:
        search = parse_search(default_search_spec(problem))
    seconds, playouts = checked_budget(seconds, playouts)
    check_whole("seed", seed, 0, 2**63 - 1)
    check_whole("threads", threads, 1, 1024)
    with opened(problem) as instance:
        check_search(instance, search)
        if search.plays:
            raise BadInput(f"{type(search).__name__} plays games and solves nothing; see arbora.Player")
        searched = compacted(instance) if search.keeps_states else instance
        check_search(searched, search)
        if playouts is not None:
            threads = min(threads, playouts)
        if host_of(instance) is not None:
            threads = 1  # Python runs one thread at a time; more would only wait for each other
        try:
            running = Running(searched, search, seconds, playouts, seed, threads, compiled, on_compile)
        except MemoryError:
            raise BadInput(f"not enough memory for {search!r} on {threads} thread(s); lower its limits") from None
        running.run(progress)
        return _result(problem, instance, running)


def check_search(problem: Any, search: Any) -> None:
    """Raise BadInput unless this search can run on this problem."""
    if not has_role(search, "search"):
        raise BadInput(f"{search!r} is not a search; give one such as arbora.NRPA() or arbora.MCTS()")
    _check_needs(problem, "search", search)
    policy = getattr(search, "policy", None)
    if policy is not None:
        if not has_role(policy, "policy"):
            raise BadInput(f"policy={policy!r} is not a policy; give one such as arbora.Uniform()")
        _check_needs(problem, "policy", policy)
    inner = getattr(search, "inner", None)
    if inner is not None:
        check_search(problem, inner)


def _check_needs(problem: Any, kind: str, component: Any) -> None:
    for name in component.needs:
        if not provides(problem, name):
            raise BadInput(
                f"{kind} {type(component).__name__} needs a problem with the methods {', '.join(component.needs)}; "
                f"{problem_name(problem)} has no {name}"
            )


def _result(problem: Any, instance: Any, running: Running) -> Result:
    """The result, its moves replayed on `instance`, which is what plain Python sees of the problem."""
    raise_failures(running)
    score, moves, thread = running.best()
    texts: list[str] = []
    scores: list[float] = []
    choices: list[int] = []
    if score > -math.inf:
        for step in replay(instance, moves):
            texts.append(step.text)
            scores.append(step.score)
            choices.append(step.choices)
        raise_error(instance)
        if not same_score(scores[-1], score):
            raise ProblemError(
                f"class {type(problem).__name__}: the search scored {score:g}, but replaying its {len(moves)} moves in "
                f"plain Python gives {scores[-1]:g}; run `arbora check` on the class"
            )
    nodes = sum(int(run.counters[runs.NODES]) for run in running.runs)
    complete = any(run.counters[runs.COMPLETE] for run in running.runs)
    return Result(
        problem=problem,
        search=running.search,
        seed=running.seed,
        threads=len(running.runs),
        score=score,
        moves=moves,
        text=texts[1:],
        playouts=sum(int(run.counters[runs.PLAYOUTS]) for run in running.runs),
        seconds=float(running.clock[0]),
        trace=_trace(running.runs),
        stopped="interrupted" if running.interrupted else "complete" if complete else "budget",
        nodes=nodes,
        depth=sum(int(run.counters[runs.DEPTHS]) for run in running.runs) / max(nodes, 1),
        deepest=max(int(run.counters[runs.DEEPEST]) for run in running.runs),
        scores=scores[1:],
        choices=choices[1:],
        root=_root(running.runs[thread]),
    )


def _trace(all_runs: list[Run]) -> list[Improvement]:
    """All improvements of all threads; with several, play-outs are the finder's own times the number of threads."""
    rows = sorted(tuple(row) for run in all_runs for row in run.trace[: run.counters[runs.TRACED]].tolist())
    trace: list[Improvement] = []
    for seconds, playouts, score in rows:
        if not trace or score > trace[-1].score:
            trace.append(Improvement(seconds, int(playouts) * len(all_runs), score))
    return trace


def _root(run: Run) -> list[RootMove]:
    rows = []
    for row in run.root:
        if row["visits"] == 0:
            break
        rows.append(RootMove(int(row["move"]), int(row["visits"]), float(row["mean"]), float(row["best"])))
    return sorted(rows, key=lambda row: -row.visits)
