"""From files to worlds: what things become, and every mistake with its file, its line and what is allowed."""

from pathlib import Path

import pytest
import yaml
from story_worlds import STREET, street, world_of

from arbora.component import fill
from arbora.errors import BadInput
from arbora.problems.story.conditions import ALWAYS, And, Change, Each, Effect, Fact, FactKind, Loop, Not, Same, Times, Value
from arbora.problems.story.plain import start
from arbora.problems.story.reading import Document, read_world
from arbora.problems.story.story import Story
from arbora.problems.story.world import MOST_GOALS, Goal, Rule, Sentence, Thing, World, build

WORLD = """\
title: At the inn
about: Very little.
length: 7
types:
  guest: character
  noble: guest
characters:
  ann: {type: noble, name: Lady Ann, pronoun: she}
  bob: guest
  cat:
places:
  inn: {}
  back_room: {owner: inn}
items:
  gold: {article: some}
  sword: {owner: ann, name: rapier}
things:
  debt: {}
facts:
  - at(character) = place
  - happy(character)
  - owes(guest, guest | noble) = thing | item
  - closed
start:
  - at(c) = inn for c in character
  - owes(a, b) = debt for a in guest for b in guest
actions:
  walk_in:
    with: {who: guest | noble, to: place}
    if: at(who) != to
    then: at(who) = to
    minor: true
  cheer:
    with: {who: guest}
    then:
      - happy(who)
      - if: closed
        then:
          - not closed
          - if: at(who) == inn
            then: [happy(c) for c in character if c != who]
    believable:
      - {if: closed, is: 0.5, because: "{who} was {who.themself}"}
      - is: .25
    text:
      - {if: happy(who), say: "{who} laughed"}
      - {if: closed, say: Hey!}
  wait:
    believable: 0.75
    text: Nothing happened.
goals:
  all happy: happy(ann) and happy(bob)
  open: {if: not closed and times(cheer) >= 1, weight: 2.5, must: true}
never:
  - happy(cat) and closed
opening: The inn was quiet.
ending: The inn was loud.
"""


def built(folder: Path, text: str) -> World:
    path = folder / "world.yaml"
    path.write_text(text, encoding="utf-8")
    return build(read_world(path))


def test_a_world(tmp_path):
    world = built(tmp_path, WORLD)
    assert (world.title, world.about, world.length) == ("At the inn", "Very little.", 7)
    assert (world.opening, world.ending) == ("The inn was quiet.", "The inn was loud.")
    assert list(world.things.values()) == [
        Thing("ann", "noble", "Lady Ann", "she"),
        Thing("bob", "guest", "bob", "they"),
        Thing("cat", "character", "cat", "they"),
        Thing("inn", "place", "inn", "it"),
        Thing("back_room", "place", "back room", "it", owner="inn"),
        Thing("gold", "item", "gold", "it", article="some"),
        Thing("sword", "item", "rapier", "it", owner="ann"),
        Thing("debt", "thing", "debt", "it"),
    ]
    assert list(world.facts.values()) == [
        FactKind("at", (("character",),), ("place",)),
        FactKind("happy", (("character",),)),
        FactKind("owes", (("guest",), ("guest", "noble")), ("thing", "item")),
        FactKind("closed", ()),
    ]
    assert [where for _, where in world.start] == [f"{tmp_path}/world.yaml, line {line}" for line in (25, 26)]


def test_its_actions(tmp_path):
    actions = built(tmp_path, WORLD).actions
    here, closed, in_inn = f"{tmp_path}/world.yaml", Fact("closed", ()), Value(Fact("at", ("who",)), "inn")
    walk_in = actions["walk_in"]
    assert walk_in.parameters == (("who", ("guest", "noble")), ("to", ("place",)))
    assert walk_in.condition == Not(Value(Fact("at", ("who",)), "to"))
    assert walk_in.effects == (Effect((), ALWAYS, Change(Fact("at", ("who",)), "to")),)
    assert walk_in.rules == (Rule(ALWAYS, 1.0, "", ""),)
    assert walk_in.sentences == (Sentence("walk in {who} {to}", None, ""),)
    assert walk_in.minor
    assert walk_in.where == f"{here}, line 28"
    assert walk_in.binding(("bob", "inn")) == {"who": "bob", "to": "inn"}
    cheer = actions["cheer"]
    others = Loop("c", ("character",), And((Not(Same("c", "who")),)))
    assert cheer.condition == ALWAYS
    assert cheer.effects == (
        Effect((), ALWAYS, Change(Fact("happy", ("who",)), True)),
        Effect((), closed, Change(closed, False)),
        Effect((others,), And((closed, in_inn)), Change(Fact("happy", ("c",)), True)),
    )
    assert cheer.rules == (Rule(closed, 0.5, "{who} was {who.themself}", ""), Rule(ALWAYS, 0.25, "", ""))
    assert [rule.where for rule in cheer.rules] == [f"{here}, line 43", f"{here}, line 44"]
    assert cheer.sentences == (
        Sentence("{who} laughed", Fact("happy", ("who",)), ""),
        Sentence("Hey!", closed, ""),
        Sentence("cheer {who}", None, ""),  # what is said where no other sentence fits
    )
    assert not cheer.minor
    wait = actions["wait"]
    assert (wait.parameters, wait.condition, wait.effects) == ((), ALWAYS, ())
    assert (wait.rules, wait.sentences) == ((Rule(ALWAYS, 0.75, "", ""),), (Sentence("Nothing happened.", None, ""),))


