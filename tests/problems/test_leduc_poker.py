"""Leduc poker: every deal and every way to bet."""

from conforming import said_of
from hidden_cards import check_determinize, check_views_at_any_time, decisions, histories, same_as_openspiel
from hypothesis import given
from hypothesis import strategies as st
from perft import listed, position

from arbora.problems.leduc_poker import CALL, FOLD, RAISE, LeducPoker

JS, JH, QS, QH, KS, KH = range(6)


def test_all_positions_and_what_can_be_seen_of_them():
    """Suits are seen: players tell apart 936 situations, as in OpenSpiel."""
    game = LeducPoker()
    found = [state for _, state in histories(game)]
    assert len(found) == 9457
    assert sum(not listed(game, state) for state in found) == 5520
    seen = decisions(game)
    assert len(seen) == 936
    assert {len(alike) for alike in seen.values()} == {4, 5}


def test_the_rules_are_those_of_openspiel():
    assert same_as_openspiel(LeducPoker(), "leduc_poker") == 9457


def test_payoffs():
    game = LeducPoker()
    assert game.payoff(position(game, [JS, KS, RAISE, FOLD]), 0) == 1
    assert game.payoff(position(game, [JS, KS, RAISE, RAISE, FOLD]), 0) == -3
    dearest = [RAISE, RAISE, CALL]
    for cards, public, worth in [
        ([JS, KS], JH, 13),  # a pair
        ([KS, JS], JH, -13),
        ([QS, KS], JH, -13),  # the higher rank
        ([KS, QH], JH, 13),
        ([KS, KH], JH, 0),
        ([QS, QH], KH, 0),
    ]:
        state = position(game, [*cards, *dearest, public, *dearest])
        assert listed(game, state) == []
        assert (game.payoff(state, 0), game.payoff(state, 1)) == (worth, -worth)


def test_two_raises_a_round_and_no_fold_without_a_raise():
    game = LeducPoker()
    for before in ([JS, KS], [JS, KS, CALL, CALL, QS]):
        assert listed(game, position(game, before)) == [CALL, RAISE]
        assert listed(game, position(game, [*before, CALL])) == [CALL, RAISE]
        assert listed(game, position(game, [*before, RAISE])) == [FOLD, CALL, RAISE]
        assert listed(game, position(game, [*before, RAISE, RAISE])) == [FOLD, CALL]
    assert listed(game, position(game, [JS, KS, CALL, CALL])) == [JH, QS, QH, KH]


def test_what_is_hidden_is_redrawn_evenly():
    check_determinize(LeducPoker(), every=20)


@given(seed=st.integers(0, 2**32))
def test_views_hold_at_any_time(seed):
    check_views_at_any_time(LeducPoker(), seed)


def test_people_see_their_own_card_and_that_for_both():
    game = LeducPoker()
    state = position(game, [JS, KH, CALL, RAISE, CALL, QS, CALL])
    assert game.show(state, 0) == (
        "player 1 has Js and paid 3, player 2 has ? and paid 3, for both Qs; call, raise, call, call"
    )
    assert "player 2 has Kh" in game.show(state, 1)
    assert "player 1 has ?" in game.show(state, 1)
    assert "player 1 has Js and paid 3, player 2 has Kh" in game.render(state)
    assert "player 2 has Kh" in game.show(position(game, [JS, KH, CALL, CALL, QS, CALL, CALL]), 0)
    assert [game.text(state, move) for move in (FOLD, CALL, RAISE)] == ["fold", "call", "raise"]
    assert game.text(position(game, []), KH) == "Kh"


def test_conforms():
    assert len(said_of(LeducPoker())) >= 6
