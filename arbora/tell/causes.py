"""Why things happen in a story: which earlier action made a fact true that a later one, or a goal, rests upon.

A condition rests upon the facts that decide it. An action that gave such a fact the value it has is a cause. So every action
can be traced to the goals it serves; one that serves none could be left out.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from arbora.problems.story.conditions import (
    MANY,
    And,
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
    bindings,
)
from arbora.problems.story.plain import Event, Key, Scene, key_of
from arbora.problems.story.world import Goal


@dataclass(frozen=True)
class Causes:
    """What each action of a story rests upon and serves, by its number."""

    rests_on: list[set[int]]
    serves: list[set[str]]


def causes(start: Scene, events: Sequence[Event], goals: Sequence[Goal]) -> Causes:
    """Trace every action to the goals that are met at the end."""
    writer: dict[Key, int] = {}
    rests_on: list[set[int]] = []
    scene = start
    for number, event in enumerate(events):
        rests_on.append({writer[key] for key in _read(scene, event) if key in writer})
        after = scene.after(event)
        for key in scene.facts.keys() | after.facts.keys():
            if scene.facts.get(key) != after.facts.get(key):
                writer[key] = number
        scene = after
    serves: list[set[str]] = [set() for _ in events]
    for goal in goals:
        if scene.met(goal):
            roots = {writer[key] for key in deciding(scene, goal.condition, {}) if key in writer}
            for number in _behind(roots | set(_counted(goal.condition, events)), rests_on):
                serves[number].add(goal.name)
    return Causes(rests_on, serves)


def deciding(scene: Scene, condition: Condition, binding: Mapping[str, str]) -> Iterator[Key]:
    """The facts that make a condition what it is in a scene."""
    match condition:
        case Fact():
            yield key_of(condition, binding)
        case Value(fact=fact):
            yield key_of(fact, binding)
        case SameValue(first=first, second=second):
            yield key_of(first, binding)
            yield key_of(second, binding)
        case Not(inner=inner):
            yield from deciding(scene, inner, binding)
        case And(parts=parts) | Or(parts=parts):
            # One part that fails decides an `and`, one that holds an `or`; else all of them do.
            decisive = isinstance(condition, Or)
            for part in parts:
                if scene.holds(part, binding) == decisive:
                    yield from deciding(scene, part, binding)
                    return
            for part in parts:
                yield from deciding(scene, part, binding)
        case Each(every=every, loops=loops, inner=inner):
            chosen = And((*(loop.condition for loop in loops), Not(inner) if every else inner))
            found = scene.holds(condition, binding) != every  # one that decides all
            yield from _deciding_each(scene, chosen, loops, binding, {found})
        case Count(loops=loops, inner=inner, low=low, high=high):
            chosen = And((*(loop.condition for loop in loops), inner))
            wanted = ({True} if low > 0 else set()) | ({False} if high < MANY else set())
            yield from _deciding_each(scene, chosen, loops, binding, wanted)
        case Constant() | Same() | IsA() | Times():
            return


def _deciding_each(
    scene: Scene, chosen: Condition, loops: Sequence[Loop], binding: Mapping[str, str], wanted: set[bool]
) -> Iterator[Key]:
    """The facts that decide it for those of the loops' objects for which it holds, or does not, as wanted."""
    for bound in bindings(loops, scene.world.words, binding):
        if scene.holds(chosen, bound) in wanted:
            yield from deciding(scene, chosen, bound)


def _read(scene: Scene, event: Event) -> Iterator[Key]:
    """The facts that an action rests upon: those of its condition, and those that make it believable."""
    action = scene.world.actions[event.action]
    binding = action.binding(event.arguments)
    yield from deciding(scene, action.condition, binding)
    yield from deciding(scene, scene.rule(event).condition, binding)
    for effect in action.effects:
        yield from _read_by_effect(scene, effect, binding)


def _read_by_effect(scene: Scene, effect: Effect, binding: Mapping[str, str]) -> Iterator[Key]:
    for bound in scene.each(effect.loops, binding):
        if scene.holds(effect.condition, bound):
            for loop in effect.loops:
                yield from deciding(scene, loop.condition, bound)
            yield from deciding(scene, effect.condition, bound)
            if isinstance(effect.change.value, Fact):
                yield key_of(effect.change.value, bound)


def _counted(condition: Condition, events: Sequence[Event]) -> Iterator[int]:
    """The actions that a goal counts by `times`."""
    match condition:
        case And(parts=parts):
            for part in parts:
                yield from _counted(part, events)
        case Times(action=action, low=low) if low > 0:
            yield from (number for number, event in enumerate(events) if event.action == action)


def _behind(roots: set[int], rests_on: Sequence[set[int]]) -> set[int]:
    """The roots and all that they rest upon, directly or not."""
    found: set[int] = set()
    waiting = list(roots)
    while waiting:
        number = waiting.pop()
        if number not in found:
            found.add(number)
            waiting += rests_on[number]
    return found
