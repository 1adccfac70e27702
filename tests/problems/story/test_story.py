"""Stories as a problem: fast rules equal those that are written, scores by hand, and what a story may be asked for."""

import os
import pickle
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from story_worlds import TINY, Writer, event, facts_of, legal, moves_of, opened, played, story_in, walk

import arbora
from arbora import BadInput, Random
from arbora.check import interpreted_checks
from arbora.engine.rng import make_rng
from arbora.problem import like_compiled
from arbora.problems.story import reading
from arbora.problems.story.plain import Scene
from arbora.problems.story.story import MISSED_MUST, Story
from arbora.problems.story.templates import plain_sentence

STARTER = str(Path(reading.__file__).parent / "starter.yaml")
WORLDS = ("crime", "midsummer", STARTER)
NAMES = ["crime", "midsummer", "starter"]


@pytest.fixture(scope="module")
def tiny(tmp_path_factory):
    return story_in(tmp_path_factory.mktemp("tiny"), TINY)


@pytest.fixture(scope="module")
def crime():
    return Story()


class Chooser:
    """Chooses each kind of action as often as the other, so that more happens than people going to and fro."""

    def __init__(self, story: Any, seed: int) -> None:
        self.story = story
        self.rng = random.Random(seed)

    def __call__(self, moves: list[int]) -> int:
        kinds = self.story.event_action[moves]
        kind = self.rng.choice(sorted(set(kinds.tolist())))
        return self.rng.choice([move for move, own in zip(moves, kinds, strict=True) if own == kind])


def score(story: Any, *events: str) -> float:
    with like_compiled():
        return float(story.score(played(story, *events)))


def check_twins(story: Any, seed: int, every: int) -> None:
    """Along a story: moves (all of them at every so manieth step), facts, believability and goals are those of the scene."""
    bits, wanted, believability, steps = story._ground().bits, story.wanted(), 1.0, 0
    for state, scene, moves, move in walk(story, Chooser(story, seed)):
        assert len(set(moves)) == len(moves)
        if not state.over:
            if steps % every == 0:
                assert {story.event(each) for each in moves} == set(scene.events())
            else:
                tried = random.Random(seed).sample(range(story.max_moves()), min(story.max_moves(), 40))
                assert [each in moves for each in tried] == [scene.may_happen(story.event(each)) for each in tried]
        assert facts_of(state) == bits.of_scene(scene)
        assert state.believability == believability
        assert [bool(int(state.met) >> i & 1) for i in range(len(wanted))] == [scene.met(goal) for goal in wanted]
        assert state.over == (state.length == story.longest or (steps > 0 and all(scene.met(goal) for goal in wanted)))
        if move >= 0:
            believability *= scene.rule(story.event(move)).value
            steps += 1


@pytest.mark.parametrize("world", WORLDS, ids=NAMES)
def test_fast_rules_are_those_that_are_written(world):
    story = Story(world=world)
    for seed in range(4):
        check_twins(story, seed, every=4)


@settings(max_examples=150)
@given(world=st.integers(0, 2**32), seed=st.integers(0, 2**32))
def test_so_they_are_in_random_worlds(tmp_path_factory, world, seed):
    try:
        story = story_in(tmp_path_factory.getbasetemp(), Writer(world).world())
    except BadInput:
        return
    check_twins(story, seed, every=1)


@pytest.mark.parametrize("world", [*WORLDS, "tiny"], ids=[*NAMES, "tiny"])
def test_stories_conform(world, tiny):
    story = tiny if world == "tiny" else Story(world=world)
    assert len(list(interpreted_checks(story, playouts=8, seed=1))) == 6


@pytest.mark.skipif("ARBORA_SLOW_TESTS" not in os.environ, reason="takes long; set ARBORA_SLOW_TESTS to run it")
def test_compiled_stories_conform():
    """Midsummer has all that there is: counts, `times`, a must goal, weights, what may never be, values that are copied."""
    report = arbora.check_problem(Story(world="midsummer"), playouts=20)
    assert report.ok, report.failure


