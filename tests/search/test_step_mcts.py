"""MCTS that commits itself to one step at a time, against document 004, Sections 4.2 to 4.5."""

import math
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from nested_problems import leaves
from small_problems import Walk, best_walk, walk_score

import arbora
from arbora.engine.averages import make_averages
from arbora.engine.best import make_best
from arbora.engine.run import make_run, with_records
from arbora.engine.tree import EXHAUSTED, make_tree
from arbora.problem import new_state
from arbora.search.step_mcts import CAP, FLOOR, StepMCTS, draw_by_average


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes and random numbers wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


class Episode(NamedTuple):
    """One play-out, and how many steps were committed to when it was played."""

    moves: tuple[int, ...]
    score: float
    step: int
    nodes: int


@pytest.fixture
def episodes(monkeypatch):
    """All play-outs of interpreted runs, in order."""
    seen: list[Episode] = []
    back_propagate = StepMCTS.back_propagate

    def record(self, run, score, length, step, passed):
        back_propagate(self, run, score, length, step, passed)
        seen.append(Episode(tuple(run.path[:length].tolist()), float(score), step, int(run.work.tree.size[0])))

    monkeypatch.setattr(StepMCTS, "back_propagate", record)
    return seen


def plain_run(search, playouts: int, problem=None, seed: int = 1):
    problem = problem if problem is not None else Walk()
    run = with_records(make_run(problem, search, seed=seed, playouts=playouts))
    search.run(problem, run)
    return run


def rounds(episodes: list[Episode]) -> list[list[Episode]]:
    """The play-outs of each way from the start position to the end of an episode."""
    found: list[list[Episode]] = []
    for i, episode in enumerate(episodes):
        if i == 0 or episode.step < episodes[i - 1].step:
            found.append([])
        found[-1].append(episode)
    return found


def work_of(arms: list[list[float]], uses: dict[int, list[float]] | None = None, scale=(0.0, 1.0)) -> Any:
    """A workspace whose root has children, moves 0, 1, 2, …, with these scores, and H with these scores by code."""
    tree = with_records(make_tree(len(arms) + 1))
    tree.clear()
    tree.nodes[0].untried = len(arms)
    for move, scores in enumerate(arms):
        child = tree.add_child(0, move)
        for score in scores:
            tree.update(child, score)
            tree.update(0, score)
    averages = with_records(make_averages(8))
    for code, scores in (uses or {}).items():
        for score in scores:
            averages.add(averages.enter(np.uint64(code)), score)
    return SimpleNamespace(
        tree=tree, averages=averages, scale=np.array(scale), odds=np.zeros(3), best=with_records(make_best(Walk(), 1))
    )


def at_start() -> Any:
    """The start of a walk, where the code of a move is the move."""
    state = new_state(Walk())
    Walk().reset(state)
    return state


def selected(search, work: Any) -> int:
    child = search.select(Walk(), SimpleNamespace(work=work), at_start(), 0)
    return int(work.tree.nodes[child].move)


CONFIGURATIONS = [
    {},
    {"rollout_bias": True, "commit": "mean", "selection_bias": 4.0},
    {"commit": "best", "iterations": 9, "nodes": 12, "exploration": 0.2},
    {"selection": "ucb1", "selection_bias": 0.0, "top_weight": 0.5, "iterations": 15, "codes": 7},
    {"rollout_bias": True, "commit": "mean", "iterations": 4, "nodes": 1},
]
all_configurations = pytest.mark.parametrize("parameters", CONFIGURATIONS, ids=str)


def test_selection_biasing_by_hand():
    """k = 4. Of one visit, 1/4 V + 3/4 H: 0.4/4 + 3 * 0.8/4 = 0.7; of two, 0.8/2 + 0.4/2 = 0.6; of four, V alone: 0.65."""
    arms = [[0.4], [0.9, 0.7], [0.65, 0.65, 0.65, 0.65]]
    uses = {0: [0.7, 0.9], 1: [0.4], 2: [0.0]}
    greedy = StepMCTS(exploration=0, selection_bias=4)
    assert selected(greedy, work_of(arms, uses)) == 0
    assert selected(greedy, work_of(arms, {**uses, 0: [0.6, 0.7]})) == 2  # 0.1 + 0.75 * 0.65 = 0.5875
    assert selected(greedy, work_of(arms, {**uses, 0: [0.0], 1: [0.6]})) == 1  # 0.4 + 0.3 = 0.7
    assert selected(greedy.replace(selection_bias=0), work_of(arms, uses)) == 1


