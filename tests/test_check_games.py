"""The conformance suite on games: what it passes, what it fails, and how it says so."""

import re

import numpy as np
import pytest
from plain_games import PlainTicTacToe, Pot
from small_problems import Walk

import arbora
from arbora.check import interpreted_checks
from arbora.component import component_methods, where
from arbora.errors import ProblemError
from arbora.probe import differing
from arbora.problem import CHANCE
from arbora.watched import Watched


@arbora.problem
class Coins:
    """Chance throws a loaded coin, then a player keeps it or not, six times in turn; more heads win.

    Quick play-outs keep every coin; heads are kept urgently.
    """

    def layout(self):
        return [("step", np.int64), ("shown", np.int64), ("heads", np.int64, (2,))]

    def max_moves(self):
        return 2

    def max_length(self):
        return 12

    def players(self):
        return 2

    def reset(self, state):
        state.step = 0
        state.shown = 0
        state.heads[:] = 0

    def moves(self, state, out):
        out[0] = 0
        out[1] = 1
        return 2 if state.step < 12 else 0

    def player(self, state):
        return CHANCE if state.step % 2 == 0 else state.step // 2 % 2

    def chance(self, state, move):
        return 0.25 if move == 1 else 0.75

    def play(self, state, move):
        if state.step % 2 == 0:
            state.shown = move
        else:
            state.heads[state.step // 2 % 2] += move * state.shown
        state.step += 1

    def payoff(self, state, player):
        difference = state.heads[player] - state.heads[1 - player]
        return 0.5 + 0.5 * np.sign(difference)

    def light(self, state, out, rng):
        return 1 if state.step < 12 else -1

    def urgent(self, state, out, rng):
        return 1 if state.shown == 1 and state.step < 12 else -1

    def prior(self, state, move):
        return 0.9 if state.shown == move else 0.1


def told(problem):
    """What the interpreted checks find wrong."""
    try:
        list(interpreted_checks(problem, 5, 1))
    except ProblemError as error:
        return str(error)
    return None


def test_a_good_game_passes_and_it_says_what_passed():
    report = arbora.check_problem(Coins(), playouts=10)
    assert report.failure is None
    said = [re.sub(r" \([\d.]+ s\)", "", line) for line in report.passed[5:]]
    assert said == [
        "chance, light, prior, urgent: what they promise holds at every step",
        "play-outs by light and urgent end after 12 to 12 moves",
        "2 players, payoffs from 0 to 1, constant sum; the probabilities of chance sum to 1",
        "10 compiled play-outs equal the interpreted ones move for move",
        "Coins answers alike, compiled and interpreted",
    ]


def test_a_game_behind_callbacks_passes_too():
    report = arbora.check_problem(Pot(), playouts=5)
    assert report.failure is None
    assert report.passed[5:7] == [
        "chance: what they promise holds at every step",
        "3 players, payoffs from 0 to 8; the probabilities of chance sum to 1",
    ]
    assert re.fullmatch(r"Pot answers alike, compiled and interpreted \([\d.]+ s\)", report.passed[-1])


def test_puzzles_have_no_lines_about_players():
    assert Watched(Walk()).game is None
    assert Watched(Walk()).quick_play_outs(1) == []
    assert not any("player" in line for line in interpreted_checks(Walk(), 5, 1))


def faulty(**methods):
    return arbora.problem(type("Mine", (Coins,), methods))


FAULTS = {
    "third player": (
        "player", lambda self, state: 2 if state.step == 3 else 0,
        "player is 2 after 3 moves; allowed are 0 to 1, and -1 for chance",
    ),
    "player below chance": (
        "player", lambda self, state: -2,
        "player is -2 after 0 moves; allowed are 0 to 1, and -1 for chance",
    ),
    "no player": (
        "player", lambda self, state: None,
        "player must return a whole number, not None",
    ),
    "no players": (
        "players", lambda self: 0,
        "players must return a whole number of 1 or more, not 0",
    ),
    "payoffs upside down": (
        "payoffs", lambda self: (1, -1),
        "payoffs must return the lowest and the highest payoff, not (1, -1)",
    ),
    "payoff too high": (
        "payoff", lambda self, state, player: 0.5 + player,
        "payoff of player 1 is 1.5; payoffs() allow 0 to 1",
    ),
    "payoff nan": (
        "payoff", lambda self, state, player: np.nan if player == 1 else 0.5,
        "payoff of player 1 is nan; payoffs() allow 0 to 1",
    ),
    "payoff None": (
        "payoff", lambda self, state, player: 0.5 if player == 0 else None,
        "payoff must return a number, not None",
    ),
    "probabilities": (
        "chance", lambda self, state, move: 0.45,
        "the probabilities of 2 moves of chance sum to 0.9, not 1",
    ),
    "negative probability": (
        "chance", lambda self, state, move: -0.5 + move * 2.0,
        "chance is -0.5 for move 0; it must be from 0 to 1",
    ),
    "prior too high": (
        "prior", lambda self, state, move: 2.0,
        "prior is 2 for move 0; it must be from 0 to 1",
    ),
    "light gives nothing": (
        "light", lambda self, state, out, rng: None,
        "light must return a move, or -1 for none, not None",
    ),
    "light has no end": (
        "light", lambda self, state, out, rng: 1,
        "a play-out by light is longer than max_length() = 12",
    ),
    "urgent has no end": (
        "urgent", lambda self, state, out, rng: 1,
        "a play-out by urgent is longer than max_length() = 12",
    ),
    "urgent gives no move": (
        "urgent", lambda self, state, out, rng: -7,
        "urgent must return a move, or -1 for none, not -7",
    ),
}  # fmt: skip
CHANGED_TOO = {name: {"player": lambda self, state: state.step % 2} for name in ("light has no end", "urgent has no end")}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_are_told_with_class_method_file_and_line(fault):
    method, function, reason = FAULTS[fault]
    problem = faulty(**{method: function, **CHANGED_TOO.get(fault, {})})()
    assert told(problem) == f"class Mine, method {method}, {where(function)}: {reason}"


def test_moves_that_play_does_not_take_are_told():
    def play(self, state, move):
        state.heads[move] += 1  # no room for a third
        state.step += 1

    problem = faulty(play=play, light=lambda self, state, out, rng: 2, player=lambda self, state: state.step % 2)()
    place = f"{__file__}:{play.__code__.co_firstlineno + 1}"
    reason = "IndexError: index 2 is out of bounds for axis 0 with size 2"
    assert told(problem) == f"class Mine, method play, {place}: {reason}"


def test_chance_without_probabilities_is_told():
    methods = {name: method for name, method in component_methods(Coins).items() if name != "chance"}
    problem = arbora.problem(type("Mine", (), methods))()
    assert told(problem) == (
        f"class Mine, method player, {where(Coins.player)}: chance has a turn after 0 moves, but method chance is missing"
    )


def test_a_fault_is_a_failure_in_the_report():
    method, function, reason = FAULTS["third player"]
    report = arbora.check_problem(faulty(**{method: function})())
    assert not report.ok
    assert report.failure is not None
    assert report.failure.endswith(reason)


def test_solve_tells_the_same_before_it_compiles():
    method, function, reason = FAULTS["prior too high"]
    with pytest.raises(ProblemError, match=reason):
        arbora.solve(faulty(**{method: function})(), arbora.Random(), playouts=5)


@pytest.mark.parametrize(
    ("name", "value", "reason"),
    [
        ("player", 5, "player must return a whole number from 0 to 1, or -1 for chance, not 5"),
        ("payoff", 3.0, "payoff of player 0 is 3; payoffs allow 0 to 1"),
    ],
)
def test_faults_of_plain_games_are_told(name, value, reason):
    def method(self, *arguments):
        return value

    simulator = type("Bad", (PlainTicTacToe,), {name: method})()
    assert arbora.check_problem(simulator).failure == f"class Bad, {where(method)}: {reason}"


@pytest.mark.parametrize("kept", [0.5, 1.0])
def test_games_where_both_may_win_have_no_constant_sum(kept):
    problem = faulty(payoff=lambda self, state, player: kept if state.heads[0] > 0 else 0.5)()
    line = next(line for line in interpreted_checks(problem, 20, 1) if line.startswith("2 players"))
    assert ("constant sum" in line) is (kept == 0.5)


@arbora.problem
class Fickle(Coins):
    """Every method that only games have answers differently when compiled."""

    def overflows(self, state):
        return int(state.step + 1) * 2**62 * 4 == 0  # only in 64 bits

    def player(self, state):
        if state.step % 2 == 0:
            return CHANCE
        return 1 if self.overflows(state) else 0

    def payoff(self, state, player):
        return 0.25 if player == 1 and self.overflows(state) else 0.5

    def chance(self, state, move):
        return 0.25 if (move == 1) == self.overflows(state) else 0.75

    def light(self, state, out, rng):
        return 1 if self.overflows(state) else 0

    def urgent(self, state, out, rng):
        return 1 if self.overflows(state) else -1

    def prior(self, state, move):
        return 0.3 if self.overflows(state) else 0.6


def test_answers_that_differ_when_compiled_are_told_all_of_them():
    assert differing(Fickle(), 3, 1) == ["player", "payoff", "chance", "light", "urgent", "prior"]
    assert differing(Coins(), 3, 1) == []
