"""Weak Schur numbers: the fast bit sets against plain sets of numbers, known optima, codes, bounds, texts."""

import itertools
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbora
from arbora import NRPA, Random, WeakSchur
from arbora.cli.main import main
from arbora.engine.rng import make_rng
from arbora.errors import BadInput
from arbora.problem import Records, new_state, new_states
from arbora.problems.weak_schur import ROOM, set_range, shift_into, widen


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


class Plain:
    """The same problem on sets of numbers, in the most obvious way."""

    def __init__(self, parts: int) -> None:
        self.sets: list[set[int]] = [set() for _ in range(parts)]
        self.n = 1  # the next number

    def legal(self, part: int) -> bool:
        return not any(a != self.n - a and self.n - a in self.sets[part] for a in self.sets[part])

    def moves(self) -> list[int]:
        return [part for part in range(len(self.sets)) if self.legal(part)]

    def candidates(self) -> list[int]:
        same = [part for part in self.moves() if self.n - 1 in self.sets[part]]
        return same or self.moves()

    def code(self, part: int) -> tuple[int, int, int]:
        return part, self.n, max(self.sets[part], default=0)

    def play(self, part: int) -> None:
        self.sets[part].add(self.n)
        self.n += 1


def has_no_sums(numbers: list[int]) -> bool:
    return all(a + b not in numbers for a, b in itertools.combinations(numbers, 2))


def partition(moves: list[int], parts: int) -> list[list[int]]:
    """The numbers of each part, from the moves alone."""
    return [[n for n, move in enumerate(moves, start=1) if move == part] for part in range(parts)]


def listed(problem: Any, state: Any, method: str) -> list[int]:
    out = np.full(problem.max_moves(), -1, np.int32)
    return out[: getattr(problem, method)(state, out)].tolist()


def follow(parts: int, choices: Any, selective: bool = True) -> int:
    """Play `choices` (which of the candidates) on both, comparing everything on the way; returns how far it went."""
    problem, plain = WeakSchur(parts=parts, selective=selective), Plain(parts)
    state = new_state(problem)
    problem.reset(state)
    codes: dict[int, tuple[int, int, int]] = {}
    for choice in choices:
        moves = plain.moves()
        assert listed(problem, state, "moves") == moves
        candidates = plain.candidates() if selective else moves
        assert listed(problem, state, "candidates") == candidates
        assert problem.score(state) == plain.n - 1
        if not moves:
            assert problem.sample(state, np.zeros(parts, np.int32), make_rng(1)) == -1
            break
        assert problem.sample(state, np.zeros(parts, np.int32), make_rng(choice)) in moves
        for move in moves:
            assert codes.setdefault(int(problem.code(state, move)), plain.code(move)) == plain.code(move)
        move = candidates[choice % len(candidates)]
        problem.play(state, move)
        plain.play(move)
        assert problem.numbers_of(state) == [sorted(numbers) for numbers in plain.sets]
    return plain.n - 1


@settings(deadline=None, max_examples=40)
@given(parts=st.integers(1, 9), choices=st.lists(st.integers(0, 10**6), max_size=150), selective=st.booleans())
def test_fast_equals_plain(parts, choices, selective):
    follow(parts, choices, selective)


@pytest.mark.parametrize(("parts", "seed"), [(6, 1), (6, 2), (7, 3)])
def test_fast_equals_plain_to_the_end(parts, seed):
    """Long enough for runs over several words, shifts by whole words, and sums beyond the room."""
    choices = np.random.default_rng(seed).integers(0, 2**40, 3071).tolist()
    assert follow(parts, choices) > 200


