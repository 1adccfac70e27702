"""Every policy: compiled equals interpreted, and its choices are those of its definition."""

import math
from collections import Counter
from collections.abc import Iterator
from functools import partial
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import arbora
from arbora import BadInput, ByKind, ProblemError, Random, Roulette, SameGame, TabuBandit, TabuColor, TabuRandom, Uniform
from arbora.engine.rng import make_rng
from arbora.engine.run import make_run, with_records
from arbora.policies.tabu import color_slots
from arbora.problem import Records, new_state


@arbora.policy
class Alternate:
    """Low moves in one play-out, high ones in the next, `share` of the way into the list; remembers the last score."""

    share: float = arbora.param("where in the list, from its end", default=0.25, low=0, high=0.9)

    def layout(self, problem):
        return [("playouts", np.int64), ("last", np.float64)]

    def begin(self, problem, state, memory, rng):
        memory.playouts += 1

    def choose(self, problem, state, memory, out, rng):
        count = problem.moves(state, out)
        if count == 0:
            return -1
        place = int(self.share * count)
        return out[place] if memory.playouts % 2 == 1 else out[count - 1 - place]

    def learn(self, problem, memory, score):
        memory.last = score


POLICIES = [Uniform(), TabuRandom(epsilon=0.1), TabuColor(epsilon=0.1), TabuBandit(), Roulette(), ByKind(), Alternate()]
NAMES = [type(policy).__name__ for policy in POLICIES]


@pytest.mark.parametrize("policy", POLICIES, ids=NAMES)
def test_compiled_equals_interpreted(policy):
    problem = SameGame(seed=7, width=9, height=8, colors=4)
    fast = arbora.solve(problem, Random(policy=policy), playouts=15, seed=5)
    slow = arbora.solve(problem, Random(policy=policy), playouts=15, seed=5, compiled=False)
    assert (fast.score, fast.moves, fast.playouts) == (slow.score, slow.moves, slow.playouts)
    assert [(step.playouts, step.score) for step in fast.trace] == [(step.playouts, step.score) for step in slow.trace]


def new_memory(policy: Any, problem: Any) -> Any:
    return Records(np.zeros(1, np.dtype(policy.layout(problem), align=True)))[0]


def start(problem: Any) -> Any:
    state = new_state(problem)
    problem.reset(state)
    return state


def choices(policy: Any, problem: Any, seed: int) -> Iterator[tuple[Any, Any, list[int], int]]:
    """State, memory, moves and the move chosen at each step of one play-out."""
    state, memory, rng = start(problem), new_memory(policy, problem), make_rng(seed)
    moves, out = np.zeros((2, problem.max_moves()), np.int32)
    with np.errstate(over="ignore"):
        policy.begin(problem, state, memory, rng)
        while (move := int(policy.choose(problem, state, memory, out, rng))) >= 0:
            listed = moves[: problem.moves(state, moves)].tolist()
            yield state, memory, listed, move
            problem.play(state, move)
        assert problem.moves(state, moves) == 0


@pytest.mark.parametrize("policy", POLICIES, ids=NAMES)
def test_only_legal_moves_are_chosen_until_there_are_none(policy):
    for seed in range(3):
        for _, _, moves, move in choices(policy, SameGame(seed=seed, width=6, height=7, colors=4), seed):
            assert move in moves


@pytest.mark.parametrize(
    "policy", [TabuRandom(epsilon=0), TabuColor(epsilon=0), TabuBandit()], ids=lambda p: type(p).__name__
)
def test_the_tabu_colour_waits_for_all_others(policy):
    problem = SameGame(seed=3, width=8, height=8, colors=3)
    waited = 0
    for seed in range(5):
        for state, memory, moves, move in choices(policy, problem, seed):
            others = [other for other in moves if problem.kind(state, other) != memory.tabu]
            assert move in (others or moves)
            waited += 0 < len(others) < len(moves)
    assert waited > 20


