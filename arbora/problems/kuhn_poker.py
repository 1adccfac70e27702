"""Kuhn poker: three cards, two players with one card each, one bet.

Both put one chip into the pot and get a card. A move is 0, to pass, or 1, to bet a second chip; who passes after a bet has
folded. Otherwise the higher card takes the pot.
"""

from typing import Any

import numpy as np

from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.problem import CHANCE, problem

PASS, BET = range(2)
CARDS = "JQK"
_NONE = -1  # no card
# The moves so far as the digits of a binary number, behind a leading one
_START, _PASSED, _BET, _PASSED_BET = 0b1, 0b10, 0b11, 0b101
_FIRST_FOLDED, _SECOND_FOLDED = 0b1010, 0b110
_BOTH_PASSED, _BOTH_BET, _BOTH_BET_LATE = 0b100, 0b111, 0b1011
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@problem
class KuhnPoker:
    """Poker with three cards: pass or bet, and nobody sees the other's card."""

    def layout(self) -> Any:
        return [("card", np.int8, (2,)), ("moved", np.int8)]

    def max_moves(self) -> int:
        return 3

    def max_length(self) -> int:
        return 5

    def players(self) -> int:
        return 2

    def payoffs(self) -> tuple[float, float]:
        return -2.0, 2.0

    def reset(self, state):
        state.card[0] = _NONE
        state.card[1] = _NONE
        state.moved = _START

    def player(self, state):
        if state.card[1] == _NONE:
            return CHANCE
        return 1 if state.moved == _PASSED or state.moved == _BET else 0

    def moves(self, state, out):
        if state.card[1] == _NONE:
            count = 0
            for card in range(3):
                if card != state.card[0]:
                    out[count] = card
                    count += 1
            return count
        if is_over(state.moved):
            return 0
        out[0] = PASS
        out[1] = BET
        return 2

    def chance(self, state, move):
        return 1.0 / 3.0 if state.card[0] == _NONE else 0.5

    def play(self, state, move):
        if state.card[0] == _NONE:
            state.card[0] = move
        elif state.card[1] == _NONE:
            state.card[1] = move
        else:
            state.moved = state.moved << 1 | move

    def payoff(self, state, player):
        worth = 1.0
        if state.moved == _FIRST_FOLDED:
            worth = -1.0
        elif state.moved != _SECOND_FOLDED:
            worth = 1.0 if state.moved == _BOTH_PASSED else 2.0
            if state.card[0] < state.card[1]:
                worth = -worth
        return worth if player == 0 else -worth

    def hidden(self, state, player):
        """Is there a card that this player does not see? Cards are only shown when nobody has folded."""
        shown = state.moved == _BOTH_PASSED or state.moved == _BOTH_BET or state.moved == _BOTH_BET_LATE
        return state.card[1 - player] != _NONE and not shown

    def determinize(self, state, player, rng):
        if not self.hidden(state, player):
            return
        own = state.card[player]
        if own == _NONE:
            state.card[1 - player] = rng.below(3)
        else:
            state.card[1 - player] = (own + 1 + rng.below(2)) % 3

    def worlds(self, state, player):
        if not self.hidden(state, player):
            return 1.0
        return 3.0 if state.card[player] == _NONE else 2.0

    def seen(self, state, player):
        other = state.card[1 - player]
        if self.hidden(state, player):
            other = 3
        cards = np.uint64(state.card[player] + 1) | np.uint64(other + 1) << np.uint64(3)
        return scrambled((cards | np.uint64(state.moved) << np.uint64(6) | np.uint64(player) << np.uint64(10)) + _GOLDEN)

    def text(self, state: Any, move: int) -> str:
        return CARDS[int(move)] if state.card[1] == _NONE else ("pass", "bet")[int(move)]

    def render(self, state: Any) -> str:
        return described(state, [_name(state.card[0]), _name(state.card[1])])

    def show(self, state: Any, player: int) -> str:
        cards = [_name(state.card[0]), _name(state.card[1])]
        if self.hidden(state, player):
            cards[1 - player] = "?"
        return described(state, cards)


@inline_kernel
def is_over(moved):
    """Do these moves end the game?"""
    return moved > _BET and moved != _PASSED_BET


def described(state: Any, cards: list[str]) -> str:
    """A position in a line, with the cards as they are to be seen."""
    names = [("pass", "bet")[int(digit)] for digit in f"{int(state.moved):b}"[1:]]
    moves = ", ".join(names) if names else "nothing bet yet"
    return f"player 1 has {cards[0]}, player 2 has {cards[1]}; {moves}"


def _name(card: int) -> str:
    return "no card" if card == _NONE else CARDS[card]
