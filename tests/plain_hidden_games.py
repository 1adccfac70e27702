"""Plain Python games that hide something, for tests of simulators: a bet on the higher card."""

from arbora.problem import CHANCE

FOLD, BET = 0, 1
CARDS = 5


class HighCard:
    """Each of two players has a card. The first bets or folds; if he bets, the other calls or folds."""

    players = 2
    payoffs = (-1, 1)
    max_moves = CARDS
    max_length = 4

    def reset(self):
        self.history = []

    def moves(self):
        if len(self.history) < 2:
            return [card for card in range(CARDS) if card not in self.history]
        over = len(self.history) == 4 or self.history[2:] == [FOLD]
        return [] if over else [FOLD, BET]

    def play(self, move):
        self.history.append(move)

    def player(self):
        return CHANCE if len(self.history) < 2 else len(self.history) - 2

    def chance(self, move):
        return 1 / (CARDS - len(self.history))

    def payoff(self, player):
        cards, bets = self.history[:2], self.history[2:]
        if bets[:1] != [BET]:
            won = -0.1 if bets else 0.0
        elif bets == [BET, BET]:
            won = 1.0 if cards[0] > cards[1] else -1.0
        else:
            won = 0.5
        return won if player == 0 else -won

    def determinize(self, player, rng):
        """The other card is any but one's own."""
        if len(self.history) >= 2:
            self.history[1 - player] = rng.choice([card for card in range(CARDS) if card != self.history[player]])
        return self.history

    def seen(self, player):
        return self.history[player : player + 1], self.history[2:]

    def worlds(self, player):
        return CARDS - 1

    def show(self, player):
        return f"your card: {self.history[player] + 1}" if len(self.history) >= 2 else "nobody has a card yet"


class Told(HighCard):
    """With something that has a hash as what is seen."""

    def seen(self, player):
        return (*self.history[player : player + 1], "bets", *self.history[2:])


class Saved(Told):
    """With positions to come back to."""

    restored = 0

    def snapshot(self):
        return list(self.history)

    def restore(self, snapshot):
        self.history = list(snapshot)
        Saved.restored += 1


class Finished(Saved):
    """Plays on by itself."""

    finished = 0

    def finish(self, rng):
        Finished.finished += 1
        before = len(self.history)
        while moves := self.moves():
            self.play(rng.choice(moves))
        return len(self.history) - before
