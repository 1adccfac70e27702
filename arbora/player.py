"""A player of games: follows a game move by move, thinks by a search, and keeps what it knows from one move to the next."""

from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbora.component import has_role
from arbora.engine import run as runs
from arbora.engine.rng import make_rng
from arbora.engine.root_moves import KnownMove
from arbora.errors import BadInput
from arbora.problem import CHANCE, bounds, is_game, like_compiled, new_state
from arbora.registry import default_player_spec
from arbora.running import Running, check_whole, checked_budget, raise_failures
from arbora.search.game_search import DECIDED, PROVED
from arbora.search.random import Random
from arbora.simulator import host_of, opened, provides, raise_error
from arbora.solve import check_search
from arbora.spec import parse_search
from arbora.watched import problem_name


@dataclass(frozen=True)
class MoveThought:
    """What a player thinks of a move: `value` is the expected payoff for the player to move, scaled to 0 .. 1."""

    move: int
    visits: int
    value: float
    exact: float | None = None  # the value, if it is proved
    line: list[int] = field(default_factory=list)  # the most visited way on, from this move


@dataclass(frozen=True)
class Thought:
    """What came of thinking: the move to play, and what is known of all moves, the best first."""

    move: int
    value: float
    moves: list[MoveThought]
    playouts: int
    seconds: float
    nodes: int
    stopped: str  # "budget", "interrupted", "decided" (no other move could get ahead) or "proved"

    @property
    def line(self) -> list[int]:
        """The most visited way on."""
        return self.moves[0].line if self.moves else []


