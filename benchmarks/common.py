"""What the quality benchmarks share: boards over processes, means, and the paired t-test."""

import math
import statistics
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import arbora


def score(job: tuple[Any, Any, int, int]) -> float:
    """The score of a search on a problem with a budget of play-outs and a seed."""
    problem, search, playouts, seed = job
    return arbora.solve(problem, search, playouts=playouts, seed=seed).score


def scores(jobs: Iterable[tuple[Any, Any, int, int]], processes: int) -> list[float]:
    """The scores of all jobs, in their order."""
    listed = list(jobs)
    problem, search, _, seed = listed[0]
    score((problem, search, 1, seed))  # compiles, so that the processes need not
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        return list(pool.map(score, listed))


def summary(values: Sequence[float]) -> str:
    spread = statistics.stdev(values) if len(values) > 1 else 0.0
    return f"mean {statistics.mean(values):8,.1f}   sd {spread:6,.1f}   n {len(values)}"


def paired_t_test(first: Sequence[float], second: Sequence[float]) -> tuple[float, float, float]:
    """Mean difference, half the width of its 95 % confidence interval, and the two-tailed p-value."""
    differences = [a - b for a, b in zip(first, second, strict=True)]
    n = len(differences)
    mean = statistics.mean(differences)
    error = statistics.stdev(differences) / math.sqrt(n)
    if error == 0.0:
        return mean, 0.0, 1.0 if mean == 0.0 else 0.0
    low, high = 0.0, 1000.0  # the t of which 5 % lie outside, by bisection
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if two_tailed(middle, n - 1) > 0.05 else (low, middle)
    return mean, low * error, two_tailed(mean / error, n - 1)


def two_tailed(t: float, degrees: int) -> float:
    """The probability of a Student t beyond plus or minus `t`: the regularized incomplete beta I_x(degrees/2, 1/2)."""
    return incomplete_beta(degrees / (degrees + t * t), degrees / 2, 0.5)


def incomplete_beta(x: float, a: float, b: float) -> float:
    """I_x(a, b) by its continued fraction (Lentz's method)."""
    if x <= 0.0 or x >= 1.0:
        return 0.0 if x <= 0.0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1.0 - incomplete_beta(1.0 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1) or tiny)
    value = d
    for m in range(1, 500):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        for step in (even, odd):
            d = 1.0 / (1.0 + step * d or tiny)
            c = 1.0 + step / c or tiny
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return front * value
