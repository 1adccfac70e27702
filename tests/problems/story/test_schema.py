"""The schema for editors knows what the reader knows, and accepts the worlds that come with Arbora."""

import json
from pathlib import Path
from typing import Any

import pytest
import yaml

from arbora.problems.story import reading
from arbora.problems.story.plain import start
from arbora.problems.story.reading import SHAPES, Shape, read_world
from arbora.problems.story.templates import PRONOUNS
from arbora.problems.story.world import build

FOLDER = Path(reading.__file__).parent
STARTER = FOLDER / "starter.yaml"
SCHEMA = json.loads((FOLDER / "schema.json").read_text(encoding="utf-8"))
WORLDS = [STARTER, *sorted(reading.WORLDS.glob("*.yaml"))]


@pytest.fixture(scope="module")
def validator():
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


def as_editors_see(text: str) -> Any:
    """YAML with its types: numbers, true and false."""
    return yaml.safe_load(text)


def options(schema: dict[str, Any]) -> list[dict[str, Any]]:
    """The ways in which a part of the schema can be met, references followed."""
    if "$ref" in schema:
        return options(SCHEMA["$defs"][schema["$ref"].removeprefix("#/$defs/")])
    return [each for option in schema["anyOf"] for each in options(option)] if "anyOf" in schema else [schema]


def differences(shape: Shape, schema: dict[str, Any], path: str, seen: set[int]) -> list[str]:
    """Where a shape and a part of the schema do not allow the same keys, texts and lists."""
    if id(shape) in seen:
        return []
    seen = {*seen, id(shape)}
    ways = options(schema)
    texts = any("enum" in way or "string" in way["type"] for way in ways)
    lists = [way["items"] for way in ways if "items" in way]
    known = {key: inner for way in ways for key, inner in way.get("properties", {}).items()}
    needs = {key for way in ways for key in way.get("required", [])}
    closed = all(way["additionalProperties"] is False for way in ways if "properties" in way)
    named = [way["additionalProperties"] for way in ways if way.get("additionalProperties")]
    same = {
        "text": shape.text == texts,
        "items": bool(shape.items) == bool(lists),
        "keys": set(shape.keys) == set(known) and closed,
        "names": bool(shape.names) == bool(named),
        "needs": set(shape.needs) == needs,
    }
    found = [f"{path}: {part}" for part, equal in same.items() if not equal]
    for part, name in ((lists, shape.items), (named, shape.names)):
        for inner in part if name else ():
            found += differences(SHAPES[name], inner, f"{path}.*", seen)
    for key in set(shape.keys) & set(known):
        found += differences(SHAPES[shape.keys[key]], known[key], f"{path}.{key}", seen)
    return found


def test_the_schema_knows_the_keys_that_the_reader_knows():
    assert differences(SHAPES["world"], SCHEMA, "world", set()) == []


def test_the_schema_knows_the_pronouns():
    thing = options(SCHEMA["$defs"]["thing"])[1]
    assert set(thing["properties"]["pronoun"]["enum"]) == {*PRONOUNS, "", None}


def test_every_key_is_described():
    def undescribed(part: Any) -> list[str]:
        if isinstance(part, list):
            return [each for inner in part for each in undescribed(inner)]
        if not isinstance(part, dict):
            return []
        own = [key for key, inner in part.get("properties", {}).items() if not inner.get("description", "").endswith(".")]
        return own + [each for inner in part.values() for each in undescribed(inner)]

    assert undescribed(SCHEMA) == []


@pytest.mark.parametrize("path", WORLDS, ids=lambda path: path.stem)
def test_worlds_are_valid(validator, path):
    text = path.read_text(encoding="utf-8")
    assert [error.message for error in validator.iter_errors(as_editors_see(text))] == []


