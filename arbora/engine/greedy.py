"""Listing moves, judging positions and finishing episodes greedily: what the classic searches have in common.

They work in three states of the run: 0 is the start, 1 an episode being finished, 2 a child being looked at.
"""

from typing import Any

import numpy as np

from arbora.engine.kernel import inline_kernel
from arbora.engine.run import SLACK, TOO_LONG, TOO_MANY_MOVES, play_out

GUIDES = ("bound", "score", "play-out", "best-play-out")
BOUND, SCORE, AVERAGE, BEST = range(4)
STATES = 3

# Slots of `effort`, which shares out the work between looking for better positions and finishing episodes
OPENED, FINISHING = range(2)
_FINISH_ONE_IN = 10


@inline_kernel
def list_moves(problem, run, state, depth):
    """Write the legal moves of a state that is `depth` moves from the start into `run.moves`; return how many.

    In all threads but the first they are in random order, so that threads break ties differently.
    """
    count = np.int64(problem.moves(state, run.moves))
    if count > run.moves.size - SLACK:
        run.fail(TOO_MANY_MOVES, depth)
        return np.int64(0)
    if count > 0 and depth >= run.path.size:
        run.fail(TOO_LONG, depth)
        return np.int64(0)
    if run.thread > 0:
        for i in range(count - 1, 0, -1):
            j = run.rng.below(i + 1)
            move = run.moves[i]
            run.moves[i] = run.moves[j]
            run.moves[j] = move
    return count


@inline_kernel
def greedy_guide(problem, guide, state):
    """What greedy steps go by: `score` if that is the guide, or if the problem has no bound; else `bound`."""
    if guide == SCORE or problem.bound(state) == np.inf:
        return SCORE
    return BOUND


@inline_kernel
def estimate(problem, guide, state):
    """A position's value by `bound` or by `score` as it stands."""
    if guide == BOUND:
        return np.float64(problem.bound(state))
    return np.float64(problem.score(state))


@inline_kernel
def evaluate(problem, policy, run, guide, samples, state, length):
    """A position's value by any guide: play-outs start from it, `length` moves into `run.path`."""
    if guide <= SCORE:
        return estimate(problem, guide, state)
    total, best, played = 0.0, -np.inf, 0
    while played < samples and run.going():
        run.states[1] = state
        score, _ = play_out(problem, policy, run, run.states[1], length)
        total += score
        best = max(best, score)
        played += 1
    if guide == BEST or played == 0:
        return best
    return total / played


@inline_kernel
def finish_greedily(problem, run, guide, state, length):
    """Play from `state`, `length` moves into `run.path`, to the end, each time to the child of the highest value.

    Returns the number of positions whose moves were listed; nothing is finished if the run must stop on the way.
    """
    steps = 0
    while run.going():
        steps += 1
        count = list_moves(problem, run, state, length)
        if count == 0:
            run.finish(np.float64(problem.score(state)), length)
            break
        highest = -np.inf
        chosen = run.moves[0]
        for i in range(count):
            run.states[2] = state
            problem.play(run.states[2], run.moves[i])
            value = estimate(problem, guide, run.states[2])
            if value > highest:
                highest = value
                chosen = run.moves[i]
        run.path[length] = chosen
        problem.play(state, chosen)
        length += 1
    return steps


@inline_kernel
def finishing_is_due(effort):
    """Has no more than a tenth of the effort gone into finishing? A greedy step costs as much as opening a node."""
    return effort[FINISHING] * _FINISH_ONE_IN <= effort[OPENED]


def new_effort() -> Any:
    return np.zeros(2, np.int64)
