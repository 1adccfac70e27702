"""Every wording of the shipped worlds, told in random stories, is whole and clean."""

import random
import re
from collections.abc import Iterator

import pytest

from arbora.problems.story.plain import Event, Scene, start
from arbora.problems.story.reading import read_world, world_path
from arbora.problems.story.templates import finished, plain_sentence
from arbora.problems.story.world import World, build
from arbora.tell.prose import Narrator, plain_phrase

WHOLE = re.compile(r"[\"“]?[A-Z0-9].*[.!?…][\"”]?")
UNCLEAN = re.compile(
    r"[{}\0]|\s\s|\s[.,;:!?]|'s's|\b(her|his|their|its|she|he|they|it)['’]s\b|\b(a|an|the|some) (a|an|the|some)\b"
)


@pytest.fixture(scope="module", params=["crime", "midsummer"])
def world(request: pytest.FixtureRequest) -> World:
    return build(read_world(world_path(request.param)))


def happenings(world: World, seed: int, length: int = 12) -> Iterator[tuple[Scene, Event]]:
    """A random story, each kind of action as likely as the other."""
    rng, scene = random.Random(seed), start(world)
    for _ in range(length):
        events = list(scene.events())
        if not events:
            return
        kind = rng.choice(sorted({event.action for event in events}))
        event = rng.choice([event for event in events if event.action == kind])
        yield scene, event
        scene = scene.after(event)


def test_random_stories_are_clean(world: World) -> None:
    for seed in range(4):
        narrator = Narrator(world, seed)
        for scene, event in happenings(world, seed):
            binding = world.actions[event.action].binding(event.arguments)
            for said in (
                narrator.sentence(event, lambda condition, scene=scene, binding=binding: scene.holds(condition, binding)),
                plain_sentence(world, event),
                finished(plain_phrase(world, scene.rule(event).because, event) or "there was nothing to say"),
            ):
                assert WHOLE.fullmatch(said), said
                assert not UNCLEAN.search(said), said


def test_the_first_sentence_about_a_character_has_the_name(world: World) -> None:
    for seed in range(4):
        narrator, text = Narrator(world, seed), ""
        for scene, event in happenings(world, seed):
            binding = world.actions[event.action].binding(event.arguments)
            text += narrator.sentence(
                event, lambda condition, scene=scene, binding=binding: scene.holds(condition, binding)
            ).lower()
            templates = [sentence.text for sentence in world.actions[event.action].sentences]
            for parameter, thing in binding.items():
                if all(f"{{{parameter}}}" in template for template in templates):
                    assert world.things[thing].name.lower() in text
