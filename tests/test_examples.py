"""The examples hold to the protocol, and NRPA finds the optima that their docstrings state; exhaustion proves them."""

from functools import cache
from importlib import import_module
from itertools import combinations
from pathlib import Path
from typing import Any

import pytest

import arbora

FOLDER = Path(__file__).resolve().parents[1] / "examples"
EXAMPLES = {
    "knapsack": "Knapsack",
    "due_dates": "DueDates",
    "tsp": "TSP",
    "python_simulator": "WordChain",
    "python_game": "Nim",
}


@pytest.fixture
def problem(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Any:
    """An example, imported under its plain name, so that the pages which use it find the same compiled code."""
    monkeypatch.syspath_prepend(str(FOLDER))
    return getattr(import_module(request.param), EXAMPLES[request.param])()


def test_every_example_is_tested() -> None:
    assert set(EXAMPLES) == {file.stem for file in FOLDER.glob("*.py")}


@pytest.mark.parametrize("problem", EXAMPLES, indirect=True)
def test_keeps_to_the_protocol(problem: Any) -> None:
    assert arbora.check_problem(problem, playouts=10).failure is None


def best_packing(problem: Any) -> float:
    items = range(len(problem.weights))
    subsets = (list(subset) for size in range(len(items) + 1) for subset in combinations(items, size))
    return float(max(problem.values[s].sum() for s in subsets if problem.weights[s].sum() <= problem.capacity))


def least_lateness(problem: Any) -> float:
    duration, due, weight = problem.duration.tolist(), problem.due.tolist(), problem.weight.tolist()

    @cache
    def cost(jobs: frozenset[int]) -> int:
        """Of doing these jobs first, in the best order: one of them is the last."""
        end = sum(duration[job] for job in jobs)
        return min((cost(jobs - {job}) + weight[job] * max(end - due[job], 0) for job in jobs), default=0)

    return float(-cost(frozenset(range(problem.jobs))))


def shortest_tour(problem: Any) -> float:
    distance = problem.distance.tolist()

    @cache
    def length(others: frozenset[int], last: int) -> float:
        """Of the shortest way from city 0 through the others to the last (Held and Karp)."""
        return min((length(others - {city}, city) + distance[city][last] for city in others), default=distance[0][last])

    cities = frozenset(range(1, problem.cities))
    return -min(length(cities - {city}, city) + distance[city][0] for city in cities)


def longest_chain(problem: Any) -> float:
    problem.reset()

    def explore(moves: list[int]) -> int:
        return max((1 + extend(move) for move in moves), default=0)

    def extend(move: int) -> int:
        problem.play(move)
        longest = explore(problem.moves())
        problem.left.add(problem.chain.pop())
        return longest

    return float(explore(problem.moves()))


@pytest.mark.parametrize(
    ("problem", "exhaust", "stated", "playouts"),
    [
        ("knapsack", best_packing, 1_458, 20_000),
        ("due_dates", least_lateness, -901, 20_000),
        ("tsp", shortest_tour, -2.8433, 200_000),
        ("python_simulator", longest_chain, 16, 20_000),
    ],
    indirect=["problem"],
)
def test_nrpa_finds_the_proved_optimum(problem: Any, exhaust: Any, stated: float, playouts: int) -> None:
    optimum = exhaust(problem)
    assert optimum == pytest.approx(stated, abs=1e-4)
    assert arbora.solve(problem, playouts=playouts, seed=1).score == pytest.approx(optimum, abs=1e-9)


@pytest.mark.parametrize("problem", ["python_game"], indirect=True)
def test_the_second_player_wins_at_nim_from_the_start(problem: Any) -> None:
    @cache
    def wins(heaps: tuple[int, ...]) -> bool:
        """Does the player to move win?"""
        return any(not wins(after(heaps, move)) for move in legal(heaps))

    def legal(heaps: tuple[int, ...]) -> list[int]:
        problem.heaps = list(heaps)
        return problem.moves()

    def after(heaps: tuple[int, ...], move: int) -> tuple[int, ...]:
        problem.heaps = list(heaps)
        problem.play(move)
        return tuple(problem.heaps)

    problem.reset()
    assert not wins(tuple(problem.heaps))
    assert wins((1, 3, 5, 6))
