"""What a player knows of the cards in OpenSpiel's gin rummy.

Cards that a player was dealt or has drawn from the stock are hidden from the other, until he discards or melds them. Who
knocks has little deadwood left, which is all that is known of it.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arbora.adapters.dealing import Seen

_TRIES = 10_000


@dataclass
class GinRummy:
    """The places in the history where the other player got a card that was hidden, and what became of these cards."""

    seen: Seen
    melded: Callable[[int], list[int]]  # the cards of a move that lays a meld
    knock_card: int  # most points of deadwood that a player may knock with

    def __post_init__(self) -> None:
        seen, parameters = self.seen, self.seen.parameters
        self.ranks, hand_size = parameters["num_ranks"], parameters["hand_size"]
        self.deck = self.ranks * parameters["num_suits"]
        take_upcard, knock, first_meld = self.deck, self.deck + 3, self.deck + 4
        player, other = seen.player, 1 - seen.player
        self.places: list[int] = []  # where the other got a hidden card, by their place in the history
        self.shown: list[tuple[int, int]] = []  # cards that had been hidden, and by when he had them
        taken: list[int] = []  # cards in the other's hand that were taken face up
        public: set[int] = set()
        knocking = self.knocked = False
        upcard = -1
        drawer = 0
        for place, (move, mover) in enumerate(zip(seen.history, seen.movers, strict=True)):
            if mover < 0:
                if place == 2 * hand_size:
                    upcard = move
                    public.add(move)
                    continue
                owner = place // hand_size if place < 2 * hand_size else drawer
                if owner == player:
                    public.add(move)
                else:
                    self.places.append(place)
                continue
            drawer = mover
            if mover == other:
                laid = self.melded(move) if move >= first_meld else [move] if move < self.deck else []
                for card in laid:
                    if card in taken:
                        taken.remove(card)
                    else:
                        self.shown.append((card, place))
                public.update(laid)
                knocking = knocking or move == knock
                self.knocked = self.knocked or (knocking and move == knock - 1)  # passes, and what is left is deadwood
                at_the_wall = move == knock and seen.movers[place - 1] == player  # with the last upcard, and no draw
                if move == take_upcard or at_the_wall:
                    taken.append(upcard)
            if move < self.deck:
                upcard = move
        self.taken = taken
        self.hidden = [card for card in range(self.deck) if card not in public]
        self.count = len(self.places) - len(self.shown)

    def draw(self, rng: np.random.Generator) -> list[int]:
        moves = list(self.seen.history)
        free = list(self.places)
        for card, place in self.shown:  # in the order of time: who had it early must have got it before
            before = [where for where in free if where < place]
            where = before[rng.integers(len(before))]
            free.remove(where)
            moves[where] = card
        for where, card in zip(free, self.unknown_cards(rng), strict=True):
            moves[where] = card
        return moves

    def unknown_cards(self, rng: np.random.Generator) -> list[int]:
        """What the other has in hand that was never seen."""
        if not self.knocked:
            return rng.permutation(self.hidden)[: self.count].tolist()
        left = self.knock_card - sum(map(self.points, self.taken))
        low = [card for card in self.hidden if self.points(card) <= left]
        for _ in range(_TRIES):
            cards = rng.permutation(low)[: self.count].tolist()
            if sum(map(self.points, cards)) <= left:
                return cards
        return sorted(low, key=self.points)[: self.count]

    def points(self, card: int) -> int:
        return min(card % self.ranks + 1, 10)
