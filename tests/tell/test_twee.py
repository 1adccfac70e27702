"""Twee: what is written is read again by the rules of the Twee 3 specification, and shown by Harlowe as it was."""

import html
import json
import re
import uuid

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from told_worlds import NASTY, by_name, lines, telling, tellings, told_as_lines

from arbora.tell.passages import Link, Passage, passages
from arbora.tell.telling import Telling
from arbora.tell.twee import escaped, to_twee

HEADER = re.compile(r":: *((?:\\.|[^\\\[\]{}])+?) *(\[(?:\\.|[^\\\]])*\])? *(\{.*\})? *")
LINK = re.compile(r"\[\[([^\[\]|]*?)->([^\[\]|<>-]*)\]\]")
# Where Harlowe's markup could begin inside a line; character references are taken out first
MARKUP = re.compile(r"[\[\]{}|<>\\`*_~^$@%#=(&/]|''|--|\"\"|\?[\w-]")
AT_LINE_START = re.compile(r"[!-@\[-`{-~]")


def read_twee(text: str) -> dict[str, str]:
    """The passages of a Twee 3 document by name, as they are written; strict about everything the specification says."""
    assert text.startswith("::")
    read: dict[str, list[str]] = {}
    for line in text.split("\n"):
        if line.startswith("::"):
            header = HEADER.fullmatch(line)
            assert header, line
            name = re.sub(r"\\(.)", r"\1", header[1])
            assert name not in read, name
            content = read[name] = []
        else:
            content.append(line)
    return {name: "\n".join(content).rstrip("\n") for name, content in read.items()}


def shown(line: str) -> str:
    """What Harlowe shows of a line that has no markup."""
    plain = re.sub(r"&#\d+;", "§", line)
    assert not MARKUP.search(plain), line
    assert not AT_LINE_START.match(plain), line
    return html.unescape(line)


def shown_passage(name: str, content: str) -> Passage:
    paragraphs, links = [], []
    for line in filter(None, content.split("\n")):
        link = LINK.fullmatch(line)
        if link:
            assert '"' not in link[1]
            links.append(Link(shown(link[1]), link[2]))
        else:
            assert not links
            paragraphs.append(shown(line))
    return Passage(name, tuple(paragraphs), tuple(links))


@given(st.lists(tellings(), max_size=3), st.just("") | lines)
@example([telling(NASTY, [(i, [line]) for i, line in enumerate(NASTY)])], ":: Start")
def test_readers_see_what_was_told(stories: list[Telling], title: str) -> None:
    read = read_twee(to_twee(stories, title))
    assert read.pop("StoryTitle").strip() == told_as_lines(title)
    data = json.loads(read.pop("StoryData"))
    assert set(data) == {"ifid", "format", "start"}
    assert data["format"] == "Harlowe"
    assert data["start"] == next(iter(read)) == "Start"
    assert by_name([shown_passage(*each) for each in read.items()]) == by_name(passages(stories, title))


def test_a_document() -> None:
    told = telling(["Alice's vase [the old one] broke."], [(0, ["Bob paid $5."])], opening=":: Once")
    head, tail = to_twee([told], "The vase").split('",\n  "format"')
    start, ifid = head.rsplit('"', 1)
    assert (uuid.UUID(ifid).version, ifid) == (5, ifid.upper())
    assert start == ':: StoryTitle\nThe vase\n\n\n:: StoryData\n{\n  "ifid": '
    assert tail == (
        ': "Harlowe",\n  "start": "Start"\n}\n'
        "\n\n:: Start\n&#58;&#58; Once\n\n"
        "[[Alice's vase &#91;the old one&#93; broke->Story 1 part 2]]\n[[Bob paid &#36;5->Story 1 instead 1]]\n"
        "\n\n:: Story 1 part 2\nAlice's vase &#91;the old one&#93; broke.\n"
        "\n\n:: Story 1 instead 1\nBob paid &#36;5.\n"
    )


def test_the_identifier_belongs_to_title_and_texts() -> None:
    def ifid(title: str, *sentences: str) -> str:
        return json.loads(read_twee(to_twee([telling([each]) for each in sentences], title))["StoryData"])["ifid"]

    assert ifid("A", "One.") == ifid("A", "One.")
    assert (
        len({ifid("A", "One."), ifid("B", "One."), ifid("A", "Two."), ifid("A", "One.", "Two."), ifid("A", "One.\nTwo.")})
        == 5
    )


@pytest.mark.parametrize("text", ['Alice\'s well-known plan: go at 10:30; she said “no”, then "yes"!', "Why? Zoë 🦊 … 5 €"])
def test_common_prose_stays_readable(text: str) -> None:
    assert escaped(text) == text


def test_the_readers_of_these_tests_are_strict() -> None:
    for bad in ("no header", "::\ntext", ":: a\n:: a", ":: a [b"):
        with pytest.raises(AssertionError):
            read_twee(bad)
    for bad in ("[[a->b]]", "$x", "''b''", "# head", "0. item", "a <b>", "?hook", "&amp;"):
        with pytest.raises(AssertionError):
            shown(bad)
