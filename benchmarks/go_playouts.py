"""Quick play-outs of Go per second, beside the C program that SameGame is measured against, in the same run.

    python benchmarks/go_playouts.py --seconds 4 --yardstick samegame_playouts.c --boards standard20.txt

Without a yardstick the reference is our own plain SameGame, compiled.
"""

import argparse
from pathlib import Path

from arbora import Random, solve
from arbora.cli.benchmarks import Bench
from arbora.policies.light import Light
from arbora.problems.go.game import Go


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--size", type=int, default=9, help="side of the board")
    parser.add_argument("--seconds", type=float, default=4.0, help="time for each measurement")
    parser.add_argument("--yardstick", type=Path, help="a C program: BOARDS INDEX PLAYOUTS")
    parser.add_argument("--boards", help="SameGame boards for the yardstick, which plays the first")
    given = parser.parse_args()
    bench = Bench(given.seconds, f"{given.boards}#1" if given.boards else None, given.yardstick)
    go, search = Go(size=given.size), Random(policy=Light())
    solve(go, search, playouts=1)
    # Reference, measurement, reference again: a machine that gets slower meanwhile shows.
    label, before = bench.reference()
    result = solve(go, search, seconds=given.seconds)
    rate = result.playouts / result.seconds
    reference = (before + bench.reference()[1]) / 2
    name = f"Go {given.size}×{given.size}"
    print(f"{name}: {rate:,.0f} play-outs/s; {label}: {reference:,.0f}/s; ratio {rate / reference:.2f}")


if __name__ == "__main__":
    main()
