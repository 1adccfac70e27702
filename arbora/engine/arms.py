"""Statistics of the moves of one position, as a bandit's arms; a row for each search within a search."""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.bandit import ucb1_tuned


@make_component
class Arms:
    """The moves of the position that each level of nested searches thinks about, and what play-outs say of them."""

    moves: np.ndarray  # int32[levels, max_moves]
    count: np.ndarray  # int64[levels]: how many moves
    visits: np.ndarray  # float64[levels, max_moves]: play-outs, or what is kept of them
    total: np.ndarray  # float64[levels, max_moves]: sum of payoffs
    squares: np.ndarray  # float64[levels, max_moves]: sum of their squares
    drawn: np.ndarray  # float64[levels]: play-outs of all moves

    def begin(self, level, moves, count):
        """These are the moves; nothing is known of them."""
        self.count[level] = count
        for arm in range(count):
            self.moves[level, arm] = moves[arm]
        self.keep(level, 0.0)

    def keep(self, level, share):
        """Let all that is known count for a share of what it did; 0 forgets it."""
        for arm in range(self.count[level]):
            if share == 0.0:  # also what is not a number after a fresh start
                self.visits[level, arm] = 0.0
                self.total[level, arm] = 0.0
                self.squares[level, arm] = 0.0
            else:
                self.visits[level, arm] *= share
                self.total[level, arm] *= share
                self.squares[level, arm] *= share
        self.drawn[level] = self.drawn[level] * share if share > 0.0 else 0.0

    def learn(self, level, arm, payoff):
        self.visits[level, arm] += 1.0
        self.total[level, arm] += payoff
        self.squares[level, arm] += payoff * payoff
        self.drawn[level] += 1.0

    def pick_tuned(self, level):
        """The arm of the highest UCB1-tuned value; one that was never drawn has the highest there is."""
        log_total = np.log(max(self.drawn[level], 1.0))
        best, best_value = 0, -np.inf
        for arm in range(self.count[level]):
            visits = self.visits[level, arm]
            if visits == 0.0:
                return arm
            value = ucb1_tuned(self.total[level, arm] / visits, self.squares[level, arm] / visits, visits, log_total)
            if value > best_value:
                best, best_value = arm, value
        return best

    def pick_equal(self, level):
        """The arm that was drawn least: all in turn."""
        best = 0
        for arm in range(1, self.count[level]):
            if self.visits[level, arm] < self.visits[level, best]:
                best = arm
        return best

    def mean(self, level, arm):
        """v(a): the mean payoff; 0 of an arm that was never drawn."""
        return self.total[level, arm] / self.visits[level, arm] if self.visits[level, arm] > 0.0 else 0.0

    def deviation(self, level, arm):
        """σ: the standard deviation of the payoffs."""
        visits = self.visits[level, arm]
        if visits == 0.0:
            return 0.0
        mean = self.total[level, arm] / visits
        return np.sqrt(max(self.squares[level, arm] / visits - mean * mean, 0.0))

    def best(self, level):
        """The arm of the highest mean."""
        best = 0
        for arm in range(1, self.count[level]):
            if self.mean(level, arm) > self.mean(level, best):
                best = arm
        return best


def make_arms(levels: int, max_moves: int) -> Any:
    made: Any = Arms(
        moves=np.zeros((levels, max_moves), np.int32),
        count=np.zeros(levels, np.int64),
        visits=np.zeros((levels, max_moves)),
        total=np.zeros((levels, max_moves)),
        squares=np.zeros((levels, max_moves)),
        drawn=np.zeros(levels),
    )
    return made
