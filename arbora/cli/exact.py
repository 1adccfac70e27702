"""`arbora exploit`: what a perfect opponent would win. `arbora export`: a small game as a file for Gambit."""

import json
import time
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.progress import Progress

from arbora.cli.display import announce
from arbora.errors import BadInput
from arbora.exact import strategies, values
from arbora.exact.gambit import gambit_text
from arbora.exact.tree import MOST_ALLOWED, MOST_POSITIONS, GameTree, tree_of
from arbora.files import require_place, write_text
from arbora.player import check_player
from arbora.running import check_whole
from arbora.simulator import opened
from arbora.spec import parse_problem, parse_search

PLAYOUTS = 1_000  # for a decision, if there is no budget
EXACT = {
    "uniform": strategies.uniform,
    "exact-pimc": strategies.exact_pimc,
    "pimc-limit": strategies.pimc_limit,
    "iimc-limit": strategies.iimc_limit,
}

Positions = Annotated[int, typer.Option("--positions", help="Most positions that the game may have.")]


def exploit(
    search: Annotated[str, typer.Argument(help=f"A search spec, or an exact strategy: {', '.join(EXACT)}.")],
    game: Annotated[str, typer.Option("--game", "-g", help="A problem spec of a small game of two players.")] = "kuhn-poker",
    playouts: Annotated[
        int | None, typer.Option("--playouts", "-n", help=f"For a decision [{PLAYOUTS:,}, if no budget].")
    ] = None,
    steps: Annotated[int | None, typer.Option("--steps", help="For a decision: moves in play-outs.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    positions: Positions = MOST_POSITIONS,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> int:
    """How much would a perfect opponent win against this search in a small game?

    The search is asked once for each situation that its player can tell apart, and its answers are its strategy. Its
    exploitability is what the best response to it wins more than is even, on average over both seats; 0 is perfect play.

    \b
    Examples:
      arbora exploit is-mcts --game leduc-poker --playouts 5000
      arbora exploit pimc --game synthetic-tree,trees=1,width=4,depth=4 --steps 20000 --json
      arbora exploit exact-pimc --game kuhn-poker
    """
    if playouts is not None and steps is not None:
        raise BadInput("--playouts and --steps are both given; give one of them")
    for name, budget in (("--playouts", playouts), ("--steps", steps)):
        if budget is not None:
            check_whole(name, budget, 1, 2**62)
    check_whole("--seed", seed, 0, 2**63 - 1)
    check_whole("--positions", positions, 1, MOST_ALLOWED)
    if search in EXACT:
        if playouts is not None or steps is not None:
            raise BadInput(f"{search} is exact and takes no budget; leave out --playouts and --steps")
    elif playouts is None and steps is None:
        playouts = PLAYOUTS
    made = parse_problem(game)
    algorithm = None if search in EXACT else parse_search(search)
    if algorithm is not None:
        with opened(made) as problem:
            check_player(problem, algorithm)
    tree = tree_of(made, positions, on_compile=_tell_of_compiling)
    values.require_constant_sum(tree)
    start = time.perf_counter()
    if algorithm is None:
        strategy = EXACT[search](tree)
    else:
        strategy = _asked(tree, algorithm, playouts, steps, seed)
    responses = [values.best_response(tree, strategy, seat)[0] for seat in range(2)]
    told = {
        "game": game,
        "search": search,
        "playouts": playouts,
        "steps": steps,
        "seed": seed,
        "exploitability": values.exploitability(tree, strategy),
        "value": float(values.expected_payoffs(tree, strategy)[0]),
        "best_responses": responses,
        "information_sets": tree.sets,
        "positions": tree.nodes,
        "seconds": time.perf_counter() - start,
    }
    if as_json:
        print(json.dumps(told))
    else:
        _show(told)
    return 0


def export(
    game: Annotated[str, typer.Argument(help="A problem spec of a small game.")],
    out: Annotated[Path, typer.Option("--out", "-o", help="The file, FILE.efg.")],
    positions: Positions = MOST_POSITIONS,
) -> int:
    """Write a small game as a file for Gambit, which finds its equilibria: an extensive-form game, version 2.

    \b
    Examples:
      arbora export kuhn-poker --out kuhn.efg
      arbora export synthetic-tree,trees=1,width=2,depth=4 --out tree.efg
    """
    if out.suffix != ".efg":
        raise BadInput(f"{out}: is not an extensive-form file; --out takes FILE.efg")
    require_place(out, "--out")
    check_whole("--positions", positions, 1, MOST_ALLOWED)
    tree = tree_of(parse_problem(game), positions, on_compile=_tell_of_compiling)
    write_text(out, gambit_text(tree, game), "game")
    print(f"{out}: {tree.nodes:,} positions, {tree.sets:,} information sets")
    return 0


def _asked(tree: GameTree, algorithm: Any, playouts: int | None, steps: int | None, seed: int) -> np.ndarray:
    """A search's strategy, with its progress on stderr."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("information sets", total=tree.sets)
        return strategies.search_strategy(
            tree,
            algorithm,
            playouts=playouts,
            steps=steps,
            seed=seed,
            progress=lambda done, total: bar.update(task, completed=done),
            on_compile=_tell_of_compiling,
        )


def _show(told: dict[str, Any]) -> None:
    first, second = told["best_responses"]
    asked = ""
    for unit, name in (("playouts", "play-outs"), ("steps", "steps")):
        if told[unit] is not None:
            asked = f", {told[unit]:,} {name} each, seed {told['seed']}"
    print(f"exploitability {told['exploitability']:.4f}: what a perfect opponent wins more than is even, over both seats")
    print(f"the best response wins {first:+.4f} in the first seat, {second:+.4f} in the second")
    print(f"the search against itself wins {told['value']:+.4f} in the first seat")
    print(f"{told['game']}: {told['information_sets']:,} information sets in {told['positions']:,} positions")
    print(f"{told['search']}{asked}: {told['seconds']:.1f} s")


def _tell_of_compiling() -> None:
    announce("compiling for the first time; the machine code is kept for next time …")
