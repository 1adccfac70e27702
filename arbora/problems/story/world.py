"""A story world: what there is, what may happen and how believable that is, what the story should come to.

Made from a `Document` by `build`, which checks every name and type and says file and line of anything wrong.
"""

import keyword
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from arbora.component import nearest
from arbora.errors import BadInput
from arbora.problems.story.conditions import (
    ALWAYS,
    ROOTS,
    And,
    Condition,
    Effect,
    FactKind,
    Vocabulary,
)
from arbora.problems.story.parsing import Scope, Wrong, parse_condition, parse_effect, parse_kind, shortened
from arbora.problems.story.reading import Document
from arbora.problems.story.templates import PRONOUNS, check_template

DEFAULT_LENGTH, LONGEST = 20, 200
MOST_GOALS = 62
_SECTIONS = {"characters": "character", "places": "place", "items": "item", "things": "thing"}
_WORDS = {"true", "false", "any", "all", "count", "times"}
_T = TypeVar("_T")


@dataclass(frozen=True)
class Thing:
    """A character, place, item or anything else, and how it is told."""

    id: str
    type: str
    name: str
    pronoun: str
    owner: str = ""
    article: str = ""  # "" for the usual ones


@dataclass(frozen=True)
class Rule:
    """How believable an action is where the condition holds."""

    condition: Condition
    value: float
    because: str
    where: str = field(compare=False)


@dataclass(frozen=True)
class Sentence:
    text: str
    condition: Condition | None
    where: str = field(compare=False)


@dataclass(frozen=True)
class Action:
    id: str
    parameters: tuple[tuple[str, tuple[str, ...]], ...]  # name and types
    condition: Condition
    effects: tuple[Effect, ...]
    rules: tuple[Rule, ...]
    sentences: tuple[Sentence, ...]
    minor: bool
    where: str = field(compare=False)

    def binding(self, arguments: Sequence[str]) -> dict[str, str]:
        """The parameters by name."""
        return {name: thing for (name, _), thing in zip(self.parameters, arguments, strict=True)}


@dataclass(frozen=True)
class Goal:
    name: str
    condition: Condition
    weight: float
    must: bool
    where: str = field(compare=False)


@dataclass(frozen=True)
class World:
    title: str
    about: str
    length: int
    opening: str
    ending: str
    things: Mapping[str, Thing]
    facts: Mapping[str, FactKind]
    start: tuple[tuple[Effect, str], ...]  # with the place of each
    actions: Mapping[str, Action]
    goals: tuple[Goal, ...]
    never: tuple[Goal, ...]
    words: Vocabulary
    document: Document

    def is_a(self, thing: str, type_: str) -> bool:
        return self.words.is_a(self.things[thing].type, type_)

    def things_of(self, types: Sequence[str]) -> tuple[str, ...]:
        return self.words.things_of(types)

    def goal(self, text: str) -> Goal:
        """A goal by its name, or a condition as a goal, with `must` before it if it is a must. Raises BadInput."""
        for goal in self.goals:
            if goal.name == text.strip():
                return goal
        must, _, rest = text.strip().partition(" ")
        condition = rest if must == "must" else text
        try:
            made = parse_condition(condition, self._scope())
        except Wrong as wrong:
            known = nearest(text, [goal.name for goal in self.goals])
            raise BadInput(
                f"goal {shortened(text)!r} is neither a goal of the world nor a condition: {wrong}; {known}"
            ) from None
        return Goal(text.strip(), made, 1.0, must == "must", f"goal {shortened(text)!r}")

    def forbidden(self, text: str) -> Goal:
        """A condition that may not become true. Raises BadInput."""
        place = f"never {shortened(text)!r}"
        return Goal(text.strip(), _parsed(parse_condition, text, self._scope(), place), 1.0, True, place)

    def _scope(self) -> Scope:
        return Scope(self.words, counts=True)


def build(document: Document) -> World:
    """The world that a document describes. Raises BadInput."""
    data = document.data
    types = _types(document)
    things = _things(document, types)
    facts = _facts(document, types, things)
    words = Vocabulary(types, {name: thing.type for name, thing in things.items()}, facts, tuple(data.get("actions", {})))
    scope = Scope(words, counts=True)
    never = []
    for i, text in enumerate(data.get("never", [])):
        place = document.where("never", i)
        never.append(Goal(text, _parsed(parse_condition, text, scope, place), 1.0, True, place))
    if not data.get("actions"):
        raise BadInput(f"{document.where()}: a world needs actions")
    return World(
        title=data.get("title", "") or "A story",
        about=data.get("about", ""),
        length=_whole(data.get("length", str(DEFAULT_LENGTH)), document.where("length"), "length", 1, LONGEST),
        opening=data.get("opening", ""),
        ending=data.get("ending", ""),
        things=things,
        facts=facts,
        start=_start(document, Scope(words)),
        actions={name: _action(document, name, Scope(words)) for name in data["actions"]},
        goals=_goals(document, scope),
        never=tuple(never),
        words=words,
        document=document,
    )


