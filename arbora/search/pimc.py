"""PIMC: Perfect Information Monte Carlo search (document 003, Section 2.2 and Algorithm 1)."""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.search.sampling import Sampling, begin, best_move, play_simply, search_on
from arbora.search.search import search


@search
class PIMC(Sampling):
    """For hidden information: play-outs from positions that the player holds possible, everybody playing at random."""

    playouts: int = param("play-outs for a move, as the inner player of another search", default=50, low=1)
    by_ucb: bool = derived(init=False)

    def prepare(self) -> Any:
        return fill(self, by_ucb=self.arms == "tuned")

    def decide(self, problem, run, level):
        """Algorithm 1. The budget ends the first level, the number of play-outs all others."""
        if begin(problem, run, level) > 1:
            search_on(self, problem, run, level, np.inf if level == 0 else self.playouts, False)
        return best_move(run, level)

    def play_on(self, problem, run, level, mover, nested):
        """PerfInfoValue(x, m): everybody plays on by the policy."""
        return play_simply(self.policy, problem, run, level)
