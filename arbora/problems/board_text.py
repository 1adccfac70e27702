"""Boards of two-player games for people."""

from collections.abc import Iterable, Sequence
from typing import Any

Cell = tuple[str, str]  # what to print and the style of it

EDGE = "dim"


def board_text(rows: Iterable[Iterable[Cell]], caption: str) -> Any:
    """A rich text: rows of cells a blank apart, and a line below them. What is printed can be read without colour too."""
    from rich.text import Text

    text = Text()
    for row in rows:
        for sign, style in row:
            text.append(f" {sign}", style=style)
        text.append("\n")
    return text.append(f" {caption}")


def standing(names: Sequence[str], player: int, over: bool, payoff: float) -> str:
    """Whose turn it is, or how it ended; `payoff` is that of player 0."""
    if not over:
        return f"{names[player]} to move"
    return "a draw" if payoff == 0.5 else f"{names[0 if payoff > 0.5 else 1]} has won"
