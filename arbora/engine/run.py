"""A run as compiled code sees it: where to stop, where to publish, what to work in.

One `Run` belongs to one thread, which alone writes it; the watching thread reads the best solution through a version
counter (odd while it is being written) and raises the stop flag. No locks, no Python in the loop.
"""

from typing import Any

import numpy as np

from arbora.component import is_component, make_component
from arbora.engine.kernel import inline_kernel
from arbora.engine.rng import Rng, make_rng
from arbora.engine.shared import fence, peek
from arbora.problem import Records, bounds, new_states

# Slots of `counters`
PLAYOUTS, VERSION, LENGTH, TRACED, FAILURE, FAILED_AT, COMPLETE = range(7)
# Values of counters[FAILURE]
TOO_LONG, TOO_MANY_MOVES, BAD_SCORE = 1, 2, 3

TRACE_ROWS = 4096
# Room behind the `moves` buffer: a problem that lists a few moves too many is told so instead of damaging memory.
SLACK = 256
SENTINEL = np.int32(-(2**31))


@make_component
class Run:
    """Budget, publication and work space of one thread of a run."""

    flags: np.ndarray  # int64[1], shared by all threads: nonzero means stop
    clock: np.ndarray  # float64[1], shared: seconds since the start, kept by the watching thread
    limit: int  # play-outs this thread may do; -1 for no limit
    counters: np.ndarray  # int64[7]
    best_score: np.ndarray  # float64[1]
    best_moves: np.ndarray  # int32[max_length]
    trace: np.ndarray  # float64[TRACE_ROWS, 3]: seconds, play-outs, score of each improvement
    root: np.ndarray  # what a tree search found out about the moves of the start position
    rng: Rng
    states: np.ndarray  # state records to work in
    memory: np.ndarray  # the policy's memory: one record
    moves: np.ndarray  # int32[max_moves + SLACK], for listing moves
    path: np.ndarray  # int32[max_length], moves of the episode being played
    work: object  # what the search asked for with `workspace`

    def stopped(self):
        """Must everything stop at once?"""
        return peek(self.flags, 0) != 0

    def going(self):
        """May another play-out start?"""
        return peek(self.flags, 0) == 0 and (self.limit < 0 or self.counters[PLAYOUTS] < self.limit)

    def fail(self, reason, where):
        """Stop the run because the problem broke its protocol."""
        self.counters[FAILURE] = reason
        self.counters[FAILED_AT] = where
        self.flags[0] = 1

    def finish(self, score, length):
        """Count a finished episode, the first `length` moves of `path`, and publish it if it is the best so far."""
        if not np.isfinite(score):
            self.fail(BAD_SCORE, length)
            return
        if self.moves[self.moves.size - SLACK] != SENTINEL:
            self.fail(TOO_MANY_MOVES, length)
            return
        self.counters[PLAYOUTS] += 1
        if score > self.best_score[0]:
            self.publish(score, length)

    def publish(self, score, length):
        self.counters[VERSION] += 1
        fence()
        self.best_score[0] = score
        self.counters[LENGTH] = length
        for i in range(length):
            self.best_moves[i] = self.path[i]
        row = min(self.counters[TRACED], self.trace.shape[0] - 1)
        self.trace[row, 0] = self.clock[0]
        self.trace[row, 1] = self.counters[PLAYOUTS]
        self.trace[row, 2] = score
        self.counters[TRACED] = row + 1
        fence()
        self.counters[VERSION] += 1


@inline_kernel
def play_out(problem, policy, run, state, length):
    """Play from `state`, `length` moves into `run.path`, to the end by the policy. Returns (score, length).

    The score of an episode that was cut short by a stop is minus infinity.
    """
    memory = run.memory[0]
    policy.begin(problem, state, memory, run.rng)
    while not run.stopped():
        move = policy.choose(problem, state, memory, run.moves, run.rng)
        if move < 0:
            score = np.float64(problem.score(state))
            policy.learn(problem, memory, score)
            run.finish(score, length)
            return score, length
        if length == run.path.size:
            run.fail(TOO_LONG, length)
            break
        run.path[length] = move
        problem.play(state, move)
        length += 1
    return -np.inf, length


ROOT_ROW = np.dtype([("move", np.int32), ("visits", np.int64), ("mean", np.float64), ("best", np.float64)], align=True)


def make_run(problem: Any, search: Any, seed: int, stream: int, limit: int, flags: np.ndarray, clock: np.ndarray) -> Run:
    """Work space for one thread of `search` on `problem`."""
    max_moves, max_length = bounds(problem)
    moves = np.full(max_moves + SLACK, SENTINEL, np.int32)
    policy: Any = getattr(search, "policy", None)
    layout = policy.layout(problem) if is_component(policy) else [("unused", np.int8)]
    return Run(
        flags=flags,
        clock=clock,
        limit=limit,
        counters=np.zeros(7, np.int64),
        best_score=np.full(1, -np.inf),
        best_moves=np.zeros(max_length, np.int32),
        trace=np.zeros((TRACE_ROWS, 3)),
        root=np.zeros(max_moves + 1, ROOT_ROW),
        rng=make_rng(seed, stream),
        states=new_states(problem, search.states()),
        memory=np.zeros(1, np.dtype(layout, align=True)),
        moves=moves,
        path=np.zeros(max_length, np.int32),
        work=search.workspace(problem),
    )


def with_records(value: Any) -> Any:
    """The same run for plain Python: structured arrays, at any depth, become `Records`."""
    if is_component(value):
        return value._make(with_records(field) for field in value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return Records(value)
    return value