def test_its_goals(tmp_path):
    world = built(tmp_path, WORLD)
    happy = And((Fact("happy", ("ann",)), Fact("happy", ("bob",))))
    opened = And((Not(Fact("closed", ())), Times("cheer", 1, 1 << 30)))
    assert world.goals == (Goal("all happy", happy, 1.0, False, ""), Goal("open", opened, 2.5, True, ""))
    never = And((Fact("happy", ("cat",)), Fact("closed", ())))
    assert world.never == (Goal("happy(cat) and closed", never, 1.0, True, ""),)
    assert [goal.where for goal in world.goals + world.never] == [
        f"{tmp_path}/world.yaml, line {line}" for line in (52, 53, 55)
    ]


def test_types_and_objects(tmp_path):
    world = built(tmp_path, WORLD)
    assert [kind for kind in world.words.types if world.is_a("ann", kind)] == ["character", "guest", "noble"]
    assert world.things_of(["guest"]) == ("ann", "bob")
    assert world.things_of(["item", "noble"]) == ("ann", "gold", "sword")
    assert world.things_of([]) == ()


def test_what_may_be_left_out():
    world = world_of({"actions": {"wait": {}}})
    assert (world.title, world.about, world.length, world.opening, world.ending) == ("A story", "", 20, "", "")
    assert (world.things, world.facts, world.start, world.goals, world.never) == ({}, {}, (), (), ())


OBJECTS = "ann, back_room, bob, cat, debt, gold, inn, sword"
TYPES = "character, guest, item, noble, place, thing"
FORMS = "bare, name, possessive, their, them, themself, they"
FACTS = "at, character, closed, guest, happy, item, noble, owes, place, thing"
ONLY_JOINED = "is for goals and never, where it may be joined by `and` only"
LAST_RULE = "the last rule of believable must have no `if`, so that there always is one that matches"

