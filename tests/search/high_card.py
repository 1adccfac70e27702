"""A small game of three players that hides cards, with chance between the moves."""

import numpy as np

import arbora
from arbora.engine.mixing import scrambled
from arbora.problem import CHANCE

NONE, HIDDEN, CARDS = -1, -2, 7
KEEP, DRAW = range(2)


@arbora.problem
class HighCard:
    """Three players with a card each keep it in turn, or draw another if the one before has not; the highest card wins."""

    def layout(self):
        return [("card", np.int8, (3,)), ("old", np.int8, (3,)), ("turn", np.int8)]

    def max_moves(self):
        return CARDS

    def max_length(self):
        return 8

    def players(self):
        return 3

    def reset(self, state):
        for player in range(3):
            state.card[player] = NONE
            state.old[player] = NONE
        state.turn = 0

    def next_to_get(self, state):
        player = 0
        while player < 3 and state.card[player] != NONE:
            player += 1
        return player

    def is_out(self, state, card):
        for player in range(3):
            if state.card[player] == card or state.old[player] == card:
                return True
        return False

    def player(self, state):
        return CHANCE if self.next_to_get(state) < 3 else min(np.int64(state.turn), 2)

    def moves(self, state, out):
        count = 0
        if self.next_to_get(state) < 3:
            for card in range(CARDS):
                if not self.is_out(state, card):
                    out[count] = card
                    count += 1
        elif state.turn < 3:
            out[0] = KEEP
            out[1] = DRAW
            count = 2 if state.turn == 0 or state.old[state.turn - 1] == NONE else 1
        return count

    def chance(self, state, move):
        left = 0
        for card in range(CARDS):
            left += not self.is_out(state, card)
        return 1.0 / left

    def play(self, state, move):
        getting = self.next_to_get(state)
        if getting < 3:
            state.card[getting] = move
            if state.old[getting] != NONE:
                state.turn += 1
        elif move == KEEP:
            state.turn += 1
        else:
            state.old[state.turn] = state.card[state.turn]
            state.card[state.turn] = NONE

    def payoff(self, state, player):
        for other in range(3):
            if state.card[other] > state.card[player]:
                return 0.0
        return 1.0

    def determinize(self, state, player, rng):
        for cards in (state.card, state.old):
            for other in range(3):
                if other != player and cards[other] != NONE:
                    cards[other] = HIDDEN
        for cards in (state.card, state.old):
            for other in range(3):
                while cards[other] == HIDDEN:
                    card = rng.below(CARDS)
                    if not self.is_out(state, card):
                        cards[other] = card

    def worlds(self, state, player):
        count, left = 1.0, CARDS - (state.card[player] != NONE) - (state.old[player] != NONE)
        for cards in (state.card, state.old):
            for other in range(3):
                if other != player and cards[other] != NONE:
                    count *= left
                    left -= 1
        return count

    def seen(self, state, player):
        word = np.int64(player)
        for other in range(3):
            word = word * 4 + 2 * (state.card[other] != NONE) + (state.old[other] != NONE)
        word = ((word * 4 + state.turn) * 16 + state.card[player] + 1) * 16 + state.old[player] + 1
        return scrambled(np.uint64(word + 1))
