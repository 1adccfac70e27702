"""Contestants of a match: searches with a budget, and external programs, as specs and as somebody who plays.

mc-rave,playouts=3000      uct,seconds=0.5,threads=2      amcts,steps=20000      random
gtp:gnugo --mode gtp --level 10 --seed {seed}             a program that speaks GTP, for Go; {seed}: the game's number
"""

import shlex
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Protocol

from arbora.errors import BadInput
from arbora.match.program import Program
from arbora.player import Player, check_player
from arbora.problem import is_game
from arbora.problems.go.game import Go
from arbora.running import check_whole, checked_budget
from arbora.search.random import Random
from arbora.simulator import opened
from arbora.spec import parse_problem, parse_search

GTP = "gtp:"
_BUDGET = {"seconds": float, "playouts": int, "steps": int, "threads": int}
_LIMITS = ("seconds", "playouts", "steps")


@dataclass(frozen=True)
class Contestant:
    """What a contestant's spec says: a search and the budget of a move, or the command of an external program."""

    spec: str
    search: str = ""
    seconds: float | None = None
    playouts: int | None = None
    steps: int | None = None  # moves in play-outs
    threads: int = 1
    command: str = ""

    @property
    def thinks(self) -> bool:
        """Is this a search of ours that makes use of a budget?"""
        return not self.command and not isinstance(parse_search(self.search), Random)


class Loss(Exception):
    """A game is lost otherwise than by its rules: resigned, or by a program's fault."""

    def __init__(self, seat: int, reason: str) -> None:
        super().__init__(reason)
        self.seat, self.reason = seat, reason


class Seated(Protocol):
    """A contestant in its seat: told every move, and asked for its own."""

    @property
    def spec(self) -> str: ...

    @property
    def playouts(self) -> int: ...

    @property
    def seconds(self) -> float:
        """That it has thought."""

    def choose(self, waiting: Callable[[], None]) -> int:
        """A move for the position at hand; `waiting` is called now and then. Raises Loss."""

    def follow(self, mover: int, move: int) -> None:
        """Somebody's move, its own included. Raises Loss."""

    def close(self) -> None: ...


@cache
def parse_contestant(text: str, seconds: float | None = None, playouts: int | None = None, threads: int = 1) -> Contestant:
    """What a spec says; the budget and threads are for one that has none of its own."""
    if text.startswith(GTP):
        command = text.removeprefix(GTP).strip()
        if not command:
            raise BadInput(f"{text!r} names no program; write gtp:COMMAND")
        return Contestant(text, command=command)
    head, *pairs = text.split(",")
    own = {key: pair.partition("=")[2] for pair in pairs if (key := pair.partition("=")[0].strip()) in _BUDGET}
    rest = [pair for pair in pairs if pair.partition("=")[0].strip() not in _BUDGET]
    given: dict[str, Any] = {"seconds": seconds, "playouts": playouts, "threads": threads}
    if any(limit in own for limit in _LIMITS):
        given |= {"seconds": None, "playouts": None}
    return Contestant(
        text, ",".join([head, *rest]), **given | {key: _budget(text, key, value) for key, value in own.items()}
    )


def check_contestant(contestant: Contestant, game: str) -> None:
    """Raise BadInput unless it can play this game. Tries whether an external program answers."""
    with opened(parse_problem(game)) as made:
        if not is_game(made):
            raise BadInput(f"{game} is not a game: it has no players; `arbora solve` is for it")
        if contestant.command:
            External(contestant, made, 0, 1).close()
        else:
            check_player(made, parse_search(contestant.search))
            checked_budget(contestant.seconds, contestant.playouts, contestant.steps)
            check_whole("threads", contestant.threads, 1, 1024)


def seated(contestant: Contestant, game: str, seat: int, number: int) -> Seated:
    """A contestant ready for a game; `number` is the game's, and makes its play different from that in others."""
    if contestant.command:
        return External(contestant, parse_problem(game), seat, number)
    return Searcher(contestant, parse_problem(game), (number << 8) + seat + 1)


class Searcher:
    """A search of ours in its seat."""

    def __init__(self, contestant: Contestant, game: Any, seed: int) -> None:
        self.contestant, self.spec = contestant, contestant.spec
        self.player = Player(game, parse_search(contestant.search), threads=contestant.threads, seed=seed)
        self.playouts = 0
        self.seconds = 0.0

    def choose(self, waiting: Callable[[], None]) -> int:
        def progress(player: Player) -> None:
            waiting()

        budget = self.contestant
        thought = self.player.think(seconds=budget.seconds, playouts=budget.playouts, steps=budget.steps, progress=progress)
        self.playouts += thought.playouts
        self.seconds += thought.seconds
        return thought.move

    def follow(self, mover: int, move: int) -> None:
        self.player.play(move, check=False)

    def close(self) -> None:
        self.player.close()


class External:
    """An external program in its seat. It is Black in seat 0, White in seat 1."""

    def __init__(self, contestant: Contestant, game: Any, seat: int, number: int) -> None:
        if not isinstance(game, Go):
            raise BadInput(f"{contestant.spec}: GTP programs play Go only, not {type(game).__name__}")
        if game.columns != game.rows:
            raise BadInput(f"{contestant.spec}: GTP programs play on square boards only, not {game.columns} by {game.rows}")
        self.spec, self.game, self.seat = contestant.spec, game, seat
        self.playouts = 0
        self.program = Program(_words(contestant, number))
        try:
            for command in (f"boardsize {game.columns}", "clear_board", f"komi {game.komi:g}"):
                self.program.ask(command)
        except Program.Failed as error:
            self.close()
            raise BadInput(f"{contestant.spec}: cannot be played with: {error}") from None

    @property
    def seconds(self) -> float:
        return self.program.seconds

    def choose(self, waiting: Callable[[], None]) -> int:
        answer = self._ask(f"genmove {_color(self.seat)}", waiting)
        if answer.lower() == "resign":
            raise Loss(self.seat, "resigned")
        try:
            return self.game.parse(answer)
        except BadInput:
            raise Loss(self.seat, f"{self.spec} answered {answer!r}, which is no move") from None

    def follow(self, mover: int, move: int) -> None:
        if mover != self.seat:
            self._ask(f"play {_color(mover)} {self.game.text(None, move)}")

    def close(self) -> None:
        self.program.kill()

    def _ask(self, command: str, waiting: Callable[[], None] | None = None) -> str:
        try:
            return self.program.ask(command, waiting)
        except Program.Failed as error:
            raise Loss(self.seat, f"{self.spec} {error}") from None


def _color(seat: int) -> str:
    return "BW"[seat]


def _words(contestant: Contestant, number: int) -> list[str]:
    """The command of an external program, ready to be started."""
    try:
        words = shlex.split(contestant.command.replace("{seed}", str(number)))
    except ValueError as error:
        raise BadInput(f"{contestant.spec}: not a command: {error}") from None
    if shutil.which(words[0]) is None:
        raise BadInput(f"{contestant.spec}: no program {words[0]!r} on this machine")
    return words


def _budget(text: str, key: str, value: str) -> float | int:
    try:
        number = _BUDGET[key](value.replace("_", ""))
        if not 0 < number < float("inf"):
            raise ValueError
        return number
    except ValueError:
        wanted = "a number above 0" if key == "seconds" else "a whole number of 1 or more"
        raise BadInput(f"{text}: {key}={value!r} is not allowed; {key} takes {wanted}") from None
