"""The tree of information sets against a dictionary of dictionaries."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.engine.information_tree import make_information_tree
from arbora.engine.rng import splitmix
from arbora.engine.run import with_records

keys = st.one_of(st.integers(0, 6), st.integers(0, 2**64 - 1), st.integers(0, 8).map(lambda n: n << 32))
visits = st.tuples(keys, st.lists(st.integers(0, 12), min_size=1, max_size=6, unique=True), st.integers(0, 5))


def empty(capacity):
    tree = with_records(make_information_tree(capacity))
    tree.begin()
    return tree


def contents(tree, keys):
    """What the tree knows of these sets: visits by move."""
    found = {}
    for key in keys:
        entry = tree.sets[tree.find(np.uint64(key))]
        rows = [tree.arms[entry.first + i] for i in range(entry.count)]
        found[key] = {int(row.move): (int(row.visits), int(row.available), float(row.total)) for row in rows}
        assert len(found[key]) == entry.count <= entry.room
        assert entry.first + entry.room <= tree.sizes[1] <= tree.arms.size
    return found


def visit(tree, twin, key, moves, chosen):
    """One visit of a set: all its legal moves are looked up, one of them is played. Was there room for all?"""
    index = int(tree.find(np.uint64(key)))
    if index < 0:
        assert key not in twin
        return False
    known = twin.setdefault(key, {})
    for place, move in enumerate(moves):
        found = int(tree.arm(index, place, len(moves), move))
        if found < 0:
            assert move not in known
            return False
        if move not in known:
            row = tree.arms[found]
            assert (row.visits, row.available, row.total) == (0, 0, 0)
            known[move] = (0, 0, 0.0)
        tree.arms[found].available += 1
        known[move] = (known[move][0], known[move][1] + 1, known[move][2])
    move = moves[chosen % len(moves)]
    arm = tree.arms[int(tree.arm(index, chosen, len(moves), move))]
    assert arm.move == move
    arm.visits += 1
    arm.total += 0.5 * move
    known[move] = (known[move][0] + 1, known[move][1], known[move][2] + 0.5 * move)
    return True


@given(st.lists(visits, max_size=40))
def test_it_is_a_dictionary_of_dictionaries(steps):
    tree, twin = empty(4000), {}
    for key, moves, chosen in steps:
        assert visit(tree, twin, key, moves, chosen)
    assert contents(tree, twin) == twin
    assert tree.sizes[0] == len(twin)


@given(st.lists(visits, min_size=1, max_size=60), st.integers(1, 40))
def test_a_full_tree_takes_nothing_new_and_loses_nothing(steps, capacity):
    tree, twin = empty(capacity), {}
    for key, moves, chosen in steps:
        visit(tree, twin, key, moves, chosen)
    assert contents(tree, twin) == twin
    assert tree.sizes[0] == len(twin) <= max(capacity, 1)
    assert tree.sizes[1] <= capacity


@given(st.lists(st.lists(visits, max_size=12), max_size=6), st.integers(2, 60))
def test_a_new_beginning_forgets_everything(searches, capacity):
    tree = with_records(make_information_tree(capacity))
    for steps in searches:
        tree.begin()
        twin = {}
        for key, moves, chosen in steps:
            visit(tree, twin, key, moves, chosen)
        assert contents(tree, twin) == twin


def test_a_set_moves_to_where_there_is_more_room():
    tree = empty(100)
    index = tree.find(np.uint64(5))
    first = [int(tree.arm(index, place, 2, move)) for place, move in enumerate((10, 11))]
    other = tree.find(np.uint64(6))
    beside = int(tree.arm(other, 0, 2, 10))
    assert [*first, beside] == [0, 1, 2]
    tree.arms[first[1]].visits = 9
    assert int(tree.arm(index, 2, 3, 12)) == 6  # behind the two that moved to 4
    assert [int(tree.arm(index, 0, 3, move)) for move in (10, 11, 12)] == [4, 5, 6]
    assert tree.arms[5].visits == 9
    assert (tree.sets[index].room, tree.sizes[1]) == (4, 8)


def test_moves_are_found_wherever_they_stand_in_the_list():
    tree = empty(10)
    index = tree.find(np.uint64(1))
    made = {move: int(tree.arm(index, place, 3, move)) for place, move in enumerate((3, 1, 2))}
    for place in range(5):
        assert {move: int(tree.arm(index, place, 3, move)) for move in made} == made
    assert tree.sets[index].count == 3


@pytest.mark.parametrize("capacity", [1, 2, 3, 4, 100, 1000])
def test_there_is_a_set_for_every_two_moves(capacity):
    tree = empty(capacity)
    keys = [np.uint64(splitmix(number)) for number in range(3 * capacity + 3)]
    found = [int(tree.find(key)) for key in keys]
    made = [index for index in found if index >= 0]
    assert len(set(made)) == len(made) >= capacity // 2
    assert found == made + [-1] * (len(found) - len(made))
    assert [int(tree.find(key)) for key in keys[: len(made)]] == made
