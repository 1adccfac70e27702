"""Locks that threads share: machine code and plain Python mean the same."""

import threading

import numpy as np
from numba import njit

from arbora.engine import native, shared

assert native  # importing it teaches numba what `shared` means


def take_and_give_back(locks):
    """What each step of a short life of two locks answers and leaves."""
    first = shared.try_acquire(locks, 1)
    again = shared.try_acquire(locks, 1)
    other = shared.try_acquire(locks, 2)
    while_held = locks.copy()
    shared.release(locks, 1)
    after = shared.try_acquire(locks, 1)
    return first, again, other, after, while_held


def test_a_lock_is_for_one_at_a_time_compiled_as_in_plain_python():
    for function in (take_and_give_back, njit(take_and_give_back)):
        locks = np.zeros(3, np.int64)
        first, again, other, after, while_held = function(locks)
        assert (first, again, other, after) == (True, False, True, True)
        assert while_held.tolist() == [0, 1, 1]
        assert locks.tolist() == [0, 1, 1]


@njit(nogil=True)
def add_under_a_lock(locks, total, times):
    for _ in range(times):
        while not shared.try_acquire(locks, 0):
            pass
        total[0] += 1
        shared.release(locks, 0)


def test_nothing_is_lost_when_two_threads_add_under_a_lock():
    locks, total = np.zeros(1, np.int64), np.zeros(1, np.int64)
    add_under_a_lock(locks, total, 0)
    threads = [threading.Thread(target=add_under_a_lock, args=(locks, total, 100_000)) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert total[0] == 200_000
    assert locks[0] == 0
