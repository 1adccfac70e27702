"""The conformance suite: what a problem must hold to, tried out on the problem itself."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from arbora.errors import ArboraError, ProblemError
from arbora.probe import differing
from arbora.problem import bounds, is_game, offers, state_dtype
from arbora.search.nrpa import NRPA
from arbora.search.random import Random
from arbora.simulator import opened, provides, raise_error
from arbora.solve import solve
from arbora.watched import Watched, check_twin, problem_name, told


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


def _checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    with opened(problem) as instance:
        yield from interpreted_checks(instance, playouts, seed)
    yield from _compiled_checks(problem, playouts, seed)


def interpreted_checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    """What can be seen without compiling: a line for each thing that held, and ProblemError for the first that did not."""
    dtype = told(problem, "layout", lambda: state_dtype(problem))
    max_moves, max_length = told(problem, "max_moves", lambda: bounds(problem))
    yield f"a state is {dtype.itemsize:,} bytes; at most {max_moves:,} moves, {max_length:,} long"
    watched = Watched(problem)
    games = [watched.play_out(seed + i) for i in range(playouts)]
    lengths = [len(moves) for moves, _ in games]
    yield (
        f"{playouts} interpreted play-outs keep to their bounds: {min(lengths)} to {max(lengths)} moves, "
        f"scores {min(score for _, score in games):g} to {max(score for _, score in games):g}"
    )
    for i in (0, playouts - 1):
        if Watched(problem).play_out(seed + i) != games[i]:
            raise ProblemError(
                f"class {problem_name(problem)}: reset does not restore the start; a used state plays differently"
            )
    yield "reset restores the start: used and fresh states play alike"
    yield "candidates are legal moves, and never none while moves remain"
    yield "sample gives legal moves; codes, texts and pictures can be made"
    if watched.provides:
        yield f"{', '.join(sorted(watched.provides))}: what they promise holds at every step"
    if watched.game is not None:
        yield from _game_facts(watched, playouts, seed)
    if watched.hidden is not None:
        drawn = watched.hidden.check_draws(seed, playouts)
        if drawn is not None:
            yield drawn
    if offers(problem, "compact"):
        for moves, _ in games:
            check_twin(problem, moves)
        twin = Watched(problem.compact())
        for i in range(playouts):
            twin.play_out(seed + i)
        yield f"compact gives a problem with the same moves and scores; its states are {twin.dtype.itemsize:,} bytes"


def _game_facts(watched: Watched, playouts: int, seed: int) -> Iterator[str]:
    """What play-outs have shown of a game."""
    game = watched.game
    assert game is not None
    lengths = [length for i in range(playouts) for length in watched.quick_play_outs(seed + i)]
    if lengths:
        named = " and ".join(sorted(watched.provides & {"light", "urgent"}))
        yield f"play-outs by {named} end after {min(lengths)} to {max(lengths)} moves"
    players = "1 player" if game.players == 1 else f"{game.players} players"
    constant_sum = ", constant sum" if game.constant_sum else ""
    chance = "; the probabilities of chance sum to 1" if game.chance_seen else ""
    yield f"{players}, payoffs from {game.low:g} to {game.high:g}{constant_sum}{chance}"


def _compiled_checks(problem: Any, playouts: int, seed: int) -> Iterator[str]:
    start = time.perf_counter()
    for i in range(playouts):
        _compare(problem, Random(), 1, seed + i)
    yield f"{playouts} compiled play-outs equal the interpreted ones move for move ({time.perf_counter() - start:.1f} s)"
    with opened(problem) as instance:
        for_nrpa = not is_game(instance) or provides(instance, "candidates") or provides(instance, "code")
    if for_nrpa:  # nobody plays a game by it, but what it asks for must be right
        start = time.perf_counter()
        _compare(problem, NRPA(level=1, iterations=playouts), playouts, seed)
        yield f"so does NRPA, with candidates and codes ({time.perf_counter() - start:.1f} s)"
    with opened(problem) as instance:
        twins = [instance.compact()] if offers(instance, "compact") else []
        start = time.perf_counter()
        for asked in [instance, *twins]:
            if Watched(asked).provides or is_game(asked):
                _compare_answers(asked, playouts, seed)
                yield f"{problem_name(asked)} answers alike, compiled and interpreted ({time.perf_counter() - start:.1f} s)"


def _compare_answers(problem: Any, playouts: int, seed: int) -> None:
    """Raise ProblemError unless the optional methods answer the same, compiled and interpreted."""
    names = differing(problem, playouts, seed)
    raise_error(problem)
    if names:
        raise ProblemError(
            f"class {problem_name(problem)}: {', '.join(names)}: compiled and interpreted answers differ; look for integer "
            "overflow, division by zero, or indices out of range"
        )


def _compare(problem: Any, search: Any, playouts: int, seed: int) -> None:
    """Raise ProblemError unless compiled and interpreted runs give the same solution."""
    fast = solve(problem, search, playouts=playouts, seed=seed)
    plain = solve(problem, search, playouts=playouts, seed=seed, compiled=False)
    if (plain.score, plain.moves) != (fast.score, fast.moves):
        raise ProblemError(
            f"class {problem_name(problem)}: compiled and interpreted play-outs differ (scores {fast.score:g} and "
            f"{plain.score:g}); look for integer overflow, division by zero, or indices out of range"
        )
