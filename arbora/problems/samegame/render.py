"""SameGame boards for people."""

from typing import Any

import numpy as np

PALETTE = (
    "#e05252", "#4f8fe0", "#55b26a", "#e0c04a", "#b06fd0", "#4fc3c3", "#e08a3c", "#d978a8", "#8a6d4f", "#7d8b99",
    "#a3c94f", "#5f63c9", "#c94f6d", "#3f9c8f",
)  # fmt: skip


def render_board(board: np.ndarray) -> Any:
    """A rich text: coloured cells with a letter in each, so that it can be read without colour too."""
    from rich.text import Text

    text = Text()
    for y, row in enumerate(board):
        if y:
            text.append("\n")
        for cell in row:
            if cell < 0:
                text.append(" .", style="dim")
            else:
                text.append(f" {chr(ord('a') + cell)}", style=f"bold black on {PALETTE[cell % len(PALETTE)]}")
    return text
