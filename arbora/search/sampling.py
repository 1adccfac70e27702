"""What PIMC, IIMC and AMCTS have in common: play-outs from positions that the player to move holds possible (document 003).

    for i = 0 to N                          one play-out after the other, until the budget is spent
        x = Sample(I)                       a position that the player holds possible
        m = a move                          by UCB1-tuned, or each in turn
        val[m] += value of x after m        how the play-out goes on is what the searches differ in
    return the m of the highest val         the mean, since moves are not tried equally often

A search may play out by another search: then `run.states` holds a position and a sample for each level of them, the position
of the first being the one at hand. `run.team` tells of the moves of the first.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.arms import make_arms
from arbora.engine.kernel import inline_kernel
from arbora.engine.root_moves import make_root_moves
from arbora.engine.run import COMPLETE, STEPS, TOO_LONG
from arbora.errors import BadInput
from arbora.policies.light import Light
from arbora.problem import CHANCE, bounds
from arbora.search.game_search import DECIDED, draw_move, finish_at_once, read_payoffs


@make_component
class Workspace:
    """All memory of one thread."""

    arms: object
    payoffs: np.ndarray  # float64[players]: what the end was worth for each, scaled to 0 .. 1
    scale: np.ndarray  # float64[2]: the lowest payoff there is, and one over the distance to the highest


class Sampling:
    """Play-outs from sampled positions; each search adds how they go on, and when there are enough."""

    policy: object = param("how play-outs choose their moves", default=Light())
    arms: str = param(
        "which move a play-out begins with: by UCB1-tuned, or each in turn", default="tuned", choices=("tuned", "equal")
    )

    plays = True
    choice = "value"

    @property
    def needs(self) -> tuple[str, ...]:
        return "players", "determinize"

    def depth(self):
        """How many searches there are, one within the other."""
        return 1

    def states(self):
        return self.depth() + 1

    def workspace(self, problem: Any) -> Any:
        low, high = problem.payoffs()
        return Workspace(
            arms=make_arms(self.depth(), bounds(problem)[0]),
            payoffs=np.zeros(problem.players()),
            scale=np.array([low, 1.0 / (high - low) if high > low else 1.0]),
        )

    def team(self, problem: Any, threads: int) -> Any:
        return make_root_moves(bounds(problem)[0], threads)

    def run(self, problem, run):
        self.decide(problem, run, 0)


def check_inner(owner: str, inner: Any) -> None:
    """Raise BadInput unless this search can choose moves within play-outs."""
    if not hasattr(inner, "decide"):
        raise BadInput(f"{owner}: inner={inner!r} is not allowed; inner takes pimc, iimc or amcts")


def needed_within(inner: Any) -> tuple[str, ...]:
    """The methods that a game must have for this inner search, which has to end by itself: AMCTS by counting worlds."""
    endless = getattr(inner, "most_worlds", 0.0) == np.inf
    return (*inner.needs, "worlds") if endless and "worlds" not in inner.needs else inner.needs


@inline_kernel
def begin(problem, run, level):
    """Look at the moves of a level's position. Returns how many there are; the budget is not needed for less than two."""
    count = problem.moves(run.states[level], run.moves)
    run.work.arms.begin(level, run.moves, count)
    if level == 0:
        run.team.begin(run.thread, run.moves, count)
        if count < 2:
            run.counters[COMPLETE] = DECIDED
    return count


@inline_kernel
def search_on(search, problem, run, level, playouts, nested):
    """So many play-outs from samples of a level's position, or as many as the budget allows.

    What `nested` stands for is the search's own affair.
    """
    done = 0
    while done < playouts and (run.going() if level == 0 else not run.stopped()):
        one_more(search, problem, run, level, nested)
        done += 1


@inline_kernel
def one_more(search, problem, run, level, nested):
    """A play-out from a sample of a level's position, and what it says of the move that it began with."""
    arms = run.work.arms
    mover = problem.player(run.states[level])
    run.states[level + 1] = run.states[level]
    sample = run.states[level + 1]
    problem.determinize(sample, mover, run.rng)
    arm = arms.pick_tuned(level) if search.by_ucb else arms.pick_equal(level)
    problem.play(sample, arms.rows[level, arm].move)
    run.counters[STEPS] += 1
    if search.play_on(problem, run, level + 1, mover, nested):
        payoff = run.work.payoffs[mover]
        arms.learn(level, arm, payoff)
        if level == 0:
            run.team.learn(run.thread, arm, payoff)
            run.count(0.0, 0)


@inline_kernel
def best_move(run, level):
    """The move of the highest mean, -1 if there is none."""
    arms = run.work.arms
    return np.int64(arms.rows[level, arms.best(level)].move) if arms.count[level] > 0 else np.int64(-1)


@inline_kernel
def play_simply(policy, problem, run, level):
    """Play a level's position to the end, everybody by the policy. Was the end reached, so that `payoffs` tell of it?"""
    state = run.states[level]
    moves = finish_at_once(policy, problem, run, state)
    if moves >= 0:
        run.counters[STEPS] += moves
        return True
    policy.begin(problem, state, run.memory[0], run.rng)
    for length in range(run.path.size + 1):
        if run.stopped():
            return False
        move = simple_move(policy, problem, run, state)
        if move < 0:
            read_payoffs(problem, run, state)
            return True
        if length < run.path.size:
            problem.play(state, move)
            run.counters[STEPS] += 1
    run.fail(TOO_LONG, run.path.size)
    return False


@inline_kernel
def simple_move(policy, problem, run, state):
    """The policy's move, or chance's; -1 at the end."""
    if problem.player(state) == CHANCE:
        return draw_move(problem, run, state)
    return np.int64(policy.choose(problem, state, run.memory[0], run.moves, run.rng))


@inline_kernel
def play_by_search(search, problem, run, level, mover):
    """The same, but the moves of `mover` are chosen by the inner search; those of all others too, if the search says so."""
    state = run.states[level]
    search.policy.begin(problem, state, run.memory[0], run.rng)
    for length in range(run.path.size + 1):
        if run.stopped():
            return False
        player = problem.player(state)
        if player != CHANCE and (player == mover or search.everybody):
            move = np.int64(search.inner.decide(problem, run, level))
            if run.stopped():
                return False
        else:
            move = simple_move(search.policy, problem, run, state)
        if move < 0:
            read_payoffs(problem, run, state)
            return True
        if length < run.path.size:
            problem.play(state, move)
            run.counters[STEPS] += 1
    run.fail(TOO_LONG, run.path.size)
    return False
