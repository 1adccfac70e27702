"""Means, 95 % confidence intervals and t-tests."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from arbora.errors import BadInput

Numbers = Sequence[float] | np.ndarray


@dataclass(frozen=True)
class Summary:
    """A sample in four numbers; `sd` and `half` are nan for fewer than two values."""

    n: int
    mean: float
    sd: float
    half: float  # half the width of the 95 % confidence interval of the mean


@dataclass(frozen=True)
class Difference:
    """How far one mean is above another; `half` and `p` are nan where the samples are too small to tell."""

    n: int  # pairs, or values of both samples if they are not paired
    mean: float
    half: float  # half the width of the 95 % confidence interval of the difference
    p: float  # of a two-tailed test that the difference is 0


def summarize(values: Numbers) -> Summary:
    """Mean, standard deviation and confidence interval by Student's t; all nan for no values."""
    sample = np.asarray(values, dtype=float)
    if sample.size == 0:
        return Summary(0, math.nan, math.nan, math.nan)
    if sample.size == 1:
        return Summary(1, float(sample[0]), math.nan, math.nan)
    sd = float(sample.std(ddof=1))
    return Summary(sample.size, float(sample.mean()), sd, float(half_widths(sd, sample.size)))


def half_widths(sd: float | np.ndarray, n: int | np.ndarray) -> np.ndarray:
    """`Summary.half` of samples with these standard deviations and numbers of values; each n at least 2."""
    return _special().stdtrit(np.asarray(n) - 1, 0.975) * sd / np.sqrt(n)


def sum_of(summaries: Sequence[Summary]) -> Summary:
    """The sum of the means of independent samples; the degrees of freedom of its interval are Satterthwaite's."""
    n = sum(summary.n for summary in summaries)
    mean = sum(summary.mean for summary in summaries)
    if any(summary.n < 2 for summary in summaries):
        return Summary(n, mean, math.nan, math.nan)
    return Summary(n, mean, math.nan, _interval(*_of_means(summaries)))


def p_of_sum(summaries: Sequence[Summary], limit: float) -> float:
    """Two-tailed t-test that the sum of the means of independent samples is `limit`; it agrees with `sum_of`'s interval."""
    if any(summary.n < 2 for summary in summaries):
        return math.nan
    variances, sizes = _of_means(summaries)
    return _p(sum(summary.mean for summary in summaries) - limit, float(variances.sum()), _freedom(variances, sizes))


def paired(first: Numbers, second: Numbers) -> Difference:
    """Two-tailed t-test of pairs: `first[i]` belongs to `second[i]`."""
    summary = summarize(np.asarray(first, dtype=float) - np.asarray(second, dtype=float))
    if summary.n < 2:
        return Difference(summary.n, summary.mean, math.nan, math.nan)
    return Difference(summary.n, summary.mean, summary.half, _p(summary.mean, summary.sd**2 / summary.n, summary.n - 1))


def welch(first: Numbers, second: Numbers) -> Difference:
    """Two-tailed t-test of two independent samples whose variances may differ."""
    one, other = summarize(first), summarize(second)
    mean = one.mean - other.mean
    if one.n < 2 or other.n < 2:
        return Difference(one.n + other.n, mean, math.nan, math.nan)
    variances, sizes = np.array([one.sd**2 / one.n, other.sd**2 / other.n]), np.array([one.n, other.n])
    p = _p(mean, float(variances.sum()), _freedom(variances, sizes))
    return Difference(one.n + other.n, mean, _interval(variances, sizes), p)


def _of_means(summaries: Sequence[Summary]) -> tuple[np.ndarray, np.ndarray]:
    """The variance of each mean, and the size of its sample."""
    sizes = np.array([summary.n for summary in summaries])
    return np.array([summary.sd**2 for summary in summaries]) / sizes, sizes


def _p(mean: float, variance: float, freedom: float) -> float:
    if variance == 0:
        return 1.0 if mean == 0 else 0.0
    return float(2 * _special().stdtr(freedom, -abs(mean) / math.sqrt(variance)))


def _interval(variances: np.ndarray, sizes: np.ndarray) -> float:
    if not variances.any():
        return 0.0
    return float(_special().stdtrit(_freedom(variances, sizes), 0.975) * math.sqrt(variances.sum()))


def _freedom(variances: np.ndarray, sizes: np.ndarray) -> float:
    """Degrees of freedom of a sum of means with these variances, by Welch and Satterthwaite."""
    if not variances.any():
        return math.inf
    return float(variances.sum() ** 2 / (variances**2 / (sizes - 1)).sum())


def _special() -> ModuleType:
    # scipy.stats has all of this, but takes a second to import
    try:
        from scipy import special
    except ImportError:
        raise BadInput("scipy is not installed; pip install 'arbora[lab]'") from None
    return special
