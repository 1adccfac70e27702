"""The bus line: its reference figures, the fast simulation against the obvious one, rule, codes, keys, texts."""

import random
from functools import cache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from plain_line import make_data, simulate

import arbora
from arbora import NRPA, Bus, Random
from arbora.check import interpreted_checks
from arbora.engine.rng import make_rng
from arbora.errors import BadInput
from arbora.probe import differing
from arbora.problem import Records, new_state, new_states, state_dtype
from arbora.problems.bus.data import random_line

MODELS = ("reference", "clean")
data_of = cache(make_data)


@pytest.fixture(autouse=True)
def wrapping_arithmetic():
    """Hashes wrap around, as they do in `solve`."""
    with np.errstate(over="ignore"):
        yield


def started(problem: Any) -> Any:
    state = new_state(problem)
    problem.reset(state)
    return state


def listed(problem: Any, state: Any, method: str) -> list[int]:
    out = np.full(problem.max_moves(), -1, np.int32)
    return out[: getattr(problem, method)(state, out)].tolist()


@pytest.mark.parametrize("model", MODELS)
def test_always_one_minute(model):
    problem = Bus(model=model)
    state, decisions = started(problem), 0
    while listed(problem, state, "moves"):
        problem.play(state, 1)
        decisions += 1
    assert decisions == 456
    assert state.cost == 1_995_777
    assert problem.score(state) == -1795.777


@pytest.mark.parametrize(("model", "mean"), [("reference", 2896), ("clean", 2321)])
def test_mean_of_uniform_playouts(model, mean):
    """Play-outs of the reference scatter by 150, so that the mean of 60 is within 80 of the long-run mean."""
    problem, rng = Bus(model=model), make_rng(1)
    figures = []
    for _ in range(60):
        state = started(problem)
        while (move := problem.sample(state, np.zeros(5, np.int32), rng)) >= 0:
            problem.play(state, move)
        figures.append(-problem.score(state))
    assert np.mean(figures) == pytest.approx(mean, abs=80)


def follow(problem: Any, seed: int, choose: Any) -> None:
    """Play on the fast line what `choose` decides on the plain one, comparing everything on the way."""
    state = started(problem)
    begun, length = False, 0

    def decide(bus: int, stop: int, t: int, stops: list[int], waiting: list[int]) -> int:
        nonlocal begun, length
        assert (state.bus, state.minute) == (bus, t)
        assert state.buses[0].tolist() == stops
        counted = [s for s in range(1, 70) if s != 35]
        assert [problem.waiting_at(state, s) for s in counted] == [waiting[s] for s in counted]
        assert state.waiting == sum(waiting[s] for s in counted)
        assert listed(problem, state, "moves") == list(range(1, problem.max_wait + 1))
        behind = [stop - other for i, other in enumerate(stops) if i != bus and other <= stop]
        alone = min(behind, default=99) < problem.delta
        allowed = [1] if alone else list(range(1, problem.max_wait + 1))
        assert listed(problem, state, "candidates") == allowed
        wait = allowed[choose() % len(allowed)]
        assert problem.code(state, wait) == (stop * 500 + t) * 16 + wait
        assert problem.text(state, wait) == f"bus {bus} stop {stop} t={t} wait {wait}"
        assert problem.sample(state, np.zeros(10, np.int32), make_rng(t)) in listed(problem, state, "moves")
        problem.play(state, wait)
        length += 1
        return wait

    decided, cost = simulate(data_of(seed), problem.model, decide)
    assert length == len(decided) <= problem.max_length()
    assert state.cost == cost
    assert state.waiting == sum(problem.waiting_at(state, s) for s in range(1, 70) if s != 35)
    assert problem.score(state) == pytest.approx((200_000 - cost) / 1000, abs=1e-9)
    assert listed(problem, state, "moves") == listed(problem, state, "candidates") == []
    assert problem.sample(state, np.zeros(10, np.int32), make_rng(1)) == -1


@settings(deadline=None, max_examples=12)
@given(
    model=st.sampled_from(MODELS),
    delta=st.integers(0, 6),
    max_wait=st.integers(1, 10),
    seed=st.integers(1, 3),
    choices=st.randoms(use_true_random=False),
)
def test_fast_equals_plain(model, delta, max_wait, seed, choices):
    follow(Bus(model=model, delta=delta, max_wait=max_wait, seed=seed), seed, lambda: choices.randrange(10))


@pytest.mark.parametrize("model", MODELS)
def test_fast_equals_plain_for_extreme_play(model):
    longest = Bus(model=model, max_wait=10)
    follow(longest, 1, lambda: -1)  # always the longest wait: buses bunch, and in the reference model never leave
    follow(longest.replace(delta=70), 1, lambda: -1)


@pytest.mark.parametrize("seed", [1, 2, 2**31 - 1])
def test_seeds_give_the_data_of_the_generator(seed):
    passengers, travel, incident = (np.array(table) for table in data_of(seed))
    problem = Bus(seed=seed)
    assert np.array_equal(problem.arrived[1:], np.cumsum(passengers, axis=0))
    assert np.array_equal(problem.trip[1:], travel[:-1] + incident[1:])
    assert np.array_equal(problem.trip[0], incident[0])


def test_the_first_data_of_the_reference():
    """The generator begins .840, .394, .783; .798, .912, .198; .335, .768, .278: three numbers for each stop."""
    assert random_line(1)[0, :3].tolist() == [[4, 2, 0], [3, 3, 0], [1, 3, 0]]
    assert set(random_line(1)[:, :, 2].ravel().tolist()) == {0, 5}


