"""The pool of nodes: children, draws among untried moves, sums of scores, the report about the root, another root."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.rng import make_rng
from arbora.engine.run import ROOT_ROW, with_records
from arbora.engine.tree import EXHAUSTED, NODE, UNCOUNTED, make_tree
from arbora.problem import Records


def new_tree(capacity: int = 10) -> Any:
    tree = with_records(make_tree(capacity))
    tree.clear()
    return tree


def children(tree: Any, parent: int) -> list[int]:
    """The moves of a node's children, the newest first."""
    moves, child = [], tree.nodes[parent].first_child
    while child != 0:
        moves.append(int(tree.nodes[child].move))
        child = tree.nodes[child].next_sibling
    return moves


def test_a_node_takes_48_bytes():
    assert NODE.itemsize == 48


def test_a_new_tree_is_an_unvisited_root():
    tree = new_tree()
    root = tree.nodes[0]
    assert tree.size[0] == 1
    assert (root.move, root.first_child, root.next_sibling, root.untried, root.visits) == (-1, 0, 0, -1, 0)
    assert (root.total, root.squares, root.best) == (0, 0, -np.inf)


def test_children_hang_below_their_parents():
    tree = new_tree()
    tree.nodes[0].untried = 3
    first, second = tree.add_child(0, 7), tree.add_child(0, 8)
    tree.nodes[first].untried = 2
    grandchild = tree.add_child(first, 9)
    assert (first, second, grandchild, tree.size[0]) == (1, 2, 3, 4)
    assert children(tree, 0) == [8, 7]
    assert children(tree, first) == [9]
    assert children(tree, second) == []
    assert [int(tree.nodes[i].untried) for i in range(4)] == [1, 1, -1, -1]


def test_a_pool_is_full_at_its_capacity_and_empty_again_when_cleared():
    tree = new_tree(capacity=3)
    tree.nodes[0].untried = 5
    assert not tree.full()
    tree.add_child(0, 1)
    assert not tree.full()
    tree.add_child(0, 2)
    assert tree.full()
    tree.clear()
    assert not tree.full()
    assert children(tree, 0) == []


