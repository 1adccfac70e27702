"""What to play: by thinking, with a sense of when to pass and when to resign."""

from typing import Any

from arbora.gtp.analysis import Reporter
from arbora.gtp.judging import neighbors
from arbora.gtp.table import Table
from arbora.problem import like_compiled

DEFAULT_SECONDS = 5.0
DEFAULT_RESIGN = 0.05
RESIGN = -1  # in place of a move
_MOVES_BEFORE_RESIGNING = 3  # that many bad ones in a row
_PLAYOUTS_BEFORE_RESIGNING = 100
_FILLED_BEFORE_RESIGNING = 0.25
_HOPELESS = 0.02  # a move of this value is no better than a pass that loses


class Mind:
    """Budget of a move, and the will to go on."""

    def __init__(self, seconds: float | None = None, playouts: int | None = None, resign: float = DEFAULT_RESIGN) -> None:
        self.seconds = DEFAULT_SECONDS if seconds is None and playouts is None else seconds
        self.is_default = seconds is None and playouts is None
        self.playouts = playouts
        self.resign = resign
        self._bad_in_a_row = [0, 0]

    def new_game(self) -> None:
        self._bad_in_a_row = [0, 0]

    def choose(
        self, table: Table, color: int, clock: float | None, *, reporter: Reporter | None = None, may_resign: bool = True
    ) -> int:
        """The move to play, or RESIGN; it must be this player's turn. `clock` is the time that the clock allows."""
        player = table.player
        if table.has_passed(1 - color) and wins_now(player, color):
            return table.passing
        thought = self._think(player, clock, reporter)
        if thought is None:
            return table.passing
        if may_resign and self._gives_up(table, color, thought):
            return RESIGN
        if thought.move == table.passing and not wins_now(player, color):
            better = (found for found in thought.moves if found.move != table.passing and found.value > _HOPELESS)
            return next((int(found.move) for found in better), table.passing)
        return int(thought.move)

    def clean_up(self, table: Table, color: int, clock: float | None, dead: set[int]) -> int:
        """The same, with dead stones of the other side to be taken off the board before a pass."""
        if not dead:
            return self.choose(table, color, clock, may_resign=False)
        thought = self._think(table.player, clock, None)
        if thought is None:
            return table.passing
        moves = [int(found.move) for found in thought.moves if found.move != table.passing]
        width = int(table.game.columns)
        near = [move for move in moves if any(other in dead for other in neighbors(move, width, table.passing))]
        return (near or moves or [table.passing])[0]

    def _think(self, player: Any, clock: float | None, reporter: Reporter | None) -> Any:
        """A thought, None if there is no move but to pass."""
        if not player.legal():
            return None
        seconds = self.seconds
        if clock is not None:
            seconds = clock if seconds is None or self.is_default else min(seconds, clock)
        thought = player.think(seconds=seconds, playouts=self.playouts, progress=reporter)
        if reporter is not None:
            reporter.tell(player)
        if thought.stopped == "interrupted":
            raise KeyboardInterrupt
        return thought

    def _gives_up(self, table: Table, color: int, thought: Any) -> bool:
        sure = sum(found.visits for found in thought.moves) >= _PLAYOUTS_BEFORE_RESIGNING
        colors = table.colors()
        filled = len([stone for stone in colors if stone >= 0]) >= _FILLED_BEFORE_RESIGNING * len(colors)
        bad = sure and filled and thought.value < self.resign
        self._bad_in_a_row[color] = self._bad_in_a_row[color] + 1 if bad else 0
        return self._bad_in_a_row[color] >= _MOVES_BEFORE_RESIGNING


def wins_now(player: Any, color: int) -> bool:
    """Is the game won as the board stands, all stones on it alive?"""
    with like_compiled():
        return bool(player.game.payoff(player.state, color) > 0.5)
