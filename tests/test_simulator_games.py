"""Games as plain Python classes under compiled searches."""

import random

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_games import PlainTicTacToe, Pot
from small_problems import Shelf

import arbora
from arbora.errors import ProblemError
from arbora.problem import CHANCE, is_game, new_state
from arbora.problems.tic_tac_toe import TicTacToe
from arbora.simulator import opened, raise_error


def run_a_little(simulator):
    return arbora.solve(simulator, arbora.Random(), playouts=50, compiled=False)


@settings(deadline=None)
@given(seed=st.integers(0, 2**32))
def test_a_game_behind_callbacks_goes_as_the_compiled_one(seed):
    rng, known = random.Random(seed), TicTacToe()
    with opened(PlainTicTacToe()) as game:
        state, other = new_state(game), new_state(known)
        out, other_out = np.zeros(9, np.int32), np.zeros(9, np.int32)
        game.reset(state)
        known.reset(other)
        while (count := known.moves(other, other_out)) > 0:
            assert game.player(state) == known.player(other)
            assert game.moves(state, out) == count
            assert out[:count].tolist() == other_out[:count].tolist()
            move = int(rng.choice(out[:count]))
            game.play(state, move)
            known.play(other, move)
        assert game.moves(state, out) == 0
        assert [game.payoff(state, player) for player in (0, 1)] == [known.payoff(other, player) for player in (0, 1)]
        assert game.score(state) == known.payoff(other, 0)


def test_players_make_a_game_and_a_score_a_puzzle():
    class Team(Shelf):
        players = ("ann", "bob")  # a field of the user's own

    for simulator, plays in [(PlainTicTacToe(), True), (Pot(), True), (Shelf(), False), (Team(), False)]:
        with opened(simulator) as problem:
            assert is_game(problem) is plays
    assert arbora.solve(Team(), arbora.Random(), playouts=5).playouts == 5


def test_whose_turn_it_is_is_asked_once_in_a_position_together_with_the_moves():
    simulator = PlainTicTacToe()
    with opened(simulator) as game:
        state, out = new_state(game), np.zeros(9, np.int32)
        game.reset(state)
        for _ in range(3):
            assert game.player(state) == 0
            assert game.moves(state, out) == 9
        assert simulator.asked == {"moves": 1, "player": 1, "payoff": 0}
        game.play(state, 4)
        assert [game.player(state), game.moves(state, out), game.player(state)] == [1, 8, 1]
        assert simulator.asked == {"moves": 2, "player": 2, "payoff": 0}


def test_what_the_end_is_worth_is_asked_once_together_with_the_moves():
    simulator = PlainTicTacToe()
    with opened(simulator) as game:
        state, out = new_state(game), np.zeros(9, np.int32)
        for move in (0, 3, 1, 4, 2):
            game.play(state, move)
        for _ in range(3):
            assert [game.payoff(state, player) for player in (0, 1)] == [1.0, 0.0]
            assert game.moves(state, out) == 0
        assert simulator.asked == {"moves": 1, "player": 0, "payoff": 2}


@pytest.mark.parametrize("compiled", [True, False])
def test_what_ends_in_the_tree_are_worth_is_remembered(compiled):
    class Short(PlainTicTacToe):
        """Over after the first move, wherever it goes."""

        def moves(self):
            return super().moves() if self.turn == 0 else []

    simulator = Short()
    search = arbora.UCT(nodes=100, expand=0, prove=False, early_stop=False)
    with arbora.Player(simulator, search, compiled=compiled) as player:
        assert player.think(playouts=500).playouts == 500
    assert simulator.asked["payoff"] == 9 * 2


def test_positions_are_told_apart_when_a_search_jumps():
    with opened(PlainTicTacToe()) as game:
        here, there, out = new_state(game), new_state(game), np.zeros(9, np.int32)
        game.reset(here)
        game.reset(there)
        game.play(there, 3)
        for _ in range(2):
            assert (game.player(here), game.moves(here, out)) == (0, 9)
            assert (game.player(there), game.moves(there, out)) == (1, 8)
            assert 3 not in out[:8]


def test_candidates_do_not_pass_for_moves():
    class Corners(PlainTicTacToe):
        def candidates(self):
            return [cell for cell in (0, 2, 6, 8) if self.board[cell] < 0] or self.moves()

    with opened(Corners()) as game:
        state, out = new_state(game), np.zeros(9, np.int32)
        game.reset(state)
        for _ in range(2):
            assert game.moves(state, out) == 9
            assert out.tolist() == list(range(9))
            assert game.candidates(state, out) == 4
            assert out[:4].tolist() == [0, 2, 6, 8]


def test_chance_has_its_turns_and_payoffs_their_range():
    with opened(Pot()) as game:
        state = new_state(game)
        game.reset(state)
        assert (game.players(), game.payoffs()) == (3, (0.0, 8.0))
        whose = []
        for move in [1, 1, 0, 1, 1, 0, 1, 1, 0, 0, 1, 1]:
            whose.append(int(game.player(state)))
            assert [game.chance(state, face) for face in (0, 1)] == [2 / 3, 1 / 3]
            game.play(state, move)
        assert whose == [CHANCE, 0, CHANCE, 1, CHANCE, 2] * 2
        assert [game.payoff(state, player) for player in range(3)] == [8, 1, 4]


