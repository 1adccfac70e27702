"""A run as compiled code sees it: where to stop, where to publish, what to work in.

One `Run` belongs to one thread, which alone writes it; the watching thread reads the best solution through a version
counter (odd while it is being written) and raises the stop flag. No locks, no Python in the loop.
"""

from typing import Any

import numpy as np

from arbora.component import is_component, make_component
from arbora.engine.kernel import inline_kernel
from arbora.engine.rng import Rng, make_rng
from arbora.engine.shared import fence, peek, peek_float
from arbora.problem import Records, bounds, new_states

# Slots of `counters`
PLAYOUTS, VERSION, LENGTH, TRACED, FAILURE, FAILED_AT, COMPLETE, NODES, DEPTHS, DEEPEST, STEPS = range(11)
# Slots of `part`: where the current part of the budget begins and ends, in play-outs and in seconds; and the last step, a
# move of a play-out, or of a play-out within a play-out
FIRST_PLAYOUT, LAST_PLAYOUT, FIRST_SECOND, LAST_SECOND, LAST_STEP = range(5)
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
    part: np.ndarray  # float64[5]: the part of the budget that may be spent now; infinite where there is no limit
    counters: np.ndarray  # int64[11]
    best_score: np.ndarray  # float64[1]
    best_moves: np.ndarray  # int32[max_length]
    trace: np.ndarray  # float64[TRACE_ROWS, 3]: seconds, play-outs, score of each improvement
    root: np.ndarray  # what a tree search found out about the moves of the start position
    rng: Rng
    states: np.ndarray  # state records to work in
    memory: np.ndarray  # the policy's memory: one record, and an empty one to start it anew from
    moves: np.ndarray  # int32[max_moves + SLACK], for listing moves
    path: np.ndarray  # int32[max_length], moves of the episode being played
    work: object  # what the search asked for with `workspace`
    thread: int  # which of the threads this is
    threads: int
    team: object  # what the search asked for with `team`: memory shared by all threads

    def stopped(self):
        """Must everything stop at once?"""
        return peek(self.flags, 0) != 0

    def going(self):
        """May another play-out start?"""
        return (
            peek(self.flags, 0) == 0
            and self.counters[PLAYOUTS] < self.part[LAST_PLAYOUT]
            and self.counters[STEPS] < self.part[LAST_STEP]
            and peek_float(self.clock, 0) < self.part[LAST_SECOND]
        )

    def spent(self):
        """How much of the current part of the budget has been used, from 0 to 1."""
        part = self.part
        playouts = (self.counters[PLAYOUTS] - part[FIRST_PLAYOUT]) / max(part[LAST_PLAYOUT] - part[FIRST_PLAYOUT], 1.0)
        seconds = (peek_float(self.clock, 0) - part[FIRST_SECOND]) / max(part[LAST_SECOND] - part[FIRST_SECOND], 1e-9)
        return min(max(playouts, seconds), 1.0)

    def whole(self):
        """The current part of the budget, to come back to with `narrow`."""
        return self.part[FIRST_PLAYOUT], self.part[LAST_PLAYOUT], self.part[FIRST_SECOND], self.part[LAST_SECOND]

    def narrow(self, whole, fraction):
        """From now on, `going` and `spent` speak of the part that ends when `fraction` of `whole` is spent.

        The part begins here. With a fraction of 1 or more it is `whole` itself again, from its own beginning.
        """
        first_playout, last_playout, first_second, last_second = whole
        self.part[FIRST_PLAYOUT] = first_playout
        self.part[LAST_PLAYOUT] = last_playout
        self.part[FIRST_SECOND] = first_second
        self.part[LAST_SECOND] = last_second
        if fraction < 1.0:
            self.part[FIRST_PLAYOUT] = self.counters[PLAYOUTS]
            self.part[LAST_PLAYOUT] = np.floor(first_playout + (last_playout - first_playout) * fraction)
            self.part[FIRST_SECOND] = peek_float(self.clock, 0)
            self.part[LAST_SECOND] = first_second + (last_second - first_second) * fraction

    def share(self, whole, parts):
        """From now on, `going` and `spent` speak of one of `parts` equal parts of what is left of `whole`.

        The part begins here, and has at least one play-out as long as `whole` has one.
        """
        _, last_playout, _, last_second = whole
        playouts, seconds = self.counters[PLAYOUTS], peek_float(self.clock, 0)
        self.part[FIRST_PLAYOUT] = playouts
        self.part[LAST_PLAYOUT] = playouts + np.ceil((last_playout - playouts) / parts)
        self.part[FIRST_SECOND] = seconds
        self.part[LAST_SECOND] = seconds + (last_second - seconds) / parts

    def forget(self):
        """Empty the policy's memory, as at the start of a run."""
        self.memory[0] = self.memory[1]

    def count_node(self, depth):
        """One more node was visited or stored, `depth` moves below the root: for searches that tell how many."""
        self.counters[NODES] += 1
        self.counters[DEPTHS] += depth
        self.counters[DEEPEST] = max(self.counters[DEEPEST], depth)

    def complete(self):
        """The best solution is proved to be the best there is; stop all threads."""
        self.end(1)

    def end(self, reason):
        """There is nothing more to find, for a reason above 0 that the search knows the meaning of; stop all threads."""
        self.counters[COMPLETE] = reason
        self.flags[0] = 1

    def fail(self, reason, where):
        """Stop the run because the problem broke its protocol."""
        self.counters[FAILURE] = reason
        self.counters[FAILED_AT] = where
        self.flags[0] = 1

    def finish(self, score, length):
        """Count a finished episode, the first `length` moves of `path`, and publish it if it is the best so far."""
        if self.count(score, length) and score > self.best_score[0]:
            self.publish(score, length)

    def count(self, score, length):
        """Count a finished episode without publishing it: for play-outs that are not a solution yet. Is it valid?"""
        if not np.isfinite(score):
            self.fail(BAD_SCORE, length)
            return False
        if self.moves[self.moves.size - SLACK] != SENTINEL:
            self.fail(TOO_MANY_MOVES, length)
            return False
        self.counters[PLAYOUTS] += 1
        return True

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
    policy.begin(problem, state, run.memory[0], run.rng)
    score, length, ended = play_on(problem, policy, run, state, length)
    if ended:
        run.finish(score, length)
    return score, length


