"""What `watched` checks in games that hide something: what a player sees, and that nothing else goes into what is drawn.

A draw that knows what is really hidden cannot be told from a lucky one. But where two positions look the same to a player,
whatever he draws must be as likely in one as in the other. Such pairs are found in three ways: a position and one drawn
from it; two positions of different episodes; and the same episode with a move or two changed that he does not see.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from arbora.engine.rng import make_rng
from arbora.problem import CHANCE, copied, like_compiled
from arbora.simulator import host_of

if TYPE_CHECKING:
    from arbora.watched import Watched

_DRAWS = 60  # from each of two positions that look the same
_MORE_DRAWS = 600  # if they seem to differ
_POSITIONS = 12  # looked at closely, one of an episode
_ATTEMPTS = 40  # at changing an episode so that it looks the same
_TWINS = 3  # positions that look the same, at most
# How far counts of two samples may be apart: (a - b)² / 2(a + b), which is more with a probability below 2 exp(-this).
_SUSPICIOUS, _CERTAIN = 5.0, 25.0


class HiddenRules:
    """The rules that a watched game with hidden information has to keep, and what has been seen of it."""

    def __init__(self, watched: "Watched") -> None:
        self.watched = watched
        self.situations: dict[int, tuple[int, frozenset[int]]] = {}  # whose turn it is and the moves, by what he has seen
        self.compared = 0  # pairs of positions that look the same

    def check_view(self, legal: list[int], number: int, rng: Any) -> None:
        """What the player on turn sees is told rightly, and is the same after a draw."""
        watched = self.watched
        player = int(watched.call("player"))
        if player == CHANCE:
            return
        view = self.view(player)
        situation = player, frozenset(legal)
        if "seen" in watched.provides and self.situations.setdefault(view["seen"], situation) != situation:
            watched.fail("seen", f"what player {player} has seen after {number} moves stands for other moves as well")
        if "determinize" in watched.provides:
            with watched.at(self.drawn(player, rng)):
                self.check_same_view(player, view, legal, number)

    def check_same_view(self, player: int, view: dict[str, Any], legal: list[int], number: int) -> None:
        """Nothing that a player sees has changed, now that what he does not see was drawn anew."""
        watched = self.watched
        turn, moves = int(watched.call("player")), watched.listed("moves")
        if turn != player:
            watched.fail("determinize", f"after {number} moves and a draw for player {player}, it is the turn of {turn}")
        if set(moves) != set(legal):
            differ = min(set(moves) ^ set(legal))
            told = (
                f"after {number} moves, a draw for player {player}, who is on turn, changes whether move {differ} is legal"
            )
            watched.fail("determinize", told)
        for name, value in self.view(player).items():
            if value != view[name]:
                watched.fail("determinize", f"after {number} moves, a draw for player {player} changes his own {name}")

    def view(self, player: int) -> dict[str, Any]:
        """All that the game says of what a player knows."""
        watched = self.watched
        told: dict[str, Any] = {}
        if "seen" in watched.provides:
            told["seen"] = watched.call("seen", player)
            if isinstance(told["seen"], (bool, np.bool_)) or not isinstance(told["seen"], (int, np.integer)):
                watched.fail("seen", f"seen must be a whole number of 64 bits, not {told['seen']!r}")
        if "worlds" in watched.provides:
            told["worlds"] = watched.number("worlds", player)
            if not told["worlds"] >= 1.0:
                watched.fail("worlds", f"worlds is {told['worlds']:g} for player {player}; it must be 1 or more")
        if "show" in watched.provides:
            told["show"] = str(watched.call("show", player))
        return told

    def check_draws(self, seed: int, playouts: int) -> str | None:
        """Draws do not depend on what is hidden, as far as can be seen in some positions. What was looked at, in a line."""
        if "determinize" not in self.watched.provides:
            return None
        differ, alone = 0, True
        met: dict[int, Any] = {}
        with like_compiled():
            for number in range(min(playouts, _POSITIONS)):
                for player, state, moves, choices in self.some_decision(seed + number):
                    rng = make_rng(seed + number, 2)
                    draws = self.draws(state, player, rng, _DRAWS)
                    different = len(np.unique(draws, axis=0))
                    self.check_count(state, player, different)
                    alone = alone and self.is_alone(state, player)
                    differ += different > 1 or not (draws[0] == self.content(state)).all()
                    twins = [self.drawn_from(state, player, rng), *self.changed(state, player, moves, choices, rng)]
                    seen = self.seen_in(state, player)
                    if seen is not None and seen in met:
                        twins.append(met[seen])
                    elif seen is not None:
                        met[seen] = state
                    for twin in twins:
                        self.compare(state, twin, player, draws, rng)
        if not differ and not alone:
            self.watched.fail("determinize", "every draw was the real position; what is hidden must be drawn anew")
        return f"draws do not depend on what is hidden: {self.compared} pairs of positions that look the same"

    def some_decision(self, seed: int) -> Iterator[tuple[int, Any, list[int], list[list[int]]]]:
        """A decision of a random episode, if there is one: whose, the position, the moves to it, and what else was legal."""
        watched, rng = self.watched, make_rng(seed, 3)
        watched.call("reset")
        moves: list[int] = []
        choices: list[list[int]] = []
        found: list[tuple[int, Any, int]] = []
        while legal := watched.listed("moves"):
            player = int(watched.call("player"))
            if player != CHANCE:
                found.append((player, copied(watched.problem, watched.state), len(moves)))
            choices.append(legal)
            moves.append(legal[rng.below(len(legal))])
            watched.call("play", moves[-1])
        if found:
            player, state, length = found[rng.below(len(found))]
            yield player, state, moves[:length], choices[:length]

    def changed(
        self, state: Any, player: int, moves: Sequence[int], choices: Sequence[Sequence[int]], rng: Any
    ) -> Iterator[Any]:
        """Other positions that look the same to a player: the episode with a move changed, or two of them exchanged."""
        wanted = self.seen_in(state, player)
        if wanted is None or not moves:
            return
        found = 0
        for _ in range(_ATTEMPTS):
            edited, one, other = list(moves), rng.below(len(moves)), rng.below(len(moves))
            if one == other:
                edited[one] = choices[one][rng.below(len(choices[one]))]
            else:
                edited[one], edited[other] = moves[other], moves[one]
            twin = self.replayed(edited) if edited != moves else None
            if twin is not None and self.seen_in(twin, player) == wanted and self.turn_in(twin) == player:
                yield twin
                found += 1
                if found == _TWINS:
                    return

    def replayed(self, moves: Sequence[int]) -> Any:
        """The position after these moves, if all are legal."""
        watched = self.watched
        watched.call("reset")
        for move in moves:
            if move not in watched.listed("moves"):
                return None
            watched.call("play", move)
        return copied(watched.problem, watched.state)

    def compare(self, state: Any, twin: Any, player: int, draws: np.ndarray, rng: Any) -> None:
        """Two positions look the same to a player: fail if what he draws there is not."""
        place = _most_different(draws, self.draws(twin, player, rng, _DRAWS), _SUSPICIOUS)
        if place is not None:
            one, other = (self.draws(position, player, rng, _MORE_DRAWS)[:, [place]] for position in (state, twin))
            if _most_different(one, other, _CERTAIN) is not None:
                told = f"in two positions that look the same to him, {self.field_at(place)} is drawn differently"
                self.watched.fail("determinize", f"draws for player {player} depend on what is hidden from him: {told}")
        self.compared += 1

    def check_count(self, state: Any, player: int, different: int) -> None:
        """As many different positions were drawn as `worlds` allows."""
        if "worlds" not in self.watched.provides:
            return
        with self.watched.at(state):
            worlds = self.watched.number("worlds", player)
        if different > worlds or (different == 1 and worlds > 1):
            drawn = "always the same position was" if different == 1 else f"{different} different positions were"
            self.watched.fail("worlds", f"worlds is {worlds:g} for player {player}, but in {_DRAWS} draws {drawn} drawn")

    def is_alone(self, state: Any, player: int) -> bool:
        """Does the game say that this player sees everything here?"""
        if "worlds" not in self.watched.provides:
            return False
        with self.watched.at(state):
            return self.watched.number("worlds", player) == 1.0

    def seen_in(self, state: Any, player: int) -> int | None:
        if "seen" not in self.watched.provides:
            return None
        with self.watched.at(state):
            return int(self.watched.call("seen", player))

    def turn_in(self, state: Any) -> int:
        with self.watched.at(state):
            return int(self.watched.call("player"))

    def drawn(self, player: int, rng: Any) -> Any:
        """What a player draws in the position at hand."""
        return self.drawn_from(self.watched.state, player, rng)

    def drawn_from(self, state: Any, player: int, rng: Any) -> Any:
        sample = copied(self.watched.problem, state)
        with self.watched.at(sample):
            self.watched.call("determinize", player, rng)
        return sample

    def draws(self, state: Any, player: int, rng: Any, count: int) -> np.ndarray:
        """The bytes of so many draws, a row each."""
        return np.array([self.content(self.drawn_from(state, player, rng)) for _ in range(count)])

    def content(self, state: Any) -> np.ndarray:
        """The bytes of a position that mean something."""
        own = copied(self.watched.problem, state)  # without what may stand between its fields
        if host_of(self.watched.problem) is not None:
            own.history[int(own.length) :] = 0
        return np.frombuffer(own.arbora_record.tobytes(), np.uint8)

    def field_at(self, place: int) -> str:
        """What stands at this byte of a position."""
        if host_of(self.watched.problem) is not None:
            return "one of the moves"
        fields = self.watched.dtype.fields or {}
        name = max((name for name in fields if fields[name][1] <= place), key=lambda name: fields[name][1])
        return f"state.{name}"


def _most_different(one: np.ndarray, other: np.ndarray, limit: float) -> int | None:
    """The column whose numbers differ most in how often two samples have them, if above a limit. A row is a draw."""
    varying = np.flatnonzero((one != one[0]).any(axis=0) | (other != one[0]).any(axis=0))
    worst, place = limit, None
    for column in varying.tolist():
        counts = [np.bincount(rows[:, column], minlength=256).astype(float) for rows in (one, other)]
        apart = ((counts[0] - counts[1]) ** 2 / np.maximum(2 * (counts[0] + counts[1]), 1)).max()
        if apart > worst:
            worst, place = float(apart), column
    return place
