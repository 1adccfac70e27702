"""AMCTS: adaptive Monte-Carlo tree search for hidden information (document 003, Section 4)."""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import COMPLETE, LAST_PLAYOUT, PLAYOUTS
from arbora.search.game_search import DECIDED
from arbora.search.pimc import PIMC
from arbora.search.sampling import (
    Sampling,
    begin,
    best_move,
    check_inner,
    needed_within,
    play_by_search,
    play_simply,
    search_on,
)
from arbora.search.search import search


@search
class AMCTS(Sampling):
    """For hidden information: as many play-outs as worlds and moves ask for, and PIMC in play-outs only where it is close.

    A budget of play-outs limits either of its two searches. With a budget of time, the second goes on as long as there is
    some.
    """

    inner: object = param("how the player chooses in play-outs of the second search", default=PIMC())
    opponents: str = param(
        "how all others choose there: at random (by the policy), or as the player does",
        default="random",
        choices=("random", "inner"),
    )
    per_world: float = param("C: play-outs for each world and move, equation (5)", default=25.0, low=0.001)
    most_worlds: float = param("W is at most this, for games of very many worlds", default=np.inf, low=1)
    keep: float = param(
        "share of the first search's results that still counts in the second; 0: the document", default=0.0, low=0, high=1
    )
    by_ucb: bool = derived(init=False)
    everybody: bool = derived(init=False)

    def prepare(self) -> Any:
        check_inner("AMCTS", self.inner)
        return fill(self, by_ucb=self.arms == "tuned", everybody=self.opponents == "inner")

    @property
    def needs(self) -> tuple[str, ...]:
        return needed_within(self.inner)

    def depth(self):
        return 1 + self.inner.depth()

    def decide(self, problem, run, level):
        """Steps 1 to 9 of Section 4.2."""
        count = begin(problem, run, level)  # step 1
        if count > 1:
            state = run.states[level]
            worlds = min(np.float64(problem.worlds(state, problem.player(state))), self.most_worlds)
            playouts = np.ceil(worlds * count * self.per_world)  # step 2, equation (5)
            limited = level > 0 or run.part[LAST_PLAYOUT] < np.inf
            if level == 0:
                playouts = min(np.ceil(playouts / run.threads), run.part[LAST_PLAYOUT])
            search_on(self, problem, run, level, playouts, False)  # steps 3 to 6
            if is_close(run.work.arms, level, worlds):  # step 7, equation (6)
                run.work.arms.keep(level, self.keep)  # step 8
                if level == 0:
                    run.part[LAST_PLAYOUT] = run.counters[PLAYOUTS] + playouts if limited else np.inf
                    run.team.keep(run.thread, self.keep)
                search_on(self, problem, run, level, playouts if limited else np.inf, True)
            elif level == 0 and run.going():
                run.counters[COMPLETE] = DECIDED
        return best_move(run, level)  # step 9

    def play_on(self, problem, run, level, mover, nested):
        """Random play-outs in the first search; in the second, the player chooses by the inner search."""
        if nested:
            return play_by_search(self, problem, run, level, mover)
        return play_simply(self.policy, problem, run, level)


@inline_kernel
def is_close(arms, level, worlds):
    """Equation (6), for any action but the best: v(a*) - v(a) < (σ* + σ) / √W."""
    best = arms.best(level)
    for arm in range(arms.count[level]):
        if arm != best:
            gap = arms.mean(level, best) - arms.mean(level, arm)
            if gap < (arms.deviation(level, best) + arms.deviation(level, arm)) / np.sqrt(worlds):
                return True
    return False
