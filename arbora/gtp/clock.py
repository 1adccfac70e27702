"""Time on the clock, and how much of it a move may take."""

from dataclasses import dataclass

LAG = 0.5  # seconds that may get lost on the way to the controller
_KEPT = 0.05  # the share of the time left that is never planned for
_LEAST = 0.001
_SHARE_OF_EMPTY = 0.4  # own moves to come for each empty point
_FEWEST_MOVES = 8


@dataclass(frozen=True)
class Settings:
    """Main time, then periods of `period` seconds for `stones` stones each; without stones, main time is all there is."""

    main: float
    period: float = 0.0
    stones: int = 0
    one_by_one: bool = False  # Japanese: `stones` of a report are periods, and each period is for one stone


@dataclass(frozen=True)
class Left:
    """What a player has left: seconds for so many stones; 0 stones for main time."""

    seconds: float
    stones: int = 0


class Clock:
    """Both players' time. What the controller reports counts; between reports, it is kept by what moves took."""

    def __init__(self, settings: Settings | None = None) -> None:
        self.settings = settings
        self.left: list[Left | None] = [_full(settings), _full(settings)]

    def report(self, color: int, seconds: float, stones: int) -> None:
        """The controller says what a player has left."""
        if self.settings is None:
            self.settings = Settings(seconds, seconds if stones else 0.0, stones)
        if stones and self.settings.one_by_one:
            stones = 1
        self.left[color] = Left(seconds, stones)

    def spend(self, color: int, seconds: float) -> None:
        """A player's move took so long."""
        left, settings = self.left[color], self.settings
        if left is None or settings is None:
            return
        rest = Left(left.seconds - seconds, left.stones)
        if not left.stones and rest.seconds < 0 and settings.stones:
            rest = Left(max(settings.period + rest.seconds, 0.0), settings.stones)  # the move ended in the first period
        if rest.stones:
            rest = Left(rest.seconds, rest.stones - 1) if rest.stones > 1 else Left(settings.period, settings.stones)
        self.left[color] = rest

    def seconds(self, color: int, empty_points: int) -> float | None:
        """How long a player may think about a move; None without a limit."""
        left, settings = self.left[color], self.settings
        if left is None or settings is None:
            return None
        return allotted(left, settings, empty_points)


def allotted(left: Left, settings: Settings, empty_points: int) -> float:
    """A share of what is left that leaves enough for the moves to come, and for lag."""
    if left.stones:
        return _share(left.seconds, left.stones)
    moves = max(_SHARE_OF_EMPTY * empty_points, _FEWEST_MOVES)
    share = _share(left.seconds, moves)
    if settings.stones:  # there are periods to come: no move need be shorter than theirs will be
        return max(share, _share(settings.period, settings.stones))
    return share


def _share(seconds: float, moves: float) -> float:
    """One of so many equal parts of the time, after something was kept back; reports will tell what lag each move has."""
    left = max(seconds, 0.0)
    return max(max(left * (1 - _KEPT) - LAG, left * 0.1) / moves, _LEAST)


def _full(settings: Settings | None) -> Left | None:
    if settings is None:
        return None
    return Left(settings.main) if settings.main > 0 or not settings.stones else Left(settings.period, settings.stones)
