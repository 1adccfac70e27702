"""MC-RAVE (document 004, Section 3.3): a node's own value and that of its move, averaged; the more visits, the more its own.

The weight β of the move's value follows one of two schedules of Gelly and Silver, whose work the document reports:

    hand           β = √(k / (3 N(s) + k)), with N(s) the visits of the node above: ½ at k visits
    minimum-mse    β = ñ / (n + ñ + 4 n ñ b²), which minimises the squared error if the move's value is wrong by b
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.search.amaf import amaf_value
from arbora.search.game_search import GameSearch, tries
from arbora.search.search import search


@search
class MCRAVE(GameSearch):
    """UCT and RAVE in one: moves are judged by all moves as first at the beginning, by their own play-outs later on."""

    exploration: float = param("c: weight of the exploration bonus", default=0.0, low=0)
    schedule: str = param("how the weight of RAVE falls", default="minimum-mse", choices=("hand", "minimum-mse"))
    equivalence: float = param("k: visits at which both values count the same (hand)", default=1000.0, low=1)
    bias: float = param("b: by how much RAVE's values are off (minimum-mse)", default=0.02, low=0)
    prior: int = param("play-outs that a guess of the game about a new move counts for", default=20, low=0)
    by_hand: bool = derived(init=False)

    def prepare(self) -> Any:
        return fill(self, by_hand=self.schedule == "hand")

    def uses_amaf(self):
        return True

    def prior_visits(self):
        return self.prior

    def urgency(self, parent, child, log_visits):
        """(1 - β) Q + β Q̃ + c · √(ln N(s) / N(s, a)); play-outs on the way count as lost."""
        visits = tries(child)
        if visits == 0:
            return amaf_value(child) + self.exploration * np.sqrt(log_visits)
        value = child.total / visits
        weight = self.weight(parent, visits, child.amaf_visits)
        return (1.0 - weight) * value + weight * amaf_value(child) + self.exploration * np.sqrt(log_visits / visits)

    def weight(self, parent, visits, amaf_visits):
        """β, the weight of the move's value."""
        if self.by_hand:
            return np.sqrt(self.equivalence / (3.0 * parent.visits + self.equivalence))
        return amaf_visits / (visits + amaf_visits + 4.0 * visits * amaf_visits * self.bias * self.bias)
