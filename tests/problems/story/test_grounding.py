"""What can ever happen: goals out of reach, rules that never match, and nothing left out that a story may come to."""

import random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from story_worlds import TINY, Writer, event, story_in, street, world_of

from arbora.errors import BadInput
from arbora.problems.story.grounding import Ground, ground
from arbora.problems.story.plain import Event, start

STEPS = {  # a row of actions, each of which needs the one before it
    "facts": ["one", "two", "three", "other"],
    "actions": {
        "first": {"then": "one"},
        "second": {"if": "one", "then": "two"},
        "third": {"if": "two", "then": "three"},
        "lost": {"if": "other", "then": "three"},
    },
}


def grounded(data: Any, *goals: str, length: int = 20, never: str = "") -> Ground:
    world = world_of(data)
    return ground(world, [world.goal(text) for text in goals], [world.forbidden(never)] if never else [], length)


def refused(data: Any, *goals: str, length: int = 20) -> str:
    with pytest.raises(BadInput) as caught:
        grounded(data, *goals, length=length)
    return str(caught.value)


def test_goals_out_of_reach():
    assert refused(STEPS, "one", "other") == "goal 'other' can never be reached: no action makes it true"
    assert refused(STEPS, "times(lost) >= 1") == ("goal 'times(lost) >= 1' can never be reached: no action makes it true")
    for text in ("one and other", "other or false", "one and times(lost) == 1", "not true", "times(first) < 0"):
        assert "can never be reached" in refused(STEPS, text)
    street_of = {**street().document.data, "actions": {"kill": {"with": {"who": "citizen"}, "then": "dead(who)"}}}
    assert "can never be reached" in refused(street_of, "count(dead(c) for c in character) >= 3")
    assert "can never be reached" in refused(street_of, "count(kind(c) or dead(c) for c in character) == 0")
    assert "can never be reached" in refused(street_of, "dead(cop)")
    assert grounded(street_of, "count(dead(c) for c in character) >= 2").goals


@pytest.mark.parametrize(
    ("goal", "steps"), [("one", 1), ("two", 2), ("three", 3), ("times(third) >= 1", 3), ("times(first) > 4", 5)]
)
def test_goals_that_take_longer_than_the_story(goal, steps):
    assert grounded(STEPS, goal, length=steps).goals
    if steps > 1:
        assert refused(STEPS, goal, length=steps - 1) == (
            f"goal {goal!r} takes {steps} actions or more, but a story may have {steps - 1}"
        )


def test_goals_of_the_world_are_named_with_their_place():
    for name in ("peace", "world"):
        world = world_of({**STEPS, "goals": {name: "other"}})
        with pytest.raises(BadInput) as caught:
            ground(world, world.goals, [], 20)
        assert str(caught.value) == f"world: goal {name!r} can never be reached: no action makes it true"


def test_actions_out_of_reach_are_left_out():
    made = grounded(STEPS, "three")
    assert made.idle == ["lost"]
    assert [str(each.event) for each in made.events] == ["first()", "second()", "third()"]


def test_all_goals_met_at_the_start():
    start_of = {**STEPS, "start": ["one"]}
    assert refused(start_of, "one", "not two") == "goal 'one': all goals are met at the start; there is no story to tell"
    assert refused(start_of, "times(first) == 0") == (
        "goal 'times(first) == 0': all goals are met at the start; there is no story to tell"
    )
    assert len(grounded(start_of, "one", "two").goals) == 2


def test_a_count_that_is_too_high_at_the_start_is_a_goal():
    """Two may be angry at most, and three are: though each of them alone may stay as it is."""
    data = {
        "characters": {"a": {}, "b": {}, "c": {}},
        "facts": ["angry(character)"],
        "start": ["angry(c) for c in character"],
        "actions": {"calm": {"with": {"who": "character"}, "then": "not angry(who)"}},
    }
    data["start"] = ["angry(x) for x in character"]
    assert grounded(data, "count(angry(x) for x in character) <= 2").goals
    assert "all goals are met" in refused(data, "count(angry(x) for x in character) <= 3")


def test_a_story_needs_goals():
    assert refused(STEPS) == "a story needs goals: in the world's file, or as conditions of your own"


