"""Workers: all jobs are done, whatever becomes of the processes that do them."""

import os
import signal
import textwrap
import time
from contextlib import closing
from dataclasses import replace

import pytest

from arbora.batch import store
from arbora.batch.batch import complete
from arbora.batch.job import Job, perform
from arbora.batch.workers import Workers, default_workers
from arbora.errors import BadInput

JOBS = [Job(f"samegame,seed={i},width=6,height=6", "random", playouts=30, seed=i) for i in range(1, 9)]


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_jobs_come_back_with_the_result_they_have_alone(kind):
    with Workers(2, kind) as workers:
        found = {done.job: done.record for done in workers.perform(JOBS)}
    assert set(found) == set(JOBS)
    for job in JOBS:
        assert (found[job].score, found[job].moves) == (perform(job).score, perform(job).moves)


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_a_job_that_fails_says_why_and_holds_nobody_up(kind, tmp_path):
    file = tmp_path / "broken.py"
    file.write_text(
        textwrap.dedent("""
        class Broken:
            def reset(self): pass
            def moves(self): return [0]
            def play(self, move): raise RuntimeError("out of order")
            def score(self): return 0.0
        """)
    )
    broken = Job(f"{file}:Broken", "random", playouts=3)
    unknown = replace(JOBS[0], search="nrap")
    with Workers(2, kind) as workers:
        found = {done.job: done for done in workers.perform([broken, unknown, *JOBS[:2]])}
    assert found[broken].record is None
    assert found[broken].failure == f"RuntimeError: out of order ({file}, line 5)"
    assert "did you mean 'nrpa'" in found[unknown].failure
    assert all(found[job].record is not None for job in JOBS[:2])


def test_the_job_of_a_killed_worker_is_done_by_another():
    long = [replace(JOBS[0], playouts=None, seconds=1.0, seed=seed) for seed in (1, 2)]
    with Workers(2) as workers:
        list(workers.compile(long))
        outcomes = workers.perform(long)
        killed = []

        def kill_one() -> None:
            os.kill(workers.busy[0].process.pid, signal.SIGKILL)
            killed.append(workers.busy[0].job)

        import threading

        threading.Timer(0.5, kill_one).start()
        found = list(outcomes)
    assert len(killed) == 1
    assert {done.job for done in found if done.record is not None} == set(long)


def test_a_job_that_kills_every_worker_is_given_up(tmp_path):
    file = tmp_path / "deadly.py"
    file.write_text("import os\nos._exit(9)\n")
    with Workers(1) as workers:
        (done,) = workers.perform([Job(f"{file}:Deadly", "random", playouts=1)])
        assert done.failure == "its worker died 3 times; is there enough memory?"
        assert next(workers.perform(JOBS[:1])).record is not None


@pytest.mark.parametrize("kind", ["processes", "threads"])
def test_leaving_ends_all_work(kind):
    endless = [replace(JOBS[0], playouts=None, seconds=3600.0, seed=seed) for seed in (1, 2)]
    begun = time.monotonic()
    with Workers(2, kind) as workers, closing(workers.perform([JOBS[0], *endless])) as outcomes:
        assert next(outcomes).job == JOBS[0]
        processes = [worker.process for worker in workers.busy]
    assert time.monotonic() - begun < 600
    assert not any(process.is_alive() for process in processes)


def test_machine_code_is_made_once_for_each_kind():
    jobs = [*JOBS, replace(JOBS[0], search="random,policy=tabu-color"), replace(JOBS[1], search="random,policy=tabu-color")]
    with Workers(2) as workers:
        assert list(workers.compile(jobs)) == [(1, 2), (2, 2)]


def test_a_batch_runs_what_is_missing_and_nothing_else(tmp_path):
    path = tmp_path / "runs.sqlite"
    with store.writing(path) as opened, Workers(2) as workers:
        first = complete(JOBS[:3], opened, workers)
        second = complete([*JOBS, *JOBS], opened, workers)
        third = complete(JOBS, opened, workers)
    assert (first.known, first.new) == (0, 3)
    assert (second.known, second.new) == (3, 5)
    assert (third.known, third.new, list(third.failures)) == (8, 0, [])


def test_bad_workers():
    with pytest.raises(BadInput, match="workers=0 is not allowed"):
        Workers(0)
    with pytest.raises(BadInput, match="unknown kind of workers 'fibres'; known: processes, threads"):
        Workers(1, "fibres")


def test_there_is_always_a_worker():
    assert default_workers() >= 1
    assert default_workers(threads=10_000) == 1