def _types(document: Document) -> dict[str, str]:
    types = dict.fromkeys(ROOTS, "")
    declared = document.data.get("types", {})
    for name, parent in declared.items():
        place = document.where("types", name)
        _require_name(name, "type", place)
        if name in ROOTS:
            raise BadInput(f"{place}: type {name} is there already")
        if parent not in declared and parent not in ROOTS:
            raise BadInput(f"{place}: unknown type {parent!r}; {nearest(parent, [*ROOTS, *declared])}")
        types[name] = parent
    for name in declared:
        if name in _above(name, types):
            raise BadInput(f"{document.where('types', name)}: type {name} is below itself")
    return types


def _above(name: str, parents: Mapping[str, str]) -> set[str]:
    """The parent of something, its parent, and so on; with itself if that goes in a circle."""
    found: set[str] = set()
    while parents[name] and parents[name] not in found:
        name = parents[name]
        found.add(name)
    return found


def _things(document: Document, types: Mapping[str, str]) -> dict[str, Thing]:
    things: dict[str, Thing] = {}
    words = Vocabulary(types, {}, {})
    for section, root in _SECTIONS.items():
        for name, given in document.data.get(section, {}).items():
            place = document.where(section, name)
            _require_name(name, section[:-1], place)
            if name in things or name in types:
                raise BadInput(f"{place}: {name} is the name of something else already")
            values = {"type": given} if isinstance(given, str) else given
            kind = values.get("type") or root
            if kind not in types:
                raise BadInput(f"{place}: unknown type {kind!r}; {nearest(kind, list(types))}")
            if not words.is_a(kind, root):
                raise BadInput(f"{place}: {name} stands among the {section}, but type {kind} is no {root}")
            pronoun = values.get("pronoun") or ("they" if root == "character" else "it")
            if pronoun not in PRONOUNS:
                raise BadInput(f"{place}: pronoun {pronoun!r} is not allowed; pronouns are {', '.join(PRONOUNS)}")
            things[name] = Thing(
                id=name,
                type=kind,
                name=values.get("name") or name.replace("_", " "),
                pronoun=pronoun,
                owner=values.get("owner", ""),
                article=values.get("article", ""),
            )
    _check_owners(document, things)
    return things


def _check_owners(document: Document, things: Mapping[str, Thing]) -> None:
    owners = {name: thing.owner for name, thing in things.items()}
    places = {name: document.where(section, name) for section in _SECTIONS for name in document.data.get(section, {})}
    for name, owner in owners.items():
        if owner and owner not in things:
            raise BadInput(f"{places[name]}: unknown owner {owner!r}; {nearest(owner, list(things))}")
    for name in owners:
        if name in _above(name, owners):
            raise BadInput(f"{places[name]}: {name} cannot own itself, directly or by others")


def _facts(document: Document, types: Mapping[str, str], things: Mapping[str, Thing]) -> dict[str, FactKind]:
    facts: dict[str, FactKind] = {}
    for i, text in enumerate(document.data.get("facts", [])):
        place = document.where("facts", i)
        kind = _parsed(parse_kind, text, types, place)
        _require_name(kind.name, "fact", place)
        if kind.name in facts or kind.name in types or kind.name in things:
            raise BadInput(f"{place}: {kind.name} is the name of something else already")
        facts[kind.name] = kind
    return facts


def _start(document: Document, scope: Scope) -> tuple[tuple[Effect, str], ...]:
    return tuple(
        (_parsed(parse_effect, text, scope, document.where("start", i)), document.where("start", i))
        for i, text in enumerate(document.data.get("start", []))
    )


def _goals(document: Document, scope: Scope) -> tuple[Goal, ...]:
    goals = []
    for name, given in document.data.get("goals", {}).items():
        place = document.where("goals", name)
        values = {"if": given} if isinstance(given, str) else given
        if "if" not in values:
            raise BadInput(f"{place}: goal {name} needs a condition, `if`")
        weight = _number(values.get("weight", "1"), place, "weight", 1e-6, 1e6)
        must = _flag(values.get("must", "false"), place, "must")
        goals.append(Goal(name, _parsed(parse_condition, values["if"], scope, place), weight, must, place))
    if len(goals) > MOST_GOALS:
        raise BadInput(f"{document.where('goals')}: {len(goals)} goals; there may be {MOST_GOALS}")
    return tuple(goals)


def _action(document: Document, name: str, scope: Scope) -> Action:
    path = ("actions", name)
    place, given = document.where(*path), document.data["actions"][name]
    _require_name(name, "action", place)
    parameters = {}
    for parameter, text in given.get("with", {}).items():
        at = document.where(*path, "with", parameter)
        _require_name(parameter, "parameter", at)
        if parameter in scope.words.things or parameter in scope.words.facts:
            what = "an object" if parameter in scope.words.things else "a fact"
            raise BadInput(f"{at}: parameter {parameter} is the name of {what} too; give it another name")
        types = tuple(each.strip() for each in text.split("|"))
        for kind in types:
            if kind not in scope.words.types:
                raise BadInput(f"{at}: unknown type {kind!r}; {nearest(kind, list(scope.words.types))}")
        parameters[parameter] = types
    within = Scope(scope.words, parameters)
    condition = _parsed(parse_condition, given["if"], within, document.where(*path, "if")) if given.get("if") else ALWAYS
    return Action(
        id=name,
        parameters=tuple(parameters.items()),
        condition=condition,
        effects=_effects(document, (*path, "then"), given.get("then", []), within),
        rules=_rules(document, (*path, "believable"), given.get("believable", "1"), within),
        sentences=_sentences(document, (*path, "text"), given.get("text", []), within, name),
        minor=_flag(given.get("minor", "false"), document.where(*path, "minor"), "minor"),
        where=place,
    )


