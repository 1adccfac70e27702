"""The tree of a small game: how many positions there are, what looks alike, and which games have none."""

import numpy as np
import pytest
from hidden_cards import decisions, histories
from hidden_table import hidden_table
from perft import listed
from plain_games import PlainTicTacToe, Pot
from small_games import BARGAIN
from unfit_games import Blind

import arbora
from arbora.errors import BadInput
from arbora.exact.tree import GameTree, tree_of
from arbora.exact.walk import END
from arbora.problem import CHANCE, like_compiled

GAMES = [arbora.KuhnPoker(), arbora.SyntheticTree(trees=1, width=2, depth=3, df=0.3), BARGAIN]


def known(tree: GameTree) -> dict[str, list]:
    arrays = {name: value for name, value in vars(tree).items() if isinstance(value, np.ndarray)}
    return {name: value.tolist() for name, value in arrays.items()}


@pytest.mark.parametrize("game", GAMES, ids=lambda game: type(game).__name__)
def test_nodes_are_the_positions_level_by_level(game):
    tree = tree_of(game, compiled=False)
    with like_compiled():
        check_nodes(game, tree)


def check_nodes(game, tree):
    positions = dict(histories(game))
    assert tree.nodes == len(positions)
    assert [tree.moves_to(node) for node in range(tree.nodes)] == sorted(
        map(list, positions), key=lambda way: (len(way), way)
    )
    for node in range(tree.nodes):
        state = positions[tuple(tree.moves_to(node))]
        first = tree.first_child[node]
        assert tree.move[first : first + tree.children[node]].tolist() == listed(game, state)
        if tree.player[node] == END:
            assert tree.payoffs[node].tolist() == [game.payoff(state, player) for player in range(tree.players)]
        else:
            assert tree.player[node] == game.player(state)
            assert not tree.payoffs[node].any()
        if tree.player[node] == CHANCE:
            children = range(first, first + tree.children[node])
            assert [tree.chance[child] for child in children] == [game.chance(state, tree.move[child]) for child in children]


@pytest.mark.parametrize(("game", "nodes", "sets"), [(arbora.KuhnPoker(), 58, 12), (arbora.LeducPoker(), 9457, 936)])
def test_information_sets_are_what_players_tell_apart(game, nodes, sets):
    tree = tree_of(game, compiled=False)
    assert (tree.nodes, tree.sets) == (nodes, sets)
    alike = np.bincount(tree.set_of[tree.set_of >= 0])
    assert sorted(alike.tolist()) == sorted(len(states) for states in decisions(game).values())
    assert tree.sequences == tree.set_moves.sum() == len(tree.set_of_sequence)
    assert tree.constant_sum


def test_sequences_say_what_a_player_did_last():
    tree = tree_of(arbora.KuhnPoker(), compiled=False)
    nodes = {tuple(tree.moves_to(node)): node for node in range(tree.nodes)}
    before, late = tree.set_of[nodes[0, 2]], tree.set_of[nodes[0, 1, 0, 1]]  # J, before any move and after pass and bet
    assert tree.set_prior[late] == tree.set_first[before]  # to pass
    assert tree.set_prior[before] == -1


def test_compiled_and_interpreted_trees_are_the_same():
    game = arbora.KuhnPoker()
    assert known(tree_of(game)) == known(tree_of(game, compiled=False))


def test_where_nothing_is_hidden_each_position_is_a_set_of_its_own():
    tree = tree_of(BARGAIN, compiled=False)
    assert (tree.nodes, tree.sets, tree.players) == (15, 7, 3)
    assert not tree.constant_sum


def test_tic_tac_toe_is_small_enough():
    tree = tree_of(arbora.TicTacToe())
    assert (tree.nodes, tree.sets) == (549_946, 294_778)


@pytest.mark.parametrize("game", [PlainTicTacToe(), Pot(), arbora.TicTacToe()], ids=["plain", "pot", "compiled"])
def test_other_games_are_too_large(game):
    with pytest.raises(
        BadInput, match=f"{type(game).__name__} is too large to be walked through: .* more than 500 positions"
    ):
        tree_of(game, 500, compiled=False)


SEES_ALL, SEES_NOTHING, ENDS = [[0, 1], [0, 1]], [[0, 0], [0, 0]], np.zeros((2, 4))


@pytest.mark.parametrize(
    ("game", "complaint"),
    [
        (Blind(), "Blind hides something from its players, but has no method seen"),
        (hidden_table([0, 0], [0.5, 0.5], SEES_ALL, ENDS, forgets=True), "players must not forget what they did"),
        (hidden_table([0, 0], [0.5, 0.5], SEES_NOTHING, ENDS, uneven=True), "the same for positions with different moves"),
        (arbora.SameGame(), "SameGame is not a game"),
        (hidden_table([0, 0], [0.5, 0.4], SEES_ALL, ENDS), "the probabilities of the moves of chance sum to 0.9, not 1"),
    ],
)
def test_what_has_no_tree(game, complaint):
    with pytest.raises(arbora.ArboraError, match=complaint):
        tree_of(game, compiled=False)
