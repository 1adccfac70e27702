"""Interpreted play-outs in which every rule of the problem protocol is checked, so that a mistake is told at once.

The conformance suite builds on this; `solve` runs `quick_check` before it compiles a class for the first time.
"""

import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from arbora.component import where
from arbora.engine.rng import make_rng
from arbora.errors import ArboraError, ProblemError, user_frames
from arbora.problem import bounds, is_game, like_compiled, new_state, state_dtype
from arbora.replay import same_score
from arbora.simulator import host_of, provides
from arbora.watched_game import GameRules
from arbora.watched_hidden import HiddenRules

# Optional methods that are looked at only where the problem has its own: the defaults do nothing.
_CHECKED_IF_OWN = ("bias", "bound", "key", "label", "find", "eased")
_HIDDEN = ("determinize", "worlds", "seen", "show")
_CHECKED_IF_OWN_IN_GAMES = (*_CHECKED_IF_OWN, "chance", "light", "urgent", "prior", "finish", *_HIDDEN)


def quick_check(problem: Any) -> None:
    """Play interpreted for a fraction of a second, watching every rule of the protocol. Raises ProblemError."""
    if type(problem).__module__.startswith("arbora."):
        return  # checked by our own tests
    deadline = time.perf_counter() + 0.3
    for seed in range(3):
        watched = Watched(problem)
        watched.play_out(seed, deadline)
        watched.quick_play_outs(seed, deadline)


class Watched:
    """Interpreted play-outs in which every call of the protocol is checked."""

    def __init__(self, problem: Any) -> None:
        self.problem = problem
        self.dtype = told(problem, "layout", lambda: state_dtype(problem))
        self.max_moves, self.max_length = told(problem, "max_moves", lambda: bounds(problem))
        self.state = new_state(problem)
        game = is_game(problem)
        self.provides = {name for name in (_CHECKED_IF_OWN_IN_GAMES if game else _CHECKED_IF_OWN) if provides(problem, name)}
        self.game = GameRules(self) if game else None
        self.hidden = HiddenRules(self) if self.provides & set(_HIDDEN) else None
        self.positions: dict[int, set[int]] = {}  # the legal moves of each key seen

    def play_out(self, seed: int, deadline: float = np.inf) -> tuple[list[int], float]:
        """One random episode: its moves and score; the score is nan if the deadline came first."""
        rng = make_rng(seed)
        moves: list[int] = []
        bounds_met: list[float] = []
        keys: list[int] = []
        with like_compiled():
            self.call("reset")
            while time.perf_counter() < deadline:
                legal = self.listed("moves")
                bounds_met.append(self.bound())
                keys.append(self.key(legal, len(moves)))
                if self.game is not None and legal:
                    self.game.check_turn(legal, len(moves))
                    self.game.check_finish(len(moves), rng)
                    if self.hidden is not None:
                        self.hidden.check_view(legal, len(moves), rng)
                if not legal:
                    if hasattr(self.problem, "render"):
                        self.call("render")
                    score = self.score(len(moves))
                    self.check_end(moves, score, bounds_met, keys)
                    return moves, score
                if len(moves) == self.max_length:
                    self.fail("play", f"an episode is longer than max_length() = {self.max_length}")
                self.check_optional(legal, rng)
                move = legal[rng.below(len(legal))]
                moves.append(move)
                self.call("play", move)
        return moves, np.nan

    def quick_play_outs(self, seed: int, deadline: float = np.inf) -> list[int]:
        """Play-outs by what a game has for them; their lengths. None for puzzles."""
        if self.game is None:
            return []
        named = [name for name in ("light", "urgent") if name in self.provides]
        return [self.game.quick_play_out(seed, name == "urgent", deadline) for name in named]

    @contextmanager
    def at(self, state: Any) -> Iterator[None]:
        """Within this context all calls are about another position."""
        kept, self.state = self.state, state
        try:
            yield
        finally:
            self.state = kept

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
            if "bias" in self.provides:
                self.finite("bias", move)
            if hasattr(self.problem, "kind") and not 0 <= self.call("kind", move) < self.problem.kinds():
                self.fail("kind", f"kind {self.call('kind', move)} of move {move} is not in 0 .. kinds() - 1")

        if self.provides & {"label", "find"}:
            for move in legal:
                self.check_label(move)

    def check_label(self, move: int) -> None:
        label = self.call("label", move)
        if not isinstance(label, (int, np.integer)):
            self.fail("label", f"label must be a whole number, not {label!r}")
        found = self.call("find", label, np.zeros(self.max_moves, np.int32))
        if found != move:
            self.fail("find", f"find gives {found} for label {label}, which label gave to move {move} in the same position")

    def check_end(self, moves: list[int], score: float, bounds_met: list[float], keys: list[int]) -> None:
        """What can be told of an episode only when it is over."""
        if self.game is not None:
            self.call("player")  # searches ask before they know that it is over
            self.game.check_payoffs()
        for number, bound in enumerate(bounds_met):
            if bound < score and not same_score(bound, score):
                self.fail("bound", f"bound is {bound:g} after {number} moves of an episode that scores {score:g}")
        if "eased" in self.provides:
            for hardness in (0.0, 0.5, 1.0):
                self.finite("eased", hardness)
        if "key" in self.provides:
            self.call("reset")
            for number, key in enumerate(keys):
                if int(self.call("key")) != key:
                    self.fail("key", f"key is {self.call('key')} after {number} moves, but was {key} after the same moves")
                if number < len(moves):
                    self.call("play", moves[number])

    def bound(self) -> float:
        """The bound of the position; infinite if the problem has none."""
        if "bound" not in self.provides:
            return np.inf
        value = self.number("bound")
        if np.isnan(value):
            self.fail("bound", "bound is nan")
        return value

    def key(self, legal: list[int], number: int) -> int:
        """The key of the position; 0 if the problem has none."""
        if "key" not in self.provides:
            return 0
        key = self.call("key")
        if isinstance(key, (bool, np.bool_)) or not isinstance(key, (int, np.integer)) or not -(2**63) <= int(key) < 2**64:
            self.fail("key", f"key must be a whole number of 64 bits, not {key!r}")
        again = self.call("key")
        if again != key:
            self.fail("key", f"key is {key} after {number} moves, and {again} when asked again")
        key = int(key)
        if key != 0 and self.positions.setdefault(key, set(legal)) != set(legal):
            self.fail("key", f"key {key} stands for two positions that have different moves")
        return key

    def finite(self, name: str, argument: Any) -> None:
        value = self.number(name, argument)
        if not np.isfinite(value):
            self.fail(name, f"{name} is {value} for {argument}; it must be a finite number")

    def number(self, name: str, *arguments: Any) -> float:
        value = self.call(name, *arguments)
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, float, np.integer, np.floating)):
            self.fail(name, f"{name} must return a number, not {value!r}")
        return float(value)

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
        value = self.number("score")
        if not np.isfinite(value):
            self.fail("score", f"score is {value} after {length} moves; it must be a finite number")
        return value

    def call(self, name: str, *arguments: Any) -> Any:
        try:
            value = getattr(self.problem, name)(self.state, *arguments)
        except Exception as error:
            self.fail(name, f"{type(error).__name__}: {error}", _user_line(error))
        self.raise_host_error()
        return value

    def plain(self, name: str) -> Any:
        """What a method of the problem alone returns, without a state."""
        return told(self.problem, name, getattr(self.problem, name))

    def raise_host_error(self) -> None:
        host = host_of(self.problem)
        if host is not None and host.error is not None:
            error = host.error
            if isinstance(error, ArboraError):  # it names class and place already
                raise error
            raise ProblemError(f"class {problem_name(self.problem)}, {_user_line(error)}: {type(error).__name__}: {error}")

    def fail(self, method: str, reason: str, place: str | None = None) -> None:
        host = host_of(self.problem)
        owner = type(self.problem if host is None else host.simulator)
        place = place or where(getattr(owner, method, owner))
        raise ProblemError(f"class {problem_name(self.problem)}, method {method}, {place}: {reason}")


