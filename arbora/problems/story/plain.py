"""The rules of a story world as they are written, without any tables: the twin of what `grounding` and `story` make fast.

Sentences, explanations and checks are made from it, since it knows facts by their names.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from arbora.errors import BadInput
from arbora.problems.story.conditions import (
    And,
    Change,
    Condition,
    Constant,
    Count,
    Each,
    Effect,
    Fact,
    IsA,
    Loop,
    Not,
    Or,
    Same,
    SameValue,
    Times,
    Value,
)
from arbora.problems.story.world import Action, Goal, Rule, World

Key = tuple[str, ...]  # a fact's kind and objects


class Event(NamedTuple):
    """An action with its objects."""

    action: str
    arguments: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.action}({', '.join(self.arguments)})"


class Scene:
    """The facts as they are at one moment of a story."""

    def __init__(
        self, world: World, facts: dict[Key, bool | str] | None = None, happened: dict[str, int] | None = None
    ) -> None:
        self.world = world
        self.facts = {} if facts is None else facts  # false facts are left out
        self.happened = {} if happened is None else happened  # how often each action has

    def copy(self) -> "Scene":
        return Scene(self.world, dict(self.facts), dict(self.happened))

    def value(self, fact: Fact, binding: Mapping[str, str]) -> bool | str:
        """Whether a fact is true, or the object that is its value."""
        return self.facts.get(key_of(fact, binding), False)

    def holds(self, condition: Condition, binding: Mapping[str, str]) -> bool:
        match condition:
            case Constant(value=value):
                return value
            case Fact():
                return bool(self.value(condition, binding))
            case Value(fact=fact, value=value):
                return self.value(fact, binding) == binding.get(value, value)
            case SameValue(first=first, second=second):
                return self.value(first, binding) == self.value(second, binding)
            case Same(first=first, second=second):
                return binding.get(first, first) == binding.get(second, second)
            case IsA(type=kind, term=term):
                return self.world.is_a(binding.get(term, term), kind)
            case Not(inner=inner):
                return not self.holds(inner, binding)
            case And(parts=parts):
                return all(self.holds(part, binding) for part in parts)
            case Or(parts=parts):
                return any(self.holds(part, binding) for part in parts)
            case Each(every=every, loops=loops, inner=inner):
                judged = (self.holds(inner, bound) for bound in self.each(loops, binding))
                return all(judged) if every else any(judged)
            case Count(loops=loops, inner=inner, low=low, high=high):
                return low <= sum(self.holds(inner, bound) for bound in self.each(loops, binding)) <= high
            case Times(action=action, low=low, high=high):
                return low <= self.happened.get(action, 0) <= high
        raise AssertionError(condition)

    def each(self, loops: Sequence[Loop], binding: Mapping[str, str]) -> Iterator[Mapping[str, str]]:
        """The binding with every choice of objects that the loops allow."""
        if not loops:
            yield binding
            return
        for thing in self.world.things_of(loops[0].types):
            bound = {**binding, loops[0].variable: thing}
            if self.holds(loops[0].condition, bound):
                yield from self.each(loops[1:], bound)

    def may_happen(self, event: Event) -> bool:
        """Do an action's types and condition allow it, and does `never`?"""
        action = self.world.actions[event.action]
        binding = action.binding(event.arguments)
        if not self._suits(action, event.arguments) or not self.holds(action.condition, binding):
            return False
        after = self.after(event)
        return not any(after.holds(goal.condition, {}) for goal in self.world.never)

    def events(self) -> Iterator[Event]:
        """All that may happen now."""
        for action in self.world.actions.values():
            for arguments in _choices(self.world, [types for _, types in action.parameters]):
                event = Event(action.id, arguments)
                if self.may_happen(event):
                    yield event

    def rule(self, event: Event) -> Rule:
        """The rule that says how believable an action is now."""
        action = self.world.actions[event.action]
        binding = action.binding(event.arguments)
        return next(rule for rule in action.rules if self.holds(rule.condition, binding))

    def after(self, event: Event) -> "Scene":
        """The scene that an action leads to."""
        action = self.world.actions[event.action]
        scene = self.copy()
        for effect in action.effects:
            for key, value in self.changes(effect, action.binding(event.arguments)):
                scene.set(key, value)
        scene.happened[event.action] = scene.happened.get(event.action, 0) + 1
        return scene

    def changes(self, effect: Effect, binding: Mapping[str, str]) -> Iterator[tuple[Key, bool | str]]:
        """The facts that an effect gives new values, judged in this scene."""
        for bound in self.each(effect.loops, binding):
            if self.holds(effect.condition, bound):
                yield key_of(effect.change.fact, bound), self._new_value(effect.change, bound)

    def set(self, key: Key, value: bool | str) -> None:
        if value is False:
            self.facts.pop(key, None)
        else:
            self.facts[key] = value

    def met(self, goal: Goal) -> bool:
        return self.holds(goal.condition, {})

    def _new_value(self, change: Change, binding: Mapping[str, str]) -> bool | str:
        if isinstance(change.value, Fact):
            return self.value(change.value, binding)
        return change.value if isinstance(change.value, bool) else binding.get(change.value, change.value)

    def _suits(self, action: Action, arguments: Sequence[str]) -> bool:
        """Different parameters are different objects, each of its types."""
        suited = all(
            any(self.world.is_a(thing, kind) for kind in types)
            for thing, (_, types) in zip(arguments, action.parameters, strict=True)
        )
        return suited and len(set(arguments)) == len(arguments)


def start(world: World) -> Scene:
    """The scene in which a story begins. Raises BadInput for a fact without a value."""
    scene = Scene(world)
    for effect, place in world.start:
        changes = list(scene.changes(effect, {}))
        for key, value in changes:
            if world.facts[key[0]].values and value is False:
                raise BadInput(f"{place}: {shown(key)} gets a value that is not known yet")
            scene.set(key, value)
    for kind in world.facts.values():
        if kind.values:
            for arguments in _choices(world, kind.parameters, distinct=False):
                if (kind.name, *arguments) not in scene.facts:
                    place, fact = world.document.where("start"), shown((kind.name, *arguments))
                    raise BadInput(f"{place}: start gives no value to {fact}; write {fact} = …")
    for goal in world.never:
        if scene.met(goal):
            raise BadInput(f"{goal.where}: what may never be true is true at the start")
    return scene


def key_of(fact: Fact, binding: Mapping[str, str]) -> Key:
    return (fact.kind, *(binding.get(term, term) for term in fact.arguments))


def shown(key: Key) -> str:
    """A fact as it is written."""
    return f"{key[0]}({', '.join(key[1:])})"


def _choices(world: World, types: Sequence[Sequence[str]], distinct: bool = True) -> Iterator[tuple[str, ...]]:
    """Every choice of one object of each of these types."""
    if not types:
        yield ()
        return
    for rest in _choices(world, types[:-1], distinct):
        for thing in world.things_of(types[-1]):
            if not distinct or thing not in rest:
                yield (*rest, thing)
