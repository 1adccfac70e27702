"""Statistics of the moves of one position, as a bandit's arms; a row for each search within a search."""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.bandit import ucb1_tuned

ARM = np.dtype(
    [
        ("move", np.int32),
        ("visits", np.float64),  # play-outs, or what is kept of them
        ("total", np.float64),  # sum of payoffs
        ("squares", np.float64),  # sum of their squares
    ],
    align=True,
)
_LOGARITHMS = 4096


@make_component
class Arms:
    """The moves of the position that each level of nested searches thinks about, and what play-outs say of them."""

    rows: np.ndarray  # ARM[levels, max_moves]
    count: np.ndarray  # int64[levels]: how many moves
    drawn: np.ndarray  # float64[levels]: play-outs of all moves
    logarithms: np.ndarray  # float64: of the whole numbers from 0 on; 0 for 0

    def begin(self, level, moves, count):
        """These are the moves; nothing is known of them."""
        self.count[level] = count
        self.drawn[level] = 0.0
        for arm in range(count):
            row = self.rows[level, arm]
            row.move = moves[arm]
            row.visits = 0.0
            row.total = 0.0
            row.squares = 0.0

    def keep(self, level, share):
        """Let all that is known count for a share of what it did; 0 forgets it."""
        self.drawn[level] *= share
        for arm in range(self.count[level]):
            row = self.rows[level, arm]
            row.visits *= share
            row.total *= share
            row.squares *= share

    def learn(self, level, arm, payoff):
        row = self.rows[level, arm]
        row.visits += 1.0
        row.total += payoff
        row.squares += payoff * payoff
        self.drawn[level] += 1.0

    def pick_tuned(self, level):
        """The arm of the highest UCB1-tuned value; one that was never drawn has the highest there is."""
        log_total = self.log_drawn(level)
        best, best_value = 0, -np.inf
        for arm in range(self.count[level]):
            row = self.rows[level, arm]
            if row.visits == 0.0:
                return arm
            value = ucb1_tuned(row.total / row.visits, row.squares / row.visits, row.visits, log_total)
            if value > best_value:
                best, best_value = arm, value
        return best

    def log_drawn(self, level):
        """The logarithm of how many play-outs there were, 0 for less than one; looked up for whole numbers."""
        drawn = self.drawn[level]
        whole = np.uint64(drawn)
        if whole < np.uint64(self.logarithms.size) and np.float64(whole) == drawn:
            return self.logarithms[whole]
        return np.log(max(drawn, 1.0))

    def pick_equal(self, level):
        """The arm that was drawn least: all in turn."""
        best = 0
        for arm in range(1, self.count[level]):
            if self.rows[level, arm].visits < self.rows[level, best].visits:
                best = arm
        return best

    def mean(self, level, arm):
        """v(a): the mean payoff; 0 of an arm that was never drawn."""
        row = self.rows[level, arm]
        return row.total / row.visits if row.visits > 0.0 else 0.0

    def deviation(self, level, arm):
        """σ: the standard deviation of the payoffs."""
        row = self.rows[level, arm]
        if row.visits == 0.0:
            return 0.0
        mean = row.total / row.visits
        return np.sqrt(max(row.squares / row.visits - mean * mean, 0.0))

    def best(self, level):
        """The arm of the highest mean."""
        best = 0
        for arm in range(1, self.count[level]):
            if self.mean(level, arm) > self.mean(level, best):
                best = arm
        return best


def make_arms(levels: int, max_moves: int) -> Any:
    made: Any = Arms(
        rows=np.zeros((levels, max_moves), ARM),
        count=np.zeros(levels, np.int64),
        drawn=np.zeros(levels),
        logarithms=np.log(np.maximum(np.arange(_LOGARITHMS), 1)),
    )
    return made
