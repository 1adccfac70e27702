"""Points of Go for people: A1 is the lower left corner, letters leave out I."""

from typing import Any

from arbora.errors import BadInput

LETTERS = "ABCDEFGHJKLMNOPQRST"
STONES = ".XO"


def vertex(move: int, width: int, height: int) -> str:
    """A move as text, such as D4 or pass."""
    if move == width * height:
        return "pass"
    return f"{LETTERS[move % width]}{move // width + 1}"


def parse_vertex(text: str, width: int, height: int) -> int:
    """The move that a text such as D4, d4 or pass stands for. Raises BadInput if it is none on this board."""
    name = text.strip().upper()
    if name == "PASS":
        return width * height
    column, row = LETTERS.find(name[:1] or "?"), name[1:]
    if row.isascii() and row.isdecimal() and len(row) < 3 and 0 <= column < width and 1 <= int(row) <= height:
        return column + (int(row) - 1) * width
    corner = vertex(width * height - 1, width, height)
    raise BadInput(f"{text!r} is no point of this board; points are A1 to {corner}, or pass")


def picture(grid: Any, width: int, height: int, last: tuple[int, int] | None) -> str:
    """The board as text, X Black and O White, the last stone in brackets. `grid[y + 1, x + 1]` has the colours."""
    labels = "   " + "".join(f" {LETTERS[x]} " for x in range(width)).rstrip()
    lines = [labels]
    for y in reversed(range(height)):
        cells = "".join(
            f"({STONES[grid[y + 1, x + 1]]})" if last == (x, y) else f" {STONES[grid[y + 1, x + 1]]} " for x in range(width)
        )
        lines.append(f"{y + 1:2} {cells} {y + 1}")
    lines.append(labels)
    return "\n".join(lines)
