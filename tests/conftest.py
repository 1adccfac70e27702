"""All tests share one fresh compile cache, so that every run of the suite also tests compiling."""

import os
import shutil
import tempfile
from pathlib import Path

import hypothesis
import pytest

# No test asserts a time, not even by hypothesis's own limit for an example.
hypothesis.settings.register_profile("arbora", deadline=None)
hypothesis.settings.load_profile("arbora")


def pytest_configure(config: pytest.Config) -> None:
    if not hasattr(config, "workerinput") and "ARBORA_TEST_CACHE" not in os.environ:
        os.environ["ARBORA_TEST_CACHE"] = tempfile.mkdtemp(prefix="arbora-test-cache-")
        config.add_cleanup(lambda: shutil.rmtree(os.environ["ARBORA_TEST_CACHE"], ignore_errors=True))
    os.environ["ARBORA_CACHE_DIR"] = os.environ["ARBORA_TEST_CACHE"]


@pytest.fixture
def standard_boards() -> Path:
    """The standard SameGame boards, where they are at hand."""
    path = Path(__file__).resolve().parents[2] / "shared" / "data" / "samegame" / "standard20.txt"
    if not path.exists():
        pytest.skip("the standard boards are not on this machine")
    return path
