"""Solution files: one JSON object per run, written whole or not at all, and checked by playing the moves again."""

import json
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from arbora.errors import BadInput, BadSolution
from arbora.files import write_text
from arbora.replay import Step, is_finished, replay, same_score
from arbora.running import Progress
from arbora.solve import Result


def as_object(result: Result, problem_spec: str, search_spec: str) -> dict[str, Any]:
    """What `--json` prints and files hold."""
    return {
        "problem": problem_spec,
        "search": search_spec,
        "seed": result.seed,
        "threads": result.threads,
        "score": _number(result.score),
        "moves": result.moves,
        "text": result.text,
        "scores": [_number(score) for score in result.scores],
        "playouts": result.playouts,
        "seconds": round(result.seconds, 6),
        "trace": [[round(row.seconds, 6), row.playouts, _number(row.score)] for row in result.trace],
        "stopped": result.stopped,
        "nodes": result.nodes,
    }


def unfinished(progress: Progress, problem_spec: str, search_spec: str, seed: int, threads: int) -> dict[str, Any]:
    """The same for a run that is still going: what can be replayed, without texts and trace."""
    return {
        "problem": problem_spec,
        "search": search_spec,
        "seed": seed,
        "threads": threads,
        "score": _number(progress.score),
        "moves": progress.moves,
        "playouts": progress.playouts,
        "seconds": round(progress.seconds, 6),
        "stopped": "running",
    }


def write(path: Path, content: dict[str, Any]) -> None:
    """Replace the file in one step; what was there stays if anything goes wrong. Raises BadInput if it cannot be."""
    write_text(path, json.dumps(content) + "\n", "solution")


def read(path: Path) -> dict[str, Any]:
    """A solution file, checked for its shape. Raises BadInput if unreadable, BadSolution if cut off or edited badly.

    A file with `stories`, as `arbora tell --out` writes it, has several solutions under that key.
    """
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: cannot read: {getattr(error, 'strerror', None) or 'not a text file'}") from None
    try:
        content = json.loads(text)
    except json.JSONDecodeError as error:
        place = f"{error.msg} at character {error.pos} of {len(text)}"
        raise BadSolution(f"{path}: not a whole solution file: {place}; {_what_is_whole(text[: error.pos])}") from None
    if not isinstance(content, dict):
        raise BadSolution(f"{path}: not a solution file: no JSON object")
    if "stories" not in content:
        _check(f"{path}", content)
        return content
    _require(f"{path}", content, "stories", isinstance(content["stories"], list), "a list")
    for number, story in enumerate(content["stories"], 1):
        if not isinstance(story, dict):
            raise BadSolution(f"{path}: story {number} is no JSON object")
        _check(f"{path}: story {number}", story)
    return content


def verify(problem: Any, content: dict[str, Any]) -> Iterator[Step]:
    """Replay a solution; raises BadSolution at the move where it departs from what the file says."""
    scores = content.get("scores", [])
    step = None
    for step in replay(problem, content["moves"]):
        if 0 < step.number <= len(scores) and not same_score(step.score, scores[step.number - 1]):
            raise BadSolution(
                f"the score departs at move {step.number} ({step.text}): the file says {scores[step.number - 1]:g}, "
                f"replay gives {step.score:g}"
            )
        yield step
    assert step is not None
    number = len(content["moves"])
    if scores and len(scores) != number:
        raise BadSolution(f"the score departs at move {number + 1}: the file has {len(scores)} scores for {number} moves")
    if not same_score(step.score, content["score"]):
        raise BadSolution(
            f"the score departs at the end, move {number}: the file says {content['score']:g}, replay gives {step.score:g}"
        )
    if not is_finished(problem, step.state):
        raise BadSolution(f"the moves end too early: after move {number} there are still legal moves")


def _check(place: str, content: dict[str, Any]) -> None:
    """Raise BadSolution unless there is a solution in it."""
    _require(place, content, "problem", isinstance(content.get("problem"), str), "the spec of a problem")
    moves = content.get("moves")
    whole = isinstance(moves, list) and all(type(move) is int for move in moves)
    _require(place, content, "moves", whole, "a list of whole numbers")
    _require(place, content, "score", type(content.get("score")) in (int, float), "a number")
    scores = content.get("scores", [])
    numbers = isinstance(scores, list) and all(type(score) in (int, float) for score in scores)
    _require(place, content, "scores", numbers, "a list of numbers")


def _what_is_whole(text: str) -> str:
    """How far the moves go in a file that was cut off or damaged."""
    found = re.search(r'"moves": \[([^\]]*)(\]?)', text)
    if found is None:
        return "the score departs at move 1, since no moves are left"
    whole = found.group(1).count(",") + (found.group(2) == "]" and bool(found.group(1)))
    if found.group(2):
        return f"all {whole} moves are there, what proves their score is not"
    return f"the score departs at move {whole + 1}, where the moves break off"


def _require(place: str, content: dict[str, Any], key: str, holds: bool, wanted: str) -> None:
    if not holds:
        state = "missing" if key not in content else "not " + wanted
        raise BadSolution(f"{place}: {key} is {state}")


def _number(value: float) -> float | int | None:
    if not math.isfinite(value):
        return None
    return int(value) if value == int(value) else value