# What is replaced in the world above, by what, and the message
MISTAKES = {
    "length: 7": [
        (f"length: {each}", f"line 3: length must be a whole number from 1 to 200, not {each!r}")
        for each in ("0", "201", "x", "2.5", "-1", "²", "0000000200999")
    ],
    "  noble: guest": [
        ("  noble: gust", f"line 6: unknown type 'gust'; did you mean 'guest'? known: {TYPES}"),
        ("  noble: noble", "line 6: type noble is below itself"),
        ("  noble: a\n  a: b\n  b: a", "line 7: type a is below itself"),
        ("  item: guest", "line 6: type item is there already"),
        ("  no ble: guest", "line 6: type name 'no ble' is not allowed; names are letters, digits and _"),
        ("  lambda: guest", "line 6: type name 'lambda' is not allowed; names are letters, digits and _"),
        ("  count: guest", "line 6: type name 'count' is not allowed; names are letters, digits and _"),
    ],
    "  bob: guest": [
        ("  bob: gest", f"line 9: unknown type 'gest'; did you mean 'guest'? known: {TYPES}"),
        ("  bob: place", "line 9: bob stands among the characters, but type place is no character"),
        ("  noble: guest", "line 9: noble is the name of something else already"),
        ("  true: guest", "line 9: character name 'true' is not allowed; names are letters, digits and _"),
        ("  1st: guest", "line 9: character name '1st' is not allowed; names are letters, digits and _"),
        ("  ²nd: guest", "line 9: character name '²nd' is not allowed; names are letters, digits and _"),
        ("  ﬁn: guest", "line 9: character name 'ﬁn' is not allowed; names are letters, digits and _"),
        (f"  {'b' * 61}: guest", f"line 9: character name {'b' * 61!r} is not allowed; names are letters, digits and _"),
        ("  bob: {pronoun: her}", "line 9: pronoun 'her' is not allowed; pronouns are she, he, they, it"),
        (
            "  bob: {owner: inns}",
            f"line 9: unknown owner 'inns'; did you mean 'inn'? known: {OBJECTS}",
        ),
        ("  bob: {owner: bob}", "line 9: bob cannot own itself, directly or by others"),
    ],
    "  inn: {}": [
        ("  inn: {owner: back_room}", "line 12: inn cannot own itself, directly or by others"),
        ("  ann: {}", "line 12: ann is the name of something else already"),
        ("  inn: item", "line 12: inn stands among the places, but type item is no place"),
    ],
    "  - closed": [
        ("  - closed x", "line 23: 'closed x' is not a condition or effect (invalid syntax)"),
        ("  - closed()\n  - closed", "line 24: closed is the name of something else already"),
        ("  - closed\n  - guest(item)", "line 24: guest is the name of something else already"),
        ("  - closed\n  - debt", "line 24: debt is the name of something else already"),
        ("  - closed\n  - all(item)", "line 24: fact name 'all' is not allowed; names are letters, digits and _"),
        (
            "  - closed\n  - open(door)",
            f"line 24: unknown type 'door'; known: {TYPES}",
        ),
    ],
    "  - at(c) = inn for c in character": [
        ("  - at(c) = in", "line 25: 'at(c) = in' is not a condition or effect (invalid syntax)"),
        ("  - happy(inn)", "line 25: happy(inn): happy takes character, but inn is place"),
        ("  - happy(ann, bob)", "line 25: 'happy(ann, bob)' does not fit happy(character)"),
    ],
    "with: {who: guest | noble, to: place}": [
        (
            "with: {who: guest | nobel, to: place}",
            f"line 29: unknown type 'nobel'; did you mean 'noble'? known: {TYPES}",
        ),
        ("with: {inn: guest}", "line 29: parameter inn is the name of an object too; give it another name"),
        ("with: {closed: guest}", "line 29: parameter closed is the name of a fact too; give it another name"),
        ("with: {is: guest}", "line 29: parameter name 'is' is not allowed; names are letters, digits and _"),
    ],
    "if: at(who) != to": [
        ("if: at(who) = to", "line 30: 'at(who) = to': write == to compare"),
        ("if: at(whom) != to", f"line 30: unknown name 'whom'; did you mean 'who'? known: {OBJECTS}, to, who"),
        ("if: times(wait) < 1", f"line 30: 'times(wait)': times {ONLY_JOINED}"),
    ],
    "then: at(who) = to": [
        ("then: at(who) = gold", "line 31: at takes place, but gold is item"),
        ("then: [at(who) = to, at(who) == to]", "line 31: 'at(who) == to': write = to give a value, as in at(who) = where"),
    ],
    "minor: true": [("minor: yes", "line 32: minor must be true or false, not 'yes'")],
    "            then: [happy(c) for c in character if c != who]": [
        ("            then: [happy(c)]", f"line 41: unknown name 'c'; did you mean 'cat'? known: {OBJECTS}, who"),
    ],
    "- if: at(who) == inn": [("- if: at(who)", "line 40: 'at(who)' has a value, which must be compared: at(who) == …")],
    "      - is: .25": [
        ("      - {if: happy(who), is: 1}", f"line 44: {LAST_RULE}"),
        ("      - is: 1\n      - {if: closed, is: 1}", "line 45: this rule never matches: the one before it has no `if`"),
        ("      - is: 1.01", "line 44: believable must be a number from 0 to 1, not '1.01'"),
        ("      - is: much", "line 44: believable must be a number from 0 to 1, not 'much'"),
        ("      - is: nan", "line 44: believable must be a number from 0 to 1, not 'nan'"),
        ("      - {is: 1, because: '{cat}'}", "line 44: '{cat}': unknown parameter 'cat'; known: who"),
    ],
    "believable: 0.75": [
        ("believable: ''", "line 49: believable must be a number from 0 to 1, not ''"),
        ("believable: []", f"line 49: {LAST_RULE}"),
        ("then: []\n    believable: 2", "line 50: believable must be a number from 0 to 1, not '2'"),
    ],
    "      - {if: closed, say: Hey!}": [
        ("      - '{who'", "line 47: '{who': a brace without its partner; write {{ for a brace that is shown"),
        ("      - '{who.him}'", "line 47: '{who.him}': unknown form 'him'; did you mean 'them'? known: " + FORMS),
        ("      - '{who.}'", "line 47: '{who.}': unknown form ''; known: " + FORMS),
        ("      - '{}'", "line 47: '{}': unknown parameter ''; known: who"),
        ("      - ''", "line 47: a sentence needs words"),
        ("      - {if: closed, say: ''}", "line 47: a sentence needs words"),
        ("      - {if: close, say: Hey!}", f"line 47: 'close': unknown fact 'close'; did you mean 'closed'? known: {FACTS}"),
    ],
    "text: Nothing happened.": [
        ("text: '{who} waited.'", "line 50: '{who} waited.': unknown parameter 'who'; there are none"),
        ("text:", "line 50: a sentence needs words"),
    ],
    "  wait:\n": [("  w-ait:\n", "line 48: action name 'w-ait' is not allowed; names are letters, digits and _")],
    "  all happy: happy(ann) and happy(bob)": [
        ("  all happy: happy", "line 52: 'happy' does not fit happy(character)"),
        ("  all happy: times(kill) > 1", "line 52: 'times(kill)': unknown action 'kill'; known: cheer, wait, walk_in"),
    ],
    "weight: 2.5, must: true": [
        ("weight: 0", "line 53: weight must be a number from 1e-06 to 1e+06, not '0'"),
        ("weight: inf", "line 53: weight must be a number from 1e-06 to 1e+06, not 'inf'"),
        ("weight: heavy", "line 53: weight must be a number from 1e-06 to 1e+06, not 'heavy'"),
        ("must: 1", "line 53: must must be true or false, not '1'"),
    ],
    "  - happy(cat) and closed": [
        ("  - happy(dog)", f"line 55: unknown name 'dog'; known: {OBJECTS}"),
    ],
}  # fmt: skip
REFUSED = [(old, new, told) for old, each in MISTAKES.items() for new, told in each]