def test_the_rule_never_lets_a_bus_wait_with_one_close_behind():
    problem = Bus(delta=4)
    state, rng, asked = started(problem), random.Random(5), {True: 0, False: 0}
    while listed(problem, state, "moves"):
        stops = state.buses[0].tolist()
        here = stops.pop(state.bus)
        close = any(0 <= here - other < 4 for other in stops)
        asked[close] += 1
        candidates = listed(problem, state, "candidates")
        assert candidates == ([1] if close else [1, 2, 3, 4, 5])
        problem.play(state, rng.choice(candidates))
    assert min(asked.values()) > 50


def test_no_rule_allows_all():
    problem = Bus()
    state = started(problem)
    for _ in range(300):
        assert listed(problem, state, "candidates") == [1, 2, 3, 4, 5]
        problem.play(state, 1)


def test_cost_bounds_the_score():
    problem = Bus(model="clean")
    state, rng, bounds = started(problem), random.Random(1), []
    while listed(problem, state, "moves"):
        bounds.append(problem.bound(state))
        problem.play(state, rng.randint(1, 5))
    assert bounds == sorted(bounds, reverse=True)
    assert bounds[0] == 200
    assert bounds[-1] >= problem.score(state)


def test_keys_are_equal_exactly_if_the_future_is():
    """Waiting 2 and 5 minutes is the same if the bus is asked again, and not if it is not."""
    for model, same in (("reference", True), ("clean", False)):
        problem = Bus(model=model)
        states = Records(new_states(problem, 3))
        problem.reset(states[0])
        states[1] = states[2] = states[0]
        problem.play(states[0], 2)
        problem.play(states[1], 5)
        problem.play(states[2], 1)
        keys = [int(problem.key(states[i])) for i in range(3)]
        assert (keys[0] == keys[1]) == same
        assert len({*keys, 0}) == (3 if same else 4)


def test_keys_do_not_depend_on_the_cost_so_far():
    problem = Bus()
    state = started(problem)
    key = problem.key(state)
    state.cost += 1000
    assert problem.key(state) == key


@pytest.mark.parametrize("model", MODELS)
def test_compiled_equals_interpreted(model):
    problem = Bus(model=model, delta=3)
    fast, plain = (arbora.solve(problem, NRPA(level=1), playouts=3, seed=2, compiled=c) for c in (True, False))
    assert (fast.score, fast.moves) == (plain.score, plain.moves)


def test_problem_conforms():
    """That it plays alike when compiled is seen below, by NRPA."""
    assert len(list(interpreted_checks(Bus(), 3, 1))) >= 5
    assert differing(Bus(), 3, 1) == []


def test_a_state_is_small():
    assert state_dtype(Bus()).itemsize <= 512


def test_a_line_as_data():
    """Nobody comes, so nobody waits; a bus that needs 200 minutes to a stop is asked once."""
    line = np.zeros((500, 71, 3), int)
    line[:, :, 1] = 200
    result = arbora.solve(Bus(line=line), Random(), playouts=1, compiled=False)
    assert result.score == 200
    stops_and_minutes = {tuple(text.split()[3:5]) for text in result.text}
    assert len(result.moves) >= len(stops_and_minutes) > 0
    assert Bus(line=line).replace(delta=2).trip[7, 5] == 200


def test_a_picture():
    problem = Bus()
    lines = problem.render(started(problem)).splitlines()
    assert lines[0].startswith("minute 202, ")
    assert lines[0].endswith(" people waiting, score so far 200.000")
    assert len(lines) == 21
    assert max(len(line) for line in lines) <= 76
    names = [word for line in lines if line.startswith("buses") for word in line.split()[1:]]
    assert sum(int(name[:-1]) if name.endswith("x") else len(name.split(",")) for name in names) == 20
    stops = [int(word) for line in lines if line.startswith("stop") for word in line.split()[1:]]
    assert stops == list(range(70))


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"delta": -1}, "Bus: delta=-1 is not allowed; delta takes a whole number from 0 to 70"),
        ({"delta": 71}, "Bus: delta=71 is not allowed; delta takes a whole number from 0 to 70"),
        ({"max_wait": 0}, "Bus: max_wait=0 is not allowed; max_wait takes a whole number from 1 to 10"),
        ({"max_wait": 11}, "Bus: max_wait=11 is not allowed; max_wait takes a whole number from 1 to 10"),
        ({"model": "other"}, "Bus: model='other' is not allowed; model takes reference, clean"),
        ({"seed": 0}, "Bus: seed=0 is not allowed; seed takes a whole number from 1 to 2,147,483,647"),
        ({"line": [[1]]}, "line: takes whole numbers in an array of shape (500, 71, 3), not int64 (1, 1)"),
        ({"line": np.zeros((500, 71, 3), int)}, "line: travel takes whole numbers from 1 to 1,000"),
        ({"line": np.full((500, 71, 3), 1001)}, "line: passengers takes whole numbers from 0 to 1,000"),
        ({"line": np.zeros((500, 71, 3))}, "line: takes whole numbers in an array of shape (500, 71, 3), not float64"),
    ],
)
def test_bad_parameters(parameters, message):
    with pytest.raises(BadInput) as error:
        Bus(**parameters)
    assert str(error.value).startswith(message)
