"""What is urgent in Go, and what moves promise, against the plain twin and in positions that speak for themselves."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_go_rules import Game

import arbora
from arbora.engine.rng import make_rng
from arbora.problem import like_compiled, new_state
from arbora.problems.go.board import NOWHERE
from arbora.problems.go.patterns import _SHIFTS, PATTERNS, matches, pattern_table
from arbora.problems.go.plain import RIVAL, PlainGo, Point
from arbora.problems.go.tactics import capturing_points, pattern_points, saving_points

COMPASS = ((-1, 1), (0, 1), (1, 1), (-1, 0), (1, 0), (-1, -1), (0, -1), (1, -1))  # as a pattern is read


@pytest.fixture(autouse=True)
def _numbers_as_compiled() -> Iterator[None]:
    with like_compiled():
        yield


def fits(pattern: str, around: str) -> bool:
    """Does a pattern fit what is around a point, eight signs row by row, as it stands?"""
    wanted = pattern.replace(" ", "").replace("/", "").replace("*", "")
    allowed = {"?": ".XO-", "x": ".O-", "o": ".X-"}
    return all(sign in allowed.get(kind, kind) for kind, sign in zip(wanted, around, strict=True))


def looks(around: str) -> Iterator[str]:
    """The surroundings turned, mirrored, and with colours swapped."""
    for colors in (around, around.translate(str.maketrans("XO", "OX"))):
        nine = colors[:4] + "*" + colors[4:]
        for _ in range(4):
            nine = "".join(nine[3 * row + 2 - column] for column in range(3) for row in range(3))
            for way in (nine, nine[6:] + nine[3:6] + nine[:3]):
                yield way[:4] + way[5:]


def fits_any(around: str) -> bool:
    return any(fits(pattern, way) for way in looks(around) for pattern in PATTERNS)


@given(st.text(".XO-", min_size=8, max_size=8))
@settings(max_examples=500)
def test_the_table_of_patterns_knows_what_fits(around: str) -> None:
    word = sum(".XO-".index(sign) << shift for sign, shift in zip(around, _SHIFTS, strict=True))
    with like_compiled():
        assert bool(matches(pattern_table(), np.uint16(word))) == fits_any(around)


def plain_saving(game: PlainGo, last: Point) -> set[Point]:
    found: set[Point] = set()
    for q in game.neighbors(last):
        if game.stones.get(q) == game.turn and len(game.liberties(q)) == 1:
            (escape,) = game.liberties(q)
            if not game.is_self_atari(escape):
                found.add(escape)
            for enemy in game.touching(game.region(q), RIVAL[game.turn]):
                if len(game.liberties(enemy)) == 1:
                    found |= game.liberties(enemy) - {escape}
    return {point for point in found if game.is_sensible(point)}


def plain_patterns(game: PlainGo, last: Point) -> set[Point]:
    def sign(x: int, y: int) -> str:
        return game.stones.get((x, y), ".") if 0 <= x < game.width and 0 <= y < game.height else "-"

    found = set()
    for dx, dy in COMPASS:
        x, y = last[0] + dx, last[1] + dy
        if sign(x, y) == "." and fits_any("".join(sign(x + a, y + b) for a, b in COMPASS)):
            if game.is_sensible((x, y)) and not game.is_self_atari((x, y)):
                found.add((x, y))
    return found


def plain_captures(game: PlainGo) -> set[Point]:
    return {p for p in game.points() if p not in game.stones and game.is_sensible(p) and game.after(p)[1]}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_urgent_is_what_the_plain_board_says(seed: int) -> None:
    go: Any = arbora.Go(width=5, height=6)
    state, rng, out = new_state(go), make_rng(seed), np.zeros(400, np.int32)
    go.reset(state)
    plain = PlainGo(5, 6)

    def listed(count: int) -> set[Point]:
        moves = [int(go.move_of[point]) for point in out[:count]]
        return {(move % 5, move // 5) for move in moves}

    for _ in range(60):
        last = np.uint64(state.last)
        if last != NOWHERE:
            here = int(go.move_of[last]) % 5, int(go.move_of[last]) // 5
            assert listed(saving_points(state, last, out)) == plain_saving(plain, here)
            assert listed(pattern_points(state, last, go.patterns, out)) == plain_patterns(plain, here)
        assert listed(capturing_points(state, out)) == plain_captures(plain)
        move = int(go.light(state, out, rng))
        if move < 0:
            break
        go.play(state, move)
        plain.play(None if move == 30 else (move % 5, move // 5))


def urgent(game: Game) -> set[str]:
    """All that may come of asking what is urgent."""
    out, found = np.zeros(400, np.int32), set()
    for seed in range(30):
        move = int(game.go.urgent(game.state, out, make_rng(seed)))
        found.add("" if move < 0 else game.go.text(game.state, move))
    return found


def test_a_stone_in_atari_runs() -> None:
    game = Game("""
        . . . . .
        . . . . .
        . O X O .
        . . . . .
        . . . . .""")
    game.go.put(game.state, game.go.parse("C2"), 1)
    assert urgent(game) == {"C4"}


def test_a_stone_in_atari_runs_or_takes_what_attacks_it() -> None:
    game = Game("""
        . . . . .
        . . . . .
        . O X O .
        . X . X .
        . . . . .""")
    game.go.put(game.state, game.go.parse("C2"), 1)
    assert urgent(game) == {"C4", "C1"}


def test_patterns_come_before_captures_elsewhere() -> None:
    game = Game("""
        O . . . . . .
        X . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . . . .
        . . . . X . .
        . . . . . . .""")
    game.go.put(game.state, game.go.parse("E3"), 1)
    assert urgent(game) == {"D2", "D3", "F2", "F3"}  # beside both stones; not B7


def test_stones_in_atari_are_taken_wherever_they_are() -> None:
    game = Game("""
        O . . . . .
        X . . . . .
        . . . . . .
        . . . . . .
        . . . . . .""")
    game.state.last = NOWHERE
    assert urgent(game) == {"B5"}


def test_nothing_is_urgent_on_an_empty_board_or_when_the_game_is_over() -> None:
    game = Game(". . .\n. . .\n. . .")
    assert urgent(game) == {""}
    game.play("pass", "pass")
    assert urgent(game) == {""}


def test_what_moves_promise() -> None:
    game = Game("""
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . . . . . .
        . . . . X . . . .
        O X . . . . . . .
        . O . . . . . X X
        O . . . . . . X .""")

    def promise(vertex: str) -> float:
        return float(game.go.prior(game.state, game.go.parse(vertex)))

    game.state.last = NOWHERE  # set-up stones are no moves to answer
    assert promise("E7") == 0.55
    assert promise("E9") == 0.25
    assert promise("E8") == 0.4
    assert promise("J1") == 0.1  # an own eye
    assert promise("A2") < 0.3  # self-atari
    assert promise("pass") == 0.1
    assert min(promise(vertex) for vertex in game.legal()) > 0.0
    assert max(promise(vertex) for vertex in game.legal()) < 1.0


def test_promises_of_captures_and_escapes() -> None:
    game = Game("""
        O . . . . . .
        X . . . . . .
        . . . . . . .
        . . . O X O .
        . . . . O . .
        . . . . . . .
        . . . . . . .""")
    game.state.last = NOWHERE
    take, run, quiet = (float(game.go.prior(game.state, game.go.parse(vertex))) for vertex in ("B7", "E5", "B2"))
    assert take >= 0.77
    assert run >= 0.72
    assert quiet <= 0.5


@pytest.mark.parametrize("seed", [1, 2])
def test_tactical_play_outs_are_the_same_compiled(seed: int) -> None:
    search = arbora.Random(policy=arbora.Tactical())
    fast = arbora.solve(arbora.Go(size=5), search, playouts=20, seed=seed)
    plain = arbora.solve(arbora.Go(size=5), search, playouts=20, seed=seed, compiled=False)
    assert (fast.score, fast.moves) == (plain.score, plain.moves)