def test_compiled_equals_interpreted(crime):
    for seed in range(10):
        fast, slow = (arbora.solve(crime, Random(), playouts=4, seed=seed, compiled=each) for each in (True, False))
        assert (fast.score, fast.moves) == (slow.score, slow.moves)
        assert fast.moves


@pytest.mark.parametrize("seed", range(6))
def test_stories_of_the_crime_world_hold_together(crime, seed):
    before: Scene | None = None
    for _, scene, _, move in walk(crime, Chooser(crime, seed)):
        world, facts = scene.world, scene.facts
        dead = {c for c in world.things_of(["character"]) if ("dead", c) in facts}
        jailed = {c for c in world.things_of(["character"]) if facts["at", c] == "jail"}
        for item in world.things_of(["item"]):
            where = facts["location", item]
            assert world.is_a(where, "spot") or where not in dead | jailed, "only the living and free hold things"
        if before is not None:
            for c in world.things_of(["character"]):
                if ("dead", c) in before.facts:
                    assert c in dead
                    assert facts["at", c] == before.facts["at", c]
                if facts["at", c] != before.facts["at", c]:
                    assert ("collapsed", facts["at", c]) not in facts, "nobody enters a ruin"
                    assert before.facts["at", c] != "jail", "nobody leaves the jail"
        assert all(c in dead for c in world.things_of(["character"]) if ("collapsed", facts["at", c]) in facts)
        if move >= 0 and crime.event(move).action != "earthquake":
            assert crime.event(move).arguments[0] not in dead | jailed, crime.event(move)
        before = scene


def test_figure_6_by_hand(crime):
    """Document 004, Figure 6: an earthquake kills two; one of the two goals is met, and nobody believes it."""
    story = ["move(sherlock, alice_home)", "earthquake(alice_home)"]
    state = played(crime, *story)
    assert state.believability == 0.1
    assert score(crime, *story) == 0.05
    scene = crime.opening_scene()
    for each in story:
        scene = scene.after(event(each))
    assert {key[1] for key in scene.facts if key[0] == "dead"} == {"alice", "sherlock"}
    assert ("collapsed", "alice_home") in scene.facts
    assert [scene.met(goal) for goal in crime.wanted()] == [True, False]
    assert not state.over


FIGURE_5 = [  # what happens, and how believable it is there
    ("pick_up(alice, vase, alice_home)", 1.0),
    ("pick_up(bob, rifle, bob_home)", 1.0),
    ("move(bob, alice_home)", 1.0),
    ("steal(bob, alice, vase, alice_home)", 0.99),  # it is valuable
    ("steal(alice, bob, vase, alice_home)", 0.99),
    ("kill(bob, alice, rifle, alice_home)", 0.99),  # he is angry
    ("move(sherlock, alice_home)", 1.0),
    ("find_clue(sherlock, murder, rifle, alice_home)", 1.0),  # it is his job
    ("move(bob, downtown)", 1.0),
    ("kill(bob, lestrade, rifle, downtown)", 0.1),  # he has nothing against him
    ("move(charlie, bob_home)", 1.0),
    ("pick_up(charlie, bat, bob_home)", 1.0),
    ("move(bob, alice_home)", 1.0),
    ("suspect(sherlock, bob, murder, rifle)", 1.0),
    ("disarm(sherlock, bob, rifle)", 0.95),  # a suspect
    ("arrest(sherlock, bob, rifle, alice_home)", 0.99),
]


def test_a_story_like_figure_5_by_hand(crime):
    believability, scene = 1.0, crime.opening_scene()
    for text, expected in FIGURE_5:
        assert scene.rule(event(text)).value == expected, text
        believability *= expected
        scene = scene.after(event(text))
    events = [text for text, _ in FIGURE_5]
    state = played(crime, *events)
    assert state.over
    assert state.believability == believability == pytest.approx(0.99**4 * 0.1 * 0.95)
    assert score(crime, *events) == believability
    assert score(crime, *events[:-1]) == pytest.approx(0.99**3 * 0.1 * 0.95 / 2)
    assert score(crime, *events[:8]) == score(crime) == 0.0


WEALTH = ["tease(ann, ben)", "give(ann, ben)", "tease(ann, cat)", "give(ben, cat)"]


