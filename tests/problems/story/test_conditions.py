"""The language of conditions and effects: every construct and its tree, every mistake and its message."""

import warnings
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story_worlds import Writer, street

from arbora.problems.story.conditions import (
    ALWAYS,
    MANY,
    And,
    Change,
    Constant,
    Count,
    Each,
    Effect,
    Fact,
    FactKind,
    IsA,
    Loop,
    Not,
    Or,
    Same,
    SameValue,
    Times,
    Value,
    bindings,
    facts_in,
    parts_of,
    terms_in,
)
from arbora.problems.story.parsing import Scope, Wrong, parse_condition, parse_effect, parse_kind, shortened

WORDS = street().words
SCOPE = Scope(
    WORDS, {"who": ("character",), "whom": ("citizen",), "what": ("item",), "where": ("place", "item")}, counts=True
)

STORM = Fact("storm", ())
DEAD = Fact("dead", ("who",))
AT = Fact("at", ("who",))
CHARACTERS = Loop("c", ("character",), ALWAYS)

CONDITIONS = {
    "storm": STORM,
    "storm()": STORM,
    " dead(\n who )\t": DEAD,
    "(((dead(who))))": DEAD,
    "angry(alice, who)": Fact("angry", ("alice", "who")),
    "true": Constant(True),
    "True": Constant(True),
    "false": Constant(False),
    "False": Constant(False),
    "not storm": Not(STORM),
    "not not storm": Not(Not(STORM)),
    "dead(who) and storm and true": And((DEAD, STORM, Constant(True))),
    "dead(who) or storm or true": Or((DEAD, STORM, Constant(True))),
    "storm or dead(who) and storm": Or((STORM, And((DEAD, STORM)))),
    "not storm and storm": And((Not(STORM), STORM)),
    "at(who) == road": Value(AT, "road"),
    "road == at(who)": Value(AT, "road"),
    "at(who) != road": Not(Value(AT, "road")),
    "road != at(who)": Not(Value(AT, "road")),
    "at(who) == where": Value(AT, "where"),
    "location(what) == who": Value(Fact("location", ("what",)), "who"),
    "weather == rain": Value(Fact("weather", ()), "rain"),
    "at(who) == at(whom)": SameValue(AT, Fact("at", ("whom",))),
    "location(what) != at(who)": Not(SameValue(Fact("location", ("what",)), AT)),
    "who == alice": Same("who", "alice"),
    "who != whom": Not(Same("who", "whom")),
    "police(who)": IsA("police", "who"),
    "item(what)": IsA("item", "what"),
    "any(dead(c) for c in character)": Each(False, (CHARACTERS,), Fact("dead", ("c",))),
    "all(dead(c) for c in character)": Each(True, (CHARACTERS,), Fact("dead", ("c",))),
    "any(storm for x in citizen | home|item)": Each(False, (Loop("x", ("citizen", "home", "item"), ALWAYS),), STORM),
    "any(storm for c in character if dead(c))": Each(
        False, (Loop("c", ("character",), And((Fact("dead", ("c",)),))),), STORM
    ),
    "any(storm for c in character if storm if dead(c))": Each(
        False, (Loop("c", ("character",), And((STORM, Fact("dead", ("c",))))),), STORM
    ),
    "all(angry(c, d) for c in character for d in citizen if c != d)": Each(
        True,
        (CHARACTERS, Loop("d", ("citizen",), And((Not(Same("c", "d")),)))),
        Fact("angry", ("c", "d")),
    ),
    "any(any(at(c) == at(d) for d in citizen) for c in character)": Each(
        False,
        (CHARACTERS,),
        Each(False, (Loop("d", ("citizen",), ALWAYS),), SameValue(Fact("at", ("c",)), Fact("at", ("d",)))),
    ),
    "times(wait) >= 1": Times("wait", 1, MANY),
    "times(wait) > 1": Times("wait", 2, MANY),
    "times(wait) == 3": Times("wait", 3, 3),
    "times(wait) <= 3": Times("wait", 0, 3),
    "times(wait) < 3": Times("wait", 0, 2),
    "count(dead(c) for c in character) >= 2": Count((CHARACTERS,), Fact("dead", ("c",)), 2, MANY),
    "count(storm for c in character) == 1_000_000": Count((CHARACTERS,), STORM, 1_000_000, 1_000_000),
    "storm and times(wait) < 1 and count(storm for c in character) > 0": And(
        (STORM, Times("wait", 0, 0), Count((CHARACTERS,), STORM, 1, MANY))
    ),
}


