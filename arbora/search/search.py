"""The search protocol: an algorithm with its parameters and no state of its own.

    run(self, problem, run)    search until `run.going()` says no; finished episodes go through `run.finish`
    states(self)               how many state records the search works in (optional; 2 by default)
    workspace(self, problem)   a component that holds all other memory the search works in, as `run.work` (optional);
                               compiled code allocates nothing

`run` is `arbora.engine.run.Run`: random numbers, budget, work space, and the place where the best solution is published.
"""

from typing import Any, TypeVar, dataclass_transform

from arbora.component import make_component, param, require_methods
from arbora.problem import importable_home

T = TypeVar("T")


@make_component
class NoWorkspace:
    """The workspace of a search that needs none."""


def _states(self: Any) -> int:
    return 2


def _workspace(self: Any, problem: Any) -> Any:
    return NoWorkspace()


@dataclass_transform(field_specifiers=(param,))
def search(cls: type[T]) -> type[T]:
    """Make a class with `run(self, problem, run)` a search."""
    require_methods(cls, {"run": ("problem", "run")}, {"states": (), "workspace": ("problem",)})
    for name, function in (("states", _states), ("workspace", _workspace)):
        if name not in vars(cls):
            setattr(cls, name, function)
    made = make_component(cls)
    made.__module__ = importable_home(cls.__module__)
    made.is_search = True  # type: ignore[attr-defined]
    return made
