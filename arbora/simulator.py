"""Any Python simulator as a problem: an ordinary class, with any objects inside, under the same compiled searches.

    class MyPuzzle:
        def reset(self): ...            # to the start
        def moves(self): ...            # the legal moves, whole numbers from 0; none ends the episode
        def play(self, move): ...
        def score(self): ...            # at the end; higher is better

Optional: `candidates(self)`, `code(self, move)`, `bound(self)`, `key(self)`, `bias(self, move)`, `label(self, move)`,
`find(self, label)`, `text(self, move)`, `render(self)`, and `max_moves`, `max_length` as numbers or methods. The object
never has to be copied: compiled code keeps the moves of each of its states and calls back into Python, which replays from
`reset` when the search has jumped elsewhere. A run has one thread, since Python has.
"""

import ctypes
import inspect
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arbora.component import has_role, is_component, where
from arbora.engine.shared import FLOAT_CALLBACK, INT_CALLBACK, call_float, call_int
from arbora.errors import BadInput, ProblemError
from arbora.problem import offers, problem

REQUIRED = {"reset": 0, "moves": 0, "play": 1, "score": 0}
OPTIONAL = {
    "candidates": 0,
    "code": 1,
    "bound": 0,
    "key": 0,
    "bias": 1,
    "label": 1,
    "find": 1,
    "text": 1,
    "render": 0,
}
_CALLED_IF_THERE = ("candidates", "code", "bound", "key", "bias", "label", "find")
MAX_MOVES = 1_000
MAX_LENGTH = 10_000


class Simulation:
    """A plain Python object in the role of a problem; `component()` makes what compiled code works with."""

    def __init__(self, simulator: Any) -> None:
        check_simulator(type(simulator))
        self.simulator = simulator
        self.max_moves = _bound(simulator, "max_moves", MAX_MOVES)
        self.max_length = _bound(simulator, "max_length", MAX_LENGTH)

    def component(self) -> Any:
        """A problem that stands for the object."""
        host = Host(self.simulator, self.max_moves)
        hosts[host.number] = host
        called: dict[str, Any] = {f"has_{name}": hasattr(self.simulator, name) for name in _CALLED_IF_THERE}
        called.update({f"{name}_at": address for name, address in host.addresses().items()})
        return SimulatorProblem(
            max_count=self.max_moves,
            longest=self.max_length,
            number=host.number,
            buffer=host.buffer,
            live=np.zeros(1 << max(self.max_length - 1, 255).bit_length(), np.int32),  # few sizes: each compiles anew
            live_length=np.full(1, -1, np.int64),
            **called,
        )


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
            self.live_length[0] = -1
            if call_int(self.reset_at, 0) < 0:
                return False
            self.live_length[0] = 0
        while self.live_length[0] < state.length:
            i = self.live_length[0]
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

    def moves(self, state, out):
        if not self.bring_here(state):
            return 0
        return self.take(call_int(self.moves_at, 0), out)

    def candidates(self, state, out):
        if not self.has_candidates:
            return self.moves(state, out)
        if not self.bring_here(state):
            return 0
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


def as_problem(problem: Any) -> Any:
    """The problem itself, or a plain object wrapped as one; raises BadInput for anything that cannot be searched."""
    if has_role(problem, "problem"):
        return problem
    if isinstance(problem, type) or is_component(problem):
        name = problem.__name__ if isinstance(problem, type) else type(problem).__name__
        raise BadInput(f"{name} is not a problem; give an instance of an @arbora.problem class or of a simulator class")
    return Simulation(problem)


@contextmanager
def opened(problem: Any) -> Iterator[Any]:
    """What compiled code and replays work with: the problem, or what stands for a plain object until the block ends."""
    problem = as_problem(problem)
    if not isinstance(problem, Simulation):
        yield problem
        return
    component = problem.component()
    try:
        yield component
    finally:
        del hosts[component.number]


def host_of(problem: Any) -> Host | None:
    """The Python side of a problem that stands for a plain object."""
    return hosts[problem.number] if isinstance(problem, SimulatorProblem) else None


def provides(problem: Any, name: str) -> bool:
    """Does the problem, or the plain object it stands for, have this optional method of its own?"""
    host = host_of(problem)
    return offers(problem, name) if host is None else hasattr(host.simulator, name)


def raise_error(problem: Any) -> None:
    """Raise what user code behind callbacks has raised, with its own traceback."""
    host = host_of(problem)
    if host is not None and host.error is not None:
        raise host.error


def check_simulator(cls: type) -> None:
    """Raise ProblemError if a plain class cannot be searched: a method is missing or takes the wrong arguments."""
    for name, arguments in {**REQUIRED, **OPTIONAL}.items():
        method = getattr(cls, name, None)
        if method is None:
            if name in OPTIONAL:
                continue
            raise ProblemError(f"class {cls.__name__} ({where(cls)}): method {name} is missing")
        try:
            inspect.signature(method).bind(None, *[None] * arguments)
        except (TypeError, ValueError):
            wanted = ", ".join(["self", *["label" if name == "find" else "move"] * arguments])
            raise ProblemError(f"class {cls.__name__}, {where(method)}: {name} must be {name}({wanted})") from None


def _bound(simulator: Any, name: str, otherwise: int) -> int:
    value = getattr(simulator, name, otherwise)
    value = value() if callable(value) else value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        raise ProblemError(f"class {type(simulator).__name__}: {name} must be a whole number of 1 or more, not {value!r}")
    return int(value)


def _whole(simulator: Any, name: str, value: Any) -> int:
    """A 64-bit whole number that a simulator has returned."""
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or not -(2**63) <= value < 2**64:
        raise ProblemError(
            f"class {type(simulator).__name__}, {where(getattr(type(simulator), name))}: "
            f"{name} must return a whole number of 64 bits, not {value!r}"
        )
    return int(value)


def _signed(code: int) -> int:
    """A code as the signed 64-bit number that a C callback can return."""
    code = int(code) & 0xFFFFFFFFFFFFFFFF
    return code - (1 << 64) if code >= 1 << 63 else code
