"""The table of averages against a dict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.averages import make_averages, slot
from arbora.engine.run import with_records


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def averages(capacity: int):
    return with_records(make_averages(capacity))


def crowded(count: int) -> list[np.uint64]:
    """Codes that want the last two places of the index or the first, so that they push each other around its end."""
    table = averages(1)
    with np.errstate(over="ignore"):
        codes = (np.uint64(n) for n in range(1, 100_000))
        return [code for code in codes if int(slot(table, code)) in (1022, 1023, 0)][:count]


CODES = [np.uint64(0), np.uint64(2**64 - 1), np.uint64(7), *crowded(9)]


@given(st.lists(st.tuples(st.sampled_from(CODES), st.integers(-99, 99)), max_size=40), st.sampled_from((3, 12)))
def test_a_table_is_a_dict_of_scores(uses, capacity):
    table, reference, everything = averages(capacity), {}, []
    for code, score in uses:
        row = table.enter(code)
        if code in reference or len(reference) < capacity:
            reference.setdefault(code, []).append(score)
            assert row == list(reference).index(code)
        else:
            assert row == table.all_uses()
        table.add(row, score)
        everything.append(score)
    assert table.used[0] == len(reference)
    for code in CODES:
        scores = reference.get(code, everything) or [0]
        assert table.mean(table.row(code)) == sum(scores) / len(scores)


def test_what_was_never_used_counts_as_the_average():
    table = averages(4)
    table.add(table.enter(np.uint64(5)), 1.0)
    table.add(table.enter(np.uint64(5)), 2.0)
    table.add(table.enter(np.uint64(6)), 6.0)
    assert [table.mean(table.row(np.uint64(code))) for code in (5, 6, 7)] == [1.5, 6.0, 3.0]
    entered = table.enter(np.uint64(7))  # on its way, without a score yet
    assert (entered, table.mean(entered)) == (2, 3.0)


def test_rows_stay_where_they_are_while_the_index_grows():
    table = averages(3_000)
    assert [table.enter(np.uint64(3 * n)) for n in range(3_000)] == list(range(3_000))
    assert table.bits[0] == 13
    assert [table.row(np.uint64(3 * n)) for n in range(3_000)] == list(range(3_000))
    assert table.enter(np.uint64(1)) == table.row(np.uint64(1)) == table.all_uses() == 3_000


def test_a_cleared_table_is_empty():
    table = averages(600)
    for n in range(600):
        table.add(table.enter(np.uint64(n)), 4.0)
    table.clear()
    assert (table.used[0], table.bits[0]) == (0, 10)
    assert table.mean(table.row(np.uint64(5))) == 0.0
    assert table.enter(np.uint64(9)) == 0