def test_weights_and_a_must_by_hand(tiny):
    """Wealth weighs three and is a must; lessons, two of them and few sad, weigh one."""
    assert [score(tiny, *WEALTH[:i]) for i in range(3)] == [0.0, 0.0, 0.0]
    assert score(tiny, *WEALTH[:3]) == pytest.approx(0.8 * 0.9 * 0.8 * 1 / 4 * MISSED_MUST)
    assert score(tiny, *WEALTH) == pytest.approx(0.8 * 0.9 * 0.8 * 0.9)
    assert score(tiny, *WEALTH[:3], "give(ben, cat)") == score(tiny, *WEALTH)
    assert played(tiny, *WEALTH).over
    assert MISSED_MUST == 0.001


def test_goals_may_be_lost_again(tiny):
    """With a third tear there would be three; with a second one the count is too high for the lessons."""
    state = played(tiny, *WEALTH[:3], "tease(cat, ann)")
    assert state.met == 0
    assert tiny.move(event("tease(ann, ben)")) not in legal(tiny, state)
    state = played(tiny, "tease(ann, ben)", "tease(ben, cat)")
    assert {str(tiny.event(move)) for move in legal(tiny, state)} == {
        "give(ann, ben)", "give(ben, cat)", "give(cat, ben)", "give(ann, cat)"
    }  # fmt: skip


def test_when_enough_is_reached(tmp_path):
    for enough, over in ((0.25, True), (0.26, False)):
        story = story_in(tmp_path, TINY, enough=enough)
        assert bool(played(story, *WEALTH[:3]).over) is over
        assert score(story, *WEALTH[:3]) > 0


def test_stories_that_have_begun(tiny):
    begun = moves_of(tiny, *WEALTH[:2])
    story = tiny.after(begun)
    state, same = opened(story), played(tiny, *WEALTH[:2])
    for name in ("believability", "met", "length", "over"):
        assert getattr(state, name) == getattr(same, name)
    assert facts_of(state) == facts_of(same)
    assert legal(story, state) == legal(tiny, same)
    assert score(story, *WEALTH[2:]) == score(tiny, *WEALTH)
    assert score(tiny.after(moves_of(tiny, *WEALTH))) == score(tiny, *WEALTH)
    assert story.after([]) == tiny
    result = arbora.solve(story, Random(), playouts=5, compiled=False)
    assert len(result.moves) + 2 <= tiny.max_length()


def test_beginnings_that_cannot_be(tiny):
    with pytest.raises(BadInput, match=r"^Story: begun cannot have give\(ann, ben\) as action 1$"):
        tiny.after(moves_of(tiny, "give(ann, ben)"))
    with pytest.raises(BadInput, match=r"^Story: begun cannot have tease\(ann, ben\) as action 5$"):
        tiny.after(moves_of(tiny, *WEALTH, "tease(ann, ben)"))  # the story is over
    with pytest.raises(BadInput, match=r"^Story: begun has moves that are not there; moves are 0 to 11$"):
        tiny.after([12])
    with pytest.raises(BadInput, match=r"^Story: told has moves that are not there"):
        tiny.unlike([[0, -2]], 0.5)


def test_how_new_a_story_is_by_hand(tiny):
    """Of the events of both stories together the share that only one of them has, against what was asked for."""
    told = moves_of(tiny, "tease(ann, ben)", "give(ann, ben)", "tease(cat, ann)")
    plain = score(tiny, *WEALTH)
    # Two of five events are shared
    assert score(tiny.unlike([told], 0.5), *WEALTH) == plain
    assert score(tiny.unlike([told], 0.6), *WEALTH) == pytest.approx(plain)
    assert score(tiny.unlike([told], 0.8), *WEALTH) == pytest.approx(plain * 0.6 / 0.8)
    assert score(tiny.unlike([told], 1.0), *WEALTH) == pytest.approx(plain * 0.6)
    assert score(tiny.unlike([told, moves_of(tiny, *WEALTH)], 1.0), *WEALTH) == 0.0
    assert score(tiny.unlike([told[:1], told], 1.0), *WEALTH) == pytest.approx(plain * 0.6)
    assert score(tiny.unlike([moves_of(tiny, *WEALTH)], 0.0), *WEALTH) == plain
    assert tiny.unlike([told], 0.7).unlike([], 0.0) == tiny


