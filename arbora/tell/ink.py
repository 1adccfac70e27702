"""Stories as Ink, the scripting language for choices in games."""

import re
from collections.abc import Sequence

from arbora.tell.passages import Passage, one_line, passages
from arbora.tell.telling import Telling

# A hyphen inside a word is the only special sign that means nothing to Ink.
_SPECIAL = re.compile(r"(?<=\w)-(?=\w)|(?P<special>[][{}|\\#~*+=<>/-])")
_STATEMENT = re.compile(r"(?=(?:INCLUDE|VAR|CONST|LIST|EXTERNAL|TODO)\b)")


def to_ink(tellings: Sequence[Telling], title: str) -> str:
    """The stories as one Ink script: where one might have gone another way, the reader chooses."""
    parts = passages(tellings, title)
    title = one_line(title)
    tag = f"# title: {escaped(title)}\n\n" if title else ""
    return f"{tag}-> {_knot(parts[0].name)}\n\n" + "\n".join(map(_passage, parts))


def escaped(text: str) -> str:
    """Text, the beginning of a line, as Ink shows it unchanged."""
    safe = _SPECIAL.sub(lambda found: f"\\{found[0]}" if found["special"] else found[0], text)
    return _STATEMENT.sub(lambda _: "\\", safe, count=1) if _STATEMENT.match(safe) else safe


def _passage(passage: Passage) -> str:
    lines = [f"=== {_knot(passage.name)} ==="]
    lines += [f"{escaped(line)}\n" for line in passage.paragraphs]
    lines += [f"+ [{escaped(link.label)}] -> {_knot(link.target)}" for link in passage.links] or ["-> END"]
    return "\n".join(lines) + "\n"


def _knot(name: str) -> str:
    return name.lower().replace(" ", "_")
