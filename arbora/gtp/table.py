"""The game on the board: who played what, followed by a player.

GTP lets a colour move twice in a row, and positions be set up. The player knows only moves by turns, so the other side
passes in between. Such a pass is nobody's move: it ends no game, and goes with the move that needed it when that is undone.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from itertools import zip_longest
from typing import Any, NamedTuple

from arbora import sgf
from arbora.gtp.protocol import BLACK, WHITE, Refused
from arbora.problem import Records, like_compiled, new_state, new_states
from arbora.problems.go.game import SIDES

MOST_KOMI = 1000.0


class Turn(NamedTuple):
    color: int
    move: int


class Table:
    """A board with its size, komi and moves, and the player who follows them."""

    def __init__(self, new_player: Callable[[Any], Any], game: Any) -> None:
        self._new_player = new_player
        self.player = new_player(game)
        self.turns: list[Turn] = []
        self._set_up = 0  # how many of the turns are stones that were set up
        self._first: int | None = None  # who moves after them, if it matters

    @property
    def game(self) -> Any:
        return self.player.game

    @property
    def passing(self) -> int:
        """The move that is a pass."""
        return int(self.game.columns * self.game.rows)

    @property
    def to_move(self) -> int:
        return int(self.player.to_move)

    def colors(self) -> list[int]:
        """Whose stone is on each point: BLACK, WHITE, or -1."""
        return [int(self.game.color(self.player.state, point)) for point in range(self.passing)]

    def has_passed(self, color: int) -> bool:
        """Was the last move a pass of this player?"""
        return bool(self.turns) and self.turns[-1] == (color, self.passing)

    # Changes; whatever is Refused has changed nothing

    def resize(self, width: int, height: int) -> None:
        """An empty board of another size."""
        if min(width, height) < 2 or max(width, height) > SIDES[-1]:
            raise Refused("unacceptable size")
        self._adopt(self._like(width, height, self.game.komi), [])

    def clear(self) -> None:
        self._adopt(self.game, [])

    def set_komi(self, komi: float) -> None:
        if abs(komi) > MOST_KOMI:
            raise Refused(f"unacceptable komi: allowed is {-MOST_KOMI:g} to {MOST_KOMI:g}")
        if komi != self.game.komi:
            self._adopt(self.game.replace(komi=komi), self.turns, self._set_up, self._first)

    def play(self, color: int, move: int) -> None:
        """A move of whatever colour. Raises Refused if it is illegal."""
        if not _may_play(self.game, self._copy(), color, move):
            raise Refused("illegal move")
        self._follow(Turn(color, move))
        self.turns.append(Turn(color, move))

    def undo(self) -> None:
        if len(self.turns) <= self._set_up:
            raise Refused("cannot undo")
        self.turns.pop()
        self._replay()

    def place_handicap(self, points: Iterable[int]) -> None:
        """Black stones on an empty board, White to move."""
        if self.turns:
            raise Refused("board not empty")
        turns = [Turn(BLACK, point) for point in points]
        self._adopt(self.game, turns, len(turns), WHITE)

    def load(self, record: sgf.Game, moves: int | None = None) -> None:
        """The position of a game record after so many moves, or at its end."""
        if max(record.width, record.height) > SIDES[-1]:
            raise Refused("unacceptable size")
        komi = self.game.komi if record.komi is None else record.komi
        if abs(komi) > MOST_KOMI:
            raise Refused("unacceptable komi")
        game = self._like(record.width, record.height, komi)
        self._adopt(game, *_turns_of(game, record, moves))

    # Thinking

    @contextmanager
    def turn_of(self, color: int) -> Iterator[Any]:
        """The player with this colour to move, and a game that goes on; the position comes back unless a move is made."""
        given = self._give_turn(color)
        resumed = self.player.state.passes >= 2
        if resumed:
            self.player.state.passes = 1
            self.player.forget()
        turns = len(self.turns)
        try:
            yield self.player
        finally:
            if (given or resumed) and len(self.turns) == turns:
                self._replay()

    # Within

    def _like(self, width: int, height: int, komi: float) -> Any:
        """The same rules on another board."""
        if (width, height, komi) == (self.game.columns, self.game.rows, self.game.komi):
            return self.game
        return self.game.replace(size=max(width, height), width=width, height=height, komi=komi)

    def _adopt(self, game: Any, turns: list[Turn], set_up: int = 0, first: int | None = None) -> None:
        if game is not self.game:
            self.player = self._new_player(game)
        self.turns, self._set_up, self._first = list(turns), set_up, first
        self._replay()

    def _replay(self) -> None:
        self.player.reset()
        for number, turn in enumerate(self.turns):
            if number == self._set_up and self._first is not None:
                self._give_turn(self._first)
            self._follow(turn)
        if len(self.turns) == self._set_up and self._first is not None:
            self._give_turn(self._first)

    def _follow(self, turn: Turn) -> None:
        self._give_turn(turn.color)
        self.player.play(turn.move, check=False)

    def _give_turn(self, color: int) -> bool:
        """Let the other side pass, if it has the turn; was that so?"""
        if self.to_move == color:
            return False
        self.player.play(self.passing, check=False)
        self.player.state.passes = 0
        self.player.forget()
        return True

    def _copy(self) -> Any:
        states = new_states(self.game, 1)
        states[0] = self.player.state.arbora_record
        return Records(states)[0]


def _may_play(game: Any, state: Any, color: int, move: int) -> bool:
    """Play a move of whatever colour, if it is legal."""
    with like_compiled():
        if game.player(state) != color:
            game.play(state, game.columns * game.rows)
        legal = bool(game.legal(state, move))
        if legal:
            game.play(state, move)
    return legal


def _turns_of(game: Any, record: sgf.Game, moves: int | None) -> tuple[list[Turn], int, int | None]:
    """A record as turns: all of them, how many set the position up, and who moves then.

    Stones that are set up later on start anew from the position that this makes.
    """
    state = new_state(game)
    with like_compiled():
        game.reset(state)
    turns: list[Turn] = []
    set_up, first, made = 0, None, 0
    for step in record.steps:
        if step.black or step.white or step.empty:
            turns = _set_up_turns(game, state, step)
            set_up, first = len(turns), WHITE if record.handicap and not made else None
        if step.to_play is not None:
            first = step.to_play if len(turns) == set_up else first
        if step.move is not None:
            if made == moves:
                break
            made += 1
            turns.append(Turn(*step.move))
            if not _may_play(game, state, *step.move):
                raise Refused(f"cannot load file: move {made}, {game.text(state, step.move[1])}, is illegal")
    return turns, set_up, first


def _set_up_turns(game: Any, state: Any, step: sgf.Step) -> list[Turn]:
    """The stones of a position after a step of setting up, as turns; the state becomes that position."""
    stones = {point: int(game.color(state, point)) for point in range(game.columns * game.rows)}
    for color, points in ((BLACK, step.black), (WHITE, step.white), (-1, step.empty)):
        stones.update(dict.fromkeys(points, color))
    black, white = ([point for point, found in stones.items() if found == color] for color in (BLACK, WHITE))
    by_turns = zip_longest((Turn(BLACK, point) for point in black), (Turn(WHITE, point) for point in white))
    turns = [turn for pair in by_turns for turn in pair if turn is not None]
    with like_compiled():
        game.reset(state)
    for turn in turns:
        _may_play(game, state, *turn)
    if any(int(game.color(state, turn.move)) != turn.color for turn in turns):
        raise Refused("cannot load file: stones without liberties are set up")
    return turns
