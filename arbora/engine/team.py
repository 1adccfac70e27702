"""Threads that search in rounds: each offers a sequence, all wait for each other, and all take the best.

Nothing else is shared. A thread that does the same with the same best sequences has the same policy as all others, at the
price of adapting it once per thread, and no lock is needed. An offer is written in the place of its round, odd or even:
by the time a place is used again, every thread has said that it has read what was there.
"""

import ctypes
import sys
from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.sequences import make_sequences
from arbora.engine.shared import call_int, fence, peek

_SPINS = 10_000  # some ten microseconds
_NAP = 1 if sys.platform == "win32" else 20  # milliseconds there, microseconds elsewhere


@make_component
class Team:
    """What the threads of a run exchange; without places if they have nothing to exchange."""

    offers: object  # Sequences: the offer of a thread is in row 2 * thread + (round & 1)
    rounds: np.ndarray  # int64[threads]: how many offers a thread has made; -1 less that number once it has left
    sleep: int  # address of a C function that sleeps for a short while, 0 if there is none

    def shared(self):
        """Are there others to wait for?"""
        return self.rounds.size > 0

    def offer(self, thread, sequences, row):
        """Offer a sequence to all, unless this thread has a better one in this round."""
        mine = 2 * thread + (self.rounds[thread] & 1)
        if sequences.score[row] > -np.inf and sequences.score[row] >= self.offers.score[mine]:
            self.offers.copy(mine, sequences, row)

    def meet(self, thread, flags):
        """Show the offer, wait for those of the others, and return the row of the best one: of equals, the lowest thread's.

        A thread that has left before this round has no offer, and a stopped run waits for none.
        """
        this_round = self.rounds[thread]
        fence()
        self.rounds[thread] = this_round + 1
        fence()
        best = 2 * thread + (this_round & 1)
        for other in range(self.rounds.size):
            if self.wait(other, this_round, flags):
                row = 2 * other + (this_round & 1)
                if self.offers.score[row] > self.offers.score[best] or (
                    self.offers.score[row] == self.offers.score[best] and row < best
                ):
                    best = row
        self.offers.empty(2 * thread + (self.rounds[thread] & 1))
        return best

    def wait(self, thread, this_round, flags):
        """Wait until a thread has offered in this round, or has left; returns whether it has offered."""
        tries = 0
        while peek(flags, 0) == 0:
            made = peek(self.rounds, thread)
            left = made < 0
            if left:
                made = -1 - made
            if made > this_round or left:
                fence()  # what it wrote before it said so is read after this point
                return made > this_round
            tries += 1
            if tries > _SPINS and self.sleep != 0:
                call_int(self.sleep, _NAP)
        return False

    def leave(self, thread):
        """This thread makes no more offers; let nobody wait for it."""
        fence()
        self.rounds[thread] = -1 - self.rounds[thread]
        fence()


def make_team(problem: Any, threads: int) -> Any:
    """Places for the offers of that many threads; 0 for threads that have nothing to do with each other."""
    return Team(make_sequences(problem, 2 * threads), np.zeros(threads, np.int64), _sleep_address())


def _sleep_address() -> int:
    """The C library's `usleep`, or Windows' `Sleep`; waiting threads spin where there is neither."""
    name, function = (None, "usleep") if sys.platform != "win32" else ("kernel32", "Sleep")
    try:
        found = getattr(ctypes.CDLL(name), function)
    except (OSError, AttributeError, TypeError):
        return 0
    return ctypes.cast(found, ctypes.c_void_p).value or 0