def test_an_action_never_used_has_the_average_of_all():
    """H of the first move is (3 * 0.9 + 0.1) / 4 = 0.7."""
    greedy = StepMCTS(exploration=0, selection_bias=2)
    assert selected(greedy, work_of([[0.5], [0.55]], {1: [0.1], 5: [0.9, 0.9, 0.9]})) == 0  # 0.6 against 0.325
    assert selected(greedy, work_of([[0.5], [0.55]], {1: [0.7], 5: [0.5]})) == 1  # 0.55 against 0.625


scores = st.floats(-100, 100).map(lambda value: round(value, 2))


@given(
    arms=st.lists(st.lists(scores, min_size=1, max_size=8), min_size=2, max_size=3),
    uses=st.dictionaries(st.integers(0, 3), st.lists(scores, min_size=1, max_size=4), min_size=1),
    exploration=st.sampled_from([0.0, 0.3, 5.0]),
    top_weight=st.sampled_from([0.0, 0.5]),
    k=st.sampled_from([0.0, 3.0, 50.0]),
    tuned=st.booleans(),
)
def test_selection_is_the_formula(arms, uses, exploration, top_weight, k, tuned):
    low, high = -101.0, 101.0
    visits = sum(len(arm) for arm in arms)
    search = StepMCTS(
        exploration=exploration, top_weight=top_weight, selection_bias=k, selection="ucb1-tuned" if tuned else "ucb1"
    )
    chosen = selected(search, work_of(arms, uses, (low, high)))

    def mean(values):
        return sum((value - low) / (high - low) for value in values) / len(values)

    def value(move):
        arm = arms[move]
        n = len(arm)
        alpha = min(1.0, n / k) if k > 0 else 1.0
        h = mean(uses.get(move) or [score for each in uses.values() for score in each])
        width = math.sqrt(2 * math.log(visits) / n)
        if tuned:
            variance = sum(((score - low) / (high - low)) ** 2 for score in arm) / n - mean(arm) ** 2
            width *= math.sqrt(min(0.25, max(variance, 0.0) + width))
        return alpha * mean(arm) + (1 - alpha) * h + top_weight * mean([max(arm)]) + exploration * width

    assert value(chosen) == pytest.approx(max(value(move) for move in range(len(arms))), abs=1e-9)


def test_what_is_exhausted_is_not_selected():
    work = work_of([[0.9], [0.1], [0.5]])
    work.tree.nodes[1].untried = EXHAUSTED
    assert selected(StepMCTS(exploration=0), work) == 2


class InTurn:
    """A policy that offers the moves 0, 1, 2, 0, 1, … one after the other."""

    def __init__(self, moves: int = 3) -> None:
        self.moves, self.offered = moves, 0

    def choose(self, problem, state, memory, out, rng):
        self.offered += 1
        return (self.offered - 1) % self.moves if self.moves else -1


def drawn(work: Any, numbers: list[float], policy: Any) -> int:
    """The move drawn with these random numbers, one for each move that is offered and might be rejected."""
    rng = SimpleNamespace(uniform=iter(numbers).__next__)
    run = SimpleNamespace(work=work, moves=np.zeros(3, np.int32), memory=[None], rng=rng)
    return int(draw_by_average(Walk(), policy, run, at_start()))


def test_rollout_biasing_by_hand():
    """H is 2, 4, 6 on a scale from 0, 4 on the whole: moves are kept with 0.6, 1.1 and 1.6 of CAP."""
    work = work_of([], {0: [2.0], 1: [3.0, 5.0], 2: [6.0]}, (0.0, 8.0))
    for move, share in enumerate((0.6, 1.1, 1.6)):
        kept, rejected = (share - 0.01) / CAP, (share + 0.01) / CAP
        assert drawn(work, [0.999] * move + [kept], InTurn()) == move
        assert drawn(work, [0.999] * move + [rejected, 0.0], InTurn()) == (move + 1) % 3


def test_an_action_far_above_the_average_is_always_kept_and_one_never_used_counts_as_average():
    work = work_of([], {0: [8.0], 1: [0.0] * 9}, (0.0, 8.0))
    assert drawn(work, [0.999], InTurn()) == 0
    assert drawn(work, [0.999, 0.999, (1 + FLOOR - 0.01) / CAP], InTurn()) == 0  # ten times the average
    policy = InTurn()
    policy.offered = 2
    assert drawn(work, [(1 + FLOOR - 0.01) / CAP], policy) == 2
    policy.offered = 1
    assert drawn(work, [(FLOOR + 0.01) / CAP, (1 + FLOOR - 0.01) / CAP], policy) == 2


def test_no_move_is_drawn_where_the_policy_has_none():
    assert drawn(work_of([], {0: [2.0]}, (0.0, 8.0)), [], InTurn(0)) == -1


@pytest.mark.parametrize("scale", [(np.inf, -np.inf), (3.0, 3.0)])
def test_as_long_as_nothing_is_known_the_policy_decides(scale):
    work = work_of([], {0: [3.0]} if scale[0] == 3 else {}, scale)
    policy = InTurn()
    assert [drawn(work, [], policy) for _ in range(3)] == [0, 1, 2]


