"""Tidied stories: legal, whole, worth no less, and with nothing in them that could be left out."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from story_worlds import TINY, Writer, legal, moves_of, opened, played, story_in

from arbora.errors import BadInput
from arbora.problem import like_compiled
from arbora.problems.story.story import Story
from arbora.tell.editing import tidied


def ended(story: Any, moves: list[int]) -> tuple[float, bool]:
    """The score of moves that must be legal, and whether the story ends with them."""
    state = opened(story)
    with like_compiled():
        for move in moves:
            assert move in legal(story, state)
            story.play(state, move)
        return float(story.score(state)), not legal(story, state)


def random_story(story: Any, seed: int) -> list[int]:
    state, rng, told = opened(story), np.random.default_rng(seed), []
    while moves := legal(story, state):
        told.append(moves[rng.integers(len(moves))])
        with like_compiled():
            story.play(state, told[-1])
    return told


def without(story: Any, moves: list[int], at: int) -> list[int]:
    """The story without an action, and without those that cannot happen then."""
    state, kept = opened(story), []
    with like_compiled():
        for move in moves[:at] + moves[at + 1 :]:
            if move in legal(story, state):
                story.play(state, move)
                kept.append(move)
    return kept


def check_tidied(story: Any, moves: list[int]) -> list[int]:
    before, _ = ended(story, moves)
    kept = tidied(story, moves)
    after, whole = ended(story, kept)
    assert whole
    assert after >= before - 1e-12
    rest = iter(moves)
    assert all(move in rest for move in kept), "in the order that it was told"
    for at in range(len(kept)):
        value, whole = ended(story, without(story, kept, at))
        assert value < after - 1e-12 or not whole, story.event(kept[at])
    return kept


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return story_in(tmp_path_factory.mktemp("tiny"), TINY)


@given(seed=st.integers(0, 2**32))
def test_random_stories(tiny, seed):
    check_tidied(tiny, random_story(tiny, seed))


@given(seed=st.integers(0, 2**32))
def test_random_stories_of_random_worlds(tmp_path_factory, seed):
    try:
        story = story_in(tmp_path_factory.getbasetemp(), Writer(seed).world())
    except BadInput:
        return
    for number in range(4):
        check_tidied(story, random_story(story, seed + number))


def test_what_made_up_for_something_goes_with_it(tmp_path):
    """Calming down is worth it only because of the insult before it; without that it can go too."""
    story = story_in(
        tmp_path,
        """
        characters: {ann: {}}
        facts: [cross, done]
        actions:
          insult: {then: cross}
          calm: {then: not cross, believable: 0.9}
          agree: {then: done, believable: [{if: cross, is: 0.1}, {is: 1}]}
        goals: {agreed: done}
        """,
    )
    assert check_tidied(story, moves_of(story, "insult", "calm", "agree")) == moves_of(story, "agree")


def test_a_story_of_the_crime_world():
    story = Story()
    needed = ["move(sherlock, alice_home)", "earthquake(alice_home)"]
    idle = [
        "move(david, court)",
        "pick_up(david, basketball, court)",
        "move(charlie, court)",
        "play_basketball(david, charlie)",
    ]
    told = [*idle[:1], *needed[:1], *idle[1:], *needed[1:]]
    whole = moves_of(story, *told, *["move(lestrade, court)", "move(lestrade, downtown)"] * 7)
    state = played(story, *told)
    assert not state.over
    assert check_tidied(story, whole) == whole, "a story that does not end before its length keeps it"
    story = Story(goals="two killed")
    assert check_tidied(story, moves_of(story, *told)) == moves_of(story, *needed)
    assert check_tidied(story, moves_of(story, *needed)) == moves_of(story, *needed)


def test_what_makes_a_story_differ_from_others_stays(tmp_path):
    """Of two ways to the goal one is told already: the detour is worth more than the short way."""
    story = story_in(
        tmp_path,
        """
        characters: {ann: {}, ben: {}}
        facts: [done]
        actions:
          detour: {with: {who: character}, believable: 0.9}
          finish: {then: done}
        goals: {end: done}
        """,
    )
    long = moves_of(story, "detour(ann)", "finish")
    assert tidied(story, long) == moves_of(story, "finish")
    assert tidied(story.unlike([moves_of(story, "finish")], 0.5), long) == long


def test_moves_after_the_end_and_moves_that_cannot_happen_go(tiny):
    moves = random_story(tiny, 3)
    assert tidied(tiny, [*moves, *moves]) == tidied(tiny, moves)
    assert tidied(tiny, []) == []
