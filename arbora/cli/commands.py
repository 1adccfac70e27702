"""What each command does."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from arbora import solution
from arbora.check import check_problem
from arbora.cli import benchmarks, display
from arbora.component import nearest
from arbora.errors import BadInput, BadSolution
from arbora.files import require_place
from arbora.problem import is_game
from arbora.registry import POLICIES, PROBLEMS, SEARCHES, default_search_spec
from arbora.simulator import opened, raise_error
from arbora.solve import solve as run_solve
from arbora.spec import parse_problem, parse_search, settable

DEFAULT_PROBLEM = "samegame,seed=1"

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def solve(
    problem: Annotated[str, typer.Argument(help="A problem spec; `arbora list` shows what there is.")] = DEFAULT_PROBLEM,
    search: Annotated[str | None, typer.Argument(help="A search spec [the one that is best for the problem].")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="Budget in seconds [10, if no budget].")] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="Budget in play-outs, over all threads.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    threads: Annotated[int, typer.Option("--threads", "-t", help="Independent searches; the best wins.")] = 1,
    as_json: Json = False,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Solution file, rewritten at each improvement.")] = None,
) -> int:
    """Search a problem and show the best solution seen. Ctrl-C stops early and keeps the best.

    \b
    Examples:
      arbora solve
      arbora solve samegame,seed=7 --seconds 30 --threads 2
      arbora solve samegame:boards.txt#3 mcts,policy=tabu-color --playouts 100000
      arbora solve my_problem.py:Knapsack,capacity=50 nrpa,level=4 --out best.json
    """
    made = parse_problem(problem)
    if search is None and is_game(made):
        raise BadInput(f"{problem} is a game, with players; `arbora play {problem}` and `arbora match` are for games")
    search = search or default_search_spec(made)
    algorithm = parse_search(search)
    if out is not None:
        require_place(out, "--out")
    with display.LiveLine(f"{problem}  {search}", seconds, playouts) as line:

        def progress(report: Any) -> None:
            line.show(report)
            if out is not None and report.improved:
                solution.write(out, solution.unfinished(report, problem, search, seed, threads))

        result = run_solve(
            made,
            algorithm,
            seconds=seconds,
            playouts=playouts,
            seed=seed,
            threads=threads,
            progress=progress,
            on_compile=line.compiling,
        )
    content = solution.as_object(result, problem, search)
    if out is not None and content["score"] is not None:
        solution.write(out, content)
    if as_json:
        print(json.dumps(content))
    else:
        display.show_result(made, result, search, out)
    return 130 if result.stopped == "interrupted" else 0


def replay(
    file: Annotated[Path, typer.Argument(help="What `arbora solve --out` or `arbora tell --out` wrote.")],
    as_json: Json = False,
    boards: Annotated[bool, typer.Option("--boards/--no-boards", help="Show the positions, if they can be drawn.")] = True,
) -> int:
    """Play a solution again in plain Python, and check its score. Exit code 1 if it does not hold.

    \b
    Examples:
      arbora replay best.json
      arbora replay best.json --no-boards
      arbora replay best.json --json
    """
    content = solution.read(file)
    if "stories" in content:
        return _replay_stories(content["stories"], as_json)
    steps = []
    with opened(parse_problem(content["problem"])) as problem:
        for step in solution.verify(problem, content):
            picture = problem.render(step.state) if boards and not as_json and hasattr(problem, "render") else None
            steps.append((step.number, step.text, step.score, picture))
            raise_error(problem)
    if as_json:
        print(json.dumps(_replayed(content, [step[:3] for step in steps])))
    else:
        display.show_replay(content["problem"], steps)
    return 0


def _replay_stories(stories: list[dict[str, Any]], as_json: bool) -> int:
    rows = []
    for number, story in enumerate(stories, 1):
        try:
            with opened(parse_problem(story["problem"])) as problem:
                steps = [(step.number, step.text, step.score) for step in solution.verify(problem, story)]
        except BadSolution as error:
            raise BadSolution(f"story {number}: {error}") from None
        rows.append(_replayed(story, steps))
        if not as_json:
            score = f"{story['score']:.3g}"
            print(f"story {number}: score {score} in {len(story['moves'])} actions holds ({story['problem']})")
    if as_json:
        print(json.dumps({"valid": True, "stories": rows}))
    return 0


def _replayed(content: dict[str, Any], steps: list[tuple[int, str, float]]) -> dict[str, Any]:
    moves = [{"move": number, "text": text, "score": score} for number, text, score in steps[1:]]
    return {"problem": content["problem"], "score": content["score"], "valid": True, "moves": moves}


def list_all(
    kind: Annotated[str, typer.Argument(help="problems, searches, policies, or one name.")] = "all",
    as_json: Json = False,
) -> int:
    """List problems, searches and policies with their parameters.

    \b
    Examples:
      arbora list
      arbora list searches
      arbora list nrpa
    """
    rooms = {"problems": PROBLEMS, "searches": SEARCHES, "policies": POLICIES}
    shown = {room: entries for room, entries in rooms.items() if kind in ("all", room)}
    if not shown:
        shown = {room: {kind: entries[kind]} for room, entries in rooms.items() if kind in entries}
    if not shown:
        raise BadInput(f"unknown name {kind!r}; {nearest(kind, [*rooms, *PROBLEMS, *SEARCHES, *POLICIES])}")
    if as_json:
        listing = {
            room: {
                name: {
                    "summary": entry.summary,
                    "instance": entry.instance_help,
                    "presets": list(entry.presets),
                    "parameters": {
                        key: {"default": str(p.default) if hasattr(p.default, "parameters") else p.default,
                              "allowed": p.allowed, "help": p.help}
                        for key, p in settable(entry).items()
                    },
                }
                for name, entry in entries.items()
            }
            for room, entries in shown.items()
        }  # fmt: skip
        print(json.dumps(listing))
    else:
        display.show_list(shown)
    return 0


def check(
    problem: Annotated[str, typer.Argument(help="FILE.py:Class[,key=value…], or any problem spec.")],
    playouts: Annotated[int, typer.Option("--playouts", "-n", min=1, help="Play-outs to compare.")] = 20,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    as_json: Json = False,
) -> int:
    """Run the conformance suite on a problem and say what passed. Exit code 2 if it fails.

    \b
    Examples:
      arbora check my_problem.py:Knapsack
      arbora check my_problem.py:Knapsack,capacity=20 --playouts 100
      arbora check samegame,seed=3
    """
    made = parse_problem(problem)
    report = check_problem(made, playouts=playouts, seed=seed)
    if as_json:
        print(json.dumps({"problem": problem, "ok": report.ok, "passed": report.passed, "failure": report.failure}))
    else:
        for message in report.passed:
            print(f"  ok    {message}")
        if report.ok:
            with opened(made) as instance:
                kind, verb = ("game", "play") if is_game(instance) else ("problem", "solve")
            print(f"{report.name} is a {kind}; try: arbora {verb} {problem}")
    if not report.ok:
        print(f"arbora: {report.failure}", file=sys.stderr)
        return 2
    return 0


def bench(
    seconds: Annotated[float, typer.Option("--seconds", "-s", min=0.1, help="Time for each measurement.")] = 3.0,
    board: Annotated[str | None, typer.Option("--board", help="Board to measure on, FILE#N [a random one].")] = None,
    yardstick: Annotated[Path | None, typer.Option("--yardstick", help="C source to compare with; needs --board.")] = None,
    only: Annotated[str | None, typer.Option("--only", help="One measurement by name.")] = None,
    as_json: Json = False,
) -> int:
    """Measure speed, each figure as a ratio to something measured in the same run.

    Without --yardstick the comparison is with our own straightforward SameGame, compiled the same way.

    \b
    Examples:
      arbora bench
      arbora bench --seconds 1 --json
      arbora bench --board boards.txt#1 --yardstick playouts.c
    """
    rows = benchmarks.measure_all(seconds, board, yardstick, only, announce=display.announce)
    if as_json:
        print(json.dumps(benchmarks.as_object(rows)))
    else:
        display.show_bench(rows)
    return 0
