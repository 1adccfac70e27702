"""NRPA against its paper: document 002, Algorithms 1 to 3."""

import math
import threading
from collections import Counter

import numpy as np
import pytest
from small_problems import GAINS, Walk, walk_score

import arbora
from arbora.engine import run as runs
from arbora.engine.run import make_run, with_records
from arbora.engine.sequences import Biases, NoBias
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


def no_bias(step, code):
    return 0.0


def adapted(policy, steps, alpha, bias=no_bias, clamp=math.inf):
    """Algorithm 2 word for word, `code(m)` in its last loop; a policy is a dict, 0 for codes it does not have."""
    polp = Counter(policy)
    for step, (codes, played) in enumerate(steps):
        odds = [math.exp(policy.get(code, 0.0) + bias(step, code)) for code in codes]
        polp[codes[played]] += alpha
        for code, odd in zip(codes, odds, strict=True):
            polp[code] -= alpha * odd / sum(odds)
    return {code: min(max(weight, -clamp), clamp) for code, weight in polp.items()}


def make_work(search, policy, steps, bias=None):
    """A workspace whose level 1 has this policy and this best sequence, as plain Python sees it."""
    longest, widest = len(steps), max(len(codes) for codes, _ in steps)
    toy = Toy if bias is None else BiasedToy
    run = plain_run(search, toy(widths=[widest] * longest))
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
            if bias is not None:
                work.sequences.biases.factors[1, end : end + len(codes)] = [math.exp(bias(step, code)) for code in codes]
            end += len(codes)
        work.sequences.ends[1, step] = end
        work.sequences.chosen[1, step] = played
    work.sequences.length[1] = longest
    work.resolved[1] = 0
    return work


def plain_run(search, problem, playouts: int | None = None, seed: int = 1, **shared):
    return with_records(make_run(problem, search, seed=seed, playouts=playouts, **shared))


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


@arbora.problem
class BiasedToy(Toy):
    """The same with a preference for high moves, stronger at later steps."""

    def bias(self, state, move):
        return 0.5 * move * (state.step + 1)


@arbora.problem
class BiasedWalk(Walk):
    """A walk that prefers columns by their gain."""

    strength: float = 0.0

    def bias(self, state, move):
        return self.strength * GAINS[state.step, move]


@pytest.mark.parametrize("start", [{}, START], ids=["empty policy", "learned policy"])
@pytest.mark.parametrize("k", [1.0, 0.5, 2.0])
@pytest.mark.parametrize("name", SEQUENCES)
def test_adapt_is_algorithm_2(name, k, start):
    steps, alpha = SEQUENCES[name], 0.75
    search = arbora.NRPA(level=1, k=k)
    work = make_work(search, start, steps)
    expected = adapted(start, steps, alpha)
    nrpa.adapt(work, 1, alpha, k, search.limit)
    assert weights_of(work, expected) == pytest.approx(expected, abs=1e-12)


def test_adapt_with_bias_worked_by_hand():
    """Biases ln 3 and 0 make p = 3/4 and 1/4; the second is played."""
    work = make_work(arbora.NRPA(level=1), {}, [([1, 2], 1)], lambda step, code: math.log(3) if code == 1 else 0.0)
    nrpa.adapt(work, 1, 1.0, 1.0, np.inf)
    assert weights_of(work, [1, 2]) == pytest.approx({1: -0.75, 2: 0.75})


@pytest.mark.parametrize("k", [1.0, 0.5])
@pytest.mark.parametrize("name", SEQUENCES)
def test_adapt_with_bias_is_algorithm_2_with_weight_plus_bias(name, k):
    def bias(step, code):
        return math.sin(step + code)

    steps = SEQUENCES[name]
    work = make_work(arbora.NRPA(level=1, k=k), START, steps, bias)
    expected = adapted(START, steps, 0.75, bias)
    nrpa.adapt(work, 1, 0.75, k, np.inf)
    assert weights_of(work, expected) == pytest.approx(expected, abs=1e-12)


