"""SameGame boards: random ones by seed, and text files with one or more boards.

A board is an int8 array of rows from the top, colours from 0, -1 for empty, always settled: blocks have fallen, empty
columns are closed.

Text: one line per row, top row first; a colour is a digit (0-9) or a letter (a-z), cells may stand apart by spaces, in
which case numbers may have two digits; `.` is an empty cell; `#` starts a comment; a blank line ends a board.
"""

from functools import lru_cache
from pathlib import Path

import numpy as np

from arbora.engine.rng import random_words
from arbora.errors import BadInput

MAX_SIDE = 50
MAX_COLORS = 26


def random_board(seed: int, width: int, height: int, colors: int) -> np.ndarray:
    """Every cell an independent, uniformly random colour."""
    words = random_words(seed, width * height, stream=0x5A0E)
    return ((words >> np.uint64(32)) * np.uint64(colors) >> np.uint64(32)).astype(np.int8).reshape(height, width)


def load_board(instance: str) -> np.ndarray:
    """The board `FILE` or `FILE#N`, N counted from 1."""
    name, hash_mark, number = instance.rpartition("#")
    if not hash_mark or Path(instance).is_file():
        name, number = instance, "1"
    try:
        text = Path(name).read_text()
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "not a text file"
        raise BadInput(f"{name}: cannot read boards: {reason}") from None
    found = _boards_of(text, name)
    if not (number.isascii() and number.isdecimal()) or not 1 <= int(number) <= len(found):
        raise BadInput(f"{name}#{number}: no such board; the file has boards #1 to #{len(found)}")
    return found[int(number) - 1].copy()


@lru_cache(maxsize=4)
def _boards_of(text: str, source: str) -> list[np.ndarray]:
    """`parse_boards`, once for a file of which board after board is loaded."""
    return parse_boards(text, source)


def parse_boards(text: str, source: str = "board") -> list[np.ndarray]:
    """All boards of a text; raises BadInput with source and line for anything that is not a board."""
    found: list[np.ndarray] = []
    rows: list[tuple[int, list[str]]] = []
    for number, line in enumerate([*text.splitlines(), ""], start=1):
        content = line.partition("#")[0]
        if content.strip():
            rows.append((number, content.split() if len(content.split()) > 1 else list(content.strip())))
        elif rows:
            found.append(_board(rows, source))
            rows = []
    if not found:
        raise BadInput(f"{source}: no board found; a board is lines of digits, letters or dots")
    return found


def as_board(value: object) -> np.ndarray:
    """A board from text or from rows of colours (-1 for empty), checked and settled."""
    if isinstance(value, str):
        return parse_boards(value)[0]
    try:
        board = np.asarray(value)
        if board.ndim != 2 or board.dtype.kind not in "iu":
            raise ValueError
    except ValueError:
        raise BadInput("board: takes text or equally long rows of whole numbers") from None
    if board.size and not (board.min() >= -1 and board.max() < MAX_COLORS):
        raise BadInput(f"board: colours are 0 to {MAX_COLORS - 1}, -1 for empty")
    _check_sides(board.shape[1], board.shape[0], "board")
    return settle(board.astype(np.int8))


def settle(board: np.ndarray) -> np.ndarray:
    """Let blocks fall and close empty columns to the left."""
    height, width = board.shape
    settled = np.full((height, width), -1, np.int8)
    target = 0
    for column in range(width):
        blocks = board[:, column][board[:, column] >= 0]
        if len(blocks):
            settled[height - len(blocks) :, target] = blocks
            target += 1
    return settled


def _board(rows: list[tuple[int, list[str]]], source: str) -> np.ndarray:
    first_line, first = rows[0]
    cells = np.full((len(rows), len(first)), -1, np.int64)
    letters: bool | None = None
    for y, (line, row) in enumerate(rows):
        if len(row) != len(first):
            raise BadInput(f"{source}, line {line}: {len(row)} cells, but line {first_line} has {len(first)}")
        for x, cell in enumerate(row):
            if cell == ".":
                continue
            is_letter = len(cell) == 1 and cell.isascii() and cell.isalpha()
            if not is_letter and not (cell.isascii() and cell.isdecimal()):
                raise BadInput(f"{source}, line {line}: {cell!r} is not a cell; cells are 0-9, a-z or '.'")
            if letters is None:
                letters = is_letter
            elif letters != is_letter:
                raise BadInput(f"{source}, line {line}: {cell!r}: a board has digits or letters, not both")
            color = ord(cell.lower()) - ord("a") if is_letter else int(cell)
            if color >= MAX_COLORS:
                raise BadInput(f"{source}, line {line}: colour {cell}: at most {MAX_COLORS} colours, 0 to {MAX_COLORS - 1}")
            cells[y, x] = color
    _check_sides(len(first), len(rows), f"{source}, line {first_line}")
    return settle(cells.astype(np.int8))


def _check_sides(width: int, height: int, place: str) -> None:
    if not (1 <= width <= MAX_SIDE and 1 <= height <= MAX_SIDE):
        raise BadInput(f"{place}: a board of {width}x{height}; allowed are 1x1 to {MAX_SIDE}x{MAX_SIDE}")
