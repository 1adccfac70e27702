"""The conformance suite: what a problem must hold to, tried out on the problem itself.

`check_problem` runs everything and reports; `quick_check` is the short version that `solve` runs before it compiles a
class for the first time, so that mistakes are told at once and in the user's terms.
"""

import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from arbora.component import where
from arbora.engine.rng import make_rng
from arbora.errors import ArboraError, ProblemError
from arbora.problem import bounds, new_state, state_dtype
from arbora.simulator import Simulation, hosts
from arbora.solve import as_problem, solve


@dataclass
class Report:
    """What was checked, what it showed, and the first thing that failed, if any."""

    name: str
    passed: list[str] = field(default_factory=list)
    failure: str | None = None

    @property
    def ok(self) -> bool:
        return self.failure is None


def check_problem(problem: Any, playouts: int = 20, seed: int = 1) -> Report:
    """Run the conformance suite on a problem (an instance). Nothing is raised for a problem that fails: see the report."""
    report = Report(type(problem).__name__)
    try:
        for message in _checks(problem, playouts, seed):
            report.passed.append(message)
    except ArboraError as error:
        report.failure = str(error)
    return report


def quick_check(problem: Any) -> None:
    """Play interpreted for a fraction of a second, watching every rule of the protocol. Raises ProblemError."""
    if type(problem).__module__.startswith("arbora."):
        return  # checked by our own tests
    deadline = time.perf_counter() + 0.3
    for seed in range(3):
        _Watched(problem).play_out(seed, deadline)


def _checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    simulation = as_problem(problem)
    instance = simulation.component() if isinstance(simulation, Simulation) else simulation
    try:
        yield from _interpreted_checks(instance, playouts, seed)
    finally:
        hosts.pop(getattr(instance, "number", 0), None)
    yield from _compiled_checks(problem, playouts, seed)


def _interpreted_checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    dtype = _told(problem, "layout", lambda: state_dtype(problem))
    max_moves, max_length = _told(problem, "max_moves", lambda: bounds(problem))
    yield f"a state is {dtype.itemsize:,} bytes; at most {max_moves:,} moves, {max_length:,} long"
    watched = _Watched(problem)
    games = [watched.play_out(seed + i) for i in range(playouts)]
    lengths = [len(moves) for moves, _ in games]
    yield (
        f"{playouts} interpreted play-outs keep to their bounds: {min(lengths)} to {max(lengths)} moves, "
        f"scores {min(score for _, score in games):g} to {max(score for _, score in games):g}"
    )
    for i in (0, playouts - 1):
        if _Watched(problem).play_out(seed + i) != games[i]:
            raise ProblemError(f"class {_name(problem)}: reset does not restore the start; a used state plays differently")
    yield "reset restores the start: used and fresh states play alike"
    yield "candidates are legal moves, and never none while moves remain"
    yield "sample gives legal moves; codes, texts and pictures can be made"


def _compiled_checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    from arbora.search.nrpa import NRPA
    from arbora.search.random import Random

    for search in (Random(), NRPA(level=1, iterations=max(playouts, 1))):
        plain = solve(problem, search, playouts=playouts, seed=seed, compiled=False)
        start = time.perf_counter()
        fast = solve(problem, search, playouts=playouts, seed=seed)
        took = time.perf_counter() - start
        if (plain.score, plain.moves) != (fast.score, fast.moves):
            raise ProblemError(
                f"class {_name(problem)}: compiled and interpreted play-outs differ ({fast.score:g} and {plain.score:g}); "
                "look for integer overflow, division by zero, or indices out of range"
            )
        name = type(search).__name__
        yield f"{name}, compiled ({took:.1f} s) and interpreted, agree move for move over {playouts} play-outs"


