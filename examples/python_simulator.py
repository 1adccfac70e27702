"""A plain Python class under a compiled search: the longest chain of words.

    arbora solve examples/python_simulator.py:WordChain

Each word begins with the letter that the last one ended with, and none comes twice. The longest chain of these 24 words
has 16, as trying all chains shows.

Nothing here is for Arbora: no decorator, no import, and strings, lists and sets as you like. Any object with these four
methods can be searched; it costs a call into Python for each step, and runs on one thread.
"""

TEXT = """
    alligator bee cobra crab dog eagle eel elk gazelle gnat goat kangaroo
    lobster newt owl ostrich rabbit rat tapir tiger toad trout turtle wasp
"""
WORDS = TEXT.split()


class WordChain:
    """Chain words, each beginning with the last letter of the one before."""

    # Optional, but memory is set aside for these, and without them for 1,000 moves and episodes of 10,000.
    max_moves = len(WORDS)
    max_length = len(WORDS)

    def reset(self):
        self.chain = []
        self.left = set(WORDS)

    def moves(self):
        """A move is the number of a word."""
        return [i for i, word in enumerate(WORDS) if word in self.left and (not self.chain or word[0] == self.chain[-1][-1])]

    def play(self, move):
        self.chain.append(WORDS[move])
        self.left.remove(WORDS[move])

    def score(self):
        return len(self.chain)

    def text(self, move):
        return WORDS[move]

    def code(self, move):
        """What NRPA learns: which word follows which."""
        before = WORDS.index(self.chain[-1]) if self.chain else len(WORDS)
        return before * len(WORDS) + move
