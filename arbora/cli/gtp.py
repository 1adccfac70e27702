"""`arbora gtp`: the Go player for GoGui, Sabaki and KGS."""

import sys
from collections.abc import Callable
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Annotated, Any, TextIO

import typer

from arbora.cli.signals import terminable
from arbora.errors import BadInput
from arbora.gtp.engine import Engine
from arbora.gtp.mind import DEFAULT_RESIGN, DEFAULT_SECONDS, Mind
from arbora.gtp.ownership import Judge
from arbora.gtp.serving import Lines, record, serve
from arbora.gtp.table import Table
from arbora.player import Player
from arbora.problems.go.game import Go
from arbora.running import checked_budget
from arbora.spec import parse_search

DEFAULT_SEARCH = "mc-rave,policy=tactical"


def gtp(
    search: Annotated[str, typer.Option("--search", help="A search spec; one that plays games.")] = DEFAULT_SEARCH,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help=f"Seconds for a move [{DEFAULT_SECONDS:g}, if no budget].")
    ] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="Play-outs for a move, over all threads.")] = None,
    threads: Annotated[int, typer.Option("--threads", "-t", help="Threads that search at once.")] = 1,
    size: Annotated[int, typer.Option("--size", help="Size of the board until the controller sets another.")] = 9,
    komi: Annotated[float, typer.Option("--komi", help="Komi until the controller sets another.")] = 7.5,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    resign: Annotated[
        float, typer.Option("--resign", min=0, max=1, help="Resign if winning is less likely than this; 0 for never.")
    ] = DEFAULT_RESIGN,
    log: Annotated[Path | None, typer.Option("--log", help="Add all that is read and written to this file.")] = None,
) -> int:
    """Play Go by the Go Text Protocol, version 2, on stdin and stdout.

    Time on the controller's clock counts for more than --seconds and --playouts.

    \b
    Examples:
      arbora gtp
      arbora gtp --seconds 10 --threads 2
      arbora gtp --size 13 --komi 6.5 --search mc-rave,policy=tactical --playouts 20000
      arbora gtp --resign 0 --log games.log
    """
    game = Go(size=size, komi=komi)
    algorithm = parse_search(search)
    checked_budget(seconds, playouts)
    mind = Mind(seconds, playouts, resign)
    with ExitStack() as stack:
        file = stack.enter_context(_opened(log)) if log is not None else None
        stack.enter_context(terminable())

        def tell(line: str) -> None:
            with suppress(OSError):  # a controller may have closed stderr
                print(f"arbora: {line}", file=sys.stderr, flush=True)
            record(file, f"# {line}\n")

        def on_compile() -> None:
            tell("compiling for this board for the first time; the machine code is kept for next time …")

        def new_player(made: Any) -> Player:
            return Player(made, algorithm, threads=threads, seed=seed, on_compile=on_compile)

        def new_judge(made: Any) -> Judge:
            policy = algorithm.policy if algorithm.plays else None
            return Judge(made, policy, seed=seed, on_compile=on_compile)

        def make_engine(write: Callable[[str], None], lines: Lines) -> Engine:
            engine = Engine(Table(new_player, game), mind, new_judge, write, lines, tell)
            if algorithm.plays:
                engine.judge()  # so that nothing is compiled while the clock is running
            tell(f"ready: {search} on {size}×{size}")
            return engine

        serve(make_engine, file)
    return 0


def _opened(log: Path) -> TextIO:
    try:
        return log.open("a", encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{log}: cannot write the log: {error.strerror}") from None
