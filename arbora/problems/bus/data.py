"""What happens on a bus line, minute by minute and stop by stop: made from a seed, or read from a file.

An instance is an int32 array [MINUTES, STOPS + 1, 3]: for each minute and stop the passengers who come, how long a bus
that leaves for the stop one minute later is on its way, and by how much an incident delays one that leaves now. Stop 0 is
the terminus, where nobody waits; its entries count for nothing. Stop 70 is stop 0 again, reached from 69.
"""

from functools import cache
from pathlib import Path

import numpy as np

from arbora.errors import BadInput

STOPS = 70
MINUTES = 500
COLUMNS = ("minute", "stop", "passengers", "travel", "incident")
# What a file may say, by column.
LOWEST = (0, 1, 0, 1, 0)
HIGHEST = (MINUTES - 1, STOPS, 1000, 1000, 1000)

_SHORTEST, _LONGEST, _DELAY = 2, 15, 5


@cache
def random_line(seed: int) -> np.ndarray:
    """The instance of a seed; 1 is the reference."""
    draws = np.array(c_random(seed, MINUTES * (STOPS + 1) * 3), np.int64).reshape(MINUTES, STOPS + 1, 3) / 2.0**31
    single = draws.astype(np.float32).astype(np.float64)
    line = np.empty(draws.shape, np.int32)
    line[:, :, 0] = np.floor(5 * draws[:, :, 0])
    travel = np.full(STOPS + 1, _SHORTEST)
    for minute in range(MINUTES):
        walk = single[minute, :, 1]
        travel = np.clip(travel + (walk > 0.6) - (walk < 0.4), _SHORTEST, _LONGEST)
        line[minute, :, 1] = travel
    line[:, :, 2] = np.where(single[:, :, 2] > 0.99, _DELAY, 0)
    line.flags.writeable = False
    return line


def c_random(seed: int, count: int) -> list[int]:
    """The first numbers, below 2**31, of the C library's additive feedback generator started with `srand(seed)`."""
    words = [seed]
    while len(words) < 31:
        words.append(16807 * words[-1] % (2**31 - 1))
    words += words[:3]
    for i in range(34, 344 + count):  # the first 310 numbers are thrown away
        words.append((words[i - 3] + words[i - 31]) & 0xFFFFFFFF)
    return [word >> 1 for word in words[344:]]


def as_line(value: object) -> np.ndarray:
    """An instance from an array like the one of `random_line`, checked."""
    try:
        line = np.asarray(value)
    except ValueError:
        line = np.zeros(0)
    shape = (MINUTES, STOPS + 1, len(COLUMNS) - 2)
    if line.shape != shape or line.dtype.kind not in "iu":
        raise BadInput(f"line: takes whole numbers in an array of shape {shape}, not {line.dtype} {line.shape}")
    for column, name in enumerate(COLUMNS[2:], start=2):
        part = line[:, 1:, column - 2]
        if part.min() < LOWEST[column] or part.max() > HIGHEST[column]:
            raise BadInput(f"line: {name} takes whole numbers from {LOWEST[column]:,} to {HIGHEST[column]:,}")
    return line.astype(np.int32)


def write_line(line: np.ndarray, file: str | Path) -> None:
    """Write an instance as text that `read_line` reads."""
    rows = [",".join(COLUMNS)]
    for minute in range(MINUTES):
        for stop in range(1, STOPS + 1):
            rows.append(",".join(str(int(n)) for n in (minute, stop, *line[minute, stop])))
    Path(file).write_text("\n".join(rows) + "\n")


def read_line(file: str) -> np.ndarray:
    """The instance in a file: a line of column names, then one line for each minute and stop, in any order."""
    try:
        text = Path(file).read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise BadInput(f"{file}: cannot read the bus line: {reason}") from None
    line = np.full((MINUTES, STOPS + 1, 3), -1, np.int32)
    line[:, 0] = 0
    named = False
    for number, content in enumerate(text.splitlines(), start=1):
        cells = [cell.strip() for cell in content.partition("#")[0].split(",")]
        if cells == [""]:
            continue
        place = f"{file}, line {number}"
        if not named:
            if tuple(cells) != COLUMNS:
                raise BadInput(f"{place}: the first line must name the columns: {','.join(COLUMNS)}")
            named = True
            continue
        minute, stop, *values = _row(cells, place)
        if line[minute, stop, 0] >= 0:
            raise BadInput(f"{place}: minute {minute}, stop {stop} is given twice")
        line[minute, stop] = values
    missing = np.argwhere(line[:, :, 0] < 0)
    if len(missing):
        minute, stop = missing[0]
        raise BadInput(
            f"{file}: minute {minute}, stop {stop} is missing; "
            f"a bus line has minutes 0 to {MINUTES - 1} and stops 1 to {STOPS}"
        )
    return line


def _row(cells: list[str], place: str) -> list[int]:
    if len(cells) != len(COLUMNS):
        raise BadInput(f"{place}: {len(cells)} columns, not {len(COLUMNS)}: {','.join(COLUMNS)}")
    row = []
    for cell, name, low, high in zip(cells, COLUMNS, LOWEST, HIGHEST, strict=True):
        if not (cell.isascii() and cell.isdecimal() and len(cell) < 10 and low <= int(cell) <= high):
            raise BadInput(f"{place}: {name} {cell!r} is not allowed; {name} takes a whole number from {low:,} to {high:,}")
        row.append(int(cell))
    return row
