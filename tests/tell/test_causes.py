"""Why things happen in a story: what each action rests upon, and the goals that it serves."""

from typing import Any

import pytest
from story_worlds import event, world_of

from arbora.problems.story.parsing import Scope, parse_condition
from arbora.problems.story.plain import Scene, start
from arbora.problems.story.reading import read_world, world_path
from arbora.problems.story.world import build
from arbora.tell.causes import Causes, causes, deciding


def traced(world: Any, *story: str) -> Causes:
    """The causes of a story, every action of which must be possible."""
    scene, events = start(world), [event(text) for text in story]
    for each in events:
        assert scene.may_happen(each), each
        scene = scene.after(each)
    return causes(start(world), events, world.goals)


@pytest.fixture(scope="module")
def crime():
    return build(read_world(world_path("crime")))


@pytest.fixture(scope="module")
def midsummer():
    return build(read_world(world_path("midsummer")))


MURDER = [  # what happens, the actions before it that it rests upon, and the goals that it serves
    ("pick_up(alice, vase, alice_home)", set(), "killed arrested"),
    ("pick_up(bob, rifle, bob_home)", set(), "killed arrested"),
    ("move(bob, alice_home)", set(), "killed arrested"),
    ("steal(bob, alice, vase, alice_home)", {0, 2}, "killed arrested"),
    ("steal(alice, bob, vase, alice_home)", {2, 3}, "killed arrested"),  # which makes Bob furious
    ("move(charlie, court)", set(), ""),
    ("pick_up(charlie, basketball, court)", {5}, ""),
    ("kill(bob, alice, rifle, alice_home)", {1, 2, 4}, "killed arrested"),
    ("move(sherlock, alice_home)", set(), "arrested"),
    ("find_clue(sherlock, murder, rifle, alice_home)", {7, 8}, "arrested"),
    ("suspect(sherlock, bob, murder, rifle)", {1, 2, 8, 9}, "arrested"),
    ("disarm(sherlock, bob, rifle)", {1, 2, 8, 10}, "arrested"),
    ("arrest(sherlock, bob, rifle, alice_home)", {2, 8, 10, 11}, "arrested"),
    ("earthquake(david_home)", set(), "killed"),
]


def test_a_murder(crime):
    """All but Charlie's game."""
    found = traced(crime, *(text for text, _, _ in MURDER))
    assert found.rests_on == [rests_on for _, rests_on, _ in MURDER]
    assert [{name.split()[1] for name in each} for each in found.serves] == [set(goals.split()) for _, _, goals in MURDER]


def test_what_serves_a_goal_that_is_not_met_serves_nothing(crime):
    found = traced(crime, *(text for text, _, _ in MURDER[:-1]))
    assert found.serves[5:7] == [set(), set()]
    assert found.serves[0] == found.serves[-1] == {"murderer arrested"}


def room(**more: Any) -> Any:
    return world_of(
        {
            "characters": {"ann": {}, "ben": {}},
            "places": {"hall": {}, "yard": {}},
            "facts": ["at(character) = place", "sad(character)", "open", "told(character)"],
            "start": ["at(ann) = hall", "at(ben) = hall", "sad(ann)"],
            "actions": {
                "go": {"with": {"who": "character", "to": "place"}, "if": "at(who) != to", "then": "at(who) = to"},
                "follow": {"with": {"who": "character", "whom": "character"}, "then": "at(who) = at(whom)"},
                "unlock": {"then": "open"},
                "lock": {"then": "not open"},
                "cheer": {
                    "with": {"who": "character", "whom": "character"},
                    "if": "at(who) == at(whom)",
                    "then": "not sad(whom)",
                    "believable": [{"if": "open", "is": "1"}, {"is": "0.5"}],
                },
                "hurt": {"with": {"who": "character"}, "then": "sad(who)"},
                "announce": {"then": "told(c) for c in character if at(c) == hall"},
                "wave": {},
            },
            **more,
        }
    )


def serving(goal: str, *story: str) -> list[int]:
    """The numbers of the actions that serve the goal."""
    found = traced(room(goals={"goal": goal}), *story)
    return [number for number, each in enumerate(found.serves) if each]


