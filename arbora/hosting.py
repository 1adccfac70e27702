"""Python objects behind compiled code: the callbacks into a simulator, and the problems that stand for it.

A state is the list of its moves. The object itself stands in one position at a time, and is brought to another by playing
the moves that lead there.
"""

import ctypes
import random
from array import array
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from arbora.component import where
from arbora.engine.shared import FLOAT_CALLBACK, INT_CALLBACK, call_float, call_int
from arbora.errors import ProblemError
from arbora.problem import CHANCE, problem

T = TypeVar("T")

# Ways for the object to go, besides a move
STAY, FAR = -1, -2
MAX_MOVE = 2**31 - 1
_KEPT = 4  # positions that an object which can be saved is brought back to; a search within a search needs two
_WORDS = (1 << 32) - 1  # random numbers that an object's own generator may be started from


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


# The callbacks must outlive every use of their addresses: see `opened`.
hosts: dict[int, Host] = {}


@problem
class SimulatorProblem:
    """A Python object seen from compiled code: a state is the list of its moves, replayed in the object when needed."""

    max_count: int
    longest: int
    number: int
    has_candidates: bool
    has_code: bool
    has_bound: bool
    has_key: bool
    has_bias: bool
    has_label: bool
    has_find: bool
    arrive_at: int
    moves_at: int
    candidates_at: int
    score_at: int
    bound_at: int
    key_at: int
    code_at: int
    bias_at: int
    label_at: int
    find_at: int
    refuse_moves_at: int
    lowest_turn: int
    turns: int
    buffer: np.ndarray  # whose turn it is, and the moves
    listed: np.ndarray  # how many moves of the position that the object stands in are in the buffer; -1 if not asked yet
    live: np.ndarray  # the moves played in the object
    live_length: np.ndarray  # how many; -1 if it has to be reset first

    def layout(self):
        return [("length", np.int64), ("history", np.int32, (self.live.size,))]

    def max_moves(self):
        return self.max_count

    def max_length(self):
        return self.longest

    def reset(self, state):
        state.length = 0

    def play(self, state, move):
        state.history[state.length] = move
        state.length += 1

    def way(self, state):
        """How the object gets to where the state is, as `Host` wants it told; whoever asks must send it there."""
        begin, length = self.live_length[0], state.length
        near = 0 <= begin <= length <= begin + 1
        if near:
            for i in range(begin):
                if self.live[i] != state.history[i]:
                    near = False
                    break
        if near and begin == length:
            return np.int64(STAY)
        self.listed[0] = -1
        self.live_length[0] = length
        for i in range(begin if near else 0, length):
            self.live[i] = state.history[i]
        if near and self.live[begin] >= 0:
            return np.int64(self.live[begin])
        return np.int64(FAR - length)

    def arrive(self, state):
        """Make the object stand where the state is; False if user code raised on the way."""
        way = self.way(state)
        return way == STAY or call_int(self.arrive_at, way) == 0

    def look(self, state):
        """Have the moves of the state in the buffer; returns how many, -1 if user code raised."""
        way = self.way(state)
        if self.listed[0] < 0:
            self.listed[0] = self.list_moves(self.moves_at, way)
        return self.listed[0]

    def list_moves(self, address, way):
        count = call_int(address, way)
        allowed = count <= 0 or self.lowest_turn <= self.buffer[0] < self.turns
        for i in range(count):
            allowed = allowed and self.buffer[1 + i] >= 0
        return count if allowed else call_int(self.refuse_moves_at, count)

    def take(self, count, out):
        for i in range(count):
            out[i] = self.buffer[1 + i]
        return max(count, 0)

    def moves(self, state, out):
        return self.take(self.look(state), out)

    def candidates(self, state, out):
        if not self.has_candidates:
            return self.moves(state, out)
        way = self.way(state)
        self.listed[0] = -1
        return self.take(self.list_moves(self.candidates_at, way), out)

    def score(self, state):
        return call_float(self.score_at, self.way(state))

    def code(self, state, move):
        if not self.has_code or not self.arrive(state):
            return np.uint64(move)
        return np.uint64(np.int64(call_int(self.code_at, np.int64(move))))

    def bound(self, state):
        return np.float64(call_float(self.bound_at, self.way(state))) if self.has_bound else np.inf

    def key(self, state):
        return np.uint64(np.int64(call_int(self.key_at, self.way(state)))) if self.has_key else np.uint64(0)

    def bias(self, state, move):
        if not self.has_bias or not self.arrive(state):
            return 0.0
        return call_float(self.bias_at, np.int64(move))

    def label(self, state, move):
        if not self.has_label or not self.arrive(state):
            return np.int64(move)
        return np.int64(call_int(self.label_at, np.int64(move)))

    def find(self, state, label, out):
        if self.has_find:
            return np.int64(call_int(self.find_at, np.int64(label))) if self.arrive(state) else np.int64(-1)
        for i in range(self.moves(state, out)):
            if out[i] == label:
                return np.int64(label)
        return np.int64(-1)

    def text(self, state, move):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return str(simulator.text(int(move))) if hasattr(simulator, "text") else str(int(move))

    def render(self, state):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return simulator.render() if hasattr(simulator, "render") else None


