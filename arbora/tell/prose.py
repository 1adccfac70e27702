"""Events as English prose: which wording, when a name, when a pronoun, which article, where a paragraph ends."""

import copy
import random
import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from arbora.problems.story.templates import (
    PRONOUNS,
    capitalised,
    filled,
    finished,
    full_name,
    plain_form,
    possessive,
    takes_article,
)

if TYPE_CHECKING:
    from arbora.problems.story.conditions import Condition
    from arbora.problems.story.plain import Event
    from arbora.problems.story.world import Action, Thing, World
    from arbora.tell.telling import Beat

MOST_PRONOUN_BEGINNINGS = 2  # sentences in a row
PARAGRAPH = 4  # sentences before a new subject begins a new paragraph
_MARK = "\0"  # cannot stand in a text that was read from YAML
_BEGINS = re.compile(r"(^|[.!?…][\"'”’)\]]*\s)\W*$")  # a sentence, perhaps within a wording of several
_OBJECT_FOLLOWS = re.compile(
    r"\b(about|against|around|at|behind|beside|between|by|from|in|into|near|of|on|onto|over|to|towards?|under|upon|with)\s+$",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"\s*([.,;:!?…)\"”]|$)")
_POSSESSIVE = re.compile(r"['’]s\b")
_SOUNDS_OPEN = re.compile(
    r"(?!eu|ewe|uni(?!n)|us[aeu]|ukul|ute|one\b|once\b)[aeiou]|heir|honest|honou?r|hour", re.IGNORECASE
)


@dataclass
class _Memory:
    """What the story so far has said."""

    mentioned: set[str] = field(default_factory=set)
    told: Counter[str] = field(default_factory=Counter)  # how often each action
    wordings: dict[str, int] = field(default_factory=dict)  # the sentence that each action was last told with
    subject: str = ""  # of the sentence before
    present: set[str] = field(default_factory=set)  # what the sentence before mentioned
    pronouns: int = 0  # sentences in a row that began with a pronoun


class Narrator:
    """Tells the events of one story, in their order; the same seed tells the same story in the same words."""

    def __init__(self, world: "World", seed: int) -> None:
        self.world = world
        self.seed = seed
        self._memory = _Memory()

    def copy(self) -> "Narrator":
        """A narrator who goes on from here without this one knowing."""
        other = Narrator(self.world, self.seed)
        other._memory = copy.deepcopy(self._memory)
        return other

    def sentence(self, event: "Event", holds: Callable[["Condition"], bool]) -> str:
        """The next sentence of the story. `holds` judges a condition in the scene before the event."""
        action, memory = self.world.actions[event.action], self._memory
        wording = self._wording(action, holds)
        words = _Words(self.world, action.binding(event.arguments), event, memory, self._may_begin_with_pronoun(event))
        text = finished(words.told(action.sentences[wording].text))
        memory.told[action.id] += 1
        memory.wordings[action.id] = wording
        memory.mentioned |= words.named
        memory.subject = words.subject
        memory.present = words.present
        memory.pronouns = memory.pronouns + 1 if words.began_with_pronoun else 0
        return text

    def _wording(self, action: "Action", holds: Callable[["Condition"], bool]) -> int:
        fitting = [i for i, each in enumerate(action.sentences) if each.condition is not None and holds(each.condition)]
        candidates = fitting or [i for i, each in enumerate(action.sentences) if each.condition is None]
        fresh = [i for i in candidates if i != self._memory.wordings.get(action.id)] or candidates
        return random.Random(f"{self.seed} {action.id} {self._memory.told[action.id]}").choice(fresh)

    def _may_begin_with_pronoun(self, event: "Event") -> bool:
        memory = self._memory
        subject = event.arguments[0] if event.arguments else ""
        return (
            subject != ""
            and subject == memory.subject
            and subject in memory.mentioned
            and memory.pronouns < MOST_PRONOUN_BEGINNINGS
            and not _ambiguous(self.world, subject, memory.present)
        )


