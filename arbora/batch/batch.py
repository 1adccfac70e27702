"""Do what is missing, and keep it: the one way in which many runs are made."""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Protocol

from arbora.batch.job import Job, Record
from arbora.batch.store import Store
from arbora.batch.workers import Workers


class Watch(Protocol):
    """Who wants to know how a batch stands."""

    def compiling(self, done: int, total: int) -> None: ...

    def running(self, done: int, total: int, record: Record | None) -> None: ...

    def waiting(self) -> None: ...


@dataclass(frozen=True)
class Completed:
    """What a batch came to: how many runs were there before, how many are new, and why some are missing."""

    known: int
    new: int
    failures: Sequence[tuple[Job, str]]


def complete(jobs: Sequence[Job], store: Store, workers: Workers, watch: Watch | None = None) -> Completed:
    """Run the jobs whose runs are not stored yet, and store each run as soon as it is done.

    May be interrupted at any point; what is stored stays, and another call goes on from there.
    """
    distinct = {(job.identity, job.code): job for job in jobs}
    there = store.done(distinct)
    pending = [job for key, job in distinct.items() if key not in there]
    if watch is not None:
        watch.running(len(there), len(distinct), None)
    for done, total in workers.compile(pending):
        if watch is not None:
            watch.compiling(done, total)
    failures: list[tuple[Job, str]] = []
    new = 0
    with closing(workers.perform(pending)) as outcomes:  # so that an interruption ends threads at once
        for outcome in outcomes:
            if outcome.record is None:
                failures.append((outcome.job, outcome.failure))
            else:
                store.add(outcome.record)
                new += 1
            if watch is not None:
                watch.running(len(there) + new, len(distinct), outcome.record)
    return Completed(len(there), new, failures)