def test_clamped_weights_stop_at_the_bound():
    """Steps of 1.5 up and 1.5 down: free at first, then at the bound."""
    work = make_work(arbora.NRPA(level=1), {}, [([1, 2], 0)])
    nrpa.adapt(work, 1, 3.0, 1.0, 2.0)
    assert weights_of(work, [1, 2]) == pytest.approx({1: 1.5, 2: -1.5})
    for _ in range(9):
        nrpa.adapt(work, 1, 20.0, 1.0, 2.0)
    assert weights_of(work, [1, 2]) == {1: 2.0, 2: -2.0}
    table, bits = work.weights.entries[1], work.weights.bits[1]
    assert table[find(table, bits, np.uint64(1))].gibbs == math.exp(2.0)


@pytest.mark.parametrize("k", [1.0, 0.5])
def test_adapting_again_and_again_follows_the_formula(k):
    steps, policy = SEQUENCES["shared codes"], dict(START)
    work = make_work(arbora.NRPA(level=1, k=k), policy, steps)
    for _ in range(20):
        policy = adapted(policy, steps, 1.0)
        nrpa.adapt(work, 1, 1.0, k, np.inf)
    assert weights_of(work, policy) == pytest.approx(policy, abs=1e-9)


def test_probabilities_come_from_the_old_policy():
    """With the policy changed on the way, the second step would shift code 1 by more than the first."""
    work = make_work(arbora.NRPA(level=1), {}, [([1, 2], 0), ([1, 3], 0)])
    nrpa.adapt(work, 1, 1.0, 1.0, np.inf)
    assert weights_of(work, [1, 2, 3]) == pytest.approx({1: 1.0, 2: -0.5, 3: -0.5})


def test_gibbs_odds_follow_the_weights():
    for k in (1.0, 3.0):
        work = make_work(arbora.NRPA(level=1, k=k), START, SEQUENCES["shared codes"])
        nrpa.adapt(work, 1, 1.0, k, np.inf)
        table, bits = work.weights.entries[1], work.weights.bits[1]
        for code in (1, 2, 3):
            entry = table[find(table, bits, np.uint64(code))]
            assert entry.gibbs == pytest.approx(math.exp(k * entry.weight))
            assert entry.change == 0.0


@pytest.mark.parametrize("toy", [Toy, BiasedToy])
@pytest.mark.parametrize("k", [1.0, 0.4])
def test_playouts_choose_in_proportion_to_exp_k_w_plus_bias(k, toy):
    """Two steps with given weights: the frequencies of all six sequences match their probabilities (chi-square)."""
    weights = {0: 1.0, 1: -0.5, 10: 0.0, 11: 2.0, 12: -1.0}
    search, problem, count = arbora.NRPA(level=1, k=k), toy(widths=[2, 3]), 3000
    run = plain_run(search, problem)
    run.work.weights.clear(1)
    seen: Counter[tuple[int, ...]] = Counter()
    for code, weight in weights.items():
        entry = run.work.weights.entries[1][run.work.weights.slot(1, np.uint64(code))]
        entry.weight, entry.gibbs = weight, math.exp(k * weight)
    problem.reset(run.states[0])
    for _ in range(count):
        nrpa.play_out(problem, run)
        seen[tuple(int(move) for move in run.work.sequences.moves[0, :2])] += 1
    biases = {(a, b): 0.5 * a + b if toy is BiasedToy else 0.0 for a in range(2) for b in range(3)}
    odds = {(a, b): math.exp(k * (weights[a] + weights[10 + b]) + bias) for (a, b), bias in biases.items()}
    expected = {pair: count * value / sum(odds.values()) for pair, value in odds.items()}
    chi_square = sum((seen[pair] - expected[pair]) ** 2 / expected[pair] for pair in odds)
    assert chi_square < 20.5  # five degrees of freedom: one in a thousand, and the seed is fixed


@pytest.mark.parametrize(
    ("bias", "factor"), [(0.0, 1.0), (math.inf, math.exp(300)), (-math.inf, math.exp(-300)), (1e9, math.exp(300))]
)
def test_extreme_biases_count_as_300(bias, factor):
    biases = Biases(np.zeros((1, 1)))

    class Opinion:
        def bias(self, state, move):
            return bias

    assert biases.record(0, 0, Opinion(), None, 0) == factor
    assert biases.factor(0, 0) == factor


def test_only_a_problem_with_bias_keeps_biases():
    search = arbora.NRPA(level=2)
    assert type(search.workspace(Walk()).sequences.biases) is NoBias
    biases = search.workspace(BiasedWalk()).sequences.biases
    assert type(biases) is Biases
    assert biases.factors.shape == (3, 18)


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


