"""How well the searches play: never worse than what is known to be possible."""

import random
from functools import cache
from pathlib import Path

import pytest
from small_games import BARGAIN, DICE, STAKES, TWICE, best_moves, exact_values, table_game

import arbora
from arbora.problem import CHANCE
from arbora.spec import load_file

Nim = load_file(str(Path(__file__).resolve().parents[2] / "examples" / "python_game.py")).Nim

# One class and one policy for all of these; parameters do not compile anew.
UCT = arbora.UCT(nodes=2_000_000)
THOROUGH = UCT.replace(exploration=5.0, early_stop=False)  # tries everything, so that draws are proved soon


def think(game, search=UCT, *, moves=(), playouts=1_000, seed=1, threads=1, compiled=True):
    with arbora.Player(game, search, seed=seed, threads=threads, compiled=compiled) as player:
        for move in moves:
            player.play(move)
        return player.think(playouts=playouts)


@pytest.mark.parametrize("seat", [0, 1])
def test_tic_tac_toe_is_never_lost_against_any_play(seat):
    """One move in each position that is reached, and all replies to it."""
    player = arbora.Player(arbora.TicTacToe(), UCT, seed=1)
    chosen: dict[tuple[frozenset[int], frozenset[int]], int] = {}
    ends = set()

    def play_on(moves):
        player.reset()
        for move in moves:
            player.play(move)
        legal = player.legal()
        if not legal:
            ends.add(float(player.game.payoff(player.state, seat)))
        elif len(moves) % 2 == seat:
            position = (frozenset(moves[::2]), frozenset(moves[1::2]))
            if position not in chosen:
                chosen[position] = player.think(playouts=2_000).move
            play_on([*moves, chosen[position]])
        else:
            for move in legal:
                play_on([*moves, move])

    play_on([])
    assert ends == {0.5, 1.0}
    assert len(chosen) > 50


def test_tic_tac_toe_is_proved_a_draw():
    thought = think(arbora.TicTacToe(), THOROUGH, playouts=200_000)
    assert (thought.stopped, thought.value) == ("proved", 0.5)
    assert [found.exact for found in thought.moves] == [0.5] * 9
    assert thought.playouts < 150_000


@pytest.mark.parametrize(
    ("moves", "best", "value"),
    [
        ([0, 3, 1, 4], {2}, 1.0),  # X completes the top row
        ([0, 3, 1, 4, 8], {5}, 1.0),  # X has not seen that O completes the middle row
        ([0, 4, 8, 2, 6], {1, 3, 5, 7}, 0.0),  # O is lost: X threatens two lines
    ],
)
def test_wins_and_losses_are_seen_and_proved(moves, best, value):
    thought = think(arbora.TicTacToe(), moves=moves, playouts=5_000)
    assert (thought.stopped, thought.value) == ("proved", value)
    assert thought.move in best


def ending(seed, left):
    """The moves of a random game of connect four that nobody has won with so many cells left, or None."""
    rng, player = random.Random(seed), arbora.Player(arbora.ConnectFour(), arbora.Random())
    while len(player.moves) < 42 - left and (legal := player.legal()):
        player.play(rng.choice(legal))
    return player.moves if player.legal() else None


LINES = [
    [(column + i * across, row + i * up) for i in range(4)]
    for across, up in ((1, 0), (0, 1), (1, 1), (1, -1))
    for column in range(7)
    for row in range(6)
    if column + 3 * across < 7 and 0 <= row + 3 * up < 6
]


@cache
def value_of(moves):
    """What a game of connect four is worth for who is to move, by looking at all ways to go on."""
    columns = [[] for _ in range(7)]
    for number, column in enumerate(moves):
        columns[column].append(number % 2)
    return solve(tuple(map(tuple, columns)), len(moves) % 2)


@cache
def solve(columns, player):
    discs = {(x, y): owner for x, column in enumerate(columns) for y, owner in enumerate(column)}
    if any(all(discs.get(cell) == 1 - player for cell in line) for line in LINES):
        return 0.0
    best = None
    for x, column in enumerate(columns):
        if len(column) < 6:
            value = 1.0 - solve((*columns[:x], (*column, player), *columns[x + 1 :]), 1 - player)
            best = value if best is None else max(best, value)
            if best == 1.0:
                break
    return 0.5 if best is None else best


def test_connect_four_endings_are_proved_to_be_what_they_are():
    endings = [moves for seed in range(60, 200) if (moves := ending(seed, 9)) is not None]
    seen = []
    for moves in endings:
        value = value_of(tuple(moves))
        seen.append(value)
        thought = think(arbora.ConnectFour(), THOROUGH, moves=moves, playouts=100_000)
        assert (thought.stopped, thought.value) == ("proved", value)
        assert 1.0 - value_of((*moves, thought.move)) == value
        for found in thought.moves:
            assert found.exact is None or found.exact == 1.0 - value_of((*moves, found.move))
    assert [seen.count(value) > 0 for value in (0.0, 0.5, 1.0)] == [True, True, True]


@pytest.mark.parametrize("seed", [1, 2])
@pytest.mark.parametrize(
    ("game", "search"),
    [
        (BARGAIN, UCT),
        (BARGAIN, arbora.UCT(selection="ucb1-tuned", nodes=1_000)),
        (DICE, UCT.replace(prove=False)),
        (TWICE, UCT),
        (TWICE, UCT.replace(prove=False)),
        (STAKES, UCT),
        (STAKES, UCT.replace(prove=False)),
    ],
    ids=["three players", "three players, tuned", "chance", "twice in a row", "twice, no proofs", "stakes", "no proofs"],
)
def test_the_right_first_move_and_its_value(game, search, seed):
    thought = think(game, search.replace(early_stop=False, nodes=1_000), playouts=1_500, seed=seed, compiled=False)
    assert [thought.move] == best_moves(game)
    exact = (exact_values(game)[0] - game.lowest) / (game.highest - game.lowest)
    assert thought.value == pytest.approx(exact, abs=0.03)
    assert thought.moves[0].visits > thought.playouts / 2 or thought.stopped == "proved"


