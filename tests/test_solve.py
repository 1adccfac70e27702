"""Runs: budgets, repeatability, goldens, threads, traces, progress and signals."""

import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest
from small_problems import Walk, best_shelf, best_walk, walk_score

import arbora

SEARCHES = {"random": arbora.Random(), "mcts": arbora.MCTS(nodes=20_000), "nrpa": arbora.NRPA(level=2, iterations=10)}
BOARD = arbora.SameGame(seed=1)

# Results per seed, on one thread. A change here means that every user's results change.
WALK_GOLDENS = {
    "random": (33.0, [2, 2, 1, 2, 2, 0], [1, 2, 4, 14]),
    "mcts": (36.0, [2, 2, 1, 2, 0, 2], [1, 2, 4]),
    "nrpa": (31.0, [2, 1, 1, 2, 0, 1], [1, 2]),
}
BOARD_GOLDENS = {
    "random": (543.0, 57, "13,4 1,13 0,3 14,9 0,2 13,7 6,9 1,3"),
    "mcts": (561.0, 62, "10,9 9,13 12,3 9,12 8,11 1,10 5,1 13,5"),
    "nrpa": (793.0, 60, "1,3 3,6 10,11 13,13 10,6 2,0 9,9 12,4"),
}


@pytest.mark.parametrize("name", SEARCHES)
def test_golden_walks(name):
    result = arbora.solve(Walk(), SEARCHES[name], playouts=20, seed=5)
    assert (result.score, result.moves, [row.playouts for row in result.trace]) == WALK_GOLDENS[name]
    assert walk_score(result.moves) == result.score


@pytest.mark.parametrize("name", SEARCHES)
def test_golden_samegame(name):
    result = arbora.solve(BOARD, SEARCHES[name], playouts=300, seed=1)
    assert (result.score, len(result.moves), " ".join(result.text[:8])) == BOARD_GOLDENS[name]


def run_python(code: str) -> str:
    ran = subprocess.run([sys.executable, "-c", code], cwd=Path(__file__).parent, capture_output=True, text=True, check=True)
    return ran.stdout.strip()


def test_same_seed_in_another_process():
    code = (
        "import arbora; from test_solve import *\n"
        "for search in SEARCHES.values():\n"
        "    r = arbora.solve(Walk(), search, playouts=50, seed=77); print(r.score, r.moves, [i.playouts for i in r.trace])"
    )
    runs = [arbora.solve(Walk(), search, playouts=50, seed=77) for search in SEARCHES.values()]
    assert run_python(code) == "\n".join(f"{r.score} {r.moves} {[i.playouts for i in r.trace]}" for r in runs)


@pytest.mark.parametrize("name", SEARCHES)
def test_same_seed_in_the_same_process(name):
    first, second = (arbora.solve(Walk(), SEARCHES[name], playouts=30, seed=8) for _ in range(2))
    assert (first.score, first.moves, first.root) == (second.score, second.moves, second.root)
    assert [row.playouts for row in first.trace] == [row.playouts for row in second.trace]


def test_seeds_differ():
    found = {tuple(arbora.solve(Walk(), arbora.Random(), playouts=1, seed=seed).moves) for seed in range(30)}
    assert len(found) > 20


@pytest.mark.parametrize("name", SEARCHES)
def test_interpreted_equals_compiled(name):
    plain = arbora.solve(Walk(), SEARCHES[name], playouts=40, seed=6, compiled=False)
    fast = arbora.solve(Walk(), SEARCHES[name], playouts=40, seed=6)
    assert (fast.score, fast.moves, fast.scores, fast.root) == (plain.score, plain.moves, plain.scores, plain.root)
    assert [(row.playouts, row.score) for row in fast.trace] == [(row.playouts, row.score) for row in plain.trace]


@pytest.mark.parametrize("playouts", [1, 2, 99, 100, 101])
@pytest.mark.parametrize("name", SEARCHES)
def test_budget_of_playouts_is_kept_exactly(name, playouts):
    result = arbora.solve(Walk(), SEARCHES[name], playouts=playouts)
    assert (result.playouts, result.stopped) == (playouts, "budget")


def test_budget_of_seconds_ends_the_run():
    result = arbora.solve(Walk(), arbora.Random(), seconds=0.05)
    assert result.seconds >= 0.05
    assert result.playouts > 0
    assert result.stopped == "budget"


def test_whichever_budget_ends_first_counts():
    assert arbora.solve(Walk(), arbora.Random(), seconds=100, playouts=10).playouts == 10
    assert arbora.solve(Walk(), arbora.Random(), seconds=0.02, playouts=2**40).playouts < 2**40


