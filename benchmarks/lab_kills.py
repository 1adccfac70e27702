"""What SIGKILL costs the lab: a run of short cells, killed again and again, must end with every cell once and right.

    python benchmarks/lab_kills.py --kills 20 --cells 200

Kills come at random moments and hit the program or one of its workers: most while cells are running, some while the program
starts. After each kill the database must be sound and hold no fewer runs than before. In the end it must hold each run once,
and each must be equal to that of a run that nobody disturbed. Exit code 1 if anything is not so.
"""

import argparse
import os
import random
import signal
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from arbora.batch import store

TEXT = """
title = "Short cells"
[grid]
problem = "samegame,seed=1-{boards},width=6,height=6"
search = {{ uniform = "random", tabu = "random,policy=tabu-color" }}
playouts = {playouts}
[report]
columns = "search"
"""
PLAYOUTS = 150_000  # of a cell: some tenths of a second
AT_START = 4  # of so many kills, one comes while the program starts
A_WORKER = 0.3  # how often the others hit a worker
PATIENCE = 300  # seconds, for anything


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--cells", type=int, default=200, help="an even number")
    parser.add_argument("--seed", type=int, default=1, help="of the moments")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        experiment = folder / "cells.toml"
        experiment.write_text(TEXT.format(boards=options.cells // 2, playouts=PLAYOUTS))
        finish(started(experiment, folder / "undisturbed.sqlite"))
        cell = seconds_of_a_cell(folder / "undisturbed.sqlite")
        kills = disturbed(experiment, folder / "lab.sqlite", options.kills, cell, random.Random(options.seed))
        print(", ".join(f"{count} of {victim}" for victim, count in kills.items()))
        return verdict(folder / "lab.sqlite", folder / "undisturbed.sqlite", options.cells)


def seconds_of_a_cell(database: Path) -> float:
    with store.reading(database) as kept:
        assert kept is not None
        return statistics.median(run.seconds for run in kept.all())


def started(experiment: Path, database: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "arbora", "lab", "run", str(experiment), "--db", str(database), "--workers", "2"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def finish(process: subprocess.Popen[str]) -> None:
    _, said = process.communicate(timeout=3600)
    if process.returncode != 0:
        raise SystemExit(f"a run ended with exit code {process.returncode}: {said}")


def disturbed(experiment: Path, database: Path, kills: int, cell: float, rng: random.Random) -> Counter[str]:
    """Kill a run whose cells take so long so many times, then let it finish; what was hit."""
    hit: Counter[str] = Counter()
    process: subprocess.Popen[str] | None = None
    stored = 0
    for kill in range(1, kills + 1):
        starting = process is None and kill % AT_START == 0
        process = process or started(experiment, database)
        if starting:
            time.sleep(rng.uniform(0, 1.5))
        else:
            wait_for_more(process, database)
            time.sleep(rng.uniform(0, 2 * cell))
        if process.poll() is not None:
            finish(process)
            raise SystemExit(f"the run was over before kill {kill}; give more cells")
        at_work = list(workers(process))
        if not (starting or at_work):
            raise SystemExit(f"no worker was at work at kill {kill}; if the run was all but over, give more cells")
        if not starting and rng.random() < A_WORKER:
            os.kill(rng.choice(at_work), signal.SIGKILL)
            victim = "a worker"
        else:
            process.kill()
            process.wait()
            process = None
            victim = "the program at its start" if starting else "the program"
        found = runs(database)
        if found < stored:
            raise SystemExit(f"{stored - found} runs were lost by kill {kill}")
        stored = found
        hit[victim] += 1
        print(f"kill {kill}: {victim}, {stored} runs stored", file=sys.stderr)
    finish(process or started(experiment, database))
    return hit


def wait_for_more(process: subprocess.Popen[str], database: Path) -> None:
    """Until the program has stored another run, so that its workers are at work."""
    before, deadline = runs(database), time.monotonic() + PATIENCE
    while process.poll() is None and runs(database) == before:
        if time.monotonic() > deadline:
            raise SystemExit(f"no run was stored in {PATIENCE} s")
        time.sleep(0.02)


def workers(process: subprocess.Popen[str]) -> Iterator[int]:
    command = ["ps", "-ww", "-o", "pid=,args=", "--ppid", str(process.pid)]  # in full: ps may cut lines at 80 characters
    for line in subprocess.run(command, capture_output=True, text=True).stdout.splitlines():
        number, _, called = line.strip().partition(" ")
        if "spawn_main" in called:
            yield int(number)


def runs(database: Path) -> int:
    """How many runs there are, in a database that is sound."""
    if not database.exists():
        return 0
    with closing(sqlite3.connect(f"{database.as_uri()}?mode=ro", uri=True, timeout=10)) as connection:
        if connection.execute("PRAGMA integrity_check").fetchone() != ("ok",):
            raise SystemExit("the database is broken")
        made = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        return int(connection.execute("SELECT count(*) FROM runs").fetchone()[0]) if made else 0


def verdict(database: Path, undisturbed: Path, cells: int) -> int:
    found, right = (contents(path) for path in (database, undisturbed))
    distinct = {identity for identity, *_ in found}
    wrong = len([run for run in found if run not in right])
    print(f"{len(found)} runs of {cells}, {len(found) - len(distinct)} twice, {wrong} wrong, database sound")
    return 0 if len(found) == len(distinct) == len(right) == cells and not wrong else 1


def contents(database: Path) -> list[tuple[object, ...]]:
    """What a run comes to, without its times."""
    assert runs(database)
    with store.reading(database) as kept:
        assert kept is not None
        return [(run.identity, run.code, run.score, run.moves, run.playouts, run.stopped) for run in kept.all()]


if __name__ == "__main__":
    sys.exit(main())
