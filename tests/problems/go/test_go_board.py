"""The fast board against its plain twin, position by position, in random games; compiled and interpreted."""

from typing import Any

import numpy as np
import pytest
from conforming import said_of
from go_record import recorded
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.problem import Records, like_compiled
from arbora.problems.go.board import chain_liberties, chain_size, is_atari, last_liberty, liberty
from arbora.problems.go.game import Go
from arbora.problems.go.plain import PlainGo, Point

COLORS = ".XO#"


class Comparison:
    """One game on both boards, side by side."""

    def __init__(self, go: Any, record: Any) -> None:
        self.go, self.record = go, record
        self.plain = PlainGo(go.columns, go.rows, go.suicide)
        self.states = Records(record.states)
        self.positions: dict[int, frozenset] = {}

    def run(self) -> None:
        for step, move in enumerate(self.record.played):
            self.state = self.states[step]
            self.compare_position()
            self.compare_chains()
            self.compare_answers(step)
            if move < 0:
                break
            self.plain.play(None if move == self.go.columns * self.go.rows else self.point(int(move)))

    def point(self, move: int) -> Point:
        return move % self.go.columns, move // self.go.columns

    def inner(self, point: Point) -> np.uint64:
        """The fast board's number of a point, also of border."""
        return np.uint64((point[1] + 1) * self.state.grid.shape[1] + point[0] + 1)

    def color(self, point: Point) -> int:
        inside = 0 <= point[0] < self.go.columns and 0 <= point[1] < self.go.rows
        return COLORS.index(self.plain.stones.get(point, ".")) if inside else 3

    def compare_position(self) -> None:
        state, plain = self.state, self.plain
        vacant = {p for p in plain.points() if p not in plain.stones}
        listed = [int(q) for q in state.empties[: state.vacant]]
        assert sorted(listed) == sorted(int(self.inner(p)) for p in vacant)
        assert [int(state.place[q]) for q in listed] == list(range(len(listed)))
        assert int(state.ko) == (0 if plain.ko is None else self.inner(plain.ko))
        assert int(state.turn) == "XO".index(plain.turn)
        stones = list(plain.stones.values())
        assert state.balance == stones.count("X") - stones.count("O")
        assert self.positions.setdefault(int(state.hash), plain.positions[-1]) == plain.positions[-1]
        for x, y in plain.points():
            assert state.grid[y + 1, x + 1] == self.color((x, y))
            around = [(-1, 0), (1, 0), (0, -1), (0, 1), (-1, -1), (1, -1), (-1, 1), (1, 1)]
            seen = sum(self.color((x + dx, y + dy)) << 2 * i for i, (dx, dy) in enumerate(around))
            assert state.around[self.inner((x, y))] == seen

    def compare_chains(self) -> None:
        state, plain = self.state, self.plain
        for p in plain.points():
            inner = self.inner(p)
            region = plain.region(p) if p in plain.stones else {p}
            liberties = plain.touching(region, None)
            pairs = [q for stone in region for q in plain.neighbors(stone) if q in liberties]
            word = chain_liberties(state, inner)
            assert word == sum(int(liberty(self.inner(q))) for q in pairs)
            assert is_atari(word) == (len(liberties) == 1)
            if len(liberties) == 1:
                assert {int(last_liberty(word))} == {int(self.inner(q)) for q in liberties}
            assert chain_size(state, inner) == len(region)
            assert {int(self.inner(q)) for q in region} == _circle(state.next, int(inner))
            assert {int(state.chain[self.inner(q)]) for q in region} == {int(state.chain[inner])}

    def compare_answers(self, step: int) -> None:
        record, plain = self.record, self.plain
        passing = self.go.columns * self.go.rows
        assert record.over[step] == (plain.passes >= 2)
        assert record.area[step] == plain.area()
        owners = [plain.owner(self.point(move)) for move in range(passing)]
        assert list(record.owner[step, :passing]) == [-1 if owner is None else "XO".index(owner) for owner in owners]
        if plain.passes < 2:
            legal = {move for move in range(passing) if plain.is_legal(self.point(move))}
            assert set(np.flatnonzero(record.legal[step] == 1)) == legal | {passing}
        for move in range(passing):
            p = self.point(move)
            if p not in plain.stones:
                assert record.sensible[step, move] == plain.is_sensible(p)
                assert record.self_atari[step, move] == plain.is_self_atari(p)
                assert record.eye[step, move] == plain.is_eye(p, plain.turn)


def _circle(next_: np.ndarray, start: int) -> set[int]:
    found, here = {start}, int(next_[start])
    while here != start:
        assert here not in found
        found.add(here)
        here = int(next_[here])
    return found


@settings(max_examples=40, deadline=None)
@given(st.integers(1, 7), st.integers(1, 6), st.booleans(), st.integers(0, 2**32))
def test_compiled_games_agree_with_the_plain_twin(width, height, suicide, seed):
    go = Go(width=width, height=height, suicide=suicide)
    Comparison(go, recorded(go, seed, compiled=True)).run()


@pytest.mark.parametrize(("width", "height"), [(9, 9), (13, 3), (2, 19), (19, 2)])
def test_boards_of_all_layouts_agree_with_the_plain_twin(width, height):
    go = Go(width=width, height=height)
    with like_compiled():
        Comparison(go, recorded(go, width, compiled=False, steps=80)).run()


@pytest.mark.parametrize(("size", "suicide", "seed"), [(9, False, 1), (5, True, 2), (4, False, 3)])
def test_compiled_and_interpreted_states_are_equal_to_the_last_byte(size, suicide, seed):
    go = Go(size=size, suicide=suicide)
    fast, slow = recorded(go, seed, compiled=True), recorded(go, seed, compiled=False)
    assert fast.played[50] >= 0 or size < 9
    for one, other in zip(fast, slow, strict=True):
        assert one.tobytes() == other.tobytes()


def test_go_conforms():
    assert len(said_of(Go(size=5), 10)) >= 6