class Reference:
    """NRPA on walks, recursive, on dicts, word for word: Algorithms 1 and 3, with the options. One generator per thread."""

    def __init__(self, search, strength, rngs):
        self.search, self.strength, self.rngs = search, strength, rngs
        self.played = [[] for _ in rngs]

    def bias(self, row, code):
        return self.strength * GAINS[row, code - 3 * row]

    def play_out(self, policy, thread):
        moves = []
        for row in range(6):
            odds = [math.exp(policy.get(code, 0.0) + self.bias(row, code)) for code in range(3 * row, 3 * row + 3)]
            rest, pick = self.rngs[thread].uniform() * sum(odds), 0
            while pick < 2 and rest >= odds[pick]:
                rest -= odds[pick]
                pick += 1
            moves.append(pick)
        self.played[thread].append((walk_score(moves), moves))
        return walk_score(moves), moves

    def adapt(self, policy, sequence):
        steps = [([3 * row, 3 * row + 1, 3 * row + 2], move) for row, move in enumerate(sequence)]
        return adapted(policy, steps, self.search.alpha, self.bias, self.search.clamp or math.inf)

    def results(self, level, policy, threads):
        """What the level below finds in one iteration: several play-outs at level 1, the best thread's at the top."""
        for _ in range(self.search.playouts if level == 1 else 1):
            found = [self.nested(level - 1, dict(policy), [thread]) for thread in threads]
            yield max(found, key=lambda result: result[0])  # the first of equals

    def nested(self, level, policy, threads):
        if level == 0:
            return self.play_out(policy, threads[0])
        best, sequence, repeated = -math.inf, [], 0
        for _ in range(self.search.iterations):
            for score, new in self.results(level, policy, threads):
                if new == sequence:
                    repeated += 1
                elif score >= best:
                    best, sequence, repeated = score, new, 0
            policy = self.adapt(policy, sequence)
            if 0 < self.search.repetitions <= repeated:
                break
        return best, sequence


def recorded(run):
    """The same run, and a list of all play-outs that it will finish."""
    played = []

    class Recording(type(run)):
        __slots__ = ()

        def finish(self, score, length):
            played.append((score, self.path[:length].tolist()))
            super().finish(score, length)

    return Recording._make(run), played


OPTIONS = {
    "level 1": {"level": 1, "iterations": 6},
    "level 2": {"level": 2, "iterations": 4},
    "level 3": {"level": 3, "iterations": 3},
    "stabilized": {"level": 2, "iterations": 4, "playouts": 3},
    "limited repetitions": {"level": 3, "iterations": 12, "repetitions": 2},
    "clamped": {"level": 2, "iterations": 12, "clamp": 1.5},
    "all of them": {"level": 3, "iterations": 5, "playouts": 2, "repetitions": 3, "clamp": 2.0, "alpha": 0.5},
}


@pytest.mark.parametrize("strength", [None, 0.3], ids=["plain", "biased"])
@pytest.mark.parametrize("name", OPTIONS)
def test_whole_search_is_algorithm_3(name, strength):
    """The same random numbers through a plain recursive copy of the paper give the same play-outs, twice over."""
    search = arbora.NRPA(**OPTIONS[name])
    problem = Walk() if strength is None else BiasedWalk(strength=strength)
    model = Reference(search, strength or 0.0, [plain_run(search, problem, seed=11).rng])
    for _ in range(2):  # when a round is over, the search starts anew with an empty policy
        model.nested(search.level, {}, [0])
    run, played = recorded(plain_run(search, problem, len(model.played[0]), seed=11))
    search.run(problem, run)
    assert played == model.played[0]
    if not search.repetitions:
        assert len(played) == 2 * search.playouts * search.iterations**search.level


def test_a_bias_of_zero_changes_nothing():
    plain = arbora.solve(Walk(), arbora.NRPA(level=2, iterations=7), playouts=300, seed=5, compiled=False)
    for compiled in (False, True):
        zero = arbora.solve(BiasedWalk(), arbora.NRPA(level=2, iterations=7), playouts=300, seed=5, compiled=compiled)
        assert zero.moves == plain.moves
        assert [(row.playouts, row.score) for row in zero.trace] == [(row.playouts, row.score) for row in plain.trace]
    runs_of_both = []
    for problem in (Walk(), BiasedWalk()):
        run, played = recorded(plain_run(arbora.NRPA(level=2, iterations=7), problem, 300, seed=5))
        arbora.NRPA(level=2, iterations=7).run(problem, run)
        runs_of_both.append((played, table_of(run, 2)))
    assert runs_of_both[0] == runs_of_both[1]


