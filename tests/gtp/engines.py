"""Engines to test: driven by calls, with players that think nothing, or what they are told."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from arbora.gtp.engine import Engine
from arbora.gtp.mind import Mind
from arbora.gtp.table import Table
from arbora.player import MoveThought, Player, Thought
from arbora.problems.go.game import Go
from arbora.search.random import Random


class Scripted(Player):
    """Thinks what it is told: moves with their values, the best first; at random, if it is told nothing."""

    def __init__(self, game: Any) -> None:
        super().__init__(game, Random(), seed=1)
        self.script: list[tuple[str, float]] = []
        self.budgets: list[tuple[float | None, int | None]] = []

    def think(self, *, seconds=None, playouts=None, progress=None) -> Thought:
        self.budgets.append((seconds, playouts))
        if not self.script:
            return super().think(seconds=seconds, playouts=playouts)
        moves = [MoveThought(self.game.parse(name), 1000, value) for name, value in self.script]
        return Thought(moves[0].move, moves[0].value, moves, 1000, 1.0, 1, "budget")


@dataclass
class AllAlive:
    """A judge for whom nothing is ever captured."""

    game: Any

    def owners(self, state: Any) -> np.ndarray:
        colors = [int(self.game.color(state, point)) for point in range(self.game.columns * self.game.rows)]
        return np.array([{0: 1.0, 1: 0.0, -1: 0.5}[color] for color in colors])


class Driver:
    """An engine, what it was told and what it answered."""

    def __init__(self, size: int = 9, komi: float = 7.5, judge: Any = AllAlive, mind: Mind | None = None) -> None:
        self.said: list[str] = []
        self.players_made = 0
        table = Table(self.new_player, Go(size=size, komi=komi))
        self.engine = Engine(table, mind or Mind(playouts=10), judge, self.said.append)

    def new_player(self, game: Any) -> Scripted:
        self.players_made += 1
        return Scripted(game)

    @property
    def player(self) -> Scripted:
        return self.engine.table.player

    def send(self, *lines: str | bytes) -> str:
        """All answers to these lines, as they would stand on stdout."""
        self.said.clear()
        for line in lines:
            self.engine.handle(line if isinstance(line, bytes) else line.encode())
        return "".join(self.said)

    def ask(self, line: str) -> str:
        """The answer to a command that succeeds."""
        answer = self.send(line)
        assert answer.startswith("=")
        assert answer.endswith("\n\n")
        return answer[1:].strip()

    def refuse(self, line: str) -> str:
        """The message of a command that fails, and changes nothing."""
        before = self.snapshot()
        answer = self.send(line)
        assert answer.startswith("? ")
        assert answer.endswith("\n\n")
        assert self.snapshot() == before
        return answer[2:].strip()

    def snapshot(self) -> tuple[Any, ...]:
        table = self.engine.table
        game, clock = table.game, self.engine.clock
        state = table.player.state.arbora_record.tobytes()
        return list(table.turns), game.columns, game.rows, game.komi, state, clock.settings, list(clock.left)

    def stones(self) -> dict[str, str]:
        """The stones on the board, by their points."""
        colors = self.engine.table.colors()
        return {self.player.text(point): "BW"[color] for point, color in enumerate(colors) if color >= 0}
