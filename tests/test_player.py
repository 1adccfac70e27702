"""A player follows a game, thinks, and keeps what it knows."""

import signal
import threading
import time
import warnings
from collections import Counter

import pytest
from small_games import BARGAIN, DICE, table_game
from small_problems import Shelf, Walk

import arbora
from arbora.engine.run import with_records
from arbora.errors import BadInput
from arbora.problem import CHANCE

# As in tests/search: the same class and policy, so that nothing more has to be compiled.
UCT = arbora.UCT(nodes=200_000)


def tic_tac_toe(search=UCT, **options):
    return arbora.Player(arbora.TicTacToe(), search, **options)


def plain(search, game=None, **options):
    return arbora.Player(game if game is not None else arbora.TicTacToe(), search, compiled=False, **options)


def visits(player):
    return {found.move: found.visits for found in player.thoughts()}


def test_a_game_is_followed():
    player = tic_tac_toe()
    assert (player.to_move, player.moves, player.legal()) == (0, [], list(range(9)))
    player.play(4)
    player.play(0)
    assert (player.to_move, player.moves, player.legal()) == (0, [4, 0], [1, 2, 3, 5, 6, 7, 8])
    assert player.text(8) == "9"
    player.undo()
    assert (player.to_move, player.moves, player.legal()) == (1, [4], [0, 1, 2, 3, 5, 6, 7, 8])
    player.reset()
    assert (player.to_move, player.moves, player.legal()) == (0, [], list(range(9)))


def test_illegal_moves_change_nothing():
    player = tic_tac_toe()
    player.play(4)
    for move in (4, 9, -1):
        with pytest.raises(BadInput, match=f"^move {move} is not legal here$"):
            player.play(move)
    assert (player.moves, player.to_move) == ([4], 1)


def test_there_must_be_a_move_to_take_back():
    with pytest.raises(BadInput, match=r"^there is no move to take back$"):
        tic_tac_toe().undo()


def test_a_finished_game_has_no_moves_and_nothing_to_think_about():
    player = tic_tac_toe()
    for move in (0, 3, 1, 4, 2):
        player.play(move)
    assert player.legal() == []
    with pytest.raises(BadInput, match=r"^the game is over; there is nothing to think about$"):
        player.think(playouts=10)


def test_chance_does_not_think():
    game = table_game([CHANCE, 0], lambda moves: [0.5, 0.5])
    with pytest.raises(BadInput, match=r"^it is chance's turn; play a move of chance_move\(\)$"):
        plain(arbora.UCT(nodes=100), game).think(playouts=10)


@pytest.mark.parametrize("puzzle", [Walk(), Shelf()], ids=["problem", "simulator"])
def test_a_puzzle_is_not_a_game(puzzle):
    told = f"^{type(puzzle).__name__} is not a game: it has no players; arbora.solve is for problems$"
    with pytest.raises(BadInput, match=told):
        arbora.Player(puzzle, UCT)


@pytest.mark.parametrize("search", [arbora.MCTS(), arbora.NRPA(), arbora.Beam()], ids=lambda search: type(search).__name__)
def test_a_search_for_one_player_does_not_play(search):
    told = rf"^{type(search).__name__} does not play games; take one such as arbora.UCT\(\) or arbora.MCRAVE\(\)$"
    with pytest.raises(BadInput, match=told):
        tic_tac_toe(search)


def test_a_search_that_plays_does_not_solve():
    with pytest.raises(BadInput, match=r"^UCT plays games and solves nothing; see arbora.Player$"):
        arbora.solve(arbora.TicTacToe(), UCT, playouts=10)
    with pytest.raises(BadInput, match=r"^search UCT needs a problem with the methods players; Walk has no players$"):
        arbora.solve(Walk(), UCT, playouts=10)


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"seed": -1}, "seed=-1 is not allowed"),
        ({"threads": 0}, "threads=0 is not allowed"),
        ({"search": 5}, "5 is not a search"),
        ({"search": arbora.UCT(nodes=2**31 - 1)}, "not enough memory for UCT"),
    ],
)
def test_what_is_not_allowed_is_told_in_one_line(options, told):
    with pytest.raises(BadInput, match=f"^{told}[^\n]*$"):
        tic_tac_toe(**options)
    for budget in ({"playouts": 0}, {"seconds": -1.0}):
        with pytest.raises(BadInput, match=r"^(playouts|seconds)="):
            tic_tac_toe().think(**budget)


def test_a_thought_tells_of_all_moves_the_best_first():
    player = tic_tac_toe()
    thought = player.think(playouts=1_000)
    assert sorted(found.move for found in thought.moves) == player.legal()
    assert thought.move == thought.moves[0].move == thought.line[0]
    assert thought.value == thought.moves[0].value
    assert sum(found.visits for found in thought.moves) == thought.playouts
    assert [found.visits for found in thought.moves] == sorted((found.visits for found in thought.moves), reverse=True)
    assert thought.moves == player.thoughts()
    assert player.moves == []  # thinking plays nothing
    for found in thought.moves:  # each way on is a game
        player.reset()
        for move in found.line:
            player.play(move)


