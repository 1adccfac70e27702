"""A game of chance for tests: each of two players throws a die three times; who has thrown more gets the difference."""


class HighestThrow:
    players = 2
    payoffs = (-15.0, 15.0)
    max_moves = 6
    max_length = 6

    def reset(self):
        self.throws = []

    def moves(self):
        return list(range(6)) if len(self.throws) < 6 else []

    def chance(self, move):
        return 1 / 6

    def player(self):
        return -1

    def play(self, move):
        self.throws.append(move)

    def payoff(self, player):
        return float(sum(self.throws[player::2]) - sum(self.throws[1 - player :: 2]))
