"""Numbers as a report shows them."""

import math

from arbora.lab.statistics import Summary

NOTHING = "–"
FINE = {"seconds": 2, "branching": 1, "time-ratio": 2}  # decimals that these values need at least
TITLES = {
    "score": "score",
    "sd": "standard deviation of the score",
    "length": "moves",
    "branching": "legal moves at each move",
    "playouts": "play-outs",
    "seconds": "seconds",
    "time-ratio": "seconds for each second of the opponent",
    "rate": "play-outs per second",
    "nodes": "nodes",
    "depth": "mean depth of nodes",
    "deepest": "deepest node",
}


def decimals(value: str, digits: int) -> int:
    """Decimals of a value in a report that shows `digits` of the score."""
    return max(digits, FINE.get(value, 0))


def shown(number: float | None, digits: int = 0) -> str:
    """Thousands apart, this many decimals; a dash for nothing."""
    if number is None or not math.isfinite(number):
        return NOTHING
    text = f"{number:,.{digits}f}"
    return text[1:] if text.startswith("-") and not text.strip("-0.") else text


def with_sign(number: float, digits: int = 0) -> str:
    """The same for a difference: a plus before what is above 0."""
    text = shown(number, digits)
    return f"+{text}" if number > 0 and text.strip("0.") else text


def with_interval(summary: Summary, digits: int = 0) -> str:
    """`2,587 ± 160`, without the interval if there is none."""
    mean = shown(summary.mean, digits)
    return mean if math.isnan(summary.half) else f"{mean} ± {shown(summary.half, digits)}"


def ratio(number: float) -> str:
    return f"×{number:.2f}"


def p_value(p: float) -> str:
    """One or two digits that count: 0.34, 0.002, 1e-5, <1e-9."""
    if math.isnan(p):
        return NOTHING
    if p < 1e-9:
        return "<1e-9"
    if p < 0.001:
        return f"{p:.0e}".replace("e-0", "e-")
    return f"{p:.2g}" if p >= 0.01 else f"{p:.1g}"


def bare(value: float | str) -> str:
    """A parameter: as many digits as it takes, at most four that count; text as it is."""
    if isinstance(value, str):
        return value
    return f"{value:,.0f}" if value == round(value) or abs(value) >= 1000 else f"{value:.4g}"
