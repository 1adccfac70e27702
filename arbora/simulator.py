"""Any Python simulator as a problem: an ordinary class, with any objects inside, under the same compiled searches.

    class MyPuzzle:
        def reset(self): ...            # to the start
        def moves(self): ...            # the legal moves, whole numbers from 0; none ends the episode
        def play(self, move): ...
        def score(self): ...            # at the end; higher is better

    class MyGame:                       # with reset, moves and play as above, and in place of score
        players = 2                     # or a method
        def player(self): ...           # whose turn it is, from 0; -1 for chance
        def payoff(self, player): ...   # at the end

Optional for games: `payoffs`, the lowest and the highest payoff, 0 and 1 if left out, as a pair or a method;
`chance(self, move)`, the probability of a move of chance; `finish(self, rng)`, which plays on to the end at random by itself
and returns how many moves that took, or that and the payoffs of all players; `snapshot(self)` and `restore(self, snapshot)`,
a position to come back to, where that is quicker than to play all moves again. `rng` is a `random.Random`.

Optional for games that hide something: `determinize(self, player, rng)`, which goes to a position that the player holds
possible and returns the moves that lead there from the start; `seen(self, player)`, all that the player has seen, as
anything that has a hash, such as a text or a tuple; `worlds(self, player)`, how many positions he holds possible;
`show(self, player)`, what he sees of it, for people.

Optional for both: `candidates(self)`, `code(self, move)`, `bound(self)`, `key(self)`, `bias(self, move)`,
`label(self, move)`, `find(self, label)`, `text(self, move)`, `render(self)`, and `max_moves`, `max_length` as numbers or
methods.

The object never has to be copied: compiled code keeps the moves of each of its states and calls back into Python, which
replays from `reset` when the search has jumped elsewhere (`hosting`). A run has one thread, since Python has.
"""

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arbora.component import has_role, is_component, where
from arbora.errors import BadInput, ProblemError
from arbora.hosted import SimulatorGame, SimulatorProblem
from arbora.hosting import Host, hosts
from arbora.problem import offers

# Methods and their arguments behind `self`.
_REQUIRED: dict[str, tuple[str, ...]] = {"reset": (), "moves": (), "play": ("move",)}
_REQUIRED_OF_PUZZLES: dict[str, tuple[str, ...]] = {"score": ()}
_REQUIRED_OF_GAMES: dict[str, tuple[str, ...]] = {"player": (), "payoff": ("player",)}
_OPTIONAL: dict[str, tuple[str, ...]] = {
    "candidates": (),
    "code": ("move",),
    "bound": (),
    "key": (),
    "bias": ("move",),
    "label": ("move",),
    "find": ("label",),
    "text": ("move",),
    "render": (),
}
_OPTIONAL_IN_GAMES: dict[str, tuple[str, ...]] = {
    "chance": ("move",),
    "determinize": ("player", "rng"),
    "worlds": ("player",),
    "seen": ("player",),
    "show": ("player",),
    "finish": ("rng",),
    "snapshot": (),
    "restore": ("snapshot",),
}
_PAIRS = (("snapshot", "restore"),)  # one is of no use without the other
_CALLED_IF_THERE = ("candidates", "code", "bound", "key", "bias", "label", "find")
_CALLED_IF_THERE_IN_GAMES = ("determinize", "worlds", "seen", "finish")
MAX_MOVES = 1_000
MAX_LENGTH = 10_000


