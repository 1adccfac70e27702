"""The statistics that benchmarks report: Student's t against its printed table."""

import importlib.util
from pathlib import Path

import pytest

_spec = importlib.util.spec_from_file_location("common", Path(__file__).parent.parent / "benchmarks" / "common.py")
assert _spec is not None
assert _spec.loader is not None
common = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(common)


@pytest.mark.parametrize(
    ("degrees", "t", "p"),
    [(1, 12.706, 0.05), (3, 3.182, 0.05), (10, 2.228, 0.05), (10, 3.169, 0.01), (49, 2.680, 0.01), (99, 1.984, 0.05)],
)
def test_two_tailed_probabilities_are_those_of_the_table(degrees, t, p):
    assert common.two_tailed(t, degrees) == pytest.approx(p, rel=2e-3)
    assert common.two_tailed(-t, degrees) == common.two_tailed(t, degrees)


def test_paired_t_test_by_hand():
    """Differences 1, 0, 2, 3: mean 1.5, standard deviation 1.291, error 0.6455, t = 2.324, interval 3.182 * 0.6455."""
    mean, half, p = common.paired_t_test([1, 2, 3, 4], [0, 2, 1, 1])
    assert mean == 1.5
    assert half == pytest.approx(2.0543, abs=1e-3)
    assert p == pytest.approx(0.1027, abs=1e-4)


def test_equal_samples_do_not_differ():
    assert common.paired_t_test([1, 2, 3], [1, 2, 3]) == (0, 0, 1)
