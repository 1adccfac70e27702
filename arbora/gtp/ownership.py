"""Who owns which point when the game is played out: the statistics that tell dead stones from living ones."""

from collections.abc import Callable
from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.kernel import kernel
from arbora.engine.run import play_on
from arbora.policies.light import Light
from arbora.running import Running, raise_failures
from arbora.search.search import search

PLAYOUTS = 400


@make_component
class Owners:
    """What the play-outs count."""

    ends: np.ndarray  # int64[2, points]: how often Black, and White, owned each point in the end


@search
class Ownership:
    """Play-outs from the position in `run.states[0]`, each counted point by point by the game's `owner`."""

    policy: object = param("how play-outs choose their moves", default=Light())

    def workspace(self, problem: Any) -> Any:
        return Owners(ends=np.zeros((2, problem.columns * problem.rows), np.int64))

    def run(self, problem, run):
        while run.going():
            run.states[1] = run.states[0]
            state = run.states[1]
            self.policy.begin(problem, state, run.memory[0], run.rng)
            _, length, ended = play_on(problem, self.policy, run, state, 0)
            if ended:
                count_owners(problem, state, run.work.ends)
                run.count(0.0, length)


@kernel
def count_owners(problem, state, ends):
    for point in range(ends.shape[1]):
        owner = problem.owner(state, point)
        if owner >= 0:
            ends[owner, point] += 1


class Judge:
    """Plays positions of one game out and says who owns what. What it needs is compiled when it is made."""

    def __init__(
        self,
        game: Any,
        policy: Any = None,
        *,
        seed: int = 1,
        compiled: bool = True,
        on_compile: Callable[[], None] | None = None,
    ) -> None:
        self.game = game
        counting = Ownership(policy=policy or Light())
        self._running = Running(game, counting, None, PLAYOUTS, seed, 1, compiled, on_compile)

    def owners(self, state: Any, playouts: int = PLAYOUTS) -> np.ndarray:
        """For each point, how sure it is Black's: from 0, always White's in the end, to 1.

        Either side moves first in half of the play-outs, because in a seki who has to move loses.
        """
        running = self._running
        run: Any = running.runs[0]
        ends = run.work.ends
        ends[:] = 0
        for turn in range(2):
            run.states[0] = state.arbora_record
            run.states[0]["passes"] = 0  # a game that has ended is played out from where it stands
            run.states[0]["turn"] = turn
            running.renew(None, playouts // 2)
            running.run(None)
            raise_failures(running)
            if running.interrupted:
                raise KeyboardInterrupt
        black, white = ends
        return 0.5 + (black - white) / (4 * (playouts // 2))
