"""Python objects behind compiled code: the callbacks into a simulator, and the problems that stand for it.

A state is the list of its moves. The object itself stands in one position at a time, and is brought to another by playing
the moves that lead there.
"""

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from arbora.component import where
from arbora.engine.shared import FLOAT_CALLBACK, INT_CALLBACK, call_float, call_int
from arbora.errors import ProblemError
from arbora.problem import CHANCE, problem


class Host:
    """The Python side: the user's object behind C callbacks, and the first exception it raised.

    An exception cannot travel through machine code. It is kept here, the run is stopped, and `solve` raises it.
    """

    count = 0

    def __init__(self, simulator: Any, max_moves: int) -> None:
        Host.count += 1
        self.number = Host.count
        self.simulator = simulator
        self.buffer = np.zeros(max_moves, np.int32)
        self.error: BaseException | None = None
        self.stop_flags: np.ndarray | None = None
        self.callbacks = {
            "reset": INT_CALLBACK(self.doing(lambda _: simulator.reset())),
            "play": INT_CALLBACK(self.doing(simulator.play)),
            "moves": INT_CALLBACK(self.listing(simulator.moves)),
            "candidates": INT_CALLBACK(self.listing(getattr(simulator, "candidates", simulator.moves))),
            "score": FLOAT_CALLBACK(self.scoring(lambda _: simulator.score())),
            "code": INT_CALLBACK(self.coding(getattr(simulator, "code", int))),
            "bound": FLOAT_CALLBACK(self.scoring(lambda _: simulator.bound())),
            "key": INT_CALLBACK(self.coding(lambda _: _whole(simulator, "key", simulator.key()))),
            "bias": FLOAT_CALLBACK(self.scoring(lambda move: simulator.bias(move))),
            "label": INT_CALLBACK(self.coding(lambda move: _whole(simulator, "label", simulator.label(move)))),
            "find": INT_CALLBACK(self.coding(lambda label: _whole(simulator, "find", simulator.find(label)))),
        }

    def addresses(self) -> dict[str, int]:
        return {name: ctypes.cast(call, ctypes.c_void_p).value or 0 for name, call in self.callbacks.items()}

    def failed(self, error: BaseException) -> None:
        if self.error is None:
            self.error = error
        if self.stop_flags is not None:
            self.stop_flags[0] = 1

    def doing(self, function: Callable[[int], object]) -> Callable[[int], int]:
        """0 when the function has returned, -1 if it raised."""

        def call(argument: int) -> int:
            try:
                function(argument)
                return 0
            except BaseException as error:
                self.failed(error)
                return -1

        return call

    def listing(self, function: Callable[[], Any]) -> Callable[[int], int]:
        """The number of moves, which go through the buffer; -1 if the function raised or its moves are not allowed."""
        view = self.buffer.data
        room = len(self.buffer)
        name = type(self.simulator).__name__

        def call(_: int) -> int:
            try:
                moves = function()
                count = 0
                for move in moves:
                    if count == room:
                        raise ProblemError(f"class {name}: {len(list(moves))} moves at once, but max_moves is {room}")
                    if move < 0:
                        raise ProblemError(f"class {name}: move {move}; moves are 0 or more")
                    view[count] = move
                    count += 1
                return count
            except BaseException as error:
                self.failed(error)
                return -1

        return call

    def scoring(self, function: Callable[[int], Any]) -> Callable[[int], float]:
        def call(argument: int) -> float:
            try:
                return float(function(argument))
            except BaseException as error:
                self.failed(error)
                return np.nan

        return call

    def coding(self, function: Callable[[int], Any]) -> Callable[[int], int]:
        def call(argument: int) -> int:
            try:
                return _signed(function(argument))
            except BaseException as error:
                self.failed(error)
                return 0

        return call


