"""Nested Rollout Policy Adaptation (document 002, Algorithms 1 to 3).

Level 0 is a play-out by Gibbs sampling over learned weights of move codes; level n calls level n-1 `iterations` times and
after each call shifts its weights towards the best sequence it has seen. Selective policies come in through the
problem's `candidates`. Every step's codes are kept with the sequence, so that adapting never replays the game.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import TOO_LONG, TOO_MANY_MOVES
from arbora.engine.weights import gibbs, make_weights
from arbora.problem import bounds
from arbora.search.search import search

_0, _1 = np.uint64(0), np.uint64(1)


@make_component
class Sequences:
    """The best sequence of each level (row 0: the last play-out) with the codes of all candidates at every step."""

    moves: np.ndarray  # int32[levels + 1, max_length]
    codes: np.ndarray  # uint64[levels + 1, max_length * max_moves]
    ends: np.ndarray  # uint64[levels + 1, max_length]: where the codes of a step end
    chosen: np.ndarray  # uint64[levels + 1, max_length]: which of them was played
    length: np.ndarray  # int64[levels + 1]
    score: np.ndarray  # float64[levels + 1]

    def copy(self, source, target):
        length = self.length[source]
        for i in range(length):
            self.moves[target, i] = self.moves[source, i]
            self.ends[target, i] = self.ends[source, i]
            self.chosen[target, i] = self.chosen[source, i]
        if length > 0:
            for i in range(self.ends[source, length - 1]):
                self.codes[target, i] = self.codes[source, i]
        self.length[target] = length
        self.score[target] = self.score[source]


@make_component
class Workspace:
    """All memory of one NRPA run."""

    weights: object
    sequences: object
    odds: np.ndarray  # float64[max_moves]: Gibbs weights of the current candidates
    slots: np.ndarray  # uint64[levels + 1, max_length * max_moves]: table slots of each level's codes
    resolved: np.ndarray  # int64[levels + 1]: size (log2) of the table that `slots` is right for; 0 if for none
    iteration: np.ndarray  # int64[levels + 1]: where the loop of each level stands


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

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        rows = self.level + 1
        sequences = Sequences(
            moves=np.empty((rows, max_length), np.int32),
            codes=np.empty((rows, max_length * max_moves), np.uint64),
            ends=np.empty((rows, max_length), np.uint64),
            chosen=np.empty((rows, max_length), np.uint64),
            length=np.zeros(rows, np.int64),
            score=np.full(rows, -np.inf),
        )
        return Workspace(
            weights=make_weights(self.level, 2 * self.codes),
            sequences=sequences,
            odds=np.empty(max_moves, np.float64),
            slots=np.empty((rows, max_length * max_moves), np.uint64),
            resolved=np.zeros(rows, np.int64),
            iteration=np.zeros(rows, np.int64),
        )

    def run(self, problem, run):
        """Algorithm 3, started anew with an empty policy until the budget is spent."""
        problem.reset(run.states[0])
        while run.going():
            run.work.weights.clear(self.level)
            self.nested(problem, run)

    def nested(self, problem, run):
        """Algorithm 3 with its recursion unrolled: `iteration[level]` says where the loop of each level stands."""
        work = run.work
        level = self.level
        work.sequences.score[level] = -np.inf
        work.iteration[level] = 0
        while run.going():
            if work.iteration[level] == self.iterations:  # this level returns to the one above
                level += 1
                if level > self.level:
                    return
                self.receive(run, level)
            elif level == 1:
                play_out(problem, run)
                self.receive(run, level)
            else:  # call the level below with a copy of this level's policy
                work.weights.copy(level, level - 1)
                level -= 1
                work.resolved[level] = 0
                work.sequences.score[level] = -np.inf
                work.iteration[level] = 0

    def receive(self, run, level):
        """What follows a call of the level below: keep its sequence if it is no worse, then adapt."""
        sequences = run.work.sequences
        run.work.iteration[level] += 1
        if sequences.score[level - 1] >= sequences.score[level]:
            sequences.copy(level - 1, level)
            run.work.resolved[level] = 0
        if sequences.score[level] > -np.inf:
            adapt(run.work, level, self.alpha, self.k)


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
                code = np.uint64(problem.code(state, run.moves[i]))
                codes[end + np.uint64(i)] = code
                odds[i] = gibbs(table, bits, code)
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
def adapt(work, level, alpha, k):
    """Algorithm 2: along the best sequence, +alpha for the move played, -alpha * p(m) for every candidate m.

    All p come from the policy as it was: changes are gathered first and applied at the end. Steps with one candidate
    have no codes, since their changes cancel.
    """
    length = np.uint64(work.sequences.length[level])
    if length == _0:
        return
    ends, chosen, slots = work.sequences.ends[level], work.sequences.chosen[level], work.slots[level]
    resolve(work, level, ends[length - _1])
    table = work.weights.entries[level]
    begin = _0
    for step in range(length):
        end = ends[step]
        z = 0.0
        for i in range(begin, end):
            z += boltzmann(table[slots[i]], k)
        if end > begin:
            share = alpha / z
            for i in range(begin, end):
                table[slots[i]].change -= share * boltzmann(table[slots[i]], k)
            table[slots[begin + chosen[step]]].change += alpha
        begin = end
    table[work.weights.scrap()].change = 0.0
    for i in range(begin):
        entry = table[slots[i]]
        if entry.change != 0.0:
            entry.weight += entry.change
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