def _effects(document: Document, path: tuple[str | int, ...], given: Any, scope: Scope) -> tuple[Effect, ...]:
    made: list[Effect] = []
    for i, each in enumerate([given] if isinstance(given, str) else given):
        at = path if isinstance(given, str) else (*path, i)
        place = document.where(*at)
        if isinstance(each, str):
            made.append(_parsed(parse_effect, each, scope, place))
            continue
        if "if" not in each or "then" not in each:
            raise BadInput(f"{place}: an effect with a condition needs `if` and `then`")
        condition = _parsed(parse_condition, each["if"], scope, place)
        for inner in _effects(document, (*at, "then"), each["then"], scope):
            joined = And((condition, inner.condition)) if inner.condition != ALWAYS else condition
            made.append(Effect(inner.loops, joined, inner.change))
    return tuple(made)


def _rules(document: Document, path: tuple[str | int, ...], given: Any, scope: Scope) -> tuple[Rule, ...]:
    if isinstance(given, str):
        return (Rule(ALWAYS, _share(given, document.where(*path)), "", document.where(*path)),)
    rules: list[Rule] = []
    for i, each in enumerate(given):
        place = document.where(*path, i)
        if "is" not in each:
            raise BadInput(f"{place}: a rule needs `is`, a number from 0 to 1")
        if rules and rules[-1].condition == ALWAYS:
            raise BadInput(f"{place}: this rule never matches: the one before it has no `if`")
        condition = _parsed(parse_condition, each["if"], scope, place) if each.get("if") else ALWAYS
        because = _template(each.get("because", ""), scope, place)
        rules.append(Rule(condition, _share(each["is"], place), because, place))
    if not rules or rules[-1].condition != ALWAYS:
        place = document.where(*path, len(rules) - 1) if rules else document.where(*path)
        raise BadInput(f"{place}: the last rule of believable must have no `if`, so that there always is one that matches")
    return tuple(rules)


def _sentences(
    document: Document, path: tuple[str | int, ...], given: Any, scope: Scope, action: str
) -> tuple[Sentence, ...]:
    made = []
    for i, each in enumerate([given] if isinstance(given, str) else given):
        place = document.where(*path) if isinstance(given, str) else document.where(*path, i)
        values = {"say": each} if isinstance(each, str) else each
        if not values.get("say"):
            raise BadInput(f"{place}: a sentence needs words")
        condition = _parsed(parse_condition, values["if"], scope, place) if values.get("if") else None
        made.append(Sentence(_template(values["say"], scope, place), condition, place))
    if all(sentence.condition for sentence in made):
        names = " ".join(f"{{{name}}}" for name in scope.variables)
        made.append(Sentence(f"{action.replace('_', ' ')} {names}".strip(), None, document.where(*path)))
    return tuple(made)


def _template(text: str, scope: Scope, place: str) -> str:
    wrong = check_template(text, list(scope.variables))
    if wrong:
        raise BadInput(f"{place}: {shortened(text)!r}: {wrong}")
    return text


def _parsed(parse: Callable[[str, Any], _T], text: str, context: Any, place: str) -> _T:
    try:
        return parse(text, context)
    except Wrong as wrong:
        raise BadInput(f"{place}: {wrong}") from None


def _require_name(name: str, what: str, place: str) -> None:
    # Conditions are read with the letters of names in their normal form.
    plain = name.isidentifier() and unicodedata.normalize("NFKC", name) == name
    if not plain or keyword.iskeyword(name) or name in _WORDS or len(name) > 60:
        raise BadInput(f"{place}: {what} name {shortened(name)!r} is not allowed; names are letters, digits and _")


def _whole(text: str, place: str, what: str, low: int, high: int) -> int:
    if not (text.isascii() and text.isdecimal()) or len(text) > 9 or not low <= int(text) <= high:
        raise BadInput(f"{place}: {what} must be a whole number from {low} to {high}, not {shortened(text)!r}")
    return int(text)


def _number(text: str, place: str, what: str, low: float, high: float) -> float:
    try:
        value = float(text)
    except ValueError:
        value = float("nan")
    if not low <= value <= high:
        raise BadInput(f"{place}: {what} must be a number from {low:g} to {high:g}, not {shortened(text)!r}")
    return value


def _share(text: str, place: str) -> float:
    return _number(text, place, "believable", 0.0, 1.0)


def _flag(text: str, place: str, what: str) -> bool:
    if text not in ("true", "false"):
        raise BadInput(f"{place}: {what} must be true or false, not {shortened(text)!r}")
    return text == "true"
