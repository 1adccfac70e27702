"""The synthetic tree of document 003: its rewards, its cells of possible worlds, and what players may know."""

from collections import Counter
from itertools import product
from statistics import NormalDist

import numpy as np
import pytest
from conforming import said_of
from hidden_cards import check_views_at_any_time, decisions, histories
from hypothesis import example, given, settings
from hypothesis import strategies as st
from perft import listed, position

import arbora
from arbora.engine.rng import make_rng
from arbora.errors import BadInput
from arbora.problem import CHANCE, copied, like_compiled
from arbora.problems.synthetic_tree import reward_distribution
from arbora.spec import parse_problem

DRAWS = 120  # for each world of a cell


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    with like_compiled():
        yield


def tree(**parameters):
    """A game of one tree: chance draws the two worlds only."""
    return arbora.SyntheticTree(**{"trees": 1, **parameters})


def siblings(game):
    """The rewards below each last node: tuples of what each move there earns the first player."""
    state = position(game, [])
    found = []
    for worlds in product(range(game.width), repeat=2):
        state.world[:] = worlds
        for parent in range(game.actions ** (game.depth - 1)):
            found.append(tuple(float(game.reward(state, parent, last)) for last in range(game.actions)))
    return found


def far_off(counts, probabilities):
    """Pearson's statistic."""
    total = sum(counts)
    return sum((count - total * p) ** 2 / (total * p) for count, p in zip(counts, probabilities, strict=True))


def test_equation_4():
    assert np.diff(reward_distribution(tree(b=0.75, levels=4)), prepend=0) == pytest.approx(
        [0.006, 0.061, 0.242, 0.383, 0.309], abs=6e-4
    )


@given(b=st.floats(0, 1), levels=st.integers(1, 50), lowest=st.integers(0, 1))
def test_rewards_are_a_clipped_normal_draw_rounded(b, levels, lowest):
    reached = reward_distribution(tree(b=b, levels=levels, lowest=lowest))
    draw = NormalDist(b, 1 / levels)
    assert reached[-1] == 1
    assert reached[:-1] == pytest.approx(
        [0 if reward < lowest else draw.cdf((2 * reward + 1) / (2 * levels)) for reward in range(levels)]
    )


def test_equal_rewards_are_drawn_by_equation_4():
    found = [pair for seed in range(4) for pair in siblings(tree(lc=1, seed=seed))]
    assert len(found) == 4 * 2048
    assert all(one == other for one, other in found)
    counts = Counter(one for one, _ in found)
    probabilities = np.diff(reward_distribution(tree(lc=1)), prepend=0)
    assert far_off([counts[reward] for reward in range(5)], probabilities) < 20


def test_the_share_of_equal_leaves_is_lc():
    for lc in (0.0, 0.3, 0.9):
        found = siblings(tree(lc=lc)) + siblings(tree(lc=lc, seed=2))
        assert sum(one == other for one, other in found) / len(found) == pytest.approx(lc, abs=0.03 if lc % 1 else 0)


def test_of_leaves_that_differ_one_has_all():
    found = [pair for pair in siblings(tree(lc=0.3)) if pair[0] != pair[1]]
    assert set(found) == {(0.0, 4.0), (4.0, 0.0)}
    assert sum(one == 0 for one, _ in found) / len(found) == pytest.approx(0.5, abs=0.05)
    assert {tuple(sorted(found)) for found in siblings(tree(lc=0, actions=3, depth=3))} == {(0.0, 0.0, 4.0)}


def test_of_leaves_that_differ_one_has_what_the_other_lacks():
    found = siblings(tree(lc=0, unequal="complement"))
    assert all(one + other == 4 for one, other in found)
    assert {one for one, _ in found} == {0, 1, 2, 3, 4}


@settings(max_examples=30)
@given(b=st.floats(0, 1), levels=st.integers(1, 6), lowest=st.integers(0, 1), seed=st.integers(0, 2**40))
def test_of_leaves_that_differ_each_has_a_draw_of_its_own(b, levels, lowest, seed):
    game = tree(lc=0, unequal="draws", width=2, depth=3, b=b, levels=levels, lowest=lowest, seed=seed)
    alone = levels == lowest  # there is no other reward
    for one, other in siblings(game):
        assert (one == other) == alone
        assert {one, other} <= set(range(lowest, levels + 1))


