"""Games of OpenSpiel behind the adapter: the same rules, playable by our searches, resumed like all others."""

import json
import random

import pytest
import spiel_resamplers

import arbora
from arbora.batch import store
from arbora.check import interpreted_checks
from arbora.cli.main import main
from arbora.errors import BadInput
from arbora.problem import CHANCE
from arbora.simulator import opened, raise_error

pyspiel = pytest.importorskip("pyspiel")

SEARCHES = [
    arbora.PIMC(),
    arbora.IIMC(inner=arbora.PIMC(playouts=3)),
    arbora.AMCTS(inner=arbora.PIMC(playouts=3), most_worlds=2),
    arbora.ISMCTS(nodes=10_000),
]


def walked(game, depth):
    """How many positions there are after each number of moves."""
    counts = [1]
    for _ in range(depth):
        counts.append(0)
    if depth == 0 or not game.moves():
        return counts
    kept = game.snapshot()
    for move in game.moves():
        game.restore(kept)
        game.play(move)
        for i, count in enumerate(walked(game, depth - 1), start=1):
            counts[i] += count
    return counts


@pytest.mark.parametrize(
    ("name", "counts"),
    [
        ("tic_tac_toe", [1, 9, 72, 504, 3024, 15120]),
        ("connect_four", [1, 7, 49, 343, 2401, 16807]),
        ("othello", [1, 4, 12, 56, 244]),
    ],
)
def test_positions_are_as_many_as_in_our_own_games(name, counts):
    assert walked(arbora.OpenSpiel(name), len(counts) - 1) == counts


def test_a_puzzle_is_solved_and_its_solution_replays():
    result = arbora.solve(arbora.OpenSpiel("morpion_solitaire"), arbora.Random(), playouts=20, compiled=False)
    state = pyspiel.load_game("morpion_solitaire").new_initial_state()
    for move in result.moves:
        state.apply_action(move)
    assert state.is_terminal()
    assert state.returns() == [result.score]
    assert all(text == text.strip() for text in result.text)


def test_one_player_with_chance_is_a_game():
    game = arbora.OpenSpiel("2048")
    assert (game.players, game.player()) == (1, CHANCE)
    assert sum(game.chance(move) for move in game.moves()) == pytest.approx(1)


@pytest.mark.parametrize("name", ["backgammon", "hearts", "kuhn_poker(players=3)", "laser_tag", "goofspiel(num_cards=4)"])
def test_games_keep_to_what_they_say_of_themselves(name):
    game = arbora.OpenSpiel(name)
    rng = random.Random(1)
    for _ in range(3):
        game.reset()
        length = 0
        while moves := game.moves():
            assert len(moves) <= game.max_moves
            assert CHANCE <= game.player() < game.players
            game.play(rng.choice(moves))
            length += 1
        assert length <= game.max_length
        low, high = game.payoffs
        assert all(low <= game.payoff(player) <= high for player in range(game.players))


def test_moves_are_named_without_who_makes_them():
    for name, told in [("gin_rummy", "Pass"), ("universal_poker", "Fold")]:
        game, rng = arbora.OpenSpiel(name), random.Random(3)
        while game.player() == CHANCE:
            game.play(rng.choice(game.moves()))
        for _ in range(20):
            texts = [game.text(move) for move in game.moves()]
            if told in texts:
                break
            game.play(game.moves()[-1])
        assert told in texts


def test_finish_plays_to_the_end():
    game = arbora.OpenSpiel("hearts")
    game.reset()
    played, payoffs = game.finish(random.Random(1))
    assert played in (52 + 1 + 52, 52 + 1 + 12 + 52)
    assert payoffs == [game.payoff(player) for player in range(4)]
    assert game.moves() == []
    assert sum(game.payoff(player) for player in range(4)) in (4 * 26 - 26, 4 * 26 - 78)