@pytest.mark.parametrize("text", CONDITIONS)
def test_conditions(text):
    assert parse_condition(text, SCOPE) == CONDITIONS[text]


EFFECTS = {
    "storm": Effect((), ALWAYS, Change(STORM, True)),
    "not dead(who)": Effect((), ALWAYS, Change(DEAD, False)),
    "at(who) = road": Effect((), ALWAYS, Change(AT, "road")),
    "at(who)=road": Effect((), ALWAYS, Change(AT, "road")),
    "at(who) = at(whom)": Effect((), ALWAYS, Change(AT, Fact("at", ("whom",)))),
    "location(what) = at(who)": Effect((), ALWAYS, Change(Fact("location", ("what",)), AT)),
    "weather = rain": Effect((), ALWAYS, Change(Fact("weather", ()), "rain")),
    "dead(c) for c in character": Effect((CHARACTERS,), ALWAYS, Change(Fact("dead", ("c",)), True)),
    "not angry(c, d) for c in character for d in character if c == who": Effect(
        (CHARACTERS, Loop("d", ("character",), And((Same("c", "who"),)))),
        ALWAYS,
        Change(Fact("angry", ("c", "d")), False),
    ),
    "at(c) = road for c in character if at(c) == at(who)": Effect(
        (Loop("c", ("character",), And((SameValue(Fact("at", ("c",)), AT),))),),
        ALWAYS,
        Change(Fact("at", ("c",)), "road"),
    ),
}


@pytest.mark.parametrize("text", EFFECTS)
def test_effects(text):
    assert parse_effect(text, SCOPE) == EFFECTS[text]


KINDS = {
    "storm": FactKind("storm", ()),
    "dead(character)": FactKind("dead", (("character",),)),
    "at(character) = place": FactKind("at", (("character",),), ("place",)),
    "angry(citizen | police, character)": FactKind("angry", (("citizen", "police"), ("character",))),
    "weather = sky|item": FactKind("weather", (), ("sky", "item")),
}


@pytest.mark.parametrize("text", KINDS)
def test_kinds_of_facts(text):
    assert parse_kind(text, WORDS.types) == KINDS[text]


CHARACTER_TYPES = "character, citizen, home, item, place, police, sky, thing, weapon"
FACTS_AND_TYPES = ", ".join(sorted([*WORDS.facts, *WORDS.types]))
OBJECTS = "alice, bob, cop, cup, house, hut, rain, road, rod, sun, what, where, who, whom"
NOT_SYNTAX = "is not a condition or effect"
NO_CONDITION = "is not a condition; conditions are facts, comparisons, and, or, not, any, all"
WHOLE_NUMBER = "must be compared with a whole number from 0 to 1,000,000, not"
ONLY_JOINED = "is for goals and never, where it may be joined by `and` only"
COUNTED = "count((storm for c in character))"