@problem
class SimulatorGame(SimulatorProblem):
    """The same for an object that is a game."""

    player_count: int
    lowest: float
    highest: float
    payoff_at: int
    chance_at: int
    refuse_payoff_at: int
    has_determinize: bool
    has_worlds: bool
    has_seen: bool
    has_finish: bool
    determinize_at: int
    worlds_at: int
    seen_at: int
    finish_at: int
    worth: np.ndarray  # what the position that the object stands in is worth for each player, if `listed` is 0
    asked: np.ndarray  # see `Host.asked`
    noted: np.ndarray  # see `Host.noted`

    def players(self):
        return self.player_count

    def payoffs(self):
        return self.lowest, self.highest

    def player(self, state):
        return np.int64(self.buffer[0]) if self.look(state) > 0 else np.int64(0)

    def payoff(self, state, player):
        count = self.look(state)
        if count < 0:
            return np.nan
        if count > 0:
            self.worth[player] = call_float(self.payoff_at, np.int64(player))
        return self.checked_worth(player)

    def checked_worth(self, player):
        if not self.lowest <= self.worth[player] <= self.highest:
            call_int(self.refuse_payoff_at, np.int64(player))
            return np.nan
        return self.worth[player]

    def chance(self, state, move):
        return call_float(self.chance_at, np.int64(move)) if self.arrive(state) else np.nan

    def determinize(self, state, player, rng):
        if not self.has_determinize:
            return
        self.asked[0] = player
        self.asked[1] = rng.below(_WORDS)
        length = call_int(self.determinize_at, self.way(state))
        self.listed[0] = -1
        if length < 0:
            return
        self.live_length[0] = length
        for i in range(length):
            state.history[i] = self.live[i]
        state.length = length

    def worlds(self, state, player):
        if not self.has_worlds or not self.arrive(state):
            return np.inf
        return call_float(self.worlds_at, np.int64(player))

    def seen(self, state, player):
        if not self.has_seen:
            return np.uint64(0)
        way = self.way(state)
        if way == STAY and self.listed[0] > 0 and self.noted[0] == player:
            return np.uint64(self.noted[1])
        if way != STAY and call_int(self.arrive_at, way) != 0:
            return np.uint64(0)
        return np.uint64(np.int64(call_int(self.seen_at, np.int64(player))))

    def finish(self, state, payoffs, rng):
        if not self.has_finish:
            return np.int64(-1)
        self.asked[1] = rng.below(_WORDS)
        played = np.int64(call_int(self.finish_at, self.way(state)))
        self.listed[0] = -1
        self.live_length[0] = -1  # nobody knows by which moves
        if played >= 0:
            for player in range(payoffs.size):
                payoffs[player] = self.checked_worth(player)
        return played

    def show(self, state, player):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return simulator.show(player) if hasattr(simulator, "show") else None


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
