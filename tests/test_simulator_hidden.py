"""Plain Python games that hide something, under the searches for them."""

import random
from collections import Counter

import numpy as np
import pytest
from plain_hidden_games import BET, CARDS, FOLD, Finished, HighCard, Saved, Told

import arbora
from arbora.check import interpreted_checks
from arbora.engine.rng import make_rng
from arbora.errors import BadInput, ProblemError
from arbora.problem import Records, new_states
from arbora.simulator import opened, raise_error

SEARCHES = {
    "pimc": arbora.PIMC(),
    "amcts": arbora.AMCTS(inner=arbora.PIMC(playouts=5)),
    "is-mcts": arbora.ISMCTS(nodes=10_000),
    "is-mcts with draws that are used again": arbora.ISMCTS(nodes=10_000, reuse=4),
}
HIGHEST, LOWEST = CARDS - 1, 0


def thought_of(game, search, cards, playouts=300, compiled=False, bets=()):
    with arbora.Player(game, search, seed=2, compiled=compiled) as player:
        for move in (*cards, *bets):
            player.play(move)
        return player.think(playouts=playouts)


def known(thought):
    return [(about.move, about.visits, about.value) for about in thought.moves]


@pytest.mark.parametrize("name", SEARCHES)
@pytest.mark.parametrize("cls", [Told, Saved, Finished])
def test_the_best_move_is_found(cls, name):
    assert thought_of(cls(), SEARCHES[name], (HIGHEST, 2)).move == BET
    assert thought_of(cls(), SEARCHES[name], (LOWEST, 2)).move == FOLD
    assert thought_of(cls(), SEARCHES[name], (2, LOWEST), bets=[BET]).move == FOLD
    assert thought_of(cls(), SEARCHES[name], (2, HIGHEST), bets=[BET]).move == BET


@pytest.mark.parametrize("name", SEARCHES)
def test_it_makes_no_difference_how_positions_are_come_back_to(name):
    before = Saved.restored
    thoughts = [known(thought_of(cls(), SEARCHES[name], (2, 3))) for cls in (Told, Saved)]
    assert thoughts[0] == thoughts[1]
    assert Saved.restored > before


def test_compiled_searches_think_the_same():
    thoughts = [
        known(thought_of(Saved(), SEARCHES["is-mcts"], (2, 3), compiled=compiled, playouts=100))
        for compiled in (True, False)
    ]
    assert thoughts[0] == thoughts[1]


def test_what_is_hidden_makes_no_difference():
    for name, search in SEARCHES.items():
        thoughts = [known(thought_of(Told(), search, (2, other))) for other in (0, 1, 3, 4)]
        assert all(thought == thoughts[0] for thought in thoughts), name


def test_play_outs_go_on_by_themselves():
    before = Finished.finished
    thought_of(Finished(), SEARCHES["pimc"], (2, 3), playouts=50)
    assert Finished.finished == before + 50


def test_what_compiled_code_is_told():
    with opened(Told()) as game:
        states, rng = Records(new_states(game, 2)), make_rng(1)
        real, drawn = states[0], states[1]
        game.reset(real)
        for move in (2, 4):
            game.play(real, move)
        assert (game.worlds(real, 0), game.show(real, 0), game.show(real, 1)) == (4, "your card: 3", "your card: 5")
        found = Counter()
        for _ in range(60):
            states[1] = real
            game.determinize(drawn, 0, rng)
            assert game.seen(drawn, 0) == game.seen(real, 0)
            assert drawn.length == 2
            found[int(drawn.history[1])] += 1
        assert set(found) == {0, 1, 3, 4}
        assert game.seen(real, 0) != game.seen(real, 1)
        raise_error(game)


@pytest.mark.parametrize("search", [arbora.UCT(), arbora.RAVE()])
def test_a_search_that_would_look_at_what_is_hidden_is_refused(search):
    with pytest.raises(BadInput, match=r"would look at what .* hides from its players"):
        arbora.Player(Told(), search)


@pytest.mark.parametrize("cls", [Told, Saved, Finished])
def test_the_conformance_suite_passes_without_compiling(cls):
    with opened(cls()) as game:
        assert list(interpreted_checks(game, 10, 1))
        raise_error(game)


