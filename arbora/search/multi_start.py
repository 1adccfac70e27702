"""Multi-start: one budget, several runs of a search that know nothing of each other (documents 000 and 001)."""

from typing import Any

from arbora.component import derived, fill, has_role, param
from arbora.errors import BadInput
from arbora.search.mcts import MCTS
from arbora.search.search import search


@search
class MultiStart:
    """Any search, started several times from nothing."""

    search: object = param("the search to start", default=MCTS())
    starts: int = param("how often; each start gets an equal share of what is left of the budget", default=10, low=1)
    policy: object = derived(init=False)  # the inner search's, so that its memory is laid out

    def prepare(self) -> Any:
        if not has_role(self.search, "search"):
            raise BadInput(f"MultiStart: search={self.search!r} is not a search; give one such as arbora.MCTS()")
        return fill(self, policy=getattr(self.search, "policy", None))

    @property
    def needs(self) -> Any:
        inner: Any = self.search
        return inner.needs

    @property
    def keeps_states(self) -> Any:
        inner: Any = self.search
        return inner.keeps_states

    def states(self) -> Any:
        inner: Any = self.search
        return inner.states()

    def workspace(self, problem: Any) -> Any:
        inner: Any = self.search
        return inner.workspace(problem)

    def team(self, problem: Any, threads: int) -> Any:
        inner: Any = self.search
        return inner.team(problem, threads)

    def run(self, problem, run):
        whole = run.whole()
        for start in range(self.starts):
            if run.going():
                run.share(whole, self.starts - start)
                run.forget()
                self.search.run(problem, run)
                run.narrow(whole, 1.0)
