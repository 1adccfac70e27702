"""Story worlds that tests share: a small street, random conditions and effects over it, and random worlds made of those.

Everything random is text, as a user would write it, so that parsing is always part of what is tried. It is made from a
number, which hypothesis draws: far quicker than drawing every word.
"""

import json
import random
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from arbora.problem import like_compiled, new_state
from arbora.problems.story.plain import Event, Scene
from arbora.problems.story.reading import Document
from arbora.problems.story.story import Story
from arbora.problems.story.world import World, build

STREET: dict[str, Any] = {
    "types": {"citizen": "character", "police": "character", "home": "place", "weapon": "item", "sky": "thing"},
    "characters": {"alice": "citizen", "bob": "citizen", "cop": "police"},
    "places": {"house": "home", "hut": "home", "road": {}},
    "items": {"rod": "weapon", "cup": {}},
    "things": {"sun": "sky", "rain": "sky"},
    "facts": [
        "dead(character)",
        "angry(character, character)",
        "at(character) = place",
        "location(item) = place | character",
        "storm",
        "weather = sky",
        "lives_at(citizen) = home",  # nothing changes these two
        "kind(character)",
    ],
    "start": [
        "at(c) = road for c in character",
        "at(alice) = house",
        "location(rod) = house",
        "location(cup) = bob",
        "weather = sun",
        "lives_at(alice) = house",
        "lives_at(bob) = hut",
        "kind(alice)",
        "angry(bob, alice)",
    ],
}

# As small as it can be with counts, `times`, a must goal, weights and something that may never be.
TINY = """\
characters: {ann: {}, ben: {}, cat: {}}
facts: ["rich(character)", "sad(character)"]
actions:
  give:
    with: {who: character, whom: character}
    if: not rich(whom) and (rich(who) or sad(whom))
    then: [rich(whom), "not sad(whom)"]
    believable:
      - {if: sad(whom), is: 0.9}
      - {is: 0.5}
  tease:
    with: {who: character, whom: character}
    if: not sad(whom)
    then:
      - sad(whom)
      - not rich(c) for c in character if c == whom
    believable: 0.8
goals:
  wealth: {if: count(rich(c) for c in character) >= 2, weight: 3, must: true}
  lessons: times(tease) >= 2 and count(sad(c) for c in character) <= 1
never:
  - count(sad(c) for c in character) == 3
length: 6
"""


def world_of(data: Mapping[str, Any]) -> World:
    """The world of this data, as if it stood in a file."""
    return build(Document.from_text(json.dumps(data)))


def street(**more: Any) -> World:
    return world_of({"actions": {"wait": {}}, **STREET, **more})


def story_in(folder: Path, world: str | Mapping[str, Any], **parameters: Any) -> Any:
    """A story in a world that is given by its text or data."""
    path = folder / "world.yaml"
    path.write_text(world if isinstance(world, str) else json.dumps(world), encoding="utf-8")
    return Story(world=str(path), **parameters)


def opened(story: Any) -> Any:
    """A state at the beginning of the story."""
    state = new_state(story)
    with like_compiled():
        story.reset(state)
    return state


def played(story: Any, *events: str) -> Any:
    """The state after these events, which are written `kill(bob, alice, rifle, road)`; each must be legal."""
    state = opened(story)
    with like_compiled():
        for move in moves_of(story, *events):
            assert move in legal(story, state), story.event(move)
            story.play(state, move)
    return state


def moves_of(story: Any, *events: str) -> list[int]:
    return [story.move(event(text)) for text in events]


def event(text: str) -> Event:
    name, _, rest = text.rstrip(")").partition("(")
    return Event(name, tuple(rest.split(", ")) if rest else ())


def legal(story: Any, state: Any) -> list[int]:
    """All moves at a state."""
    out = np.full(story.max_moves(), -1, np.int32)
    with like_compiled():
        return [int(move) for move in out[: story.moves(state, out)]]


def facts_of(state: Any) -> int:
    """The facts of a state as one number."""
    return sum(int(word) << 64 * i for i, word in enumerate(np.asarray(state.facts)))


def walk(story: Any, choose: Callable[[list[int]], int]) -> Iterator[tuple[Any, Scene, list[int], int]]:
    """A story, in bits and as it is written side by side: state, scene, moves, and the move that comes next.

    The last step, where the story has ended, has the move -1.
    """
    state, scene = opened(story), story.opening_scene()
    while moves := legal(story, state):
        move = choose(moves)
        yield state, scene, moves, move
        with like_compiled():
            story.play(state, move)
        scene = scene.after(story.event(move))
    yield state, scene, [], -1


TYPES = {
    "character": ["alice", "bob", "cop"],
    "citizen": ["alice", "bob"],
    "place": ["house", "hut", "road"],
    "home": ["house", "hut"],
    "item": ["rod", "cup"],
    "weapon": ["rod"],
    "sky": ["sun", "rain"],
}
ROOT_OF = {"citizen": "character", "home": "place", "weapon": "item"}
LOOPED = ["character", "citizen", "place", "item"]
Variables = Mapping[str, str]  # each variable's type


