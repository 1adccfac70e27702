"""Python objects behind compiled code: the callbacks into them; `hosted` has the problems that call."""

import ctypes
import random
from array import array
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from arbora.component import where
from arbora.engine.shared import FLOAT_CALLBACK, INT_CALLBACK
from arbora.errors import ProblemError
from arbora.problem import CHANCE

T = TypeVar("T")

# Ways for the object to go, besides a move
STAY, FAR = -1, -2
MAX_MOVE = 2**31 - 1
_KEPT = 4  # positions that an object which can be saved is brought back to; a search within a search needs two


class Host:
    """The Python side: the user's object behind C callbacks, and the first exception it raised.

    A callback costs as much as a short method, so one does what belongs together. A question about a position takes along
    the way to it: the move that leads there; STAY; or FAR - n, the first n moves of `live` from the start. With the moves of
    a game goes whose they are, or if there are none, what the end is worth.

    An exception cannot travel through machine code. It is kept here, the run is stopped, and `solve` raises it.
    """

    count = 0

    def __init__(
        self, simulator: Any, max_moves: int, max_length: int, players: int = 0, payoffs: tuple[float, float] = (0.0, 0.0)
    ) -> None:
        Host.count += 1
        self.number = Host.count
        self.simulator = simulator
        self.players, self.payoffs = players, payoffs
        self.lowest = CHANCE if hasattr(simulator, "chance") else 0
        self.buffer = np.zeros(1 + max_moves, np.int32)
        self.live = np.zeros(1 << max(max_length - 1, 255).bit_length(), np.int32)  # few sizes: each compiles anew
        self.listed = np.full(1, -1, np.int64)
        self.live_length = np.full(1, -1, np.int64)
        self.worth = np.zeros(players)
        self.error: BaseException | None = None
        self.stop_flags: np.ndarray | None = None
        self.asked = np.zeros(2, np.int64)  # what `determinize` and `finish` are asked with: a player, and random bits
        self.random: random.Random | None = None
        self.kept: list[tuple[bytes, Any]] = []  # positions by their moves, the last one asked for first
        self.noted = np.array(
            [CHANCE, 0], np.int64
        )  # who is on turn and what he has seen; CHANCE if nobody has asked for it
        self.notes_seen = False  # will the search ask what the player on turn has seen, wherever it looks at his moves?
        self.keeps_drawn = False  # does the search come back to positions that `determinize` has drawn?
        self.saves = bool(players) and hasattr(simulator, "snapshot")
        self.callbacks = {
            "arrive": INT_CALLBACK(self.asking(lambda: 0, -1)),
            "moves": INT_CALLBACK(self.listing(simulator.moves)),
            "candidates": INT_CALLBACK(self.listing(getattr(simulator, "candidates", simulator.moves))),
            "score": FLOAT_CALLBACK(self.asking(self.score, np.nan)),
            "bound": FLOAT_CALLBACK(self.asking(lambda: float(simulator.bound()), np.nan)),
            "key": INT_CALLBACK(self.asking(lambda: _whole(simulator, "key", simulator.key()), 0)),
            "code": INT_CALLBACK(self.asking_of(lambda move: _signed(simulator.code(move)), 0)),
            "bias": FLOAT_CALLBACK(self.asking_of(lambda move: float(simulator.bias(move)), np.nan)),
            "label": INT_CALLBACK(self.asking_of(lambda move: _whole(simulator, "label", simulator.label(move)), 0)),
            "find": INT_CALLBACK(self.asking_of(lambda label: _whole(simulator, "find", simulator.find(label)), 0)),
            "refuse_moves": INT_CALLBACK(self.asking_of(self.refuse_moves, -1)),
        }
        if players:
            self.callbacks |= {
                "payoff": FLOAT_CALLBACK(self.asking_of(lambda player: float(simulator.payoff(player)), np.nan)),
                "chance": FLOAT_CALLBACK(self.asking_of(lambda move: float(simulator.chance(move)), np.nan)),
                "refuse_payoff": INT_CALLBACK(self.asking_of(self.refuse_payoff, -1)),
                "determinize": INT_CALLBACK(self.asking(self.determinize, -1)),
                "worlds": FLOAT_CALLBACK(self.asking_of(self.worlds, np.nan)),
                "seen": INT_CALLBACK(self.asking_of(self.seen, 0)),
                "finish": INT_CALLBACK(self.asking(self.finish, -1)),
            }

    def addresses(self) -> dict[str, int]:
        return {name: ctypes.cast(call, ctypes.c_void_p).value or 0 for name, call in self.callbacks.items()}

    def score(self) -> float:
        return float(self.simulator.payoff(0) if self.players else self.simulator.score())

    def failed(self, error: BaseException) -> None:
        """Keep the error, and forget where the object stands: nobody knows."""
        if self.error is None:
            self.error = error
        if self.stop_flags is not None:
            self.stop_flags[0] = 1
        self.live_length[0] = self.listed[0] = -1

    def asking(self, question: Callable[[], T], otherwise: T) -> Callable[[int], T]:
        """The answer to a question about the position that `way` leads to; `otherwise` if user code raised."""
        play, go = self.simulator.play, self.going()

        def call(way: int) -> T:
            try:
                if way >= 0:
                    play(way)
                elif way <= FAR:
                    go(FAR - way)
                return question()
            except BaseException as error:
                self.failed(error)
                return otherwise

        return call

    def going(self) -> Callable[[int], None]:
        """What brings the object to the position after the first so many moves of `live`."""
        reset, play, live = self.simulator.reset, self.simulator.play, self.live.data

        def go(length: int) -> None:
            reset()
            for move in live[:length]:
                play(move)

        def go_from_kept(length: int) -> None:
            moves, known, begin = live[:length].tobytes(), None, 0
            for kept in self.kept:
                if len(kept[0]) > begin and moves.startswith(kept[0]):
                    known, begin = kept, len(kept[0])
            if known is None:
                reset()
            else:
                self.simulator.restore(known[1])
            for move in live[begin // live.itemsize : length]:
                play(move)

        return go_from_kept if self.saves else go

    def keep(self, length: int) -> None:
        """Be able to come back quickly to the position in which the object stands, after so many moves of `live`."""
        moves = self.live.data[:length].tobytes()
        if not self.kept or self.kept[0][0] != moves:
            found = next((kept for kept in self.kept if kept[0] == moves), None) or (moves, self.simulator.snapshot())
            self.kept = [found, *(kept for kept in self.kept if kept is not found)][:_KEPT]

    def settle(self, state: Any) -> None:
        """A search is about to begin from this state again and again."""
        if self.saves:
            length = int(state.length)
            self.live[:length] = state.history[:length]
            self.listed[0], self.live_length[0] = -1, length
            try:
                self.going()(length)
                self.keep(length)
            except BaseException as error:
                self.failed(error)

    def determinize(self) -> int:
        """Bring the object to a position that a player holds possible; how many moves lead there, which are in `live`."""
        if self.saves:
            self.keep(int(self.live_length[0]))
        moves = self.simulator.determinize(int(self.asked[0]), self.generator())
        try:
            length = len(moves)
            self.live.data[:length] = array("i", moves)
        except (TypeError, ValueError, OverflowError):
            raise ProblemError(
                f"{_place(self.simulator, 'determinize')}: determinize must return the moves from the start, not {moves!r}"
            ) from None
        if self.keeps_drawn and self.saves:
            self.keep(length)
        return length

    def seen(self, player: int) -> int:
        """What a player has seen, as 64 bits: Python's own hash will do, since nobody compares them between processes."""
        seen = self.simulator.seen(player)
        try:
            return hash((player, seen))
        except TypeError:
            raise ProblemError(
                f"{_place(self.simulator, 'seen')}: seen must return what has a hash, as texts and tuples do, not {seen!r}"
            ) from None

    def worlds(self, player: int) -> float:
        """How many positions a player holds possible."""
        count = self.simulator.worlds(player)
        if isinstance(count, bool) or not isinstance(count, (int, float, np.number)) or not count >= 1:
            raise ProblemError(f"{_place(self.simulator, 'worlds')}: worlds must return a number from 1, not {count!r}")
        return float(count)

    def finish(self) -> int:
        """Have the object play on to the end by itself; returns how many moves that took."""
        told, worth = self.simulator.finish(self.generator()), cast(Any, self.worth.data)
        played, payoffs = told if isinstance(told, tuple) else (told, None)
        if isinstance(played, bool) or not isinstance(played, (int, np.integer)) or played < 0:
            raise ProblemError(
                f"{_place(self.simulator, 'finish')}: finish must return how many moves it has played, not {played!r}"
            )
        if payoffs is None:
            payoffs = [self.simulator.payoff(player) for player in range(self.players)]
        try:
            worth[:] = array("d", payoffs)
        except (TypeError, ValueError):
            place = _place(self.simulator, "finish")
            raise ProblemError(
                f"{place}: finish must return a payoff for each of {self.players} players, not {payoffs!r}"
            ) from None
        return int(played)

    def generator(self) -> random.Random:
        """The random numbers of the object, which follow from the run's seed."""
        if self.random is None:
            self.random = random.Random(int(self.asked[1]))
        return self.random

    def asking_of(self, question: Callable[[int], T], otherwise: T) -> Callable[[int], T]:
        """The same for a question with an argument, about the position in which the object stands."""

        def call(argument: int) -> T:
            try:
                return question(argument)
            except BaseException as error:
                self.failed(error)
                return otherwise

        return call

    def listing(self, function: Callable[[], Any]) -> Callable[[int], int]:
        """The number of moves, which go through the buffer, behind whose they are.

        Each step of a play-out comes by here. So it does by itself what `asking` does, and compiled code looks for numbers
        that are not allowed.
        """
        play, go, everybody = self.simulator.play, self.going(), range(self.players)
        ask, pay = (self.simulator.player, self.simulator.payoff) if self.players else (None, None)
        buffer, worth, noted = self.buffer.data, cast(Any, self.worth.data), cast(Any, self.noted.data)

        def call(way: int) -> int:
            try:
                if way >= 0:
                    play(way)
                elif way <= FAR:
                    go(FAR - way)
                count, move, moves = 0, 0, function()
                try:
                    for count, move in enumerate(moves, 1):
                        buffer[count] = move
                except (IndexError, TypeError, ValueError):
                    self.refuse_listed(moves, count, move)
                    raise  # an error of the user's own, made on the way
                if count:
                    if ask:
                        player = ask()
                        try:
                            buffer[0] = player
                        except (TypeError, ValueError):
                            raise ProblemError(self.bad_player(player)) from None
                        if self.notes_seen:
                            noted[0] = player
                            if player != CHANCE:
                                noted[1] = self.seen(player)
                elif pay:
                    for player in everybody:
                        worth[player] = float(pay(player))
                return count
            except BaseException as error:
                self.failed(error)
                return -1

        return call

    def refuse_moves(self, count: int) -> int:
        """There are numbers in the buffer that are not allowed."""
        player, *moves = self.buffer[: 1 + count].tolist()
        if min(moves) >= 0:
            raise ProblemError(self.bad_player(player))
        raise ProblemError(f"class {type(self.simulator).__name__}: move {min(moves)}; moves are 0 or more")

    def refuse_listed(self, moves: Any, count: int, move: Any) -> None:
        """Raise what is wrong with a list of moves that came to an end at this one, if it is the move or their number."""
        name, room = type(self.simulator).__name__, len(self.buffer) - 1
        if count > room:
            raise ProblemError(f"class {name}: {len(list(moves))} moves at once, but max_moves is {room}") from None
        try:
            array("i", [move])
        except (TypeError, OverflowError):
            told = f"move {move!r}; moves are whole numbers from 0 to {MAX_MOVE:,}"
            raise ProblemError(f"class {name}: {told}") from None

    def bad_player(self, player: Any) -> str:
        place = _place(self.simulator, "player")
        if player == CHANCE:
            return f"{place}: player is {CHANCE}, which stands for chance, but method chance(self, move) is missing"
        allowed = f"a whole number from 0 to {self.players - 1}, or {CHANCE} for chance"
        return f"{place}: player must return {allowed}, not {player!r}"

    def refuse_payoff(self, player: int) -> int:
        low, high = self.payoffs
        told = f"payoff of player {player} is {self.worth[player]:g}; payoffs allow {low:g} to {high:g}"
        raise ProblemError(f"{_place(self.simulator, 'payoff')}: {told}")


def _whole(simulator: Any, name: str, value: Any) -> int:
    """A 64-bit whole number that a simulator has returned, as a C callback can return it."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not -(2**63) <= value < 2**64:
        raise ProblemError(f"{_place(simulator, name)}: {name} must return a whole number of 64 bits, not {value!r}")
    return _signed(int(value))


def _signed(code: int) -> int:
    """A code as the signed 64-bit number that a C callback can return."""
    code = int(code) & 0xFFFFFFFFFFFFFFFF
    return code - (1 << 64) if code >= 1 << 63 else code


def _place(simulator: Any, method: str) -> str:
    return f"class {type(simulator).__name__}, {where(getattr(type(simulator), method))}"


# The callbacks must outlive every use of their addresses: see `opened`.
hosts: dict[int, Host] = {}
