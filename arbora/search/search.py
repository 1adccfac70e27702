"""The search protocol: an algorithm with its parameters and no state of its own.

    run(self, problem, run)    search until `run.going()` says no; finished episodes go through `run.finish`
    states(self)               how many state records the search works in (optional; 2 by default)
    workspace(self, problem)   a component that holds all other memory the search works in, as `run.work` (optional);
                               compiled code allocates nothing
    team(self, problem, threads)   the same, shared by all threads of a run, as `run.team` (optional)

Class attributes: `needs` names optional methods of the problem that the search cannot do without; `keeps_states` is true
for searches that keep many states, which get the problem's `compact` twin if it has one; `plays` for searches that choose
the next move of a game from any position, which they find in `run.states[0]`, and keep what they know in `run.team`.

`run` is `arbora.engine.run.Run`: random numbers, budget, work space, and the place where the best solution is published.
"""

from typing import Any, TypeVar, dataclass_transform

from arbora.component import derived, make_component, param, require_methods

T = TypeVar("T")


@make_component
class NoWorkspace:
    """The workspace of a search that needs none."""


def _states(self: Any) -> int:
    return 2


def _workspace(self: Any, problem: Any) -> Any:
    return NoWorkspace()


def _team(self: Any, problem: Any, threads: int) -> Any:
    return NoWorkspace()


@dataclass_transform(field_specifiers=(param, derived))
def search(cls: type[T]) -> type[T]:
    """Make a class with `run(self, problem, run)` a search."""
    optional: dict[str, tuple[str, ...]] = {"states": (), "workspace": ("problem",), "team": ("problem", "threads")}
    require_methods(cls, {"run": ("problem", "run")}, optional)
    methods = {"states": _states, "workspace": _workspace, "team": _team}
    return make_component(cls, "search", {**methods, "needs": (), "keeps_states": False, "plays": False})