@pytest.mark.parametrize("method", ["determinize", "seen", "finish", "snapshot", "restore"])
def test_users_exception_comes_out_with_its_own_traceback(method):
    def fail(self, *arguments):
        raise RuntimeError(f"broken in {method}")

    with pytest.raises(RuntimeError, match=f"broken in {method}") as caught:
        thought_of(type("Bad", (Finished,), {method: fail})(), SEARCHES["is-mcts"], (2, 3), playouts=20)
    assert any(entry.name == "fail" for entry in caught.traceback)


def test_users_exception_in_worlds_comes_out_too():
    def fail(self, player):
        raise RuntimeError("cannot count")

    with pytest.raises(RuntimeError, match="cannot count"):
        thought_of(type("Bad", (Told,), {"worlds": fail})(), SEARCHES["amcts"], (2, 3))


@pytest.mark.parametrize(
    ("method", "value", "told"),
    [
        ("determinize", None, "determinize must return the moves from the start, not None"),
        ("determinize", "ab", "determinize must return the moves from the start, not 'ab'"),
        ("determinize", [0.5, 1], "determinize must return the moves from the start, not [0.5, 1]"),
        ("determinize", [2**40], "determinize must return the moves from the start, not [1099511627776]"),
        ("determinize", [1] * 5000, "determinize must return the moves from the start, not"),
        ("seen", ["a list"], "seen must return what has a hash, as texts and tuples do, not ['a list']"),
        ("worlds", "many", "worlds must return a number from 1, not 'many'"),
        ("worlds", 0, "worlds must return a number from 1, not 0"),
        ("worlds", None, "worlds must return a number from 1, not None"),
        ("finish", None, "finish must return how many moves it has played, not None"),
        ("finish", -1, "finish must return how many moves it has played, not -1"),
    ],
)
def test_what_is_wrong_to_return_is_told_with_its_place(method, value, told):
    def returns(self, *arguments):
        return value

    search = SEARCHES["amcts" if method == "worlds" else "is-mcts"]
    with pytest.raises(ProblemError) as caught:
        thought_of(type("Bad", (Finished,), {method: returns})(), search, (2, 3), playouts=20)
    line = returns.__code__.co_firstlineno
    assert str(caught.value).startswith(f"class Bad, {__file__}:{line}: {told}")


def test_a_list_as_what_is_seen_is_told():
    with pytest.raises(ProblemError, match="seen must return what has a hash"):
        thought_of(HighCard(), SEARCHES["is-mcts"], (2, 3), playouts=5)


@pytest.mark.parametrize(("there", "missing"), [("snapshot", "restore"), ("restore", "snapshot")])
def test_one_of_a_pair_is_told(there, missing):
    with pytest.raises(ProblemError, match=f"{there} is of no use without {missing}"):
        arbora.Player(type("Half", (Told,), {there: getattr(Saved, there)})())


@pytest.mark.parametrize("method", ["determinize", "seen", "worlds", "show", "finish"])
def test_wrong_arguments_are_told(method):
    with pytest.raises(ProblemError, match=rf"{method} must be {method}\(self, "):
        arbora.Player(type("Twisted", (Told,), {method: lambda self: None})())


def test_a_draw_may_be_any_sequence():
    class Tuples(Told):
        def determinize(self, player, rng):
            return tuple(np.int32(move) for move in super().determinize(player, rng))

    assert known(thought_of(Tuples(), SEARCHES["pimc"], (2, 3))) == known(thought_of(Told(), SEARCHES["pimc"], (2, 3)))


def test_the_same_random_numbers_for_the_same_seed():
    drawn = []

    class Noted(Told):
        def determinize(self, player, rng):
            assert isinstance(rng, random.Random)
            moves = super().determinize(player, rng)
            drawn.append(tuple(moves))
            return moves

    for _ in range(2):
        thought_of(Noted(), SEARCHES["pimc"], (2, 3), playouts=20)
    assert drawn[: len(drawn) // 2] == drawn[len(drawn) // 2 :]
    assert len(set(drawn)) == 4
