"""The conformance suite without its compiled play-outs, for games that are played compiled by other tests."""

from typing import Any

from arbora.check import interpreted_checks
from arbora.probe import differing


def said_of(game: Any, playouts: int = 5) -> list[str]:
    """What holds; ProblemError for what does not."""
    said = list(interpreted_checks(game, playouts, 1))
    assert differing(game, playouts, 1) == []
    return said
