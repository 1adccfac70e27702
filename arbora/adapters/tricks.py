"""What a player knows of the cards in OpenSpiel's games of tricks: hearts, euchre and oh hell.

A card is its rank times the number of suits plus its suit. Whoever does not follow the suit that was led has no card of it.
In what order a player got his own cards, nobody sees; so in draws they are sorted.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from arbora.adapters.dealing import NOBODY, Places, Seen

_HEARTS, _SPADES = 2, 3
_HEARTS_SUITS, _HEARTS_CARDS, _HEARTS_HAND, _PASSED = 4, 52, 13, 3
_TWO_OF_CLUBS, _QUEEN_OF_SPADES = 0, 43
_EUCHRE_CARDS, _EUCHRE_HAND, _JACK = 24, 5, 2
_PASS, _FIRST_TRUMP, _ALONE = 24, 25, 29
_DISCARDED = -2  # the place of the dealer's discard


def followed(
    plays: Sequence[tuple[int, int]], trick: int, suit_of: Callable[[int], int], deck: Iterable[int]
) -> dict[int, set[int]]:
    """The cards that each player cannot have any more, by the suits that he did not follow. A play is (player, card)."""
    deck = list(deck)
    missing: dict[int, set[int]] = {}
    led = -1
    for number, (player, card) in enumerate(plays):
        if number % trick == 0:
            led = suit_of(card)
        elif suit_of(card) != led:
            missing.setdefault(player, set()).update(other for other in deck if suit_of(other) == led)
    return missing


def by_player(plays: Iterable[tuple[int, int]], players: int) -> list[list[int]]:
    """The cards that each player has played."""
    found: list[list[int]] = [[] for _ in range(players)]
    for player, card in plays:
        found[player].append(card)
    return found


def hidden_from(player: int, players: int) -> Iterator[int]:
    """All others."""
    return (other for other in range(players) if other != player)


def frozen(missing: Mapping[int, set[int]], player: int) -> dict[int, frozenset[int]]:
    return {other: frozenset(cards) for other, cards in missing.items() if other != player}


@dataclass
class OhHell:
    """Hands are dealt in turn, and one more card turned up as trump."""

    seen: Seen

    def __post_init__(self) -> None:
        seen, parameters = self.seen, self.seen.parameters
        self.players = parameters["players"]
        suits = parameters["num_suits"]
        deck = range(suits * parameters["num_cards_per_suit"])
        tricks = seen.history[0]
        self.first, self.rest = 2, 2 + self.players * tricks  # after the number of tricks and the dealer
        self.own = sorted(seen.history[self.first + seen.player : self.rest : self.players])
        plays = [
            (mover, move) for mover, move in zip(seen.movers, seen.history, strict=True) if mover >= 0 and move < len(deck)
        ]
        self.played = by_player(plays, self.players)
        public = {*self.own, seen.history[self.rest], *(card for _, card in plays)}
        room = {other: tricks - len(self.played[other]) for other in hidden_from(seen.player, self.players)}
        cards = [card for card in deck if card not in public]
        room[NOBODY] = len(cards) - sum(room.values())
        missing = followed(plays, self.players, lambda card: card % suits, deck)
        self.places = Places(cards, room, frozen(missing, seen.player))

    def draw(self, rng: np.random.Generator) -> list[int]:
        filled = self.places.fill(rng)
        moves = list(self.seen.history)
        moves[self.first + self.seen.player : self.rest : self.players] = self.own
        for other in hidden_from(self.seen.player, self.players):
            moves[self.first + other : self.rest : self.players] = self.played[other] + filled[other]
        return moves


@dataclass
class Euchre:
    """Five cards each, one turned up, three more in nobody's hand. The dealer may take the one turned up and discard."""

    seen: Seen

    def __post_init__(self) -> None:
        seen = self.seen
        history, player = seen.history, seen.player
        dealer, self.upcard = history[0], history[21]
        self.own = sorted(history[1 + (player - dealer) % 4 : 21 : 4])
        bids = [move for move in history[22:] if move >= _PASS]
        trump = next((bid - _FIRST_TRUMP for bid in bids if _FIRST_TRUMP <= bid < _ALONE), -1)
        picked_up = trump == self.upcard % 4
        acts = [(mover, move) for mover, move in zip(seen.movers, history, strict=True)][22:]
        cards_moved = [place for place, (_, move) in enumerate(acts, start=22) if move < _EUCHRE_CARDS]
        self.discard = cards_moved[0] if picked_up and cards_moved else None  # its place in the history
        plays = [acts[place - 22] for place in cards_moved if place != self.discard]
        self.played = by_player(plays, 4)
        self.dealer = dealer
        self.taken = picked_up and dealer != player  # and kept, since it must not be discarded, unless it was played
        public = {*self.own, self.upcard, *(card for _, card in plays)}
        if self.discard is not None and dealer == player:
            public.add(history[self.discard])
        room = {other: _EUCHRE_HAND - len(self.played[other]) for other in hidden_from(player, 4)}
        room[NOBODY] = _EUCHRE_CARDS - 4 * _EUCHRE_HAND - 1
        if self.taken:
            room[_DISCARDED] = 1
            room[dealer] -= self.upcard not in self.played[dealer]
        cards = [card for card in range(_EUCHRE_CARDS) if card not in public]
        missing = followed(plays, 4 - bids.count(_ALONE), lambda card: euchre_suit(card, trump), range(_EUCHRE_CARDS))
        self.places = Places(cards, room, frozen(missing, player))

    def draw(self, rng: np.random.Generator) -> list[int]:
        filled = self.places.fill(rng)
        moves = list(self.seen.history)
        moves[1 + (self.seen.player - self.dealer) % 4 : 21 : 4] = self.own
        for other in hidden_from(self.seen.player, 4):
            hand = self.played[other] + filled[other]
            if self.taken and other == self.dealer:
                hand = [card for card in hand + filled[_DISCARDED] if card != self.upcard]
                if self.discard is not None:
                    moves[self.discard] = filled[_DISCARDED][0]
            moves[1 + (other - self.dealer) % 4 : 21 : 4] = hand
        return moves


