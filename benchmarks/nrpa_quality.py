"""How good NRPA's solutions are: best score on one SameGame board over several seeds.

    python benchmarks/nrpa_quality.py BOARDS.txt#1 --seconds 20 --seeds 5

Level 3, N = 100, alpha = 1, selective policy with t = 10, one thread: the setting of document 002, Table 3, where 200 runs
of 163.84 s reached 2,636 on average on the first board of the standard test set.
"""

import argparse
import statistics

import arbora
from arbora.problems.samegame.boards import load_board


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("board", help="FILE#N")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--selective", default="10")
    options = parser.parse_args()
    problem = arbora.SameGame(board=load_board(options.board), selective=options.selective)
    scores = []
    for seed in range(1, options.seeds + 1):
        result = arbora.solve(problem, arbora.NRPA(level=3), seconds=options.seconds, seed=seed)
        scores.append(result.score)
        print(f"seed {seed}: {result.score:,.0f}   {result.playouts / result.seconds:,.0f} play-outs/s", flush=True)
    spread = statistics.stdev(scores) if len(scores) > 1 else 0.0
    print(f"mean {statistics.mean(scores):,.0f}, standard deviation {spread:,.0f}, {len(scores)} runs")


if __name__ == "__main__":
    main()
