"""Story worlds as files: plain data of texts, a place for every piece, and each mistake as one line with file and line."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arbora.errors import BadInput
from arbora.problems.story import reading
from arbora.problems.story.reading import DEEPEST, MOST_BYTES, MOST_FILES, MOST_NODES, Document, Mark, read_world, world_path

GOOD = """\
# a comment
title: no
length: 1e3
types:
  citizen: character

characters:
  alice: {type: citizen, name: Alice}
  bob: citizen
places:
  downtown:
  "on": {}
things:
facts:
  - at(character) = place
  - dead(character)
start: []
opening: >
  It was a quiet
  morning.
actions:
  kill:
    with: {who: character, whom: character}
    if: not dead(whom)
    then:
      - dead(whom)
      - if: at(who) == downtown
        then: [dead(who), not dead(whom)]
    believable:
      - {if: "dead(who)", is: 0.5, because: "{who} is dead"}
      - is: 1
    text: ["{who} killed {whom}", {if: dead(who), say: again}]
  wait:
goals:
  one: dead(alice)
  two: {if: dead(bob), weight: 2, must: yes}
"""


@pytest.fixture(params=["CSafeLoader", "SafeLoader"])
def parser(request, monkeypatch):
    """Each of the two parsers that PyYAML may have."""
    if request.param == "SafeLoader":
        monkeypatch.delattr(yaml, "CSafeLoader", raising=False)
    elif not hasattr(yaml, "CSafeLoader"):
        pytest.skip("PyYAML without libyaml")
    return request.param


@pytest.fixture
def write(tmp_path):
    def written(text: str | bytes, name: str = "world.yaml") -> Path:
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return path

    return written


def refused(path: Path) -> str:
    """The one line with which a file is refused, without the folder of its files."""
    with pytest.raises(BadInput) as caught:
        read_world(path)
    line = str(caught.value)
    assert "\n" not in line
    return line.replace(f"{path.parent}/", "")


def read_or_refused(read: Callable[[], Document]) -> Document | str:
    """The document, or the line with which it is refused."""
    try:
        return read()
    except BadInput as error:
        return str(error)


@pytest.mark.usefixtures("parser")
def test_everything_is_text(write):
    data = read_world(write(GOOD)).data
    assert list(data) == [
        "title", "length", "types", "characters", "places", "things", "facts", "start", "opening", "actions", "goals",
    ]  # fmt: skip
    assert (data["title"], data["length"], data["opening"]) == ("no", "1e3", "It was a quiet morning.")
    assert data["characters"] == {"alice": {"type": "citizen", "name": "Alice"}, "bob": "citizen"}
    assert data["places"] == {"downtown": "", "on": {}}
    assert data["goals"]["two"] == {"if": "dead(bob)", "weight": "2", "must": "yes"}
    assert data["actions"]["kill"]["then"] == [
        "dead(whom)",
        {"if": "at(who) == downtown", "then": ["dead(who)", "not dead(whom)"]},
    ]


def test_what_must_be_a_list_or_mapping_and_is_left_empty_is_one(write):
    data = read_world(write("things:\nnever:\nactions:\n  wait:\n  go:\n    with:\n    text:\n")).data
    assert data == {"things": {}, "never": [], "actions": {"wait": {}, "go": {"with": {}, "text": ""}}}


@pytest.mark.parametrize("text", ["2020-01-01", "0x10", "~", "null", "yes", "1_000", "12:30:00", ".inf", "é 🙂", "'a: b'"])
@pytest.mark.usefixtures("parser")
def test_scalars_are_never_converted(write, text):
    assert read_world(write(f"title: {text}\n")).data == {"title": text.strip("'")}


@pytest.mark.usefixtures("parser")
def test_texts_of_several_lines(write):
    text = "title: |\n\n   a\n   b\n\nabout: >-\n   a\n   b\nopening: a\n  b\nending: ' a '\n"
    data = read_world(write(text)).data
    assert data == {"title": "a\nb", "about": "a b", "opening": "a b", "ending": " a "}


@pytest.mark.usefixtures("parser")
def test_marks_name_the_lines(write):
    path = write(GOOD)
    document = read_world(path)
    lines = GOOD.splitlines()
    assert document.marks[()] == Mark(str(path), 2)
    assert str(document.marks["characters", "bob"]) == f"{path}, line 9"
    for place, mark in document.marks.items():
        if place and isinstance(place[-1], str):
            assert re.search(rf'(^|[ {{"]){place[-1]}"?:', lines[mark.line - 1]), place
    facts = [document.marks["facts", i].line for i in range(2)]
    assert [lines[line - 1].strip() for line in facts] == ["- at(character) = place", "- dead(character)"]
    inner = document.marks["actions", "kill", "then", 1, "then", 1].line
    assert lines[inner - 1].strip() == "then: [dead(who), not dead(whom)]"


def test_where_falls_back_on_the_nearest_parent(write):
    path = write(GOOD)
    document = read_world(path)
    assert document.where("places", "downtown") == f"{path}, line 11"
    assert document.where("characters", "bob", "name") == f"{path}, line 9"
    assert document.where("never", 3) == f"{path}, line 2"
    assert Document({}, {}).where("places", "downtown") == "world"


@pytest.mark.parametrize("ending", ["\n", "\r\n", "\r"])
def test_line_ends_of_all_systems(write, ending):
    path = write(b"\xef\xbb\xbf" + GOOD.replace("\n", ending).encode())
    assert read_world(path) == read_world(write(GOOD, "other.yaml"))
    assert read_world(path).where("goals", "two") == f"{path}, line {len(GOOD.splitlines())}"


def test_every_path_of_the_data_has_a_mark_and_no_other(write):
    def paths(data, path=()):
        yield path
        pairs = data.items() if isinstance(data, dict) else enumerate(data) if isinstance(data, list) else ()
        for key, value in pairs:
            yield from paths(value, (*path, key))

    write("include: more.yaml\nfacts: [a, b]\nstart:\n", "people.yaml")
    write("facts: [c]\nplaces: {here: {}}\n", "more.yaml")
    document = read_world(write("include: [people.yaml]\n" + GOOD))
    assert set(paths(document.data)) == set(document.marks)


SYNTAX = {
    "no colon": ("title: x\ntypes:\n  a: b\n  bob\nabout: y\n", 4, "a colon is missing"),
    "no colon at the end": ("title: x\nbob", 2, "a colon is missing"),
    "two colons": ("about: x\ntitle: one: two\n", 2, "a colon where none can be"),
    "brace first": ("about: x\ntitle: {who} went\n", 2, "does not fit what stands before it; check indentation and quotes"),
    "list without end": ("about: x\nfacts: [a,\n  b\ntitle: y\n", 2, "begins here with [ or { does not end"),
    "mapping without end": ("about: x\ntypes: {a: b\ntitle: y\n", 2, "begins here with [ or { does not end"),
    "quote without end": ('about: x\ntitle: "one\nending: two\n', 2, "a quote begins here and has no end"),
    "apostrophe": ("about: x\ntitle: 'it's'\n", 2, "check indentation and quotes"),
    "tab": ("about: x\ntypes:\n\ta: b\n", 3, "a tab indents here"),
    "at sign": ("about: x\ntitle: @home\n", 2, "text that begins with @ ` or % needs quotes"),
    "backslash": ('about: x\ntitle: "\\q"\n', 2, "a backslash in double quotes"),
    "short escape": ('about: x\ntitle: "\\xzz"\n', 2, "a backslash in double quotes"),
    "no such character": ('about: x\ntitle: "\\U00110000"\n', 2, "a backslash"),
    "no such number": ('about: x\ntitle: "\\UFFFFFFFF"\n', 2, "a backslash"),
    "indentation": ("types:\n   a: b\n  c: d\n", 3, "check indentation"),
    "key among items": ("facts:\n  - a\n  b: c\n", 3, "check indentation"),
    "list in the line": ("about: x\nfacts: - a\n", 2, "a list begins on a line of its own"),
    "star": ("about: x\ntitle: **x**\n", 2, "begins with & or * needs quotes"),
    "anchor without name": ("about: x\ntitle: & b\n", 2, "begins with & or * needs quotes"),
    "unknown tag": ("about: x\ntitle: !x!y b\n", 2, "begins with ! needs quotes"),
    "text behind a block's sign": ("about: x\ntitle: | y\n  z\n", 2, "text after | or > begins on the next line"),
    "two ends": ("facts: []\n}\n", 2, "check indentation"),
    "second top": ("[]\nfoo: a\n", 2, "text after the end of the world"),
    "version": ("%YAML 2.0\n---\ntitle: x\n", 1, "begins with % or ---"),
    "endless version": (f"%YAML 1.{'9' * 5000}\n---\ntitle: x\n", 1, "with %"),
}


@pytest.mark.parametrize("mistake", SYNTAX)
@pytest.mark.usefixtures("parser")
def test_what_is_not_yaml(write, mistake):
    text, line, reason = SYNTAX[mistake]
    told = refused(write(text))
    assert told.startswith(f"world.yaml, line {line}: not YAML: ")
    assert reason in told


REFUSED = {
    "empty": ("", "line 1: the file is empty; a world has sections such as characters: and actions:"),
    "only a comment": ("# nothing\n", "line 1: the file is empty"),
    "only a beginning": ("---\n", "line 1: the file is empty"),
    "text": ("\nonce upon a time\n", "line 2: a world takes sections such as characters: and actions:, not a text"),
    "list": ("- a\n- b\n", "line 1: a world takes sections such as characters: and actions:, not a list"),
    "two documents": ("title: a\n---\ntitle: b\n", "line 2: a second document begins; a file has one"),
    "anchor": ("about: a\ntypes: &x\n  a: b\n", "line 2: text that begins with & or * needs quotes"),
    "alias": ("about: a\ntitle: *x\n", "line 2: text that begins with & or * needs quotes"),
    "alias as key": ("types:\n  *x : b\n", "line 2: text that begins with & or * needs quotes"),
    "python": ("title: !!python/object/apply:os.system [ls]\n", "line 1: text that begins with ! needs quotes"),
    "tag": ("about: a\ntitle: !x b\n", "line 2: text that begins with ! needs quotes"),
    "standard tag": ("title: !!str b\n", "line 1: text that begins with ! needs quotes"),
    "merge": ("characters:\n  a:\n    <<: {type: b}\n", "line 3: merge keys (<<) are not read"),
    "list as key": ("types:\n  [a]: b\n", "line 2: a list or mapping where a key should be"),
    "mapping as key": ("types:\n  ? {a: b}\n  : c\n", "line 2: a list or mapping where a key should be"),
    "empty key": ("types:\n  '': b\n", "line 2: types has a key that is not one line of text"),
    "block as key": ("types:\n  ? |\n    a\n    b\n  : c\n", "line 2: types has a key that is not one line of text"),
    "key of two lines": ('types:\n  "a\\nb": c\n', "line 2: types has a key that is not one line of text"),
    "two of a name": ("places:\n  a:\n  b:\n  a: {}\n", "line 4: 'a' is given twice; first in line 2"),
    "two sections": ("title: a\nabout: b\ntitle: c\n", "line 3: 'title' is given twice; first in line 1"),
    "unknown section": (
        "title: a\ncharacter: {}\n",
        "line 2: unknown key 'character' of a world; did you mean 'characters'?",
    ),
    "escape": ('about: a\ntitle: "\\e[31m"\n', "line 2: the character '\\x1b' cannot stand in a world"),
    "control character": ("about: a\ntitle: \x07\n", "line 2: the character '\\x07' cannot stand in a world"),
    "null": ('about: a\ntitle: "\\0"\n', "line 2: the character '\\x00' cannot stand in a world"),
    "line break of its own": ("title: a\u2028b\n", "line 1: the character '\\u2028' cannot stand in a world"),
    "mark in the middle": ("title: a\nabout: \ufeffb\n", "line 2: the character '\\ufeff' cannot stand in a world"),
    "types": ("types: [a]\n", "line 1: types takes names, each with a type, not a list"),
    "type": ("types:\n  a: {b: c}\n", "line 2: types.a takes a text, not a mapping; text that begins with { or ["),
    "characters": (
        "characters: alice\n",
        "line 1: characters takes names, each with a type or with {type, name, …}, not a text",
    ),
    "places": ("places: [a]\n", "line 1: places takes names"),
    "items": ("items: a\n", "line 1: items takes names"),
    "things": ("things: [a]\n", "line 1: things takes names"),
    "thing": ("places:\n  a: [b]\n", "line 2: places.a takes a type or {type, name, …}, not a list"),
    "thing's key": ("items:\n  a: {nmae: b}\n", "line 2: unknown key 'nmae' of items.a; did you mean 'name'?"),
    "thing's type": ("items:\n  a:\n    type: [b]\n", "line 3: items.a.type takes a text, not a list"),
    "facts": ("facts: dead(character)\n", "line 1: facts takes a list of texts, not a text"),
    "facts by name": ("facts: {dead: character}\n", "line 1: facts takes a list of texts, not a mapping"),
    "fact": ("facts:\n  - a\n  - [b]\n", "line 3: facts takes a text, not a list"),
    "start": ("start: a\n", "line 1: start takes a list of texts, not a text"),
    "never": ("never:\n  - {if: a}\n", "line 2: never takes a text, not a mapping"),
    "title": ("title: [a]\n", "line 1: title takes a text, not a list"),
    "length": ("length: {a: b}\n", "line 1: length takes a text, not a mapping"),
    "include": ("include: {a: b}\n", "line 1: include takes a path or a list of paths, not a mapping"),
    "actions": ("actions: [a]\n", "line 1: actions takes names, each with {with, if, then, …}, not a list"),
    "action": ("actions:\n  go: walk\n", "line 2: actions.go takes {with, if, then, …}, not a text"),
    "action's key": ("actions:\n  go:\n    whit: {}\n", "line 3: unknown key 'whit' of actions.go; did you mean 'with'?"),
    "with": ("actions:\n  go:\n    with: [a]\n", "line 3: actions.go.with takes names, each with a type, not a list"),
    "parameter": ("actions:\n  go:\n    with:\n      a: [b]\n", "line 4: actions.go.with.a takes a text, not a list"),
    "if": ("actions:\n  go:\n    if: [a]\n", "line 3: actions.go.if takes a text, not a list"),
    "then": (
        "actions:\n  go:\n    then: {if: a}\n",
        "line 3: actions.go.then takes an effect or a list of effects, not a mapping",
    ),
    "effect": (
        "actions:\n  go:\n    then:\n      - [a]\n",
        "line 4: actions.go.then takes a text or {if, then}, not a list",
    ),
    "effect's key": (
        "actions:\n  go:\n    then:\n      - {iff: a, then: b}\n",
        "line 4: unknown key 'iff' of actions.go.then; did you mean 'if'?",
    ),
    "effect without then": (
        "actions:\n  go:\n    then:\n      - a\n      - if: b\n",
        "line 5: actions.go.then has no 'then'; it takes a text or {if, then}",
    ),
    "effect in an effect": (
        "actions:\n  go:\n    then:\n      - if: a\n        then:\n          - {say: b}\n",
        "line 6: unknown key 'say' of actions.go.then.then",
    ),
    "believable": (
        "actions:\n  go:\n    believable: {is: 1}\n",
        "line 3: actions.go.believable takes a number or a list of {if, is, because}, not a mapping",
    ),
    "rule": ("actions:\n  go:\n    believable: [1]\n", "line 3: actions.go.believable takes {if, is, because}, not a text"),
    "rule without number": (
        "actions:\n  go:\n    believable:\n      - if: a\n",
        "line 4: actions.go.believable has no 'is'",
    ),
    "comma in braces": (
        "actions:\n  go:\n    believable:\n      - {if: angry(a, b), is: 1}\n",
        "known: because, if, is; text with a comma in { } needs quotes",
    ),
    "sentence": ("actions:\n  go:\n    text: [[a]]\n", "line 3: actions.go.text takes a text or {if, say}, not a list"),
    "parameter alone": ("actions:\n  go:\n    text: {who}\n", "not a mapping; text that begins with { or [ needs quotes"),
    "sentence without words": ("actions:\n  go:\n    text:\n      - if: a\n", "line 4: actions.go.text has no 'say'"),
    "minor": ("actions:\n  go:\n    minor: []\n", "line 3: actions.go.minor takes a text, not a list"),
    "goals": ("goals:\n  - a\n", "line 1: goals takes names, each with a condition or {if, weight, must}, not a list"),
    "goal's key": (
        "goals:\n  a:\n    if: b\n    wieght: 2\n",
        "line 4: unknown key 'wieght' of goals.a; did you mean 'weight'?",
    ),
    "goal without condition": ("goals:\n  a: {weight: 2}\n", "line 2: goals.a has no 'if'"),
}


@pytest.mark.parametrize("mistake", REFUSED)
@pytest.mark.usefixtures("parser")
def test_mistakes(write, mistake):
    text, told = REFUSED[mistake]
    found = refused(write(text))
    assert found.startswith("world.yaml, line ")
    assert told in found


def test_files_that_cannot_be_read(write, tmp_path):
    assert refused(tmp_path / "gone.yaml") == "gone.yaml: cannot read the world: No such file or directory"
    assert refused(write("", "folder.yaml/x").parent) == "folder.yaml: cannot read the world: not a regular file"
    assert refused(write(b"title: a\nabout: \xff\n")) == (
        "world.yaml, line 2: not UTF-8 text; save the file in that encoding"
    )
    assert refused(write("title: a\n".encode("utf-16"))).startswith("world.yaml, line 1: not UTF-8 text")
    assert refused(tmp_path / ("a" * 300)).endswith("File name too long")
    assert refused(tmp_path / "a\0b").endswith("cannot read the world: no name of a file")


def test_a_megabyte_is_the_most(write):
    text = "title: a\n#"
    path = write(text + "x" * (MOST_BYTES - len(text)))
    assert read_world(path).data == {"title": "a"}
    assert refused(write(text + "x" * (MOST_BYTES - len(text) + 1))) == "world.yaml: cannot read the world: larger than 1 MB"


@pytest.mark.usefixtures("parser")
def test_how_deep_and_how_many(write):
    deep = "title: " + "[" * (DEEPEST - 1) + "]" * (DEEPEST - 1)
    assert "title takes a text" in refused(write(deep))
    assert refused(write(f"about: a\n{deep.replace('[', '[[')}")) == "world.yaml, line 2: nested deeper than 20 levels"
    assert refused(write("[" * 100_000)) == "world.yaml, line 1: nested deeper than 20 levels"


def test_the_pieces_of_all_files_are_counted(write, monkeypatch):
    assert MOST_NODES == 100_000
    monkeypatch.setattr(reading, "MOST_NODES", 9)
    write("facts: [a]\n", "one.yaml")  # a mapping, a key, a list and a text
    assert read_world(write("include: one.yaml\ntitle: b\n")).data == {"facts": ["a"], "title": "b"}
    told = refused(write("include: one.yaml\ntitle: b\nabout: c\n"))
    assert told == "one.yaml, line 1: more than 9 texts, lists and mappings"


def test_included_files_come_first_and_the_including_one_wins(write):
    write("title: people\nabout: of people\ncharacters: {a: x}\nfacts:\n  - one\nstart: [s]\n", "people.yaml")
    write("about: of more\ncharacters:\n  b: y\nfacts: [two]\ngoals:\n  g: one\n", "more.yml")
    path = write("include: [people.yaml, more.yml]\ntitle: main\ncharacters:\n  c: z\nfacts:\n  - three\n")
    document = read_world(path)
    assert document.data == {
        "title": "main",
        "about": "of more",
        "characters": {"a": "x", "b": "y", "c": "z"},
        "facts": ["one", "two", "three"],
        "start": ["s"],
        "goals": {"g": "one"},
    }
    assert list(document.data["characters"]) == ["a", "b", "c"]
    folder = path.parent
    assert document.where() == f"{path}, line 1"
    assert document.where("title") == f"{path}, line 2"
    assert document.where("facts") == f"{path}, line 5"
    assert [document.where("facts", i) for i in range(3)] == [
        f"{folder}/people.yaml, line 5",
        f"{folder}/more.yml, line 4",
        f"{path}, line 6",
    ]
    assert document.where("characters", "b") == f"{folder}/more.yml, line 3"
    assert document.where("goals", "g", "if") == f"{folder}/more.yml, line 6"


def test_paths_are_relative_to_the_including_file(write):
    write("include: ../top.yaml\nfacts: [b]\n", "inner/middle.yaml")
    write("facts: [a]\n", "top.yaml")
    assert read_world(write("include: inner/middle.yaml\nfacts: [c]\n")).data == {"facts": ["a", "b", "c"]}


def test_a_file_that_two_others_include_is_read_once(write):
    write("types: {a: item}\n", "base.yaml")
    write("include: base.yaml\nfacts: [b]\n", "left.yaml")
    write("include: ./base.yaml\nfacts: [c]\n", "right.yaml")
    data = read_world(write("include: [left.yaml, right.yaml]\n")).data
    assert data == {"types": {"a": "item"}, "facts": ["b", "c"]}


def test_a_name_in_two_files(write, tmp_path):
    write("places:\n  b: {}\n  a: {}\n", "places.yaml")
    told = refused(write("include: places.yaml\nplaces:\n  a: {}\n"))
    assert told == "world.yaml, line 3: 'a' is given twice; first in places.yaml, line 3"
    write("places: {a: {}}\n", "others.yaml")
    told = refused(write("include: [places.yaml, others.yaml]\n"))
    assert told == "others.yaml, line 1: 'a' is given twice; first in places.yaml, line 3"


def test_circles(write):
    write("title: b\ninclude:\n  - c.yaml\n  - a.yaml\n", "b.yaml")
    write("title: c\n", "c.yaml")
    told = refused(write("include: b.yaml\n", "a.yaml"))
    assert told == "b.yaml, line 4: include goes in a circle: a.yaml -> b.yaml -> a.yaml"
    assert refused(write("include: a.yaml\n", "main.yaml")) == (
        "b.yaml, line 4: include goes in a circle: a.yaml -> b.yaml -> a.yaml"
    )
    assert refused(write("include: self.yaml\n", "self.yaml")) == (
        "self.yaml, line 1: include goes in a circle: self.yaml -> self.yaml"
    )


def test_included_files_that_cannot_be_read(write):
    told = refused(write("title: a\ninclude:\n  - gone.yaml\n"))
    assert told == "world.yaml, line 3: cannot read gone.yaml: No such file or directory"
    assert refused(write("include: .\n")) == "world.yaml, line 1: cannot read .: not a regular file"
    assert refused(write(f"include: {'a' * 5000}\n")) == f"world.yaml, line 1: cannot read {'a' * 77}…: File name too long"
    for nothing in ("''", '["a", ""]', '"a\\nb"'):
        found = refused(write(f"include: {nothing}\n"))
        assert found.startswith("world.yaml, line 1: ")
    write("title: a\ntypes: [\n", "broken.yaml")
    assert refused(write("include: broken.yaml\n")).startswith("broken.yaml, line 2: not YAML: ")


def test_a_hundred_files_are_the_most(write):
    for i in range(1, MOST_FILES):
        write(f"facts: [f{i}]\n", f"{i}.yaml")
    names = ", ".join(f"{i}.yaml" for i in range(1, MOST_FILES))
    assert len(read_world(write(f"include: [{names}]\n")).data["facts"]) == MOST_FILES - 1
    write("facts: [g]\n", "more.yaml")
    told = refused(write(f"title: a\ninclude: [{names}, more.yaml]\n"))
    assert told == "world.yaml, line 2: more than 100 files; put some of them together"


def test_a_document_as_text(write):
    document = read_world(write(GOOD))
    text = document.as_text()
    assert "\n" not in text
    again = Document.from_text(text)
    assert again.data == document.data
    assert again.marks == {}
    assert again.where("characters", "bob") == "world"
    assert again.as_text() == text
    assert again == document
    assert hash(again) == hash(document)
    assert again != Document.from_text('{"title":"no"}')


def test_the_order_counts():
    assert Document.from_text('{"places":{"a":"","b":""}}') != Document.from_text('{"places":{"b":"","a":""}}')


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "world: not the text of a world"),
        ("{", "world: not the text of a world"),
        ("[" * 100_000, "world: not the text of a world"),
        ("[]", "world: a world takes sections"),
        ('{"title": 3}', "world: title takes a text, not a number"),
        ('{"title": "\\ud800"}', "world: the character '\\ud800' cannot stand in a world"),
        ('{"places": {"a\\nb": ""}}', "world: places has a key that is not one line of text"),
        ('{"titel": ""}', "world: unknown key 'titel' of a world; did you mean 'title'?"),
        ('{"include": "a.yaml"}', "world: include is for files"),
    ],
)
def test_texts_of_no_world(text, told):
    with pytest.raises(BadInput) as caught:
        Document.from_text(text)
    assert str(caught.value).startswith(told)


def test_texts_may_be_nested_no_deeper_than_files():
    effects = '"a"'
    for _ in range(DEEPEST):
        effects = f'[{{"if": "b", "then": {effects}}}]'
    with pytest.raises(BadInput, match="world: nested deeper than 20 levels"):
        Document.from_text(f'{{"actions": {{"go": {{"then": {effects}}}}}}}')


def test_worlds_by_name(tmp_path, monkeypatch):
    assert world_path("mine.yaml") == Path("mine.yaml")
    assert world_path("folder/MINE.YML") == Path("folder/MINE.YML")
    for name in ("crime.yaml", "lovers.yaml", "notes.txt"):
        (tmp_path / name).write_text("")
    monkeypatch.setattr(reading, "WORLDS", tmp_path)
    assert world_path("crime") == tmp_path / "crime.yaml"
    for name in ("crmie", "../crime", "", "notes", "mine.txt"):
        with pytest.raises(BadInput, match=r"^unknown world .*known: crime, lovers; or a file, as in mine\.yaml$"):
            world_path(name)


def test_the_worlds_that_come_with_arbora():
    for name in sorted(path.stem for path in reading.WORLDS.glob("*.yaml")):
        document = read_world(world_path(name))
        assert Document.from_text(document.as_text()) == document


WORDS = st.sampled_from(
    ["title", "places", "facts", "actions", "then", "if", "a", "b", ": ", ":", "\n", "\n  ", "\n    ", "- ", "? ", "[", "]",
     "{", "}", ",", '"', "'", "|", ">", "&", "*", "!", "!!", "%", "@", "#", " ", "\t", "\\", "\\U", "FFFFFFFF", "---", "...",
     "<<", "~", "\r", "\x00", "\x85", "\u2028", "\ufeff", "é", "include", "world.yaml", "%YAML 1.", "0", "=", "`"]
)  # fmt: skip


@settings(max_examples=400, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=st.one_of(st.binary(), st.text(), st.lists(WORDS, max_size=40).map("".join)), pure=st.booleans())
def test_whatever_a_file_holds_it_reads_or_is_refused_in_a_line(tmp_path, content, pure):
    path = tmp_path / "world.yaml"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    with pytest.MonkeyPatch.context() as patch:
        if pure:
            patch.delattr(yaml, "CSafeLoader", raising=False)
        found = read_or_refused(lambda: read_world(path))
    if isinstance(found, str):
        assert found.startswith(str(path))
        assert found.isprintable()
    else:
        assert Document.from_text(found.as_text()) == found


@given(st.text())
def test_whatever_a_text_says_it_is_a_world_or_refused(text):
    found = read_or_refused(lambda: Document.from_text(text))
    assert isinstance(found, Document) or found.startswith("world: ")


TEXTS = st.text(st.characters(exclude_categories=["C", "Zl", "Zp"]), max_size=50)
NAMES = TEXTS.filter(lambda name: name.strip() and name != "<<")


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.fixed_dictionaries({"title": TEXTS, "facts": st.lists(TEXTS), "places": st.dictionaries(NAMES, TEXTS)}))
def test_what_stands_in_quotes_comes_back_letter_for_letter(tmp_path, data):
    path = tmp_path / "world.yaml"
    path.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    assert read_world(path).data == data