WRONG_CONDITIONS = {
    "at(who) = road": "'at(who) = road': write == to compare",
    "dead(x=who)": "'dead(x=who)': write == to compare",
    "": f"'' {NOT_SYNTAX} (invalid syntax)",
    "storm storm": f"'storm storm' {NOT_SYNTAX} (invalid syntax)",
    "dead(who": f"'dead(who' {NOT_SYNTAX} ('(' was never closed)",
    "storm && storm": f"'storm && storm' {NOT_SYNTAX} (invalid syntax)",
    "a" + ".b" * 60: f"{shortened('a' + '.b' * 60)!r} {NOT_SYNTAX}",
    "not " * 60 + "storm": f"{shortened('not ' * 60 + 'storm')!r} {NOT_SYNTAX}",
    "storm and " * 1001: f"{shortened('storm and ' * 1001)!r} is longer than 10,000 characters",
    "who": "'who' is an object and not a fact; facts are name(object, …)",
    "alice()": "'alice' is an object and not a fact; facts are name(object, …)",
    "police(who, whom)": "'police(who, whom)': police is a type, which takes one object and never changes",
    "police": "'police': police is a type, which takes one object and never changes",
    "deed(who)": f"'deed(who)': unknown fact 'deed'; did you mean 'dead'? known: {FACTS_AND_TYPES}",
    "dead": "'dead' does not fit dead(character)",
    "angry(who)": "'angry(who)' does not fit angry(character, character)",
    "location(what, who) == road": "'location(what, who)' does not fit location(item)",
    "storm(who)": "'storm(who)' does not fit storm()",
    "dead(road)": "dead(road): dead takes character, but road is place",
    "dead(where)": "dead(where): dead takes character, but where is place or item",
    "lives_at(who) == road": "lives_at(who): lives_at takes citizen, but who is character",
    "dead(noone)": f"unknown name 'noone'; known: {OBJECTS}",
    "dead(alcie)": f"unknown name 'alcie'; did you mean 'alice'? known: {OBJECTS}",
    "police(nobody)": f"unknown name 'nobody'; known: {OBJECTS}",
    "dead(at(who))": "'at(who)' is not the name of an object",
    "dead(*who)": "'*who' is not the name of an object",
    "dead('who')": "\"'who'\" is not the name of an object",
    "police(1)": "'1' is not the name of an object",
    "dead(**who)": "'dead(**who)' is not a fact; facts are name(object, …)",
    "who.dead()": "'who.dead()' is not a fact; facts are name(object, …)",
    "at(who)": "'at(who)' has a value, which must be compared: at(who) == …",
    "dead(who) == alice": "'dead(who)' is true or false and has no value to compare or give",
    "alice == dead(who)": "'dead(who)' is true or false and has no value to compare or give",
    "at(who) == rod": "'at(who) … rod' are never the same: place against weapon",
    "rod == at(who)": "'rod … at(who)' are never the same: place against weapon",
    "who != what": "'who … what' are never the same: character against item",
    "whom == cop": "'whom … cop' are never the same: citizen against police",
    "at(who) > road": "'at(who) … road': only count(…) and times(…) are compared by size; others by == and !=",
    "who is alice": "'who … alice': only count(…) and times(…) are compared by size; others by == and !=",
    "at(who) == at(whom) == road": f"'at(who) == at(whom) == road' {NO_CONDITION}",
    "1": f"'1' {NO_CONDITION}",
    "who.dead": f"'who.dead' {NO_CONDITION}",
    "storm if storm else storm": f"'storm if storm else storm' {NO_CONDITION}",
    "0x" + "f" * 9000: f"'…' {NO_CONDITION}",
    "any(storm)": "'any(storm)': write any(… for c in TYPE if …)",
    "all(storm, storm)": "'all(storm, storm)': write all(… for c in TYPE if …)",
    "count(storm for c in character)": f"'{COUNTED}': write count(… for c in TYPE if …) >= 2",
    "any(storm for c in charcter)": f"unknown type 'charcter'; did you mean 'character'? known: {CHARACTER_TYPES}",
    "any(storm for c in alice)": f"unknown type 'alice'; did you mean 'police'? known: {CHARACTER_TYPES}",
    "any(storm for c in [citizen, police])": "unknown type '[citizen, police]'; types are joined by |",
    "any(storm for c in citizen & police)": "unknown type 'citizen & police'; types are joined by |",
    "any(storm for c, d in character)": "'(c, d)': a loop has one variable, as in `for c in character`",
    "any(storm async for c in character)": "'c': a loop has one variable, as in `for c in character`",
    "any(storm for who in character)": "variable 'who' is the name of something else already",
    "any(storm for alice in character)": "variable 'alice' is the name of something else already",
    "any(storm for weather in sky)": "variable 'weather' is the name of something else already",
    "any(any(storm for c in item) for c in item)": "variable 'c' is the name of something else already",
    "any(storm for c in character if d == c for d in character)": (
        f"unknown name 'd'; did you mean 'rod'? known: alice, bob, c, {OBJECTS[12:]}"
    ),
    "any(dead(c) for c in character | item)": "dead(c): dead takes character, but c is character or item",
    "count(storm for c in character) != 2": f"'{COUNTED}': compare a number by >=, >, ==, <= or <",
    "count(storm for c in character) >= -1": f"'{COUNTED}' {WHOLE_NUMBER} '-1'",
    "count(storm for c in character) >= 1.5": f"'{COUNTED}' {WHOLE_NUMBER} '1.5'",
    "count(storm for c in character) >= True": f"'{COUNTED}' {WHOLE_NUMBER} 'True'",
    "times(wait) < 1000001": f"'times(wait)' {WHOLE_NUMBER} '1000001'",
    "times(wait) > who": f"'times(wait)' {WHOLE_NUMBER} 'who'",
    "2 <= times(wait)": "'times(wait)': the number stands on the right, as in times(kill) >= 2",
    "count(dead) >= 2": "'count(dead)': write count(… for c in TYPE if …)",
    "times(wiat) >= 2": "'times(wiat)': unknown action 'wiat'; did you mean 'wait'? known: wait",
    "times() >= 2": "'times()': times takes the name of an action",
    "times(wait, wait) >= 2": "'times(wait, wait)': times takes the name of an action",
    "times(wait(who)) >= 2": "'times(wait(who))': times takes the name of an action",
    "not times(wait) >= 2": f"'times(wait)': times {ONLY_JOINED}",
    "storm or times(wait) >= 2": f"'times(wait)': times {ONLY_JOINED}",
    "any(times(wait) >= 2 for c in item)": f"'times(wait)': times {ONLY_JOINED}",
    "not (storm and count(storm for c in character) > 1)": (f"'{COUNTED}': count {ONLY_JOINED}"),
}