def test_moves_that_lead_to_the_lowest_score_are_drawn_as_well():
    work = work_of([], {0: [-5.0, -5.0], 1: [3.0]}, (-5.0, 3.0))
    assert drawn(work, [FLOOR / CAP - 0.001], InTurn()) == 0


def test_the_child_to_commit_to():
    work = work_of([[6.0], [2.0, 3.0, 2.0], [0.0, 9.0]])
    work.best.offer(0, 9.0, np.array([2, 0, 0], np.int32), 3)
    run = SimpleNamespace(work=work)
    chosen = {commit: int(StepMCTS(commit=commit).best_move(run, 0)) for commit in ("mean", "visits", "best")}
    assert chosen == {"mean": 0, "visits": 1, "best": 2}


@all_configurations
def test_h_is_the_average_over_all_episodes_of_a_run(parameters, episodes):
    """The code of a walk's move is 3 * row + column; with `codes` = 7, only the first seven that came are known."""
    search = StepMCTS(**parameters)
    table = plain_run(search, 300).work.averages
    reference: dict[int, list[float]] = {}
    for episode in episodes:
        for row, column in enumerate(episode.moves):
            if 3 * row + column in reference or len(reference) < search.codes:
                reference.setdefault(3 * row + column, []).append(episode.score)
    found = {}
    for row in range(table.used[0]):
        found[int(table.sums[row].code)] = (int(table.sums[row].uses), float(table.sums[row].total))
    assert found == {code: (len(scores), sum(scores)) for code, scores in reference.items()}
    everything = table.sums[table.all_uses()]
    assert (everything.uses, everything.total) == (1800, sum(6 * episode.score for episode in episodes))


@all_configurations
def test_steps_are_never_taken_back(parameters, episodes):
    run = plain_run(StepMCTS(**parameters), 300)
    assert run.counters[0] == len(episodes) == 300
    for episodes_of_round in rounds(episodes):
        assert episodes_of_round[0].step == 0
        deepest = episodes_of_round[-1]
        for i, episode in enumerate(episodes_of_round):
            assert episode.moves[: episode.step] == deepest.moves[: episode.step]
            assert i == 0 or episode.step - episodes_of_round[i - 1].step in (0, 1)
    best = max(episodes, key=lambda episode: episode.score)
    assert (run.best_score[0], tuple(run.best_moves.tolist())) == (best.score, best.moves)
    assert all(walk_score(episode.moves) == episode.score for episode in episodes)


@all_configurations
def test_memory_stays_within_the_pool(parameters, episodes):
    search = StepMCTS(**parameters)
    plain_run(search, 300)
    assert max(episode.nodes for episode in episodes) <= search.nodes


def test_a_number_of_iterations_before_each_step(episodes):
    plain_run(StepMCTS(iterations=7, exploration=3), 40)
    first = rounds(episodes)[0]
    assert [sum(episode.step == step for episode in first) for step in range(4)] == [7, 7, 7, 7]


def test_otherwise_all_steps_that_are_left_get_an_equal_share(episodes):
    """One play-out tells how many there are: then a sixth of 60 is left for the first step, a fifth of 49 for the second."""
    plain_run(StepMCTS(), 61)
    first = rounds(episodes)[0]
    assert [sum(episode.step == step for episode in first) for step in range(4)] == [11, 11, 11, 10]


def test_the_new_root_keeps_what_is_known_of_it(monkeypatch):
    """What the chosen child has in visits and score is what the root has after the step, and no child is lost."""
    commit_step = StepMCTS.commit_step
    compared = []

    def compare(self, problem, run, step):
        tree = run.work.tree
        before = tree.nodes[int(tree.child(0, self.best_move(run, step)))]
        expected = (int(before.visits), float(before.total), float(before.best), int(before.untried))
        commit_step(self, problem, run, step)
        after = tree.nodes[0]
        compared.append(((after.visits, after.total, after.best, after.untried), expected))

    monkeypatch.setattr(StepMCTS, "commit_step", compare)
    plain_run(StepMCTS(iterations=30), 400)
    assert len(compared) >= 10
    assert all(found == expected for found, expected in compared)


def test_the_root_report_is_about_the_start_position(episodes):
    run = plain_run(StepMCTS(iterations=20), 200)
    first = [episode for episode in rounds(episodes)[0] if episode.step == 0]
    assert len(rounds(episodes)) > 1
    for i in range(3):
        scores = [episode.score for episode in first if episode.moves[0] == run.root[i].move]
        assert (run.root[i].visits, run.root[i].best) == (len(scores), max(scores))
        assert run.root[i].mean == sum(scores) / len(scores)
    assert run.root[3].visits == 0


