"""What story worlds say of facts: conditions and effects as trees. `parsing` makes them from texts.

A term is a name: of a bound variable, or of an object.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

ROOTS = ("character", "place", "item", "thing")
MANY = 1 << 30  # no upper limit


@dataclass(frozen=True)
class FactKind:
    """A kind of fact: true or false of its arguments, or, with `values`, having one object of those types as its value."""

    name: str
    parameters: tuple[tuple[str, ...], ...]
    values: tuple[str, ...] = ()


@dataclass(frozen=True)
class Vocabulary:
    """What conditions may speak of."""

    types: Mapping[str, str]  # each type's parent, "" for the roots
    things: Mapping[str, str]  # each object's type
    facts: Mapping[str, FactKind]
    actions: Sequence[str] = ()

    def is_a(self, kind: str, ancestor: str) -> bool:
        """Is a type the same as another, or below it?"""
        while kind and kind != ancestor:
            kind = self.types[kind]
        return kind == ancestor

    def things_of(self, types: Sequence[str]) -> tuple[str, ...]:
        """All objects of any of these types, in the order of the file."""
        return tuple(thing for thing, kind in self.things.items() if any(self.is_a(kind, type_) for type_ in types))


@dataclass(frozen=True)
class Constant:
    value: bool


@dataclass(frozen=True)
class Fact:
    kind: str
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Value:
    """A valued fact has this value."""

    fact: Fact
    value: str


@dataclass(frozen=True)
class SameValue:
    """Two valued facts have the same value."""

    first: Fact
    second: Fact


@dataclass(frozen=True)
class Same:
    first: str
    second: str


@dataclass(frozen=True)
class IsA:
    type: str
    term: str


@dataclass(frozen=True)
class Not:
    inner: "Condition"


@dataclass(frozen=True)
class And:
    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Or:
    parts: tuple["Condition", ...]


@dataclass(frozen=True)
class Loop:
    """For each object of these types of which the condition holds."""

    variable: str
    types: tuple[str, ...]
    condition: "Condition"


@dataclass(frozen=True)
class Each:
    """`all` (every) or `any` of the loops' objects."""

    every: bool
    loops: tuple[Loop, ...]
    inner: "Condition"


@dataclass(frozen=True)
class Count:
    """So many of the loops' objects, from `low` to `high`."""

    loops: tuple[Loop, ...]
    inner: "Condition"
    low: int
    high: int


@dataclass(frozen=True)
class Times:
    """An action has happened so often."""

    action: str
    low: int
    high: int


Condition = Constant | Fact | Value | SameValue | Same | IsA | Not | And | Or | Each | Count | Times
ALWAYS = Constant(True)


@dataclass(frozen=True)
class Change:
    """What becomes of a fact: true, false, an object, or the value that another valued fact has."""

    fact: Fact
    value: bool | str | Fact


@dataclass(frozen=True)
class Effect:
    """Changes that happen for all of the loops' objects if the condition holds."""

    loops: tuple[Loop, ...]
    condition: Condition
    change: Change


def parts_of(condition: Condition) -> tuple[Condition, ...]:
    """The conditions that a condition is joined from by `and`."""
    if isinstance(condition, And):
        return tuple(part for each in condition.parts for part in parts_of(each))
    return (condition,)


def bindings(loops: Sequence[Loop], words: Vocabulary, binding: Mapping[str, str]) -> Iterator[dict[str, str]]:
    """Every way to choose the loops' objects; whether their conditions hold is for the caller to see."""
    if not loops:
        yield dict(binding)
        return
    for thing in words.things_of(loops[0].types):
        yield from bindings(loops[1:], words, {**binding, loops[0].variable: thing})


def facts_in(condition: Condition) -> Iterator[Fact]:
    """All facts that a condition speaks of."""
    match condition:
        case Fact():
            yield condition
        case Value(fact=fact):
            yield fact
        case SameValue(first=first, second=second):
            yield from (first, second)
        case Not(inner=inner):
            yield from facts_in(inner)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from facts_in(part)
        case Each(loops=loops, inner=inner) | Count(loops=loops, inner=inner):
            for loop in loops:
                yield from facts_in(loop.condition)
            yield from facts_in(inner)


def terms_in(condition: Condition) -> Iterator[str]:
    """All terms of a condition, bound variables of its loops among them."""
    for fact in facts_in(condition):
        yield from fact.arguments
    match condition:
        case Value(value=value):
            yield value
        case Same(first=first, second=second):
            yield from (first, second)
        case IsA(term=term):
            yield term
        case Not(inner=inner):
            yield from terms_in(inner)
        case And(parts=parts) | Or(parts=parts):
            for part in parts:
                yield from terms_in(part)
        case Each(loops=loops, inner=inner) | Count(loops=loops, inner=inner):
            for loop in loops:
                yield from terms_in(loop.condition)
            yield from terms_in(inner)