class _Words:
    """The words of one sentence, from left to right."""

    def __init__(
        self, world: "World", binding: Mapping[str, str], event: "Event", memory: _Memory, may_begin_with_pronoun: bool
    ) -> None:
        self.world = world
        self.binding = binding
        self.subject = event.arguments[0] if event.arguments else ""
        self.memory = memory
        self.may_begin_with_pronoun = may_begin_with_pronoun
        self.began_with_pronoun = False
        self.named: set[str] = set()
        self.present: set[str] = set()  # named, or meant by a pronoun

    def told(self, template: str) -> str:
        pieces = filled(template, lambda parameter, form: f"{_MARK}{parameter}.{form}{_MARK}").split(_MARK)
        said = pieces[0]
        for place, after in zip(pieces[1::2], pieces[2::2], strict=True):
            parameter, _, form = place.partition(".")
            thing = self.world.things[self.binding[parameter]]
            if form:
                words, rest = plain_form(self.world, thing.id, form), after
                if form not in PRONOUNS["they"]:
                    self.named.add(thing.id)
            else:
                words, rest = self._best(thing, said, after)
            self.present.add(thing.id)
            said += (capitalised(words) if _BEGINS.search(said) else words) + rest
        return said

    def _best(self, thing: "Thing", before: str, after: str) -> tuple[str, str]:
        """The words for a thing, and the text behind it (a pronoun swallows a possessive ending)."""
        (they, them, their, _), owns = PRONOUNS[thing.pronoun], _POSSESSIVE.match(after)
        if thing.id == self.subject and self.world.is_a(thing.id, "character"):
            if thing.id in self.named and not _ambiguous(self.world, thing.id, self.present):
                if owns:
                    return their, after[owns.end() :]
                is_object = _OBJECT_FOLLOWS.search(before) or _CLAUSE_ENDS.match(after)
                return them if is_object else they, after
            if not before.strip() and not owns and self.may_begin_with_pronoun:
                self.began_with_pronoun = True
                self.named.add(thing.id)
                return they, after
        words = self._noun(thing)
        self.named.add(thing.id)
        return words, after

    def _noun(self, thing: "Thing") -> str:
        known = thing.id in self.memory.mentioned or thing.id in self.named
        if thing.owner:
            return f"{self._owner(thing.owner)} {thing.name}"
        if known or not takes_article(self.world, thing.id):
            return full_name(self.world, thing.id)
        article = thing.article or ("an" if _SOUNDS_OPEN.match(thing.name) else "a")
        return f"{article} {thing.name}"

    def _owner(self, owner: str) -> str:
        known = owner in self.memory.mentioned or owner in self.named
        plain = owner != self.subject or not known or _ambiguous(self.world, owner, self.present)
        self.named.add(owner)
        self.present.add(owner)
        return possessive(full_name(self.world, owner)) if plain else PRONOUNS[self.world.things[owner].pronoun][2]


def plain_phrase(world: "World", template: str, event: "Event") -> str:
    """A template in plain names, neither capitalised nor ended."""
    binding = world.actions[event.action].binding(event.arguments)
    return filled(template, lambda parameter, form: plain_form(world, binding[parameter], form))


def paragraphs(sentences: Sequence[str], subjects: Sequence[str], opening: str = "", ending: str = "") -> tuple[str, ...]:
    """Sentences in paragraphs; `subjects` says who each sentence is about. Opening and ending stand alone."""
    made: list[list[str]] = []
    for i, sentence in enumerate(sentences):
        if not made or (len(made[-1]) >= PARAGRAPH and subjects[i] != subjects[i - 1]):
            made.append([])
        made[-1].append(sentence)
    return tuple(text for text in (opening, *map(" ".join, made), ending) if text)


def prose(beats: Sequence["Beat"], opening: str = "", ending: str = "") -> str:
    """The text of a story; blank lines between paragraphs."""
    return "\n\n".join(paragraphs([beat.sentence for beat in beats], [beat.subject for beat in beats], opening, ending))


def _ambiguous(world: "World", character: str, present: set[str]) -> bool:
    """Could the character's pronoun mean something else that is present?"""
    pronoun = world.things[character].pronoun
    others = present - {character}
    return any(
        world.things[other].pronoun == pronoun or (pronoun == "they" and world.is_a(other, "character")) for other in others
    )