class Writer:
    """Writes random conditions, effects, goals and worlds for the street; the same seed writes the same."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def term(self, kind: str, variables: Variables) -> str:
        """A variable or object of a type, rather a variable."""
        bound = [name for name, own in variables.items() if kind in (own, ROOT_OF.get(own))]
        return self.rng.choice([*bound * 3, *TYPES[kind]])

    def fact(self, variables: Variables) -> str:
        """A fact that is true or false and that actions may change."""
        who, whom = self.term("character", variables), self.term("character", variables)
        return self.rng.choice(["storm", f"dead({who})", f"dead({whom})", f"angry({who}, {whom})"])

    def at(self, variables: Variables) -> str:
        return f"at({self.term('character', variables)})"

    def location(self, variables: Variables) -> str:
        return f"location({self.term('item', variables)})"

    def comparison(self, variables: Variables) -> str:
        def term(kind: str) -> str:
            return self.term(kind, variables)

        at, location, lives_at = self.at(variables), self.location(variables), f"lives_at({term('citizen')})"
        who = term("character")
        anybody = [name for name, kind in variables.items() if kind == "character"]
        first, second = self.rng.choice(
            [
                (at, self.rng.choice([term("place"), self.at(variables), location, lives_at])),
                (location, self.rng.choice([term("place"), term("character"), self.location(variables)])),
                ("weather", term("sky")),
                (lives_at, at),
                (who, self.rng.choice(anybody or [who])),
                (term("place"), at),
            ]
        )
        return f"{first} {self.rng.choice(['==', '!='])} {second}"

    def condition(self, variables: Variables, depth: int = 3) -> str:
        """Any condition without counts."""
        form = self.rng.choice(["atom", "not", "and", "or", "each"]) if depth else "atom"
        if form == "not":
            return f"not ({self.condition(variables, depth - 1)})"
        if form == "each":
            loops, bound = self.loops(variables, depth)
            return f"{self.rng.choice(['any', 'all'])}({self.condition(bound, depth - 1)} {loops})"
        if form != "atom":
            return f" {form} ".join(f"({self.condition(variables, depth - 1)})" for _ in range(self.rng.randint(2, 3)))
        who, what = self.term("character", variables), self.term("item", variables)
        rare = self.rng.choice(["true", "false", f"kind({who})", f"citizen({who})", f"weapon({what})"])
        return self.rng.choice([rare, self.fact(variables), self.comparison(variables), self.comparison(variables)])

    def loops(self, variables: Variables, depth: int) -> tuple[str, Variables]:
        """One or two loops, with the variables that are bound in them."""
        bound, text = dict(variables), []
        for _ in range(self.rng.randint(1, 2)):
            name, kind = f"v{len(bound)}", self.rng.choice(LOOPED)
            bound[name] = kind
            text.append(f"for {name} in {kind}")
            if self.rng.random() < 0.5:
                text.append(f"if {self.condition(bound, max(depth - 2, 0))}")
        return " ".join(text), bound

    def effect(self, variables: Variables) -> Any:
        """A change, of one object or all of a loop, with a condition or without."""
        loops, bound = self.loops(variables, 2) if self.rng.random() < 0.5 else ("", variables)
        place, character = self.term("place", bound), self.term("character", bound)
        text = self.rng.choice(
            [
                self.fact(bound),
                f"not {self.fact(bound)}",
                f"{self.at(bound)} = {self.rng.choice([place, self.at(bound)])}",
                f"{self.location(bound)} = {self.rng.choice([place, character, self.at(bound), self.location(bound)])}",
                f"weather = {self.term('sky', bound)}",
            ]
        )
        text = f"{text} {loops}".strip()
        return {"if": self.condition(variables, 1), "then": [text]} if self.rng.random() < 0.3 else text

    def action(self) -> dict[str, Any]:
        variables = {f"p{i}": self.rng.choice(LOOPED) for i in range(self.rng.randint(0, 3))}
        rules = [{"if": self.condition(variables, 2), "is": "0.5"} for _ in range(self.rng.randint(0, 1))]
        return {
            "with": variables,
            "if": self.condition(variables, self.rng.randint(0, 2)),
            "then": [self.effect(variables) for _ in range(self.rng.randint(1, 4))],
            "believable": [*rules, {"is": self.rng.choice(["0.9", "1"])}],
            "minor": self.rng.choice(["true", "false"]),
        }

    def goal(self) -> str:
        """A condition, a count, or two of them."""
        parts = []
        for _ in range(self.rng.randint(1, 2)):
            limit = f"{self.rng.choice(['>=', '>', '==', '<=', '<'])} {self.rng.randint(0, 3)}"
            loops, bound = self.loops({}, 2)
            count = f"count({self.condition(bound, 1)} {loops}) {limit}"
            parts.append(self.rng.choice([count, f"times(a0) {limit}", f"({self.condition({}, 2)})"]))
        return " and ".join(parts)

    def world(self) -> dict[str, Any]:
        """A world on the street. It may have no story to tell."""
        often = {"often": {"if": "times(a0) >= 2", "must": "true"}}
        return STREET | {
            "actions": {f"a{i}": self.action() for i in range(self.rng.randint(1, 3))},
            "goals": {f"g{i}": {"if": self.goal(), "weight": "2"} for i in range(self.rng.randint(0, 1))} | often,
            "never": [self.goal() for _ in range(self.rng.randint(0, 1))],
            "length": "8",
        }
