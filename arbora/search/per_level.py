"""Parameters with one value per level, from level 1 up: `1000/50` as text, (1000, 50) in Python."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from arbora.errors import BadInput


def as_text(value: Any) -> str:
    """The values as they are written in a spec."""
    if isinstance(value, (np.ndarray, list, tuple)):
        return "/".join(as_text(item) for item in np.asarray(value).ravel().tolist())
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return str(value).strip()


def numbers(
    owner: str,
    name: str,
    value: Any,
    level: int,
    kind: Callable[[str], Any],
    low: float,
    words: Mapping[str, Any],
    auto: Sequence[Any],
) -> list[Any]:
    """One number for each level, the last one repeated to the top; `words` stand for numbers, "auto" for all of `auto`."""
    text = as_text(value)
    if text == "auto":
        return list(auto)
    found = []
    for item in text.split("/"):
        try:
            number = words[item.strip()] if item.strip() in words else kind(item)
        except ValueError:
            number = None
        if number is None or not (item.strip() in words or low <= number < 2**53):
            what = "whole numbers" if kind is int else "numbers"
            also = "".join(f", {word}" for word in words)
            raise BadInput(
                f"{owner}: {name}={text!r} is not allowed; {name} takes {what} of {low} or more{also}, from level 1 up, "
                f"as in {'1000/50' if kind is int else '1/0'}"
            )
        found.append(number)
    if len(found) > level:
        raise BadInput(f"{owner}: {name}={text!r} has values for {len(found)} levels, but level={level}")
    return found + [found[-1]] * (level - len(found))
