"""Tic-tac-toe as an ordinary Python object, as it stands for Arbora, and wrapped as a Python game of OpenSpiel."""

from importlib import import_module
from typing import Any

pyspiel: Any = import_module("pyspiel")

NAME = "arbora_plain_tic_tac_toe"
LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class PlainTicTacToe:
    """Nine cells in a list."""

    players = 2
    max_moves = 9
    max_length = 9

    def reset(self) -> None:
        self.board = [-1] * 9
        self.turn = 0
        self.winner = -1

    def moves(self) -> list[int]:
        return [cell for cell, owner in enumerate(self.board) if owner < 0] if self.winner < 0 else []

    def play(self, cell: int) -> None:
        board, turn = self.board, self.turn
        board[cell] = turn
        for a, b, c in LINES:
            if board[a] == board[b] == board[c] == turn:
                self.winner = turn
        self.turn = 1 - turn

    def player(self) -> int:
        return self.turn

    def payoff(self, player: int) -> float:
        return 0.5 if self.winner < 0 else float(player == self.winner)


class SpielState(pyspiel.State, PlainTicTacToe):
    """The same object as a state of OpenSpiel, which copies its fields twice in a simulation."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.reset()

    def current_player(self) -> int:
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.turn

    def is_terminal(self) -> bool:
        return self.winner >= 0 or -1 not in self.board

    def _legal_actions(self, player: int) -> list[int]:
        return self.moves()

    def _apply_action(self, action: int) -> None:
        self.play(action)

    def returns(self) -> list[float]:
        return [2 * self.payoff(player) - 1 for player in (0, 1)]


class SpielGame(pyspiel.Game):
    def __init__(self, params: Any = None) -> None:
        super().__init__(_TYPE, _INFO, params or {})

    def new_initial_state(self) -> SpielState:
        return SpielState(self)


_TYPE = pyspiel.GameType(
    short_name=NAME,
    long_name="Tic-tac-toe as a plain Python object",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.DETERMINISTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
)
_INFO = pyspiel.GameInfo(
    num_distinct_actions=9,
    max_chance_outcomes=0,
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=9,
)
pyspiel.register_game(_TYPE, SpielGame)
