"""What the lab costs: overhead beside the runs themselves, gain of a second worker, and the time of a large report.

    python benchmarks/lab.py --seconds 1 --runs 20

Overhead is the time that workers were not searching, in percent of the time they were, once everything is compiled and the
workers have started. The report is that of ten thousand stored runs, as text and as a page with plots.
"""

import argparse
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

from arbora.batch import store
from arbora.batch.batch import complete
from arbora.batch.job import Job, perform
from arbora.batch.workers import Workers
from arbora.lab import loading, session

LARGE = """
title = "Ten thousand runs"
[grid]
problem = "samegame,seed=1-100"
search = { uniform = "random", tabu = "random,policy=tabu-color" }
playouts = 50
seed = "1-50"
[report]
columns = "search"
plots = ["bars", "time"]
"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=1.0, help="of each run")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        overhead(Path(folder), options.seconds, options.runs)
        two_workers(Path(folder), options.runs)
        report(Path(folder))


def overhead(folder: Path, seconds: float, runs: int) -> None:
    jobs = [Job(f"samegame,seed={number}", "nrpa", seconds=seconds) for number in range(1, runs + 1)]
    for count in (1, 2):
        with store.writing(folder / f"overhead-{count}.sqlite") as kept, Workers(count) as workers:
            complete([replace(job, seconds=0.1) for job in jobs[:4]], kept, workers)
            start = time.perf_counter()
            complete(jobs, kept, workers)
            elapsed = time.perf_counter() - start
            searched = sum(record.seconds for record in kept.all() if record.budget_seconds == seconds)
        print(f"overhead, {count} worker(s), {runs} runs of {seconds:g} s: {100 * (elapsed * count / searched - 1):.2f} %")


def two_workers(folder: Path, runs: int) -> None:
    """The same play-outs by one worker, by two, and by one again."""
    jobs = [Job(f"samegame,seed={number}", "nrpa", playouts=20_000) for number in range(1, runs + 1)]
    times = []
    for turn, count in enumerate((1, 2, 1)):
        with store.writing(folder / f"workers-{turn}.sqlite") as kept, Workers(count) as workers:
            complete([replace(job, playouts=100) for job in jobs[:4]], kept, workers)
            start = time.perf_counter()
            complete(jobs, kept, workers)
            times.append(time.perf_counter() - start)
    one, two = (times[0] + times[2]) / 2, times[1]
    print(f"two workers: {runs / two:.2f} runs/s, one: {runs / one:.2f} runs/s, {one / two:.2f}x")


def report(folder: Path) -> None:
    (folder / "large.toml").write_text(LARGE)
    experiment = loading.load(str(folder / "large.toml"))
    places = session.stored(experiment, folder / "none.sqlite").places
    example = {place.column: perform(place.job) for place in places[:2]}
    trace = [[0.01 * 1.1**step, step, 10.0 * step] for step in range(50)]
    with store.writing(folder / "large.sqlite") as kept:
        for index, place in enumerate(places):
            identity, score = place.job.identity, float(1000 + index * 7919 % 500)
            kept.add(replace(example[place.column], identity=identity, seed=place.job.seed, score=score, trace=trace))
    for extra in ([], ["--html", str(folder / "large.html")]):
        command = [sys.executable, "-m", "arbora", "lab", "report", str(folder / "large.toml")]
        times = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run([*command, "--db", str(folder / "large.sqlite"), *extra], check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        print(
            f"report of {len(places):,} runs{', with a page of plots' if extra else ''}: {min(times):.2f} s, best of three"
        )


if __name__ == "__main__":
    main()
