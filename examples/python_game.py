"""A game as a plain Python class, under a compiled tree search: Nim.

    arbora check examples/python_game.py:Nim

In turn, two players take any number of stones from one heap; who takes the last stone wins. The player to move wins with
perfect play exactly if the sizes of the heaps, in binary, do not add up to zero without carry (Bouton's theorem): for 1, 3,
5 and 7 they do, so the second player wins.

Nothing here is for Arbora. Any object with these methods is a game: those of a puzzle, with `players`, `player` and
`payoff` in place of `score`. It costs a call into Python for each step, and runs on one thread.
"""

HEAPS = (1, 3, 5, 7)
LARGEST = max(HEAPS)


class Nim:
    """Take stones from heaps; the last stone wins."""

    players = 2
    # Optional, but memory is set aside for these, and without them for 1,000 moves and games of 10,000.
    max_moves = sum(HEAPS)
    max_length = sum(HEAPS)

    def reset(self):
        self.heaps = list(HEAPS)
        self.turn = 0

    def moves(self):
        """A move is a heap and how many stones to take from it."""
        return [heap * LARGEST + take - 1 for heap, size in enumerate(self.heaps) for take in range(1, size + 1)]

    def play(self, move):
        heap, less = divmod(move, LARGEST)
        self.heaps[heap] -= less + 1
        self.turn = 1 - self.turn

    def player(self):
        return self.turn

    def payoff(self, player):
        """1 for the winner, 0 for the loser: the player to move has found no stone left."""
        return 0.0 if player == self.turn else 1.0

    def text(self, move):
        heap, less = divmod(move, LARGEST)
        return f"{less + 1} from heap {heap + 1}"

    def render(self):
        return "\n".join(f"{number}: {'● ' * size}" for number, size in enumerate(self.heaps, start=1))