@inline_kernel
def play_on(problem, policy, run, state, length):
    """The same with a policy that has begun, and without `run.finish`. Returns (score, length, did the episode end?)."""
    memory = run.memory[0]
    while not run.stopped():
        move = policy.choose(problem, state, memory, run.moves, run.rng)
        if move < 0:
            score = np.float64(problem.score(state))
            policy.learn(problem, memory, score)
            return score, length, True
        if length == run.path.size:
            run.fail(TOO_LONG, length)
            break
        run.path[length] = move
        problem.play(state, move)
        length += 1
    return -np.inf, length, False


ROOT_ROW = np.dtype([("move", np.int32), ("visits", np.int64), ("mean", np.float64), ("best", np.float64)], align=True)


def make_run(
    problem: Any,
    search: Any,
    *,
    seed: int = 1,
    playouts: int | None = None,
    seconds: float | None = None,
    thread: int = 0,
    threads: int = 1,
    flags: np.ndarray | None = None,
    clock: np.ndarray | None = None,
    team: Any = None,
) -> Run:
    """Work space for one thread of `search` on `problem`, with its share of the budget; threads share the last three."""
    max_moves, max_length = bounds(problem)
    moves = np.full(max_moves + SLACK, SENTINEL, np.int32)
    policy: Any = getattr(search, "policy", None)
    layout = policy.layout(problem) if is_component(policy) else [("unused", np.int8)]
    return Run(
        flags=np.zeros(1, np.int64) if flags is None else flags,
        clock=np.zeros(1) if clock is None else clock,
        part=np.array([0.0, np.inf if playouts is None else playouts, 0.0, np.inf if seconds is None else seconds, np.inf]),
        counters=np.zeros(11, np.int64),
        best_score=np.full(1, -np.inf),
        best_moves=np.zeros(max_length, np.int32),
        trace=np.zeros((TRACE_ROWS, 3)),
        root=np.zeros(max_moves + 1, ROOT_ROW),
        rng=make_rng(seed, thread),
        states=new_states(problem, search.states()),
        memory=np.zeros(2, np.dtype(layout, align=True)),
        moves=moves,
        path=np.zeros(max_length, np.int32),
        work=search.workspace(problem),
        thread=thread,
        threads=threads,
        team=search.team(problem, threads) if team is None else team,
    )


def memory_of(value: Any) -> int:
    """Bytes of all arrays in a component, at any depth."""
    if is_component(value):
        return sum(memory_of(field) for field in value)
    return value.nbytes if isinstance(value, np.ndarray) else 0


def with_records(value: Any) -> Any:
    """The same run for plain Python: structured arrays, at any depth, become `Records`."""
    if is_component(value):
        return value._make(with_records(field) for field in value)
    if isinstance(value, np.ndarray) and value.dtype.names:
        return Records(value)
    return value
