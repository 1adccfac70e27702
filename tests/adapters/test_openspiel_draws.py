"""What players of OpenSpiel's games may hold possible: nothing that contradicts what they have seen, nothing that leaks."""

import random
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import arbora
from arbora.engine.rng import make_rng
from arbora.errors import ProblemError
from arbora.problem import CHANCE, Records, new_states
from arbora.simulator import opened, raise_error
from arbora.watched import Watched

pyspiel = pytest.importorskip("pyspiel")

GAMES = [
    "kuhn_poker",
    "leduc_poker",
    "universal_poker",
    "euchre",
    "oh_hell",
    "hearts",
    "gin_rummy",
    "bridge(use_double_dummy_result=false)",
    "blackjack",
    "goofspiel(num_cards=4)",
]
# While one player of gin rummy lays his melds, what he may still have is not drawn rightly for the other.
ONLY_ON_TURN = ["gin_rummy"]


def a_game(name, seed, length=1000):
    """The moves of a game at random, or of its beginning."""
    rng, state = random.Random(seed), pyspiel.load_game_as_turn_based(name).new_initial_state()
    while not state.is_terminal() and state.move_number() < length:
        state.apply_action(rng.choice(state.legal_actions()))
    return state.history()


def after(name, moves):
    """OpenSpiel's own state; AssertionError if a move is not legal."""
    state = pyspiel.load_game_as_turn_based(name).new_initial_state()
    for move in moves:
        assert move in state.legal_actions()
        state.apply_action(move)
    return state


def view(name, state, player):
    if name == "gin_rummy" or pyspiel.load_game_as_turn_based(name).get_type().provides_information_state_string:
        return state.information_state_string(player)
    return state.observation_string(player)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=8)
@given(seed=st.integers(0, 10_000))
def test_a_draw_is_what_the_player_may_hold_possible(name, seed):
    moves = a_game(name, seed)
    step = max(len(moves) // 12, 1)
    with opened(arbora.OpenSpiel(name)) as game:
        states, out, rng = Records(new_states(game, 2)), np.zeros(game.max_moves() + 8, np.int32), make_rng(seed)
        real, drawn = states[0], states[1]
        game.reset(real)
        for number, move in enumerate(moves):
            theirs = after(name, moves[:number]) if number % step == 0 else None
            if theirs is not None and not theirs.is_chance_node():
                on_turn = theirs.current_player()
                for player in [on_turn] if name in ONLY_ON_TURN else range(game.players()):
                    states[1] = real
                    game.determinize(drawn, player, rng)
                    raise_error(game)
                    found = after(name, drawn.history[: drawn.length].tolist())
                    assert view(name, found, player) == view(name, theirs, player)
                    assert game.seen(drawn, player) == game.seen(real, player)
                    assert game.player(drawn) == game.player(real) == found.current_player()
                    if player == on_turn:
                        assert out[: game.moves(drawn, out)].tolist() == theirs.legal_actions()
            game.play(real, move)
        raise_error(game)


def other_world(name, moves, player, rng):
    """Moves of a position that the player cannot tell from this one, found without our draws: two cards change places."""
    seen, real = view(name, after(name, moves), player), str(after(name, moves))
    first = 2 if name.startswith("oh_hell") else 1
    for _ in range(3000):
        one, other = rng.sample(range(52 if name == "gin_rummy" else max(moves[first:]) + 1), 2)
        swapped = {one: other, other: one}
        trial = moves[:first] + [swapped.get(move, move) for move in moves[first:]]
        try:
            state = after(name, trial)
            if str(state) != real and view(name, state, player) == seen:
                return trial
        except AssertionError:
            continue
    return None


@pytest.mark.parametrize(
    ("name", "length"), [("hearts", 62), ("hearts", 75), ("euchre", 25), ("oh_hell", 55), ("gin_rummy", 30)]
)
def test_what_is_drawn_does_not_depend_on_what_is_hidden(name, length):
    """The same draws, one for one, from positions that a player cannot tell apart; else how often each card lies where."""
    draws, rng = 150, random.Random(7)
    moves = a_game(name, 11, length)
    player = after(name, moves).current_player()
    player = 0 if player == CHANCE else player
    other = other_world(name, moves, player, rng)
    assert other is not None
    game = arbora.OpenSpiel(name)
    counts = []
    for world in (moves, other):
        found: Counter = Counter()
        for number in range(draws):
            game.state = after(name, world)
            found.update(enumerate(game.determinize(player, random.Random(number))))
        counts.append(found)
    differ = [place for place in range(len(moves)) if moves[place] != other[place]]
    assert differ
    for place in differ:  # chance or others made these moves: neither of the two worlds is met more often from within it
        for move in (moves[place], other[place]):
            assert abs(counts[0][place, move] - counts[1][place, move]) < draws / 3
            assert counts[0][place, move] < draws


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker"])
def test_every_position_held_possible_is_drawn_equally_often(name):
    game = arbora.OpenSpiel(name)
    draws, rng = 600, random.Random(5)
    game.reset()
    for move in (0, 2):
        game.play(move)
    kept = game.snapshot()
    drawn = Counter()
    for _ in range(draws):
        game.restore(kept)
        drawn[tuple(game.determinize(0, rng))] += 1
    assert set(drawn) == {(0, card) for card in range(1, 3 if name == "kuhn_poker" else 6)}
    assert sum((count - draws / len(drawn)) ** 2 / (draws / len(drawn)) for count in drawn.values()) < 25


def test_who_could_not_follow_suit_is_not_given_that_suit():
    shown = 0
    for seed in range(10):
        moves = a_game("hearts", seed, 100)
        state = after("hearts", moves)
        game = arbora.OpenSpiel("hearts")
        for number in range(5):
            game.state = state.clone()
            drawn = game.determinize(state.current_player(), random.Random(number))
            after("hearts", drawn)  # a card of a suit that was not followed would make the play illegal
            shown += drawn != moves
    assert shown > 25


def test_nobody_sees_what_is_being_passed_to_him():
    """OpenSpiel's own draws give the cards that are really passed."""
    game, rng = arbora.OpenSpiel("hearts(pass_cards=true)"), random.Random(1)
    game.play(1)  # to the left
    while game.player() == CHANCE:
        game.play(rng.choice(game.moves()))
    for _ in range(6):
        game.play(game.moves()[0])
    kept = game.snapshot()
    passed = kept.history()[56:59]
    found = set()
    for _ in range(20):
        game.restore(kept)
        found.add(tuple(game.determinize(2, rng)[56:59]))
    assert len(found) > 10
    assert tuple(passed) not in found


@pytest.mark.parametrize("name", GAMES)
def test_the_conformance_suite_finds_no_leak(name):
    with opened(arbora.OpenSpiel(name)) as game:
        rules = Watched(game).hidden
        rules.check_draws(3, 6)
        assert rules.compared > 6


def their_own_draw(state, player, rng):
    """OpenSpiel's, as it is."""
    return state.resample_from_infostate(player, rng.random)


@pytest.mark.parametrize("name", ["oh_hell(num_tricks_fixed=3)", "gin_rummy"])
def test_the_conformance_suite_finds_the_leaks_of_draws_by_others(name):
    """In oh hell others only get cards that others have; in gin rummy the moves that lead to a draw are the real ones."""
    with opened(arbora.OpenSpiel(name, resample=their_own_draw)) as game, pytest.raises(ProblemError, match="hidden"):
        Watched(game).hidden.check_draws(1, 12)