def test_events_that_come_again_count_once(tiny):
    again = ["tease(ann, ben)", "give(ann, ben)", "tease(ann, ben)", "give(ann, ben)", "tease(ann, cat)", "give(ben, cat)"]
    told = moves_of(tiny, "tease(ann, ben)", "give(ann, ben)")
    story = tiny.unlike([[*told, *told]], 1.0)
    state = played(story, *again)
    assert story.novelty(state) == pytest.approx(1 - 2 / 4)


def test_neither_places_nor_minor_actions_make_a_story_new(crime):
    at_home = ["pick_up(bob, rifle, bob_home)", "move(charlie, bob_home)", "kill(bob, charlie, rifle, bob_home)"]
    in_town = ["pick_up(bob, rifle, bob_home)", "move(bob, charlie_home)", "kill(bob, charlie, rifle, charlie_home)"]
    story = crime.unlike([moves_of(crime, *at_home)], 0.5)
    assert story.novelty(played(story, *in_town)) == 0.0
    assert story.novelty(played(story, *in_town, "earthquake(court)")) == 1.0
    assert story.novelty(played(story, in_town[0])) == 1.0


def test_scores_never_rise_above_the_bound(crime, tiny):
    for story, seeds in ((crime, range(3)), (tiny, range(30)), (tiny.unlike([moves_of(tiny, *WEALTH)], 0.9), range(30))):
        for seed in seeds:
            bounds, scores = [], []
            for state, _, _, _ in walk(story, Chooser(story, seed)):
                with like_compiled():
                    bounds.append(float(story.bound(state)))
                    scores.append(float(story.score(state)))
            assert all(bound >= max(scores[i:]) for i, bound in enumerate(bounds))
            assert sorted(bounds, reverse=True) == bounds


def test_without_musts_the_hardest_easing_is_the_score(crime):
    for seed in range(3):
        for state, _, _, _ in walk(crime, Chooser(crime, seed)):
            assert crime.eased(state, 1.0) == pytest.approx(crime.score(state), rel=1e-12)
            assert crime.eased(state, 0.0) >= crime.score(state) * (1 - 1e-12)


@pytest.mark.parametrize("tries", [100, 1, 0])
@pytest.mark.parametrize("world", ["crime", STARTER], ids=["crime", "starter"])
def test_samples_are_uniform(monkeypatch, world, tries):
    """Whether events are drawn until one may happen, or listed after some tries."""
    monkeypatch.setattr("arbora.problems.story.story.TRIES", tries)
    story, rng = Story(world=world), make_rng(5)
    state = played(story, "pick_up(bob, rifle, bob_home)", "move(bob, charlie_home)") if world == "crime" else opened(story)
    moves = legal(story, state)
    out, count = np.zeros(story.max_moves(), np.int32), 40 * len(moves)
    with like_compiled():
        drawn = np.bincount([story.sample(state, out, rng) for _ in range(count)], minlength=story.max_moves())
    assert set(np.flatnonzero(drawn)) <= set(moves)
    chi_square = np.sum((drawn[moves] - 40) ** 2 / 40)
    freedom = len(moves) - 1
    assert chi_square < freedom + 5 * np.sqrt(2 * freedom)


def test_nothing_is_sampled_after_the_end(tiny):
    state = played(tiny, *WEALTH)
    assert legal(tiny, state) == []
    assert tiny.sample(state, np.zeros(tiny.max_moves(), np.int32), make_rng(1)) == -1


def test_reset_restores_the_start(crime, tiny):
    for story in (crime, tiny, tiny.after(moves_of(tiny, *WEALTH[:2]))):
        fresh, used = opened(story), opened(story)
        for state, _, _, _ in walk(story, Chooser(story, 3)):
            used = state
        with like_compiled():
            story.reset(used)
        for name, *_ in story.layout():
            if name != "after":
                assert np.array_equal(getattr(used, name), getattr(fresh, name)), name


