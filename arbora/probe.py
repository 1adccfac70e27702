"""Play-outs that ask every optional method everywhere, compiled and interpreted: both must hear the same answers."""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.rng import Rng, make_rng
from arbora.engine.run import SLACK, TOO_LONG, make_run, with_records
from arbora.policies.uniform import Uniform
from arbora.problem import CHANCE, bounds, is_game, like_compiled
from arbora.search.search import search
from arbora.simulator import host_of

ANSWERS = ("bound", "key", "label", "find", "bias", "eased", "score")
ANSWERS_OF_GAMES = ("player", "payoff", "chance", "light", "urgent", "prior", "finish", "determinize", "worlds", "seen")
_BOUND, _KEY, _LABEL, _FIND, _BIAS, _EASED, _SCORE = range(7)
_PLAYER, _PAYOFF, _CHANCE, _LIGHT, _URGENT, _PRIOR, _FINISH, _DETERMINIZE, _WORLDS, _SEEN = range(7, 17)


@make_component
class Heard:
    """What the methods answered: a running mix for each, whole numbers by their bits, others by their sum."""

    bits: np.ndarray  # uint64[17], a word for each of ANSWERS and ANSWERS_OF_GAMES
    sums: np.ndarray  # float64[17]
    out: np.ndarray  # int32[max_moves + SLACK]
    payoffs: np.ndarray  # float64[players]
    rng: Rng  # for methods that draw, so that the play-outs go on alike if they draw differently

    def whole(self, method, value):
        self.bits[method] = self.bits[method] * np.uint64(0x9E3779B97F4A7C15) + np.uint64(np.int64(value))

    def number(self, method, value):
        if np.isfinite(value):
            self.sums[method] += value


@search
class Probe:
    """Random play-outs that ask for everything on the way."""

    policy: object = param("how play-outs choose their moves", default=Uniform())

    def workspace(self, problem: Any) -> Any:
        out = np.zeros(bounds(problem)[0] + SLACK, np.int32)
        answers = len(ANSWERS + ANSWERS_OF_GAMES)
        payoffs = np.zeros(problem.players() if is_game(problem) else 1)
        return Heard(bits=np.zeros(answers, np.uint64), sums=np.zeros(answers), out=out, payoffs=payoffs, rng=make_rng(1))

    def run(self, problem, run):
        while run.going():
            self.episode(problem, run)

    def episode(self, problem, run):
        heard = run.work
        state = run.states[0]
        problem.reset(state)
        length = 0
        while not run.stopped():
            heard.number(_BOUND, problem.bound(state))
            heard.bits[_KEY] = heard.bits[_KEY] * np.uint64(3) + np.uint64(problem.key(state))
            count = problem.moves(state, run.moves)
            self.ask_game(problem, run, state, count)
            if count == 0:
                heard.number(_SCORE, problem.score(state))
                heard.number(_EASED, problem.eased(state, 0.5))
                run.finish(np.float64(problem.score(state)), length)
                return
            if length == run.path.size:
                run.fail(TOO_LONG, length)
                return
            for i in range(count):
                label = problem.label(state, run.moves[i])
                heard.whole(_LABEL, label)
                heard.whole(_FIND, problem.find(state, label, heard.out))
                heard.number(_BIAS, problem.bias(state, run.moves[i]))
            run.path[length] = run.moves[run.rng.below(count)]
            problem.play(state, run.path[length])
            length += 1

    def ask_game(self, problem, run, state, count):
        """What only games have."""


@search
class GameProbe(Probe):
    """The same for games."""

    players: int = param("how many players there are", default=2, low=1)
    draws: bool = param("does the game draw by the numbers that it is given?", default=True)

    def states(self):
        return 2

    def ask_game(self, problem, run, state, count):
        heard = run.work
        player = np.int64(problem.player(state))
        if count == 0:
            for i in range(self.players):
                heard.number(_PAYOFF, problem.payoff(state, i) * (i + 1))
            return
        heard.whole(_PLAYER, player)
        for i in range(count):
            # By their place, so that two that have changed places differ.
            heard.number(_PRIOR, problem.prior(state, run.moves[i]) * (i + 1))
            if player == CHANCE:
                heard.number(_CHANCE, problem.chance(state, run.moves[i]) * (i + 1))
        if self.draws:
            self.ask_on_a_copy(problem, run, state, player)
        heard.whole(_LIGHT, problem.light(state, heard.out, heard.rng))
        heard.whole(_URGENT, problem.urgent(state, heard.out, heard.rng))

    def ask_on_a_copy(self, problem, run, state, player):
        """What changes the position that it is asked about."""
        heard, copy = run.work, run.states[1]
        if player != CHANCE:
            heard.number(_WORLDS, np.float64(problem.worlds(state, player)))
            heard.whole(_SEEN, np.uint64(problem.seen(state, player)))
            run.states[1] = state
            problem.determinize(copy, player, heard.rng)
            for i in range(self.players):
                heard.whole(_DETERMINIZE, np.uint64(problem.seen(copy, i)))
            heard.whole(_DETERMINIZE, problem.moves(copy, heard.out))
        run.states[1] = state
        played = np.int64(problem.finish(copy, heard.payoffs, heard.rng))
        heard.whole(_FINISH, played)
        if played >= 0:
            for i in range(self.players):
                heard.number(_FINISH, heard.payoffs[i] * (i + 1))


def differing(problem: Any, playouts: int, seed: int) -> list[str]:
    """The methods whose answers differ between compiled and interpreted play-outs."""
    from arbora.engine import compile
    from arbora.engine.explain import explain

    probe: Any = Probe()
    if is_game(problem):
        probe = GameProbe(players=problem.players(), draws=host_of(problem) is None)
    fast, plain = (make_run(problem, probe, seed=seed, playouts=playouts) for _ in range(2))
    try:
        function = compile.load(probe, problem, fast)
    except Exception as error:
        raise explain(error, probe, problem, fast) from None
    function(probe, problem, fast)
    with like_compiled():
        probe.run(problem, with_records(plain))
    one: Any = fast.work
    other: Any = plain.work
    same = (one.bits == other.bits) & np.isclose(one.sums, other.sums, rtol=1e-9, atol=1e-9)
    return [name for name, equal in zip(ANSWERS + ANSWERS_OF_GAMES, same, strict=True) if not equal]
