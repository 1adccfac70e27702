"""NRPA against its paper: document 002, Algorithms 1 to 3."""

import math
from collections import Counter

import numpy as np
import pytest
from small_problems import Walk, walk_score

import arbora
from arbora.engine import run as runs
from arbora.engine.run import make_run, with_records
from arbora.engine.weights import find
from arbora.search import nrpa

# Steps of a sequence: the codes of all candidates, and which of them was played. Codes come back at other steps, and
# twice within one; a step with one candidate stores no codes.
SEQUENCES = {
    "distinct codes": [([1, 2, 3], 1), ([4, 5], 0), ([6, 7, 8, 9], 3)],
    "shared codes": [([1, 2, 3], 1), ([2, 3], 0), ([3, 1, 2], 2), ([1, 2], 1)],
    "code played here, passed over there": [([1, 2], 0), ([1, 2], 1)],
    "one code for two candidates": [([5, 5, 6], 0), ([5, 6], 1)],
    "single candidates": [([1], 0), ([1, 2], 1), ([3], 0), ([0, 2], 0)],
    "only single candidates": [([1], 0), ([2], 0)],
    "extreme codes": [([0, 2**64 - 1], 1), ([0, 2**63], 0)],
}
START = {1: 0.5, 2: -1.0, 3: 2.0, 5: 0.25, 0: 1.0}


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes and random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def adapted(policy, steps, alpha):
    """Algorithm 2 word for word, `code(m)` in its last loop; a policy is a dict, 0 for codes it does not have."""
    polp = Counter(policy)
    for codes, played in steps:
        polp[codes[played]] += alpha
        z = sum(math.exp(policy.get(code, 0.0)) for code in codes)
        for code in codes:
            polp[code] -= alpha * math.exp(policy.get(code, 0.0)) / z
    return dict(polp)


def make_work(search, policy, steps):
    """A workspace whose level 1 has this policy and this best sequence, as plain Python sees it."""
    longest, widest = len(steps), max(len(codes) for codes, _ in steps)
    run = plain_run(search, Toy(widths=[widest] * longest))
    work = run.work
    work.weights.clear(1)
    table = work.weights.entries[1]
    for code, weight in policy.items():
        entry = table[work.weights.slot(1, np.uint64(code))]
        entry.weight = weight
        entry.gibbs = math.exp(search.k * weight)
    end = 0
    for step, (codes, played) in enumerate(steps):
        if len(codes) > 1:
            work.sequences.codes[1, end : end + len(codes)] = codes
            end += len(codes)
        work.sequences.ends[1, step] = end
        work.sequences.chosen[1, step] = played
    work.sequences.length[1] = longest
    work.resolved[1] = 0
    return work


def plain_run(search, problem, playouts: int = -1, seed: int = 1):
    return with_records(make_run(problem, search, seed=seed, playouts=playouts))


def weights_of(work, codes, level: int = 1) -> dict[int, float]:
    table, bits = work.weights.entries[level], work.weights.bits[level]
    entries = {code: table[find(table, bits, np.uint64(code))] for code in codes}
    return {code: float(entry.weight) if entry.key != 0 else 0.0 for code, entry in entries.items()}


@arbora.problem
class Toy:
    """`widths[i]` moves at step i; the score counts the moves in base 10, so all sequences differ."""

    widths: np.ndarray

    def layout(self):
        return [("step", np.int64), ("value", np.int64)]

    def max_moves(self):
        return int(self.widths.max())

    def max_length(self):
        return self.widths.size

    def reset(self, state):
        state.step = 0
        state.value = 0

    def moves(self, state, out):
        if state.step == self.widths.size:
            return 0
        for move in range(self.widths[state.step]):
            out[move] = move
        return self.widths[state.step]

    def play(self, state, move):
        state.value = state.value * 10 + move
        state.step += 1

    def score(self, state):
        return float(state.value)

    def code(self, state, move):
        return np.uint64(10 * state.step + move)