class Player:
    """Plays a game by a search. `with Player(...) as player:`, or `close` it, if the game is a plain Python object.

    `state` is the position as plain Python sees it, `moves` how it came about. Budgets of play-outs on one thread give the
    same thoughts for the same seed and the same moves, always.
    """

    def __init__(
        self,
        game: Any,
        search: Any = None,
        *,
        threads: int = 1,
        seed: int = 1,
        compiled: bool = True,
        on_compile: Callable[[], None] | None = None,
    ) -> None:
        check_whole("seed", seed, 0, 2**63 - 1)
        check_whole("threads", threads, 1, 1024)
        self._open = ExitStack()
        self.game = self._open.enter_context(opened(game))
        if not is_game(self.game):
            raise BadInput(f"{type(game).__name__} is not a game: it has no players; arbora.solve is for problems")
        self.search = parse_search(default_player_spec(game)) if search is None else search
        check_player(self.game, self.search)
        self.state = new_state(self.game)
        self.moves: list[int] = []
        self._rng = make_rng(seed, 1)
        if host_of(self.game) is not None:
            threads = 1  # Python runs one thread at a time; more would only wait for each other
        self.threads = threads
        self._running: Running | None = None
        if self.search.plays:
            try:
                self._running = Running(self.game, self.search, None, None, seed, threads, compiled, on_compile)
            except MemoryError:
                raise BadInput(f"not enough memory for {self.search!r}; lower its limits") from None
        self.reset()

    def __enter__(self) -> "Player":
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def close(self) -> None:
        self._open.close()

    def reset(self) -> None:
        """Back to the start; everything learned is forgotten."""
        with like_compiled():
            self.game.reset(self.state)
        self.moves = []
        self.forget()

    def forget(self) -> None:
        """Think afresh from here."""
        if self._running is not None:
            self._team.forget()

    def legal(self) -> list[int]:
        """The legal moves; none if the game is over."""
        out = np.zeros(bounds(self.game)[0] + runs.SLACK, np.int32)
        with like_compiled():
            count = int(self.game.moves(self.state, out))
        raise_error(self.game)
        return [int(move) for move in out[:count]]

    @property
    def to_move(self) -> int:
        """Whose turn it is; CHANCE (-1) if it is chance's."""
        with like_compiled():
            return int(self.game.player(self.state))

    def text(self, move: int) -> str:
        """A move of this position for people."""
        with like_compiled():
            return str(self.game.text(self.state, move))

    def play(self, move: int, check: bool = True) -> None:
        """Follow a move of the game. Raises BadInput for an illegal one, if it is to be checked."""
        if check and move not in self.legal():
            raise BadInput(f"move {move} is not legal here")
        with like_compiled():
            self.game.play(self.state, move)
        raise_error(self.game)
        self.moves.append(int(move))
        if self._running is not None:
            self._team.note_played(int(move))

    def undo(self) -> None:
        """Take the last move back; what was learned since the position before it is forgotten."""
        if not self.moves:
            raise BadInput("there is no move to take back")
        moves = self.moves[:-1]
        self.reset()
        for move in moves:
            self.play(move, check=False)

    def chance_move(self) -> int:
        """A move of chance, by the game's probabilities."""
        legal = self.legal()
        with like_compiled():
            probabilities = [float(self.game.chance(self.state, move)) for move in legal]
            left = float(self._rng.uniform()) * sum(probabilities)
        for move, probability in zip(legal, probabilities, strict=True):
            left -= probability
            if left < 0:
                return move
        return legal[-1]

    def think(
        self,
        *,
        seconds: float | None = None,
        playouts: int | None = None,
        steps: int | None = None,
        progress: Callable[["Player"], object] | None = None,
    ) -> Thought:
        """Search from the position at hand; 10 seconds if no budget is given. The move is not played.

        `steps` counts the moves in play-outs, and in play-outs within play-outs, so that long and short ones compare.
        `progress` is called about ten times a second, and may look at `thoughts`; the search ends when it returns True.
        """
        seconds, playouts = checked_budget(seconds, playouts, steps)
        legal = self.legal()
        if not legal:
            raise BadInput("the game is over; there is nothing to think about")
        if self.to_move == CHANCE:
            raise BadInput("it is chance's turn; play a move of chance_move()")
        if self._running is None:
            with like_compiled():
                move = legal[self._rng.below(len(legal))]
            return Thought(move, 0.5, [MoveThought(move, 0, 0.5, None, [move])], 0, 0.0, 0, "budget")
        running = self._running
        for run in running.runs:
            run.states[0] = self.state.arbora_record
        if running.host is not None:
            running.host.settle(self.state)
        if not self._team.is_ready():
            running.renew(None, 0)
            running.function(running.search, running.problem, running.runs[0])  # one thread makes the tree ready for all
        running.renew(seconds, playouts, steps)

        def watch(report: Any) -> None:
            if progress is not None and progress(self):
                running.flags[0] = 1

        running.run(watch)
        raise_failures(running)
        return self._thought(legal)

    def thoughts(self) -> list[MoveThought]:
        """What is known of the moves at hand, the best first; also while the search is running."""
        if self._running is None:
            return []
        merged: dict[int, list[KnownMove]] = {}
        for known in self._team.known():
            merged.setdefault(known.move, []).append(known)
        found = [_about(rows) for rows in merged.values()]
        all_proved = all(thought.exact is not None for thought in found)
        by_value = self.search.choice == "value"

        def rank(thought: MoveThought) -> tuple[float, float, float]:
            if all_proved or thought.exact in (0.0, 1.0):
                proved = float(thought.exact or 0.0)
            else:
                proved = 0.5  # what is sure, but neither won nor lost, is one of the moves to compare
            counted = (thought.value, thought.visits) if by_value else (thought.visits, thought.value)
            if by_value and thought.visits == 0 and thought.exact is None:
                counted = (-1.0, 0)  # nothing is known of it
            return proved, *counted

        return sorted(found, key=rank, reverse=True)

    @property
    def _team(self) -> Any:
        assert self._running is not None
        return self._running.runs[0].team

    def _thought(self, legal: list[int]) -> Thought:
        running = self._running
        assert running is not None
        moves = self.thoughts()
        reasons = {int(run.counters[runs.COMPLETE]) for run in running.runs}
        stopped = "proved" if PROVED in reasons else "decided" if DECIDED in reasons else "budget"
        return Thought(
            move=moves[0].move if moves else legal[0],
            value=moves[0].value if moves else 0.5,
            moves=moves,
            playouts=sum(int(run.counters[runs.PLAYOUTS]) for run in running.runs),
            seconds=float(running.clock[0]),
            nodes=self._team.nodes_used(),
            stopped="interrupted" if running.interrupted else stopped,
        )


def check_player(game: Any, search: Any) -> None:
    """Raise BadInput unless this search can play this game."""
    if has_role(search, "search") and not search.plays and not isinstance(search, Random):
        raise BadInput(f"{type(search).__name__} does not play games; take one such as arbora.UCT() or arbora.MCRAVE()")
    check_search(game, search)
    if search.plays and hides_something(game) and "determinize" not in search.needs:
        raise BadInput(
            f"{type(search).__name__} would look at what {problem_name(game)} hides from its players; take arbora.ISMCTS(), "
            "arbora.PIMC(), arbora.IIMC() or arbora.AMCTS()"
        )


def hides_something(game: Any) -> bool:
    """Does a game hide something from its players?"""
    return provides(game, "determinize") or provides(game, "seen")


def _about(rows: list[KnownMove]) -> MoveThought:
    """What all trees and threads know of a move, put together."""
    visits = sum(row.visits for row in rows)
    total = sum(row.total for row in rows)
    proved = [row.exact for row in rows if row.exact is not None]
    exact = proved[0] if proved else None
    value = exact if exact is not None else total / visits if visits else 0.5
    return MoveThought(rows[0].move, visits, value, exact, max(rows, key=lambda row: row.visits).line)
