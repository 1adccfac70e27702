"""The conformance suite on games that hide something: draws that know too much, and what is said of them."""

import numpy as np
import pytest
from conforming import said_of

import arbora
from arbora.check import interpreted_checks
from arbora.component import component_methods
from arbora.errors import ProblemError
from arbora.problem import CHANCE
from arbora.watched import Watched

CARDS, PLAYERS = 8, 3
SEEN = np.uint64(0x9E3779B97F4A7C15)


@arbora.problem
class Bids:
    """Three players are dealt a card each, and stay in or not, in turn; the highest card that stays in wins."""

    def layout(self):
        return [("card", np.int64, (PLAYERS,)), ("bid", np.int8, (PLAYERS,)), ("step", np.int64)]

    def max_moves(self):
        return CARDS

    def max_length(self):
        return 2 * PLAYERS

    def players(self):
        return PLAYERS

    def reset(self, state):
        state.card[:] = 0
        state.bid[:] = 0
        state.step = 0

    def player(self, state):
        return CHANCE if state.step < PLAYERS else state.step - PLAYERS

    def moves(self, state, out):
        if state.step >= PLAYERS:
            out[0] = 0
            out[1] = 1
            return 2 if state.step < 2 * PLAYERS else 0
        count = 0
        for card in range(CARDS):
            free = True
            for player in range(state.step):
                free = free and state.card[player] != card
            if free:
                out[count] = card
                count += 1
        return count

    def chance(self, state, move):
        return 1.0 / (CARDS - state.step)

    def play(self, state, move):
        if state.step < PLAYERS:
            state.card[state.step] = move
        else:
            state.bid[state.step - PLAYERS] = move
        state.step += 1

    def payoff(self, state, player):
        best = -1
        for other in range(PLAYERS):
            if state.bid[other] and (best < 0 or state.card[other] > state.card[best]):
                best = other
        return 1.0 if best == player else 0.0

    def determinize(self, state, player, rng):
        for other in range(PLAYERS):
            if other != player:
                self.deal(state, player, other, rng)

    def deal(self, state, player, other, rng):
        """Any card that no other player has whose card is known, or was drawn before."""
        while True:
            card = rng.below(CARDS)
            taken = card == state.card[player]
            for before in range(other):
                taken = taken or card == state.card[before]
            if not taken:
                state.card[other] = card
                return

    def worlds(self, state, player):
        return (CARDS - 1) * (CARDS - 2)

    def seen(self, state, player):
        told = state.step * 8 + player
        for other in range(PLAYERS):
            told = told * 2 + state.bid[other]
        return np.uint64(told * CARDS + state.card[player] + 1) * SEEN

    def show(self, state, player):
        return f"card {state.card[player]}, bids {list(state.bid)}"


def told(game):
    """What the interpreted checks find wrong."""
    try:
        list(interpreted_checks(game, 20, 1))
    except ProblemError as error:
        return str(error)
    return None


def faulty(*without, **methods):
    left = {name: method for name, method in component_methods(Bids).items() if name not in without}
    return arbora.problem(type("Mine", (), left | methods))


def hidden(game):
    return Watched(game).hidden


def test_a_good_game_passes_and_it_says_what_was_compared():
    said = said_of(Bids(), 10)
    assert "chance, determinize, seen, show, worlds: what they promise holds at every step" in said
    assert any(line.startswith("draws do not depend on what is hidden: ") for line in said)


def test_many_pairs_of_positions_are_compared_that_differ_in_everything_hidden():
    rules = hidden(Bids())
    rules.check_draws(1, 12)
    assert rules.compared >= 36


def keep_everything(self, state, player, rng):
    pass


def keep_one(self, state, player, rng):
    """The next player's card stays as it really is."""
    last = (player + 2) % PLAYERS
    while True:
        card = rng.below(CARDS)
        if card != state.card[player] and card != state.card[(player + 1) % PLAYERS]:
            state.card[last] = card
            return


def keep_often(self, state, player, rng):
    if rng.below(2):
        Bids.determinize(self, state, player, rng)


def keep_the_set(self, state, player, rng):
    """The others may have each other's cards, but always those that are really there."""
    one, other = (player + 1) % PLAYERS, (player + 2) % PLAYERS
    if rng.below(2):
        state.card[one], state.card[other] = state.card[other], state.card[one]


@pytest.mark.parametrize("determinize", [keep_one, keep_often, keep_the_set])
@pytest.mark.parametrize("without", [("worlds",), ("worlds", "show")])
def test_a_draw_that_knows_what_is_hidden_is_caught(determinize, without):
    said = told(faulty(*without, determinize=determinize)())
    assert "determinize" in said
    assert "depend on what is hidden from him: in two positions that look the same to him, state.card is drawn" in said


def test_the_real_position_as_a_draw_is_caught():
    assert "depend on what is hidden" in told(faulty("worlds", determinize=keep_everything)())
    said = told(faulty("worlds", "seen", determinize=keep_everything)())
    assert said.endswith("every draw was the real position; what is hidden must be drawn anew")
    assert "worlds is 42 for player" in told(faulty("seen", determinize=keep_everything)())


def lose_own_card(self, state, player, rng):
    state.card[player] = rng.below(CARDS)


def lose_the_turn(self, state, player, rng):
    Bids.determinize(self, state, player, rng)
    state.step = PLAYERS


def test_what_a_player_sees_must_survive_a_draw():
    assert "changes his own seen" in told(faulty(determinize=lose_own_card)())
    assert "changes his own show" in told(faulty("seen", determinize=lose_own_card)())
    assert "after 4 moves and a draw for player 1, it is the turn of 0" in told(faulty(determinize=lose_the_turn)())


def fewer_moves(self, state, out):
    """Who really has the worst card among the others may not stay in: that tells what the others have."""
    count = Bids.moves(self, state, out)
    if PLAYERS <= state.step < 2 * PLAYERS and state.card[(state.step - PLAYERS + 1) % PLAYERS] == 0:
        return 1
    return count


def test_moves_that_depend_on_what_is_hidden_are_caught():
    said = told(faulty(moves=fewer_moves)())
    assert "changes whether move 1 is legal" in said or "stands for other moves as well" in said


def test_worlds_must_be_what_can_be_drawn():
    assert "worlds is 7 for player" in told(faulty(worlds=lambda self, state, player: 7)())
    assert "it must be 1 or more" in told(faulty(worlds=lambda self, state, player: 0)())


@pytest.mark.parametrize(
    ("finish", "said"),
    [
        (lambda self, state, payoffs, rng: 100, "finish played 100 moves after 0; max_length() is 6"),
        (lambda self, state, payoffs, rng: 6, "payoff of player 0 is nan; payoffs() allow 0 to 1"),
        (lambda self, state, payoffs, rng: None, "finish must return how many moves it played, or -1 if it cannot"),
    ],
)
def test_the_rest_of_a_play_out_at_once_is_checked(finish, said):
    assert said in told(faulty(finish=finish)())


@pytest.mark.parametrize(
    "game", [arbora.KuhnPoker(), arbora.LeducPoker(), arbora.SyntheticTree(), arbora.SyntheticTree(width=1)]
)
def test_our_own_games_keep_their_secrets(game):
    for seed in range(3):
        assert hidden(game).check_draws(seed, 12).startswith("draws do not depend on what is hidden")
