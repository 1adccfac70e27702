"""Lines: whole episodes with positions kept on the way."""

from typing import Any

import numpy as np
import pytest

import arbora
from arbora.engine import lines as lines_module
from arbora.engine.lines import make_lines
from arbora.engine.run import with_records
from arbora.problem import new_state
from tests.small_problems import Walk

COLUMNS = [0, 1, 2, 1, 0, 2]


def line_of(problem: Any, lines: Any, line: int, moves: list[int]) -> Any:
    state = new_state(problem)
    problem.reset(state)
    lines.begin(line, problem, state)
    for move in moves:
        lines.append(line, problem, state, move, 10 + move, 0.0)
    lines.last[line] = state
    lines.last_gain[line] = 0.0
    return state


def few_positions(monkeypatch: pytest.MonkeyPatch, stride: int) -> Any:
    """Two lines of Walk that keep a position every `stride` moves."""
    slots = -(-7 // stride)
    monkeypatch.setattr(lines_module, "MEMORY", slots * 2 * 24)
    made = with_records(make_lines(Walk(), 2))
    assert made.stride == stride
    return made


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_positions_are_kept_at_the_stride(monkeypatch, stride):
    lines = few_positions(monkeypatch, stride)
    line_of(Walk(), lines, 0, COLUMNS)
    assert lines.length[0] == 6
    assert lines.at[0, : lines.kept[0]].tolist() == list(range(0, 7, stride))
    for slot in range(lines.kept[0]):
        assert lines.states[0, slot].step == lines.at[0, slot]
    for index in range(7):
        assert lines.at[0, lines.slot_before(0, index)] == index // stride * stride


def test_a_line_takes_over_the_end_of_another_with_its_gain(monkeypatch):
    lines = few_positions(monkeypatch, 1)
    problem = Walk()
    line_of(problem, lines, 0, COLUMNS)
    line_of(problem, lines, 1, [2, 1])  # stands where line 0 is after two moves, with another score so far
    ahead = lines.states[1, 2].total - lines.states[0, 2].total
    assert ahead != 0
    lines.copy_end(0, 1, 2, float(ahead))
    assert lines.moves[1, :6].tolist() == [2, 1, *COLUMNS[2:]]
    assert lines.labels[1, :6].tolist() == [12, 11, *(10 + move for move in COLUMNS[2:])]
    assert (lines.length[1], lines.kept[1]) == (6, 7)
    state = new_state(problem)
    problem.reset(state)
    for slot, move in enumerate([2, 1, *COLUMNS[2:]]):
        assert problem.score(lines.states[1, slot]) + lines.gain[1, slot] == problem.score(state)
        problem.play(state, move)
    assert problem.score(lines.last[1]) + lines.last_gain[1] == problem.score(state)


def test_memory_bounds_the_positions_kept():
    problem = arbora.WeakSchur(parts=9)
    lines = make_lines(problem, 33)
    assert lines.states.nbytes <= 2 * lines_module.MEMORY
    assert lines.stride * (lines.states.shape[1] - 1) >= problem.max_length() + 1
    assert make_lines(Walk(), 3).stride == 1


def test_meeting_needs_a_key_and_a_kept_position(monkeypatch):
    problem = Walk()  # has no key of its own
    lines = few_positions(monkeypatch, 2)
    state = line_of(problem, lines, 0, COLUMNS)
    line_of(problem, lines, 1, COLUMNS)
    assert lines.meets(0, 6, 1, problem, state) == -1
    lines.keys[0, : lines.kept[0]] = lines.keys[1, : lines.kept[1]] = np.arange(1, 5)
    assert lines.meets(0, 6, 1, problem, state) == 3
    assert lines.meets(0, 5, 1, problem, state) == -1  # not kept
    lines.keys[1, 3] = 9
    assert lines.meets(0, 6, 1, problem, state) == -1
