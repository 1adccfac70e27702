"""Stories for people: as many as were asked for, all different, the same by the same seed, with branches that replay."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest
from story_worlds import TINY, legal, moves_of, opened, story_in

from arbora import BadInput, Random
from arbora.problem import like_compiled
from arbora.problems.story.story import Story
from arbora.solve import solve
from arbora.tell import storyteller
from arbora.tell.storyteller import Budget, Found, Request, distances, stories, tell

# Everybody can catch everybody, so there are many ways to the goals; the best is that Ann catches Ben and Cat.
EASY = """
title: A game of tag
opening: it was noon
ending: Then it rained
characters: {ann: {name: Ann}, ben: {name: Ben}, cat: {name: Cat}, dan: {name: Dan}}
places: {wood: {}, yard: {}}
facts: ["caught(character)", "at(character) = place"]
start: [at(c) = yard for c in character]
actions:
  go: {with: {who: character, to: place}, if: at(who) != to, then: at(who) = to, minor: true}
  catch:
    with: {who: character, whom: character}
    if: at(who) == at(whom) and not caught(whom)
    then: caught(whom)
    believable:
      - {if: who == ann and (whom == ben or whom == cat), is: 1, because: "{who} was quickest"}
      - {if: caught(who), is: 0.9, because: "{who} knew how it is done"}
      - {is: 0.8, because: "{who} was quick"}
    text: "{who} caught {whom}."
goals:
  two caught: count(caught(c) for c in character) == 2
