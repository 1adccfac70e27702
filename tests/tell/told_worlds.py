"""Small worlds and tellings that the tests of this folder share: as much of a world as telling needs."""

import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from hypothesis import strategies as st

from arbora.tell.passages import Passage
from arbora.tell.prose import Narrator, prose
from arbora.tell.telling import Beat, Branch, GoalTold, Telling

TYPES = {"citizen": "character", "robot": "character", "spot": "place", "weapon": "item"}


class Event(NamedTuple):
    action: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Thing:
    id: str
    type: str
    name: str
    pronoun: str = "it"
    owner: str = ""
    article: str = ""


@dataclass(frozen=True)
class Sentence:
    text: str
    condition: str | None = None


@dataclass(frozen=True)
class Action:
    id: str
    parameters: tuple[str, ...]
    sentences: tuple[Sentence, ...]

    def binding(self, arguments: Sequence[str]) -> dict[str, str]:
        return dict(zip(self.parameters, arguments, strict=True))


class World:
    def __init__(self, things: Sequence[Thing], actions: Sequence[Action]) -> None:
        self.things = {thing.id: thing for thing in things}
        self.actions = {action.id: action for action in actions}

    def is_a(self, thing: str, kind: str) -> bool:
        own = self.things[thing].type
        return kind in (own, TYPES.get(own))


def action(name: str, parameters: str, *sentences: str | tuple[str, str]) -> Action:
    """An action; a sentence with a condition is a pair of the condition and the text."""
    made = (Sentence(each) if isinstance(each, str) else Sentence(each[1], each[0]) for each in sentences)
    return Action(name, tuple(parameters.split()), tuple(made))


def street(*actions: Action) -> World:
    """A street of neighbours, with these actions."""
    return World(
        [
            Thing("alice", "citizen", "Alice", "she"),
            Thing("beth", "citizen", "Beth", "she"),
            Thing("bob", "citizen", "Bob", "he"),
            Thing("james", "citizen", "James", "he"),
            Thing("robin", "citizen", "Robin", "they"),
            Thing("unit", "robot", "Unit 7", "it"),
            Thing("wolf", "citizen", "wolf", "he", article="the"),
            Thing("downtown", "spot", "downtown"),
            Thing("market", "spot", "market square", article="the"),
            Thing("alice_home", "spot", "house", owner="alice"),
            Thing("bob_home", "spot", "house", owner="bob"),
            Thing("james_home", "spot", "flat", owner="james"),
            Thing("vase", "item", "vase"),
            Thing("umbrella", "item", "umbrella"),
            Thing("rifle", "weapon", "rifle"),
            Thing("cuffs", "item", "handcuffs", "they", article="some"),
            Thing("hat", "item", "hat", owner="bob"),
            Thing("excalibur", "weapon", "Excalibur"),
            Thing("evidence", "item", "evidence", article="none"),
        ],
        actions,
    )


def tell(world: World, *events: str, facts: str = "", seed: int = 0) -> list[str]:
    """The sentences of a story; an event is written `action thing thing`, and `facts` are the conditions that hold."""
    narrator = Narrator(world, seed)
    return [narrator.sentence(event(each), facts.split().__contains__) for each in events]


def event(text: str) -> Event:
    name, *arguments = text.split()
    return Event(name, tuple(arguments))


def told_as_lines(text: str) -> str:
    """A text as the formats keep it: single blanks, no control characters."""
    return " ".join("".join(" " if unicodedata.category(each) == "Cc" else each for each in text).split())


def beat(sentence: str, subject: str = "alice", move: int = 0) -> Beat:
    return Beat(Event("act", (subject,)), move, sentence, 0.5, "it had to be", ("a goal",))


def telling(
    sentences: Sequence[str],
    branches: Sequence[tuple[int, Sequence[str]]] = (),
    title: str = "A story",
    opening: str = "",
    ending: str = "",
) -> Telling:
    beats = tuple(map(beat, sentences))
    return Telling(
        title=title,
        opening=opening,
        ending=ending,
        beats=beats,
        text=prose(beats, opening, ending),
        score=0.25,
        believability=0.5,
        goals=(GoalTold("one | two", True, 1.0, False), GoalTold("three", False, 1.0, False)),
        branches=tuple(Branch(at, tuple(map(beat, others)), (), 0.125, 0.25) for at, others in branches),
    )


# What reads badly where it means something: all ASCII signs, statements and markup of the formats
NASTY = (
    *(f"{sign}" for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"),
    *(
        f"{sign}Alice {sign}{sign}went{sign}on {sign}{sign}{sign} to{sign} town{sign}"
        for sign in "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~"
    ),
    ":: Start",
    "::StoryData [tag] {}",
    "\\:: Start",
    "[[Go->Start]]",
    "[[Go|Start]] and [[Start]]",
    "A->B<-C<>D->->E",
    "-> END",
    "- - gather",
    "* [choice] -> start",
    "+ (label) {cond} sticky",
    "=== knot ===",
    "= stitch",
    "~ x = 1",
    "VAR x = 1",
    "CONST y = 2",
    "LIST z = a",
    "INCLUDE other.ink",
    "EXTERNAL f(x)",
    "TODO: finish",
    "TODO write",
    "// comment",
    "/* comment",
    "a */ b",
    "# tag",
    "{x: a|b}",
    "{~a|b}",
    "a \\ b \\n c",
    "(set: $x to 1)",
    "$name _temp ?hook |hook>[text]<hook|",
    "<script>alert(1)</script>",
    "<!-- hidden --> shown",
    "&amp; &lt; &#65; &",
    "''bold'' //italic// ~~struck~~ ^^up^^ **strong** *em* `verbatim` ``` fence",
    "0. first",
    "1. first",
    "1) first",
    "- item",
    "---",
    "==>",
    "=><=",
    "http://example.org/a_b_c",
    "<<set $x to 1>> @@hidden@@ %%x%% /%x%/",
    '"""raw""" ""',
    "“Why?” she asked. ‘No…’",
    "Zoë, 张伟 and Ægir 🦊 paid 5 €",
    "Mary-Jane O'Neil's sister-in-law's 10:30 train",
    "Why?Because",
    "James' house",
    "two  blanks\tand\u00a0others\u2028here",
)

lines = st.one_of(
    st.sampled_from(NASTY),
    st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30),
    st.lists(st.sampled_from([*NASTY, "word", "Alice's", " ", "-", ">", "<", "[", "]", ":", "\\", "TODO"]), min_size=1).map(
        "".join
    ),
).filter(str.split)


@st.composite
def tellings(draw: st.DrawFn) -> Telling:
    sentences = draw(st.lists(lines, max_size=6))
    branch = st.tuples(st.integers(0, max(0, len(sentences) - 1)), st.lists(lines, max_size=3))
    branches = draw(st.lists(branch, max_size=3)) if sentences else []
    opening, ending, title = (draw(st.just("") | lines) for _ in range(3))
    return telling(sentences, branches, title, opening, ending)


def walks(read: dict[str, Passage], start: str) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Every way through passages by their names: the text of each passage, and between them the links' labels."""
    passage = read[start]
    if not passage.links:
        yield (passage.paragraphs,)
    for link in passage.links:
        for rest in walks(read, link.target):
            yield (passage.paragraphs, (link.label,), *rest)


def by_name(read: Sequence[Passage]) -> dict[str, Passage]:
    assert len({passage.name for passage in read}) == len(read)
    return {passage.name: passage for passage in read}
