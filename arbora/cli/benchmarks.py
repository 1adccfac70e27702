"""The measurements behind `arbora bench`, each beside a reference of the same run."""

import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from arbora.component import nearest
from arbora.errors import BadInput
from arbora.player import Player
from arbora.policies.light import Light
from arbora.policies.uniform import Uniform
from arbora.problems.connect_four import ConnectFour
from arbora.problems.go.game import Go
from arbora.problems.samegame.boards import load_board
from arbora.problems.samegame.game import SameGame
from arbora.problems.samegame.plain import PlainSameGame
from arbora.problems.story.story import Story
from arbora.search.mcts import MCTS
from arbora.search.nrpa import NRPA
from arbora.search.random import Random
from arbora.search.uct import UCT
from arbora.solve import solve


@dataclass(frozen=True)
class Row:
    """One measurement: a value with its unit, and the reference it is compared with, if there is one."""

    name: str
    value: float
    unit: str
    reference: str = ""
    reference_value: float | None = None
    ratio: float | None = None

    @property
    def shown(self) -> str:
        return f"{self.value:,.0f} {self.unit}" if self.value >= 100 else f"{self.value:,.3g} {self.unit}"


class Countdown:
    """The smallest simulator there is, to measure what a call into Python costs."""

    max_moves = 2
    max_length = 200

    def reset(self) -> None:
        self.left = 100

    def moves(self) -> tuple[int, ...]:
        return _MOVES if self.left else _NONE

    def play(self, move: int) -> None:
        self.left -= 1

    def score(self) -> float:
        return 0.0


_MOVES, _NONE = (0, 1), ()
_CALLS_PER_PLAYOUT = 2 * 100 + 3  # of methods: `moves` and `play` at each step; `reset`, the last `moves`, `score`
_SIMULATIONS = 10_000  # of one search for a move: how fast a tree is searched depends on its size


