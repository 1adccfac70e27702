"""What players are told of the moves at hand, thread by thread."""

import numpy as np
import pytest

from arbora.engine.root_moves import KnownMove, make_root_moves
from arbora.engine.run import with_records

MOVES = np.array([4, 2, 8], np.int32)


def team(threads=1, count=3):
    moves = with_records(make_root_moves(5, threads))
    for thread in range(threads):
        moves.begin(thread, MOVES, count)
    return moves


def known_of(moves):
    """As a player asks for it, beside the run."""
    return moves._replace(rows=moves.rows.array).known()


def facts(moves):
    return [(known.move, known.visits, known.total) for known in known_of(moves)]


def test_nothing_is_known_at_first():
    assert known_of(with_records(make_root_moves(5, 2))) == []
    assert known_of(team()) == [KnownMove(move, 0, 0.0, None, [move]) for move in (4, 2, 8)]


def test_payoffs_are_summed_up_by_move():
    moves = team()
    for index, payoff in [(1, 0.5), (2, 0.25), (1, 1.0)]:
        moves.learn(0, index, payoff)
    assert facts(moves) == [(4, 0, 0.0), (2, 2, 1.5), (8, 1, 0.25)]
    assert moves.nodes_used() == 3


def test_each_thread_tells_of_its_own():
    moves = team(threads=2)
    moves.learn(1, 0, 1.0)
    assert facts(moves) == [(4, 0, 0.0), (2, 0, 0.0), (8, 0, 0.0), (4, 1, 1.0), (2, 0, 0.0), (8, 0, 0.0)]
    moves.keep(0, 0.0)
    assert facts(moves)[3] == (4, 1, 1.0)
    moves.begin(0, MOVES, 1)
    assert facts(moves) == [(4, 0, 0.0), (4, 1, 1.0), (2, 0, 0.0), (8, 0, 0.0)]


@pytest.mark.parametrize(("share", "visits"), [(1.0, 4), (0.5, 2), (0.4, 2), (0.0, 0)])
def test_a_share_is_kept_and_the_mean_with_it(share, visits):
    """Visits are told as whole numbers; the mean of payoffs stays what it was."""
    moves = team()
    for payoff in (0.0, 0.5, 0.5, 1.0):
        moves.learn(0, 2, payoff)
    moves.keep(0, share)
    assert known_of(moves)[2].visits == visits
    assert known_of(moves)[2].total == pytest.approx(0.5 * visits)
    moves.learn(0, 2, 0.5)
    assert moves.rows[0, 2].visits == pytest.approx(4 * share + 1)


def test_beginning_anew_forgets_and_so_does_forgetting():
    moves = team()
    moves.learn(0, 0, 1.0)
    moves.note_played(4)
    assert facts(moves)[0] == (4, 1, 1.0)
    moves.begin(0, MOVES[1:].copy(), 2)
    assert facts(moves) == [(2, 0, 0.0), (8, 0, 0.0)]
    assert moves.is_ready()
    moves.forget()
    assert (known_of(moves), moves.nodes_used()) == ([], 0)
