"""A search tree in flat memory: a pool of nodes whose size is fixed at the start.

Node 0 is the root; children hang on linked lists, so a node costs the same whatever the branching factor. When the pool
is full no node is added any more; the search goes on in the tree it has.
"""

from typing import Any

import numpy as np

from arbora.component import make_component

# Values of a node's `untried` below 0: not counted yet; every episode below has been seen
UNCOUNTED, EXHAUSTED = -1, -2

NODE = np.dtype(
    [
        ("move", np.int32),  # the move that leads here
        ("first_child", np.int32),  # 0 for none
        ("next_sibling", np.int32),  # 0 for none
        ("untried", np.int32),  # legal moves without a child; or UNCOUNTED, or EXHAUSTED
        ("visits", np.int64),
        ("total", np.float64),  # sum of scores
        ("squares", np.float64),  # sum of squared scores
        ("best", np.float64),
    ],
    align=True,
)


@make_component
class Tree:
    """A pool of nodes."""

    nodes: np.ndarray  # NODE[capacity]
    size: np.ndarray  # int64[1]: nodes in use

    def clear(self):
        """Forget everything but an unvisited root."""
        self.size[0] = 0
        self.add(-1)

    def full(self):
        return self.size[0] == self.nodes.size

    def add(self, move):
        """A new node without parent or children; the pool must not be full."""
        index = self.size[0]
        node = self.nodes[index]
        node.move = move
        node.first_child = 0
        node.next_sibling = 0
        node.untried = UNCOUNTED
        node.visits = 0
        node.total = 0.0
        node.squares = 0.0
        node.best = -np.inf
        self.size[0] = index + 1
        return index

    def add_child(self, parent, move):
        """A new node below `parent`."""
        index = self.add(move)
        self.nodes[index].next_sibling = self.nodes[parent].first_child
        self.nodes[parent].first_child = index
        self.nodes[parent].untried -= 1
        return index

    def child(self, parent, move):
        """The node that `move` leads to, 0 if there is none."""
        index = self.nodes[parent].first_child
        while index != 0 and self.nodes[index].move != move:
            index = self.nodes[index].next_sibling
        return index

    def count_children(self, parent):
        count = 0
        index = self.nodes[parent].first_child
        while index != 0:
            count += 1
            index = self.nodes[index].next_sibling
        return count

    def draw_untried(self, parent, moves, count, rng):
        """One of the `count` legal moves that has no child yet, uniformly at random."""
        skip = rng.below(self.nodes[parent].untried)
        for i in range(count):
            if self.child(parent, moves[i]) == 0:
                if skip == 0:
                    return moves[i]
                skip -= 1
        return moves[0]

    def update(self, index, score):
        """Add one more score to a node (document 000, equation 1)."""
        node = self.nodes[index]
        node.visits += 1
        node.total += score
        node.squares += score * score
        node.best = max(node.best, score)

    def exhausted(self):
        """Has every episode from the root been seen? For searches that `close` their nodes."""
        return self.nodes[0].untried == EXHAUSTED

    def close(self, trail, passed):
        """The last of `passed` nodes is the end of an episode: mark it, and all above it with nothing new left below."""
        self.nodes[trail[passed - 1]].untried = EXHAUSTED
        for i in range(passed - 2, -1, -1):
            node = self.nodes[trail[i]]
            if node.untried != EXHAUSTED:
                if node.untried != 0:
                    return
                index = node.first_child
                while index != 0:
                    if self.nodes[index].untried != EXHAUSTED:
                        return
                    index = self.nodes[index].next_sibling
                node.untried = EXHAUSTED

    def make_root(self, chosen, places):
        """Let a node be the root: what lies below it stays as it is, everything else makes room.

        Children lie behind their parents. So one pass in order marks what stays and gives it its new place, towards the
        front; a second one moves it. `places`, int32[capacity], is scratch: the new place of each node, -1 for none.
        """
        used = self.size[0]
        free = np.int32(0)
        for index in range(chosen, used):
            places[index] = -1
        places[chosen] = 0
        for index in range(chosen, used):
            if places[index] >= 0:
                places[index] = free
                free += 1
                child = self.nodes[index].first_child
                while child != 0:
                    places[child] = 0
                    child = self.nodes[child].next_sibling
        self.nodes[chosen].next_sibling = 0
        for index in range(chosen, used):
            if places[index] >= 0:
                self.move_node(index, places[index], places)
        self.size[0] = free

    def move_node(self, index, place, places):
        self.nodes[place] = self.nodes[index]
        node = self.nodes[place]
        if node.first_child != 0:
            node.first_child = places[node.first_child]
        if node.next_sibling != 0:
            node.next_sibling = places[node.next_sibling]

    def most_visited(self):
        """The root's move with the most visits, -1 if it has no children."""
        move = np.int32(-1)
        most = -1
        index = self.nodes[0].first_child
        while index != 0:
            if self.nodes[index].visits > most:
                most = self.nodes[index].visits
                move = self.nodes[index].move
            index = self.nodes[index].next_sibling
        return move

    def report(self, rows):
        """Write what is known about the root's moves into `rows`, ended by a row without visits."""
        row = 0
        child = self.nodes[0].first_child
        while child != 0 and row < rows.size - 1:
            node = self.nodes[child]
            if node.visits > 0:
                rows[row].move = node.move
                rows[row].visits = node.visits
                rows[row].mean = node.total / node.visits
                rows[row].best = node.best
                row += 1
            child = node.next_sibling
        rows[row].visits = 0


def make_tree(capacity: int) -> Any:
    return Tree(nodes=np.empty(capacity, NODE), size=np.zeros(1, np.int64))
