"""The threads of a run: started, watched, stopped in time.

The compiled search runs in worker threads without the GIL. The calling thread watches: it keeps the clock, raises the stop
flag when time is up or a signal comes, and reports progress.
"""

import math
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbora.engine import run as runs
from arbora.engine.run import Run, make_run, memory_of, with_records
from arbora.errors import ArboraError, BadInput, ProblemError, user_frames
from arbora.problem import bounds, like_compiled
from arbora.simulator import host_of, provides, raise_error
from arbora.watched import problem_name, quick_check

DEFAULT_SECONDS = 10.0
_PROGRESS_EVERY = 0.1
_GRACE = 2.0


@dataclass(frozen=True)
class Progress:
    """How a run stands; `improved` is true if the score is higher than at the last call."""

    seconds: float
    playouts: int
    score: float
    moves: list[int]
    improved: bool


class Running:
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
        self.problem, self.search, self.seed = problem, search, seed
        self.flags = np.zeros(1, np.int64)
        self.clock = np.zeros(1, np.float64)
        self.errors: list[BaseException] = []
        team = search.team(problem, threads)
        self.runs: list[Run] = [
            make_run(
                problem,
                search,
                seed=seed,
                thread=thread,
                threads=threads,
                flags=self.flags,
                clock=self.clock,
                team=team,
            )
            for thread in range(threads)
        ]
        _check_memory(search, sum(memory_of(run) for run in self.runs))
        self.renew(seconds, playouts)
        self.host = host_of(problem)  # held here, so that its callbacks outlive a thread that was left behind
        if self.host is not None:
            self.host.stop_flags = self.flags
            self.host.notes_seen = provides(problem, "seen") and getattr(search, "by_seen", False)
            self.host.keeps_drawn = getattr(search, "reuse", 1) > 1
        if os.environ.get("NUMBA_DISABLE_JIT", "0") != "0":  # numba's own switch, for debuggers and coverage
            compiled = False
        self.function = _compiled(search, problem, self.runs[0], on_compile) if compiled else _interpreted

    def renew(self, seconds: float | None, playouts: int | None, steps: int | None = None) -> None:
        """A budget to start from, as if nothing had run before; what searches know, and their random numbers, stay."""
        self.seconds = seconds
        self.interrupted = False
        self.reported = -math.inf
        self.flags[0] = 0
        self.clock[0] = 0.0
        threads = len(self.runs)
        for thread, run in enumerate(self.runs):
            last_playout, last_step = _share(playouts, thread, threads), _share(steps, thread, threads)
            run.part[:] = 0.0, last_playout, 0.0, math.inf if seconds is None else seconds, last_step
            run.counters[:] = 0

    def run(self, progress: Callable[[Progress], None] | None) -> None:
        finished = threading.Event()
        remaining = threading.Semaphore(len(self.runs) - 1)
        begun: list[float] = []
        ended: list[float] = []

        def work(run: Run) -> None:
            begun.append(time.perf_counter())
            try:
                self.function(self.search, self.problem, run)
            except BaseException as error:
                self.errors.append(error)
                self.flags[0] = 1
            finally:
                ended.append(time.perf_counter())
                if not remaining.acquire(blocking=False):
                    finished.set()

        workers = [threading.Thread(target=work, args=(run,), daemon=True) for run in self.runs]
        with self.signals():
            for worker in workers:
                worker.start()
            start = time.perf_counter()  # not before: of a budget of a millisecond, starting them may take half
            try:
                self.watch(finished, start, progress)
            except BaseException:  # from the progress callback, or a second Ctrl-C: leave no thread at work
                self.flags[0] = 1
                finished.wait(_GRACE)
                raise
            self.clock[0] = max(ended) - min(begun)
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


def _share(whole: int | None, thread: int, threads: int) -> float:
    """A thread's share of so many; infinite if there is no limit."""
    return math.inf if whole is None else whole // threads + (thread < whole % threads)


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


def raise_failures(running: Running) -> None:
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


def checked_budget(seconds: float | None, playouts: int | None, steps: int | None = None) -> tuple[float | None, int | None]:
    if seconds is None and playouts is None and steps is None:
        seconds = DEFAULT_SECONDS
    if seconds is not None:
        if isinstance(seconds, bool) or not isinstance(seconds, (int, float)) or not 0 < seconds < math.inf:
            raise BadInput(f"seconds={seconds!r} is not a budget; give a number above 0")
        seconds = float(seconds)
    if playouts is not None:
        check_whole("playouts", playouts, 1, 2**62)
    if steps is not None:
        check_whole("steps", steps, 1, 2**62)
    return seconds, playouts


def check_whole(name: str, value: Any, low: int, high: int) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise BadInput(f"{name}={value!r} is not allowed; {name} takes a whole number from {low:,} to {high:,}")
