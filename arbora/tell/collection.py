"""Several stories of one world, as they come: as one JSON object, and as files for readers and for other programs."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arbora.errors import BadInput
from arbora.files import require_place, write_text
from arbora.spec import parse_problem, spec_of
from arbora.tell.ink import to_ink
from arbora.tell.markdown import to_markdown
from arbora.tell.passages import heading, one_line
from arbora.tell.storyteller import Found, Request, distances
from arbora.tell.telling import Telling, as_object
from arbora.tell.twee import to_twee

SUFFIXES = (".json", ".md", ".twee", ".ink", ".txt")
WITH_CHOICES = (".twee", ".ink")


@dataclass
class Collection:
    """The stories found so far, of those that were asked for."""

    request: Request
    search: str  # its spec
    found: list[Found] = field(default_factory=list)
    stopped: str = "running"  # then "budget", "interrupted" or "complete"

    def __post_init__(self) -> None:
        self.title = self.request.story.reading().title
        self.problem = _spec(self.request.story)

    @property
    def tellings(self) -> list[Telling]:
        return [each.telling for each in self.found]

    def distances(self) -> list[list[float]]:
        """How far each story is from each other one."""
        return distances(self.request.story, [each.moves for each in self.found]) if self.found else []

    def as_object(self) -> dict[str, Any]:
        """What `--json` prints and a .json file holds; `arbora replay` reads it."""
        return {
            "world": self.request.story.world,
            "title": self.title,
            "search": self.search,
            "seed": self.request.seed,
            "threads": self.request.threads,
            "goals": [goal.name for goal in self.request.story.wanted()],
            "stories": [
                {
                    "problem": self.problem,
                    **as_object(each.telling),
                    "playouts": each.result.playouts,
                    "seconds": round(each.result.seconds, 6),
                    "stopped": each.stopped,
                }
                for each in self.found
            ],
            "distances": self.distances(),
            "stopped": self.stopped,
        }

    def write(self, path: Path) -> None:
        """All stories so far, whole or not at all, in the format that the file's name ends in. Raises BadInput."""
        write_text(path, self.text(path.suffix.lower()), "stories")

    def text(self, suffix: str) -> str:
        """The stories in one of the formats of SUFFIXES."""
        match suffix:
            case ".json":
                return json.dumps(self.as_object()) + "\n"
            case ".md":
                return to_markdown(self.tellings, self.title)
            case ".twee":
                return to_twee(self.tellings, self.title)
            case ".ink":
                return to_ink(self.tellings, self.title)
        return _plain(self.tellings, self.title)


def check_file(path: Path) -> None:
    """Raise BadInput unless stories can be written to such a file."""
    if path.suffix.lower() not in SUFFIXES:
        raise BadInput(f"{path}: --out takes a name that ends in {', '.join(SUFFIXES[:-1])} or {SUFFIXES[-1]}")
    require_place(path, "--out")


def _spec(story: Any) -> str | None:
    """A spec of the problem without the other stories; None if its goals or file have names that no spec can hold."""
    spec = spec_of(story)
    try:
        return spec if parse_problem(spec) == story else None
    except BadInput:
        return None


def _plain(tellings: Sequence[Telling], title: str) -> str:
    several = len(tellings) > 1
    parts = [f"{heading(told, i, title)}\n\n{told.text}" if several else told.text for i, told in enumerate(tellings, 1)]
    return f"{one_line(title)}\n\n" + "\n\n\n".join(parts) + "\n"