def test_chance_is_drawn_by_its_probabilities():
    game = table_game([0, CHANCE, CHANCE], lambda moves: [float(moves[1] == 0), 0.0], width=3, odds=(0.2, 0.5, 0.3))
    thought = think(game, arbora.UCT(nodes=1_000, prove=False), playouts=3_000, compiled=False)
    assert thought.value == pytest.approx(0.2, abs=0.02)


def _second_replies(moves):
    """The first player bets on 0 or 1, chance throws, the second player may turn the coin over if it shows 1."""
    bet, thrown, turned = moves
    won = float(bet == (0 if turned and thrown else thrown))
    return [won, 1.0 - won]


# The second player leaves 1 if the bet was on 0, and turns it over if it was on 1: bets win with 0.8 and never.
REPLY = table_game([0, CHANCE, 1], _second_replies, odds=(0.8, 0.2))


@pytest.mark.parametrize("game", [DICE, REPLY], ids=["chance ends the game", "chance in between"])
def test_proofs_do_not_reach_across_chance(game):
    thought = think(game, arbora.UCT(nodes=1_000), playouts=1_500, compiled=False)
    assert [thought.move] == best_moves(game)
    exact = (exact_values(game)[0] - game.lowest) / (game.highest - game.lowest)
    assert thought.value == pytest.approx(exact, abs=0.03)
    assert thought.stopped != "proved"


def test_of_proved_moves_the_best_is_played():
    """Though another looked better, and was tried more often, until it was proved too."""

    def worth(moves):
        value = 6 if moves[0] == 1 else 4 if moves == (0, 2, 2) else 15 if moves[0] == 0 else 5
        return [value, 16 - value]

    game = table_game([0, 1, 1], worth, width=3, payoffs=(0, 16))
    tried_more = 0
    for seed in range(1, 11):
        thought = think(game, arbora.UCT(nodes=1_000), seed=seed, compiled=False)
        assert (thought.stopped, thought.move, thought.value) == ("proved", 1, 6 / 16)
        tried_more += thought.moves[0].visits < max(found.visits for found in thought.moves)
    assert tried_more > 0


@pytest.mark.parametrize(
    ("prove", "choice"),
    [
        (False, "visits"),
        (True, "visits"),
        (False, "value"),
    ],
)
def test_an_early_stop_does_not_change_the_move(prove, choice):
    decided = 0
    for seed in range(1, 61):
        moves = random.Random(seed).sample(range(9), seed % 4)
        early, late = (
            think(arbora.TicTacToe(), search, moves=moves, playouts=300, seed=seed)
            for search in (arbora.UCT(nodes=5_000, early_stop=stop, prove=prove, choice=choice) for stop in (True, False))
        )
        assert early.move == late.move
        assert early.playouts <= late.playouts
        assert late.stopped != "decided"
        decided += early.stopped == "decided"
    assert decided >= 10 or choice == "value"


def test_a_full_pool_is_searched_on():
    player = arbora.Player(arbora.TicTacToe(), arbora.UCT(nodes=50), seed=1)
    while legal := player.legal():
        thought = player.think(playouts=500)
        assert thought.nodes <= 50
        assert thought.move in legal
        assert thought.playouts == 500 or thought.stopped in ("decided", "proved")
        assert sum(found.visits for found in thought.moves) >= thought.playouts
        player.play(thought.move)


def test_a_pool_without_room_for_a_single_block_still_plays():
    thought = think(arbora.TicTacToe(), arbora.UCT(nodes=2), playouts=100)
    assert (thought.moves, thought.nodes, thought.playouts) == ([], 1, 100)
    assert thought.move in range(9)


@pytest.mark.parametrize("parallel", ["tree", "root"])
def test_two_threads(parallel):
    search = UCT.replace(parallel=parallel, early_stop=False, exploration=1.0)
    thought = think(arbora.TicTacToe(), search, playouts=40_000, threads=2)
    assert thought.playouts == 40_000
    visits = sum(found.visits for found in thought.moves)
    assert visits == 40_000 or (parallel == "tree" and 0.9 * 40_000 < visits < 40_000)  # some get lost when threads meet
    assert sorted(found.move for found in thought.moves) == list(range(9))
    lost = think(arbora.TicTacToe(), search, moves=[4, 1], playouts=40_000, threads=2)  # an edge is the wrong reply
    assert lost.value > 0.9
    won = think(arbora.TicTacToe(), search, moves=[0, 3, 1, 4], playouts=20_000, threads=2)
    assert (won.stopped, won.move, won.value) == ("proved", 2, 1.0)


def test_threads_of_a_full_pool():
    thought = think(arbora.TicTacToe(), arbora.UCT(nodes=300, early_stop=False), playouts=30_000, threads=2)
    assert thought.playouts == 30_000
    assert thought.nodes <= 300
    assert thought.move in range(9)


def test_a_python_game_is_played_by_boutons_theorem():
    """Who leaves heaps whose sizes add up to zero in binary, without carry, wins: after 7 of 1, 3, 5, 7 that is 1, 3, 2."""
    game = Nim()
    thought = think(game, arbora.UCT(nodes=50_000), moves=[3 * 7 + 6], playouts=3_000)
    assert game.text(thought.move) == "3 from heap 3"
    assert thought.moves[0].visits > 1_500 or thought.stopped == "proved"
