"""The pool of a game tree: blocks of children, a full pool, and what is kept when the game goes on."""

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from arbora.engine import compile
from arbora.engine.game_tree import NODE, TERMINAL, UNEXPANDED, UNPROVED, make_game_tree
from arbora.engine.run import with_records

KEPT = ("visits", "amaf_visits", "exact", "total", "squares", "amaf_total", "player")


def new_tree(capacity: int = 100, roots: int = 1) -> Any:
    tree = with_records(make_game_tree(capacity, roots, max_length=20))
    tree.clear()
    tree.played_count[0] = 0
    return tree


def add_block(tree: Any, parent: int, moves: list[int], player: int = 0) -> int:
    """Give a node children; each has numbers of its own, by which it can be told apart. Returns where they begin."""
    first = int(tree.reserve(len(moves)))
    if first > 0:
        for index, move in enumerate(moves, start=first):
            tree.empty(index, move)
            node = tree.nodes[index]
            node.visits, node.total, node.squares = 1000 + index, 0.25 * index, 0.125 * index
            node.amaf_visits, node.amaf_total, node.exact = 2000 + index, 0.5 * index, 0.5 if index % 3 == 0 else UNPROVED
        tree.publish(parent, first, len(moves), player)
    return first


def by_path(tree: Any, root: int = 0) -> dict[tuple[int, ...], tuple[float, ...]]:
    """The numbers of all nodes below a root, by the moves that lead there."""
    found, waiting = {}, [(root, ())]
    while waiting:
        index, path = waiting.pop()
        found[path] = tuple(float(getattr(tree.nodes[index], name)) for name in KEPT)
        waiting += [(child, (*path, int(tree.nodes[child].move))) for child in range(*tree.children(index))]
    return found


def below(nodes: dict[tuple[int, ...], Any], played: tuple[int, ...]) -> dict[tuple[int, ...], Any]:
    """What should be left of `by_path` after these moves."""
    return {path[len(played) :]: row for path, row in nodes.items() if path[: len(played)] == played}


def play(tree: Any, moves: tuple[int, ...]) -> None:
    tree.played[: len(moves)] = moves
    tree.played_count[0] = len(moves)
    tree.follow()
    assert tree.played_count[0] == 0


EMPTY = {(): (0.0, 0.0, float(UNPROVED), 0.0, 0.0, 0.0, 0.0)}


def example() -> tuple[Any, dict[tuple[int, ...], Any]]:
    tree = new_tree()
    top = add_block(tree, 0, [7, 8, 9])
    below_eight = add_block(tree, top + 1, [1, 2], player=1)
    add_block(tree, top, [5, 6], player=1)
    add_block(tree, below_eight + 1, [3, 4, 5])
    return tree, by_path(tree)


def test_a_node_takes_64_bytes():
    assert NODE.itemsize == 64


def test_a_new_tree_is_unvisited_roots():
    tree = new_tree(roots=3)
    assert tree.size[0] == 3
    assert [by_path(tree, root) for root in range(3)] == [EMPTY] * 3
    assert [int(tree.nodes[root].first_child) for root in range(3)] == [UNEXPANDED] * 3


def test_children_are_neighbours_and_found_by_their_move():
    tree, nodes = example()
    assert tree.size[0] == len(nodes) == 11
    assert tree.children(0) == (1, 4)
    assert [int(tree.child(0, move)) for move in (7, 8, 9, 5)] == [1, 2, 3, 0]
    assert tree.children(3) == (0, 0)
    assert [int(tree.nodes[index].player) for index in (0, 1, 2)] == [0, 1, 1]


def test_an_end_of_the_game_has_no_children():
    tree, _ = example()
    tree.nodes[3].first_child = TERMINAL
    assert tree.children(3) == (0, 0)
    assert tree.child(3, 7) == 0


