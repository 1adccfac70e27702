"""The table of keys against a dict."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.keys import home_of, make_keys


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def crowded(capacity: int, count: int) -> list[np.uint64]:
    """Keys that want to be in the last two places or the first of a table, so that they push each other around its end."""
    table = make_keys(capacity)
    last = table.keys.size - 1
    keys = (np.uint64(n) for n in range(1, 100_000))
    with np.errstate(over="ignore"):
        return [key for key in keys if int(home_of(table, key)) in (last - 1, last, 0)][:count]


CAPACITY = 12
KEYS = [np.uint64(0), *crowded(CAPACITY, 9), np.uint64(2**64 - 1), np.uint64(7), np.uint64(2**63)]


@given(st.lists(st.tuples(st.sampled_from(("put", "remove", "get")), st.sampled_from(KEYS), st.integers(0, 99))))
def test_a_table_is_a_dict(steps):
    table, reference = make_keys(CAPACITY), {}
    for step, key, item in steps:
        if step == "put":
            table.put(key, item)
            if key != 0:
                reference[key] = item
        elif step == "remove":
            table.remove(key)
            reference.pop(key, None)
        assert table.get(key) == reference.get(key, -1)
        assert np.count_nonzero(table.keys) == len(reference)
    assert {key: table.get(key) for key in KEYS} == {key: reference.get(key, -1) for key in KEYS}


@pytest.mark.parametrize("capacity", [1, 2, 3, 100])
def test_as_many_as_there_is_room_for_fill_half_of_it(capacity):
    table = make_keys(capacity)
    assert table.keys.size >= 2 * capacity
    for n in range(capacity):
        table.put(np.uint64(n + 1), n)
    assert [table.get(np.uint64(n + 1)) for n in range(capacity)] == list(range(capacity))
    table.clear()
    assert not table.keys.any()
