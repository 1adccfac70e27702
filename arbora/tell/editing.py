"""Making a story shorter without making it worse: what serves nothing is cut."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from arbora.problem import like_compiled, new_state

_SAME = 1e-12  # scores that differ by less are the same: factors of 1 may round


def tidied(story: Any, moves: Sequence[int]) -> list[int]:
    """The story without actions that could be left out: it is legal, whole, and scores no less.

    With an action go all later ones that cannot happen without it. Later actions are tried first, since earlier ones prepare
    them, and again when an earlier one has gone that they made up for.
    """
    with like_compiled():
        kept, score = _legal(story, moves)
        at = len(kept) - 1
        while at >= 0:
            shorter, value = _legal(story, kept[:at] + kept[at + 1 :])
            if value >= score - _SAME and _is_whole(story, shorter):
                kept, score, at = shorter, value, len(shorter)
            at -= 1
        return kept


def _legal(story: Any, moves: Sequence[int]) -> tuple[list[int], float]:
    """Those of the moves that can be played one after the other, and the score then."""
    state = new_state(story)
    story.reset(state)
    played = []
    for move in moves:
        if not state.over and story.may_happen(state, move):
            story.play(state, move)
            played.append(int(move))
    return played, float(story.score(state))


def _is_whole(story: Any, moves: Sequence[int]) -> bool:
    """Does the story end there?"""
    state = new_state(story)
    story.reset(state)
    for move in moves:
        story.play(state, move)
    return bool(story.moves(state, np.zeros(story.max_moves(), np.int32)) == 0)