class Simulation:
    """A plain Python object in the role of a problem; `component()` makes what compiled code works with."""

    def __init__(self, simulator: Any) -> None:
        check_simulator(type(simulator))
        self.simulator = simulator
        self.max_moves = _count(simulator, "max_moves", MAX_MOVES)
        self.max_length = _count(simulator, "max_length", MAX_LENGTH)
        self.players = _count(simulator, "players") if _is_game(type(simulator)) else 0
        self.payoffs = _payoffs(simulator) if self.players else (0.0, 0.0)

    def component(self) -> Any:
        """A problem that stands for the object."""
        host = Host(self.simulator, self.max_moves, self.max_length, self.players, self.payoffs)
        made: Any
        if self.players == 0:
            made = SimulatorProblem(**self.fields(host))
        else:
            low, high = self.payoffs
            fields = self.fields(host) | {f"has_{name}": hasattr(self.simulator, name) for name in _CALLED_IF_THERE_IN_GAMES}
            made = SimulatorGame(
                player_count=self.players,
                lowest=low,
                highest=high,
                worth=host.worth,
                asked=host.asked,
                noted=host.noted,
                **fields,
            )
        hosts[host.number] = host
        return made

    def fields(self, host: Host) -> dict[str, Any]:
        """What the problems that stand for puzzles and for games have in common."""
        return {
            "max_count": self.max_moves,
            "longest": self.max_length,
            "number": host.number,
            "lowest_turn": host.lowest,
            "turns": max(self.players, 1),
            "buffer": host.buffer,
            "listed": host.listed,
            "live": host.live,
            "live_length": host.live_length,
            **{f"has_{name}": hasattr(self.simulator, name) for name in _CALLED_IF_THERE},
            **{f"{name}_at": address for name, address in host.addresses().items()},
        }


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
    return hosts[problem.number] if isinstance(problem, (SimulatorProblem, SimulatorGame)) else None


def provides(problem: Any, name: str) -> bool:
    """Does the problem, or the plain object it stands for, have this optional method of its own?"""
    host = host_of(problem)
    if host is None:
        return offers(problem, name)
    return hasattr(type(problem), name) and hasattr(host.simulator, name)


def raise_error(problem: Any) -> None:
    """Raise what user code behind callbacks has raised, with its own traceback."""
    host = host_of(problem)
    if host is not None and host.error is not None:
        raise host.error


def check_simulator(cls: type) -> None:
    """Raise ProblemError if a plain class cannot be searched: a method is missing or takes the wrong arguments."""
    required, optional = {**_REQUIRED, **_REQUIRED_OF_PUZZLES}, _OPTIONAL
    if _is_game(cls):
        required, optional = {**_REQUIRED, **_REQUIRED_OF_GAMES}, {**_OPTIONAL, **_OPTIONAL_IN_GAMES}
    for name, arguments in {**required, **optional}.items():
        method = getattr(cls, name, None)
        if method is None:
            if name in optional:
                continue
            raise ProblemError(f"class {cls.__name__} ({where(cls)}): method {name} is missing")
        try:
            inspect.signature(method).bind(None, *arguments)
        except (TypeError, ValueError):
            wanted = ", ".join(["self", *arguments])
            raise ProblemError(f"class {cls.__name__}, {where(method)}: {name} must be {name}({wanted})") from None

    for names in _PAIRS:
        there = [name for name in names if name in optional and hasattr(cls, name)]
        if len(there) == 1:
            missing = next(name for name in names if name not in there)
            raise ProblemError(f"class {cls.__name__} ({where(cls)}): {there[0]} is of no use without {missing}")


def _is_game(cls: type) -> bool:
    """Is this a class of games? One with a score may have a field `players` and be a puzzle all the same."""
    if any(callable(getattr(cls, name, None)) for name in _REQUIRED_OF_GAMES):
        return True
    return hasattr(cls, "players") and not hasattr(cls, "score")


def _count(simulator: Any, name: str, otherwise: int | None = None) -> int:
    value = getattr(simulator, name, otherwise)
    value = value() if callable(value) else value
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < 1:
        given = "" if value is None else f", not {value!r}"
        raise ProblemError(f"class {type(simulator).__name__}: {name} must be a whole number of 1 or more{given}")
    return int(value)


def _payoffs(simulator: Any) -> tuple[float, float]:
    value = getattr(simulator, "payoffs", (0.0, 1.0))
    value = value() if callable(value) else value
    try:
        low, high = (float(payoff) for payoff in value)
        if not -np.inf < low <= high < np.inf:
            raise ValueError
    except (TypeError, ValueError):
        raise ProblemError(
            f"class {type(simulator).__name__}: payoffs must be two numbers, the lowest and the highest, not {value!r}"
        ) from None
    return low, high
