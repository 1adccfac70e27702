"""Running a search: threads, budgets, signals, progress, and a result that has been replayed.

The compiled search runs in worker threads without the GIL. The calling thread watches: it keeps the clock, raises the stop
flag when time is up or a signal comes, reports progress, and collects the best of all threads.
"""

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbora.component import has_role
from arbora.engine import run as runs
from arbora.engine.run import Run, make_run, memory_of, with_records
from arbora.errors import ArboraError, BadInput, ProblemError, user_frames
from arbora.problem import bounds, compacted, like_compiled
from arbora.registry import default_search_spec
from arbora.replay import replay, same_score
from arbora.simulator import host_of, opened, provides, raise_error
from arbora.spec import parse_search
from arbora.watched import problem_name, quick_check

DEFAULT_SECONDS = 10.0
_PROGRESS_EVERY = 0.1
_GRACE = 2.0


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
class Progress:
    """How a run stands; `improved` is true if the score is higher than at the last call."""

    seconds: float
    playouts: int
    score: float
    moves: list[int]
    improved: bool


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
    seconds, playouts = _checked_budget(seconds, playouts)
    _check_whole("seed", seed, 0, 2**63 - 1)
    _check_whole("threads", threads, 1, 1024)
    with opened(problem) as instance:
        check_search(instance, search)
        searched = compacted(instance) if search.keeps_states else instance
        check_search(searched, search)
        if playouts is not None:
            threads = min(threads, playouts)
        if host_of(instance) is not None:
            threads = 1  # Python runs one thread at a time; more would only wait for each other
        try:
            running = _Running(searched, search, seconds, playouts, seed, threads, compiled, on_compile)
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


def _check_needs(problem: Any, kind: str, component: Any) -> None:
    for name in component.needs:
        if not provides(problem, name):
            raise BadInput(
                f"{kind} {type(component).__name__} needs a problem with the methods {', '.join(component.needs)}; "
                f"{problem_name(problem)} has no {name}"
            )


