"""What `watched` checks in games besides: whose turn it is, payoffs, chance, and the play-outs that a game brings along."""

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from arbora.engine.rng import make_rng
from arbora.problem import CHANCE, copied, like_compiled

if TYPE_CHECKING:
    from arbora.watched import Watched

# Probabilities and payoffs may be off by rounding.
_ROUNDING = 1e-9


class GameRules:
    """The rules that a watched game has to keep, and what has been seen of it."""

    def __init__(self, watched: "Watched") -> None:
        self.watched = watched
        self.players = self.told_players()
        self.low, self.high = self.told_payoffs()
        self.chance_seen = False
        self.totals: set[float] = set()  # of all players' payoffs, at each end

    @property
    def constant_sum(self) -> bool:
        """Is one player's loss always the other's gain?"""
        return self.players == 2 and all(abs(total - self.low - self.high) <= _ROUNDING for total in self.totals)

    def told_players(self) -> int:
        players = self.watched.plain("players")
        if isinstance(players, bool) or not isinstance(players, (int, np.integer)) or players < 1:
            self.watched.fail("players", f"players must return a whole number of 1 or more, not {players!r}")
        return int(players)

    def told_payoffs(self) -> tuple[float, float]:
        payoffs = self.watched.plain("payoffs")
        try:
            low, high = (float(payoff) for payoff in payoffs)
            if not -np.inf < low <= high < np.inf:
                raise ValueError
        except (TypeError, ValueError):
            self.watched.fail("payoffs", f"payoffs must return the lowest and the highest payoff, not {payoffs!r}")
        return low, high

    def check_turn(self, legal: list[int], number: int) -> None:
        """Whose turn it is after `number` moves, the probabilities of chance, and guesses of what moves are worth."""
        player = self.watched.call("player")
        if isinstance(player, (bool, np.bool_)) or not isinstance(player, (int, np.integer)):
            self.watched.fail("player", f"player must return a whole number, not {player!r}")
        if not CHANCE <= player < self.players:
            allowed = f"allowed are 0 to {self.players - 1}, and {CHANCE} for chance"
            self.watched.fail("player", f"player is {player} after {number} moves; {allowed}")
        if player == CHANCE:
            self.check_chance(legal, number)
        if "prior" in self.watched.provides:
            for move in legal:
                guess = self.watched.number("prior", move)
                if not 0.0 <= guess <= 1.0:
                    self.watched.fail("prior", f"prior is {guess:g} for move {move}; it must be from 0 to 1")

    def check_chance(self, legal: list[int], number: int) -> list[float]:
        """The probabilities of the moves of chance."""
        self.chance_seen = True
        if "chance" not in self.watched.provides:
            self.watched.fail("player", f"chance has a turn after {number} moves, but method chance is missing")
        found = [self.watched.number("chance", move) for move in legal]
        for move, probability in zip(legal, found, strict=True):
            if not 0.0 <= probability <= 1.0 + _ROUNDING:
                self.watched.fail("chance", f"chance is {probability:g} for move {move}; it must be from 0 to 1")
        if abs(sum(found) - 1.0) > _ROUNDING * len(found):
            self.watched.fail("chance", f"the probabilities of {len(found)} moves of chance sum to {sum(found):g}, not 1")
        return found

    def check_payoffs(self) -> None:
        """What the end is worth for each player."""
        total = 0.0
        for player in range(self.players):
            payoff = self.watched.number("payoff", player)
            self.check_payoff("payoff", player, payoff)
            total += payoff
        self.totals.add(total)

    def check_payoff(self, method: str, player: int, payoff: float) -> None:
        if not self.low - _ROUNDING <= payoff <= self.high + _ROUNDING:
            allowed = f"payoffs() allow {self.low:g} to {self.high:g}"
            self.watched.fail(method, f"payoff of player {player} is {payoff:g}; {allowed}")

    def check_finish(self, number: int, rng: Any) -> None:
        """The rest of a play-out at once, if the game can, from a copy of the position."""
        watched = self.watched
        if "finish" not in watched.provides:
            return
        payoffs = np.full(self.players, np.nan)
        with watched.at(copied(watched.problem, watched.state)):
            played = watched.call("finish", payoffs, rng)
        if isinstance(played, (bool, np.bool_)) or not isinstance(played, (int, np.integer)):
            watched.fail("finish", f"finish must return how many moves it played, or -1 if it cannot, not {played!r}")
        if not -1 <= played <= watched.max_length - number:
            watched.fail("finish", f"finish played {played} moves after {number}; max_length() is {watched.max_length}")
        if played >= 0:
            for player, payoff in enumerate(payoffs.tolist()):
                self.check_payoff("finish", player, payoff)

    def quick_play_out(self, seed: int, tactical: bool, deadline: float) -> int:
        """A play-out by `light`, or by what is `urgent` first, as searches play them. Returns its length.

        The moves need not be legal in every respect, but `play` must take them, and the play-out must end.
        """
        watched, rng = self.watched, make_rng(seed)
        length = 0
        with like_compiled():
            watched.call("reset")
            while time.perf_counter() < deadline:
                move = self.quick_move(rng, tactical, length)
                if move < 0:
                    self.check_payoffs()
                    break
                if length == watched.max_length:
                    name = "urgent" if tactical else "light"
                    watched.fail(name, f"a play-out by {name} is longer than max_length() = {watched.max_length}")
                watched.call("play", move)
                length += 1
        return length

    def quick_move(self, rng: Any, tactical: bool, number: int) -> int:
        if self.watched.call("player") == CHANCE:
            legal = self.watched.listed("moves")
            if not legal:
                return -1
            reached = np.cumsum(self.check_chance(legal, number))
            return legal[min(int(np.searchsorted(reached, rng.uniform(), side="right")), len(legal) - 1)]
        move = self.chosen("urgent", rng) if tactical else -1
        return self.chosen("light", rng) if move < 0 else move

    def chosen(self, name: str, rng: Any) -> int:
        move = self.watched.call(name, np.zeros(self.watched.max_moves, np.int32), rng)
        if isinstance(move, (bool, np.bool_)) or not isinstance(move, (int, np.integer)) or move < -1:
            self.watched.fail(name, f"{name} must return a move, or -1 for none, not {move!r}")
        return int(move)
