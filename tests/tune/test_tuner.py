"""Tuning over stored runs: fresh positions, repeatable, and it goes on where it was cut off."""

from dataclasses import replace

import pytest

from arbora.batch import store
from arbora.batch.workers import Workers
from arbora.errors import BadInput
from arbora.tune import tuner
from arbora.tune.tuner import FIRST_BOARD, Tuning, positions

TUNING = Tuning(
    problem="samegame,width=5,height=5",
    search="mcts",
    param={"exploration": "0.1:2:log"},
    playouts=10,
    samples=4,
    elite=2,
    iterations=3,
    positions=2,
)


def test_every_iteration_has_fresh_boards():
    found = [positions(TUNING, iteration) for iteration in (1, 2)]
    assert found[0] == [(f"samegame,width=5,height=5,seed={FIRST_BOARD + n}", n) for n in (1, 2)]
    assert found[1] == [(f"samegame,width=5,height=5,seed={FIRST_BOARD + n}", n) for n in (3, 4)]


def test_a_range_is_drawn_from_without_repeats():
    tuning = replace(TUNING, problem="samegame,seed=1-9", positions=9)
    drawn = [[problem for problem, _ in positions(tuning, iteration)] for iteration in (1, 2)]
    assert sorted(drawn[0]) == sorted(drawn[1]) == [f"samegame,seed={n}" for n in range(1, 10)]
    assert drawn[0] != drawn[1]


@pytest.mark.parametrize("problem", ["weak-schur,parts=2", "samegame,seed=7"])
def test_a_problem_without_random_positions_changes_the_seed_of_the_search(problem):
    assert positions(replace(TUNING, problem=problem), 2) == [(problem, 3), (problem, 4)]


def test_a_tuning_that_was_cut_off_goes_on_and_comes_to_the_same(tmp_path):
    with store.writing(tmp_path / "whole.sqlite") as kept, Workers(2, "threads") as workers:
        whole = tuner.run(TUNING, kept, workers)
    with store.writing(tmp_path / "parts.sqlite") as kept, Workers(2, "threads") as workers:
        assert tuner.recall(TUNING, kept) == (None, 0)

        class CutOff(Exception):
            pass

        def cut_off(iteration):
            if iteration.number == 2:
                raise CutOff

        with pytest.raises(CutOff):
            tuner.run(TUNING, kept, workers, on_iteration=cut_off)
        assert tuner.recall(TUNING, kept) == (None, 16)
        before = len(list(kept.all()))
        again = tuner.run(TUNING, kept, workers)
        assert len(list(kept.all())) > before
        assert tuner.recall(TUNING, kept) == (again, 24)
    assert again == whole


def test_a_tuning_without_budget_and_with_a_failing_problem(tmp_path):
    with pytest.raises(BadInput, match="a tuning needs a budget"):
        tuner.check(replace(TUNING, playouts=None))
    file = tmp_path / "broken.py"
    file.write_text(
        "class Broken:\n    def reset(self): pass\n    def moves(self): return [0]\n"
        "    def play(self, move): raise RuntimeError('out of order')\n    def score(self): return 0.0\n"
    )
    tuning = replace(TUNING, problem=f"{file}:Broken")
    failure = pytest.raises(BadInput, match="failed: RuntimeError: out of order")
    with store.writing(tmp_path / "runs.sqlite") as kept, Workers(1, "threads") as workers, failure:
        tuner.run(tuning, kept, workers)
