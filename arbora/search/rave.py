"""Rapid action value estimates (document 004, Section 3.2): all moves as first in every node of a tree."""

import numpy as np

from arbora.component import param
from arbora.search.amaf import amaf_value
from arbora.search.game_search import GameSearch, tries
from arbora.search.search import search


@search
class RAVE(GameSearch):
    """A tree whose moves are valued by all play-outs below their node in which they were made."""

    exploration: float = param("c: weight of the exploration bonus", default=0.2, low=0)

    def uses_amaf(self):
        return True

    def urgency(self, parent, child, log_visits):
        """The move's value, Q̃, with UCT's bonus for what was tried little; pending play-outs count as tries."""
        visits = tries(child)
        return amaf_value(child) + self.exploration * np.sqrt(log_visits / (visits + 1.0))
