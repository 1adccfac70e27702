"""What is true of games that hide cards: all positions, what players know of them, and OpenSpiel's game beside ours."""

from collections.abc import Iterator
from typing import Any

import pytest
from perft import listed, position

from arbora.engine.rng import make_rng
from arbora.problem import CHANCE, copied, like_compiled

DRAWS = 120  # for each position that is held possible


def histories(game: Any, moves: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], Any]]:
    """All positions there are, each with the moves that lead there."""
    state = position(game, list(moves))
    yield moves, state
    for move in listed(game, state):
        yield from histories(game, (*moves, move))


def same_as_openspiel(game: Any, name: str) -> int:
    """Walk all positions of both games, comparing everything. Returns how many there are."""
    their_game = pytest.importorskip("pyspiel").load_game(name)
    assert (their_game.min_utility(), their_game.max_utility()) == game.payoffs()
    met, known = 0, {}
    with like_compiled():
        for moves, state in histories(game):
            theirs = their_game.new_initial_state()
            for move in moves:
                theirs.apply_action(move)
            legal = listed(game, state)
            assert legal == ([] if theirs.is_terminal() else theirs.legal_actions())
            if theirs.is_terminal():
                assert [game.payoff(state, 0), game.payoff(state, 1)] == theirs.returns()
            else:
                assert game.player(state) == (CHANCE if theirs.is_chance_node() else theirs.current_player())
            if theirs.is_chance_node():
                assert {move: game.chance(state, move) for move in legal} == pytest.approx(dict(theirs.chance_outcomes()))
            elif not theirs.is_terminal():
                player = theirs.current_player()
                seen = int(game.seen(state, player))
                assert known.setdefault(seen, theirs.information_state_string()) == theirs.information_state_string()
            met += 1
    assert len(set(known.values())) == len(known)
    return met


def decisions(game: Any) -> dict[tuple[int, int], list[Any]]:
    """The positions in which a player decides, by player and what he has seen."""
    found: dict[tuple[int, int], list[Any]] = {}
    with like_compiled():
        for _, state in histories(game):
            player = int(game.player(state))
            if player != CHANCE and listed(game, state):
                found.setdefault((player, int(game.seen(state, player))), []).append(state)
    return found


def check_determinize(game: Any, every: int = 1) -> None:
    """Each position held possible is drawn, no other one, all equally often; which one is the real one does not matter."""
    with like_compiled():
        for (player, seen), alike in list(decisions(game).items())[::every]:
            possible = {state.arbora_record.tobytes() for state in alike}
            assert len(possible) == len(alike) == game.worlds(alike[0], player)
            drawn: dict[bytes, int] = dict.fromkeys(possible, 0)
            rng = make_rng(seen % 2**32)
            for _ in range(DRAWS * len(alike)):
                sample = copied(game, alike[0])
                game.determinize(sample, player, rng)
                assert game.seen(sample, player) == seen
                drawn[sample.arbora_record.tobytes()] += 1
            assert len(drawn) == len(alike)
            assert sum((count - DRAWS) ** 2 / DRAWS for count in drawn.values()) < 30  # chi-square, far out in its tail
            for state in alike:
                samples = [copied(game, alike[0]), copied(game, state)]
                for sample in samples:
                    game.determinize(sample, player, make_rng(7))
                assert samples[0].arbora_record.tobytes() == samples[1].arbora_record.tobytes()


def check_views_at_any_time(game: Any, seed: int) -> None:
    """Along a random game, nobody's view changes when what he does not see is redrawn; nor do moves or whose turn it is."""
    rng, state = make_rng(seed), position(game, [])
    with like_compiled():
        while moves := listed(game, state):
            for player in range(2):
                sample = copied(game, state)
                game.determinize(sample, player, rng)
                assert game.seen(sample, player) == game.seen(state, player)
                assert game.show(sample, player) == game.show(state, player)
                assert game.worlds(sample, player) == game.worlds(state, player)
                assert game.player(sample) == game.player(state)
                if game.player(state) == player:
                    assert listed(game, sample) == moves
            game.play(state, moves[rng.below(len(moves))])
