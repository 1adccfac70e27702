"""What a position can still bring at most (document 001, Section 3), and what tells positions apart."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samegame_optimum import columns_of, groups, optimum, without

from arbora import SameGame
from arbora.problem import like_compiled, new_state
from arbora.problems.samegame.game import RULES
from arbora.problems.samegame.scoring import best_gain

BOARDS = st.tuples(st.integers(1, 4), st.integers(1, 4)).flatmap(
    lambda shape: st.lists(st.text("abc", min_size=shape[0], max_size=shape[0]), min_size=shape[1], max_size=shape[1])
)
RULE_SETS = [(rule, penalty) for rule in RULES for penalty in (True, False)]


def position(board, moves=(), **options):
    game = SameGame(board=board, **options)
    state = new_state(game)
    with like_compiled():
        game.reset(state)
        for move in moves:
            game.play(state, move)
    return game, state


def bound(board, **options):
    game, state = position(board, **options)
    return game.bound(state)


def test_each_colour_at_once_and_the_bonus():
    assert bound("aab\nbba\naaa") == (6 - 2) ** 2 + (3 - 2) ** 2 + 1000
    assert bound("aab\nbba\naaa", rule="clickomania") == 9
    assert bound("aab\nbba\naaa", rule="bubble-breaker") == 6 * 5 + 3 * 2


def test_a_block_alone_of_its_colour_stays():
    assert bound("aac\nbba\naaa") == (6 - 2) ** 2 + 0 - 1  # no bonus, and one block costs 1
    assert bound("aac\nbba\naaa", penalty=False) == (6 - 2) ** 2
    assert bound("aac\nbba\naaa", rule="clickomania") == 8
    assert bound("aac\nbba\naaa", rule="bubble-breaker") == 6 * 5 + 2 * 1


@pytest.mark.parametrize(("rule", "penalty"), RULE_SETS)
def test_no_way_to_split_a_colour_brings_more(rule, penalty):
    """`best_gain` against the best of all ways to remove groups of two or more and leave the rest."""
    gain = {"samegame": lambda n: (n - 2) ** 2, "clickomania": lambda n: n, "bubble-breaker": lambda n: n * (n - 1)}[rule]
    costs = rule == "samegame" and penalty
    best = [0]
    for blocks in range(1, 40):
        left_over = -((blocks - 2) ** 2) if costs else 0
        best.append(max([left_over, *(gain(n) + best[blocks - n] for n in range(2, blocks + 1))]))
        assert best_gain(RULES.index(rule), penalty, blocks) == best[blocks]


@settings(max_examples=60, deadline=None)
@given(BOARDS, st.sampled_from(RULE_SETS), st.randoms(use_true_random=False))
def test_no_position_is_worth_more_than_its_bound(rows, rules, random):
    rule, penalty = rules
    board = "\n".join(rows)
    game, state = position(board, rule=rule, penalty=penalty)
    columns, points = columns_of(board), 0
    out = np.zeros(game.max_moves(), np.int32)
    with like_compiled():
        while True:
            assert game.bound(state) >= points + optimum(columns, rule, penalty)
            count = game.moves(state, out)
            options = groups(columns)
            assert count == len(options)
            if count == 0:
                break
            move = int(random.choice(out[:count].tolist()))
            group = next(group for group in options if (move >> 6, move & 63) in group)
            game.play(state, move)
            columns = without(columns, group)
            points = int(state.points)


def test_key_is_that_of_the_board_whatever_the_way_there():
    _, one = position("aabbc\naabbc", [0, 0])
    game, other = position("aabbc\naabbc", [2 * 64, 0])
    _, start = position("c\nc")
    with like_compiled():
        assert game.key(one) == game.key(other) == game.key(start) != 0


@settings(max_examples=60, deadline=None)
@given(BOARDS, BOARDS)
def test_keys_are_equal_only_for_equal_boards(one, other):
    boards = ["\n".join(rows) for rows in (one, other)]
    (game, first), (_, second) = (position(board) for board in boards)
    with like_compiled():
        assert (game.key(first) == game.key(second)) == (columns_of(boards[0]) == columns_of(boards[1]))