def test_a_tree_that_is_searched_through_proves_the_best_solution():
    result = arbora.solve(Walk(steps=3), StepMCTS(), playouts=100_000, compiled=False)
    assert (result.score, result.stopped) == (best_walk(3), "complete")
    assert (result.playouts, result.nodes) == (3 + 9 + 27, 1 + 3 + 9 + 27)


def test_nothing_is_proved_once_a_step_is_taken(episodes):
    result = arbora.solve(Walk(steps=3), StepMCTS(iterations=20), playouts=1_000, compiled=False)
    assert (result.score, result.stopped, result.playouts) == (best_walk(3), "budget", 1_000)
    first = rounds(episodes)[0]
    assert 20 < len(first) <= 20 + 12  # what lies below the first step has three and nine positions


@arbora.problem
class Over:
    """An episode that is over before it begins."""

    value: float = 4.0

    def layout(self):
        return [("unused", np.int8)]

    def max_moves(self):
        return 1

    def max_length(self):
        return 1

    def reset(self, state):
        state.unused = 0

    def moves(self, state, out):
        return 0

    def play(self, state, move):
        state.unused = move

    def score(self, state):
        return self.value


@pytest.mark.parametrize("rollout_bias", [False, True])
def test_an_episode_without_moves(rollout_bias):
    result = arbora.solve(Over(), StepMCTS(rollout_bias=rollout_bias), playouts=10, compiled=False)
    assert (result.score, result.moves, result.playouts, result.stopped) == (4.0, [], 1, "complete")


def best_leaf(problem: Any, place: int = 0, step: int = 0) -> float:
    """The highest score below a position, by going everywhere."""
    if step == problem.steps or (step >= 2 and place % 5 == 4):
        return problem.values[place]
    return max(best_leaf(problem, 3 * place + move + 1, step + 1) for move in range(3))


@all_configurations
def test_the_optimum_of_small_problems(parameters):
    """In Leaves the same move here and there has nothing in common but its code: H misleads, and must not for long."""
    assert plain_run(StepMCTS(**parameters), 1_000).best_score[0] == best_walk()
    problem = leaves(1)
    assert plain_run(StepMCTS(**parameters), 1_500, problem).best_score[0] == best_leaf(problem)


def test_a_stop_in_the_middle_of_a_play_out_leaves_the_best_so_far(monkeypatch, episodes):
    play_out = StepMCTS.play_out

    def stopping(self, problem, run, state, length):
        if run.counters[0] == 25:
            run.flags[0] = 1
        return play_out(self, problem, run, state, length)

    monkeypatch.setattr(StepMCTS, "play_out", stopping)
    run = plain_run(StepMCTS(iterations=1_000), 100)
    assert run.counters[0] == len(episodes) == run.work.tree.nodes[0].visits == 25
    assert run.best_score[0] == max(episode.score for episode in episodes)
    assert sum(run.root[i].visits for i in range(3)) == 25


@all_configurations
def test_a_run_begins_from_nothing(parameters):
    search = StepMCTS(**parameters)
    fresh = plain_run(search, 200)
    used = plain_run(search, 200, seed=9).work
    again = with_records(make_run(Walk(), search, seed=1, playouts=200))._replace(work=used)
    search.run(Walk(), again)
    assert again.best_moves.tolist() == fresh.best_moves.tolist()
    assert again.trace[: again.counters[3], 1:].tolist() == fresh.trace[: fresh.counters[3], 1:].tolist()
    assert again.rng.words.tolist() == fresh.rng.words.tolist()


@all_configurations
def test_compiled_and_interpreted_are_equal(parameters):
    search = StepMCTS(**parameters)
    results = [arbora.solve(Walk(), search, playouts=700, seed=5, compiled=compiled) for compiled in (True, True, False)]
    seen = [(r.score, r.moves, r.playouts, r.nodes, [(row.playouts, row.score) for row in r.trace], r.root) for r in results]
    assert seen[0] == seen[1] == seen[2]
    assert walk_score(results[0].moves) == results[0].score == best_walk()


def test_threads_share_the_budget():
    result = arbora.solve(Walk(), StepMCTS(iterations=50), playouts=601, threads=2)
    assert (result.score, result.playouts, result.threads) == (best_walk(), 601, 2)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"commit": "luck"}, "commit takes visits, mean, best"),
        ({"iterations": -1}, "iterations takes a whole number of 0 or more"),
        ({"nodes": 0}, "nodes takes a whole number from 1"),
    ],
)
def test_bad_input_is_one_line(parameters, message):
    with pytest.raises(arbora.BadInput) as error:
        StepMCTS(**parameters)
    assert message in str(error.value)
    assert "\n" not in str(error.value)
