"""Conditions as bits: what has to be true and what false of the facts of a world, for given objects.

A fact of true or false is a bit; a valued fact is a group of bits, one for each value, of which exactly one is set. A
condition becomes a list of clauses, at least one of which must hold; a clause is a pair of bit sets, all of the first true,
all of the second false. Bit sets are Python's whole numbers here, of any length.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import product

from arbora.problems.story.conditions import (
    And,
    Condition,
    Constant,
    Each,
    Fact,
    IsA,
    Loop,
    Not,
    Or,
    Same,
    SameValue,
    Value,
    bindings,
)
from arbora.problems.story.plain import Key, Scene, key_of
from arbora.problems.story.world import World

Clause = tuple[int, int]
Clauses = list[Clause]

TRUE: Clauses = [(0, 0)]
FALSE: Clauses = []
MOST_CLAUSES = 2_000


class TooMany(Exception):
    """A condition has more cases than there is room for."""


class Bits:
    """The bits of a world's facts. Facts that nothing ever changes have none: they are what they are at the start."""

    def __init__(self, world: World, start: Scene) -> None:
        self.world = world
        self.scene = start
        changing = {effect.change.fact.kind for action in world.actions.values() for effect in action.effects}
        self.keys: list[tuple[Key, str]] = []  # each bit's fact, and value if it has one
        self.bit: dict[tuple[Key, str], int] = {}
        self.group: dict[Key, int] = {}  # the bits of a valued fact
        for kind in world.facts.values():
            if kind.name in changing:
                for arguments in product(*[world.things_of(types) for types in kind.parameters]):
                    self._add((kind.name, *arguments), world.things_of(kind.values) if kind.values else ())
        self.group_of = {bit: mask for mask in self.group.values() for bit in each_bit(mask)}
        self.start = self.of_scene(start)

    def _add(self, key: Key, values: Sequence[str]) -> None:
        for value in values or ("",):
            self.bit[key, value] = 1 << len(self.keys)
            self.keys.append((key, value))
        if values:
            self.group[key] = sum(self.bit[key, value] for value in values)

    def __len__(self) -> int:
        return len(self.keys)

    def of_scene(self, scene: Scene) -> int:
        """The facts of a scene as bits."""
        found = 0
        for (key, value), bit in self.bit.items():
            if scene.facts.get(key, False) == (value or True):
                found |= bit
        return found

    def change(self, key: Key, value: bool | str) -> tuple[int, int]:
        """The bits that are cleared, then those that are set, where a fact gets a value."""
        if isinstance(value, str):
            return self.group[key], self.bit[key, value]
        return self.bit[key, ""], self.bit[key, ""] if value else 0

    def values(self, fact: Fact, binding: Mapping[str, str]) -> dict[str, Clauses]:
        """The values that a fact may have, and when it has them."""
        key = key_of(fact, binding)
        if key in self.group:
            return {self.keys[_index(bit)][1]: [(bit, 0)] for bit in each_bit(self.group[key])}
        value = self.scene.facts[key]
        assert isinstance(value, str)
        return {value: TRUE}

    def clauses(self, condition: Condition, binding: Mapping[str, str], negate: bool = False) -> Clauses:
        """When the condition holds, or does not. Raises TooMany."""
        match condition:
            case Constant(value=value):
                return _constant(value != negate)
            case Fact():
                return self._fact(condition, binding, negate)
            case Value(fact=fact, value=value):
                found = self.values(fact, binding).get(binding.get(value, value), FALSE)
                return self.negation(found) if negate else found
            case SameValue(first=first, second=second):
                return self._same_value(self.values(first, binding), self.values(second, binding), negate)
            case Same(first=a, second=b):
                return _constant((binding.get(a, a) == binding.get(b, b)) != negate)
            case IsA(type=kind, term=term):
                return _constant(self.world.is_a(binding.get(term, term), kind) != negate)
            case Not(inner=inner):
                return self.clauses(inner, binding, not negate)
            case And(parts=parts):
                return self._joined((self.clauses(part, binding, negate) for part in parts), every=not negate)
            case Or(parts=parts):
                return self._joined((self.clauses(part, binding, negate) for part in parts), every=negate)
            case Each(every=every, loops=loops, inner=inner):
                chosen = self._each(every, loops, inner, binding, negate)
                return self._joined(chosen, every=every != negate)
        raise AssertionError(condition)

    def chosen(
        self, loops: Sequence[Loop], inner: Condition, binding: Mapping[str, str]
    ) -> Iterator[tuple[Mapping[str, str], Clauses]]:
        """For each choice of the loops' objects, when their conditions and the inner one hold, if they ever can."""
        joined = And((*(loop.condition for loop in loops), inner))
        for bound in bindings(loops, self.world.words, binding):
            found = self.clauses(joined, bound)
            if found != FALSE:
                yield bound, found

    def _each(
        self, every: bool, loops: Sequence[Loop], inner: Condition, binding: Mapping[str, str], negate: bool
    ) -> Iterator[Clauses]:
        """For each choice of objects: the loops' conditions with `inner` for `any`, `inner` where they hold for `all`."""
        conditions = And(tuple(loop.condition for loop in loops))
        for bound in bindings(loops, self.world.words, binding):
            if every:
                yield self.clauses(Or((Not(conditions), inner)), bound, negate)
            else:
                yield self.clauses(And((conditions, inner)), bound, negate)

    def _fact(self, fact: Fact, binding: Mapping[str, str], negate: bool) -> Clauses:
        key = key_of(fact, binding)
        bit = self.bit.get((key, ""))
        if bit is None:
            return _constant((key in self.scene.facts) != negate)
        return [(0, bit)] if negate else [(bit, 0)]

    def _same_value(self, first: Mapping[str, Clauses], second: Mapping[str, Clauses], negate: bool) -> Clauses:
        parts = []
        for value, clauses in first.items():
            other = second.get(value, FALSE)
            parts.append(self.both(clauses, self.negation(other) if negate else other))
        return self._joined(parts, every=False)

    def _joined(self, parts: Iterable[Clauses], every: bool) -> Clauses:
        found = TRUE if every else FALSE
        for part in parts:
            found = self.both(found, part) if every else either(found, part)
            if found == (FALSE if every else TRUE):
                break
        return found

    def both(self, a: Clauses, b: Clauses) -> Clauses:
        """When both hold."""
        if a == TRUE or b == TRUE:
            return b if a == TRUE else a
        found: Clauses = []
        for true_a, false_a in a:
            for true_b, false_b in b:
                clause = self.clause(true_a | true_b, false_a | false_b)
                if clause is not None:
                    found = either(found, [clause])
        return found

    def negation(self, clauses: Clauses) -> Clauses:
        """When none of the clauses holds."""
        found = TRUE
        for true, false in clauses:
            found = self.both(found, [(0, bit) for bit in each_bit(true)] + [(bit, 0) for bit in each_bit(false)])
        return found

    def given(self, clauses: Clauses, known: Clause) -> Clauses:
        """When the clauses hold, if one clause is known to."""
        found: Clauses = []
        for true, false in clauses:
            joined = self.clause(true | known[0], false | known[1])
            if joined is not None:
                found = either(found, [(joined[0] & ~known[0], joined[1] & ~known[1])])
        return found

    def clause(self, true: int, false: int) -> Clause | None:
        """A clause without what follows from the rest of it; None if it can never hold."""
        if true & false:
            return None
        for bit in each_bit(true):
            group = self.group_of.get(bit, 0)
            if true & group & ~bit:
                return None
            false &= ~group
        return true, false


def either(a: Clauses, b: Clauses) -> Clauses:
    """When one of them holds, without clauses that say no more than another. Raises TooMany."""
    found = list(a)
    for true, false in b:
        if any(t & ~true == 0 and f & ~false == 0 for t, f in found):
            continue
        found = [(t, f) for t, f in found if true & ~t or false & ~f]
        found.append((true, false))
        if len(found) > MOST_CLAUSES:
            raise TooMany
    return found


def each_bit(bits: int) -> Iterator[int]:
    """The single bits of a set, from the lowest."""
    while bits:
        lowest = bits & -bits
        yield lowest
        bits ^= lowest


def _index(bit: int) -> int:
    return bit.bit_length() - 1


def _constant(value: bool) -> Clauses:
    return TRUE if value else FALSE
