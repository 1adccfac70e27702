"""Kuhn poker: every deal and every way to bet."""

from conforming import said_of
from hidden_cards import check_determinize, check_views_at_any_time, decisions, histories, same_as_openspiel
from hypothesis import given
from hypothesis import strategies as st
from perft import listed, position

from arbora.problems.kuhn_poker import BET, PASS, KuhnPoker

J, Q, K = range(3)


def test_all_positions_and_what_can_be_seen_of_them():
    game = KuhnPoker()
    found = [state for _, state in histories(game)]
    assert len(found) == 1 + 3 + 6 * 9
    assert sum(not listed(game, state) for state in found) == 30
    seen = decisions(game)
    assert len(seen) == 12
    assert all(len(alike) == 2 for alike in seen.values())


def test_the_rules_are_those_of_openspiel():
    assert same_as_openspiel(KuhnPoker(), "kuhn_poker") == 58


def test_payoffs():
    game = KuhnPoker()
    for moves, high, low in [
        ([PASS, PASS], 1, -1),
        ([BET, PASS], 1, 1),
        ([BET, BET], 2, -2),
        ([PASS, BET, PASS], -1, -1),
        ([PASS, BET, BET], 2, -2),
    ]:
        for cards, worth in (([K, J], high), ([J, Q], low)):
            state = position(game, cards + moves)
            assert (game.payoff(state, 0), game.payoff(state, 1)) == (worth, -worth)


def test_what_is_hidden_is_redrawn_evenly():
    check_determinize(KuhnPoker())


@given(seed=st.integers(0, 2**32))
def test_views_hold_at_any_time(seed):
    check_views_at_any_time(KuhnPoker(), seed)


def test_people_see_their_own_card_only_until_cards_are_shown():
    game = KuhnPoker()
    state = position(game, [J, K, PASS, BET])
    assert game.show(state, 0) == "player 1 has J, player 2 has ?; pass, bet"
    assert game.show(state, 1) == "player 1 has ?, player 2 has K; pass, bet"
    assert game.render(state) == "player 1 has J, player 2 has K; pass, bet"
    assert game.show(position(game, [J, K, PASS, BET, PASS]), 0) == "player 1 has J, player 2 has ?; pass, bet, pass"
    assert game.show(position(game, [J, K, PASS, BET, BET]), 0) == "player 1 has J, player 2 has K; pass, bet, bet"
    assert [game.text(state, move) for move in (PASS, BET)] == ["pass", "bet"]
    assert [game.text(position(game, []), card) for card in (J, Q, K)] == ["J", "Q", "K"]


def test_conforms():
    assert len(said_of(KuhnPoker())) >= 6