class Bench:
    """All measurements on one board, for a given time each."""

    def __init__(self, seconds: float, board: str | None, yardstick: Path | None) -> None:
        if yardstick is not None and board is None:
            raise BadInput("--yardstick needs --board, so that both play the same board")
        self.seconds, self.board, self.yardstick = seconds, board, yardstick
        cells = load_board(board) if board is not None else None
        self.uniform = SameGame(board=cells)
        self.selective = SameGame(board=cells, selective="10")
        self.plain = PlainSameGame(board=self.uniform.grid)

    def measurements(self) -> dict[str, Callable[[], Row]]:
        return {
            "uniform": self.uniform_playouts,
            "nrpa": self.nrpa_playouts,
            "go-light": self.go_playouts,
            "connect-four": self.connect_four_simulations,
            "story": self.story_playouts,
            "threads": self.two_threads,
            "callback": self.callback,
            "warm-start": self.warm_start,
            "mcts-memory": self.mcts_memory,
        }

    def rate(self, problem: Any, search: Any, threads: int = 1) -> float:
        solve(problem, search, playouts=threads, threads=threads)
        result = solve(problem, search, seconds=self.seconds, threads=threads)
        return result.playouts / result.seconds

    def reference(self) -> tuple[str, float]:
        """Uniform play-outs per second, written the straightforward way: the given C program, or our plain twin."""
        if self.yardstick is not None:
            assert self.board is not None
            return "C yardstick", c_rate(self.yardstick, self.board, self.seconds)
        return "plain SameGame, compiled", self.rate(self.plain, Random(policy=Uniform()))

    def against_reference(self, name: str, rate: Callable[[], float], unit: str = "play-outs/s") -> Row:
        """Reference, measurement, reference again: a machine that gets slower meanwhile shows."""
        label, before = self.reference()
        value = rate()
        reference = (before + self.reference()[1]) / 2
        return Row(name, value, unit, label, reference, value / reference)

    def uniform_playouts(self) -> Row:
        return self.against_reference("uniform", lambda: self.rate(self.uniform, Random()))

    def nrpa_playouts(self) -> Row:
        nrpa = NRPA(level=3, iterations=100, alpha=1.0)
        return self.against_reference("nrpa", lambda: self.rate(self.selective, nrpa))

    def go_playouts(self) -> Row:
        return self.against_reference("go-light", lambda: self.rate(Go(size=9), Random(policy=Light())))

    def connect_four_simulations(self) -> Row:
        return self.against_reference("connect-four", lambda: self.simulation_rate(ConnectFour()), "simulations/s by UCT")

    def story_playouts(self) -> Row:
        return self.against_reference("story", lambda: self.rate(Story(), Random()))

    def simulation_rate(self, game: Any) -> float:
        """Simulations of UCT per second from the start of a game, again and again in a fresh tree."""
        uct: Any = UCT
        with Player(game, uct(prove=False, early_stop=False)) as player:
            player.think(playouts=_SIMULATIONS)
            simulations, start = 0, time.perf_counter()
            while (seconds := time.perf_counter() - start) < self.seconds:
                player.forget()
                simulations += player.think(playouts=_SIMULATIONS).playouts
        return simulations / seconds

    def two_threads(self) -> Row:
        one, two = self.rate(self.selective, NRPA()), self.rate(self.selective, NRPA(), threads=2)
        one = (one + self.rate(self.selective, NRPA())) / 2
        return Row("threads", two, "play-outs/s", "one thread", one, two / one)

    def callback(self) -> Row:
        rate = self.rate(Countdown(), Random())
        return Row("callback", 1e6 / (rate * _CALLS_PER_PLAYOUT), "µs per call into Python")

    def warm_start(self) -> Row:
        command = [sys.executable, "-m", "arbora", "solve", "samegame", "--playouts", "1", "--json"]
        subprocess.run(command, check=True, capture_output=True)
        times = []
        for _ in range(3):
            start = time.perf_counter()
            subprocess.run(command, check=True, capture_output=True)
            times.append(time.perf_counter() - start)
        return Row("warm-start", min(times), "s for `arbora solve samegame --playouts 1`")

    def mcts_memory(self) -> Row:
        """Peak memory of a process whose tree has filled up with a million nodes."""
        code = (
            "import arbora, resource; "
            "arbora.solve(arbora.SameGame(), arbora.MCTS(nodes=1_000_000), playouts=1_100_000); "
            "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
        )
        solve(SameGame(), MCTS(nodes=1_000_000), playouts=1)
        output = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout
        unit = 1 if sys.platform == "darwin" else 1024
        return Row("mcts-memory", int(output) * unit / 1e6, "MB at a million nodes, the whole process")


def measure_all(
    seconds: float, board: str | None, yardstick: Path | None, only: str | None, announce: Callable[[str], None]
) -> list[Row]:
    """Run the measurements one after the other."""
    measurements = Bench(seconds, board, yardstick).measurements()
    if only is not None and only not in measurements:
        raise BadInput(f"unknown measurement {only!r}; {nearest(only, list(measurements))}")
    rows = []
    for name, measure in measurements.items():
        if only in (None, name):
            announce(f"measuring {name} …")
            rows.append(measure())
    return rows


def as_object(rows: list[Row]) -> dict[str, Any]:
    return {row.name: {key: value for key, value in asdict(row).items() if key != "name"} for row in rows}


def c_rate(source: Path, board: str, seconds: float) -> float:
    """Play-outs per second of a C program `BOARDS INDEX PLAYOUTS` that prints {"playouts_per_second": …}."""
    import json

    compiler = shutil.which("gcc") or shutil.which("cc")
    if compiler is None:
        raise BadInput(f"{source}: no C compiler (gcc or cc) on this machine; leave --yardstick out")
    file, _, index = board.partition("#")
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "yardstick"
        built = subprocess.run([compiler, "-O3", "-march=native", str(source), "-o", str(program)], capture_output=True)
        if built.returncode:
            raise BadInput(f"{source}: does not compile: {built.stderr.decode().splitlines()[0]}")
        rate = 20_000.0
        for _ in range(2):  # the second time with a number of play-outs that takes the wanted time
            command = [str(program), file, index or "1", str(max(int(rate * seconds), 100))]
            rate = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["playouts_per_second"]
    return rate
