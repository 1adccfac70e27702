"""The policy protocol: how a play-out chooses its moves.

A policy has parameters, like a problem, and a *memory*: one record that belongs to the run, for what it must remember
within a play-out or learn from one play-out to the next.

    layout(self, problem)                            numpy dtype of the memory (optional; zeroed at the start of a run)
    begin(self, problem, state, memory, rng)         a play-out starts here (optional)
    choose(self, problem, state, memory, out, rng)   the move to play, -1 if there is none; `out` is scratch
    learn(self, problem, memory, score)              a play-out ended with this score (optional)
    finish(self, problem, state, payoffs, rng)       for games: the rest of a play-out at once, as the problem's `finish`
                                                     has it (optional)
"""

from typing import Any, TypeVar, dataclass_transform

import numpy as np

from arbora.component import derived, make_component, param, require_methods

T = TypeVar("T")

_REQUIRED: dict[str, tuple[str, ...]] = {"choose": ("problem", "state", "memory", "out", "rng")}
_OPTIONAL: dict[str, tuple[str, ...]] = {
    "layout": ("problem",),
    "begin": ("problem", "state", "memory", "rng"),
    "learn": ("problem", "memory", "score"),
    "finish": ("problem", "state", "payoffs", "rng"),
}


def _layout(self: Any, problem: Any) -> Any:
    return [("unused", np.int8)]


def _begin(self: Any, problem: Any, state: Any, memory: Any, rng: Any) -> None:
    pass


def _learn(self: Any, problem: Any, memory: Any, score: Any) -> None:
    pass


def _finish(self: Any, problem: Any, state: Any, payoffs: Any, rng: Any) -> int:
    return -1


@dataclass_transform(field_specifiers=(param, derived))
def policy(cls: type[T]) -> type[T]:
    """Make a class with the protocol's methods a policy.

    `needs`, a class attribute, names optional methods of the problem that the policy cannot do without.
    """
    require_methods(cls, _REQUIRED, _OPTIONAL)
    defaults = {"layout": _layout, "begin": _begin, "learn": _learn, "finish": _finish, "needs": ()}
    return make_component(cls, "policy", defaults)
