"""Solution files: what they hold, that they are written whole or not at all, and how they are checked."""

import json
import math
import os
import re
import sys
from dataclasses import replace
from pathlib import Path

import pytest
from small_problems import Walk, walk_score

import arbora
from arbora import solution
from arbora.errors import BadInput, BadSolution
from arbora.replay import replay


@pytest.fixture
def result():
    return arbora.solve(Walk(), arbora.Random(), playouts=10, seed=2, compiled=False)


def test_object_of_a_result(result):
    content = solution.as_object(result, "walk", "random")
    assert json.loads(json.dumps(content)) == content
    assert content["score"] == walk_score(content["moves"])
    assert content["scores"] == [walk_score(content["moves"][: i + 1]) for i in range(6)]
    assert [row[1:] for row in content["trace"]] == [[row.playouts, row.score] for row in result.trace]


def test_numbers_without_decimals_are_written_so(result):
    assert type(solution.as_object(result, "walk", "random")["score"]) is int


def test_score_of_nothing_is_null(result):
    empty = replace(result, score=-math.inf, moves=[], text=[], scores=[], trace=[])
    assert json.loads(json.dumps(solution.as_object(empty, "walk", "random"), allow_nan=False))["score"] is None


def test_what_is_written_is_read_back(tmp_path, result):
    path = tmp_path / "walk.json"
    content = solution.as_object(result, "walk", "random")
    solution.write(path, content)
    assert solution.read(path) == content
    assert os.listdir(tmp_path) == ["walk.json"]
    assert path.stat().st_mode & 0o777 == 0o644


def test_file_appears_whole_in_one_step(tmp_path, result, monkeypatch):
    """Until the moment of the rename, the old file is there untouched and the new one is complete beside it."""
    path = tmp_path / "walk.json"
    path.write_text("old")
    content = solution.as_object(result, "walk", "random")
    seen = []
    rename = os.replace

    def watched(source, target):
        seen.append((path.read_text(), json.loads(Path(source).read_text())))
        rename(source, target)

    monkeypatch.setattr(os, "replace", watched)
    solution.write(path, content)
    assert seen == [("old", content)]


@pytest.mark.parametrize("failing", ["fsync", "replace"])
def test_failed_write_leaves_the_old_file_and_nothing_else(tmp_path, result, monkeypatch, failing):
    path = tmp_path / "walk.json"
    path.write_text("old")

    def full(*arguments):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, failing, full)
    with pytest.raises(BadInput) as caught:
        solution.write(path, solution.as_object(result, "walk", "random"))
    assert str(caught.value) == f"{path}: cannot write the solution: No space left on device"
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["walk.json"]


def test_content_that_is_no_json_leaves_the_old_file(tmp_path):
    path = tmp_path / "walk.json"
    path.write_text("old")
    with pytest.raises(TypeError):
        solution.write(path, {"score": object()})
    assert path.read_text() == "old"
    assert os.listdir(tmp_path) == ["walk.json"]


def test_file_of_a_run_still_going_can_be_checked(tmp_path):
    reports: list[arbora.Progress] = []
    arbora.solve(Walk(), arbora.Random(), playouts=10, compiled=False, progress=reports.append)
    content = solution.unfinished(reports[-1], "walk", "random", 1, 1)
    solution.write(tmp_path / "walk.json", content)
    steps = list(solution.verify(Walk(), solution.read(tmp_path / "walk.json")))
    assert steps[-1].score == content["score"] == walk_score(content["moves"])
    assert content["stopped"] == "running"


def verified(**changes):
    content = {"problem": "walk", "moves": [2, 0, 1, 2, 0, 2], "score": 31, "scores": [4, 5, 11, 19, 28, 31]}
    content.update(changes)
    return list(solution.verify(Walk(), content))


def test_replay_tells_every_step():
    steps = verified()
    assert [(step.number, step.move, step.text, step.score) for step in steps[:3]] == [
        (0, -1, "", 0.0),
        (1, 2, "2", 4.0),
        (2, 0, "0", 5.0),
    ]
    assert len(steps) == 7


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"score": 30}, "the score departs at the end, move 6: the file says 30, replay gives 31"),
        ({"scores": [4, 5, 10, 19, 28, 31]}, r"the score departs at move 3 \(1\): the file says 10, replay gives 11"),
        ({"scores": [4, 5]}, "the file has 2 scores for 6 moves"),
        ({"moves": [2, 0, 3, 2, 0, 2]}, r"move 3 \(3\) is not legal there; 3 moves are"),
        ({"moves": [2, 0, 1], "scores": [4, 5, 11], "score": 11}, "after move 3 there are still legal moves"),
        ({"moves": [2, 0, 1, 2, 0, 2, 0]}, r"move 7 \(0\) is not legal there; 0 moves are"),
        ({"moves": [], "scores": [], "score": 0}, "after move 0 there are still legal moves"),
    ],
)
def test_edited_solutions_are_told_at_the_move(changes, told):
    with pytest.raises(BadSolution, match=told):
        verified(**changes)


def test_scores_may_be_missing_and_differ_by_rounding():
    assert len(verified(scores=[])) == 7
    assert len(verified(score=31 * (1 + 1e-12))) == 7


def test_replay_needs_no_compiled_code(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    assert [step.score for step in replay(Walk(), [2, 0, 1, 2, 0, 2])][-1] == 31


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_score_in_the_file_that_is_not_finite_is_told(tmp_path, word):
    path = tmp_path / "walk.json"
    path.write_text(f'{{"problem": "walk", "moves": [2, 0, 1, 2, 0, 2], "score": {word}}}')
    with pytest.raises(BadSolution):
        list(solution.verify(Walk(), solution.read(path)))


@pytest.mark.parametrize(
    ("kept", "told"),
    [
        ('{"problem": "samegame", "sc', "the score departs at move 1, since no moves are left"),
        ('{"problem": "samegame", "moves": [3, 64, 12', "the score departs at move 3, where the moves break off"),
        (
            '{"moves": [3, 64, 12], "text": ["0,',
            "all 3 moves are there, what proves their score is not",
        ),
    ],
)
def test_a_file_that_was_cut_off_says_how_far_its_moves_go(tmp_path, kept, told):
    path = tmp_path / "cut.json"
    path.write_text(kept)
    with pytest.raises(BadSolution, match=re.escape(told)):
        solution.read(path)
