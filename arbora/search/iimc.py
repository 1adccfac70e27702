"""IIMC: Imperfect Information Monte Carlo search (document 003, Section 2.3 and Algorithm 2): searches within play-outs."""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.search.pimc import PIMC
from arbora.search.sampling import Sampling, begin, best_move, check_inner, needed_within, play_by_search, search_on
from arbora.search.search import search


@search
class IIMC(Sampling):
    """For hidden information: as PIMC, but in play-outs the player chooses by a search of his own, on what he would know."""

    inner: object = param("how the player chooses in play-outs: pimc, iimc or amcts", default=PIMC())
    opponents: str = param(
        "how all others choose: at random (by the policy), or as the player does",
        default="random",
        choices=("random", "inner"),
    )
    playouts: int = param("play-outs for a move, as the inner player of another search", default=50, low=1)
    by_ucb: bool = derived(init=False)
    everybody: bool = derived(init=False)

    def prepare(self) -> Any:
        check_inner("IIMC", self.inner)
        return fill(self, by_ucb=self.arms == "tuned", everybody=self.opponents == "inner")

    @property
    def needs(self) -> tuple[str, ...]:
        return needed_within(self.inner)

    def depth(self):
        return 1 + self.inner.depth()

    def decide(self, problem, run, level):
        """Algorithm 1, with FinishedGameValue in place of PerfInfoValue."""
        if begin(problem, run, level) > 1:
            search_on(self, problem, run, level, np.inf if level == 0 else self.playouts, True)
        return best_move(run, level)

    def play_on(self, problem, run, level, mover, nested):
        """Algorithm 2: FinishedGameValue(x, m, P); P is the inner search, which sees what the player on turn would see."""
        return play_by_search(self, problem, run, level, mover)
