"""How a tuning narrowed down, as a picture."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from arbora.svg import COLORS, figure_svg
from arbora.tune.cem import Normal, Odds, Outcome
from arbora.tune.space import Choice, Range

COLUMNS = 3
PANEL = (3.1, 2.3)  # inches
STYLE = {"font.size": 9, "axes.titlesize": 9.5, "axes.titlelocation": "left", "axes.grid": False, "legend.fontsize": 8}


def narrowing(outcome: Outcome) -> str:
    """An SVG with a panel for each parameter, over the iterations, and one for the fitness.

    A number: the mean of its distribution, a band of one standard deviation, and the elite as dots. A choice: its odds.
    The last point is the distribution after the last iteration. The same outcome gives the same text. Raises BadInput
    without matplotlib.
    """
    rows, columns = _shape(outcome)
    return figure_svg(lambda figure: _draw(outcome, figure), PANEL[0] * columns, PANEL[1] * rows, STYLE)


def _shape(outcome: Outcome) -> tuple[int, int]:
    """Rows and columns of panels."""
    columns = min(COLUMNS, len(outcome.space) + 1)
    return math.ceil((len(outcome.space) + 1) / columns), columns


def _draw(outcome: Outcome, figure: Any) -> None:
    rows, columns = _shape(outcome)
    panels = figure.subplots(rows, columns, squeeze=False).ravel()
    _draw_fitness(panels[0], outcome)
    for panel, (name, dimension) in zip(panels[1:], outcome.space.items(), strict=False):
        panel.set_title(name)
        if isinstance(dimension, Choice):
            _draw_odds(panel, outcome, name, dimension)
        else:
            _draw_number(panel, outcome, name, dimension)
    for index, panel in enumerate(panels):
        if index <= len(outcome.space):
            _number_iterations(panel, len(outcome.iterations))
        else:
            panel.set_visible(False)
    figure.supxlabel("iteration", fontsize="medium", color="#444444")


def _draw_fitness(panel: Any, outcome: Outcome) -> None:
    numbers = [iteration.number for iteration in outcome.iterations]
    for index, (label, chosen) in enumerate({"elite": True, "all samples": False}.items()):
        means = [
            np.mean([each.samples[i].fitness for i in (each.elite if chosen else range(len(each.samples)))])
            for each in outcome.iterations
        ]
        panel.plot(numbers, means, ".-", color=COLORS[index], label=label)
    panel.set_title("fitness")
    panel.legend()


def _draw_number(panel: Any, outcome: Outcome, name: str, dimension: Range) -> None:
    shapes = [shape for shape in _shapes(outcome, name) if isinstance(shape, Normal)]
    means, sds = np.array([shape.mean for shape in shapes]), np.array([shape.sd for shape in shapes])
    lines = [10**line if dimension.log else line for line in (means - sds, means, means + sds)]
    low, mean, high = (np.clip(line, dimension.low, dimension.high) for line in lines)
    numbers = range(1, len(shapes) + 1)
    for iteration in outcome.iterations:
        elite = [iteration.samples[index].values[name] for index in iteration.elite]
        panel.plot([iteration.number] * len(elite), elite, ".", color="#333333", alpha=0.35, markersize=5, markeredgewidth=0)
    panel.fill_between(numbers, low, high, color=COLORS[0], alpha=0.2, linewidth=0)
    panel.plot(numbers, mean, color=COLORS[0])
    if dimension.log:
        panel.set_yscale("log")
        panel.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
        panel.yaxis.set_minor_formatter(lambda value, _: "")
    panel.set_ylim(dimension.low, dimension.high)


def _draw_odds(panel: Any, outcome: Outcome, name: str, dimension: Choice) -> None:
    shapes = [shape for shape in _shapes(outcome, name) if isinstance(shape, Odds)]
    colors = [COLORS[index % len(COLORS)] for index in range(len(dimension.values))]
    odds = np.array([shape.probabilities for shape in shapes]).T
    panel.stackplot(range(1, len(shapes) + 1), odds, labels=dimension.values, colors=colors, alpha=0.75)
    panel.set_ylim(0, 1)
    panel.legend(loc="upper center", bbox_to_anchor=(0.5, -0.12), ncols=2)


def _shapes(outcome: Outcome, name: str) -> Sequence[Normal | Odds]:
    """The distribution of a parameter before each iteration, and after the last."""
    return [*(iteration.distribution[name] for iteration in outcome.iterations), outcome.distribution[name]]


def _number_iterations(panel: Any, count: int) -> None:
    from matplotlib.ticker import MaxNLocator

    margin = 0.03 * count
    panel.set_xlim(1 - margin, count + 1 + margin)
    panel.xaxis.set_major_locator(MaxNLocator(nbins=6, integer=True))
