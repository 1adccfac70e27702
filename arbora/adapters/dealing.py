"""Hidden cards dealt anew in OpenSpiel's card games: every way they may lie, for all that a player has seen, equally likely.

OpenSpiel has samplers of its own for these games, but what they draw is not always possible. In hearts and euchre it gives
cards of a suit to players who could not follow that suit, in oh hell only those cards to others that others really have, and
in gin rummy the moves that lead to a draw are still the real ones.

A game says, of a history and a player who looks at it, what he knows: a `Dealing`. It draws a history that looks the same.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from math import perm
from random import Random
from typing import Any, Protocol

import numpy as np

NOBODY = -1  # who has the cards that are in no hand
_TRIES = 100


class Dealing(Protocol):
    """What a player knows of how the cards lie."""

    def draw(self, rng: np.random.Generator) -> list[int]:
        """The moves from the start of a game that looks the same to him."""


@dataclass(frozen=True)
class Seen:
    """A history, who made each of its moves (-1: chance), and who looks at it."""

    history: Sequence[int]
    movers: Sequence[int]
    player: int
    parameters: Mapping[str, Any]


Reading = Callable[[Seen], Dealing]


@dataclass
class Places:
    """Hidden cards, and where there is room for them."""

    cards: list[int]
    room: dict[int, int]
    refused: dict[int, frozenset[int]] = field(default_factory=dict)  # cards that cannot be there

    def __post_init__(self) -> None:
        self.all = np.array(self.cards, dtype=np.int64)
        self.free = not any(self.refused.get(place) for place, room in self.room.items() if room)
        self.groups = [] if self.free else self._groups()

    def fill(self, rng: np.random.Generator) -> dict[int, list[int]]:
        """The cards of each place, every possible way equally likely."""
        if self.free:
            cards, filled, begin = rng.permutation(self.all).tolist(), {}, 0
            for place, room in self.room.items():
                filled[place] = cards[begin : begin + room]
                begin += room
            return filled
        return self._fill_in_groups(rng)

    def _groups(self) -> list[tuple[list[int], list[int], int]]:
        """Cards that may be in the same places, these places, and in how many ways they can be put there at most.

        Those with the least room come first. Of this room, groups before that have no other have already taken theirs.
        """
        open_to: dict[tuple[int, ...], list[int]] = {}
        for card in self.cards:
            places = tuple(place for place in self.room if card not in self.refused.get(place, ()))
            open_to.setdefault(places, []).append(card)
        groups: list[tuple[list[int], list[int], int]] = []
        for places in sorted(open_to, key=lambda places: sum(self.room[place] for place in places)):
            taken = sum(len(cards) for cards, before, _ in groups if set(before) <= set(places))
            room = sum(self.room[place] for place in places) - taken
            groups.append((open_to[places], list(places), perm(room, len(open_to[places]))))
        return groups

    def _fill_in_groups(self, rng: np.random.Generator) -> dict[int, list[int]]:
        """Group by group, into any of the spots that are left; taken in proportion to how many ways there were to go on.

        A way is drawn with one over the product of these numbers. To keep it with that product over the most that it can be
        makes all ways equally likely.
        """
        filled: dict[int, list[int]] | None = None
        for _ in range(_TRIES):
            attempt: dict[int, list[int]] = {place: [] for place in self.room}
            kept = 1.0
            for cards, places, most in self.groups:
                spots = [place for place in places for _ in range(self.room[place] - len(attempt[place]))]
                if len(spots) < len(cards):
                    break
                for card, spot in zip(cards, rng.permutation(len(spots)).tolist(), strict=False):
                    attempt[spots[spot]].append(card)
                kept *= perm(len(spots), len(cards)) / most
            else:
                filled = attempt
                if kept >= 1.0 or rng.random() < kept:
                    break
        return self._fill_by_exchange(rng) if filled is None else filled

    def _fill_by_exchange(self, rng: np.random.Generator) -> dict[int, list[int]]:
        """Where drawing fails again and again: any way that is possible, by moving cards on to make room."""
        owner: dict[int, int] = {}

        def settle(card: int, passed: set[int]) -> bool:
            for place in rng.permutation(list(self.room)).tolist():
                if place in passed or card in self.refused.get(place, ()):
                    continue
                passed.add(place)
                there = [other for other in owner if owner[other] == place]
                if len(there) < self.room[place] or any(settle(other, passed) for other in there):
                    owner[card] = place
                    return True
            return False

        for card in rng.permutation(self.all).tolist():
            settle(card, set())
        return {place: [card for card in self.cards if owner.get(card) == place] for place in self.room}


class Resampler:
    """Draws states of a game by what its `reading` finds known there; asked often of the same few positions."""

    _REMEMBERED = 4

    def __init__(self, game: Any, reading: Reading) -> None:
        self.start, self.reading = game.new_initial_state(), reading
        self.parameters = game.get_parameters()
        self.known: dict[tuple[int, tuple[int, ...]], Dealing] = {}
        self.asked_with: Random | None = None
        self.rng = np.random.default_rng(0)

    def __call__(self, state: Any, player: int, rng: Random) -> Any:
        """A state that the player holds possible. numpy's numbers are drawn faster; they follow from the first of `rng`."""
        if rng is not self.asked_with:
            self.asked_with, self.rng = rng, np.random.Generator(np.random.SFC64(rng.getrandbits(64)))
        key = player, tuple(state.history())
        known = self.known.get(key)
        if known is None:
            if len(self.known) == self._REMEMBERED:
                del self.known[next(iter(self.known))]
            known = self.known[key] = self.reading(Seen(key[1], self._movers(key[1]), player, self.parameters))
        drawn = self.start.clone()  # a new one takes far longer in some games
        play = drawn.apply_action
        for move in known.draw(self.rng):
            play(move)
        return drawn

    def _movers(self, history: Sequence[int]) -> list[int]:
        state, movers = self.start.clone(), []
        for move in history:
            movers.append(state.current_player())
            state.apply_action(move)
        return movers
