"""Reading story worlds: YAML files become plain data, all of it text, and every piece knows its file and line.

Only shapes are checked here, what is a text, a list or a mapping and which keys there are; `world` gives them a meaning.
Nothing of YAML that surprises is read: no numbers or dates, no anchors, no tags.
"""

import json
import os
import re
import stat
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from arbora.component import nearest
from arbora.errors import BadInput
from arbora.problems.story.parsing import shortened

Place = tuple[str | int, ...]

WORLDS = Path(__file__).parent / "worlds"
MOST_BYTES, MOST_FILES, MOST_NODES, DEEPEST = 1_000_000, 100, 100_000, 20

# Control characters; and line breaks that only YAML knows, since lines are counted as editors count them.
_UNREADABLE = re.compile(r"[^\t\n\x20-\x7e\xa0-\u2027\u202a-\ud7ff\ue000-\ufefe\uff00-\ufffd\U00010000-\U0010ffff]")
_ANCHORS = "text that begins with & or * needs quotes (anchors and aliases are not read)"
_TAGS = "text that begins with ! needs quotes (tags are not read)"
_QUOTES = "text that has { } [ ] # or a colon needs quotes"
_TAB = "a tab indents here; use blanks"

# What PyYAML says, with libyaml or without; what that means; whether to name the line where the piece begins.
_SYNTAX = (
    ("document start|directive|incompatible", "text after the end of the world, or a line that begins with % or ---", False),
    ("cannot start any token", "text that begins with @ ` or % needs quotes", False),
    ("values are not allowed", f"a colon where none can be; {_QUOTES}", False),
    ("entries are not allowed", "a list begins on a line of its own", False),
    ("keys are not allowed", f"a key where none can be; {_QUOTES}", False),
    ("expected ':'", "a colon is missing, as in name: value", True),
    ("parsing a flow", "what begins here with [ or { does not end as it should; text with them needs quotes", True),
    ("end of stream|unexpected document", "a quote begins here and has no end", True),
    ("unknown escape|hex|invalid Unicode", "a backslash in double quotes is special; use single quotes", False),
    ("alphabetic or numeric", _ANCHORS, True),
    (r"\btag\b", _TAGS, False),
    ("line break|indentation indicator", "text after | or > begins on the next line", False),
    ("violates indentation|indentation space", _TAB, False),
    ("", f"this does not fit what stands before it; check indentation and quotes; {_QUOTES}", False),
)  # fmt: skip


class Mark(NamedTuple):
    """Where something stands."""

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}, line {self.line}"


class Shape(NamedTuple):
    """What a piece of a world may be: a text, a list, a mapping with known keys, or a mapping with names of one's own."""

    told: str
    text: bool = False
    items: str = ""  # the shape of each item
    keys: Mapping[str, str] = {}  # the shape under each key
    names: str = ""  # the shape under every name
    needs: tuple[str, ...] = ()


SHAPES = {
    "world": Shape(
        "sections such as characters: and actions:",
        keys={
            **dict.fromkeys(("title", "about", "length"), "text"),
            "include": "paths",
            "types": "types",
            **dict.fromkeys(("characters", "places", "items", "things"), "things"),
            **dict.fromkeys(("facts", "start"), "texts"),
            "actions": "actions",
            "goals": "goals",
            "never": "texts",
            **dict.fromkeys(("opening", "ending"), "text"),
        },
    ),
    "text": Shape("a text", text=True),
    "texts": Shape("a list of texts", items="text"),
    "paths": Shape("a path or a list of paths", text=True, items="text"),
    "types": Shape("names, each with a type", names="text"),
    "things": Shape("names, each with a type or with {type, name, …}", names="thing"),
    "thing": Shape(
        "a type or {type, name, …}",
        text=True,
        keys=dict.fromkeys(("type", "name", "pronoun", "owner", "article"), "text"),
    ),
    "actions": Shape("names, each with {with, if, then, …}", names="action"),
    "action": Shape(
        "{with, if, then, …}",
        keys={
            "with": "types",
            "if": "text",
            "then": "effects",
            "believable": "rules",
            "minor": "text",
            "text": "sentences",
        },
    ),
    "effects": Shape("an effect or a list of effects", text=True, items="effect"),
    "effect": Shape("a text or {if, then}", text=True, keys={"if": "text", "then": "effects"}, needs=("if", "then")),
    "rules": Shape("a number or a list of {if, is, because}", text=True, items="rule"),
    "rule": Shape("{if, is, because}", keys=dict.fromkeys(("if", "is", "because"), "text"), needs=("is",)),
    "sentences": Shape("a sentence or a list of sentences", text=True, items="sentence"),
    "sentence": Shape("a text or {if, say}", text=True, keys={"if": "text", "say": "text"}, needs=("say",)),
    "goals": Shape("names, each with a condition or {if, weight, must}", names="goal"),
    "goal": Shape(
        "a condition or {if, weight, must}",
        text=True,
        keys=dict.fromkeys(("if", "weight", "must"), "text"),
        needs=("if",),
    ),
}