GOOD = """
title: 1984
length: 7
include: people.yaml
types: {no: place}
characters: {7: person, alice: {name: 1, pronoun: she, owner:}}
places: {on:, off: {}}
things:
actions:
  wait:
  go: {with: {who: character}, if: true, then: moved(who), believable: 1, minor: true, text: "{who} went"}
  do:
    then: [a, {if: b, then: [c, {if: true, then: d}]}]
    believable: [{if: a, is: 0.5, because: b}, {is: 1}]
    text: [a, {if: b, say: c}, {say: 3}]
goals: {a: true, b: {if: c, weight: 2.5, must: false}}
never: [a]
"""


def test_what_editors_take_for_numbers_is_valid(validator):
    seen = as_editors_see(GOOD)
    seen["characters"] = {str(name): given for name, given in seen["characters"].items()}
    seen["places"] = {str(name): given for name, given in seen["places"].items()}
    seen["types"] = {str(name): given for name, given in seen["types"].items()}
    assert [error.message for error in validator.iter_errors(seen)] == []


@pytest.mark.parametrize(
    "text",
    [
        "titel: a",
        "[a]",
        "facts: dead(character)",
        "facts: [{dead: character}]",
        "start: [{if: a, then: b}]",
        "never: {a: b}",
        "types: [a]",
        "characters: [alice]",
        "characters: {alice: {nmae: Alice}}",
        "characters: {alice: {pronoun: her}}",
        "items: {vase: [item]}",
        "include: {a: b}",
        "title: [a]",
        "actions: {go: walk}",
        "actions: {go: {whit: {}}}",
        "actions: {go: {with: [who]}}",
        "actions: {go: {then: {if: a, then: b}}}",
        "actions: {go: {then: [{if: a}]}}",
        "actions: {go: {believable: [1]}}",
        "actions: {go: {believable: [{if: a}]}}",
        "actions: {go: {text: [{if: a}]}}",
        "actions: {go: {minor: sometimes}}",
        "goals: [a]",
        "goals: {a: {weight: 2}}",
        "goals: {a: {if: b, must: maybe}}",
    ],
)
def test_broken_worlds_are_not_valid(validator, text):
    assert not validator.is_valid(as_editors_see(text))


def test_the_start_of_a_world_of_one_s_own_names_the_schema():
    first = STARTER.read_text(encoding="utf-8").splitlines()[0]
    assert first == "# yaml-language-server: $schema=story.schema.json"


def test_the_start_of_a_world_of_one_s_own_shows_every_key():
    """All but `include`, which only a comment can show."""

    def keys(data: Any, shape: Shape) -> set[tuple[str, str]]:
        if isinstance(data, list):
            return set().union(*(keys(each, SHAPES[shape.items]) for each in data))
        if not isinstance(data, dict):
            return set()
        own = {(shape.told, key) for key in data if shape.keys}
        return own.union(*(keys(inner, SHAPES[shape.names or shape.keys[key]]) for key, inner in data.items()))

    known = {(shape.told, key) for shape in SHAPES.values() for key in shape.keys}
    shown = keys(read_world(STARTER).data, SHAPES["world"])
    assert known - shown == {(SHAPES["world"].told, "include")}
    assert "# include: [" in STARTER.read_text(encoding="utf-8")


def test_the_start_of_a_world_of_one_s_own_can_be_told_in_eight_actions():
    world = build(read_world(STARTER))
    scene = start(world)
    believability = 1.0
    for wanted in (
        "walk(ada, cellar)",
        "take(ada, oil, cellar)",
        "walk(ada, tower)",
        "light(ada, beacon)",
        "sail_home(tom)",
        "walk(ada, kitchen)",
        "comfort(ada, biscuit)",
        "drink_tea(ada, tom)",
    ):
        event = next(event for event in scene.events() if str(event) == wanted)
        believability *= scene.rule(event).value
        assert not all(scene.met(goal) for goal in world.goals)
        scene = scene.after(event)
    assert all(scene.met(goal) for goal in world.goals)
    assert believability == pytest.approx(0.98**3 * 0.99 * 0.8)