@pytest.mark.parametrize(("old", "new", "told"), REFUSED, ids=[new for _, new, _ in REFUSED])
def test_mistakes(tmp_path, old, new, told):
    assert WORLD.count(old) == 1
    with pytest.raises(BadInput) as caught:
        built(tmp_path, WORLD.replace(old, new))
    assert str(caught.value) == f"{tmp_path}/world.yaml, {told}"


def test_a_mistake_in_an_included_file(tmp_path):
    (tmp_path / "people.yaml").write_text("characters:\n  dora: {}\n  emil: {owner: dora}\n  fred: {owner: nobody}\n")
    with pytest.raises(BadInput) as caught:
        built(tmp_path, f"include: people.yaml\n{WORLD}")
    assert str(caught.value).startswith(f"{tmp_path}/people.yaml, line 4: unknown owner 'nobody'")


def test_a_world_needs_actions(tmp_path):
    for text in ("title: x\n", "title: x\nactions:\n"):
        with pytest.raises(BadInput) as caught:
            built(tmp_path, text)
        assert str(caught.value) == f"{tmp_path}/world.yaml, line 1: a world needs actions"


def test_owners_in_a_circle_of_three():
    things = {"a": {"owner": "c"}, "b": {"owner": "a"}, "c": {"owner": "b"}, "d": {"owner": "a"}}
    with pytest.raises(BadInput, match=r"^world: a cannot own itself, directly or by others$"):
        world_of({"items": things, "actions": {"wait": {}}})
    things["a"] = {"owner": "bob"}
    assert world_of({"characters": {"bob": {}}, "items": things, "actions": {"wait": {}}}).things["d"].owner == "a"


def test_how_many_goals_there_may_be():
    goals = {f"g{i}": "times(wait) >= 1" for i in range(MOST_GOALS)}
    assert len(street(goals=goals).goals) == MOST_GOALS == 62
    with pytest.raises(BadInput, match=r"^world: 63 goals; there may be 62$"):
        street(goals=goals | {"more": "storm"})


