"""Stories as Twee 3, the text format of Twine, with passages in the markup of Harlowe."""

import json
import re
import uuid
from collections.abc import Sequence

from arbora.tell.passages import Passage, one_line, passages
from arbora.tell.telling import Telling

FORMAT = "Harlowe"
# Every sign that a story format may give a meaning is written as a character reference, which all of them show as the sign.
_MARKUP = re.compile(
    r"""
    (?<=\w)['-](?=\w)       # Alice's, well-known
    | (?<=\w):(?=[ \w])
    | (?<!")"(?!")
    | \?(?![\w-])           # ?name is a hook
    | [.,;!]
    | (?P<special>[!-/:-@\[-`{-~])
    """,
    re.VERBOSE,
)


def to_twee(tellings: Sequence[Telling], title: str) -> str:
    """The stories as one Twee 3 document: where one might have gone another way, the reader chooses."""
    title = one_line(title)
    parts = passages(tellings, title)
    data = {"ifid": _ifid(title, tellings), "format": FORMAT, "start": parts[0].name}
    header = f":: StoryTitle\n{_no_header(title)}\n\n\n:: StoryData\n{json.dumps(data, indent=2)}\n"
    return "\n\n".join([header, *map(_passage, parts)])


def escaped(text: str) -> str:
    """Text, the beginning of a line, as Harlowe shows it unchanged."""
    safe = _MARKUP.sub(lambda found: _reference(found[0]) if found["special"] else found[0], text)
    begins_markup = safe[:1].isascii() and not safe[:1].isalpha() and not safe.startswith("&")
    return _reference(safe[0]) + safe[1:] if safe and begins_markup else safe


def _passage(passage: Passage) -> str:
    blocks = [escaped(line) for line in passage.paragraphs]
    if passage.links:
        blocks.append("\n".join(f"[[{_label(link.label)}->{link.target}]]" for link in passage.links))
    return f":: {passage.name}\n" + "\n\n".join(blocks) + "\n"


def _label(text: str) -> str:
    return escaped(text).replace('"', _reference('"'))  # Harlowe makes a quoted string of it


def _reference(letter: str) -> str:
    return f"&#{ord(letter)};"


def _no_header(title: str) -> str:
    """A title is shown as it is written, without markup; a blank keeps it from being a passage's header."""
    return f" {title}" if title.startswith("::") else title


def _ifid(title: str, tellings: Sequence[Telling]) -> str:
    """The same stories have the same identifier."""
    texts = [title, *(telling.text for telling in tellings)]
    return str(uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(texts))).upper()
