"""Conditions as bits: they hold exactly where the condition holds as it is written."""

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from story_worlds import TYPES, Writer, street

from arbora.problems.story.clauses import FALSE, MOST_CLAUSES, TRUE, Bits, Clauses, TooMany, each_bit, either
from arbora.problems.story.conditions import Condition, Fact, Value
from arbora.problems.story.parsing import Scope, parse_condition
from arbora.problems.story.plain import Scene, start

CHANGES = ["dead(who)", "angry(who, whom)", "at(who) = road", "location(cup) = who", "storm", "weather = rain"]
WORLD = street(actions={"act": {"with": {"who": "character", "whom": "character"}, "then": CHANGES}})
START = start(WORLD)
BITS = Bits(WORLD, START)
VARIABLES = {"who": "character", "what": "item", "where": "place"}
SEEDS = st.integers(0, 2**32)


def scene(seed: int) -> Scene:
    """Any values for all facts that may change."""
    rng, made = random.Random(seed), START.copy()
    for key, value in BITS.bit:
        if not value:
            made.set(key, rng.random() < 0.5)
    for key in BITS.group:
        values = TYPES["place"] + (TYPES["character"] if key[0] == "location" else [])
        made.set(key, rng.choice(TYPES["sky"] if key[0] == "weather" else values))
    return made


def binding(seed: int) -> dict[str, str]:
    rng = random.Random(seed)
    return {name: rng.choice(TYPES[kind]) for name, kind in VARIABLES.items()}


def condition(seed: int, depth: int = 3) -> Condition:
    text = Writer(seed).condition(VARIABLES, depth)
    return parse_condition(text, Scope(WORLD.words, {name: (kind,) for name, kind in VARIABLES.items()}))


def hold(clauses: Clauses, bits: int) -> bool:
    return any(true & bits == true and not false & bits for true, false in clauses)


@given(what=SEEDS, who=SEEDS, scenes=st.lists(SEEDS, min_size=1, max_size=20))
def test_clauses_hold_where_the_condition_does(what, who, scenes):
    made, bound = condition(what), binding(who)
    try:
        clauses, negated = (BITS.clauses(made, bound, negate) for negate in (False, True))
    except TooMany:
        return
    for each in scenes:
        facts = scene(each)
        bits = BITS.of_scene(facts)
        assert hold(clauses, bits) == facts.holds(made, bound)
        assert hold(negated, bits) != facts.holds(made, bound)
        assert hold(BITS.negation(clauses), bits) != facts.holds(made, bound)


@given(what=SEEDS, who=SEEDS)
def test_clauses_say_nothing_twice(what, who):
    try:
        clauses = BITS.clauses(condition(what), binding(who))
    except TooMany:
        return
    for true, false in clauses:
        assert not true & false
        for group in BITS.group.values():
            assert (true & group).bit_count() <= 1, "a fact has one value"
            assert not (true & group and false & group), "what has one value has no other"
    for i, (true, false) in enumerate(clauses):
        assert not any(t & true == t and f & false == f for j, (t, f) in enumerate(clauses) if i != j)


@given(known=SEEDS, what=SEEDS, who=SEEDS, scenes=st.lists(SEEDS, min_size=1, max_size=20))
def test_what_is_known_need_not_be_said(known, what, who, scenes):
    try:
        facts, clauses = (BITS.clauses(condition(each, depth), binding(who)) for each, depth in ((known, 1), (what, 2)))
    except TooMany:
        return
    for clause in facts:
        short = BITS.given(clauses, clause)
        assert not any(true & clause[0] or false & clause[1] for true, false in short)
        for each in scenes:
            bits = BITS.of_scene(scene(each))
            if hold([clause], bits):
                assert hold(short, bits) == hold(clauses, bits)


@given(scenes=SEEDS)
def test_scenes_as_bits(scenes):
    made = scene(scenes)
    bits = BITS.of_scene(made)
    assert all((bits & group).bit_count() == 1 for group in BITS.group.values())
    for (key, value), bit in BITS.bit.items():
        assert bool(bits & bit) == (made.facts.get(key, False) == (value or True))
    for key, new in [(("dead", "bob"), True), (("dead", "bob"), False), (("at", "bob"), "hut")]:
        clear, put = BITS.change(key, new)
        after = made.copy()
        after.set(key, new)
        assert BITS.of_scene(after) == bits & ~clear | put


def test_facts_that_never_change_have_no_bits():
    assert {key[0] for key, _ in BITS.keys} == {"dead", "angry", "at", "location", "storm", "weather"}
    assert len(BITS) == 3 + 9 + 3 * 3 + 2 * (3 + 3) + 1 + 2
    known = {"kind(alice)": True, "kind(bob)": False, "lives_at(bob) == hut": True, "lives_at(bob) == house": False}
    for text, value in known.items():
        made = parse_condition(text, Scope(WORLD.words))
        assert BITS.clauses(made, {}) == (TRUE if value else FALSE)
        assert BITS.clauses(made, {}, negate=True) == (FALSE if value else TRUE)


def test_clauses_by_hand():
    def clauses(text: str) -> Clauses:
        return BITS.clauses(parse_condition(text, Scope(WORLD.words)), {})

    storm, dead = BITS.bit[("storm",), ""], BITS.bit[("dead", "bob"), ""]
    house, hut, road = (BITS.bit[("at", "bob"), place] for place in TYPES["place"])
    assert clauses("storm") == [(storm, 0)]
    assert clauses("not storm") == [(0, storm)]
    assert clauses("storm and not dead(bob)") == [(storm, dead)]
    assert clauses("storm or not dead(bob)") == [(storm, 0), (0, dead)]
    assert clauses("not (storm and not dead(bob))") == [(0, storm), (dead, 0)]
    assert clauses("at(bob) == hut and at(bob) != road") == [(hut, 0)]
    assert clauses("at(bob) == hut and at(bob) == road") == FALSE
    assert clauses("at(bob) != hut") == [(0, hut)]
    assert clauses("storm and not storm") == FALSE
    assert clauses("storm or storm and dead(bob)") == [(storm, 0)]
    assert clauses("any(at(bob) == p for p in home)") == [(house, 0), (hut, 0)]
    assert clauses("at(bob) == lives_at(bob)") == [(hut, 0)]
    assert clauses("all(at(bob) != p for p in home)") == [(0, house | hut)]
    assert BITS.clauses(Value(Fact("at", ("bob",)), "where"), {"where": "road"}) == [(road, 0)]


def test_conditions_with_too_many_cases():
    """Each of these two thousand and more cases says something of its own."""
    cases = [(1 << i, 0) for i in range(MOST_CLAUSES)]
    assert len(either(FALSE, cases)) == MOST_CLAUSES
    with pytest.raises(TooMany):
        either(cases, [(1 << MOST_CLAUSES, 0)])


@given(st.integers(0, 2**200))
def test_single_bits(bits):
    assert list(each_bit(bits)) == [1 << i for i in range(201) if bits >> i & 1]