def test_moves_as_text(crime):
    state = played(crime, "pick_up(bob, rifle, bob_home)")
    kill = moves_of(crime, "kill(bob, alice, rifle, alice_home)")[0]
    assert crime.text(state, kill) == "Bob killed Alice with the rifle!"
    assert crime.text(state, moves_of(crime, "move(sherlock, alice_home)")[0]) == "Sherlock went to Alice's house."
    for move in range(0, crime.max_moves(), 50):
        assert crime.text(state, move) == plain_sentence(crime.reading(), crime.event(move))
        assert crime.move(crime.event(move)) == move


def test_what_can_never_happen_is_no_move(crime):
    with pytest.raises(BadInput, match=r"^move\(alice, jail\) can never happen in crime$"):
        crime.move(event("move(alice, jail)"))
    assert "arrest" in {crime.event(move).action for move in range(crime.max_moves())}


def test_stories_go_through_pickles(tmp_path):
    """What comes out of a pickle needs no file."""
    story = story_in(tmp_path, TINY)
    story = story.after(moves_of(story, *WEALTH[:1])).unlike([moves_of(story, *WEALTH)], 0.5)
    pickled = pickle.dumps(story)
    (tmp_path / "world.yaml").unlink()
    again = pickle.loads(pickled)
    assert again == story
    assert again.reading().actions == story.reading().actions
    assert again.after([]).unlike([], 0.0).event(3) == story.event(3)


def test_goals_of_ones_own(tmp_path):
    def wanted(goals: str) -> list[tuple[str, float, bool]]:
        return [(goal.name, goal.weight, goal.must) for goal in story_in(tmp_path, TINY, goals=goals).wanted()]

    assert wanted("") == wanted(" ; ") == [("wealth", 3.0, True), ("lessons", 1.0, False)]
    assert wanted("lessons") == [("lessons", 1.0, False)]
    assert wanted("rich(ann) ; lessons;must sad(ben)") == [
        ("rich(ann)", 1.0, False),
        ("lessons", 1.0, False),
        ("must sad(ben)", 1.0, True),
    ]
    story = story_in(tmp_path, TINY, goals="must sad(ben); rich(ann)")
    assert score(story, "tease(ann, ben)") == pytest.approx(0.8 / 2)
    assert score(story, "tease(ben, ann)", "give(ben, ann)") == pytest.approx(0.8 * 0.9 / 2 * MISSED_MUST)
    with pytest.raises(BadInput, match=r"^goal 'poor\(ann\)' is neither a goal of the world nor a condition"):
        wanted("poor(ann)")
    with pytest.raises(BadInput, match="all goals are met at the start"):
        wanted("not sad(ben)")


def test_what_may_never_be(tmp_path):
    """Besides what the world forbids."""
    story = story_in(tmp_path, TINY, never="sad(ann); times(tease) > 1")
    first = {str(story.event(move)) for move in legal(story, opened(story))}
    assert first == {"tease(ann, ben)", "tease(ann, cat)", "tease(ben, cat)", "tease(cat, ben)"}
    state = played(story, "tease(ann, ben)")
    assert {story.event(move).action for move in legal(story, state)} == {"give"}
    with pytest.raises(BadInput, match=r"^never 'sad': 'sad' does not fit sad\(character\)$"):
        story_in(tmp_path, TINY, never="sad")


def test_how_long_stories_are(tmp_path):
    assert story_in(tmp_path, TINY).max_length() == 6
    story = story_in(tmp_path, TINY, length=3)
    assert story.max_length() == 3
    assert played(story, *WEALTH[:3]).over
    with pytest.raises(BadInput, match="takes 2 actions or more, but a story may have 1"):
        story_in(tmp_path, TINY, length=1)
    with pytest.raises(BadInput, match="length=201 is not allowed; length takes a whole number from 0 to 200"):
        story_in(tmp_path, TINY, length=201)


def test_worlds_that_are_not_there():
    with pytest.raises(BadInput, match=r"^unknown world 'crmie'; did you mean 'crime'\? known: crime, midsummer; or a file"):
        Story(world="crmie")