def test_links():
    world = room()
    links = [
        (["unlock", "cheer(ben, ann)"], [set(), {0}]),  # believable because of it
        (["unlock", "lock", "cheer(ben, ann)"], [set(), set(), set()]),  # a rule that does not match is no cause
        (["unlock", "unlock", "cheer(ben, ann)"], [set(), set(), {0}]),  # nothing new
        (["go(ann, yard)", "go(ben, yard)", "cheer(ben, ann)"], [set(), set(), {0, 1}]),
        (["go(ann, yard)", "follow(ben, ann)"], [set(), {0}]),  # a value from elsewhere
        (["go(ann, yard)", "go(ann, hall)", "announce"], [set(), {0}, {1}]),  # for all of a loop
        (["go(ann, yard)", "announce"], [set(), set()]),
        (["wave", "wave"], [set(), set()]),
    ]
    for story, rests_on in links:
        assert traced(world, *story).rests_on == rests_on, story


def test_goals_by_what_decides_them():
    assert serving("not sad(ann)", "wave", "cheer(ben, ann)", "unlock") == [1]
    assert serving("not sad(ann) and open", "unlock", "cheer(ben, ann)") == [0, 1]
    assert serving("at(ann) == yard or open", "go(ann, yard)", "unlock") == [0]  # one that holds is enough
    assert serving("times(wave) >= 1", "wave", "unlock", "wave") == [0, 2]
    assert serving("times(wave) <= 1 and open", "wave", "unlock") == [1]
    assert serving("any(sad(c) for c in character)", "hurt(ben)") == [0]
    assert serving("at(ann) == at(ben) and open", "go(ann, yard)", "unlock", "go(ben, yard)") == [0, 1, 2]
    assert serving("open", "lock") == []


def test_goals_that_something_is_not_so():
    """What made things untrue is a cause as well."""
    for goal in (
        "count(sad(c) for c in character) == 0",
        "count(sad(c) for c in character) < 1",
        "not any(sad(c) for c in character)",
        "all(not sad(c) for c in character)",
        "all(told(c) for c in character if sad(c))",
    ):
        assert serving(goal, "wave", "cheer(ben, ann)", "unlock") == [1], goal
    assert serving("count(sad(c) for c in character) == 1", "hurt(ben)", "cheer(ben, ann)") == [0, 1]
    assert serving("count(sad(c) for c in character) >= 1", "hurt(ben)", "cheer(ben, ann)") == [0]
    assert serving("not all(sad(c) for c in character)", "hurt(ben)", "cheer(ben, ann)") == [1]


def test_lifting_the_spell_serves_the_end_of_the_mischief(midsummer):
    story = [
        "go(toby, cottage)",
        "ask_for_potion(toby)",
        "go(toby, green)",
        "give_potion(toby, clara)",
        "go(granny, green)",
        "put_on_mask(nell)",
        "lift_spell(granny, clara)",
    ]
    served = [each & {"mischief undone"} for each in traced(midsummer, *story).serves]
    assert [number for number, each in enumerate(served) if each] == [0, 1, 2, 3, 4, 6]


def test_deciding_facts():
    """Changing none but those facts leaves the condition as it is."""
    world = room()
    scene = start(world)
    for text, facts in {
        "sad(ann)": [("sad", "ann")],
        "at(ann) == yard": [("at", "ann")],
        "at(ann) == at(ben)": [("at", "ann"), ("at", "ben")],
        "open and sad(ann)": [("open",)],
        "sad(ann) and at(ben) == hall": [("sad", "ann"), ("at", "ben")],
        "sad(ann) or open": [("sad", "ann")],
        "open or sad(ben)": [("open",), ("sad", "ben")],
        "not (open or sad(ann))": [("sad", "ann")],
        "ann == ann and character(ann) and true": [],
        "any(sad(c) for c in character)": [("sad", "ann")],
        "any(told(c) for c in character)": [("told", "ann"), ("told", "ben")],
        "any(told(c) for c in character if sad(c))": [("told", "ann"), ("sad", "ben")],
        "all(sad(c) for c in character)": [("sad", "ben")],
        "all(at(c) == hall for c in character if sad(c))": [("at", "ann"), ("sad", "ben")],
    }.items():
        condition = parse_condition(text, Scope(world.words))
        assert list(deciding(scene, condition, {})) == facts, text
        kept = Scene(world, {key: value for key, value in scene.facts.items() if key in facts})
        assert kept.holds(condition, {}) == scene.holds(condition, {})