def test_rules_that_never_match():
    def with_rules(*conditions: str) -> Any:
        rules = [*({"if": each, "is": "0.5"} for each in conditions), {"is": "1"}]
        return {**STEPS, "actions": {**STEPS["actions"], "second": {"if": "one", "then": "two", "believable": rules}}}

    never = "world: this rule never matches: second never happens where its `if` holds"
    for conditions in (["other"], ["not one"], ["false"], ["two", "other and two"], ["one", "two"]):
        assert refused(with_rules(*conditions), "two") == never
    for conditions in (["two"], ["not two"], ["two and three", "two"], ["one"], ["two", "not two"]):
        made = grounded(with_rules(*conditions), "two")
        assert [each.event.action for each in made.events] == ["first", "second", "third"]


def test_rules_of_idle_actions_do_not_matter():
    actions = {**STEPS["actions"], "lost": {"if": "other", "believable": [{"if": "false", "is": "1"}, {"is": "0"}]}}
    assert grounded({**STEPS, "actions": actions}, "one").idle == ["lost"]


def test_what_may_never_be_is_not_so_at_the_start():
    assert grounded(STEPS, "two", never="three").never
    with pytest.raises(BadInput, match=r"^never 'not one': what may never be true is true at the start$"):
        grounded(STEPS, "two", never="not one")


def test_conditions_with_too_many_cases():
    many = "all(likes(c, d) or hates(c, d) for c in character for d in character)"
    data = {
        "characters": {name: {} for name in "wxyz"},
        "facts": ["likes(character, character)", "hates(character, character)"],
        "actions": {"meet": {"with": {"a": "character", "b": "character"}, "then": ["likes(a, b)", "hates(b, a)"]}},
    }
    assert refused(data, many) == f"goal {many!r}: this condition has too many cases; make goals of its parts"
    data["actions"]["fret"] = {"if": many}
    assert refused(data, "likes(w, x)") == "world: the conditions of fret have too many cases; use parameters"


def test_too_many_ways(monkeypatch):
    monkeypatch.setattr("arbora.problems.story.grounding.MOST_EVENTS", 8)
    data = {
        "characters": {name: {} for name in "abc"},
        "facts": ["x"],
        "actions": {"act": {"with": {"who": "character"}, "then": "x"}},
    }
    assert len(grounded(data, "x").events) == 3
    data["actions"]["act"]["with"] = {"who": "character", "whom": "character"}
    assert len(grounded(data, "x").events) == 6
    data["characters"]["d"] = {}
    assert refused(data, "x") == "world: there are more than 8 ways for act to happen"


def test_parameters_are_different_objects(tmp_path):
    made = story_in(tmp_path, TINY)._ground()
    pairs = {(a, b) for a in ("ann", "ben", "cat") for b in ("ann", "ben", "cat") if a != b}
    assert {each.event.arguments for each in made.events if each.event.action == "tease"} == pairs
    assert {each.arguments for each in made.start.events()} == pairs
    assert not made.start.may_happen(event("tease(ann, ann)"))


def test_parameters_are_of_their_types():
    scene = start(street(actions={"greet": {"with": {"who": "citizen", "whom": "police | item"}}}))
    whole = {"alice", "bob", "cop", "cup", "rod"}
    fit = {(who, whom) for who in whole for whom in whole if scene.may_happen(Event("greet", (who, whom)))}
    assert fit == {(who, whom) for who in ("alice", "bob") for whom in ("cop", "cup", "rod")}


@given(seed=st.integers(0, 2**32), choices=st.integers(0, 2**32))
def test_nothing_is_left_out_that_a_story_comes_to(seed, choices):
    """Whatever happens by the rules as they are written is among the events, with its rule."""
    try:
        world = world_of(Writer(seed).world())
        made = ground(world, world.goals, world.never, 8)
    except BadInput:
        return
    found = {each.event: each for each in made.events}
    scene, rng = start(world), random.Random(choices)
    for _ in range(8):
        possible = list(scene.events())
        for each in possible:
            assert scene.rule(each).value in [rule.value for rule in found[each].rules]
            assert each.action not in made.idle
        if not possible:
            break
        scene = scene.after(rng.choice(possible))


def test_events_as_text():
    assert str(event("kill(bob, alice)")) == "kill(bob, alice)"
    assert event("wait") == event("wait()")