def check_twin(problem: Any, moves: list[int]) -> None:
    """Raise ProblemError unless `compact` gives a problem with the same moves and scores along an episode."""
    own = Watched(problem)
    twin = Watched(told(problem, "compact", problem.compact))
    missing = sorted((own.provides & {"bound", "key"}) - twin.provides)
    if missing:
        own.fail("compact", f"{problem_name(twin.problem)} has no {missing[0]}")
    with like_compiled():
        own.call("reset")
        twin.call("reset")
        for number in range(len(moves) + 1):
            told_by_own, told_by_twin = own.listed("moves"), twin.listed("moves")
            if set(told_by_own) != set(told_by_twin):
                differ = min(set(told_by_own) ^ set(told_by_twin))
                own.fail("compact", f"after {number} moves, move {differ} is legal in only one of problem and twin")
            scores = own.score(number), twin.score(number)
            if not same_score(*scores):
                own.fail("compact", f"after {number} moves, score is {scores[0]:g}, and {scores[1]:g} in the twin")
            if number < len(moves):
                own.call("play", moves[number])
                twin.call("play", moves[number])


def told(problem: Any, method: str, function: Callable[[], Any]) -> Any:
    """Call user code; any exception becomes a ProblemError that names class, method, file and line."""
    try:
        return function()
    except ArboraError:
        raise
    except Exception as error:
        raise ProblemError(
            f"class {problem_name(problem)}, method {method}, {_user_line(error)}: {type(error).__name__}: {error}"
        ) from None


def problem_name(problem: Any) -> str:
    """The name of the user's class."""
    host = host_of(problem)
    return type(problem if host is None else host.simulator).__name__


def _user_line(error: BaseException) -> str:
    """`file:line` where user code raised."""
    frame = (user_frames(error) or traceback.extract_tb(error.__traceback__))[-1]
    return f"{frame.filename}:{frame.lineno}"