class _Running:
    """The threads of one run and what they share."""

    def __init__(
        self,
        problem: Any,
        search: Any,
        seconds: float | None,
        playouts: int | None,
        seed: int,
        threads: int,
        compiled: bool,
        on_compile: Callable[[], None] | None,
    ) -> None:
        self.problem, self.search, self.seconds, self.seed = problem, search, seconds, seed
        self.flags = np.zeros(1, np.int64)
        self.clock = np.zeros(1, np.float64)
        self.interrupted = False
        self.reported = -math.inf
        self.errors: list[BaseException] = []
        team = search.team(problem, threads)
        self.runs: list[Run] = [
            make_run(
                problem,
                search,
                seed=seed,
                playouts=None if playouts is None else playouts // threads + (thread < playouts % threads),
                seconds=seconds,
                thread=thread,
                threads=threads,
                flags=self.flags,
                clock=self.clock,
                team=team,
            )
            for thread in range(threads)
        ]
        _check_memory(search, sum(memory_of(run) for run in self.runs))
        self.host = host_of(problem)  # held here, so that its callbacks outlive a thread that was left behind
        if self.host is not None:
            self.host.stop_flags = self.flags
        if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":  # numba's own switch, for debuggers and coverage
            compiled = False
        self.function = _compiled(search, problem, self.runs[0], on_compile) if compiled else _interpreted

    def run(self, progress: Callable[[Progress], None] | None) -> None:
        finished = threading.Event()
        remaining = threading.Semaphore(len(self.runs) - 1)

        def work(run: Run) -> None:
            try:
                self.function(self.search, self.problem, run)
            except BaseException as error:
                self.errors.append(error)
                self.flags[0] = 1
            finally:
                if not remaining.acquire(blocking=False):
                    finished.set()

        workers = [threading.Thread(target=work, args=(run,), daemon=True) for run in self.runs]
        with self.signals():
            start = time.perf_counter()
            for worker in workers:
                worker.start()
            try:
                self.watch(finished, start, progress)
            except BaseException:  # from the progress callback, or a second Ctrl-C: leave no thread at work
                self.flags[0] = 1
                finished.wait(_GRACE)
                raise
            self.clock[0] = time.perf_counter() - start
        if progress is not None and not self.errors:
            progress(self.snapshot())

    def watch(self, finished: threading.Event, start: float, progress: Callable[[Progress], None] | None) -> None:
        """Keep the clock, end the run in time, report progress, until all threads are done."""
        shown = 0.0
        while True:
            elapsed = time.perf_counter() - start
            self.clock[0] = elapsed
            wait = min(max(elapsed / 50, 0.001), 0.02)  # fine at first, for exact times in the trace
            if self.seconds is not None:
                if elapsed >= self.seconds:
                    self.flags[0] = 1
                else:
                    wait = min(wait, self.seconds - elapsed)
            if finished.wait(wait):
                return
            if progress is not None and elapsed - shown >= _PROGRESS_EVERY:
                shown = elapsed
                progress(self.snapshot())

    def snapshot(self) -> Progress:
        score, moves, _ = self.best()
        playouts = sum(int(run.counters[runs.PLAYOUTS]) for run in self.runs)
        improved = score > self.reported
        self.reported = score
        return Progress(float(self.clock[0]), playouts, score, moves, improved)

    def best(self) -> tuple[float, list[int], int]:
        """Best score of all threads, its moves, and the thread that found it."""
        published = [(*_published(run), i) for i, run in enumerate(self.runs)]
        score, moves, thread = max(published, key=lambda found: (found[0], -found[2]))
        return score, moves, thread

    @contextmanager
    def signals(self) -> Iterator[None]:
        """SIGINT and SIGTERM end the run; a second SIGINT raises KeyboardInterrupt."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def stop(number: int, frame: Any) -> None:
            if self.interrupted and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.interrupted = True
            self.flags[0] = 1

        before = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def _check_memory(search: Any, needed: int) -> None:
    """Refuse at once what could only end in a machine without memory; pages are taken up one by one as they are used."""
    try:
        installed = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    except (AttributeError, ValueError, OSError):
        return
    if needed > installed:
        raise BadInput(
            f"not enough memory for {search!r}: it may use {needed / 1e9:,.1f} GB, "
            f"this machine has {installed / 1e9:,.1f} GB; lower its limits"
        )


def _compiled(search: Any, problem: Any, run: Run, on_compile: Callable[[], None] | None) -> Any:
    from arbora.engine import compile
    from arbora.engine.explain import explain

    def about_to_compile() -> None:
        if on_compile is not None:
            on_compile()
        quick_check(problem)

    try:
        return compile.load(search, problem, run, on_compile=about_to_compile)
    except ArboraError:
        raise
    except Exception as error:
        raise explain(error, search, problem, run) from None


def _interpreted(search: Any, problem: Any, run: Run) -> None:
    with like_compiled():
        search.run(problem, with_records(run))


def _published(run: Run) -> tuple[float, list[int]]:
    """The best solution of a thread that may be publishing a better one right now."""
    while True:
        version = int(run.counters[runs.VERSION])
        score = float(run.best_score[0])
        moves = run.best_moves[: run.counters[runs.LENGTH]].tolist()
        if version % 2 == 0 and version == run.counters[runs.VERSION]:
            return score, moves


def _result(problem: Any, instance: Any, running: _Running) -> Result:
    """The result, its moves replayed on `instance`, which is what plain Python sees of the problem."""
    _raise_failures(running)
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


def _raise_failures(running: _Running) -> None:
    raise_error(running.problem)
    max_moves, max_length = bounds(running.problem)
    name = problem_name(running.problem)
    for error in running.errors:
        if user_frames(error):
            raise error
        raise ProblemError(
            f"class {name}: {type(error).__name__}: {error}, in compiled code; compiled=False shows the line"
        ) from error
    for run in running.runs:
        where = int(run.counters[runs.FAILED_AT])
        match int(run.counters[runs.FAILURE]):
            case runs.TOO_LONG:
                raise ProblemError(f"class {name}: an episode is longer than max_length() = {max_length}")
            case runs.TOO_MANY_MOVES:
                raise ProblemError(f"class {name}: more moves at once than max_moves() = {max_moves} (episode of {where})")
            case runs.BAD_SCORE:
                raise ProblemError(f"class {name}: score() is not a finite number after {where} moves")


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


def _checked_budget(seconds: float | None, playouts: int | None) -> tuple[float | None, int | None]:
    if seconds is None and playouts is None:
        seconds = DEFAULT_SECONDS
    if seconds is not None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
            raise BadInput(f"seconds={seconds!r} is not a budget; give a number above 0")
        seconds = float(seconds)
    if playouts is not None:
        _check_whole("playouts", playouts, 1, 2**62)
    return seconds, playouts


def _check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise BadInput(f"{name}={value!r} is not allowed; {name} takes a whole number from {low:,} to {high:,}")
