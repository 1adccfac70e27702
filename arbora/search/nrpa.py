"""Nested Rollout Policy Adaptation (document 002, Algorithms 1 to 3), and options from later work on it.

Level 0 is a play-out by Gibbs sampling over learned weights of move codes; level n calls level n-1 `iterations` times and
after each call shifts its weights towards the best sequence it has seen. Selective policies come in through the
problem's `candidates`, knowledge about single moves through its `bias` (GNRPA). Every step's codes are kept with the
sequence, so that adapting never replays the game.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import TOO_LONG, TOO_MANY_MOVES
from arbora.engine.sequences import MOST_EXPONENT, make_sequences
from arbora.engine.team import make_team
from arbora.engine.weights import gibbs, make_weights
from arbora.problem import bounds
from arbora.search.search import search

_0, _1 = np.uint64(0), np.uint64(1)


@make_component
class Workspace:
    """All memory of one NRPA run."""

    weights: object
    sequences: object  # row n: the best sequence of level n; row 0: the last play-out
    odds: np.ndarray  # float64[max_moves]: Gibbs weights of the current candidates
    slots: np.ndarray  # uint64[levels + 1, max_length * max_moves]: table slots of each level's codes
    resolved: np.ndarray  # int64[levels + 1]: size (log2) of the table that `slots` is right for; 0 if for none
    iteration: np.ndarray  # int64[levels + 1]: where the loop of each level stands
    repeated: np.ndarray  # int64[levels + 1]: how often each level's best sequence has been found again


@search
class NRPA:
    """Nested Rollout Policy Adaptation."""

    level: int = param("nesting depth", default=3, low=1, high=10)
    iterations: int = param("N: calls of the level below at each level", default=100, low=1)
    alpha: float = param("step of the adaptation towards the best sequence", default=1.0, low=0)
    k: float = param("sharpness: moves are drawn in proportion to exp(k * weight)", default=1.0, low=0)
    codes: int = param(
        "most move codes a level can learn; codes beyond that keep weight 0", default=1 << 20, low=16, high=1 << 30
    )
    playouts: int = param("play-outs between adaptations at level 1 (stabilized NRPA)", default=1, low=1)
    repetitions: int = param(
        "R: a level returns once its best sequence has been found again so often; 0 for never", default=0, low=0
    )
    clamp: float = param("weights stay within plus and minus this; 0 for no bound", default=0.0, low=0)
    parallel: str = param(
        "threads search independently, or share the policy of the top level",
        default="independent",
        choices=("independent", "shared"),
    )
    limit: float = derived(init=False)  # what weights stay within: `clamp`, and what exp can take

    def prepare(self) -> Any:
        most = MOST_EXPONENT / max(self.k, 1.0)
        return fill(self, limit=min(self.clamp, most) if self.clamp > 0 else most)

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        rows = self.level + 1
        return Workspace(
            weights=make_weights(self.level, 2 * self.codes),
            sequences=make_sequences(problem, rows),
            odds=np.empty(max_moves, np.float64),
            slots=np.empty((rows, max_length * max_moves), np.uint64),
            resolved=np.zeros(rows, np.int64),
            iteration=np.zeros(rows, np.int64),
            repeated=np.zeros(rows, np.int64),
        )

    def team(self, problem: Any, threads: int) -> Any:
        return make_team(problem, threads if threads > 1 and self.parallel == "shared" else 0)

    def run(self, problem, run):
        """Algorithm 3, started anew with an empty policy until the budget is spent."""
        problem.reset(run.states[0])
        while run.going():
            run.work.weights.clear(self.level)
            self.nested(problem, run)
        if run.team.shared():
            run.team.leave(run.thread)

    def nested(self, problem, run):
        """Algorithm 3 with its recursion unrolled: `iteration[level]` says where the loop of each level stands."""
        work = run.work
        level = self.level
        start(work, level)
        while run.going():
            if self.finished(work, level):  # this level returns to the one above
                level += 1
                if level > self.level:
                    return
                self.receive(run, level)
            elif level == 1:
                for _ in range(self.playouts):
                    if run.going():
                        play_out(problem, run)
                        self.receive(run, level)
            else:  # call the level below with a copy of this level's policy
                work.weights.copy(level, level - 1)
                level -= 1
                start(work, level)
                continue
            self.learn(run, level)

    def finished(self, work, level):
        """N iterations are done, or the policy has become so sure that it finds the best sequence again and again."""
        return work.iteration[level] == self.iterations or 0 < self.repetitions <= work.repeated[level]

    def together(self, run, level):
        """Do the threads take each step of this level together?"""
        return level == self.level and run.team.shared()

    def receive(self, run, level):
        """What follows a call of the level below: take its sequence, or offer it to all threads."""
        if self.together(run, level):
            run.team.offer(run.thread, run.work.sequences, level - 1)
        else:
            take(run.work, level, run.work.sequences, level - 1)

    def learn(self, run, level):
        """The end of an iteration: adapt the policy to the best sequence."""
        work = run.work
        if self.together(run, level):
            take(work, level, run.team.offers, run.team.meet(run.thread, run.flags))
        work.iteration[level] += 1
        if work.sequences.score[level] > -np.inf:
            adapt(work, level, self.alpha, self.k, self.limit)


@inline_kernel
def start(work, level):
    """A level starts, with no best sequence yet."""
    work.sequences.empty(level)
    work.iteration[level] = 0
    work.repeated[level] = 0


@inline_kernel
def take(work, level, source, row):
    """A sequence from below becomes the best of its level if it is no worse; one found again is counted and left alone."""
    sequences = work.sequences
    if source.score[row] == -np.inf or source.score[row] < sequences.score[level]:
        return
    if source.score[row] == sequences.score[level] and sequences.equal(level, source, row):
        work.repeated[level] += 1
        return
    sequences.copy(level, source, row)
    work.repeated[level] = 0
    work.resolved[level] = 0


@inline_kernel
def play_out(problem, run):
    """Algorithm 1: play by the weights of level 1 from the start; the sequence goes into row 0."""
    sequences = run.work.sequences
    odds = run.work.odds
    table = run.work.weights.entries[1]
    bits = run.work.weights.bits[1]
    codes = sequences.codes[0]
    run.states[1] = run.states[0]
    state = run.states[1]
    sequences.score[0] = -np.inf
    length = _0
    end = _0
    while not run.stopped():
        count = np.uint64(problem.candidates(state, run.moves))
        if count == _0:
            score = np.float64(problem.score(state))
            sequences.length[0] = length
            sequences.score[0] = score
            run.finish(score, length)
            return
        if length == np.uint64(run.path.size):
            run.fail(TOO_LONG, length)
            return
        if count > np.uint64(odds.size):
            run.fail(TOO_MANY_MOVES, length)
            return
        pick = _0
        if count > _1:
            total = 0.0
            for i in range(count):
                place = end + np.uint64(i)
                code = np.uint64(problem.code(state, run.moves[i]))
                codes[place] = code
                odds[i] = gibbs(table, bits, code) * sequences.biases.record(0, place, problem, state, run.moves[i])
                total += odds[i]
            rest = run.rng.uniform() * total
            while pick < count - _1 and rest >= odds[pick]:
                rest -= odds[pick]
                pick += _1
            end += count
        move = run.moves[pick]
        run.path[length] = move
        sequences.moves[0, length] = move
        sequences.ends[0, length] = end
        sequences.chosen[0, length] = pick
        problem.play(state, move)
        length += _1


@inline_kernel
def adapt(work, level, alpha, k, limit):
    """Algorithm 2: along the best sequence, +alpha for the move played, -alpha * p(m) for every candidate m.

    p(m) is in proportion to exp(weight + bias), and weights stay within plus and minus `limit`.

    All p come from the policy as it was: changes are gathered first and applied at the end. Steps with one candidate
    have no codes, since their changes cancel.
    """
    length = np.uint64(work.sequences.length[level])
    if length == _0:
        return
    ends, chosen, slots = work.sequences.ends[level], work.sequences.chosen[level], work.slots[level]
    resolve(work, level, ends[length - _1])
    table, biases = work.weights.entries[level], work.sequences.biases
    begin = _0
    for step in range(length):
        end = ends[step]
        z = 0.0
        for i in range(begin, end):
            z += boltzmann(table[slots[i]], k) * biases.factor(level, i)
        if end > begin:
            share = alpha / z
            for i in range(begin, end):
                table[slots[i]].change -= share * (boltzmann(table[slots[i]], k) * biases.factor(level, i))
            table[slots[begin + chosen[step]]].change += alpha
        begin = end
    table[work.weights.scrap()].change = 0.0
    for i in range(begin):
        entry = table[slots[i]]
        if entry.change != 0.0:
            entry.weight = min(max(entry.weight + entry.change, -limit), limit)
            entry.change = 0.0
            entry.gibbs = np.exp(k * entry.weight)


@inline_kernel
def resolve(work, level, count):
    """Find the table slots of the first `count` codes of a level's sequence, unless they are known already."""
    while work.resolved[level] != work.weights.bits[level]:  # the table may grow on the way: then all have moved
        work.resolved[level] = work.weights.bits[level]
        for i in range(count):
            work.slots[level, i] = work.weights.slot(level, work.sequences.codes[level, i])


@inline_kernel
def boltzmann(entry, k):
    """exp(weight), as Algorithm 2 has it; the cached exp(k * weight) if k is 1."""
    if k == 1.0:
        return entry.gibbs
    return np.exp(entry.weight)
