"""What there is in a story world, what may happen in it, and what looks like a slip of the pen."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from arbora.errors import BadInput
from arbora.problems.story.conditions import Condition, Effect, Fact, facts_in, terms_in
from arbora.problems.story.grounding import Ground, ground
from arbora.problems.story.reading import read_world, world_path
from arbora.problems.story.tables import tables
from arbora.problems.story.world import Goal, World, build

ROOMS = {"characters": "character", "places": "place", "items": "item", "things": "thing"}


@dataclass(frozen=True)
class Survey:
    """What `arbora tell check` says of a world."""

    world: World
    ways: dict[str, int]  # how many ways there are for each action to happen
    warnings: tuple[str, ...]

    def things(self, root: str) -> list[str]:
        """All objects of a root type: character, place, item or thing."""
        return list(self.world.things_of((root,)))


def survey(name: str) -> Survey:
    """Read a world as the search would. Raises BadInput for whatever keeps a story from being told."""
    document = read_world(world_path(name))
    world = build(document)
    if not world.goals:
        raise BadInput(f"{document.where('goals')}: a story needs goals; write some as goals: name: condition")
    made = ground(world, world.goals, world.never, world.length)
    tables(made)
    counted = Counter(event.event.action for event in made.events)
    return Survey(world, {action: counted[action] for action in world.actions}, tuple(_warnings(made)))


def as_object(found: Survey, name: str) -> dict[str, Any]:
    """The survey as plain data that JSON can hold."""
    world = found.world
    given = world.document.data
    return {
        "world": name,
        "title": world.title,
        "about": world.about,
        "length": world.length,
        **{room: found.things(root) for room, root in ROOMS.items()},
        "facts": list(given.get("facts", [])),
        "actions": found.ways,
        "events": sum(found.ways.values()),
        "goals": {goal.name: _written(given["goals"][goal.name]) for goal in world.goals},
        "never": list(given.get("never", [])),
        "warnings": list(found.warnings),
    }


def _written(goal: Any) -> str:
    return goal if isinstance(goal, str) else goal["if"]


def _warnings(made: Ground) -> Iterator[str]:
    world, where = made.world, made.world.document.where
    for name in made.idle:
        yield f"{world.actions[name].where}: {name} can never happen"
    for action in world.actions.values():
        if not world.document.data["actions"][action.id].get("text"):
            yield f"{action.where}: {action.id} has no text; a bare list of names will stand for it"
    for goal in world.goals:
        if made.start.met(goal):
            yield f"{goal.where}: the goal {goal.name} is met at the start"
    judged = list(_conditions(world))
    read = {fact.kind for condition in judged for fact in facts_in(condition)} | {fact.kind for fact in _copied(world)}
    for i, kind in enumerate(world.facts):
        if kind not in read:
            yield f"{where('facts', i)}: nothing depends on {kind}"
    named = {term for event in made.events for term in event.event.arguments}
    named |= {term for condition in judged for term in terms_in(condition)}
    named |= {term for action in world.actions.values() for effect in action.effects for term in _terms_of(effect)}
    for room, root in ROOMS.items():
        for thing in world.document.data.get(room, {}):
            if thing not in named:
                yield f"{where(room, thing)}: nothing can happen with the {root} {thing}"
    for kind in world.document.data.get("types", {}):
        if not world.things_of((kind,)):
            yield f"{where('types', kind)}: there is nothing of type {kind}"


def _conditions(world: World) -> Iterator[Condition]:
    """Whatever is judged in a story."""
    goals: tuple[Goal, ...] = (*world.goals, *world.never)
    yield from (goal.condition for goal in goals)
    for action in world.actions.values():
        yield action.condition
        yield from (rule.condition for rule in action.rules)
        yield from (sentence.condition for sentence in action.sentences if sentence.condition is not None)
        for effect in action.effects:
            yield effect.condition
            yield from (loop.condition for loop in effect.loops)


def _copied(world: World) -> Iterator[Fact]:
    """The facts whose value becomes that of another one."""
    effects = [effect for action in world.actions.values() for effect in action.effects]
    for effect in [*effects, *(effect for effect, _ in world.start)]:
        if isinstance(effect.change.value, Fact):
            yield effect.change.value


def _terms_of(effect: Effect) -> Iterator[str]:
    yield from effect.change.fact.arguments
    if isinstance(effect.change.value, Fact):
        yield from effect.change.value.arguments
    elif isinstance(effect.change.value, str):
        yield effect.change.value