length: 8
"""


@pytest.fixture(autouse=True)
def interpreted(monkeypatch):
    """Nothing is compiled: stories are few and short here."""
    monkeypatch.setattr(storyteller, "solve", partial(solve, compiled=False))


@pytest.fixture
def easy(tmp_path):
    return story_in(tmp_path, EASY)


def asked(story: Any, **more: Any) -> list[Found]:
    return list(stories(Request(story, Random(), **({"playouts": 400} | more))))


def test_several_stories_that_differ(easy):
    found = asked(easy, stories=4, distance=0.6, playouts=4000)
    assert len(found) == 4
    assert sorted(found[0].moves) == sorted(moves_of(easy, "catch(ann, ben)", "catch(ann, cat)"))
    for each in found:
        assert all(goal.met for goal in each.telling.goals)
        assert each.telling.score == each.telling.believability > 0
        assert each.moves == [beat.move for beat in each.telling.beats]
    matrix = distances(easy, [each.moves for each in found])
    assert all(matrix[i][j] >= 0.6 for i in range(4) for j in range(i))


def test_the_same_seed_tells_the_same(easy):
    first, same, other = (asked(easy, stories=2, branches=1, seed=seed) for seed in (1, 1, 7))
    assert [each.telling for each in first] == [each.telling for each in same]
    assert [each.moves for each in first] != [each.moves for each in other]


def test_branches_replay_and_part_at_their_step(easy):
    (found,) = asked(easy, branches=3, tidy=False)
    branches, moves = found.telling.branches, found.moves
    assert branches
    assert len({branch.at for branch in branches}) == len(branches)
    for branch in branches:
        assert branch.beats[0].move != moves[branch.at]
        whole = [*moves[: branch.at], *(beat.move for beat in branch.beats)]
        state = opened(easy)
        with like_compiled():
            for move in whole:
                assert move in legal(easy, state)
                easy.play(state, move)
            assert legal(easy, state) == []
            assert easy.score(state) == branch.score
            assert state.believability == branch.believability
        assert [goal.met for goal in branch.goals] == [bool(state.met)]


def test_a_story_in_words(easy):
    telling = tell(easy, moves_of(easy, "go(ann, wood)", "catch(ben, cat)", "catch(cat, dan)"), 1)
    assert telling.title == "A game of tag"
    assert (telling.opening, telling.ending) == ("It was noon.", "Then it rained.")
    assert telling.score == telling.believability == 0.8 * 0.9
    assert [(goal.name, goal.met, goal.weight, goal.must) for goal in telling.goals] == [("two caught", True, 1.0, False)]
    assert [str(beat.event) for beat in telling.beats] == ["go(ann, wood)", "catch(ben, cat)", "catch(cat, dan)"]
    assert [beat.believability for beat in telling.beats] == [1.0, 0.8, 0.9]
    assert [beat.because for beat in telling.beats] == ["", "Ben was quick", "Cat knew how it is done"]
    assert [beat.serves for beat in telling.beats] == [(), ("two caught",), ("two caught",)]
    assert telling.text.startswith("It was noon.")
    assert telling.text.endswith("Then it rained.")
    assert telling.branches == ()


def test_no_ending_without_the_goals(easy):
    telling = tell(easy, moves_of(easy, "catch(ben, cat)"), 1)
    assert telling.ending == ""
    assert telling.score == 0.0
    assert not telling.goals[0].met


def test_a_story_is_scored_by_itself_even_if_it_should_differ(easy):
    """What was told before is no part of the score that is shown."""
    moves = moves_of(easy, "catch(ben, cat)", "catch(cat, dan)")
    assert tell(easy.unlike([moves], 1.0), moves, 1) == tell(easy, moves, 1)


def test_what_cannot_happen_is_not_told(easy):
    with pytest.raises(BadInput, match=r"^catch\(ben, cat\) cannot happen there$"):
        tell(easy, moves_of(easy, "go(ben, wood)", "catch(ben, cat)"), 1)


def test_distances_by_hand(easy):
    told = [
        moves_of(easy, "catch(ben, cat)", "catch(cat, dan)"),
        moves_of(easy, "go(ann, wood)", "catch(cat, dan)", "catch(dan, ann)", "catch(dan, ben)"),
        moves_of(easy, "go(ann, wood)"),
        moves_of(easy, "catch(ben, cat)", "catch(ben, cat)"),
        [],
    ]
    assert distances(easy, told) == [
        [0.0, 0.75, 1.0, 0.5, 1.0],
        [0.75, 0.0, 1.0, 1.0, 1.0],
        [1.0, 1.0, 0.0, 1.0, 0.0],
        [0.5, 1.0, 1.0, 0.0, 1.0],
        [1.0, 1.0, 0.0, 1.0, 0.0],
    ]
    assert distances(easy, []) == []


def test_distances_are_what_scores_go_by(tmp_path):
    story = story_in(tmp_path, TINY)
    told = [moves_of(story, "tease(ann, ben)"), moves_of(story, "tease(ann, ben)", "give(ann, ben)")]
    state = opened(story)
    with like_compiled():
        for move in told[1]:
            story.play(state, move)
    assert story.unlike(told[:1], 1.0).novelty(state) == distances(story, told)[0][1] == 0.5


def test_tidy_or_not(easy):
    """A search that chooses at random tells of much that does not matter."""
    (long,), (short,) = asked(easy, tidy=False, seed=3), asked(easy, tidy=True, seed=3)
    assert len(short.moves) <= len(long.moves)
    assert all(beat.serves for beat in short.telling.beats)


def test_a_budget_is_shared():
    assert Budget(10.0, 100).part(0.25) == Budget(2.5, 25)
    assert Budget(None, 2).part(0.25) == Budget(None, 1)
    assert Budget(3.0, None).part(0.5) == Budget(1.5, None)
    assert Request(None, None).budget().playouts is None
    assert Request(None, None).budget().seconds is not None
    assert Request(None, None, playouts=5).budget() == Budget(None, 5)


def test_each_story_is_watched(easy):
    seen = []
    list(stories(Request(easy, Random(), playouts=40, stories=2), watch=lambda number, _: seen.append(number)))
    assert set(seen) <= {0, 1}
    assert seen == sorted(seen)


def test_requests_that_cannot_be_met(easy):
    wrong = {
        "stories": (0, "stories=0 is not allowed; stories takes a whole number from 1 to 100"),
        "branches": (21, "branches=21 is not allowed; branches takes a whole number from 0 to 20"),
        "distance": (1.5, "distance=1.5 is not allowed; distance takes a number from 0 to 1"),
    }
    for name, (value, message) in wrong.items():
        with pytest.raises(BadInput) as caught:
            next(stories(replace(Request(easy, Random(), playouts=1), **{name: value})))
        assert str(caught.value) == message
    with pytest.raises(BadInput, match=r"^Random is not a story; give an arbora\.Story$"):
        next(stories(Request(Random(), Random())))
    assert type(easy) is Story