class Preset:
    """A generator that gives one number, and remembers the range it was asked for."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.range = 0

    def below(self, n: int) -> int:
        self.range = int(n)
        return self.number


@pytest.mark.parametrize(("number", "move"), [(0, 10), (1, 30), (2, 50)])
def test_untried_moves_are_drawn_equally_likely(number, move):
    tree, moves = new_tree(), np.array([10, 20, 30, 40, 50, 99], np.int32)
    tree.nodes[0].untried = 5
    tree.add_child(0, 40)
    tree.add_child(0, 20)
    rng = Preset(number)
    assert tree.draw_untried(0, moves, 5, rng) == move
    assert rng.range == 3


def test_all_moves_are_tried_once_before_none_is_left():
    tree, moves, rng = new_tree(), np.arange(3, 9, dtype=np.int32), make_rng(1)
    tree.nodes[0].untried = 6
    with np.errstate(over="ignore"):
        while tree.nodes[0].untried > 0:
            tree.add_child(0, tree.draw_untried(0, moves, 6, rng))
    assert sorted(children(tree, 0)) == moves.tolist()
    assert children(tree, 0) != moves.tolist()


def test_a_node_sums_up_its_scores():
    tree = new_tree()
    for score in (3.0, -1.0, 4.0):
        tree.update(0, score)
    root = tree.nodes[0]
    assert (root.visits, root.total, root.squares, root.best) == (3, 6.0, 26.0, 4.0)


def reported(tree: Any, rows: int) -> list[tuple[int, int, float, float]]:
    table = np.ones(rows, ROOT_ROW)
    tree.report(Records(table))
    end = int(np.flatnonzero(table["visits"] == 0)[0])
    return [row.tolist() for row in table[:end]]


def test_the_report_tells_visits_mean_and_best_of_the_root_moves():
    tree = new_tree()
    tree.nodes[0].untried = 4
    for move, scores in [(7, [1.0, 2.0]), (8, []), (9, [-4.0])]:
        child = tree.add_child(0, move)
        for score in scores:
            tree.update(child, score)
    assert reported(tree, rows=5) == [(9, 1, -4.0, -4.0), (7, 2, 1.5, 2.0)]
    assert reported(tree, rows=2) == [(9, 1, -4.0, -4.0)]
    assert reported(new_tree(), rows=2) == []


def test_closing_an_end_closes_what_has_nothing_new_below():
    tree = new_tree()
    tree.nodes[0].untried = 2
    first, second = tree.add_child(0, 7), tree.add_child(0, 8)
    tree.nodes[first].untried = 1
    end = tree.add_child(first, 9)
    tree.close(np.array([0, first, end]), 3)
    assert [int(tree.nodes[i].untried) for i in (0, first, second, end)] == [0, EXHAUSTED, UNCOUNTED, EXHAUSTED]
    assert not tree.exhausted()
    tree.close(np.array([0, second]), 2)
    assert tree.exhausted()


def test_moves_without_a_child_keep_a_node_open():
    tree = new_tree()
    tree.nodes[0].untried = 2
    tree.close(np.array([0, tree.add_child(0, 7)]), 2)
    assert tree.nodes[0].untried == 1


def test_children_are_found_and_counted():
    tree = new_tree()
    tree.nodes[0].untried = 3
    first, second = tree.add_child(0, 7), tree.add_child(0, 8)
    assert [int(tree.child(0, move)) for move in (7, 8, 9)] == [first, second, 0]
    assert [tree.count_children(node) for node in (0, first)] == [2, 0]


def test_the_most_visited_move_of_the_root():
    tree = new_tree()
    assert tree.most_visited() == -1
    tree.nodes[0].untried = 3
    for move, visits in [(7, 1), (8, 3), (9, 2)]:
        child = tree.add_child(0, move)
        for _ in range(visits):
            tree.update(child, 0.0)
    assert tree.most_visited() == 8


def subtree(tree: Any, index: int, *, root: bool = True) -> tuple:
    """A node with all that lies below it, as plain values; the root's own move and siblings are nobody's business."""
    node = tree.nodes[index]
    below, child = [], int(node.first_child)
    while child != 0:
        below.append(subtree(tree, child, root=False))
        child = int(tree.nodes[child].next_sibling)
    sums = (int(node.untried), int(node.visits), float(node.total), float(node.squares), float(node.best))
    return (None if root else int(node.move), *sums, below)


def size_of(nodes: tuple) -> int:
    return 1 + sum(size_of(child) for child in nodes[-1])


@given(st.lists(st.tuples(st.integers(0, 1_000), st.integers(-9, 9)), max_size=40), st.integers(0, 1_000))
def test_a_new_root_keeps_what_lies_below_it_and_nothing_else(additions, chosen):
    tree = new_tree(capacity=len(additions) + 1)
    for parent, score in additions:
        child = tree.add_child(parent % tree.size[0], tree.size[0])
        tree.update(child, score)
    chosen %= tree.size[0]
    kept = subtree(tree, chosen)
    tree.make_root(chosen, np.full(tree.nodes.size, 77, np.int32))
    assert subtree(tree, 0) == kept
    assert tree.size[0] == size_of(kept)
    assert tree.nodes[0].next_sibling == 0
    for index in range(tree.size[0]):
        child = tree.nodes[index].first_child
        while child != 0:
            assert index < child < tree.size[0]
            child = tree.nodes[child].next_sibling


def test_the_room_of_what_was_discarded_is_used_again():
    tree = new_tree(capacity=4)
    tree.nodes[0].untried = 2
    first = tree.add_child(0, 7)
    tree.add_child(0, 8)
    tree.add_child(first, 9)
    assert tree.full()
    tree.make_root(first, np.empty(4, np.int32))
    assert (tree.size[0], tree.nodes[0].move, children(tree, 0)) == (2, 7, [9])
    tree.add_child(0, 5)
    tree.add_child(1, 6)
    assert tree.full()
    assert (children(tree, 0), children(tree, 1)) == ([5, 9], [6])