class _Watched:
    """Interpreted play-outs in which every call of the protocol is checked."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.dtype = _told(problem, "layout", lambda: state_dtype(problem))
        self.max_moves, self.max_length = _told(problem, "max_moves", lambda: bounds(problem))
        self.state = new_state(problem)

    def play_out(self, seed: int, deadline: float = np.inf) -> tuple[list[int], float]:
        """One random episode: its moves and score; the score is nan if the deadline came first."""
        rng = make_rng(seed)
        moves: list[int] = []
        with np.errstate(over="ignore"):
            self.call("reset")
            while time.perf_counter() < deadline:
                legal = self.listed("moves")
                if not legal:
                    return moves, self.score(len(moves))
                if len(moves) == self.max_length:
                    self.fail("play", f"an episode is longer than max_length() = {self.max_length}")
                self.check_optional(legal, rng)
                move = legal[rng.below(len(legal))]
                moves.append(move)
                self.call("play", move)
        return moves, np.nan

    def check_optional(self, legal: list[int], rng: Any) -> None:
        chosen = self.listed("candidates")
        if not chosen:
            self.fail("candidates", "no candidate, though there are legal moves")
        if not set(chosen) <= set(legal):
            self.fail("candidates", f"move {min(set(chosen) - set(legal))} is a candidate but not legal")
        sampled = self.call("sample", np.zeros(self.max_moves, np.int32), rng)
        if sampled not in legal:
            self.fail("sample", f"move {sampled} is not legal")
        for move in legal[:3]:
            code = self.call("code", move)
            if not isinstance(code, (int, np.integer)):
                self.fail("code", f"code must be a whole number, not {code!r}")
            self.call("text", move)
            if hasattr(self.problem, "kind") and not 0 <= self.call("kind", move) < self.problem.kinds():
                self.fail("kind", f"kind {self.call('kind', move)} of move {move} is not in 0 .. kinds() - 1")

    def listed(self, name: str) -> list[int]:
        out = np.full(self.max_moves, -1, np.int32)
        try:
            count = getattr(self.problem, name)(self.state, out)
        except IndexError as error:
            line = _user_line(error)
            self.fail(name, f"IndexError: {error}; is max_moves() = {self.max_moves} too low?", line)
        except Exception as error:
            self.fail(name, f"{type(error).__name__}: {error}", _user_line(error))
        self.raise_host_error()
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)):
            self.fail(name, f"must return how many moves it wrote, not {count!r}")
        if not 0 <= count <= self.max_moves:
            self.fail(name, f"returned {count} moves; allowed are 0 to max_moves() = {self.max_moves}")
        listed = [int(move) for move in out[:count]]
        if listed and min(listed) < 0:
            self.fail(name, f"move {min(listed)} in place {listed.index(min(listed))} of `out`; moves are 0 or more")
        if len(set(listed)) < len(listed):
            self.fail(name, f"move {max(listed, key=listed.count)} is listed twice")
        return listed

    def score(self, length: int) -> float:
        value = self.call("score")
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
            self.fail("score", f"score must return a number, not {value!r}")
        if not np.isfinite(value):
            self.fail("score", f"score is {value} after {length} moves; it must be a finite number")
        return float(value)

    def call(self, name: str, *arguments: Any) -> Any:
        try:
            value = getattr(self.problem, name)(self.state, *arguments)
        except Exception as error:
            self.fail(name, f"{type(error).__name__}: {error}", _user_line(error))
        self.raise_host_error()
        return value

    def raise_host_error(self) -> None:
        host = hosts.get(getattr(self.problem, "number", 0))
        if host is not None and host.error is not None:
            error = host.error
            raise ProblemError(f"class {_name(self.problem)}, {_user_line(error)}: {type(error).__name__}: {error}")

    def fail(self, method: str, reason: str, place: str | None = None) -> None:
        place = place or where(getattr(type(self.problem), method))
        raise ProblemError(f"class {_name(self.problem)}, method {method}, {place}: {reason}")


def _told(problem: Any, method: str, function: Callable[[], Any]) -> Any:
    """Call user code; any exception becomes a ProblemError that names class, method, file and line."""
    try:
        return function()
    except ArboraError:
        raise
    except Exception as error:
        raise ProblemError(
            f"class {_name(problem)}, method {method}, {_user_line(error)}: {type(error).__name__}: {error}"
        ) from None


def _name(problem: Any) -> str:
    host = hosts.get(getattr(problem, "number", 0))
    return type(problem if host is None else host.simulator).__name__


def _user_line(error: BaseException) -> str:
    """`file:line` of the innermost frame of the traceback that is not Arbora's or numpy's."""
    frames = traceback.extract_tb(error.__traceback__)
    own = [f for f in frames if "/arbora/" not in f.filename.replace("\\", "/") and "site-packages" not in f.filename]
    frame = (own or frames)[-1]
    return f"{frame.filename}:{frame.lineno}"