def test_another_draw_is_by_the_same_distribution_without_the_first():
    game = tree()
    probabilities = np.diff(reward_distribution(game), prepend=0)
    for first in range(5):
        counts = Counter(int(game.another_reward(first, (i + 0.5) / 2000)) for i in range(2000))
        wanted = probabilities / (1 - probabilities[first])
        wanted[first] = 0
        assert [counts[reward] / 2000 for reward in range(5)] == pytest.approx(wanted, abs=1e-3)


def test_signs():
    game = tree(rewards="signs", lc=0.4, b=0.7)
    assert game.payoffs() == (-1, 1)
    found = siblings(game)
    assert set(found) == {(1.0, 1.0), (-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0)}
    equal = [one for one, other in found if one == other]
    assert len(equal) / len(found) == pytest.approx(0.4, abs=0.05)
    assert equal.count(1.0) / len(equal) == pytest.approx(0.7, abs=0.06)


@pytest.mark.parametrize("rewards", ["levels", "signs"])
def test_every_leaf_by_its_moves(rewards):
    """4,096 of them in the document's tree, 64 for each pair of worlds."""
    game = tree(rewards=rewards)
    total, found = (4 if rewards == "levels" else 0), {}
    for moves, state in histories(game):
        if not listed(game, state):
            found[moves] = float(game.payoff(state, 0))
            assert game.payoff(state, 1) == total - found[moves]
        else:
            assert game.player(state) == (CHANCE if len(moves) < 2 else len(moves) % 2)
    assert len(found) == 4096
    assert [found[moves] for moves in sorted(found)] == [reward for pair in siblings(game) for reward in pair]


def cell(game, state, player):
    """The worlds of the other player that this one holds possible."""
    halvings, other = int(game.cell_of(state, player)), int(state.world[1 - player])
    return {world for world in range(game.width) if world >> halvings == other >> halvings}


games = st.builds(
    tree,
    width=st.sampled_from([1, 2, 8, 64, 512, 4096]),
    depth=st.integers(1, 6),
    actions=st.integers(2, 3),
    df=st.sampled_from([0.0, 0.3, 0.95, 1.0]),
    split_first=st.booleans(),
    seed=st.integers(0, 2**50),
)


def random_game(game, seed):
    """The positions of a random game, from the deal on."""
    rng, state = make_rng(seed), position(game, [])
    while moves := listed(game, state):
        if game.player(state) != CHANCE:
            yield copied(game, state)
        game.play(state, moves[rng.below(len(moves))])
    yield state


@example(game=tree(width=4096, df=0.95), seed=1)
@example(game=tree(width=4096, df=0.95), seed=2)
@given(game=games, seed=st.integers(0, 2**32))
def test_cells_only_get_finer_and_hold_the_real_world(game, seed):
    before = [set(range(game.width))] * 2
    for state in random_game(game, seed):
        for player in range(2):
            possible = cell(game, state, player)
            assert int(state.world[1 - player]) in possible
            assert possible <= before[player]
            assert game.worlds(state, player) == len(possible)
            own_turn = state.turn % 2 == player and state.turn < game.depth
            if own_turn and game.df == 1 and (game.split_first or state.turn >= 2):
                assert len(possible) == 1
            if not own_turn or game.df == 0 or (state.turn < 2 and not game.split_first):
                assert possible == before[player]
            again = copied(game, state)
            again.cell[:] = -1  # to be worked out from the moves
            assert cell(game, again, player) == possible
            before[player] = possible


@pytest.mark.parametrize(("df", "other"), [(0.1, 0), (0.5, 0), (0.5, 5), (0.8, 3)])
def test_a_cell_is_halved_again_as_likely_as_at_first(df, other):
    game = arbora.SyntheticTree(df=df, trees=2000)
    counts = Counter(int(position(game, [number, number % 8, other]).cell[0]) for number in range(2000))
    assert far_off([counts[halvings] for halvings in (3, 2, 1, 0)], [1 - df, df * (1 - df), df**2 * (1 - df), df**3]) < 20


def test_all_worlds_of_the_cell_are_drawn_evenly_and_no_other():
    game = tree(width=4, depth=4, df=0.4, seed=5)
    sizes = set()
    for (player, seen), alike in list(decisions(game).items())[::2]:
        possible = {state.arbora_record.tobytes() for state in alike}
        assert len(possible) == game.worlds(alike[0], player)
        sizes.add(len(possible))
        drawn, rng = Counter(), make_rng(seen % 2**32)
        for _ in range(DRAWS * len(possible)):
            sample = copied(game, alike[0])
            game.determinize(sample, player, rng)
            assert game.seen(sample, player) == seen
            sample.cell[1 - player] = game.cell_of(sample, 1 - player)
            drawn[sample.arbora_record.tobytes()] += 1
        assert set(drawn) == possible
        assert far_off(drawn.values(), [1 / len(possible)] * len(possible)) < 20
    assert sizes == {1, 2, 4}