def test_the_choice_may_go_by_value():
    thought = tic_tac_toe(UCT.replace(choice="value", prove=False, early_stop=False)).think(playouts=500)
    values = [found.value for found in thought.moves]
    assert values == sorted(values, reverse=True)


def test_what_was_learned_about_a_move_is_kept_when_it_is_played():
    player = tic_tac_toe()
    first = player.think(playouts=2_000)
    tree, index = with_records(player._team), 0
    for move in first.line[:2]:
        player.play(move)
        index = int(tree.child(index, move))
    before = {int(tree.nodes[i].move): int(tree.nodes[i].visits) for i in range(*tree.children(index))}
    passed = int(tree.nodes[index].visits)
    assert passed > 50
    second = player.think(playouts=1)
    after = {found.move: found.visits for found in second.moves}
    assert sorted(after[move] - before[move] for move in before) == [0] * 6 + [1]
    assert tree.nodes[0].visits == passed + 1
    assert second.nodes < first.nodes


@pytest.mark.parametrize("how", ["forget", "reset", "undo"])
def test_what_is_to_be_forgotten_is(how):
    player = tic_tac_toe()
    player.play(4)
    player.think(playouts=500)
    player.play(0)
    getattr(player, how)()
    thought = player.think(playouts=40)
    assert sum(found.visits for found in thought.moves) == thought.playouts <= 40


def test_a_move_the_tree_does_not_know_starts_anew():
    player = plain(arbora.UCT(nodes=50))
    player.think(playouts=20)
    for move in (0, 1, 2, 3):
        player.play(move)
    thought = player.think(playouts=20)
    assert sum(found.visits for found in thought.moves) == thought.playouts


def test_thinking_on_in_the_same_position_adds_to_it():
    player = tic_tac_toe()
    first = player.think(playouts=64)
    second = player.think(playouts=64)
    assert sum(visits(player).values()) == first.playouts + second.playouts


def test_results_repeat_for_a_seed_and_differ_between_seeds():
    def game_of(seed):
        player = tic_tac_toe(seed=seed)
        thoughts = []
        while player.legal():
            thoughts.append(player.think(playouts=200))
            player.play(thoughts[-1].move)
        return [(thought.moves, thought.playouts, thought.nodes) for thought in thoughts]

    games = [game_of(seed) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]


def test_progress_sees_the_thoughts_and_may_end_them():
    seen = []

    def progress(player):
        seen.append(sum(visits(player).values()))
        return len(seen) == 3

    player = tic_tac_toe(UCT.replace(early_stop=False))
    thought = player.think(seconds=60, progress=progress)
    assert thought.seconds < 30
    assert thought.stopped == "budget"
    assert 0 < seen[0] < seen[1] < seen[2] <= sum(visits(player).values())


def test_ctrl_c_ends_the_thought_with_a_move():
    begun = []
    before = signal.getsignal(signal.SIGINT)

    def progress(player):
        if not begun:
            begun.append(True)
            threading.Timer(0.05, signal.raise_signal, [signal.SIGINT]).start()

    thought = tic_tac_toe(UCT.replace(early_stop=False)).think(seconds=60, progress=progress)
    assert thought.stopped == "interrupted"
    assert thought.move in range(9)
    assert thought.playouts > 0
    assert signal.getsignal(signal.SIGINT) is before


def test_a_budget_of_seconds_ends_the_thought():
    start = time.perf_counter()
    thought = tic_tac_toe(UCT.replace(early_stop=False)).think(seconds=0.2)
    assert thought.stopped == "budget"
    assert 0.2 <= thought.seconds <= time.perf_counter() - start


def test_moves_of_chance_follow_their_probabilities():
    game = table_game([CHANCE, 0], lambda moves: [0.5, 0.5], width=3, odds=(0.6, 0.3, 0.1))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        player = arbora.Player(game, arbora.Random(), seed=4)
        drawn = Counter(player.chance_move() for _ in range(3_000))
    assert player.to_move == CHANCE
    for move, probability in enumerate((0.6, 0.3, 0.1)):
        assert drawn[move] / 3_000 == pytest.approx(probability, abs=0.03)


def test_a_random_player_plays_every_move_alike_and_says_nothing():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        player = tic_tac_toe(arbora.Random(), seed=2)
        drawn = Counter(player.think(playouts=1).move for _ in range(2_700))
        assert player.thoughts() == []
    assert sorted(drawn) == list(range(9))
    assert all(230 < count < 370 for count in drawn.values())
    again = [tic_tac_toe(arbora.Random(), seed=2).think(playouts=1).move for _ in range(2)]
    assert again[0] == again[1]


@pytest.mark.parametrize("game", [BARGAIN, DICE], ids=["three players", "chance"])
def test_whole_games_of_every_kind_end(game):
    player = plain(arbora.UCT(nodes=200, prove=False), game)
    while player.legal():
        if player.to_move == CHANCE:
            player.play(player.chance_move())
        else:
            player.play(player.think(playouts=50).move)
    assert len(player.moves) == game.max_length()


def test_the_default_is_what_the_game_is_best_played_by():
    with tic_tac_toe(None) as player:
        assert player.search == arbora.UCT()
