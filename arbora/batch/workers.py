"""Jobs on all cores: a worker does one job at a time, and a worker that dies takes nothing with it but that job.

Workers are processes, started afresh (not forked), that speak with us through pipes; or threads of this process, which share
its memory and its fate. They store nothing: records come back here, in the order in which they are done.
"""

import multiprocessing
import os
import queue
import signal
import threading
import traceback
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection, wait
from typing import Any

from arbora.batch.job import Job, Record, compile_for, perform
from arbora.errors import ArboraError, BadInput, user_frames

KINDS = ("processes", "threads")
ATTEMPTS = 3  # how often a job may lose its worker


@dataclass(frozen=True)
class Done:
    """A job, and what came of it: a record, or why there is none."""

    job: Job
    record: Record | None
    failure: str = ""


class Workers:
    """Some workers, which live until the `with` block ends. `waiting` is called every second in which nothing comes."""

    def __init__(self, count: int, kind: str = "processes", waiting: Callable[[], None] | None = None) -> None:
        if count < 1:
            raise BadInput(f"workers={count} is not allowed; workers takes a whole number of 1 or more")
        if kind not in KINDS:
            raise BadInput(f"unknown kind of workers {kind!r}; known: {', '.join(KINDS)}")
        self.count = count
        self.in_processes = kind == "processes"
        self.waiting = waiting or _do_nothing
        self.compiled: set[tuple[str, str]] = set()
        self.idle: list[_Worker] = []
        self.busy: list[_Worker] = []

    def __enter__(self) -> "Workers":
        return self

    def __exit__(self, *error: object) -> None:
        for worker in (*self.idle, *self.busy):
            worker.end()
        self.idle, self.busy = [], []

    def perform(self, jobs: Sequence[Job]) -> Generator[Done, None, None]:
        """Do all jobs and yield each as it is done; one call at a time."""
        return self._in_processes(jobs, "perform") if self.in_processes else _in_threads(jobs, self.count, self.waiting)

    def compile(self, jobs: Iterable[Job]) -> Iterator[tuple[int, int]]:
        """Have the machine code of all jobs in the compile cache, each once, so that workers only load it.

        Yields how many are done, and of how many. What cannot be compiled is left to the job itself to tell.
        """
        missing = {job.machine_code: job for job in jobs if job.machine_code not in self.compiled}
        for count, done in enumerate(self._in_processes(list(missing.values()), "compile"), start=1):
            self.compiled.add(done.job.machine_code)
            yield count, len(missing)

    def _in_processes(self, jobs: Sequence[Job], task: str) -> Generator[Done, None, None]:
        waiting = deque(jobs)
        lost: Counter[Job] = Counter()
        outcomes: list[Done] = []
        while waiting or self.busy or outcomes:
            while waiting and len(self.busy) < self.count:
                self.busy.append(self.idle.pop() if self.idle else _Worker())
                self.busy[-1].give(task, waiting.popleft())
            yield from outcomes  # what they came to is looked at while the workers are at work again
            outcomes = []
            ready = wait([worker.connection for worker in self.busy], timeout=1.0) if self.busy else []
            if self.busy and not ready:
                self.waiting()
            for worker in [worker for worker in self.busy if worker.connection in ready]:
                self.busy.remove(worker)
                done = worker.take()
                if done.record is not None or done.failure:
                    self.idle.append(worker)
                    outcomes.append(done)
                    continue
                worker.end()
                lost[done.job] += 1
                if lost[done.job] < ATTEMPTS:
                    waiting.appendleft(done.job)
                else:
                    outcomes.append(Done(done.job, None, f"its worker died {ATTEMPTS} times; is there enough memory?"))


def _do_nothing() -> None:
    pass


def default_workers(threads: int = 1) -> int:
    """As many as there are cores for, if every job has so many threads."""
    available = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(available // threads, 1)


class _Worker:
    """A process that does what it is sent."""

    def __init__(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.connection, theirs = context.Pipe()
        self.process = context.Process(target=_serve, args=(theirs, os.getpid()), daemon=True)
        with _without_interrupts():
            self.process.start()
        theirs.close()
        self.job: Job | None = None

    def give(self, task: str, job: Job) -> None:
        self.job = job
        with suppress(OSError):  # it has died: `take` will tell
            self.connection.send((task, job))

    def take(self) -> Done:
        """What came of the job: neither a record nor a failure if the worker has died over it."""
        assert self.job is not None
        try:
            record, failure = self.connection.recv()
        except (EOFError, OSError):
            record, failure = None, ""
        return Done(self.job, record, failure)

    def end(self) -> None:
        """At once: whatever it is doing is lost, and nothing else."""
        self.process.kill()
        self.process.join()
        self.connection.close()


@contextmanager
def _without_interrupts() -> Iterator[None]:
    """Ctrl-C waits until the block ends; for a process that is started in it, until it has made its own arrangements."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    resource_tracker.ensure_running()  # which would let interrupts through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _serve(connection: Connection, parent: int) -> None:
    """The life of a worker process. Ctrl-C is for the parent, and without the parent there is nothing to live for."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if hasattr(signal, "pthread_sigmask"):
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})

    def progress(report: Any) -> None:
        if os.getppid() != parent:
            os._exit(1)

    def work() -> None:
        while True:
            try:
                task, job = connection.recv()
                connection.send(_outcome(task, job, progress))
            except (EOFError, OSError):
                return

    # Not in the main thread, where a run would take the signals for itself.
    worker = threading.Thread(target=work, daemon=True)
    worker.start()
    worker.join()


def _in_threads(jobs: Sequence[Job], count: int, waiting_for: Callable[[], None]) -> Generator[Done, None, None]:
    """The same as `Workers.perform` with threads of this process."""
    waiting = deque(jobs)
    finished: queue.Queue[Done] = queue.Queue()
    stopped = threading.Event()

    def progress(report: Any) -> None:
        if stopped.is_set():
            raise _Stopped

    def work() -> None:
        while not stopped.is_set():
            try:
                job = waiting.popleft()
            except IndexError:
                return
            record, failure = _outcome("perform", job, progress)
            finished.put(Done(job, record, failure))

    threads = [threading.Thread(target=work, daemon=True) for _ in range(count)]
    for thread in threads:
        thread.start()
    try:
        left = len(jobs)
        while left:
            try:
                done = finished.get(timeout=1.0)
            except queue.Empty:
                waiting_for()
                continue
            left -= 1
            yield done
    finally:
        stopped.set()
        for thread in threads:
            thread.join()


class _Stopped(BaseException):
    """Nobody is listening any more."""


def _outcome(task: str, job: Job, progress: Callable[[Any], None]) -> tuple[Record | None, str]:
    """The record of a job, or why there is none, in one line."""
    try:
        if task == "compile":
            compile_for(job)
            return None, "compiled"
        return perform(job, progress), ""
    except ArboraError as error:
        return None, str(error)
    except _Stopped:
        return None, "stopped"
    except Exception as error:
        frames = user_frames(error) or traceback.extract_tb(error.__traceback__)[-1:]
        place = f" ({frames[-1].filename}, line {frames[-1].lineno})" if frames else ""
        return None, f"{type(error).__name__}: {error}{place}"