@pytest.mark.parametrize("text", WRONG_CONDITIONS, ids=shortened)
def test_wrong_conditions(text):
    with pytest.raises(Wrong) as caught:
        parse_condition(text, SCOPE)
    assert str(caught.value) == WRONG_CONDITIONS[text]


def test_counts_are_for_goals():
    for text in ("times(wait) >= 1", "count(storm for c in character) >= 1"):
        with pytest.raises(Wrong, match="is for goals and never, where it may be joined by `and` only"):
            parse_condition(text, Scope(WORDS))


WRONG_EFFECTS = {
    "at(who) == road": "'at(who) == road': write = to give a value, as in at(who) = where",
    "at(c) == road for c in item": "'at(c) == road for c in item': write = to give a value, as in at(who) = where",
    "at(who) = road and storm": "'at(who) = road and storm': '=' gives a value to a fact, as in at(who) = where",
    "dead(c) for c in character if at(c) = road": "'dead(c) for c in character if at(c) = road': write == to compare",
    "at(c) == hut for c in character if at(c) = road": (
        "'at(c) == hut for c in character if at(c) = road': write == to compare"
    ),
    "at(c) = hut for c in character if at(c) = road": (
        f"'at(c) = hut for c in character if at(c) = road' {NOT_SYNTAX} (invalid syntax)"
    ),
    "": "'()' is not a fact; facts are name(object, …)",
    "storm, storm": "'(storm, storm)' is not a fact; facts are name(object, …)",
    "dead(who) and storm": "'dead(who) and storm' is not a fact; facts are name(object, …)",
    "not not storm": "'not storm' is not a fact; facts are name(object, …)",
    "not at(who)": "'at(who)' has a value: write at(who) = …",
    "at(who)": "'at(who)' has a value: write at(who) = …",
    "dead(who) = true": "'dead(who)' is true or false: write dead(who) or not dead(who)",
    "at(who) = dead(who)": "'dead(who)' is true or false and has no value to compare or give",
    "at(who) = nowhere": f"unknown name 'nowhere'; did you mean 'where'? known: {OBJECTS}",
    "at(who) = where": "at takes place, but where is place or item",
    "at(who) = location(what)": "at takes place, but location(what) is place or character",
    "who = alice": "'who' is an object and not a fact; facts are name(object, …)",
    "police(who)": "'police(who)': police is a type, which takes one object and never changes",
    "storm if dead(who)": f"'storm if dead(who)' {NOT_SYNTAX} (expected 'else' after 'if' expression)",
    "at(who) := road": f"'at(who) := road' {NOT_SYNTAX} (invalid syntax)",
    "dead(c) for c in people": f"unknown type 'people'; did you mean 'police'? known: {CHARACTER_TYPES}",
    "dead(c) for c in character if times(wait) > 1": (f"'times(wait)': times {ONLY_JOINED}"),
}


@pytest.mark.parametrize("text", WRONG_EFFECTS)
def test_wrong_effects(text):
    with pytest.raises(Wrong) as caught:
        parse_effect(text, replace(SCOPE, counts=False))
    assert str(caught.value) == WRONG_EFFECTS[text]


