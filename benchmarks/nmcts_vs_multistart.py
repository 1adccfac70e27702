"""Level-2 NMCTS against multi-start MCTS with equal play-outs (document 000, Figures 1, 2 and 4).

    python benchmarks/nmcts_vs_multistart.py samegame --file BOARDS.txt --restart 1000 --scan 0.05,0.1,0.2
    python benchmarks/nmcts_vs_multistart.py clickomania --restart 1000 --exploration 0.1

As in the document: uniform play-outs; the exploration of level 1 is tuned for multi-start MCTS (--scan, on other boards than
those compared) and used for both; that of level 2 is 0; a level-1 search has as many play-outs as a restart. Without a
file, boards are random by seed; clickomania's are 20x20 with 10 colours. The seed of a run is the board's number.
"""

import argparse
import statistics
from typing import Any

from common import paired_t_test, scores, summary

import arbora
from arbora import MCTS, NMCTS, MultiStart
from arbora.problems.samegame.boards import load_board

SIZES = {"samegame": (15, 15, 5), "bubble-breaker": (15, 15, 5), "clickomania": (20, 20, 10)}


def board(game: str, file: str, number: int) -> Any:
    if file:
        return arbora.SameGame(rule=game, board=load_board(f"{file}#{number}"))
    width, height, colors = SIZES[game]
    return arbora.SameGame(rule=game, seed=number, width=width, height=height, colors=colors)


def multi_start(exploration: float, playouts: int, restart: int) -> Any:
    return MultiStart(search=MCTS(exploration=exploration, nodes=restart + 1), starts=playouts // restart)


def nmcts(exploration: float, restart: int) -> Any:
    return NMCTS(level=2, budgets=(restart, 0), exploration=(exploration, 0.0))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=tuple(SIZES))
    parser.add_argument("--file", default="", help="a text file of boards; random boards without")
    parser.add_argument("--boards", type=int, default=50)
    parser.add_argument("--playouts", type=int, default=200_000, help="for each board")
    parser.add_argument("--restart", type=int, default=1_000, help="play-outs of a restart, and of a level-1 search")
    parser.add_argument("--exploration", type=float, default=0.1, help="C of MCTS and of level 1")
    parser.add_argument("--scan", default="", help="values of C to choose from")
    parser.add_argument("--scan-boards", type=int, default=10, help="boards for that, after those compared")
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    label = f"{options.game}, {options.playouts:,} play-outs, {options.restart:,} each"

    def measured(search: Any, numbers: range) -> list[float]:
        problems = [(board(options.game, options.file, number), number) for number in numbers]
        return scores([(problem, search, options.playouts, seed) for problem, seed in problems], options.processes)

    exploration = options.exploration
    if options.scan:
        others = range(options.boards + 1, options.boards + 1 + options.scan_boards)
        found = {}
        for c in map(float, options.scan.split(",")):
            values = measured(multi_start(c, options.playouts, options.restart), others)
            found[c] = statistics.mean(values)
            print(f"{label}: scan, multi-start MCTS, C = {c:<5g} {summary(values)}", flush=True)
        exploration = max(found, key=lambda c: found[c])
    numbers = range(1, options.boards + 1)
    first = measured(nmcts(exploration, options.restart), numbers)
    print(f"{label}: NMCTS level 2,     C = {exploration:g} / 0   {summary(first)}", flush=True)
    second = measured(multi_start(exploration, options.playouts, options.restart), numbers)
    print(f"{label}: multi-start MCTS,  C = {exploration:g}       {summary(second)}", flush=True)
    mean, half, p = paired_t_test(first, second)
    print(f"{label}: difference {mean:+,.1f} ± {half:,.1f} (95 %), two-tailed p = {p:.2g}", flush=True)


if __name__ == "__main__":
    main()
