"""Games as plain Python classes, for tests of simulators and of the conformance suite."""

LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class PlainTicTacToe:
    """Tic-tac-toe on a list, which counts how often it is asked what."""

    players = 2
    max_moves = 9
    max_length = 9

    def __init__(self) -> None:
        self.asked = {"moves": 0, "player": 0, "payoff": 0}

    def reset(self) -> None:
        self.board = [-1] * 9
        self.turn = 0
        self.winner = -1

    def moves(self) -> list[int]:
        self.asked["moves"] += 1
        return [cell for cell in range(9) if self.board[cell] < 0] if self.winner < 0 else []

    def play(self, cell: int) -> None:
        self.board[cell] = self.turn
        if any(self.board[a] == self.board[b] == self.board[c] == self.turn for a, b, c in LINES):
            self.winner = self.turn
        self.turn = 1 - self.turn

    def player(self) -> int:
        self.asked["player"] += 1
        return self.turn

    def payoff(self, player: int) -> float:
        self.asked["payoff"] += 1
        return 0.5 if self.winner < 0 else float(player == self.winner)


class Pot:
    """Three players in turn take or leave what a loaded die shows: twice 1, once 4; each has two throws."""

    players = 3
    payoffs = (0, 8)
    max_moves = 2
    max_length = 12
    SHOWN = (1, 4)

    def reset(self) -> None:
        self.history: list[int] = []

    def moves(self) -> list[int]:
        return [0, 1] if len(self.history) < 12 else []

    def play(self, move: int) -> None:
        self.history.append(move)

    def player(self) -> int:
        """Chance throws the die before each turn."""
        return -1 if len(self.history) % 2 == 0 else len(self.history) // 2 % 3

    def chance(self, move: int) -> float:
        return (2 / 3, 1 / 3)[move]

    def payoff(self, player: int) -> float:
        turns = zip(self.history[::2], self.history[1::2], strict=False)
        return sum(self.SHOWN[thrown] * taken for i, (thrown, taken) in enumerate(turns) if i % 3 == player)
