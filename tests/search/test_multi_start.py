"""Multi-start: shares of the budget, and starts that know nothing of each other."""

import numpy as np
import pytest
from nested_problems import First
from small_problems import Walk, walk_score

import arbora
from arbora import make_component
from arbora.engine.run import make_run, with_records
from arbora.spec import parse_search


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


@make_component
class Log:
    """Play-outs at the end of each start."""

    ends: np.ndarray
    count: np.ndarray


@arbora.search
class Walker:
    """A search without a policy: walks by the random numbers, and logs when each of its runs ends."""

    needs = ("code",)
    keeps_states = True

    def states(self):
        return 3

    def workspace(self, problem):
        return Log(np.zeros(20, np.int64), np.zeros(1, np.int64))

    def run(self, problem, run):
        while run.going():
            problem.reset(run.states[2])
            length = 0
            while problem.moves(run.states[2], run.moves) > 0:
                run.path[length] = run.moves[run.rng.below(3)]
                problem.play(run.states[2], run.path[length])
                length += 1
            run.finish(problem.score(run.states[2]), length)
        run.work.ends[run.work.count[0]] = run.counters[0]
        run.work.count[0] += 1


def plain_run(search, playouts: int, seed: int = 1):
    run = with_records(make_run(Walk(), search, seed=seed, playouts=playouts))
    search.run(Walk(), run)
    return run


@pytest.mark.parametrize(
    ("playouts", "starts", "ends"),
    [(10, 3, [4, 7, 10]), (12, 3, [4, 8, 12]), (7, 1, [7]), (2, 5, [1, 2]), (100, 4, [25, 50, 75, 100])],
)
def test_every_start_gets_an_equal_share(playouts, starts, ends):
    run = plain_run(arbora.MultiStart(search=Walker(), starts=starts), playouts)
    assert run.work.ends[: run.work.count[0]].tolist() == ends
    assert run.whole() == (0, playouts, 0, np.inf)


def outcome(run):
    return run.best_score[0], run.best_moves.tolist(), run.trace[: run.counters[3], 1:].tolist(), run.rng.next()


def test_starts_are_runs_one_after_the_other():
    """Each search from nothing, with the random numbers going on: the same as calling it by hand on parts of a run."""
    search = arbora.MCTS(exploration=0.5)
    by_hand = with_records(make_run(Walk(), search, seed=3, playouts=90))
    for end in (30, 60, 90):
        by_hand.part[1] = end
        search.run(Walk(), by_hand)
    assert outcome(plain_run(arbora.MultiStart(search=search, starts=3), 90, seed=3)) == outcome(by_hand)


def test_starts_of_random_search_are_random_search():
    assert outcome(plain_run(arbora.MultiStart(search=arbora.Random(), starts=7), 100)) == outcome(
        plain_run(arbora.Random(), 100)
    )


def test_the_first_start_is_the_search_alone():
    alone = arbora.solve(Walk(), arbora.MCTS(), playouts=40, seed=2, compiled=False)
    several = arbora.solve(Walk(), arbora.MultiStart(starts=5), playouts=200, seed=2, compiled=False)
    assert [(row.playouts, row.score) for row in several.trace][: len(alone.trace)] == [
        (row.playouts, row.score) for row in alone.trace
    ]
    assert sum(row.visits for row in several.root) == 40


def test_a_start_that_returns_early_is_followed_by_the_next():
    search = arbora.MultiStart(search=arbora.SPMCTS(nodes=5, restarts=1, threshold=0), starts=6)
    result = arbora.solve(Walk(), search, playouts=10_000, compiled=False)
    assert (result.playouts, result.nodes, result.stopped) == (6 * 4, 6 * 5, "budget")


def test_every_start_begins_with_an_empty_policy_memory():
    run = plain_run(arbora.MultiStart(search=arbora.Random(policy=First()), starts=4), 20)
    assert run.memory[0].episodes == 5


def test_the_wrapper_asks_for_what_the_search_asks_for():
    wrapped = arbora.MultiStart(search=Walker())
    assert (wrapped.needs, wrapped.keeps_states, wrapped.states(), wrapped.policy) == (("code",), True, 3, None)
    plain = arbora.MultiStart(search=arbora.MCTS(policy=First()))
    assert (plain.needs, plain.keeps_states, plain.states(), plain.policy) == ((), False, 2, First())


def test_a_policy_that_does_not_fit_is_told():
    with pytest.raises(arbora.BadInput, match="policy TabuColor needs a problem with the methods kinds"):
        arbora.solve(Walk(), arbora.MultiStart(search=arbora.MCTS(policy=arbora.TabuColor())), playouts=1)


@pytest.mark.parametrize("search", [arbora.MultiStart(search=Walker(), starts=3), arbora.MultiStart(starts=3)], ids=str)
def test_compiled_and_interpreted_are_equal(search):
    results = [arbora.solve(Walk(), search, playouts=100, seed=5, compiled=compiled) for compiled in (True, False)]
    seen = [(r.score, r.moves, r.playouts, [(row.playouts, row.score) for row in r.trace], r.root) for r in results]
    assert seen[0] == seen[1]
    assert walk_score(results[0].moves) == results[0].score


def test_specs():
    search = parse_search("multi-start,search=sp-mcts,search.nodes=50000,search.policy=tabu-color,starts=4")
    assert search == arbora.MultiStart(search=arbora.SPMCTS(policy=arbora.TabuColor(), nodes=50_000), starts=4)
    with pytest.raises(arbora.BadInput, match="starts=0 is not allowed; starts takes a whole number of 1 or more"):
        parse_search("multi-start,starts=0")
    with pytest.raises(arbora.BadInput, match="unknown search 'uniform'"):
        parse_search("multi-start,search=uniform")
    with pytest.raises(arbora.BadInput, match=r"search=Uniform\(\) is not a search"):
        arbora.MultiStart(search=arbora.Uniform())