def table_of(run, level):
    """All entries of a level's table, in their places."""
    table, size = run.work.weights.entries[level], 1 << run.work.weights.bits[level]
    return [(int(table[i].key), float(table[i].weight)) if table[i].key != 0 else None for i in range(size)]


@pytest.mark.parametrize(
    "options", [{}, {"playouts": 3, "repetitions": 2, "clamp": 1.0, "k": 0.7}], ids=["plain", "options"]
)
def test_biased_search_compiled_equals_interpreted(options):
    problem, search = BiasedWalk(strength=-0.2), arbora.NRPA(level=2, iterations=7, **options)
    compiled, plain = (arbora.solve(problem, search, playouts=200, seed=3, compiled=compiled) for compiled in (True, False))
    assert compiled.moves == plain.moves
    assert [(row.playouts, row.score) for row in compiled.trace] == [(row.playouts, row.score) for row in plain.trace]


def test_clamped_search_keeps_all_weights_in_bounds():
    search = arbora.NRPA(level=2, iterations=20, clamp=0.8)
    run = plain_run(search, Walk(), 399, seed=1)
    search.run(Walk(), run)
    for level in (1, 2):
        weights = [entry[1] for entry in table_of(run, level) if entry]
        assert max(weights) == 0.8
        assert min(weights) == -0.8


@pytest.mark.parametrize(("repetitions", "expected"), [(0, 10 * 10), (1, 2 * 2), (3, 4 * 4), (9, 10 * 10), (50, 10 * 10)])
def test_a_level_returns_when_its_best_has_been_found_again_so_often(repetitions, expected):
    """With one sequence only, a level finds it, and finds it again `repetitions` times."""
    search = arbora.NRPA(level=2, iterations=10, repetitions=repetitions)
    problem = Toy(widths=[1, 1])
    run = plain_run(search, problem)
    problem.reset(run.states[0])
    run.work.weights.clear(2)
    search.nested(problem, run)
    assert run.counters[runs.PLAYOUTS] == expected


def test_other_sequences_of_the_same_score_are_no_repetitions():
    run = plain_run(arbora.NRPA(level=1), Toy(widths=[2, 2]))
    sequences = run.work.sequences
    nrpa.start(run.work, 1)
    counts = []
    for score, moves in [(5, [0, 1]), (5, [0, 1]), (5, [1, 0]), (4, [1, 0]), (5, [1, 0]), (5, [1, 0]), (6, [1, 0])]:
        sequences.moves[0], sequences.ends[0], sequences.length[0], sequences.score[0] = moves, [0, 0], 2, score
        nrpa.take(run.work, 1, sequences, 0)
        counts.append(int(run.work.repeated[1]))
    assert counts == [0, 1, 0, 0, 1, 2, 0]


@pytest.mark.parametrize("playouts", [1, 4])
def test_several_playouts_between_adaptations(playouts, monkeypatch):
    search = arbora.NRPA(level=2, iterations=3, playouts=playouts)
    adaptations = Counter()
    adapt = nrpa.adapt

    def counting(work, level, *rest):
        adaptations[level] += 1
        adapt(work, level, *rest)

    monkeypatch.setattr(nrpa, "adapt", counting)
    run = plain_run(search, Walk())
    Walk().reset(run.states[0])
    run.work.weights.clear(2)
    search.nested(Walk(), run)
    assert run.counters[runs.PLAYOUTS] == 3 * 3 * playouts
    assert adaptations == {1: 3 * 3, 2: 3}


def run_together(search, problem, budgets, seed):
    """One interpreted thread per budget; returns their runs and what each has played."""
    threads = len(budgets)
    team, flags = search.team(problem, threads), np.zeros(1, np.int64)
    both = [
        recorded(plain_run(search, problem, budget, seed, thread=i, threads=threads, team=team, flags=flags))
        for i, budget in enumerate(budgets)
    ]

    def work(run):
        with np.errstate(over="ignore"):
            search.run(problem, run)

    workers = [threading.Thread(target=work, args=(run,)) for run, _ in both]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
        assert not worker.is_alive()
    return [run for run, _ in both], [played for _, played in both]


