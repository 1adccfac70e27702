"""A match: the jobs of its games, and what the games that are done say."""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any

from arbora import sgf
from arbora.batch.job import Job, Record
from arbora.errors import BadInput
from arbora.match.contestant import check_contestant
from arbora.match.game import RESIGNED, TO_THE_END, WIN_OR_LOSE, seat_and_deal
from arbora.match.record import as_sgf
from arbora.match.statistics import elo, mean_interval, wilson
from arbora.problems.go.game import Go
from arbora.simulator import opened
from arbora.spec import parse_problem


@dataclass(frozen=True)
class Match:
    """Two contestants, a game, and how many times; the budget is for a contestant that has none of its own."""

    first: str
    second: str
    game: str
    games: int
    seconds: float | None = None
    playouts: int | None = None

    def jobs(self) -> list[Job]:
        return [
            Job(self.game, self.first, number, self.seconds, self.playouts, against=self.second)
            for number in range(1, self.games + 1)
        ]

    def check(self) -> None:
        """Raise BadInput unless it can be played."""
        if self.games < 1:
            raise BadInput(f"games={self.games} is not allowed; a match has 1 or more")
        for contestant in self.jobs()[0].contestants:
            check_contestant(contestant, self.game)

    @property
    def threads(self) -> int:
        """The most that a contestant uses."""
        return max(contestant.threads for contestant in self.jobs()[0].contestants)


@dataclass(frozen=True)
class Tally:
    """Games of a match from the first contestant's side. `score` is the mean payoff, scaled to 0 .. 1."""

    games: int
    wins: int
    draws: int
    losses: int
    score: float
    interval: tuple[float, float]
    payoff: float  # the mean of the payoff itself
    payoff_interval: tuple[float, float]


@dataclass(frozen=True)
class Standing:
    """What the finished games of a match say."""

    match: Match
    wins_and_losses: bool  # whether the game is won, lost or drawn, and pays nothing else
    total: Tally
    seats: Sequence[Tally]  # by the first contestant's seat
    distinct: int  # games with different moves
    length: float  # moves of a game, on average
    playouts: tuple[int, int]  # of either contestant in all games
    seconds: tuple[float, float]
    faults: Sequence[str]  # of external programs


def standing(match: Match, records: Sequence[Record]) -> Standing:
    """How a match stands; `records` are those of its games that are done."""
    with opened(parse_problem(match.game)) as game:
        low, high = (float(payoff) for payoff in game.payoffs())
        players = int(game.players())
    bounds = (0.0, 1.0) if (low, high) in WIN_OR_LOSE else (low, high)
    seats: list[list[float]] = [[] for _ in range(players)]
    deals: dict[int, list[float]] = {}
    for record in records:
        assert record.score is not None
        seat, deal = seat_and_deal(record.seed, players)
        seats[seat].append(record.score)
        deals.setdefault(deal, []).append(record.score)
    scores = [score for of_seat in seats for score in of_seat]
    return Standing(
        match=match,
        wins_and_losses=bounds == (0.0, 1.0) and all(score in (0.0, 0.5, 1.0) for score in scores),
        total=_tally(scores, bounds, [fmean(of_deal) for of_deal in deals.values()]),
        seats=[_tally(of_seat, bounds) for of_seat in seats],
        distinct=len({tuple(record.moves) for record in records}),
        length=fmean(record.length for record in records) if records else 0.0,
        playouts=(sum(record.playouts for record in records), sum(record.against_playouts for record in records)),
        seconds=(sum(record.seconds for record in records), sum(record.against_seconds for record in records)),
        faults=[f"game {record.seed}: {fault}" for record in records if (fault := fault_of(record))],
    )


def sgf_games(match: Match, records: Sequence[Record]) -> Iterator[tuple[int, sgf.Game]]:
    """The games of a match of Go, each with its number. Raises BadInput for any other game."""
    game = parse_problem(match.game)
    if not isinstance(game, Go):
        raise BadInput(f"{match.game}: SGF is for games of Go")
    for record in records:
        seat, _ = seat_and_deal(record.seed, 2)
        names = (match.first, match.second) if seat == 0 else (match.second, match.first)
        black_won = (record.score == 1.0) == (seat == 0)
        yield record.seed, as_sgf(game, record.moves, names, black_won, record.stopped)


def fault_of(record: Record) -> str:
    """What an external program did wrong in a game, if it did."""
    return "" if record.stopped in (TO_THE_END, RESIGNED) else record.stopped


def as_object(found: Standing) -> dict[str, Any]:
    """For `--json`. What is not known, or infinite, is null."""
    match, total = found.match, found.total
    return {
        "first": match.first,
        "second": match.second,
        "game": match.game,
        "games": total.games,
        "wanted": match.games,
        **_tally_object(total),
        "elo": _finite(elo(total.score)) if len(found.seats) == 2 else None,
        "elo_interval": [_finite(elo(bound)) if len(found.seats) == 2 else None for bound in total.interval],
        "seats": [{"games": seat.games, **_tally_object(seat)} for seat in found.seats],
        "distinct": found.distinct,
        "length": found.length,
        "playouts": list(found.playouts),
        "seconds": list(found.seconds),
        "rate": [rate(*side) for side in zip(found.playouts, found.seconds, strict=True)],
        "faults": list(found.faults),
    }


def rate(playouts: int, seconds: float) -> float | None:
    """Play-outs per second; None for who does none."""
    return playouts / seconds if playouts and seconds > 0 else None


def _tally(scores: Sequence[float], bounds: tuple[float, float], apart: Sequence[float] | None = None) -> Tally:
    """Of these scores; intervals are by those that are independent, the means of each deal, if they are given."""
    low, high = bounds
    middle = (low + high) / 2
    scaled = [(score - low) / (high - low) for score in scores]
    mean = fmean(scaled) if scaled else 0.5
    if all(score in (0.0, 0.5, 1.0) for score in scaled):
        interval = wilson(mean, len(scores))
    else:
        below, above = ((bound - low) / (high - low) for bound in mean_interval(scores if apart is None else apart))
        interval = max(below, 0.0), min(above, 1.0)
    return Tally(
        games=len(scores),
        wins=sum(score > middle for score in scores),
        draws=sum(score == middle for score in scores),
        losses=sum(score < middle for score in scores),
        score=mean,
        interval=interval,
        payoff=fmean(scores) if scores else middle,
        payoff_interval=mean_interval(scores if apart is None else apart),
    )


def _tally_object(tally: Tally) -> dict[str, Any]:
    return {
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": tally.score if tally.games else None,
        "interval": list(tally.interval),
        "payoff": tally.payoff if tally.games else None,
        "payoff_interval": [_finite(bound) for bound in tally.payoff_interval],
    }


def _finite(number: float) -> float | None:
    return number if math.isfinite(number) else None