def test_threads_share_the_budget_and_the_best_wins():
    result = arbora.solve(Walk(), arbora.Random(), playouts=11, seed=3, threads=2)
    alone = [arbora.solve(Walk(), arbora.Random(), playouts=n, seed=3).score for n in (5, 6)]
    assert (result.playouts, result.threads) == (11, 2)
    assert result.score >= min(alone)
    assert result.score == walk_score(result.moves) == max(row.score for row in result.trace)


def test_two_threads_are_not_the_same_thread_twice():
    one = {tuple(arbora.solve(Walk(), arbora.Random(), playouts=1, seed=seed).moves) for seed in range(20)}
    two = [arbora.solve(Walk(), arbora.Random(), playouts=2, seed=seed, threads=2).score for seed in range(20)]
    alone = [arbora.solve(Walk(), arbora.Random(), playouts=1, seed=seed).score for seed in range(20)]
    assert len(one) > 10
    assert all(a >= b for a, b in zip(two, alone, strict=True))
    assert sum(a > b for a, b in zip(two, alone, strict=True)) >= 3


def test_more_threads_than_playouts():
    result = arbora.solve(Walk(), arbora.Random(), playouts=2, threads=8)
    assert (result.playouts, result.threads) == (2, 2)


@pytest.mark.parametrize("threads", [1, 2])
def test_trace_rises_to_the_score(threads):
    result = arbora.solve(Walk(), arbora.Random(), playouts=400, seed=2, threads=threads)
    scores = [row.score for row in result.trace]
    assert scores == sorted(set(scores))
    assert scores[-1] == result.score
    times = [row.seconds for row in result.trace]
    assert times == sorted(times)
    assert times[-1] <= result.seconds
    assert all(1 <= row.playouts <= 400 for row in result.trace)


def test_scores_after_each_move_end_at_the_score():
    result = arbora.solve(Walk(), arbora.Random(), playouts=5)
    assert result.scores == [walk_score(result.moves[: i + 1]) for i in range(6)]
    assert result.text == [str(move) for move in result.moves]


@pytest.mark.parametrize("search", [arbora.Random(), arbora.MCTS(exploration=2), arbora.NRPA(level=2, iterations=30)])
def test_best_walk_is_found_by_every_search(search):
    assert arbora.solve(Walk(), search, playouts=5000).score == best_walk()


def test_progress_reports_rise_and_end_at_the_result():
    reports: list[arbora.Progress] = []
    result = arbora.solve(BOARD, arbora.Random(), seconds=0.5, progress=reports.append)
    assert len(reports) >= 3
    assert (reports[-1].score, reports[-1].playouts, reports[-1].moves) == (result.score, result.playouts, result.moves)
    before = -np.inf
    for report in reports:
        assert report.improved == (report.score > before)
        before = report.score
    assert [r.playouts for r in reports] == sorted(r.playouts for r in reports)
    assert [r.seconds for r in reports] == sorted(r.seconds for r in reports)


def test_exception_of_the_progress_callback_comes_out_and_no_thread_stays():
    def stumble(report):
        raise RuntimeError("no more")

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="no more"):
        arbora.solve(Walk(), arbora.Random(), seconds=60, progress=stumble)
    assert threading.active_count() == before


def test_on_compile_is_called_only_for_what_is_new():
    calls = []
    arbora.solve(Walk(), arbora.Random(), playouts=1)
    arbora.solve(Walk(steps=4), arbora.Random(), playouts=1, on_compile=lambda: calls.append(1))
    assert calls == []


def test_root_of_mcts_sums_up_to_the_playouts():
    result = arbora.solve(Walk(), SEARCHES["mcts"], playouts=500, seed=4)
    assert sorted(row.move for row in result.root) == [0, 1, 2]
    assert sum(row.visits for row in result.root) == 500
    assert max(row.best for row in result.root) == result.score
    assert [row.visits for row in result.root] == sorted((row.visits for row in result.root), reverse=True)
    assert all(row.mean <= row.best for row in result.root)


def test_search_without_a_tree_has_no_root():
    assert arbora.solve(Walk(), arbora.Random(), playouts=5).root == []


def test_full_pool_of_nodes_searches_on():
    result = arbora.solve(Walk(), arbora.MCTS(nodes=10), playouts=3000)
    assert result.playouts == 3000
    assert result.trace[-1].playouts > 10
    assert sum(row.visits for row in result.root) == 3000


def test_pool_of_one_node_is_random_search():
    result = arbora.solve(Walk(), arbora.MCTS(nodes=1), playouts=300)
    assert result.playouts == 300
    assert result.root == []


def test_nrpa_with_too_few_codes_works_on():
    result = arbora.solve(BOARD, arbora.NRPA(level=2, iterations=10, codes=16), playouts=300, seed=1)
    assert result.playouts == 300
    assert result.score == result.scores[-1]


