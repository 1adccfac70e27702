"""Everything that can ever happen in a world, as bits: each action with each choice of objects, and the goals.

What cannot happen is found by a relaxation: facts only ever become possible, none becomes impossible again. It leaves out
actions that are out of reach, and tells goals that nobody can reach and rules that never match.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from arbora.errors import BadInput
from arbora.problems.story.clauses import FALSE, TRUE, Bits, Clauses, TooMany
from arbora.problems.story.conditions import MANY, Condition, Count, Effect, Fact, Times, parts_of, terms_in
from arbora.problems.story.parsing import shortened
from arbora.problems.story.plain import Event, Scene, key_of
from arbora.problems.story.plain import start as start_scene
from arbora.problems.story.world import Action, Goal, World

MOST_EVENTS = 200_000


@dataclass(frozen=True)
class Consequence:
    """Bits that are cleared, then bits that are set, if one of the clauses held before."""

    clauses: Clauses
    clear: int
    set: int


@dataclass(frozen=True)
class GroundRule:
    clauses: Clauses
    value: float
    number: int  # among the action's rules


@dataclass(frozen=True)
class GroundEvent:
    """An action with its objects."""

    event: Event
    clauses: Clauses  # when it may happen
    consequences: list[Consequence]
    rules: list[GroundRule]


@dataclass(frozen=True)
class Requirement:
    """So many of the members hold, or so often has an action happened."""

    members: list[Clauses]
    action: str  # "" for none
    low: int
    high: int


@dataclass(frozen=True)
class GroundGoal:
    goal: Goal
    requirements: list[Requirement]  # all of them


@dataclass
class Ground:
    """A world in bits."""

    world: World
    start: Scene
    bits: Bits
    events: list[GroundEvent]
    goals: list[GroundGoal]
    never: list[GroundGoal]
    idle: list[str] = field(default_factory=list)  # actions that can never happen


@dataclass(frozen=True)
class Reach:
    """What may become true and what false within some steps, if nothing gets in the way of anything."""

    true: int
    false: int
    actions: frozenset[str]

    def allows(self, clauses: Clauses) -> bool:
        return any(not true & ~self.true and not false & ~self.false for true, false in clauses)

    def meets(self, goal: GroundGoal) -> bool:
        return all(self._satisfies(requirement) for requirement in goal.requirements)

    def _satisfies(self, requirement: Requirement) -> bool:
        if requirement.low > requirement.high:
            return False
        if requirement.action:
            return requirement.low == 0 or requirement.action in self.actions
        certain = sum(clauses == TRUE for clauses in requirement.members)
        return certain <= requirement.high and sum(map(self.allows, requirement.members)) >= requirement.low


def ground(world: World, goals: Sequence[Goal], never: Sequence[Goal], length: int) -> Ground:
    """The world in bits. Raises BadInput for goals that cannot be reached and rules that never match."""
    scene = start_scene(replace(world, never=tuple(never)))
    bits = Bits(world, scene)
    events = [event for action in world.actions.values() for event in _events(bits, action)]
    made = Ground(world, scene, bits, events, _goals(bits, goals), _goals(bits, never))
    reaches = _reaches(bits, events)
    _check_goals(made, reaches, length)
    last = reaches[-1]
    made.events = [_reachable(event, last) for event in events if last.allows(event.clauses)]
    made.idle = [name for name in world.actions if name not in {event.event.action for event in made.events}]
    _check_rules(made)
    return made


def _events(bits: Bits, action: Action) -> list[GroundEvent]:
    """An action with every choice of objects of which its condition can hold."""
    try:
        found = _bound(bits, action, {}, TRUE, list(parts_of(action.condition)), action.where)
        return [_event(bits, action, binding, clauses) for binding, clauses in found]
    except TooMany:
        raise BadInput(f"{action.where}: the conditions of {action.id} have too many cases; use parameters") from None


def _bound(
    bits: Bits, action: Action, binding: dict[str, str], clauses: Clauses, parts: list[Condition], where: str
) -> list[tuple[dict[str, str], Clauses]]:
    """Bind one parameter after the other, and judge each part of the condition as soon as all its parameters are bound."""
    parameters = {name for name, _ in action.parameters}
    waiting = []
    for part in parts:
        if parameters & set(terms_in(part)) <= set(binding):
            clauses = bits.both(clauses, bits.clauses(part, binding))
        else:
            waiting.append(part)
    if clauses == FALSE:
        return []
    if len(binding) == len(action.parameters):
        return [(binding, clauses)]
    name, types = action.parameters[len(binding)]
    found: list[tuple[dict[str, str], Clauses]] = []
    for thing in bits.world.things_of(types):
        if thing not in binding.values():
            found += _bound(bits, action, {**binding, name: thing}, clauses, waiting, where)
            if len(found) > MOST_EVENTS:
                raise BadInput(f"{where}: there are more than {MOST_EVENTS:,} ways for {action.id} to happen")
    return found


def _event(bits: Bits, action: Action, binding: Mapping[str, str], clauses: Clauses) -> GroundEvent:
    consequences: list[Consequence] = []
    for effect in action.effects:
        for each in _consequences(bits, effect, binding):
            _add(consequences, replace(each, clauses=_simpler(bits, each.clauses, clauses)))
    rules: list[GroundRule] = []
    for number, rule in enumerate(action.rules):
        needed = _simpler(bits, bits.clauses(rule.condition, binding), clauses)
        if needed != FALSE:
            rules.append(GroundRule(needed, rule.value, number))
        if needed == TRUE:
            break
    arguments = tuple(binding[name] for name, _ in action.parameters)
    return GroundEvent(Event(action.id, arguments), clauses, consequences, rules)


def _consequences(bits: Bits, effect: Effect, binding: Mapping[str, str]) -> list[Consequence]:
    found = []
    for bound, clauses in bits.chosen(effect.loops, effect.condition, binding):
        key, value = key_of(effect.change.fact, bound), effect.change.value
        if isinstance(value, Fact):
            for each, when in bits.values(value, bound).items():
                found.append(Consequence(bits.both(clauses, when), *bits.change(key, each)))
        else:
            new = value if isinstance(value, bool) else bound.get(value, value)
            found.append(Consequence(clauses, *bits.change(key, new)))
    return found


def _add(consequences: list[Consequence], new: Consequence) -> None:
    """Put a consequence behind the others; one that always happens joins one before it that does."""
    if new.clauses == FALSE:
        return
    if consequences and new.clauses == TRUE and consequences[-1].clauses == TRUE:
        last = consequences.pop()
        new = Consequence(TRUE, last.clear | new.clear, last.set & ~new.clear | new.set)
    consequences.append(new)


def _simpler(bits: Bits, clauses: Clauses, known: Clauses) -> Clauses:
    """Clauses without what is known to hold anyway."""
    return bits.given(clauses, known[0]) if len(known) == 1 else clauses


def _goals(bits: Bits, goals: Sequence[Goal]) -> list[GroundGoal]:
    found = []
    for goal in goals:
        try:
            requirements = [_requirement(bits, part) for part in parts_of(goal.condition)]
        except TooMany:
            raise BadInput(f"{goal.where}: this condition has too many cases; make goals of its parts") from None
        found.append(GroundGoal(goal, requirements))
    return found


def _requirement(bits: Bits, part: Condition) -> Requirement:
    match part:
        case Times(action=action, low=low, high=high):
            return Requirement([], action, low, high)
        case Count(loops=loops, inner=inner, low=low, high=high):
            return Requirement([clauses for _, clauses in bits.chosen(loops, inner, {})], "", low, high)
    return Requirement([bits.clauses(part, {})], "", 1, MANY)


def _reaches(bits: Bits, events: Sequence[GroundEvent]) -> list[Reach]:
    """What is possible after 0, 1, 2, … steps, until nothing new comes."""
    everything = (1 << len(bits)) - 1
    reaches = [Reach(bits.start, everything & ~bits.start, frozenset())]
    waiting, active = list(events), []
    while True:
        now = reaches[-1]
        true, false, actions = now.true, now.false, set(now.actions)
        still = []
        for event in waiting:
            if now.allows(event.clauses):
                actions.add(event.event.action)
                active += event.consequences
            else:
                still.append(event)
        unused = []
        for each in active:
            if now.allows(each.clauses):
                true |= each.set
                false |= each.clear & ~each.set
            else:
                unused.append(each)
        if (true, false, actions) == (now.true, now.false, now.actions):
            return reaches
        waiting, active = still, unused
        reaches.append(Reach(true, false, frozenset(actions)))


def _check_goals(made: Ground, reaches: Sequence[Reach], length: int) -> None:
    if not made.goals:
        raise BadInput("a story needs goals: in the world's file, or as conditions of your own")
    for each in made.goals:
        steps = next((i for i, reach in enumerate(reaches) if reach.meets(each)), None)
        if steps is None:
            raise BadInput(f"{_named(each.goal)} can never be reached: no action makes it true")
        steps = max(steps, *(requirement.low for requirement in each.requirements if requirement.action), 0)
        if steps > length:
            raise BadInput(f"{_named(each.goal)} takes {steps} actions or more, but a story may have {length}")
    if all(made.start.met(each.goal) for each in made.goals):
        raise BadInput(f"{made.goals[0].goal.where}: all goals are met at the start; there is no story to tell")


def _named(goal: Goal) -> str:
    """A goal with its place; a condition of the user's own is its place."""
    own = f"goal {shortened(goal.name)!r}"
    return own if goal.where == own else f"{goal.where}: goal {goal.name!r}"


def _reachable(event: GroundEvent, reach: Reach) -> GroundEvent:
    """The event without rules and consequences that never come into play."""
    return replace(
        event,
        clauses=[clause for clause in event.clauses if reach.allows([clause])],
        consequences=[each for each in event.consequences if reach.allows(each.clauses)],
        rules=[rule for rule in event.rules if reach.allows(rule.clauses)],
    )


def _check_rules(made: Ground) -> None:
    matched = {(event.event.action, rule.number) for event in made.events for rule in event.rules}
    for action in made.world.actions.values():
        if action.id in made.idle:
            continue
        for number, rule in enumerate(action.rules):
            # What comes last catches what the others leave, which may be nothing.
            if (action.id, number) not in matched and number < len(action.rules) - 1:
                raise BadInput(f"{rule.where}: this rule never matches: {action.id} never happens where its `if` holds")
