"""The knapsack problem: which items to take, if together they may not weigh more than `capacity`.

    arbora solve examples/knapsack.py:Knapsack

The default instance has 15 items that are all nearly equally worthwhile per kilogram, so that taking the best-looking
ones first is not enough. Its best packing is worth 1,458, the highest value of all 32,768 subsets.
"""

import numpy as np

import arbora


@arbora.problem
class Knapsack:
    """Pack items worth as much as possible, within a capacity."""

    capacity: int = arbora.param("what the items may weigh together", default=750, low=0)
    weights: object = (70, 73, 77, 80, 82, 87, 90, 94, 98, 106, 110, 113, 115, 118, 120)
    values: object = (135, 139, 149, 150, 156, 163, 173, 184, 192, 201, 210, 214, 221, 229, 240)

    def layout(self):
        return [("packed", np.int8, (len(self.weights),)), ("room", np.int64), ("worth", np.int64)]

    def max_moves(self):
        return len(self.weights)

    def max_length(self):
        return len(self.weights)

    def reset(self, state):
        state.packed[:] = 0
        state.room = self.capacity
        state.worth = 0

    def moves(self, state, out):
        """A move is the number of an item; the episode ends when nothing fits any more."""
        count = 0
        for item in range(len(self.weights)):
            if not state.packed[item] and self.weights[item] <= state.room:
                out[count] = item
                count += 1
        return count

    def play(self, state, item):
        state.packed[item] = 1
        state.room -= self.weights[item]
        state.worth += self.values[item]

    def score(self, state):
        return state.worth

    # No `code`: when an item is taken does not matter, so the item itself is all there is to learn.

    def text(self, state, item):
        return f"item {item} ({self.weights[item]} kg)"
