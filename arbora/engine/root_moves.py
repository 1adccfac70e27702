"""What a thinking search knows of the moves at hand: for players to look at, also while it runs."""

from typing import Any, NamedTuple

import numpy as np

from arbora.component import make_component

ROOT_MOVE = np.dtype([("move", np.int32), ("visits", np.float64), ("total", np.float64)], align=True)


class KnownMove(NamedTuple):
    """What one tree, or one thread, knows of a move."""

    move: int
    visits: int
    total: float  # sum of payoffs, scaled to 0 .. 1, for the player to move
    exact: float | None  # the payoff, if it is proved
    line: list[int]  # the most visited way on, from this move


@make_component
class RootMoves:
    """The moves at hand, for each thread: the team of searches that begin anew with every move."""

    rows: np.ndarray  # ROOT_MOVE[threads, max_moves]
    count: np.ndarray  # int64[threads]

    def begin(self, thread, moves, count):
        """These are the moves; nothing is known of them."""
        for i in range(count):
            row = self.rows[thread, i]
            row.move = moves[i]
            row.visits = 0.0
            row.total = 0.0
        self.count[thread] = count

    def learn(self, thread, index, payoff):
        row = self.rows[thread, index]
        row.visits += 1.0
        row.total += payoff

    def keep(self, thread, share):
        """Let all that is known count for a share of what it did."""
        for i in range(self.count[thread]):
            self.rows[thread, i].visits *= share
            self.rows[thread, i].total *= share

    def known(self) -> list[KnownMove]:
        return [_known(row) for thread in range(self.count.size) for row in self.rows[thread, : self.count[thread]]]

    def is_ready(self) -> bool:
        """Is there nothing to do before the threads may start?"""
        return True

    def note_played(self, move: int) -> None:
        """A move was played in the game."""

    def forget(self) -> None:
        self.count[:] = 0

    def nodes_used(self) -> int:
        return int(self.count.sum())


def _known(row: Any) -> KnownMove:
    move, visits = int(row["move"]), round(float(row["visits"]))
    mean = float(row["total"] / row["visits"]) if row["visits"] > 0 else 0.0
    return KnownMove(move, visits, mean * visits, None, [move])


def make_root_moves(max_moves: int, threads: int) -> Any:
    made: Any = RootMoves(rows=np.zeros((threads, max_moves), ROOT_MOVE), count=np.zeros(threads, np.int64))
    return made
