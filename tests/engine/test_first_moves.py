"""The table of first moves against a dict."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from arbora.engine.first_moves import make_first_moves

# Neighbours, and moves that fall on the same slot of a small table, must not be taken for each other.
moves = st.one_of(st.integers(0, 40), st.sampled_from([0, 64, 128, 2**20, 2**31 - 1]))


def times_in(table, asked):
    return {move: int(table.time_of(np.int32(move))) for move in asked}


def test_an_empty_table_knows_of_no_move():
    table = make_first_moves(5, 5)
    table.begin()
    assert times_in(table, range(10)) == dict.fromkeys(range(10), -1)


def test_of_a_move_made_twice_the_earlier_time_counts():
    table = make_first_moves(5, 5)
    table.begin()
    for time, move in reversed(list(enumerate([7, 3, 7]))):
        table.note(np.int32(move), time)
    assert times_in(table, (7, 3, 5)) == {7: 0, 3: 1, 5: -1}


@settings(deadline=None, max_examples=200)
@given(playouts=st.lists(st.lists(moves, max_size=30), min_size=1, max_size=6))
def test_it_tells_of_the_playout_at_hand_only_from_every_point_on(playouts):
    table = make_first_moves(4, 30)
    asked = {move for playout in playouts for move in playout} | {1, 65}
    for playout in playouts:
        table.begin()
        expected = dict.fromkeys(asked, -1)
        for time in reversed(range(len(playout))):
            table.note(np.int32(playout[time]), time)
            expected[playout[time]] = time
            assert times_in(table, asked) == expected