@settings(deadline=None)
@given(
    numbers=st.sets(st.integers(0, 319), min_size=1),
    shift=st.integers(0, 330),
    width=st.integers(1, 200),
    first=st.integers(0, 330),
    last=st.integers(0, 700),
)
def test_bit_sets_of_five_words(numbers, shift, width, first, last):
    def row(content):
        words = np.zeros(5, np.uint64)
        for n in content:
            if n < 320:
                words[n // 64] |= np.uint64(1 << n % 64)
        return words

    source, low, high = row(numbers), np.uint64(min(numbers) // 64), np.uint64(max(numbers) // 64)
    target = row({5})
    shift_into(target, source, low, high, np.uint64(shift))
    assert target.tolist() == row({5, *(n + shift for n in numbers)}).tolist()

    spread, low_word = np.full(5, 2**64 - 1, np.uint64), int(low)
    top = int(widen(spread, source, low, high, np.uint64(width)))
    wide = row({n + i for n in numbers for i in range(width)})
    assert spread[low_word : top + 1].tolist() == wide[low_word : top + 1].tolist()
    assert not wide[top + 1 :].any()

    target = row({5})
    set_range(target, np.uint64(first), np.uint64(last))
    assert target.tolist() == row({5, *range(first, last + 1)}).tolist()


def longest(parts: int, method: str) -> int:
    """How far one can get, by trying everything that `method` lists.

    Parts that are still empty are alike, so only the first of them is tried.
    """
    problem = WeakSchur(parts=parts)
    states = Records(new_states(problem, problem.max_length() + 1))
    problem.reset(states[0])

    def visit(depth: int, used: int) -> int:
        best = depth
        for move in listed(problem, states[depth], method):
            if move <= used:
                states[depth + 1] = states[depth]
                problem.play(states[depth + 1], move)
                best = max(best, visit(depth + 1, max(used, move + 1)))
        return best

    return visit(0, 0)


@pytest.mark.parametrize(("parts", "best"), [(1, 2), (2, 8), (3, 23)])
def test_every_way_to_play_up_to_three_parts(parts, best):
    assert longest(parts, "moves") == best == ROOM[parts]


@pytest.mark.parametrize(("parts", "best"), [(1, 2), (2, 7), (3, 21), (4, 61)])
def test_the_rule_gives_up_a_little(parts, best):
    """Algorithm 6 leaves few ways to play, and the best partitions are not among them."""
    assert longest(parts, "candidates") == best


def test_nrpa_finds_the_best_partition_into_four_parts():
    result = arbora.solve(WeakSchur(parts=4, selective=False), NRPA(iterations=50), playouts=500_000, seed=3)
    assert result.score == len(result.moves) == 66
    assert all(has_no_sums(numbers) for numbers in partition(result.moves, 4))


@pytest.mark.parametrize("selective", [True, False])
def test_solutions_have_no_sums(selective):
    result = arbora.solve(WeakSchur(selective=selective), NRPA(level=1), playouts=20, seed=1, compiled=False)
    parts = partition(result.moves, 6)
    assert sum(len(numbers) for numbers in parts) == result.score == len(result.moves)
    assert all(has_no_sums(numbers) for numbers in parts)
    nowhere = len(result.moves) + 1  # the next number makes a sum in every part
    assert not any(has_no_sums([*numbers, nowhere]) for numbers in parts)


def test_an_example_of_document_002():
    """One of the best partitions of size three, Section 3.3."""
    sets = ["1 2 4 8 11 22", "3 5 6 7 19 21 23", "9 10 12 13 14 15 16 17 18 20"]
    where = {int(number): part for part, numbers in enumerate(sets) for number in numbers.split()}
    problem = WeakSchur(parts=3, selective=False)
    state = new_state(problem)
    problem.reset(state)
    for number in range(1, 24):
        assert where[number] in listed(problem, state, "moves")
        problem.play(state, where[number])
    assert listed(problem, state, "moves") == []
    assert problem.score(state) == 23
    assert problem.render(state) == "0: 1 2 4 8 11 22\n1: 3 5-7 19 21 23\n2: 9 10 12-18 20"


def test_problem_conforms():
    report = arbora.check_problem(WeakSchur(parts=4, selective=False), playouts=10)
    assert report.ok, report.failure


def test_compiled_equals_interpreted_over_several_words():
    """K = 6 with the rule: runs are widened, shifted and cut off."""
    fast, plain = (arbora.solve(WeakSchur(), NRPA(), playouts=30, seed=5, compiled=c) for c in (True, False))
    assert (fast.score, fast.moves) == (plain.score, plain.moves)
    assert fast.score > 250


def test_samples_are_uniform():
    problem = WeakSchur(parts=5)
    state, rng = new_state(problem), make_rng(3)
    problem.reset(state)
    for move in (0, 0, 1, 2):  # 5 can go anywhere but into part 2: 4 is there alone, 1 + 4 is not
        problem.play(state, move)
    moves = listed(problem, state, "moves")
    counts = np.bincount([problem.sample(state, np.zeros(5, np.int32), rng) for _ in range(1000)], minlength=5)
    assert moves == [part for part in range(5) if counts[part]]
    assert np.sum((counts[moves] - 1000 / len(moves)) ** 2 * len(moves) / 1000) < 18.5  # chi-square, 0.1 %


def test_no_episode_goes_beyond_the_room(monkeypatch):
    """With room for 8 numbers instead of 23, three parts end there, though more would fit."""
    monkeypatch.setattr("arbora.problems.weak_schur.ROOM", (0, 2, 8, 8))
    problem = WeakSchur(parts=3)
    result = arbora.solve(problem, Random(), playouts=50, compiled=False)
    assert problem.max_length() == result.score == 8


def test_codes_of_any_room_are_exact():
    assert ROOM[9] < 2**15
    assert all(room >= known * 1.2 for room, known in zip(ROOM[5:], (196, 646, 2146, 6976, 22_536), strict=True))


def test_keys_tell_positions_apart():
    problem = WeakSchur(parts=3)
    states = Records(new_states(problem, 9))
    problem.reset(states[0])
    seen: dict[int, tuple[int, ...]] = {}

    def visit(moves: tuple[int, ...]) -> None:
        depth = len(moves)
        assert seen.setdefault(int(problem.key(states[depth])), moves) == moves
        for move in listed(problem, states[depth], "moves") if depth < 6 else []:
            states[depth + 1] = states[depth]
            problem.play(states[depth + 1], move)
            visit((*moves, move))

    visit(())
    assert 0 not in seen
    assert len(seen) > 500


def test_bias_is_for_the_part_of_the_previous_number():
    problem = WeakSchur(parts=3, selective=False, bias_same=10)
    state = new_state(problem)
    problem.reset(state)
    assert [problem.bias(state, part) for part in range(3)] == [0, 0, 0]
    problem.play(state, 1)
    assert [problem.bias(state, part) for part in range(3)] == [0, 10, 0]
    assert WeakSchur().bias_same == 0


def test_moves_as_text():
    result = arbora.solve(WeakSchur(parts=1), Random(), playouts=1, compiled=False)
    assert result.text == ["1→0", "2→0"]


def test_bad_parameters(capsys):
    for parts in (0, 10):
        with pytest.raises(BadInput, match=f"parts={parts} is not allowed; parts takes a whole number from 1 to 9"):
            WeakSchur(parts=parts)
    assert main(["solve", "weak-schur,parts=10"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "arbora: WeakSchur: parts=10 is not allowed; parts takes a whole number from 1 to 9\n"