def test_players_and_payoffs_may_be_methods_or_fields_of_the_object():
    class Many(PlainTicTacToe):
        def payoffs(self):
            return -1, 1

        def players(self):
            return 2

    class Few(PlainTicTacToe):
        players = None

        def __init__(self):
            super().__init__()
            self.players = 2

    for simulator, payoffs in [(Many(), (-1.0, 1.0)), (Few(), (0.0, 1.0))]:
        with opened(simulator) as game:
            assert (game.players(), game.payoffs()) == (2, payoffs)


def test_the_end_needs_no_player():
    class Ended(PlainTicTacToe):
        def player(self):
            return self.turn if self.winner < 0 and -1 in self.board else None

    assert run_a_little(Ended()).score == 1.0


@pytest.mark.parametrize("name", ["reset", "moves", "play", "player", "payoff"])
def test_missing_method_is_told(name):
    members = {key: value for key, value in vars(PlainTicTacToe).items() if key != name and not key.startswith("__")}
    with pytest.raises(ProblemError, match=rf"^class Part \(.*\): method {name} is missing$"):
        arbora.solve(type("Part", (), members)(), playouts=1)


@pytest.mark.parametrize(
    ("name", "function", "told"),
    [
        ("player", lambda self, state: 0, "player must be player(self)"),
        ("payoff", lambda self: 0.0, "payoff must be payoff(self, player)"),
        ("chance", lambda self: 0.0, "chance must be chance(self, move)"),
    ],
)
def test_wrong_arguments_are_told_with_their_place(name, function, told):
    simulator = type("Twisted", (PlainTicTacToe,), {name: function})()
    with pytest.raises(ProblemError) as caught:
        arbora.solve(simulator, playouts=1)
    assert str(caught.value) == f"class Twisted, {__file__}:{function.__code__.co_firstlineno}: {told}"


def test_players_may_be_numbers_of_numpy():
    class Counted(PlainTicTacToe):
        def player(self):
            return np.int8(self.turn)

    with opened(Counted()) as game:
        state = new_state(game)
        assert game.player(state) == 0
        game.play(state, 4)
        assert game.player(state) == 1


@pytest.mark.parametrize("value", [2, -2, None, "first", 0.5, 2**40])
def test_a_player_that_does_not_exist_is_told(value):
    class Odd(PlainTicTacToe):
        def player(self):
            return value

    line = Odd.player.__code__.co_firstlineno
    with pytest.raises(ProblemError) as caught:
        run_a_little(Odd())
    assert str(caught.value) == (
        f"class Odd, {__file__}:{line}: player must return a whole number from 0 to 1, or -1 for chance, not {value!r}"
    )


def test_chance_without_probabilities_is_told():
    class Dealt(PlainTicTacToe):
        def player(self):
            return CHANCE if self.board == [-1] * 9 else self.turn

    line = Dealt.player.__code__.co_firstlineno
    with pytest.raises(ProblemError) as caught:
        run_a_little(Dealt())
    assert str(caught.value) == (
        f"class Dealt, {__file__}:{line}: player is -1, which stands for chance, but method chance(self, move) is missing"
    )


@pytest.mark.parametrize("value", [1.5, -0.1, np.nan, np.inf])
def test_a_payoff_out_of_range_is_told(value):
    class Rich(PlainTicTacToe):
        def payoff(self, player):
            return value

    line = Rich.payoff.__code__.co_firstlineno
    with opened(Rich()) as game:
        state = new_state(game)
        game.reset(state)
        assert np.isnan(game.payoff(state, 1))
        with pytest.raises(ProblemError) as caught:
            raise_error(game)
    told = f"payoff of player 1 is {value:g}; payoffs allow 0 to 1"
    assert str(caught.value) == f"class Rich, {__file__}:{line}: {told}"


@pytest.mark.parametrize(
    ("name", "value", "told"),
    [
        ("players", 0, "players must be a whole number of 1 or more, not 0"),
        ("players", None, "players must be a whole number of 1 or more"),
        ("players", lambda self: "two", "players must be a whole number of 1 or more, not 'two'"),
        ("payoffs", 5, "payoffs must be two numbers, the lowest and the highest, not 5"),
        ("payoffs", (1, 0), r"payoffs must be two numbers, the lowest and the highest, not \(1, 0\)"),
        ("payoffs", (0, np.inf), r"payoffs must be two numbers, the lowest and the highest, not \(0, inf\)"),
    ],
)
def test_bad_players_and_payoffs_are_told(name, value, told):
    with pytest.raises(ProblemError, match=f"^class Bad: {told}$"):
        run_a_little(type("Bad", (PlainTicTacToe,), {name: value})())


@pytest.mark.parametrize("method", ["player", "payoff", "chance"])
def test_users_exception_comes_out_with_its_own_traceback(method):
    def fail(self, *arguments):
        raise RuntimeError(f"broken in {method}")

    with opened(type("Bad", (Pot,), {method: fail})()) as game:
        state = new_state(game)
        game.reset(state)
        answers = {"player": game.player(state), "payoff": game.payoff(state, 0), "chance": game.chance(state, 0)}
        assert answers[method] == 0 or np.isnan(answers[method])
        with pytest.raises(RuntimeError, match=f"broken in {method}"):
            raise_error(game)
