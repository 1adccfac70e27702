"""How good a search is on a whole file of SameGame boards: score of each, and the total.

    python benchmarks/samegame_total.py BOARDS.txt nrpa,level=4,iterations=50 --problem-options selective=10 \\
        --seconds 60 --threads 2 --json total.json

With --json the results are kept as they come, and a run that was cut off goes on where it stopped. --tabu-ranks 1,2,3
tries several tabu colours: each gets the share --trial of the budget, and the one that scored highest gets the rest.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import arbora
from arbora.problems.samegame.boards import parse_boards
from arbora.spec import parse_problem, parse_search


def main() -> None:
    options = parsed()
    boards = parse_boards(options.boards_file.read_text(), str(options.boards_file))
    numbers = [n for n in numbers_of(options.boards) if n <= len(boards)] if options.boards else range(1, len(boards) + 1)
    settings = settings_of(options)
    done = resumed(options.json, settings)
    for number in numbers:
        if str(number) not in done:
            done[str(number)] = solve_board(boards[number - 1], options)
            if options.json is not None:
                options.json.write_text(json.dumps({"settings": settings, "boards": done}, indent=1))
        row = done[str(number)]
        rate = row["playouts"] / row["seconds"]
        print(f"{number:3} {row['score']:8,.0f}   tabu rank {row['tabu_rank']}   {rate:9,.0f} play-outs/s", flush=True)
    rows = [done[str(number)] for number in numbers]
    rate = sum(row["playouts"] for row in rows) / sum(row["seconds"] for row in rows)
    print(f"total {sum(row['score'] for row in rows):,.0f} on {len(rows)} boards, {rate:,.0f} play-outs/s")


def parsed() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("boards_file", type=Path, metavar="FILE")
    parser.add_argument("search", help="a spec, such as nrpa,level=4")
    parser.add_argument("--problem-options", default="selective=10", help="KEY=VALUE,…")
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--playouts", type=int, help="a budget of play-outs instead; 60 seconds if neither is given")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--boards", help="which ones: 1-20, or 1,5,7")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tabu-ranks", default="", help="tabu colours to try, by rank: 1,2,3")
    parser.add_argument("--trial", type=float, default=0.1, help="share of the budget for trying each rank")
    parser.add_argument("--json", type=Path, help="keep results here, and go on from them")
    options = parser.parse_args()
    if options.seconds is None and options.playouts is None:
        options.seconds = 60.0
    return options


def numbers_of(text: str) -> list[int]:
    """1-3,7 as [1, 2, 3, 7]."""
    ranges = [part.partition("-") for part in text.split(",")]
    return [n for first, _, last in ranges for n in range(int(first), int(last or first) + 1)]


def settings_of(options: argparse.Namespace) -> dict[str, Any]:
    """Everything that a result depends on, but which boards are wanted."""
    names = "search", "problem_options", "seconds", "playouts", "threads", "seed", "tabu_ranks", "trial"
    return {"file": options.boards_file.name, **{name: getattr(options, name) for name in names}}


def resumed(path: Path | None, settings: dict[str, Any]) -> dict[str, Any]:
    """Results of an earlier run with the same settings."""
    if path is None or not path.exists():
        return {}
    saved = json.loads(path.read_text())
    if saved["settings"] != settings:
        raise SystemExit(f"{path}: results of other settings: {saved['settings']}; give another file")
    return saved["boards"]


def solve_board(board: Any, options: argparse.Namespace) -> dict[str, Any]:
    """The best of all tabu colours tried; play-outs and seconds are of all of them together."""
    plain = parse_problem("samegame" + "".join(f",{part}" for part in options.problem_options.split(",") if part))
    search = parse_search(options.search)
    ranks = [int(rank) for rank in options.tabu_ranks.split(",") if rank] or [plain.tabu_rank]
    results: list[tuple[int, arbora.Result]] = []

    def attempt(rank: int, share: float) -> None:
        result = arbora.solve(
            plain.replace(board=board, tabu_rank=rank),
            search,
            seconds=None if options.seconds is None else options.seconds * share,
            playouts=None if options.playouts is None else max(int(options.playouts * share), 1),
            threads=options.threads,
            seed=options.seed + 1000 * len(results),
        )
        results.append((rank, result))

    if len(ranks) > 1:
        for rank in ranks:
            attempt(rank, options.trial)
    left = 1.0 - options.trial * len(results)
    if left > 0.001:
        attempt(max(results, key=lambda found: found[1].score)[0] if results else ranks[0], left)
    rank, best = max(results, key=lambda found: found[1].score)
    return {
        "score": best.score,
        "tabu_rank": rank,
        "moves": best.text,
        "playouts": sum(result.playouts for _, result in results),
        "seconds": sum(result.seconds for _, result in results),
        "by_rank": [(rank, result.score) for rank, result in results],
    }


if __name__ == "__main__":
    main()
