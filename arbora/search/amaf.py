"""All moves as first (document 004, Section 3.1): a move is worth what it brought whenever it was made in a play-out."""

import numpy as np

from arbora.component import param
from arbora.engine.kernel import inline_kernel
from arbora.search.game_search import GameSearch, tries
from arbora.search.search import search


@inline_kernel
def amaf_value(child):
    """W/N of all play-outs in which the move was made, sooner or later; without any, as good as an even game."""
    if child.amaf_visits == 0:
        return 0.5
    return child.amaf_total / child.amaf_visits


@search
class AMAF(GameSearch):
    """Monte-Carlo search without a tree: moves are compared by all play-outs in which they were made, sooner or later."""

    exploration: float = param("c: weight of the exploration bonus", default=0.2, low=0)

    def is_flat(self):
        return True

    def uses_amaf(self):
        return True

    def urgency(self, parent, child, log_visits):
        """The value by all moves as first, with UCT's bonus for what was tried little; pending play-outs count as tries."""
        visits = tries(child)
        return amaf_value(child) + self.exploration * np.sqrt(log_visits / (visits + 1.0))
