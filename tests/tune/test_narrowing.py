"""The picture of a tuning."""

import math
import sys
from xml.etree import ElementTree

import pytest
from matplotlib.figure import Figure

from arbora.errors import BadInput
from arbora.tune import plots
from arbora.tune.cem import tune
from arbora.tune.plots import narrowing
from arbora.tune.space import Choice, Range

SPACE = {
    "exploration": Range(0, 10),
    "policy.epsilon": Range(1e-5, 0.1, log=True),
    "threshold": Range(0, 30, whole=True),
    "policy": Choice(("tabu-color", "$uniform$ & <co>")),
}


def outcome(space=SPACE, iterations=4, worst=0.0):
    def evaluate(iteration, candidates):
        return [worst] + [iteration + index for index in range(1, len(candidates))]

    return tune(space, evaluate, samples=6, elite=2, iterations=iterations)


def texts(svg):
    return [element.text for element in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_every_parameter_and_the_fitness_have_a_panel():
    found = texts(narrowing(outcome()))
    assert {"fitness", "elite", "all samples", "iteration", *SPACE, *SPACE["policy"].values} <= set(found)
    assert "0.001" in found


def test_the_same_outcome_is_the_same_text():
    assert narrowing(outcome()) == narrowing(outcome())
    assert narrowing(outcome()) != narrowing(outcome(iterations=5))


def panels(made):
    """Title -> axes."""
    figure = Figure()
    plots._draw(made, figure)
    return {axes.get_title(loc="left") or axes.get_title(): axes for axes in figure.axes if axes.get_visible()}


def test_lines_are_means_and_dots_the_elite():
    made = outcome()
    axes = panels(made)["exploration"]
    *dots, line = axes.get_lines()
    shapes = [iteration.distribution["exploration"] for iteration in made.iterations] + [made.distribution["exploration"]]
    assert list(line.get_xdata()) == [1, 2, 3, 4, 5]
    assert list(line.get_ydata()) == pytest.approx([shape.mean for shape in shapes])
    for iteration, drawn in zip(made.iterations, dots, strict=True):
        assert list(drawn.get_ydata()) == [iteration.samples[index].values["exploration"] for index in iteration.elite]


def test_a_logarithmic_range_has_a_logarithmic_axis():
    made = outcome()
    axes = panels(made)["policy.epsilon"]
    assert axes.get_yscale() == "log"
    assert axes.get_ylim() == pytest.approx((1e-5, 0.1))
    assert axes.get_lines()[-1].get_ydata()[0] == pytest.approx(1e-3)
    assert panels(made)["threshold"].get_yscale() == "linear"


def test_fitness_is_the_mean_of_the_elite_and_of_all():
    elite, everyone = panels(outcome())["fitness"].get_lines()
    assert list(elite.get_ydata()) == [5.5, 6.5, 7.5, 8.5]
    assert list(everyone.get_ydata()) == pytest.approx([(15 + 5 * iteration) / 6 for iteration in (1, 2, 3, 4)])


def test_one_parameter_one_iteration_and_a_sample_without_score():
    svg = narrowing(outcome({"exploration": Range(0, 10)}, iterations=1, worst=-math.inf))
    assert {"fitness", "exploration"} <= set(texts(svg))


def test_matplotlib_may_be_missing(monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(BadInput, match=r"^matplotlib is not installed; pip install 'arbora\[lab\]'$"):
        narrowing(outcome())
