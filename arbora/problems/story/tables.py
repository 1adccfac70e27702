"""A world in bits as flat arrays, which compiled code walks through.

Conditions, clauses and tests are numbered; `first[i]` to `first[i + 1]` are the parts of part i. A test looks at one word of
the facts: the bits under its mask must be as it wants them. Condition 0 always holds.
"""

from collections.abc import Sequence
from math import prod
from typing import Any

import numpy as np

from arbora.problems.story.clauses import TRUE, Bits, Clause, Clauses, each_bit
from arbora.problems.story.grounding import Ground, GroundGoal
from arbora.problems.story.world import World

WORD = 64
_ALL = (1 << WORD) - 1
_RARELY = 0.1  # how often a fact that is false at the start may be true, for a guess at which test fails first


class Conditions:
    """Collects conditions, each once, and gives them numbers."""

    def __init__(self, bits: Bits) -> None:
        self.bits = bits
        self.words = max(-(-len(bits) // WORD), 1)
        self.numbers: dict[tuple[Clause, ...], int] = {}
        self.tests: list[tuple[int, int, int]] = []
        self.clause_first, self.condition_first = [0], [0]
        self.number(TRUE)

    def number(self, clauses: Clauses) -> int:
        key = tuple(clauses)
        if key not in self.numbers:
            self.numbers[key] = len(self.numbers)
            for clause in clauses:
                self.tests += self._tests(clause)
                self.clause_first.append(len(self.tests))
            self.condition_first.append(len(self.clause_first) - 1)
        return self.numbers[key]

    def _tests(self, clause: Clause) -> list[tuple[int, int, int]]:
        """A test for each word that the clause speaks of, what most likely fails first."""
        found = []
        for word in range(self.words):
            true, false = (each >> (WORD * word) & _ALL for each in clause)
            if true | false:
                likely = prod(self.likely(bit << (WORD * word)) for bit in each_bit(true))
                likely *= prod(1.0 - self.likely(bit << (WORD * word)) for bit in each_bit(false))
                found.append((likely, (word, true | false, true)))
        return [test for _, test in sorted(found)]

    def likely(self, bit: int) -> float:
        """A guess at how often a fact is true."""
        group = self.bits.group_of.get(bit)
        if group:
            return 1.0 / group.bit_count()
        return 1.0 - _RARELY if self.bits.start & bit else _RARELY

    def arrays(self) -> dict[str, np.ndarray]:
        word, mask, want = zip(*self.tests, strict=True) if self.tests else ((), (), ())
        return {
            "test_word": np.array(word, np.int32),
            "test_mask": np.array(mask, np.uint64),
            "test_want": np.array(want, np.uint64),
            "clause_first": np.array(self.clause_first, np.int32),
            "condition_first": np.array(self.condition_first, np.int32),
        }


def tables(ground: Ground) -> dict[str, np.ndarray]:
    """All arrays of a story, by the names of its fields."""
    conditions = Conditions(ground.bits)
    made = {
        "start": np.array(words_of(ground.bits.start, conditions.words), np.uint64),
        **_events(ground, conditions),
        **_index(ground, conditions),
        **_goals([*ground.goals, *ground.never], list(ground.world.actions), conditions),
        "event_kind": _kinds(ground),
    }
    return made | conditions.arrays()


def words_of(bits: int, words: int) -> list[int]:
    return [bits >> (WORD * word) & _ALL for word in range(words)]


def _events(ground: Ground, conditions: Conditions) -> dict[str, np.ndarray]:
    numbers = {name: number for number, name in enumerate(ground.world.actions)}
    needs, actions, rules, effects, changes = [], [], [], [], []
    rule_first, effect_first, change_first = [0], [0], [0]
    for event in ground.events:
        needs.append(conditions.number(event.clauses))
        actions.append(numbers[event.event.action])
        rules += [(conditions.number(rule.clauses), rule.value) for rule in event.rules]
        rule_first.append(len(rules))
        for each in event.consequences:
            effects.append(conditions.number(each.clauses))
            for word in range(conditions.words):
                clear, new = (bits >> (WORD * word) & _ALL for bits in (each.clear, each.set))
                if clear | new:
                    changes.append((word, clear, new))
            change_first.append(len(changes))
        effect_first.append(len(effects))
    changed, cleared, made = zip(*changes, strict=True) if changes else ((), (), ())
    return {
        "event_need": np.array(needs, np.int32),
        "event_action": np.array(actions, np.int32),
        "rule_first": np.array(rule_first, np.int32),
        "rule_condition": np.array([condition for condition, _ in rules], np.int32),
        "rule_value": np.array([value for _, value in rules], np.float64),
        "effect_first": np.array(effect_first, np.int32),
        "effect_condition": np.array(effects, np.int32),
        "change_first": np.array(change_first, np.int32),
        "change_word": np.array(changed, np.int32),
        "change_clear": np.array(cleared, np.uint64),
        "change_set": np.array(made, np.uint64),
    }


def _index(ground: Ground, conditions: Conditions) -> dict[str, np.ndarray]:
    """Events by a fact that must be true for them, the rarest, so that few need be looked at; the last row has the rest."""
    rows: list[list[int]] = [[] for _ in range(WORD * conditions.words + 1)]
    for number, event in enumerate(ground.events):
        common = event.clauses[0][0]
        for true, _ in event.clauses:
            common &= true
        candidates = sorted(each_bit(common), key=lambda bit: (conditions.likely(bit), bit))
        rows[candidates[0].bit_length() - 1 if candidates else -1].append(number)
    keys = sum(1 << i for i, row in enumerate(rows[:-1]) if row)
    return {
        "index_bits": np.array(words_of(keys, conditions.words), np.uint64),
        "index_first": np.cumsum([0, *map(len, rows)]).astype(np.int32),
        "index_event": np.array([number for row in rows for number in row], np.int32),
    }


def _goals(goals: Sequence[GroundGoal], actions: Sequence[str], conditions: Conditions) -> dict[str, np.ndarray]:
    requirements = [each for goal in goals for each in goal.requirements]
    members = [conditions.number(clauses) for each in requirements for clauses in each.members]
    return {
        "goal_weight": np.array([goal.goal.weight for goal in goals], np.float64),
        "goal_must": np.array([goal.goal.must for goal in goals], np.uint8),
        "goal_first": np.cumsum([0, *(len(goal.requirements) for goal in goals)]).astype(np.int32),
        "need_low": np.array([each.low for each in requirements], np.int64),
        "need_high": np.array([each.high for each in requirements], np.int64),
        "need_action": np.array([actions.index(each.action) if each.action else -1 for each in requirements], np.int32),
        "member_first": np.cumsum([0, *(len(each.members) for each in requirements)]).astype(np.int32),
        "member_condition": np.array(members, np.int32),
    }


def _kinds(ground: Ground) -> np.ndarray:
    """What an event is when stories are compared: its action and objects wherever it happens; -1 for minor actions."""
    numbers: dict[Any, int] = {}
    kinds = []
    for event in ground.events:
        action = ground.world.actions[event.event.action]
        named = (action.id, *(thing for thing in event.event.arguments if not is_place(ground.world, thing)))
        kinds.append(-1 if action.minor else numbers.setdefault(named, len(numbers)))
    return np.array(kinds, np.int32)


def is_place(world: World, thing: str) -> bool:
    return world.is_a(thing, "place")
