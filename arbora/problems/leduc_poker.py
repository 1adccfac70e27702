"""Leduc poker: six cards of three ranks and two suits, two rounds of betting, and one card for both between them.

Both put one chip into the pot and get a card of their own. A raise is two chips in the first round and four in the second,
and there are at most two of them in a round. A pair with the card for both wins, else the higher rank; equal ranks share.
A card is 2 · rank + suit, a move of a player 0 to fold, 1 to call (which is to check, where nothing was raised), 2 to raise.
"""

from typing import Any

import numpy as np

from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.problem import CHANCE, problem

FOLD, CALL, RAISE = range(3)
CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")  # spades and hearts
PUBLIC = 2  # the place of the card for both, behind those of the players
_NONE = -1
_MOST_RAISES = 2
_NOBODY = -1
_SHOWN = -2  # in place of who has folded: nobody has, and the cards are shown
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@problem
class LeducPoker:
    """Poker with six cards and two rounds: fold, call or raise."""

    def layout(self) -> Any:
        return [
            ("moved", np.int32),  # the moves of both so far, two bits each behind a leading one
            ("card", np.int8, (3,)),  # of either player, and for both
            ("paid", np.int8, (2,)),
            ("mover", np.int8),
            ("raises", np.int8),  # in this round
            ("called", np.int8),  # has somebody called or checked in this round?
            ("folded", np.int8),
        ]

    def max_moves(self) -> int:
        return 6

    def max_length(self) -> int:
        return 11

    def players(self) -> int:
        return 2

    def payoffs(self) -> tuple[float, float]:
        return -13.0, 13.0

    def reset(self, state):
        state.moved = 1
        for place in range(3):
            state.card[place] = _NONE
        state.paid[0] = 1
        state.paid[1] = 1
        state.mover = CHANCE
        state.raises = 0
        state.called = 0
        state.folded = _NOBODY

    def player(self, state):
        return np.int64(state.mover)

    def moves(self, state, out):
        if state.folded != _NOBODY:
            return 0
        count = 0
        if state.mover == CHANCE:
            for card in range(6):
                if card != state.card[0] and card != state.card[1]:
                    out[count] = card
                    count += 1
            return count
        if state.paid[state.mover] < state.paid[1 - state.mover]:
            out[0] = FOLD
            count = 1
        out[count] = CALL
        count += 1
        if state.raises < _MOST_RAISES:
            out[count] = RAISE
            count += 1
        return count

    def chance(self, state, move):
        if state.card[0] == _NONE:
            return 1.0 / 6.0
        return 0.2 if state.card[1] == _NONE else 0.25

    def play(self, state, move):
        mover = state.mover
        if mover == CHANCE:
            self.deal(state, move)
            return
        state.moved = state.moved << 2 | move
        if move == FOLD:
            state.folded = mover
            return
        facing = state.paid[1 - mover]
        if move == RAISE:
            state.paid[mover] = facing + (2 if state.card[PUBLIC] == _NONE else 4)
            state.raises += 1
        elif state.raises > 0 or state.called:
            state.paid[mover] = facing
            self.end_round(state)
            return
        else:
            state.called = 1
        state.mover = 1 - mover

    def deal(self, state, card):
        if state.card[0] == _NONE:
            state.card[0] = card
            return
        state.card[1 if state.card[1] == _NONE else PUBLIC] = card
        state.mover = 0

    def end_round(self, state):
        if state.card[PUBLIC] == _NONE:
            state.mover = CHANCE
            state.raises = 0
            state.called = 0
        else:
            state.folded = _SHOWN

    def payoff(self, state, player):
        if state.folded >= 0:
            lost = np.float64(state.paid[state.folded])
            return -lost if state.folded == player else lost
        own, other = strength(state, player), strength(state, 1 - player)
        if own == other:
            return 0.0
        return np.float64(state.paid[1 - player]) if own > other else -np.float64(state.paid[player])

    def hidden(self, state, player):
        """Is there a card that this player does not see? Cards are only shown when nobody has folded."""
        return state.card[1 - player] != _NONE and state.folded != _SHOWN

    def determinize(self, state, player, rng):
        if not self.hidden(state, player):
            return
        own, public = state.card[player], state.card[PUBLIC]
        card = rng.below(self.unseen(state, player))
        # The cards that are seen are left out of the count, the lower one first.
        if min(own, public) != _NONE and card >= min(own, public):
            card += 1
        if max(own, public) != _NONE and card >= max(own, public):
            card += 1
        state.card[1 - player] = card

    def unseen(self, state, player):
        """How many cards this player does not see while the other's card is hidden."""
        count = 6
        if state.card[player] != _NONE:
            count -= 1
        if state.card[PUBLIC] != _NONE:
            count -= 1
        return count

    def worlds(self, state, player):
        return np.float64(self.unseen(state, player)) if self.hidden(state, player) else 1.0

    def seen(self, state, player):
        other = np.int64(state.card[1 - player])
        if self.hidden(state, player):
            other = 6
        cards = (np.int64(state.card[player] + 1) * 8 + (other + 1)) * 8 + state.card[PUBLIC] + 1
        return scrambled((np.uint64(state.moved) << np.uint64(10) | np.uint64(cards * 2 + player)) + _GOLDEN)

    def text(self, state: Any, move: int) -> str:
        return CARDS[int(move)] if state.mover == CHANCE else ("fold", "call", "raise")[int(move)]

    def render(self, state: Any) -> str:
        return described(state, [_name(state.card[0]), _name(state.card[1])])

    def show(self, state: Any, player: int) -> str:
        cards = [_name(state.card[0]), _name(state.card[1])]
        if self.hidden(state, player):
            cards[1 - player] = "?"
        return described(state, cards)


@inline_kernel
def strength(state, player):
    """What a player's card is worth beside the card for both: more than that of any other rank if it is a pair."""
    rank = state.card[player] >> 1
    return 3 if rank == state.card[PUBLIC] >> 1 else rank


def described(state: Any, cards: list[str]) -> str:
    """A position in a line, with the cards as they are to be seen."""
    moves, left = [], int(state.moved)
    while left > 1:
        moves.append(("fold", "call", "raise")[left & 3])
        left >>= 2
    public = "" if state.card[PUBLIC] == _NONE else f", for both {_name(state.card[PUBLIC])}"
    told = ", ".join(reversed(moves)) if moves else "nothing bet yet"
    return (
        f"player 1 has {cards[0]} and paid {state.paid[0]}, player 2 has {cards[1]} and paid {state.paid[1]}{public}; {told}"
    )


def _name(card: int) -> str:
    return "no card" if card == _NONE else CARDS[card]