GOALS = {
    "the end": Goal("the end", Fact("storm", ()), 3.0, True, ""),
    "  the end ": Goal("the end", Fact("storm", ()), 3.0, True, ""),
    "storm": Goal("storm", Fact("storm", ()), 1.0, False, ""),
    "must storm": Goal("must storm", Fact("storm", ()), 1.0, True, ""),
    " must times(wait) == 2": Goal("must times(wait) == 2", Times("wait", 2, 2), 1.0, True, ""),
    "any(dead(c) for c in citizen)": Goal(
        "any(dead(c) for c in citizen)",
        Each(False, (Loop("c", ("citizen",), ALWAYS),), Fact("dead", ("c",))),
        1.0,
        False,
        "",
    ),
}


@pytest.mark.parametrize("text", GOALS)
def test_goals_of_ones_own(text):
    world = street(goals={"the end": {"if": "storm", "weight": "3", "must": "true"}})
    assert world.goal(text) == GOALS[text]


def test_goals_that_are_none():
    world = street(goals={"the end": "storm"})
    with pytest.raises(BadInput) as caught:
        world.goal("the and")
    assert str(caught.value) == (
        "goal 'the and' is neither a goal of the world nor a condition: "
        "'the and' is not a condition or effect (invalid syntax); did you mean 'the end'? known: the end"
    )
    with pytest.raises(BadInput, match=r"^goal 'must' is neither .* \(invalid syntax\); known: the end$"):
        world.goal("must")
    with pytest.raises(BadInput, match=r"^goal 'dead' .*: 'dead' does not fit dead\(character\); there are none$"):
        street().goal("dead")


def test_what_may_never_be():
    world = street()
    assert world.forbidden(" dead(bob) ") == Goal("dead(bob)", Fact("dead", ("bob",)), 1.0, True, "")
    with pytest.raises(BadInput) as caught:
        world.forbidden("dead(bo)")
    assert str(caught.value).startswith("never 'dead(bo)': unknown name 'bo'; did you mean 'bob'?")


def test_start_must_give_every_value(tmp_path):
    with pytest.raises(BadInput) as caught:
        start(built(tmp_path, WORLD.replace("at(c) = inn for c in character", "at(c) = inn for c in guest")))
    assert str(caught.value) == f"{tmp_path}/world.yaml, line 24: start gives no value to at(cat); write at(cat) = …"


def test_start_may_not_use_values_that_come_later(tmp_path):
    with pytest.raises(BadInput) as caught:
        start(built(tmp_path, WORLD.replace("at(c) = inn for c in character", "at(c) = at(cat) for c in guest")))
    assert str(caught.value) == f"{tmp_path}/world.yaml, line 25: at(ann) gets a value that is not known yet"


def test_what_is_at_the_start(tmp_path):
    more = "  - at(ann) = back_room\n  - closed\n  - happy(bob)\n  - not closed\n"
    world = built(tmp_path, WORLD.replace("  - owes(a", f"{more}  - owes(a"))
    assert start(world).facts == {
        ("at", "ann"): "back_room",
        ("at", "bob"): "inn",
        ("at", "cat"): "inn",
        ("happy", "bob"): True,
        **{("owes", a, b): "debt" for a in ("ann", "bob") for b in ("ann", "bob")},
    }


def test_never_at_the_start(tmp_path):
    with pytest.raises(BadInput) as caught:
        start(built(tmp_path, WORLD.replace("  - happy(cat) and closed", "  - happy(cat)\n  - not closed")))
    assert str(caught.value) == f"{tmp_path}/world.yaml, line 56: what may never be true is true at the start"


def test_worlds_that_say_the_same_are_the_same(tmp_path):
    """Wherever they stand, and whatever their comments and layout."""
    one, other = tmp_path / "world.yaml", tmp_path / "other.yaml"
    one.write_text(WORLD.replace("  - owes(a", "  - closed\n  - owes(a"))
    other.write_text("# a comment\n\n" + yaml.safe_dump(yaml.load(one.read_text(), yaml.BaseLoader), sort_keys=False))
    assert read_world(one) == read_world(other)
    first, second = (Story(world=str(path)) for path in (one, other))
    assert first != second
    assert fill(first, world="") == fill(second, world="")


def test_the_document_as_text_makes_the_same_world(tmp_path):
    world = built(tmp_path, WORLD)
    again = build(Document.from_text(world.document.as_text()))
    assert (again.things, again.facts, again.actions, again.goals) == (world.things, world.facts, world.actions, world.goals)
    assert start(again).facts == start(world).facts


def test_the_street_is_a_world():
    assert start(street()).facts[("at", "alice")] == "house"
    assert set(street().facts) == {text.split("(")[0].split(" ")[0] for text in STREET["facts"]}