@pytest.mark.parametrize("start", [{}, START], ids=["empty policy", "learned policy"])
@pytest.mark.parametrize("k", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("name", SEQUENCES)
def test_adapt_is_algorithm_2(name, k, start):
    steps, alpha = SEQUENCES[name], 0.75
    search = arbora.NRPA(level=1, k=k)
    work = make_work(search, start, steps)
    expected = adapted(start, steps, alpha)
    nrpa.adapt(work, 1, alpha, k)
    assert weights_of(work, expected) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("k", [1.0, 0.5])
def test_adapting_again_and_again_follows_the_formula(k):
    steps, policy = SEQUENCES["shared codes"], dict(START)
    work = make_work(arbora.NRPA(level=1, k=k), policy, steps)
    for _ in range(20):
        policy = adapted(policy, steps, 1.0)
        nrpa.adapt(work, 1, 1.0, k)
    assert weights_of(work, policy) == pytest.approx(policy, abs=1e-9)


def test_probabilities_come_from_the_old_policy():
    """With the policy changed on the way, the second step would shift code 1 by more than the first."""
    work = make_work(arbora.NRPA(level=1), {}, [([1, 2], 0), ([1, 3], 0)])
    nrpa.adapt(work, 1, 1.0, 1.0)
    assert weights_of(work, [1, 2, 3]) == pytest.approx({1: 1.0, 2: -0.5, 3: -0.5})


def test_gibbs_odds_follow_the_weights():
    for k in (1.0, 3.0):
        work = make_work(arbora.NRPA(level=1, k=k), START, SEQUENCES["shared codes"])
        nrpa.adapt(work, 1, 1.0, k)
        table, bits = work.weights.entries[1], work.weights.bits[1]
        for code in (1, 2, 3):
            entry = table[find(table, bits, np.uint64(code))]
            assert entry.gibbs == pytest.approx(math.exp(k * entry.weight))
            assert entry.change == 0.0


@pytest.mark.parametrize("k", [1.0, 0.4])
def test_playouts_choose_in_proportion_to_exp_k_w(k):
    """Two steps with given weights: the frequencies of all six sequences match their probabilities (chi-square)."""
    weights = {0: 1.0, 1: -0.5, 10: 0.0, 11: 2.0, 12: -1.0}
    search, count = arbora.NRPA(level=1, k=k), 3000
    run = plain_run(search, Toy(widths=[2, 3]))
    run.work.weights.clear(1)
    seen: Counter[tuple[int, ...]] = Counter()
    for code, weight in weights.items():
        entry = run.work.weights.entries[1][run.work.weights.slot(1, np.uint64(code))]
        entry.weight, entry.gibbs = weight, math.exp(k * weight)
    Toy(widths=[2, 3]).reset(run.states[0])
    for _ in range(count):
        nrpa.play_out(Toy(widths=[2, 3]), run)
        seen[tuple(int(move) for move in run.work.sequences.moves[0, :2])] += 1
    odds = {(a, b): math.exp(k * (weights[a] + weights[10 + b])) for a in range(2) for b in range(3)}
    expected = {pair: count * value / sum(odds.values()) for pair, value in odds.items()}
    chi_square = sum((seen[pair] - expected[pair]) ** 2 / expected[pair] for pair in odds)
    assert chi_square < 20.5  # five degrees of freedom: one in a thousand, and the seed is fixed


def test_playout_stores_codes_and_choices_of_every_step():
    problem = Toy(widths=[3, 1, 2])
    run = plain_run(arbora.NRPA(level=1), problem)
    run.work.weights.clear(1)
    problem.reset(run.states[0])
    nrpa.play_out(problem, run)
    sequences = run.work.sequences
    assert sequences.codes[0, :5].tolist() == [0, 1, 2, 20, 21]
    assert sequences.ends[0].tolist() == [3, 3, 5]
    assert sequences.moves[0].tolist() == sequences.chosen[0].tolist()
    assert sequences.score[0] == int("".join(str(move) for move in sequences.moves[0]))


def reference(level: int, policy: dict[int, float], iterations: int, playout):
    """Algorithm 3, recursive, on dicts, for walks; `playout(policy)` gives the moves."""
    if level == 0:
        moves = playout(policy)
        return walk_score(moves), moves
    best, sequence = -math.inf, []
    for _ in range(iterations):
        score, new = reference(level - 1, dict(policy), iterations, playout)
        if score >= best:
            best, sequence = score, new
        steps = [([3 * row + column for column in range(3)], move) for row, move in enumerate(sequence)]
        policy = adapted(policy, steps, 1.0)
    return best, sequence


def gibbs_walk(policy: dict[int, float], rng) -> list[int]:
    """Algorithm 1 for walks."""
    moves = []
    for step in range(6):
        odds = [math.exp(policy.get(3 * step + move, 0.0)) for move in range(3)]
        rest, pick = rng.uniform() * sum(odds), 0
        while pick < 2 and rest >= odds[pick]:
            rest -= odds[pick]
            pick += 1
        moves.append(pick)
    return moves


@pytest.mark.parametrize(("level", "iterations"), [(1, 6), (2, 4), (3, 3)])
def test_whole_search_is_algorithm_3(level, iterations):
    """The same random numbers through a plain recursive copy of the paper give the same play-outs, twice over."""
    search = arbora.NRPA(level=level, iterations=iterations)
    budget = 2 * iterations**level
    played = []

    class Recording(type(plain_run(search, Walk()))):
        __slots__ = ()

        def finish(self, score, length):
            played.append((score, self.path[:length].tolist()))
            super().finish(score, length)

    run = Recording._make(plain_run(search, Walk(), budget, seed=11))
    search.run(Walk(), run)
    rng = plain_run(search, Walk(), seed=11).rng
    expected: list[tuple[float, list[int]]] = []

    def playout(policy):
        moves = gibbs_walk(policy, rng)
        expected.append((walk_score(moves), moves))
        return moves

    for _ in range(2):  # the search starts anew with an empty policy after iterations ** level play-outs
        reference(level, {}, iterations, playout)
    assert len(expected) == budget
    assert played == expected


def test_equal_scores_replace_the_best_sequence():
    """New best accepted on >=: with every score equal, each level keeps the last sequence, and adapts towards it."""

    @arbora.problem
    class Flat:
        def layout(self):
            return [("step", np.int64)]

        def max_moves(self):
            return 10

        def max_length(self):
            return 1

        def reset(self, state):
            state.step = 0

        def moves(self, state, out):
            for move in range(10):
                out[move] = move
            return 10 if state.step == 0 else 0

        def play(self, state, move):
            state.step = 1

        def score(self, state):
            return 1.0

    search = arbora.NRPA(level=1, iterations=5, alpha=0.0)
    run = plain_run(search, Flat(), 5, seed=3)
    kept = []
    Flat().reset(run.states[0])
    run.work.weights.clear(1)
    for _ in range(5):
        nrpa.play_out(Flat(), run)
        search.receive(run, 1)
        kept.append(int(run.work.sequences.moves[1, 0]) == int(run.path[0]))
    assert kept == [True] * 5
    assert run.counters[runs.PLAYOUTS] == 5
    assert run.counters[runs.TRACED] == 1  # published once: the result is the first of equals


@pytest.mark.parametrize("codes", [16, 64])
def test_codes_beyond_the_table_keep_weight_zero(codes):
    search = arbora.NRPA(level=1, codes=codes)
    count = 8 * codes
    steps = [([2 * i, 2 * i + 1], 0) for i in range(count)]
    work = make_work(search, {}, steps)
    nrpa.adapt(work, 1, 1.0, 1.0)
    nrpa.adapt(work, 1, 1.0, 1.0)
    learned = [code for code, weight in weights_of(work, range(2 * count)).items() if weight != 0.0]
    assert learned == list(range(len(learned)))
    assert codes <= len(learned) < 2 * count
    twice = adapted(adapted({}, steps[:1], 1.0), steps[:1], 1.0)
    assert weights_of(work, [0, 1]) == pytest.approx(twice)
