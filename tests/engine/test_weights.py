"""The table of move codes against a plain dict."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.engine.run import with_records
from arbora.engine.weights import ENTRY, gibbs, make_weights


@pytest.fixture(autouse=True)
def _wrapping_words():
    with np.errstate(over="ignore"):
        yield


def new_weights(levels: int, capacity: int) -> Any:
    """Tables for plain Python, all levels cleared, over memory that was full of other things."""
    weights = make_weights(levels, capacity)
    weights.entries.view(np.uint8).fill(0xA5)
    readable = with_records(weights)
    for level in range(1, levels + 1):
        readable.clear(level)
    return readable


def learn(weights: Any, level: int, code: int, value: float) -> int:
    """Give a code's entry a value; return where it is."""
    slot = int(weights.slot(level, np.uint64(code)))
    weights.entries[level][slot].gibbs = value
    return slot


def recall(weights: Any, level: int, code: int) -> float:
    return float(gibbs(weights.entries[level], weights.bits[level], np.uint64(code)))


def test_an_entry_takes_32_bytes():
    assert ENTRY.itemsize == 32


def test_a_code_never_learned_weighs_one():
    weights = new_weights(1, 1 << 12)
    assert recall(weights, 1, 0) == 1
    assert recall(weights, 1, 12345) == 1
    assert weights.used[1] == 0


def test_a_new_entry_starts_from_nothing_and_stays_where_it_is():
    weights = new_weights(1, 1 << 12)
    slot = weights.slot(1, np.uint64(77))
    entry = weights.entries[1][slot]
    assert (entry.weight, entry.gibbs, entry.change) == (0, 1, 0)
    assert weights.slot(1, np.uint64(77)) == slot
    assert weights.slot(1, np.uint64(78)) != slot
    assert weights.used[1] == 2


CODES = st.integers(0, 40) | st.integers(0, 2**64 - 1)
STEPS = st.one_of(
    st.tuples(st.just("learn"), st.integers(1, 2), CODES),
    st.tuples(st.just("copy"), st.integers(1, 2), st.integers(1, 2)),
    st.tuples(st.just("clear"), st.integers(1, 2), st.just(0)),
)


@settings(deadline=None)
@given(st.lists(STEPS, max_size=60))
def test_tables_hold_what_dicts_hold(steps):
    weights, model = new_weights(2, 1 << 7), {1: {}, 2: {}}
    with np.errstate(over="ignore"):
        for number, (step, level, other) in enumerate(steps, start=2):
            if step == "learn":
                learn(weights, level, other, number)
                model[level][other] = number
            elif step == "copy" and level != other:
                weights.copy(level, other)
                model[other] = dict(model[level])
            elif step == "clear":
                weights.clear(level)
                model[level] = {}
        codes = {*model[1], *model[2], *range(41)}
        for level in (1, 2):
            assert weights.used[level] == len(model[level])
            assert {code: recall(weights, level, code) for code in codes} == {
                code: model[level].get(code, 1) for code in codes
            }


def test_a_table_doubles_when_it_is_half_full_and_forgets_nothing():
    weights = new_weights(2, 1 << 13)
    learn(weights, 2, 5, 55)
    codes = np.random.default_rng(1).integers(0, 2**64, 1100, np.uint64).tolist()
    sizes = []
    for number, code in enumerate(codes):
        learn(weights, 1, code, number)
        sizes.append(1 << int(weights.bits[1]))
    assert sizes == [1024] * 512 + [2048] * 512 + [4096] * 76
    assert [recall(weights, 1, code) for code in codes] == list(range(1100))
    assert weights.used.tolist()[1:] == [1100, 1]
    assert recall(weights, 2, 5) == 55
    weights.copy(1, 2)
    assert [recall(weights, 2, code) for code in codes] == list(range(1100))
    assert recall(weights, 2, 5) == 1


def test_codes_that_come_too_late_share_the_scrap_entry():
    weights = new_weights(1, 16)
    slots = [learn(weights, 1, code, code + 10) for code in range(8)]
    assert weights.scrap() == 16
    assert len(set(slots)) == 8
    assert max(slots) < 16
    assert [int(weights.slot(1, np.uint64(code))) for code in (8, 99, 2**64 - 1)] == [16, 16, 16]
    assert [int(weights.slot(1, np.uint64(code))) for code in range(8)] == slots
    assert [recall(weights, 1, code) for code in range(10)] == [10, 11, 12, 13, 14, 15, 16, 17, 1, 1]
    assert weights.used[1] == 8


def test_a_full_table_that_has_grown_uses_the_scrap_entry_too():
    weights = new_weights(1, 2048)
    for code in range(1024):
        weights.slot(1, np.uint64(code))
    slots = [int(weights.slot(1, np.uint64(code))) for code in range(1030)]
    assert weights.bits[1] == 11
    assert slots[1024:] == [2048] * 6
    assert len(set(slots[:1024])) == 1024
    assert max(slots[:1024]) < 2048


def test_the_scrap_entry_starts_clean_after_clearing_and_copying():
    weights = new_weights(2, 16)
    for level in (1, 2):
        scrap = weights.entries[level][weights.scrap()]
        assert (scrap.weight, scrap.gibbs, scrap.change) == (0, 1, 0)
        scrap.change = 3.0
    weights.clear(1)
    weights.copy(1, 2)
    assert weights.entries[1][16].change == weights.entries[2][16].change == 0


@pytest.mark.parametrize(("capacity", "size"), [(2, 2), (16, 16), (17, 32), (1000, 1024), (1024, 1024), (1025, 2048)])
def test_the_capacity_is_rounded_up_to_a_power_of_two(capacity, size):
    weights = make_weights(3, capacity)
    assert weights.entries.shape == (4, size + 1)
    assert 1 << weights.max_bits() == size