def euchre_suit(card: int, trump: int) -> int:
    """The suit that a card counts as: the other jack of trump's colour is a trump."""
    same_colour = trump >= 0 and card % 4 == 3 - trump
    return trump if same_colour and card // 4 == _JACK else card % 4


@dataclass
class Hearts:
    """Thirteen cards each; three of them are passed on, unless the direction is none."""

    seen: Seen

    def __post_init__(self) -> None:
        seen = self.seen
        history, player = seen.history, seen.player
        self.own = sorted(history[1 + player : 53 : 4])  # before anything is passed
        self.others = list(hidden_from(player, 4))
        self.direction = history[0]
        self.passes_end = 53 + (4 * _PASSED if self.direction else 0)
        self.passing = len(history) < self.passes_end
        passes = by_player(zip(seen.movers[53 : self.passes_end], history[53 : self.passes_end], strict=True), 4)
        self.passed = sorted(passes[player])
        self.places_of_passes: dict[int, list[int]] = {}
        for place in range(53, min(self.passes_end, len(history))):
            self.places_of_passes.setdefault(seen.movers[place], []).append(place)
        self.received = [] if self.passing or not self.direction else sorted(passes[(player - self.direction) % 4])
        plays = list(zip(seen.movers[self.passes_end :], history[self.passes_end :], strict=True))
        self.played = by_player(plays, 4)
        self.kept: list[list[int]] = [[] for _ in range(4)]  # known to be in a hand, and not played yet
        everything_played = {card for _, card in plays}
        if not self.passing and self.direction:
            self.kept[self.receiver(player)] = [card for card in self.passed if card not in everything_played]
        if plays and _TWO_OF_CLUBS not in everything_played and plays[0][0] != player:
            self.kept[plays[0][0]] = sorted({*self.kept[plays[0][0]], _TWO_OF_CLUBS})
        known = {*self.own, *self.received, *everything_played, *(card for cards in self.kept for card in cards)}
        cards = [card for card in range(_HEARTS_CARDS) if card not in known]
        room = {other: _HEARTS_HAND - len(self.played[other]) - len(self.kept[other]) for other in hidden_from(player, 4)}
        self.places = Places(cards, room, frozen(self.missing(plays), player))

    def receiver(self, player: int) -> int:
        return (player + self.direction) % 4

    def missing(self, plays: Sequence[tuple[int, int]]) -> dict[int, set[int]]:
        """What players cannot have: by suits not followed, points in the first trick, and hearts led too early."""
        parameters, deck = self.seen.parameters, range(_HEARTS_CARDS)
        missing = followed(plays, 4, lambda card: card % _HEARTS_SUITS, deck)
        broken = False
        for number, (player, card) in enumerate(plays):
            is_heart, is_point = card % _HEARTS_SUITS == _HEARTS, card % _HEARTS_SUITS == _HEARTS or card == _QUEEN_OF_SPADES
            lacks = missing.setdefault(player, set())
            if number < 4 and is_point and parameters["no_pts_on_first_trick"]:
                lacks.update(other for other in deck if other % _HEARTS_SUITS != _HEARTS and other != _QUEEN_OF_SPADES)
            if number % 4 == 0 and is_heart and not broken and parameters["must_break_hearts"]:
                spared = _QUEEN_OF_SPADES if parameters["can_lead_hearts_instead_of_qs"] else -1
                lacks.update(other for other in deck if other % _HEARTS_SUITS != _HEARTS and other != spared)
            broken = broken or is_heart or (card == _QUEEN_OF_SPADES and parameters["qs_breaks_hearts"])
        return missing

    def draw(self, rng: np.random.Generator) -> list[int]:
        filled = self.places.fill(rng)
        hands = {other: self.played[other] + self.kept[other] + filled[other] for other in self.others}
        moves = list(self.seen.history)
        moves[1 + self.seen.player : 53 : 4] = self.own
        if self.direction:
            passes = self.passes(hands, rng)
            for giver, places in self.places_of_passes.items():
                for place, card in zip(places, passes[giver], strict=False):
                    moves[place] = card
            if not self.passing:
                for other in self.others:
                    got = passes[(other - self.direction) % 4]
                    hands[other] = [card for card in hands[other] if card not in got] + passes[other]
        for other in self.others:
            moves[1 + other : 53 : 4] = hands[other]
        return moves

    def passes(self, hands: Mapping[int, Sequence[int]], rng: np.random.Generator) -> dict[int, list[int]]:
        """What everybody passes, or has passed: known of and to the player who looks, any three cards otherwise."""
        player = self.seen.player
        passes = {player: self.passed}
        for other in self.others:
            receiver = other if self.passing else self.receiver(other)
            if receiver == player:
                passes[other] = self.received
            else:
                hand = hands[receiver]
                passes[other] = [hand[place] for place in rng.permutation(_HEARTS_HAND)[:_PASSED].tolist()]
        return passes
