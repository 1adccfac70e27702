"""The heap against Python's heapq."""

import heapq

from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.heap import make_heap

VALUES = st.one_of(st.integers(-3, 3).map(float), st.just(float("inf")), st.just(-float("inf")))


@given(st.lists(st.one_of(st.none(), VALUES), max_size=60))
def test_pushes_and_pops_are_those_of_heapq(steps):
    """A value is a push, None a pop. Equal values come out latest first."""
    heap, reference = make_heap(60), []
    for item, value in enumerate(steps):
        if value is not None:
            heap.push(item, value)
            heapq.heappush(reference, (-value, -item))
        elif reference:
            assert heap.top() == -reference[0][1]
            assert heap.pop() == -heapq.heappop(reference)[1]
        assert heap.size[0] == len(reference)
    assert [heap.pop() for _ in reference] == [-item for _, item in sorted(reference)]


@given(st.lists(VALUES, min_size=1, max_size=30), st.lists(st.tuples(st.integers(0, 29), VALUES), max_size=30))
def test_values_can_be_changed(values, changes):
    heap = make_heap(30)
    now = dict(enumerate(values))
    for item, value in now.items():
        heap.push(item, value)
    for item, value in changes:
        if item in now:
            heap.change(item, value)
            now[item] = value
    order = sorted(now, key=lambda item: (-now[item], -item))
    assert [heap.pop() for _ in order] == order


def test_a_cleared_heap_is_empty():
    heap = make_heap(3)
    for item in range(3):
        heap.push(item, 1.0)
    heap.clear()
    heap.push(1, -5.0)
    assert (heap.size[0], heap.pop()) == (1, 1)
