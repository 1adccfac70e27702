"""Tellings as plain data, and the last words of branches."""

import json
from dataclasses import replace

import numpy as np
from told_worlds import Event

from arbora.tell.telling import Beat, Branch, GoalTold, Telling, as_object

MET, MISSED = GoalTold("peace", True, 2.0, True), GoalTold("peace", False, 2.0, True)
BEAT = Beat(Event("go", ("bob", "town")), 7, "Bob went to town.", 0.5, "he liked it there", ("peace",))
BRANCH = Branch(0, (replace(BEAT, move=8, sentence="Bob stayed."),), (MISSED,), 0.25, 0.5)
TOLD = Telling("War", "Once.", "Peace returned.", (BEAT,), "Once.\n\nBob went to town.", 0.5, 0.75, (MET,), (BRANCH,))


def test_a_telling_as_plain_data() -> None:
    action = {
        "action": "go",
        "arguments": ["bob", "town"],
        "text": "Bob went to town.",
        "believability": 0.5,
        "because": "he liked it there",
        "serves": ["peace"],
        "move": 7,
    }
    goal = {"name": "peace", "met": True, "weight": 2.0, "must": True}
    assert as_object(TOLD) == {
        "score": 0.5,
        "believability": 0.75,
        "goals": [goal],
        "actions": [action],
        "moves": [7],
        "text": "Once.\n\nBob went to town.",
        "branches": [
            {
                "at": 0,
                "actions": [action | {"text": "Bob stayed.", "move": 8}],
                "score": 0.25,
                "believability": 0.5,
                "goals": [goal | {"met": False}],
            }
        ],
    }


def test_numbers_of_numpy_become_plain() -> None:
    odd = replace(TOLD, score=np.float64(0.5), beats=(replace(BEAT, move=np.int32(7)),))
    assert json.loads(json.dumps(as_object(odd))) == as_object(TOLD)


def test_a_branch_ends_like_the_story_unless_it_misses_a_goal_that_the_story_meets() -> None:
    assert TOLD.ending_of(BRANCH) == ""
    assert TOLD.ending_of(replace(BRANCH, goals=(MET,))) == "Peace returned."
    assert replace(TOLD, goals=(MISSED,)).ending_of(BRANCH) == "Peace returned."


def test_a_beat_without_arguments_has_no_subject() -> None:
    assert BEAT.subject == "bob"
    assert replace(BEAT, event=Event("rain", ())).subject == ""
