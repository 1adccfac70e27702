"""`arbora match`: two contestants, many games, and how sure the result is."""

import json
import math
import sys
from pathlib import Path
from typing import Annotated

import typer

from arbora import sgf
from arbora.batch import match as matches
from arbora.batch import store
from arbora.batch.batch import complete
from arbora.batch.job import Record
from arbora.batch.match import Match, Standing, Tally
from arbora.batch.workers import Workers, default_workers
from arbora.cli.signals import Interruption, terminable
from arbora.cli.watching import BatchLine
from arbora.errors import BadInput
from arbora.match.statistics import elo

SECONDS = 1.0  # for a move, if nobody says anything else

Contestant = typer.Argument(
    help="A search spec with its budget, uct,playouts=1000 or uct,seconds=0.5,threads=2; gtp:COMMAND."
)


def match(
    first: Annotated[str, Contestant],
    second: Annotated[str, Contestant],
    game: Annotated[str, typer.Option("--game", "-g", help="A problem spec of a game.")] = "go,size=9",
    games: Annotated[int, typer.Option("--games", help="How many games; seats change from one to the next.")] = 20,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="For a move, if a spec has no budget [1].")
    ] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="For a move, if a spec has no budget.")] = None,
    database: Annotated[Path, typer.Option("--db", help="Database that keeps the games.")] = Path("match.sqlite"),
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Games at once [as the cores allow].")] = None,
    sgf_folder: Annotated[Path | None, typer.Option("--sgf", help="Folder for an SGF file of each game of Go.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")] = False,
) -> int:
    """Let two contestants play a match. Every game is kept: after Ctrl-C or a crash, the same command goes on from there.

    In games of chance every deal is played from every seat. With more than two players, the second contestant has all other
    seats.

    \b
    Examples:
      arbora match mc-rave uct --playouts 1000 --games 100
      arbora match uct,playouts=2000 random --game connect-four
      arbora match mc-rave,seconds=2,threads=2 "gtp:gnugo --mode gtp --level 10 --seed {seed}" --game go,size=9,komi=6.5
    """
    budget = SECONDS if seconds is None and playouts is None else seconds
    planned = Match(first, second, game, games, budget, playouts)
    planned.check()
    if sgf_folder is not None:
        _write_sgf(planned, [], sgf_folder)
    records, interrupted = _play(planned, database, workers or default_workers(planned.threads))
    found = matches.standing(planned, records)
    if sgf_folder is not None:
        _write_sgf(planned, records, sgf_folder)
    if as_json:
        print(json.dumps(matches.as_object(found)))
    else:
        show(found)
    if interrupted:
        return 130
    return 0 if len(records) == games else 2


class MatchLine(BatchLine):
    """How a match stands, on stderr."""

    def __init__(self, planned: Match, interruption: Interruption, known: list[Record]) -> None:
        super().__init__("", interruption)
        self.records = known
        self.planned = planned
        self._count(None)

    def running(self, done: int, total: int, record: Record | None) -> None:
        self._count(record)
        super().running(done, total, record)

    def _count(self, record: Record | None) -> None:
        if record is not None:
            self.records.append(record)
            if fault := matches.fault_of(record):
                self.console.print(f"arbora: game {record.seed}: {fault}", highlight=False, markup=False, soft_wrap=True)
        total = matches.standing(self.planned, self.records).total
        self.title = f"{total.wins} won, {total.draws} drawn, {total.losses} lost"


def _play(planned: Match, database: Path, workers: int) -> tuple[list[Record], bool]:
    """The games that are done, and whether somebody stopped it."""
    jobs = planned.jobs()
    codes = {job.identity: job.code for job in jobs}
    interrupted = False
    with store.writing(database) as kept:

        def done() -> list[Record]:
            found = kept.find(list(codes), codes).values()
            return sorted((record for record in found if record.code == codes[record.identity]), key=lambda each: each.seed)

        with terminable() as interruption, MatchLine(planned, interruption, done()) as line:
            try:
                with Workers(workers, waiting=line.waiting) as crew:
                    failures = complete(jobs, kept, crew, line).failures
            except KeyboardInterrupt:
                interrupted, failures = True, []
                print(f"arbora: interrupted; the games are in {database}, the same command goes on", file=sys.stderr)
        for job, reason in failures[:5]:
            print(f"arbora: game {job.seed} was not played: {reason}", file=sys.stderr)
        return done(), interrupted


def _write_sgf(planned: Match, records: list[Record], folder: Path) -> None:
    """A file for each game; the folder is made if there is none."""
    games = list(matches.sgf_games(planned, records))
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise BadInput(f"{folder}: cannot be made a folder: {error.strerror}") from None
    for number, game in games:
        sgf.save(folder / f"{number:04}.sgf", game)


def show(found: Standing) -> None:
    """The result for people."""
    total, planned = found.total, found.match
    print(f"{planned.first} against {planned.second}, {planned.game}")
    if total.games == 0:
        print("no game is finished yet")
        return
    print(f"won {total.wins}, drawn {total.draws}, lost {total.losses} of {total.games} games", end="")
    print("" if total.games == planned.games else f" ({planned.games} wanted)")
    print(f"score {_percent(total)}" + (f"; Elo {_elo(total)}" if len(found.seats) == 2 else ""))
    if not found.wins_and_losses:
        print(f"payoff {_payoff(total)}")
    for number, seat in enumerate(found.seats, start=1):
        if seat.games:
            more = "" if found.wins_and_losses else f", payoff {_payoff(seat)}"
            print(f"  in seat {number}: won {seat.wins}, drawn {seat.draws}, lost {seat.losses}; {_percent(seat)}{more}")
    print(f"{found.distinct} distinct games of {found.length:.1f} moves on average")
    for name, playouts, seconds in zip((planned.first, planned.second), found.playouts, found.seconds, strict=True):
        rate = matches.rate(playouts, seconds)
        print(f"{name}: {_seconds(seconds / total.games)} s a game" + ("" if rate is None else f", {rate:,.0f} play-outs/s"))


def _seconds(seconds: float) -> str:
    return f"{seconds:.2f}" if seconds >= 1 or seconds == 0 else f"{seconds:.3g}"


def _percent(tally: Tally) -> str:
    return f"{tally.score:.1%} ({tally.interval[0]:.1%} to {tally.interval[1]:.1%})"


def _payoff(tally: Tally) -> str:
    low, high = tally.payoff_interval
    return f"{tally.payoff:+.3f}" + (f" ({low:+.3f} to {high:+.3f})" if math.isfinite(low) else "")


def _elo(tally: Tally) -> str:
    low, high = (elo(bound) for bound in tally.interval)
    return f"{elo(tally.score):+.0f} ({low:+.0f} to {high:+.0f})"