@pytest.mark.parametrize(
    ("budget", "message"),
    [
        ({"playouts": 0}, "playouts=0 is not allowed; playouts takes a whole number from 1"),
        ({"playouts": -5}, "playouts=-5 is not allowed"),
        ({"playouts": 2.5}, "playouts=2.5 is not allowed"),
        ({"playouts": True}, "playouts=True is not allowed"),
        ({"seconds": 0}, "seconds=0 is not a budget; give a number above 0"),
        ({"seconds": -1.0}, "seconds=-1.0 is not a budget"),
        ({"seconds": float("nan")}, "seconds=nan is not a budget"),
        ({"seconds": float("inf")}, "seconds=inf is not a budget"),
        ({"seconds": "ten"}, "seconds='ten' is not a budget"),
        ({"playouts": 1, "seed": -1}, "seed=-1 is not allowed; seed takes a whole number from 0 to"),
        ({"playouts": 1, "seed": 0.5}, "seed=0.5 is not allowed"),
        ({"playouts": 1, "seed": 2**63}, "seed=9223372036854775808 is not allowed"),
        ({"playouts": 1, "threads": 0}, "threads=0 is not allowed; threads takes a whole number from 1 to 1,024"),
        ({"playouts": 1, "threads": 1.5}, "threads=1.5 is not allowed"),
    ],
)
def test_bad_budgets_seeds_and_threads_are_told(budget, message):
    with pytest.raises(arbora.BadInput) as caught:
        arbora.solve(Walk(), arbora.Random(), **budget)
    assert str(caught.value).startswith(message)


def test_largest_seed_works():
    assert arbora.solve(Walk(), arbora.Random(), playouts=1, seed=2**63 - 1).playouts == 1


def test_runs_outside_the_main_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(arbora.solve(Walk(), arbora.Random(), playouts=20, seed=8)))
    thread.start()
    thread.join()
    here = arbora.solve(Walk(), arbora.Random(), playouts=20, seed=8)
    assert (found[0].score, found[0].moves) == (here.score, here.moves)


LONG_RUN = """
import signal
import arbora
before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
from small_problems import Walk
first = []
def progress(report):
    if not first:
        first.append(report)
        print("running", flush=True)
try:
    result = arbora.solve(Walk(), arbora.Random(), seconds=600, progress=progress{threads})
    print(result.stopped, result.score, len(result.moves), result.playouts > 0)
except KeyboardInterrupt:
    print("keyboard interrupt")
print(*(signal.getsignal(number) is old for number, old in zip((signal.SIGINT, signal.SIGTERM), before)))
"""


def interrupted(code: str, number: signal.Signals) -> list[str]:
    """What a run prints that gets a signal as soon as it has reported progress."""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(number)
        rest, _ = process.communicate(timeout=30)
    assert process.returncode == 0
    return rest.splitlines()


@pytest.mark.parametrize(("number", "threads"), [(signal.SIGINT, ""), (signal.SIGTERM, ""), (signal.SIGINT, ", threads=2")])
def test_signals_return_the_best_so_far(number, threads):
    said = interrupted(LONG_RUN.replace("{threads}", threads), number)
    assert said == [f"interrupted {float(best_walk())} 6 True", "True True"]


def test_signals_reach_a_run_of_a_python_simulator():
    said = interrupted(LONG_RUN.replace("Walk", "Shelf").replace("{threads}", ""), signal.SIGINT)
    assert said == [f"interrupted {float(best_shelf())} 5 True", "True True"]


def test_a_second_ctrl_c_leaves_a_run_that_hangs():
    hanging = "class Walk:\n    reset = lambda self: None\n    moves = lambda self: [0]\n    score = lambda self: 0.0\n"
    hanging += "    def play(self, move):\n        import time\n        time.sleep(30)\n"
    code = LONG_RUN.replace("from small_problems import Walk\n", hanging).replace("{threads}", "")
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGINT)
        with pytest.raises(subprocess.TimeoutExpired):
            process.wait(timeout=0.5)
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=20)
    assert rest.splitlines() == ["keyboard interrupt", "True True"]


def test_a_run_that_was_paused_goes_on_to_the_same_result():
    code = LONG_RUN.replace("seconds=600", "playouts=3_000_000").replace("{threads}", "")
    command = [sys.executable, "-c", code + "print(result.playouts, result.moves, [row.playouts for row in result.trace])"]
    with subprocess.Popen(command, cwd=Path(__file__).parent, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "running\n"
        process.send_signal(signal.SIGSTOP)
        process.send_signal(signal.SIGCONT)
        rest = process.stdout.read()
    whole = arbora.solve(Walk(), arbora.Random(), playouts=3_000_000)
    assert rest.splitlines()[0] == f"budget {whole.score} {len(whole.moves)} True"
    assert rest.splitlines()[-1] == f"{whole.playouts} {whole.moves} {[row.playouts for row in whole.trace]}"