def test_what_ends_are_worth_is_remembered_as_long_as_they_are_few():
    tree = new_tree(capacity=200)
    first = add_block(tree, 0, list(range(100)))
    for index in range(first, first + 100):
        tree.nodes[index].first_child = TERMINAL
        tree.remember_end(index, np.array([index - first, 0.5]))
        tree.remember_end(index, np.array([index - first, 0.5]))
    payoffs = np.zeros(2)
    known = [index for index in range(first, first + 100) if tree.recall_end(index, payoffs)]
    assert len(known) == tree.end_count[0] == len(tree.ends) == 64
    for index in range(first, first + 100):
        payoffs[:] = -1.0
        assert tree.recall_end(index, payoffs) == (index in known)
        assert payoffs.tolist() == ([index - first, 0.5] if index in known else [-1.0, -1.0])
        assert tree.children(index) == (0, 0)
    tree.nodes[known[0]].first_child = TERMINAL
    tree.remember_end(known[0], np.array([3.0, 0.5]))  # an old one, although there is no room for new ones
    assert tree.recall_end(known[0], payoffs)
    assert payoffs.tolist() == [3.0, 0.5]
    assert not tree.recall_end(0, payoffs)


def test_ends_are_still_known_when_the_game_goes_on():
    tree, _ = example()
    end = tree.child(tree.child(0, 8), 1)
    tree.nodes[end].first_child = TERMINAL
    tree.remember_end(end, np.array([0.25, 0.75]))
    play(tree, (8,))
    payoffs = np.zeros(2)
    assert tree.recall_end(tree.child(0, 1), payoffs)
    assert payoffs.tolist() == [0.25, 0.75]


@pytest.mark.parametrize(("played", "size"), [((8,), 6), ((8, 2), 4), ((7,), 3), ((9,), 1), ((8, 2, 5), 1)])
def test_what_lies_below_the_played_moves_is_kept_and_nothing_else(played, size):
    tree, nodes = example()
    play(tree, played)
    assert by_path(tree) == below(nodes, played)
    assert tree.size[0] == len(by_path(tree)) == size


@pytest.mark.parametrize("played", [(6,), (8, 3), (9, 1), (8, 2, 3, 1)])
def test_a_move_that_the_tree_does_not_know_forgets_all(played):
    tree, _ = example()
    play(tree, played)
    assert by_path(tree) == EMPTY
    assert tree.size[0] == 1


def test_without_a_move_all_is_kept_and_on_demand_all_is_forgotten():
    tree, nodes = example()
    play(tree, ())
    assert (by_path(tree), tree.size[0]) == (nodes, 11)
    tree.played_count[0] = -1
    tree.follow()
    assert (by_path(tree), tree.size[0], tree.played_count[0]) == (EMPTY, 1, 0)


def test_what_is_thrown_away_makes_room():
    tree, nodes = example()
    play(tree, (8,))
    place = int(tree.child(0, 1))
    assert add_block(tree, place, list(range(20, 110))) == 6
    assert tree.size[0] == 96
    kept = {path: row for path, row in by_path(tree).items() if path[:1] != (1,) or len(path) == 1}
    assert {path: row[:-1] for path, row in kept.items()} == {path: row[:-1] for path, row in below(nodes, (8,)).items()}


def test_playouts_on_the_way_are_not_kept():
    tree, _ = example()
    for index in range(11):
        tree.nodes[index].pending = 3
    play(tree, (8,))
    assert [int(tree.nodes[index].pending) for index in range(6)] == [0] * 6


def test_every_root_keeps_its_own():
    tree = new_tree(roots=3)
    tops = [add_block(tree, root, [1, 2]) for root in (0, 1)]  # the third knows nothing yet
    add_block(tree, tops[1], [3, 4], player=1)
    add_block(tree, tops[0] + 1, [5], player=1)
    add_block(tree, tops[0], [6, 7], player=1)
    nodes = [by_path(tree, root) for root in range(3)]
    play(tree, (1,))
    assert [by_path(tree, root) for root in range(3)] == [below(nodes[0], (1,)), below(nodes[1], (1,)), EMPTY]
    assert tree.size[0] == 3 + 2 + 2