@given(game=games, seed=st.integers(0, 2**32))
def test_draws_know_nothing_of_the_real_world(game, seed):
    """Each world of a cell, when it is the real one, looks the same and leads to the same draws."""
    for number, state in enumerate(random_game(game, seed)):
        for player in range(2):
            alike = copied(game, state)
            alike.world[1 - player] = max(cell(game, state, player))
            alike.cell[1 - player] = -1
            assert game.seen(alike, player) == game.seen(state, player)
            assert game.show(alike, player) == game.show(state, player)
            for one in (alike, state):
                game.determinize(one, player, make_rng(number))
            assert alike.arbora_record.tobytes() == state.arbora_record.tobytes()


@settings(max_examples=30)
@given(seed=st.integers(0, 2**32))
def test_views_hold_at_any_time(seed):
    check_views_at_any_time(tree(df=0.4, split_first=seed % 2 == 0), seed)


@given(game=games, seed=st.integers(0, 2**32))
def test_finishing_at_once_is_playing_the_moves_drawn(game, seed):
    payoffs = np.zeros(2)
    assert game.width == 1 or game.finish(position(game, []), payoffs, make_rng(seed)) == -1
    for state in random_game(game, seed):
        played, slow = copied(game, state), make_rng(seed)
        for _ in range(int(state.turn), game.depth):
            game.play(played, slow.below(game.actions))
        assert game.finish(state, payoffs, make_rng(seed)) == game.depth - int(state.turn)
        assert payoffs.tolist() == [game.payoff(played, 0), game.payoff(played, 1)]


def test_seeds_and_numbers_make_trees():
    def content(seed, number=0):
        game = arbora.SyntheticTree(trees=2, width=4, depth=4, seed=seed)
        state = position(game, [number, 0, 0])
        cells = [tuple(position(game, [number, *worlds]).cell) for worlds in product(range(4), repeat=2)]
        return cells, [float(game.reward(state, parent, last)) for parent in range(8) for last in range(2)]

    assert content(3) == content(3)
    assert len({str(content(seed, number)) for seed in range(10) for number in range(2)}) == 20


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("width=6", "width=6 is not allowed; width takes a power of two, such as 8"),
        ("width=0", "width=0 is not allowed; width takes a whole number from 1 to 4,096"),
        ("lc=1.5", "lc=1.5 is not allowed; lc takes a number from 0 to 1"),
        ("df=-0.1", "df=-0.1 is not allowed; df takes a number from 0 to 1"),
        ("actions=4,depth=21", "depth=21 with actions=4 is not allowed; actions to the power of depth must be"),
        ("rewards=gold", "rewards='gold' is not allowed; rewards takes levels, signs"),
        ("unequal=both", "unequal='both' is not allowed; unequal takes extremes, complement, draws"),
        ("lowest=2", "lowest=2 is not allowed; lowest takes a whole number from 0 to 1"),
        ("worlds=8", "synthetic-tree has no parameter 'worlds'"),
    ],
)
def test_what_is_not_allowed_is_told_in_one_line(spec, told):
    with pytest.raises(BadInput, match=rf"^[^\n]*{told}[^\n]*$"):
        parse_problem(f"synthetic-tree,{spec}")


def test_the_widest_and_the_deepest():
    for game in (tree(width=4096, depth=2, df=1), tree(depth=40), tree(width=1, depth=1)):
        *_, end = random_game(game, 7)
        assert 0 <= game.payoff(end, 0) <= 4


def test_people_see_their_own_world_and_the_cell_of_the_other():
    game = tree(df=0)
    state = position(game, [2, 5, 1, 0])
    assert game.show(state, 0) == "you are in world 3, the other in one of the worlds 1 to 8; moves 2 1"
    assert "world 6" not in game.show(state, 0)
    assert game.show(position(tree(df=1), [2, 5]), 0) == "you are in world 3, the other in world 6; no moves yet"
    assert game.render(state) == "tree 1, player 1 in world 3, player 2 in world 6; moves 2 1"


def test_conforms():
    assert len(said_of(arbora.SyntheticTree())) >= 6
