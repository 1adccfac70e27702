"""UCT: Monte-Carlo Tree Search for games by upper confidence bounds (document 004, Section 2)."""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.bandit import ucb1_tuned_width
from arbora.search.game_search import GameSearch, tries
from arbora.search.search import search


@search
class UCT(GameSearch):
    """Monte-Carlo Tree Search for games, with UCB1 or UCB1-Tuned."""

    exploration: float = param("c: weight of the exploration bonus", default=0.7, low=0)
    selection: str = param("the confidence bound", default="ucb1", choices=("ucb1", "ucb1-tuned"))
    tuned: bool = derived(init=False)

    def prepare(self) -> Any:
        return fill(self, tuned=self.selection == "ucb1-tuned")

    def urgency(self, parent, child, log_visits):
        """UCT(node) of Section 2.3: W/N + c · √(ln N(parent) / N); play-outs on the way count as lost."""
        visits = tries(child)
        if visits == 0:
            return np.inf
        mean = child.total / visits
        if self.tuned:
            return mean + self.exploration * ucb1_tuned_width(mean, child.squares / visits, visits, log_visits)
        return mean + self.exploration * np.sqrt(log_visits / visits)