@pytest.mark.parametrize("policy_class", [TabuRandom, TabuColor, TabuBandit])
@pytest.mark.parametrize(("epsilon", "low", "high"), [(0, 0, 0), (0.5, 130, 204), (1, 287, 379)])  # 4 standard deviations
def test_epsilon_is_the_share_of_wholly_random_moves(policy_class, epsilon, low, high):
    problem = SameGame(board="aaabbcc")
    policy, state, rng = policy_class(epsilon=epsilon), start(problem), make_rng(1)
    memory, out = new_memory(policy, problem), np.zeros(problem.max_moves(), np.int32)
    memory.tabu = 0
    with np.errstate(over="ignore"):
        drawn = Counter(int(policy.choose(problem, state, memory, out, rng)) // 64 for _ in range(1000))
    assert low <= drawn[0] <= high  # one move of three is tabu
    assert drawn[0] + drawn[3] + drawn[5] == 1000


def test_tabu_color_spares_the_most_frequent_colour_where_the_play_out_starts():
    problem, policy = SameGame(board="aaaaccbbb"), TabuColor()
    state, memory = start(problem), new_memory(policy, problem)
    policy.begin(problem, state, memory, make_rng(1))
    assert memory.tabu == 0
    with np.errstate(over="ignore"):
        problem.play(state, 0)
    policy.begin(problem, state, memory, make_rng(1))
    assert memory.tabu == 1
    with np.errstate(over="ignore"):
        policy.begin(problem, start(SameGame(board="bbaac")), memory, make_rng(1))
    assert memory.tabu == 0  # the lowest of equals


def test_tabu_random_draws_every_colour():
    problem, policy, rng = SameGame(board="aabbccdd"), TabuRandom(), make_rng(2)
    state, memory, drawn = start(problem), new_memory(policy, problem), Counter()
    with np.errstate(over="ignore"):
        for _ in range(400):
            policy.begin(problem, state, memory, rng)
            drawn[int(memory.tabu)] += 1
    assert sorted(drawn) == [0, 1, 2, 3]
    assert sum((count - 100) ** 2 / 100 for count in drawn.values()) < 16.3  # chi-square, 3 degrees of freedom, 0.1 %


def ucb1_tuned(history: list[tuple[int, float]], arms: int, exploration: float) -> int:
    """Document 000, equations (2a) to (2c), from all scores so far; an arm never tried comes first."""
    low, high = min(score for _, score in history), max(score for _, score in history)
    values = []
    for arm in range(arms):
        rewards = [(score - low) / (high - low) if high > low else 0.5 for tried, score in history if tried == arm]
        if not rewards:
            return arm
        visits, mean, ratio = len(rewards), sum(rewards) / len(rewards), 2 * math.log(len(history)) / len(rewards)
        variance_bound = sum(reward**2 for reward in rewards) / visits - mean**2 + math.sqrt(ratio)
        values.append(mean + exploration * math.sqrt(ratio * min(0.25, variance_bound)))
    return values.index(max(values))


@pytest.mark.parametrize("exploration", [0, 0.4, 1, 3])
def test_the_bandit_chooses_by_ucb1_tuned(exploration):
    problem, policy = SameGame(board="aabbccdd"), TabuBandit(exploration=exploration)
    state, memory, rng = start(problem), new_memory(policy, problem), np.random.default_rng(1)
    history = []
    for _ in range(300):
        policy.begin(problem, state, memory, make_rng(1))
        assert memory.tabu == (ucb1_tuned(history, 4, exploration) if history else 0)
        score = float(rng.normal(1000 + 50 * memory.tabu, 200))
        policy.learn(problem, memory, score)
        history.append((int(memory.tabu), score))
    counts = Counter(color for color, _ in history)
    assert [memory.visits[color] for color in range(4)] == [counts[color] for color in range(4)]


class Preset:
    """Random numbers that were chosen beforehand; remembers the ranges they were asked for."""

    def __init__(self, *numbers: int) -> None:
        self.numbers, self.ranges = list(numbers), []  # type: ignore[var-annotated]

    def below(self, n: int) -> int:
        self.ranges.append(int(n))
        return self.numbers.pop(0)


def spin(problem: Any, *numbers: int) -> tuple[str, list[int]]:
    """The move that roulette makes of these random numbers, as text, and the ranges they were asked for."""
    state, rng = start(problem), Preset(*numbers)
    out, memory = np.zeros(problem.max_moves(), np.int32), new_memory(Roulette(), problem)
    with np.errstate(over="ignore"):
        move = Roulette().choose(problem, state, memory, out, rng)
    return problem.text(state, move), rng.ranges


def test_a_colour_has_as_many_places_on_the_wheel_as_cells_less_than_the_most_frequent():
    # Five a, four c in two groups, two b, two e; the one d cannot be played.
    problem = SameGame(board="aaaaaccbbccdee")
    assert [spin(problem, place, 0) for place in range(7)] == [
        *[("7,0", [7, 1])] * 3,  # b: 5 - 2
        ("5,0", [7, 2]),  # c: 5 - 4
        *[("12,0", [7, 1])] * 3,  # e: 5 - 2
    ]
    assert spin(problem, 3, 1) == ("9,0", [7, 2])


def test_colours_equally_frequent_leave_any_move():
    problem = SameGame(board="aabbcc")
    assert [spin(problem, number) for number in range(3)] == [("0,0", [3]), ("2,0", [3]), ("4,0", [3])]


def test_there_is_room_for_every_number_of_colours():
    rooms = [color_slots(SimpleNamespace(kinds=partial(int, colors))) for colors in range(1, 27)]
    assert rooms == [8] * 8 + [16] * 8 + [32] * 10


def test_a_policy_keeps_its_memory_from_one_play_out_to_the_next():
    # From the top, as every second play-out has it, this board gives groups of 3, 3 and 2, and one block is left.
    problem, search = SameGame(board="aaa\nbbb\nccd"), Random(policy=Alternate(share=0))
    for playouts, last in [(1, -3), (2, 1), (3, -3)]:
        run = make_run(problem, search, playouts=playouts)
        with np.errstate(over="ignore"):
            search.run(problem, with_records(run))
        assert run.memory[0].tolist() == (playouts, last)


def test_a_policy_without_choose_is_told():
    with pytest.raises(ProblemError, match=r"class Silent .*test_policies\.py:\d+.*: method choose\(self, .*\) is missing"):

        @arbora.policy
        class Silent:
            def begin(self, problem, state, memory, rng):
                pass


def test_a_policy_with_a_wrong_signature_is_told():
    with pytest.raises(ProblemError) as error:

        @arbora.policy
        class Short:
            def choose(self, problem, state):
                return -1

    assert "class Short" in str(error.value)
    assert "choose must be choose(self, problem, state, memory, out, rng), not choose(self, problem, state)" in str(
        error.value
    )


@arbora.problem
class Countdown:
    """Take one or two until nothing is left; moves have no kinds."""

    def layout(self):
        return [("left", np.int64)]

    def max_moves(self):
        return 2

    def max_length(self):
        return 9

    def reset(self, state):
        state.left = 9

    def moves(self, state, out):
        out[0], out[1] = 1, 2
        return min(state.left, 2)

    def play(self, state, move):
        state.left -= move

    def score(self, state):
        return 0.0


@pytest.mark.parametrize("policy", [TabuRandom(), TabuColor(), TabuBandit(), Roulette()], ids=lambda p: type(p).__name__)
def test_a_policy_by_kinds_needs_a_problem_with_kinds(policy):
    with pytest.raises(BadInput) as error:
        arbora.solve(Countdown(), Random(policy=policy), playouts=1)
    assert str(error.value) == (
        f"policy {type(policy).__name__} needs a problem with the methods kinds, kind, kind_count; Countdown has no kinds"
    )


def test_what_is_not_a_policy_is_told():
    with pytest.raises(BadInput, match="'uniform' is not a policy; give one such as"):
        arbora.solve(Countdown(), Random(policy="uniform"), playouts=1)
    with pytest.raises(BadInput, match=r"TabuColor: epsilon=1\.5 is not allowed; epsilon takes a number from 0 to 1"):
        TabuColor(epsilon=1.5)


@arbora.problem
class Drawer:
    """One move of six: 0 to 3 are of one kind, 4 and 5 of another; the bias of move 5 is given."""

    against: float = 0.0

    def layout(self):
        return [("moved", np.int64)]

    def max_moves(self):
        return 6

    def max_length(self):
        return 1

    def reset(self, state):
        state.moved = 0

    def moves(self, state, out):
        for move in range(6):
            out[move] = move
        return 0 if state.moved else 6

    def play(self, state, move):
        state.moved = 1

    def score(self, state):
        return 0

    def kinds(self):
        return 3

    def kind(self, state, move):
        return 1 if move < 4 else 2

    def bias(self, state, move):
        return self.against if move == 5 else 1.0


def drawn_by_kind(problem: Any, draws: int = 8_000) -> list[float]:
    """The share of each move among many draws."""
    policy, state, rng = ByKind(), start(problem), make_rng(3)
    memory, out = new_memory(policy, problem), np.zeros(6, np.int32)
    with np.errstate(over="ignore"):
        found = Counter(int(policy.choose(problem, state, memory, out, rng)) for _ in range(draws))
    return [found[move] / draws for move in range(6)]


def test_kinds_are_equally_likely_then_the_moves_of_a_kind():
    assert drawn_by_kind(Drawer()) == pytest.approx([0.125] * 4 + [0.25] * 2, abs=0.015)


def test_a_negative_bias_makes_a_move_rarer_and_a_positive_one_counts_as_none():
    halved = [0.125] * 4 + [0.25, 0.125]
    expected = [share / sum(halved) for share in halved]
    assert drawn_by_kind(Drawer(against=math.log(0.5))) == pytest.approx(expected, abs=0.015)


def test_a_move_that_the_bias_all_but_forbids_is_taken_where_there_is_no_other_way_out():
    problem, policy = Drawer(against=-1e9), ByKind(tries=1)
    state, rng, out = start(problem), make_rng(1), np.zeros(6, np.int32)
    memory = new_memory(policy, problem)
    with np.errstate(over="ignore"):
        found = {int(policy.choose(problem, state, memory, out, rng)) for _ in range(200)}
    assert found == set(range(6))
