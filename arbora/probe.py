"""Play-outs that ask every optional method everywhere, compiled and interpreted: both must hear the same answers."""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.run import SLACK, TOO_LONG, make_run, with_records
from arbora.policies.uniform import Uniform
from arbora.problem import bounds, like_compiled
from arbora.search.search import search

ANSWERS = ("bound", "key", "label", "find", "bias", "eased", "score")
_BOUND, _KEY, _LABEL, _FIND, _BIAS, _EASED, _SCORE = range(7)


@make_component
class Heard:
    """What the methods answered: a running mix for each, whole numbers by their bits, others by their sum."""

    bits: np.ndarray  # uint64[7]
    sums: np.ndarray  # float64[7]
    out: np.ndarray  # int32[max_moves + SLACK]

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
        return Heard(bits=np.zeros(len(ANSWERS), np.uint64), sums=np.zeros(len(ANSWERS)), out=out)

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


def differing(problem: Any, playouts: int, seed: int) -> list[str]:
    """The methods whose answers differ between compiled and interpreted play-outs."""
    from arbora.engine import compile
    from arbora.engine.explain import explain

    probe = Probe()
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
    return [name for name, equal in zip(ANSWERS, same, strict=True) if not equal]
