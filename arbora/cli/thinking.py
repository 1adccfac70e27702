"""What a player thinks, for people: moves with their visits, values and the way on, live in a terminal."""

from collections.abc import Callable
from typing import Any

from rich.console import Console
from rich.live import Live
from rich.table import Table

from arbora.player import MoveThought, Player, Thought
from arbora.problem import Records, like_compiled, new_states
from arbora.simulator import host_of

MOST_MOVES = 5
LONGEST_LINE = 8


class Thinking:
    """Has a player think, and shows how it goes on stderr if that is a terminal."""

    def __init__(self, player: Player, seconds: float | None, playouts: int | None) -> None:
        self.player = player
        self.seconds, self.playouts = seconds, playouts
        self.console = Console(stderr=True)

    def think(self) -> Thought:
        """What comes of it; `stopped` is "interrupted" after Ctrl-C."""
        with like_compiled():
            if not self.console.is_terminal:
                return self.player.think(seconds=self.seconds, playouts=self.playouts)
            with Live(console=self.console, transient=True, auto_refresh=False) as live:
                return self.player.think(seconds=self.seconds, playouts=self.playouts, progress=self._watch(live))

    def _watch(self, live: Live) -> Callable[[Player], None]:
        # A plain Python object is in one position at a time, and now it is the search's.
        texts = {move: self.player.text(move) for move in self.player.legal()} if host_of(self.player.game) else None

        def show(player: Player) -> None:
            live.update(table_of(player, player.thoughts(), texts), refresh=True)

        return show


def table_of(player: Player, thoughts: list[MoveThought], texts: dict[int, str] | None = None) -> Table:
    """The best moves. With `texts` for the moves at hand, nothing is asked of the game."""
    table = Table(box=None, padding=(0, 2), pad_edge=False)
    for name in ("move", "visits", "value"):
        table.add_column(name, justify="left" if name == "move" else "right")
    table.add_column("the way on", no_wrap=True)
    for thought in thoughts[:MOST_MOVES]:
        name, *line = line_text(player, thought.line) if texts is None else [texts[thought.move]]
        table.add_row(name, f"{thought.visits:,}", value_text(thought), joined(line))
    return table


def plain_lines(player: Player, thoughts: list[MoveThought]) -> list[str]:
    """The same without a table."""
    lines = []
    for thought in thoughts[:MOST_MOVES]:
        name, *line = line_text(player, thought.line)
        lines.append(
            f"  {name}: {value_text(thought)}, {thought.visits:,} visits" + (f", then {joined(line)}" if line else "")
        )
    return lines


def joined(words: list[str]) -> str:
    """Moves in a row, with commas where they would run into each other."""
    return (", " if any(" " in word for word in words) else " ").join(words)


def value_text(thought: MoveThought) -> str:
    """What a move is worth, as a percentage; with a mark if it is proved."""
    return f"{thought.value:.1%}" + ("" if thought.exact is None else " (proved)")


def line_text(player: Player, line: list[int]) -> list[str]:
    """Moves from the position at hand in words, each as it is called where it is played."""
    game: Any = player.game
    states = Records(new_states(game, 1))
    states[0] = player.state
    state = states[0]
    words = []
    with like_compiled():
        for move in line[:LONGEST_LINE]:
            words.append(str(game.text(state, move)))
            game.play(state, move)
    return words
