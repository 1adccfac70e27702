"""Threads that meet in rounds, worked through by hand; `tests/search/test_nrpa.py` runs them for real."""

import threading

import numpy as np
from small_problems import Walk

from arbora.engine.sequences import make_sequences
from arbora.engine.team import make_team

GOING = np.zeros(1, np.int64)


def sequence(score: float, first_move: int):
    """One sequence of six steps without codes."""
    made = make_sequences(Walk(), 1)
    made.moves[0] = first_move
    made.ends[0] = 0
    made.chosen[0] = 0
    made.length[0] = 6
    made.score[0] = score
    return made


def meet_all(team, offers):
    """One round in which these threads make these offers (score, first move); returns what each has found best."""
    found = {}

    def work(thread, offer):
        team.offer(thread, sequence(*offer), 0)
        row = team.meet(thread, GOING)
        found[thread] = (float(team.offers.score[row]), int(team.offers.moves[row, 0]))

    workers = [threading.Thread(target=work, args=item) for item in offers.items()]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    return [found[thread] for thread in sorted(found)]


def test_all_threads_get_the_best_offer():
    team = make_team(Walk(), 3)
    assert meet_all(team, {0: (5, 0), 1: (7, 1), 2: (6, 2)}) == [(7, 1)] * 3
    assert meet_all(team, {0: (1, 0), 1: (2, 1), 2: (3, 2)}) == [(3, 2)] * 3  # nothing is left of the round before
    assert meet_all(team, {0: (-4, 0), 1: (-5, 1), 2: (-6, 2)}) == [(-4, 0)] * 3
    assert team.rounds.tolist() == [3, 3, 3]


def test_of_equal_offers_the_lowest_thread_wins():
    team = make_team(Walk(), 3)
    assert meet_all(team, {0: (1, 0), 1: (4, 1), 2: (4, 2)}) == [(4, 1)] * 3


def test_a_thread_offers_the_best_of_its_round_and_the_last_of_equals():
    team = make_team(Walk(), 1)
    for score, move in ((3, 0), (8, 1), (8, 2), (5, 0)):
        team.offer(0, sequence(score, move), 0)
    row = team.meet(0, GOING)
    assert (team.offers.score[row], team.offers.moves[row, 0]) == (8, 2)


def test_the_last_offer_of_a_thread_that_left_still_counts_and_no_later_one():
    team = make_team(Walk(), 2)
    team.offer(1, sequence(9, 1), 0)
    team.rounds[1] += 1
    team.leave(1)
    assert team.rounds.tolist() == [0, -2]
    assert meet_all(team, {0: (2, 0)}) == [(9, 1)]
    assert meet_all(team, {0: (3, 0)}) == [(3, 0)]
    assert meet_all(team, {0: (4, 2)}) == [(4, 2)]


def test_a_round_without_offers_has_no_best():
    team = make_team(Walk(), 2)
    team.leave(1)
    assert team.offers.score[team.meet(0, GOING)] == -np.inf


def test_a_stopped_run_returns_at_once():
    team = make_team(Walk(), 2)
    team.offer(1, sequence(6, 2), 0)
    row = team.meet(1, np.ones(1, np.int64))
    assert (row, team.offers.score[row]) == (2, 6)


def test_threads_with_nothing_to_exchange_have_no_places():
    assert make_team(Walk(), 0).offers.moves.size == 0
    assert not make_team(Walk(), 0).shared()
