"""Simulations per second of our UCT beside OpenSpiel's MCTSBot in C++, one thread each, in turn within one run.

    python benchmarks/openspiel.py --seconds 2 --rounds 5

Both search from the start of a game, with random roll-outs and the same exploration, `--simulations` at a time in a fresh
tree, again and again until the time is up. All that a caller waits for counts; with `--processor-time`, for a machine that
is busy with other work, all that this process has worked. OpenSpiel comes with `pip install open_spiel`.
"""

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from importlib import import_module
from importlib.util import find_spec
from statistics import median
from typing import Any

from rich.console import Console
from rich.table import Table

import arbora
from arbora.problems.connect_four import ConnectFour
from arbora.problems.go.game import Go
from arbora.problems.tic_tac_toe import TicTacToe

# A simulation adds 82 nodes at most, the moves of Go; a tree that fills more than an eighth of its memory adds them later.
_NODES_PER_SIMULATION = 8 * 82
_MEMORY_MB = 4_000


@dataclass(frozen=True)
class Comparison:
    """Simulations per second in each round."""

    game: str
    ours: list[float]
    theirs: list[float]

    @property
    def ratios(self) -> list[float]:
        return [ours / theirs for ours, theirs in zip(self.ours, self.theirs, strict=True)]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=2.0, help="of searching by each in each round")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--simulations", type=int, default=10_000, help="of one search")
    parser.add_argument("--processor-time", action="store_true", help="count this instead of the time that passes")
    parser.add_argument("--json", action="store_true", help="print one object, with the figures of all rounds")
    given = parser.parse_args()
    if find_spec("pyspiel") is None:
        print("openspiel.py: OpenSpiel is not installed; pip install open_spiel", file=sys.stderr)
        return 2
    clock = time.process_time if given.processor_time else time.perf_counter
    found = [compare(*game, given.simulations, given.seconds, given.rounds, clock) for game in games()]
    if given.json:
        print(json.dumps({**vars(given), "games": [{**asdict(row), "ratios": row.ratios} for row in found]}))
    else:
        show(found)
    return 0


def games() -> list[tuple[str, Any, str]]:
    """What we call a game, the game as we have it, and what OpenSpiel calls it."""
    plain = import_module("openspiel_python_game")  # needs OpenSpiel
    return [
        ("tic-tac-toe", TicTacToe(), "tic_tac_toe"),
        ("connect four", ConnectFour(), "connect_four"),
        ("Go 9×9", Go(size=9, komi=7.5), "go(board_size=9,komi=7.5)"),
        ("Python objects", plain.PlainTicTacToe(), plain.NAME),
    ]


def compare(
    name: str, game: Any, their_name: str, simulations: int, seconds: float, rounds: int, clock: Callable[[], float]
) -> Comparison:
    found = Comparison(name, [], [])
    uct: Any = arbora.UCT  # type checkers do not see the parameters that searches of games have in common
    # No search ends early on either side: a simulation that is left out is not a fast one.
    search = uct(exploration=1.0, prove=False, early_stop=False, nodes=_NODES_PER_SIMULATION * simulations)
    with arbora.Player(game, search) as player:
        we, they = our_search(player, simulations), their_search(their_name, simulations)
        we()
        they()  # what is done only once is done by now
        for _ in range(rounds):
            found.ours.append(rate(we, seconds, clock))
            found.theirs.append(rate(they, seconds, clock))
    return found


def our_search(player: arbora.Player, simulations: int) -> Callable[[], int]:
    """A search that returns how many simulations it did."""

    def search() -> int:
        player.forget()
        return player.think(playouts=simulations).playouts

    return search


def their_search(name: str, simulations: int) -> Callable[[], int]:
    """The same by OpenSpiel. Its payoffs go from -1 to 1, ours from 0 to 1: its exploration of 2 is our 1."""
    pyspiel = import_module("pyspiel")
    game = pyspiel.load_game(name)
    bot = pyspiel.MCTSBot(
        game,
        pyspiel.RandomRolloutEvaluator(1, 1),
        uct_c=2.0,
        max_simulations=simulations,
        max_memory_mb=_MEMORY_MB,
        solve=False,
        seed=1,
        verbose=False,
    )
    start = game.new_initial_state()

    def search() -> int:
        return bot.mcts_search(start).explore_count

    return search


def rate(search: Callable[[], int], seconds: float, clock: Callable[[], float]) -> float:
    done, elapsed, start = 0, 0.0, clock()
    while elapsed < seconds:
        done += search()
        elapsed = clock() - start
    return done / elapsed


def show(found: list[Comparison]) -> None:
    """Medians, and behind them the lowest and the highest of all rounds."""
    table = Table("simulations/s", "Arbora", "OpenSpiel", "ratio", box=None, padding=(0, 2))
    for row in found:
        table.add_row(row.game, spread(row.ours, ",.0f"), spread(row.theirs, ",.0f"), spread(row.ratios, ".1f"))
    Console(width=125).print(table, highlight=False)


def spread(values: list[float], form: str) -> str:
    return f"{median(values):{form}} ({min(values):{form}} – {max(values):{form}})"


if __name__ == "__main__":
    sys.exit(main())
