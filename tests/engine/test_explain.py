"""A game's method that cannot be compiled is named, with its line."""

import numpy as np
import pytest

import arbora
from arbora.engine import compile
from arbora.engine.explain import explain
from arbora.engine.run import make_run

METHODS = {
    "player": lambda self, state: np.int64(len(np.poly(np.eye(2)))) * 0 + state.step % 2,
    "payoff": lambda self, state, player: 0.5 + 0.0 * len(np.poly(np.eye(2))),
    "chance": lambda self, state, move: 0.5 + 0.0 * len(np.poly(np.eye(2))),
    "prior": lambda self, state, move: 0.5 + 0.0 * len(np.poly(np.eye(2))),
    "light": lambda self, state, out, rng: -1 if state.step == 2 else 0 * len(np.poly(np.eye(2))),
    "urgent": lambda self, state, out, rng: -1 + 0 * len(np.poly(np.eye(2))),
}


class Coin:
    """Two moves of two players."""

    def layout(self):
        return [("step", np.int64)]

    def max_moves(self):
        return 2

    def max_length(self):
        return 2

    def players(self):
        return 2

    def reset(self, state):
        state.step = 0

    def moves(self, state, out):
        out[0] = 0
        out[1] = 1
        return 2 if state.step < 2 else 0

    def play(self, state, move):
        state.step += 1

    def player(self, state):
        return state.step % 2

    def payoff(self, state, player):
        return 0.5


@pytest.mark.parametrize("name", METHODS)
def test_the_method_at_fault_is_named(name):
    game = arbora.problem(type("Mine", (Coin,), {name: METHODS[name]}))()
    search = arbora.UCT(policy=arbora.Tactical(), nodes=10)
    run = make_run(game, search)
    compile.prepare((search, game, run))  # as before the compilation that has failed
    told = str(explain(RuntimeError("something failed"), search, game, run))
    line = METHODS[name].__code__.co_firstlineno
    assert told == f"class Mine, method {name}, {__file__}:{line}: numpy.poly cannot be compiled"
