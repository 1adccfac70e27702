"""SP-MCTS on SameGame beside document 001: mean score over the first boards of a file.

    python benchmarks/sp_mcts_tables.py BOARDS.txt settings --boards 50 --nodes 100000

Tables
    settings   Table 2: exploitation, balanced and exploration, with C in points and in thousands of points
    restarts   Figure 2: one search of all nodes, and ten of a tenth
    policies   Table 1: random, TabuRandom and TabuColorRandom play-outs, balanced
    time       Table 3: the start position or every move, with equal play-outs
    final      Table 4: the score of the episode played by average, visits or top score
    presets    Table 6: the parameters found by hand and by the Cross-Entropy Method

Searches are measured in nodes or play-outs, so a busy machine changes nothing. The seed is the board's number.
"""

import argparse
import time
from typing import Any

from common import scores, summary

import arbora
from arbora import SPMCTS, TabuColor, TabuRandom, Uniform
from arbora.problems.samegame.boards import load_board

UNLIMITED = 1 << 50
SETTINGS = {"exploitation": (0.1, 32.0), "balanced": (0.5, 10_000.0), "exploration": (1.0, 20_000.0)}


def setting(name: str, scale: float, **changes: Any) -> Any:
    """A setting of Table 2, with C in units of `scale` points."""
    c, d = SETTINGS[name]
    return SPMCTS(**{"policy": TabuColor(), "exploration": c, "scale": scale, "deviation": d, "restarts": 1, **changes})


def rows(table: str, nodes: int, playouts: int) -> list[tuple[str, Any, int]]:
    """Name, search and budget of play-outs."""
    units = (("C in thousands", 1000.0), ("C in points", 1.0))
    if table == "settings":
        return [
            (f"{name}, {unit}", setting(name, scale, nodes=nodes), UNLIMITED) for unit, scale in units for name in SETTINGS
        ]
    if table == "restarts":
        return [
            (f"{n} x {nodes // n:,} nodes, {unit}",
             setting("exploitation", scale, nodes=nodes // n, restarts=n), UNLIMITED)
            for unit, scale in units
            for n in (1, 10)
        ]  # fmt: skip
    if table == "policies":
        return [
            (f"{type(policy).__name__}, {unit}", setting("balanced", scale, policy=policy, nodes=nodes), UNLIMITED)
            for unit, scale in units
            for policy in (Uniform(), TabuRandom(), TabuColor())
        ]
    if table == "time":
        return [
            (f"{control}, {unit}", setting("exploitation", scale, time=control), playouts)
            for unit, scale in units
            for control in ("per-game", "per-move")
        ]
    if table == "final":
        return [
            (f"{final}, {unit}", setting("exploitation", scale, time="per-move", final=final), playouts)
            for unit, scale in units
            for final in ("average", "play-outs", "top-score")
        ]
    presets = [(name, SPMCTS.preset(name, restarts=1), playouts) for name in ("manual", "cem-per-game", "cem-per-move")]
    return [*presets, ("manual, per move", SPMCTS.preset("manual", time="per-move", restarts=1), playouts)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="a text file of boards")
    parser.add_argument("table", choices=("settings", "restarts", "policies", "time", "final", "presets"))
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--nodes", type=int, default=100_000)
    parser.add_argument("--playouts", type=int, default=100_000, help="of tables that give time instead of nodes")
    parser.add_argument("--only", default="", help="rows whose name has this in it")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    problems = [arbora.SameGame(board=load_board(f"{options.file}#{n}")) for n in range(1, options.boards + 1)]
    for name, search, playouts in rows(options.table, options.nodes, options.playouts):
        if options.only in name:
            start = time.perf_counter()
            jobs = [(problem, search, playouts, seed) for seed, problem in enumerate(problems, start=1)]
            found = scores(jobs, options.processes)
            print(f"{options.table}: {name:40} {summary(found)}   {time.perf_counter() - start:,.0f} s", flush=True)


if __name__ == "__main__":
    main()
