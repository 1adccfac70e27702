"""What the search thinks while it thinks, in the lines that Sabaki and Lizzie read."""

import time
from collections.abc import Callable
from typing import Any


def info_line(player: Any) -> str:
    """All moves that were looked at, the best first: visits, winning rate for who is to move (of 10,000), the way on."""
    seen = [found for found in player.thoughts() if found.visits > 0]
    return " ".join(
        f"info move {player.text(found.move)} visits {found.visits} winrate {round(found.value * 10_000)} "
        f"order {order} pv {' '.join(player.text(move) for move in found.line)}"
        for order, found in enumerate(seen)
    )


class Reporter:
    """Tells how thinking stands, now and then."""

    def __init__(self, say: Callable[[str], None], seconds: float) -> None:
        self._say, self._seconds = say, seconds
        self._next = time.perf_counter() + seconds

    def __call__(self, player: Any) -> None:
        """For `Player.think` to call."""
        now = time.perf_counter()
        if now >= self._next:
            self._next = now + self._seconds
            self.tell(player)

    def tell(self, player: Any) -> None:
        line = info_line(player)
        if line:
            self._say(line)
