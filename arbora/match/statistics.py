"""How sure a match is: 95 % intervals, and differences in Elo."""

import math
from collections.abc import Sequence
from statistics import NormalDist, fmean, stdev

_Z = NormalDist().inv_cdf(0.975)


def wilson(score: float, games: int) -> tuple[float, float]:
    """Wilson's 95 % interval of a score rate. With draws it is on the safe side: they only make a score more certain."""
    if games == 0:
        return 0.0, 1.0
    weight = _Z**2 / games
    centre = (score + weight / 2) / (1 + weight)
    half = math.sqrt(score * (1 - score) * weight + weight**2 / 4) / (1 + weight)
    return max(centre - half, 0.0), min(centre + half, 1.0)


def mean_interval(values: Sequence[float]) -> tuple[float, float]:
    """Student's 95 % interval of a mean; unbounded for fewer than two values."""
    if len(values) < 2:
        return -math.inf, math.inf
    half = student(len(values) - 1) * stdev(values) / math.sqrt(len(values))
    return fmean(values) - half, fmean(values) + half


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t: exact for one and two degrees of freedom, a series within 1 % for more."""
    if freedom == 1:
        return math.tan(math.pi * 0.475)
    if freedom == 2:
        return 0.95 / math.sqrt(2 * 0.975 * 0.025)
    z = _Z
    terms = (
        z,
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
    )
    return sum(term / freedom**power for power, term in enumerate(terms))


def elo(score: float) -> float:
    """The difference in Elo that a score rate stands for; infinite for 0 and 1."""
    if score <= 0:
        return -math.inf
    return math.inf if score >= 1 else 400 * math.log10(score / (1 - score))