@pytest.mark.parametrize("name", ["matrix_rps", "goofspiel(num_cards=3)", "oshi_zumo(coins=4)"])
def test_what_is_done_at_the_same_time_is_hidden_until_all_have_done_it(name):
    game, rng = arbora.OpenSpiel(name), random.Random(1)
    found = set()
    while moves := game.moves():
        if game.player() == 1:
            kept, told = game.snapshot(), game.seen(1)
            for _ in range(20):
                game.restore(kept)
                drawn = game.determinize(1, rng)
                assert (game.player(), game.moves(), game.seen(1)) == (1, moves, told)
                assert drawn[:-1] == kept.history()[:-1]
                found.add(drawn[-1])
                game.restore(kept)
                assert game.determinize(0, rng) == kept.history()  # whoever decided first knows everything
            game.restore(kept)
        game.play(rng.choice(moves))
    assert len(found) > 1


@pytest.mark.parametrize("name", ["hearts", "euchre", "oh_hell", "gin_rummy"])
def test_every_search_for_hidden_information_chooses_a_move(name):
    for search in SEARCHES:
        chosen = []
        for _ in range(2):
            with arbora.Player(arbora.OpenSpiel(name), search, seed=3, compiled=False) as player:
                while player.to_move == CHANCE or len(player.legal()) < 2:
                    player.play(player.chance_move() if player.to_move == CHANCE else player.legal()[0])
                thought = player.think(playouts=6)
                assert thought.move in player.legal()
                chosen.append((thought.move, thought.value, thought.playouts))
        assert chosen[0] == chosen[1]


def test_a_game_is_as_exploitable_there_as_here():
    from arbora import exact

    theirs, ours = exact.tree_of(arbora.OpenSpiel("kuhn_poker")), exact.tree_of(arbora.KuhnPoker())
    assert (theirs.nodes, theirs.sets) == (ours.nodes, ours.sets) == (58, 12)
    for strategy in (exact.uniform, exact.exact_pimc):
        assert exact.exploitability(theirs, strategy(theirs)) == pytest.approx(exact.exploitability(ours, strategy(ours)))
    assert exact.exploitability(theirs, exact.uniform(theirs)) == pytest.approx(0.458333, abs=1e-6)


def test_a_game_with_a_function_of_ones_own():
    game = arbora.OpenSpiel("phantom_ttt", resample=spiel_resamplers.guess)
    with arbora.Player(game, arbora.ISMCTS(nodes=1000), compiled=False) as player:
        for move in (4, 0, 8):
            player.play(move)
        assert player.think(playouts=30).move in player.legal()
    with pytest.raises(BadInput, match="UCT would look at what"):
        arbora.Player(game, arbora.UCT())


@pytest.mark.parametrize("name", ["kuhn_poker", "leduc_poker", "tic_tac_toe"])
def test_the_conformance_suite_passes_without_compiling(name):
    with opened(arbora.OpenSpiel(name)) as game:
        assert list(interpreted_checks(game, 5, 1))
        raise_error(game)


def test_a_match_is_played_once(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    command = ["match", "is-mcts,playouts=5", "random", "--game", "openspiel:hearts", "--workers", "1", "--json"]
    assert main([*command, "--games", "2"]) == 0
    capsys.readouterr()
    with store.reading(tmp_path / "match.sqlite") as kept:
        before = {record.identity: record for record in kept.all()}
    assert main([*command, "--games", "4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["games"] == 4
    assert len(found["seats"]) == 4
    with store.reading(tmp_path / "match.sqlite") as kept:
        after = {record.identity: record for record in kept.all()}
    assert len(after) == 4
    assert {key: after[key] for key in before} == before


def test_at_the_table(capsys):
    assert main(["play", "openspiel:kuhn_poker", "--both", "--playouts", "50"]) == 0
    said = capsys.readouterr().out.splitlines()
    assert sum(line.startswith("chance: Deal:") for line in said) == 2
    assert said[-1].startswith("payoffs: player 1 ") or said[-1].endswith(" wins")
