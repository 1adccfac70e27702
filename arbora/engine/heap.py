"""A priority queue in flat memory: a binary heap of items 0 .. capacity-1, the highest value on top.

Of equal values the later item, the one with the higher number, comes first: searches that number their nodes as they make
them go deeper before they go on elsewhere.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.kernel import inline_kernel


@make_component
class Heap:
    """Items with values; `place` is where an item is, so that its value can be changed."""

    items: np.ndarray  # int32[capacity]: the heap, parent of i at (i - 1) // 2
    place: np.ndarray  # int32[capacity]: by item
    value: np.ndarray  # float64[capacity]: by item
    size: np.ndarray  # int64[1]

    def clear(self):
        self.size[0] = 0

    def top(self):
        """The item of the highest value; there must be one."""
        return np.int64(self.items[0])

    def push(self, item, value):
        """Add an item that is not in the heap."""
        self.value[item] = value
        self.size[0] += 1
        rise(self, self.size[0] - 1, item)

    def pop(self):
        """Take the top out and return it."""
        item = self.top()
        self.size[0] -= 1
        if self.size[0] > 0:
            sink(self, 0, np.int64(self.items[self.size[0]]))
        return item

    def change(self, item, value):
        """Give an item of the heap another value."""
        higher = value > self.value[item]
        self.value[item] = value
        if higher:
            rise(self, np.int64(self.place[item]), item)
        else:
            sink(self, np.int64(self.place[item]), item)


@inline_kernel
def before(heap, a, b):
    """Does item a come before item b?"""
    return heap.value[a] > heap.value[b] or (heap.value[a] == heap.value[b] and a > b)


@inline_kernel
def rise(heap, at, item):
    """Put an item at a free place, or above it."""
    while at > 0:
        parent = (at - 1) // 2
        other = np.int64(heap.items[parent])
        if not before(heap, item, other):
            break
        heap.items[at] = other
        heap.place[other] = at
        at = parent
    heap.items[at] = item
    heap.place[item] = at


@inline_kernel
def sink(heap, at, item):
    """Put an item at a free place, or below it."""
    while True:
        child = 2 * at + 1
        if child >= heap.size[0]:
            break
        if child + 1 < heap.size[0] and before(heap, np.int64(heap.items[child + 1]), np.int64(heap.items[child])):
            child += 1
        other = np.int64(heap.items[child])
        if not before(heap, other, item):
            break
        heap.items[at] = other
        heap.place[other] = at
        at = child
    heap.items[at] = item
    heap.place[item] = at


def make_heap(capacity: int) -> Any:
    return Heap(
        items=np.empty(capacity, np.int32),
        place=np.empty(capacity, np.int32),
        value=np.empty(capacity, np.float64),
        size=np.zeros(1, np.int64),
    )