class GameHost(Host):
    """The same for a game: who is to move is asked together with the moves, in one callback."""

    def __init__(self, simulator: Any, max_moves: int, players: int, payoffs: tuple[float, float]) -> None:
        super().__init__(simulator, max_moves)
        self.turn = np.zeros(1, np.int64)
        self.callbacks |= {
            "moves": INT_CALLBACK(self.listing_with_turn(players)),
            "score": FLOAT_CALLBACK(self.scoring(lambda _: simulator.payoff(0))),
            "payoff": FLOAT_CALLBACK(self.scoring(self.checked_payoff(*payoffs))),
            "chance": FLOAT_CALLBACK(self.scoring(lambda move: simulator.chance(move))),
        }

    def listing_with_turn(self, players: int) -> Callable[[int], int]:
        """`listing` of the moves, which also writes whose they are to `turn`."""
        list_moves, ask, turn = self.listing(self.simulator.moves), self.simulator.player, self.turn.data
        lowest = CHANCE if hasattr(self.simulator, "chance") else 0

        def call(_: int) -> int:
            count = list_moves(0)
            if count > 0:
                try:
                    player = ask()
                    if not isinstance(player, (int, np.integer)) or not lowest <= player < players:
                        raise ProblemError(_wrong_player(self.simulator, player, players))
                    turn[0] = int(player)
                except BaseException as error:
                    self.failed(error)
                    return -1
            return count

        return call

    def checked_payoff(self, low: float, high: float) -> Callable[[int], float]:
        ask = self.simulator.payoff

        def call(player: int) -> float:
            value = float(ask(player))
            if not low <= value <= high:
                allowed = f"payoffs allow {low:g} to {high:g}"
                raise ProblemError(f"{_place(self.simulator, 'payoff')}: payoff of player {player} is {value:g}; {allowed}")
            return value

        return call


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
    reset_at: int
    play_at: int
    moves_at: int
    candidates_at: int
    score_at: int
    code_at: int
    bound_at: int
    key_at: int
    bias_at: int
    label_at: int
    find_at: int
    buffer: np.ndarray
    listed: np.ndarray  # how many moves of the position that the object stands in are in the buffer; -1 if not asked yet
    live: np.ndarray  # the moves played in the object
    live_length: np.ndarray  # how many; -1 before the first reset

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

    def bring_here(self, state):
        """Make the object stand where the state is; False if user code raised on the way."""
        fits = 0 <= self.live_length[0] <= state.length
        if fits:
            for i in range(self.live_length[0]):
                if self.live[i] != state.history[i]:
                    fits = False
                    break
        if not fits:
            self.listed[0] = -1
            self.live_length[0] = -1
            if call_int(self.reset_at, 0) < 0:
                return False
            self.live_length[0] = 0
        while self.live_length[0] < state.length:
            i = self.live_length[0]
            self.listed[0] = -1
            self.live_length[0] = -1
            if call_int(self.play_at, np.int64(state.history[i])) < 0:
                return False
            self.live[i] = state.history[i]
            self.live_length[0] = i + 1
        return True

    def take(self, count, out):
        for i in range(count):
            out[i] = self.buffer[i]
        return max(count, 0)

    def look(self, state):
        """Have the moves of the state in the buffer; returns how many, -1 if user code raised."""
        if not self.bring_here(state):
            return np.int64(-1)
        if self.listed[0] < 0:
            self.listed[0] = call_int(self.moves_at, 0)
        return self.listed[0]

    def moves(self, state, out):
        return self.take(self.look(state), out)

    def candidates(self, state, out):
        if not self.has_candidates:
            return self.moves(state, out)
        if not self.bring_here(state):
            return 0
        self.listed[0] = -1
        return self.take(call_int(self.candidates_at, 0), out)

    def score(self, state):
        if not self.bring_here(state):
            return np.nan
        return call_float(self.score_at, 0)

    def code(self, state, move):
        if not self.has_code or not self.bring_here(state):
            return np.uint64(move)
        return np.uint64(np.int64(call_int(self.code_at, np.int64(move))))

    def bound(self, state):
        if not self.has_bound or not self.bring_here(state):
            return np.inf
        return np.float64(call_float(self.bound_at, 0))

    def key(self, state):
        if not self.has_key or not self.bring_here(state):
            return np.uint64(0)
        return np.uint64(np.int64(call_int(self.key_at, 0)))

    def bias(self, state, move):
        if not self.has_bias or not self.bring_here(state):
            return 0.0
        return call_float(self.bias_at, np.int64(move))

    def label(self, state, move):
        if not self.has_label or not self.bring_here(state):
            return np.int64(move)
        return np.int64(call_int(self.label_at, np.int64(move)))

    def find(self, state, label, out):
        if self.has_find:
            return np.int64(call_int(self.find_at, np.int64(label))) if self.bring_here(state) else np.int64(-1)
        for i in range(self.moves(state, out)):
            if out[i] == label:
                return np.int64(label)
        return np.int64(-1)

    def text(self, state, move):
        simulator = hosts[self.number].simulator
        self.bring_here(state)
        return str(simulator.text(int(move))) if hasattr(simulator, "text") else str(int(move))

    def render(self, state):
        simulator = hosts[self.number].simulator
        self.bring_here(state)
        return simulator.render() if hasattr(simulator, "render") else None


@problem
class SimulatorGame(SimulatorProblem):
    """The same for an object that is a game."""

    player_count: int
    lowest: float
    highest: float
    payoff_at: int
    chance_at: int
    turn: np.ndarray  # whose turn it is in the position whose moves are in the buffer

    def players(self):
        return self.player_count

    def payoffs(self):
        return self.lowest, self.highest

    def player(self, state):
        return self.turn[0] if self.look(state) > 0 else np.int64(0)

    def payoff(self, state, player):
        if not self.bring_here(state):
            return np.nan
        return call_float(self.payoff_at, np.int64(player))

    def chance(self, state, move):
        if not self.bring_here(state):
            return np.nan
        return call_float(self.chance_at, np.int64(move))


def _wrong_player(simulator: Any, player: Any, players: int) -> str:
    place = _place(simulator, "player")
    if player == CHANCE:
        return f"{place}: player is {CHANCE}, which stands for chance, but method chance(self, move) is missing"
    return f"{place}: player must return a whole number from 0 to {players - 1}, or {CHANCE} for chance, not {player!r}"


def _whole(simulator: Any, name: str, value: Any) -> int:
    """A 64-bit whole number that a simulator has returned."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not -(2**63) <= value < 2**64:
        raise ProblemError(f"{_place(simulator, name)}: {name} must return a whole number of 64 bits, not {value!r}")
    return int(value)


def _signed(code: int) -> int:
    """A code as the signed 64-bit number that a C callback can return."""
    code = int(code) & 0xFFFFFFFFFFFFFFFF
    return code - (1 << 64) if code >= 1 << 63 else code


def _place(simulator: Any, method: str) -> str:
    return f"class {type(simulator).__name__}, {where(getattr(type(simulator), method))}"