@dataclass(frozen=True, eq=False)
class Document:
    """A world as it was written, with the files it includes: nothing but dicts, lists and texts of the right shape.

    It equals another that says the same in the same order, wherever that stood. Not to be changed.
    """

    data: dict[str, Any]
    marks: dict[Place, Mark]  # of each key and list item, by its path in `data`; of the file itself by ()

    def where(self, *path: str | int) -> str:
        """`file.yaml, line 12` for the path or its nearest known parent; `world` if there is none."""
        return _where(self.marks, path)

    def as_text(self) -> str:
        """The data as a line of JSON, the same for all worlds that say the same in the same order."""
        return self._text

    @cached_property
    def _text(self) -> str:
        return json.dumps(self.data, ensure_ascii=False, separators=(",", ":"))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Document) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    @classmethod
    def from_text(cls, text: str) -> "Document":
        """The document with the data that `as_text` gave, and no marks. Raises BadInput."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError):
            raise BadInput("world: not the text of a world, which is a line of JSON") from None
        data = _shaped(data, {})
        if "include" in data:
            raise BadInput("world: include is for files; a text has everything in it")
        return cls(data, {})


def world_path(name: str) -> Path:
    """The file of a world: one that comes with Arbora by its name, any other by its path. Raises BadInput."""
    if name.lower().endswith((".yaml", ".yml")):
        return Path(name)
    known = sorted(path.stem for path in WORLDS.glob("*.yaml"))
    if name not in known:
        raise BadInput(f"unknown world {shortened(name)!r}; {nearest(name, known)}; or a file, as in mine.yaml")
    return WORLDS / f"{name}.yaml"


def read_world(path: Path) -> Document:
    """The world in a file and the files it includes. Raises BadInput with file and line of what is wrong."""
    return _Reader().read(path, path.name, "", {})


class _Reader:
    """Reads a file and those it includes, each once."""

    def __init__(self) -> None:
        self.nodes = 0
        self.seen: set[str] = set()

    def read(self, path: Path, name: str, asked: str, chain: Mapping[str, str]) -> Document:
        """A file that is included at `asked`; `chain` has the files that include it, and how they were named."""
        text = _text_of(path, f"{asked}: cannot read {shortened(name)}" if asked else f"{path}: cannot read the world")
        real = os.path.realpath(path)
        self.seen.add(real)
        composer = _Composer(str(path), text, self.nodes)
        data = composer.compose()
        self.nodes = composer.nodes
        data = _shaped(data, composer.marks)
        included = data.pop("include", [])
        own = Document(data, composer.marks)
        merged = Document({}, {})
        for i, other in enumerate([included] if isinstance(included, str) else included):
            _merge(merged, self._include(path.parent / other, other, own.where("include", i), {**chain, real: name}))
        _merge(merged, own)
        return merged

    def _include(self, path: Path, name: str, asked: str, chain: Mapping[str, str]) -> Document:
        if not name or "\n" in name:
            raise BadInput(f"{asked}: include takes paths, each on one line")
        real = os.path.realpath(path)
        if real in chain:
            circle = [*chain.values()][[*chain].index(real) :]
            raise BadInput(f"{asked}: include goes in a circle: {' -> '.join([*circle, name])}")
        if real in self.seen:
            return Document({}, {})
        if len(self.seen) >= MOST_FILES:
            raise BadInput(f"{asked}: more than {MOST_FILES} files; put some of them together")
        return self.read(path, name, asked, chain)


def _merge(into: Document, more: Document) -> None:
    """Add a document to another: names join names, lists grow, and of single texts the newer one counts."""
    lengths: dict[str | int, int] = {}
    for section, value in more.data.items():
        if isinstance(value, str):
            into.data[section] = value
            continue
        before = into.data.setdefault(section, type(value)())
        if isinstance(value, list):
            lengths[section] = len(before)
            before += value
            continue
        for name in value:
            if name in before:
                first = into.where(section, name)
                raise BadInput(f"{more.where(section, name)}: {shortened(name)!r} is given twice; first in {first}")
        before |= value
    for path, mark in more.marks.items():
        if path[:1] == ("include",):
            continue
        if len(path) > 1 and isinstance(path[1], int):
            path = (path[0], path[1] + lengths.get(path[0], 0), *path[2:])
        into.marks[path] = mark


def _text_of(path: Path, otherwise: str) -> str:
    """What a file says, with plain line breaks; `otherwise` begins the message if that cannot be known."""
    try:
        regular = stat.S_ISREG(os.stat(path).st_mode)
        content = _beginning(path) if regular else b""
    except (OSError, ValueError) as error:
        raise BadInput(f"{otherwise}: {getattr(error, 'strerror', None) or 'no name of a file'}") from None
    if not regular:
        raise BadInput(f"{otherwise}: not a regular file")
    if len(content) > MOST_BYTES:
        raise BadInput(f"{otherwise}: larger than {MOST_BYTES // 1_000_000} MB")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        mark = Mark(str(path), content.count(b"\n", 0, error.start) + 1)
        raise BadInput(f"{mark}: not UTF-8 text; save the file in that encoding") from None
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    found = _UNREADABLE.search(text)
    if found:
        _require_readable(found[0], str(Mark(str(path), text.count("\n", 0, found.start()) + 1)))
    return text


def _beginning(path: Path) -> bytes:
    """All of a file, but no more than a byte beyond what it may have."""
    with path.open("rb") as file:
        return file.read(MOST_BYTES + 1)


class _Composer:
    """Makes data and marks of one YAML text, event by event, so that nothing is built that is going to be refused."""

    def __init__(self, file: str, text: str, nodes: int) -> None:
        self.file = file
        self.text = text
        self.nodes = nodes  # those of other files counted too
        self.marks: dict[Place, Mark] = {}
        self.events = self._events()

    def compose(self) -> Any:
        import yaml

        data: Any = ""
        started = False
        for event in self.events:
            if isinstance(event, yaml.DocumentStartEvent):
                if started:
                    raise self._wrong(event, "a second document begins; a file has one")
                started = True
            elif isinstance(event, yaml.NodeEvent):
                self.marks[()] = self._mark(event)
                data = self._value(event, ())
        if data == "":
            raise BadInput(f"{Mark(self.file, 1)}: the file is empty; a world has {SHAPES['world'].told}")
        return data

    def _events(self) -> Iterator[Any]:
        import yaml

        loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)(self.text)
        try:
            while loader.check_event():
                yield loader.get_event()
        except yaml.MarkedYAMLError as error:
            raise BadInput(_syntax(self.file, self.text, error)) from None
        except (yaml.YAMLError, ValueError, OverflowError):
            # Without libyaml, characters (\U99999999) and versions (%YAML) beyond all numbers end in Python's own errors.
            mark = Mark(self.file, getattr(loader, "line", 0) + 1)
            raise BadInput(f"{mark}: not YAML: too large a number after a backslash or in a line with %") from None
        finally:
            loader.dispose()

    def _value(self, event: Any, path: Place) -> Any:
        import yaml

        self._require_plain(event)
        if isinstance(event, yaml.ScalarEvent):
            return event.value.strip() if event.style in ("|", ">") else event.value
        if len(path) >= DEEPEST:
            raise self._wrong(event, f"nested deeper than {DEEPEST} levels")
        if isinstance(event, yaml.SequenceStartEvent):
            items: list[Any] = []
            while not isinstance(event := next(self.events), yaml.SequenceEndEvent):
                place = (*path, len(items))
                self.marks[place] = self._mark(event)
                items.append(self._value(event, place))
            return items
        mapping: dict[str, Any] = {}
        while not isinstance(event := next(self.events), yaml.MappingEndEvent):
            self._require_plain(event)
            if not isinstance(event, yaml.ScalarEvent):
                raise self._wrong(event, "a list or mapping where a key should be; text with [ ] or { } needs quotes")
            if event.value == "<<":
                raise self._wrong(event, "merge keys (<<) are not read; write everything out")
            place = (*path, event.value)
            if event.value in mapping:
                first = self.marks[place].line
                raise self._wrong(event, f"{shortened(event.value)!r} is given twice; first in line {first}")
            self.marks[place] = self._mark(event)
            mapping[event.value] = self._value(next(self.events), place)
        return mapping

    def _require_plain(self, event: Any) -> None:
        if event.anchor is not None:
            raise self._wrong(event, _ANCHORS)
        if event.tag is not None:
            raise self._wrong(event, _TAGS)
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise self._wrong(event, f"more than {MOST_NODES:,} texts, lists and mappings")

    def _mark(self, event: Any) -> Mark:
        return Mark(self.file, event.start_mark.line + 1)

    def _wrong(self, event: Any, reason: str) -> BadInput:
        return BadInput(f"{self._mark(event)}: {reason}")


def _syntax(file: str, text: str, error: Any) -> str:
    """What is wrong with a text that is not YAML, in one short sentence."""
    mark, lines = error.problem_mark, text.split("\n")
    told = f"{error.context} {error.problem}"
    reason, at_beginning = next((reason, first) for said, reason, first in _SYNTAX if re.search(said, told))
    if "cannot start any token" in told and lines[mark.line][mark.column :][:1] == "\t":
        reason = _TAB
    if at_beginning and error.context_mark:
        mark = error.context_mark
    return f"{Mark(file, min(mark.line + 1, len(text.splitlines())))}: not YAML: {reason}"


def _shaped(value: Any, marks: Mapping[Place, Mark], path: Place = (), shape: Shape = SHAPES["world"]) -> Any:
    """The value, if it has the shape; an empty text that must be a list or mapping becomes one. Raises BadInput."""
    where = _where(marks, path)
    if len(path) > DEEPEST:
        raise BadInput(f"{where}: nested deeper than {DEEPEST} levels")
    if value == "" and not shape.text and not shape.needs:
        return [] if shape.items else {}
    if isinstance(value, str) and shape.text:
        _require_readable(value, where)
        return value
    if isinstance(value, list) and shape.items:
        return [_shaped(item, marks, (*path, i), SHAPES[shape.items]) for i, item in enumerate(value)]
    if isinstance(value, dict) and (shape.keys or shape.names):
        return _shaped_mapping(value, marks, path, shape)
    kinds: dict[type, str] = {str: "a text", list: "a list", dict: "a mapping"}
    kind = kinds.get(type(value), "a number, true, false or null")
    hint = "; text that begins with { or [ needs quotes" if shape.text and isinstance(value, (list, dict)) else ""
    raise BadInput(f"{where}: {_called(path)} takes {shape.told}, not {kind}{hint}")


def _shaped_mapping(value: dict[str, Any], marks: Mapping[Place, Mark], path: Place, shape: Shape) -> dict[str, Any]:
    shaped: dict[str, Any] = {}
    for key, inner in value.items():
        where = _where(marks, (*path, key))
        _require_readable(key, where)
        if not key.strip() or "\n" in key:
            raise BadInput(f"{where}: {_called(path)} has a key that is not one line of text, as in name: value")
        if shape.keys and key not in shape.keys:
            hint = "; text with a comma in { } needs quotes" if "(" in key or ")" in key else ""
            known = nearest(key, list(shape.keys))
            raise BadInput(f"{where}: unknown key {shortened(key)!r} of {_called(path)}; {known}{hint}")
        shaped[key] = _shaped(inner, marks, (*path, key), SHAPES[shape.names or shape.keys[key]])
    for key in shape.needs:
        if key not in value:
            raise BadInput(f"{_where(marks, path)}: {_called(path)} has no {key!r}; it takes {shape.told}")
    return shaped


def _require_readable(text: str, where: str) -> None:
    found = _UNREADABLE.search(text)
    if found:
        raise BadInput(f"{where}: the character {found[0]!a} cannot stand in a world; delete it")


def _called(path: Place) -> str:
    return shortened(".".join(part for part in path if isinstance(part, str))) or "a world"


def _where(marks: Mapping[Place, Mark], path: Place) -> str:
    return next((str(marks[path[:end]]) for end in range(len(path), -1, -1) if path[:end] in marks), "world")
