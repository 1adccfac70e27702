"""Ink: what is written is read again by a strict reader of the part of Ink that is used."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from told_worlds import NASTY, lines, telling, tellings, told_as_lines

from arbora.tell.ink import escaped, to_ink
from arbora.tell.passages import Link, Passage, passages
from arbora.tell.telling import Telling

KNOT = re.compile(r"=== ([a-z][a-z0-9_]*) ===")
CHOICE = re.compile(r"\+ \[((?:\\.|[^\\\[\]])*)\] -> ([a-z][a-z0-9_]*)")
STATEMENT = re.compile(r"(INCLUDE|VAR|CONST|LIST|EXTERNAL|TODO)\b")
SPECIAL = re.compile(r"[\[\]{}|\\#~*+=<>/]|(?<!\w)-|-(?!\w)")


def read_ink(script: str) -> tuple[str, str, dict[str, Passage]]:
    """The title, the first knot and all knots of a script; strict about every sign."""
    assert "//" not in script
    assert "/*" not in script
    rows = [row for row in script.split("\n") if row]
    title = shown(rows.pop(0).removeprefix("# title: ")) if rows[0].startswith("# title: ") else ""
    first = rows.pop(0).removeprefix("-> ")
    read: dict[str, Passage] = {}
    name, text, links, ended = "", [], [], True
    for row in [*rows, ""]:
        knot, choice = KNOT.fullmatch(row), CHOICE.fullmatch(row)
        if knot or not row:
            assert ended or links
            if name:
                assert name not in read
                read[name] = Passage(name, tuple(text), tuple(links))
            name, text, links, ended = knot[1] if knot else "", [], [], False
        elif choice:
            links.append(Link(shown(choice[1]), choice[2]))
        elif row == "-> END":
            assert not links
            ended = True
        else:
            assert name
            assert not links
            assert not ended
            text.append(shown(row))
    assert {first} | {link.target for each in read.values() for link in each.links} == set(read)
    return title, first, read


def shown(text: str) -> str:
    assert not STATEMENT.match(text), text
    assert not SPECIAL.search(re.sub(r"\\.", "x", text)), text
    return re.sub(r"\\(.)", r"\1", text)


@given(st.lists(tellings(), max_size=3), st.just("") | lines)
@example([telling(NASTY, [(i, [line]) for i, line in enumerate(NASTY)])], "-> END")
def test_readers_see_what_was_told(stories: list[Telling], title: str) -> None:
    shown_title, first, read = read_ink(to_ink(stories, title))
    assert (shown_title, first) == (told_as_lines(title), "start")
    assert list(read.values()) == [knotted(passage) for passage in passages(stories, title)]


def knotted(passage: Passage) -> Passage:
    """A passage with names as knots have them."""
    knots = [name.lower().replace(" ", "_") for name in (passage.name, *(link.target for link in passage.links))]
    links = (Link(link.label, target) for link, target in zip(passage.links, knots[1:], strict=True))
    return Passage(knots[0], passage.paragraphs, tuple(links))


def test_a_script() -> None:
    told = telling(["Alice's well-known vase [the old one] broke."], [(0, ["TODO: Bob -> jail."])], opening="# Once")
    assert to_ink([told], "The vase") == (
        "# title: The vase\n\n-> start\n\n"
        "=== start ===\n\\# Once\n\n"
        "+ [Alice's well-known vase \\[the old one\\] broke] -> story_1_part_2\n"
        "+ [\\TODO: Bob \\-\\> jail] -> story_1_instead_1\n\n"
        "=== story_1_part_2 ===\nAlice's well-known vase \\[the old one\\] broke.\n\n-> END\n\n"
        "=== story_1_instead_1 ===\n\\TODO: Bob \\-\\> jail.\n\n-> END\n"
    )


def test_common_prose_stays_readable() -> None:
    text = 'Alice\'s well-known plan: go at 10:30; she said “no”, then "yes"! (Why? 5 €)'
    assert escaped(text) == text


def test_the_reader_of_these_tests_is_strict() -> None:
    ok = "-> start\n=== start ===\nText.\n-> END\n"
    assert read_ink(ok) == ("", "start", {"start": Passage("start", ("Text.",))})
    for bad in (
        ok.replace("-> END", ""),
        ok.replace("Text", "a // b"),
        ok.replace("Text", "{x}"),
        ok + ok[9:],
        ok + "=== b ===\n-> END",
    ):
        with pytest.raises(AssertionError):
            read_ink(bad)