def test_a_full_pool_refuses_a_block_and_takes_one_that_fits():
    tree = new_tree(capacity=10)
    assert [int(tree.reserve(count)) for count in (6, 4, 3, 9, 1)] == [1, 0, 7, 0, 0]
    assert tree.size[0] == 10
    assert not tree.locks.any()


def test_the_fuller_the_pool_the_more_visits_a_node_needs():
    tree = new_tree(capacity=80)
    needed = {}
    for size in (1, 9, 10, 39, 40, 79, 80):
        tree.size[0] = size
        needed[size] = [int(tree.patience(visits)) for visits in (0, 1, 5)]
    assert needed == {
        1: [0, 1, 5], 9: [0, 1, 5], 10: [0, 2, 10], 39: [0, 8, 40], 40: [0, 16, 80], 79: [0, 128, 640], 80: [0, 256, 1280],
    }  # fmt: skip


def test_a_node_is_for_one_thread_at_a_time():
    tree = new_tree()
    assert tree.lock(5)
    assert not tree.lock(5)
    assert tree.lock(6)
    tree.unlock(5)
    assert tree.lock(5)


@settings(deadline=None, max_examples=150)
@given(data=st.data(), roots=st.integers(1, 3))
def test_random_trees_and_games_against_a_dict(data, roots):
    tree = new_tree(capacity=60, roots=roots)
    draw = data.draw
    for _ in range(4):
        for _ in range(draw(st.integers(0, 8))):
            open_nodes = [
                index
                for root in range(roots)
                for index in every_index(tree, root)
                if tree.nodes[index].first_child == UNEXPANDED
            ]
            moves = draw(st.lists(st.integers(0, 9), min_size=1, max_size=9, unique=True))
            used = int(tree.size[0])
            fits = used + len(moves) <= 60
            assert (add_block(tree, draw(st.sampled_from(open_nodes)), moves, draw(st.integers(-1, 2))) > 0) == fits
            assert tree.size[0] == used + len(moves) * fits
        nodes = [by_path(tree, root) for root in range(roots)]
        known = sorted({path for paths in nodes for path in paths})
        played = draw(st.one_of(st.sampled_from(known), st.lists(st.integers(0, 9), max_size=4).map(tuple)))
        play(tree, played)
        expected = [below(paths, played) or EMPTY for paths in nodes]
        assert [by_path(tree, root) for root in range(roots)] == expected
        assert tree.size[0] == sum(map(len, expected))


def every_index(tree: Any, root: int) -> list[int]:
    found = [root]
    for index in found:
        found += range(*tree.children(index))
    return found


def claim(tree, counts, firsts):
    """Reserve blocks of these sizes, one after the other."""
    for i in range(counts.size):
        firsts[i] = tree.reserve(counts[i])


def test_blocks_of_two_threads_never_overlap_even_in_a_full_pool():
    tree = make_game_tree(20_000, 1, 10)
    tree.size[0] = 1
    compile.prepare((tree,))
    compiled = njit(nogil=True)(claim)
    rng, times = np.random.default_rng(1), 3_000_000
    counts = [np.where(rng.random(times) < 0.003, 1 + np.arange(times) % 3, 15_000) for _ in range(2)]  # most do not fit
    firsts = [np.zeros(times, np.int64) for _ in range(2)]
    compiled(tree, counts[0][:0], firsts[0])
    threads = [threading.Thread(target=compiled, args=(tree, *one)) for one in zip(counts, firsts, strict=True)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    taken = [np.flatnonzero(one) for one in firsts]
    blocks = sorted((int(firsts[one][i]), int(counts[one][i])) for one in (0, 1) for i in taken[one])
    ends = [first + count for first, count in blocks]
    assert [first for first, _ in blocks] == [1, *ends[:-1]]
    assert ends[-1] == tree.size[0] == 20_000
