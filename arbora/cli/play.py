"""`arbora play`: a game against the engine in the terminal, with what it thinks."""

import sys
from typing import Annotated, Any

import typer
from rich.console import Console

from arbora.cli.thinking import Thinking, joined, line_text, plain_lines, value_text
from arbora.errors import BadInput
from arbora.player import Player, Thought, hides_something
from arbora.problem import CHANCE, like_compiled
from arbora.registry import default_player_spec
from arbora.running import checked_budget
from arbora.simulator import raise_error
from arbora.spec import parse_problem, parse_search

SECONDS = 1.0
MOST_TOLD = 20
HELP = "a move, or: undo (take your last move back), hint (what the engine would do), moves (all legal ones), quit"


def play(
    game: Annotated[str, typer.Argument(help="A problem spec of a game; `arbora list` shows what there is.")],
    search: Annotated[str | None, typer.Argument(help="A search spec [the one that is best for the game].")] = None,
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="Budget of a move [1, if no budget].")] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="Budget of a move in play-outs.")] = None,
    threads: Annotated[int, typer.Option("--threads", "-t", help="Threads of the engine.")] = 1,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    first: Annotated[str, typer.Option("--first", help="Who begins: human or engine.")] = "human",
    both: Annotated[bool, typer.Option("--both", help="The engine plays itself.")] = False,
) -> int:
    """Play a game against the engine. It says what it thinks of its moves.

    \b
    Examples:
      arbora play connect-four
      arbora play go,size=9 mc-rave --seconds 5 --threads 2 --first engine
      arbora play my_game.py:Nim
      arbora play othello --both --playouts 2000
    """
    if first not in ("human", "engine"):
        raise BadInput(f"--first {first!r} is not allowed; it takes human or engine")
    if seconds is None and playouts is None:
        seconds = SECONDS
    checked_budget(seconds, playouts)
    made = parse_problem(game)
    algorithm = parse_search(search or default_player_spec(made))
    with Player(made, algorithm, threads=threads, seed=seed, on_compile=_tell_of_compiling) as player:
        seats = player.game.players()
        human = None if both else 0 if first == "human" else seats - 1
        return Table(player, human, Thinking(player, seconds, playouts)).play()


class Table:
    """Where the game is played; `human` is the seat of the one at the keyboard."""

    def __init__(self, player: Player, human: int | None, thinking: Thinking) -> None:
        self.player, self.human, self.thinking = player, human, thinking
        self.veiled = human is not None and hides_something(player.game)  # then only what `show` tells is told
        self.console = Console()

    def play(self) -> int:
        """To the end, or until somebody has had enough. Returns the exit code."""
        self.show_board()
        while self.player.legal():
            mover = self.player.to_move
            if mover == CHANCE:
                with like_compiled():
                    move = self.player.chance_move()
                if not self.veiled:
                    self.say(f"chance: {self.player.text(move)}")
            elif mover == self.human:
                chosen = self.ask()
                if chosen is None:
                    return 0
                move = chosen
            else:
                thought = self.thinking.think()
                if thought.stopped == "interrupted":
                    print("arbora: interrupted", file=sys.stderr)
                    return 130
                self.say(f"{self.name(mover)} has moved" if self.veiled else self.told(mover, thought))
                move = thought.move
            self.player.play(move, check=False)
            self.show_board()
        self.say(self.result())
        return 0

    def ask(self) -> int | None:
        """The move of the one at the keyboard; None to quit. May take moves back."""
        while True:
            try:
                line = input("your move> ").strip()
            except EOFError:
                print()
                return None
            if not sys.stdin.isatty():
                print(line)
            texts = {self.player.text(move).lower(): move for move in reversed(self.player.legal())}
            if line.lower() in texts:
                return texts[line.lower()]
            match line.lower():
                case "":
                    continue
                case "quit":
                    return None
                case "help":
                    self.say(HELP)
                case "moves":
                    self.say(joined(list(reversed(texts))))
                case "hint":
                    self.hint()
                case "undo":
                    self.undo()
                case _:
                    self.say(f"{line!r} is not a move here; {_some(list(reversed(texts)))}, or help")

    def hint(self) -> None:
        thought = self.thinking.think()
        if thought.stopped == "interrupted":
            raise KeyboardInterrupt
        for line in plain_lines(self.player, thought.moves):
            self.say(line)

    def undo(self) -> None:
        """Back to the last move of the one at the keyboard, who is to move again."""
        game = self.player
        before = list(game.moves)
        while game.moves:
            game.undo()
            if game.to_move == self.human:
                self.show_board()
                return
        for move in before:
            game.play(move, check=False)
        self.say("you have made no move yet")

    def show_board(self) -> None:
        if self.veiled and self.player.legal() and self.player.to_move != self.human:
            return  # only what the one at the keyboard has to answer, and the end
        game, state = self.player.game, self.player.state
        with like_compiled():
            if self.veiled:
                picture = game.show(state, self.human) if hasattr(type(game), "show") else None
            else:
                picture = game.render(state) if hasattr(type(game), "render") else None
        raise_error(game)
        if picture is not None:
            self.console.print(picture, highlight=False, markup=False)

    def say(self, line: str) -> None:
        self.console.print(line, highlight=False, markup=False, soft_wrap=True)

    def told(self, mover: int, thought: Thought) -> str:
        """What the engine does and why, in a line."""
        move, *line = line_text(self.player, thought.line or [thought.move])
        told = f"{self.name(mover)} plays {move}"
        if thought.playouts or thought.moves[0].visits:
            told += f": {value_text(thought.moves[0])} in {thought.playouts:,} play-outs and {thought.seconds:.1f} s"
        return told + (f", expects {joined(line)}" if line else "")

    def name(self, seat: int) -> str:
        if seat == self.human:
            return "you"
        one_engine = self.human is not None and self.player.game.players() == 2
        return "the engine" if one_engine else f"player {seat + 1}"

    def result(self) -> str:
        """How the game has ended, in a line."""
        game: Any = self.player.game
        with like_compiled():
            payoffs = [float(game.payoff(self.player.state, seat)) for seat in range(game.players())]
        low, high = game.payoffs()
        if all(payoff in (low, high) for payoff in payoffs) and payoffs.count(high) == 1:
            winner = payoffs.index(high)
            return f"{self.name(winner)} {'win' if winner == self.human else 'wins'}"
        if len(set(payoffs)) == 1:
            return "a draw"
        return "payoffs: " + ", ".join(f"{self.name(seat)} {payoff:g}" for seat, payoff in enumerate(payoffs))


def _some(names: list[str]) -> str:
    if len(names) <= MOST_TOLD:
        return f"legal: {joined(names)}"
    return f"legal: {joined(names[:MOST_TOLD])} … ({len(names)} in all; `moves` lists them)"


def _tell_of_compiling() -> None:
    print("compiling for the first time; the machine code is kept for next time …", file=sys.stderr)