@pytest.mark.parametrize("strength", [None, 0.3], ids=["plain", "biased"])
@pytest.mark.parametrize("name", OPTIONS)
def test_threads_that_share_a_policy_are_one_search(name, strength):
    """Each top-level iteration takes the best of both threads; their policies stay equal, entry for entry."""
    search = arbora.NRPA(**OPTIONS[name], parallel="shared")
    problem = Walk() if strength is None else BiasedWalk(strength=strength)
    model = Reference(search, strength or 0.0, [plain_run(search, problem, seed=2, thread=i).rng for i in range(2)])
    model.nested(search.level, {}, [0, 1])
    both, played = run_together(search, problem, [len(played) for played in model.played], seed=2)
    assert played == model.played
    tables = [table_of(run, search.level) for run in both]
    assert tables[0] == tables[1]
    assert sum(entry is not None for entry in tables[0]) == 18


def test_a_thread_that_has_spent_its_budget_is_not_waited_for():
    search = arbora.NRPA(level=2, iterations=5, parallel="shared")
    both, played = run_together(search, Walk(), [60, 12], seed=4)
    assert [len(moves) for moves in played] == [60, 12]
    assert both[0].team.rounds.tolist() == [-1 - 11, -1 - 2]


def test_a_stopped_run_waits_no_longer():
    """The other thread never comes; what this one has found so far is published."""
    search = arbora.NRPA(level=2, iterations=5, parallel="shared")
    run = plain_run(search, Walk(), thread=0, threads=2)

    def work():
        with np.errstate(over="ignore"):
            search.run(Walk(), run)

    worker = threading.Thread(target=work)
    worker.start()
    while run.team.rounds[0] == 0:  # until it has offered, and waits
        pass
    worker.join(0.05)
    assert worker.is_alive()
    run.flags[0] = 1
    worker.join(60)
    assert not worker.is_alive()
    assert run.counters[runs.PLAYOUTS] == 5
    assert run.best_score[0] > 0


def test_sharing_with_oneself_is_searching_alone():
    for compiled in (True, False):
        alone, shared = (
            arbora.solve(
                Walk(), arbora.NRPA(level=2, iterations=7, parallel=parallel), playouts=300, seed=5, compiled=compiled
            )
            for parallel in ("independent", "shared")
        )
        assert shared.moves == alone.moves
        assert [(row.playouts, row.score) for row in shared.trace] == [(row.playouts, row.score) for row in alone.trace]
    assert arbora.NRPA(parallel="shared").team(Walk(), 1).rounds.size == 0
    assert arbora.NRPA().team(Walk(), 2).rounds.size == 0


@pytest.mark.parametrize(("level", "threads"), [(1, 2), (2, 2), (3, 2), (2, 5)])
def test_shared_results_do_not_depend_on_timing(level, threads):
    problem = arbora.SameGame(seed=3, width=9, height=9, colors=4)
    search = arbora.NRPA(level=level, iterations=10, parallel="shared")
    results = [arbora.solve(problem, search, playouts=3001, threads=threads, seed=8) for _ in range(4)]
    assert len({(result.score, tuple(result.moves), result.playouts) for result in results}) == 1
    assert results[0].playouts == 3001
    alone = arbora.solve(problem, search.replace(parallel="independent"), playouts=3001, threads=threads, seed=8)
    assert alone.moves != results[0].moves


def test_shared_compiled_equals_interpreted():
    problem, search = (
        arbora.SameGame(seed=3, width=5, height=5, colors=3),
        arbora.NRPA(level=2, iterations=5, parallel="shared"),
    )
    compiled, plain = (
        arbora.solve(problem, search, playouts=101, threads=2, seed=8, compiled=compiled) for compiled in (True, False)
    )
    assert (compiled.score, compiled.moves) == (plain.score, plain.moves)


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
    nrpa.adapt(work, 1, 1.0, 1.0, np.inf)
    nrpa.adapt(work, 1, 1.0, 1.0, np.inf)
    learned = [code for code, weight in weights_of(work, range(2 * count)).items() if weight != 0.0]
    assert learned == list(range(len(learned)))
    assert codes <= len(learned) < 2 * count
    twice = adapted(adapted({}, steps[:1], 1.0), steps[:1], 1.0)
    assert weights_of(work, [0, 1]) == pytest.approx(twice)