A_FACT = "a fact is name(type, …) or name(type, …) = type"
WRONG_KINDS = {
    "": f"'' {NOT_SYNTAX} (invalid syntax)",
    "not dead(character)": f"'not dead(character)': {A_FACT}",
    "dead(character) and storm": f"'dead(character) and storm': {A_FACT}",
    "at(character) > place": f"'at(character) > place': {A_FACT}",
    "world.storm(character)": f"'world.storm(character)': {A_FACT}",
    "dead(alice)": f"unknown type 'alice'; did you mean 'police'? known: {CHARACTER_TYPES}",
    "at(character) = road": f"unknown type 'road'; known: {CHARACTER_TYPES}",
    "at(character) = 3": "unknown type '3'; types are joined by |",
    "at(character) = place = item": f"'at(character) = place = item' {NOT_SYNTAX} (invalid syntax)",
}


@pytest.mark.parametrize("text", WRONG_KINDS)
def test_wrong_kinds_of_facts(text):
    with pytest.raises(Wrong) as caught:
        parse_kind(text, WORDS.types)
    assert str(caught.value) == WRONG_KINDS[text]


PIECES = st.sampled_from(
    ["dead", "at", "weather", "storm", "who", "alice", "road", "police", "character", "c", "wait", "(", ")", ",", " ",
     "not ", " and ", " or ", "==", "!=", "=", ">=", "<", "any(", "all(", "count(", "times(", " for ", " in ", " if ",
     " else ", "|", "1", "0x", "1e9", "True", ".", "[", "]", "{", "}", ":", ":=", "*", "**", "lambda ", "f'", "b'", "'",
     '"', "\\", "\\N{", "\n", "\t", "#", "\0", "\ud800", "é", "ﬁ", "²", "\u00a0", ";", "@", "~", "...", "%"]
)  # fmt: skip


@settings(max_examples=300)
@given(text=st.one_of(st.text(max_size=80), st.lists(PIECES, max_size=30).map("".join)))
def test_any_text_parses_or_is_wrong(text):
    told = []
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for parse, context in ((parse_condition, SCOPE), (parse_effect, SCOPE), (parse_kind, WORDS.types)):
            try:
                parse(text, context)
            except Wrong as wrong:
                told.append(str(wrong))
    assert not any("\n" in each for each in told)


@pytest.mark.parametrize(
    "text",
    [
        "(" * 5000,
        "[" * 190 + "]" * 190,
        "-" * 9999,
        "not " * 2499,
        "a" + ".b" * 4999,
        "a" + "()" * 4999,
        "1+" * 4999 + "1",
        "storm if storm else " * 480 + "storm",
        "lambda:" * 1400 + "storm",
        "9" * 9999,
        "0x" + "f" * 9000 + " == who",
        "dead(" + "9e9999" + ")",
        "f'" + "{" * 99 + "}" * 99 + "'",
        "any(" * 90 + "storm" + " for c in item)" * 90,
    ],
    ids=lambda text: text[:12],
)
def test_texts_that_are_hard_on_a_parser_are_wrong(text):
    for parse, context in ((parse_condition, SCOPE), (parse_effect, SCOPE), (parse_kind, WORDS.types)):
        with pytest.raises(Wrong) as caught:
            parse(text, context)
        assert len(str(caught.value)) < 300


@given(seed=st.integers(0, 2**32))
def test_random_conditions_speak_of_what_they_name(seed):
    """Bound variables and objects are all that conditions speak of; the parts of a condition say the same joined."""
    text = Writer(seed).condition({"p0": "character"})
    condition = parse_condition(text, Scope(WORDS, {"p0": ("character",)}))
    assert all(name in text for name in terms_in(condition))
    assert {fact.kind for fact in facts_in(condition)} <= set(WORDS.facts)
    assert {name for fact in facts_in(condition) for name in fact.arguments} <= set(terms_in(condition))
    assert not any(isinstance(part, And) for part in parts_of(condition))


def test_every_way_to_choose():
    loops = (Loop("c", ("citizen",), Constant(False)), Loop("w", ("weapon", "home"), ALWAYS))
    chosen = [(each["c"], each["w"]) for each in bindings(loops, WORDS, {"who": "cop"})]
    assert chosen == [(c, w) for c in ("alice", "bob") for w in ("house", "hut", "rod")]
    assert list(bindings((), WORDS, {"who": "cop"})) == [{"who": "cop"}]


def test_messages_are_short():
    assert shortened(" a \n b ") == "a b"
    assert shortened("x" * 80) == "x" * 80
    assert shortened("x" * 81) == "x" * 77 + "…"
