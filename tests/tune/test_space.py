"""Ranges and choices: read from text, checked against the search, and put back into a spec."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.errors import BadInput
from arbora.spec import parse_search
from arbora.tune.space import Choice, Range, as_spec, parse_params, parse_space

SEARCH = "sp-mcts,policy=tabu-color,time=per-game"

USERS = """
import arbora

@arbora.policy
class Mine:
    careful: bool = False
    epsilon: int = arbora.param("", default=1, low=0)
    def choose(self, problem, state, memory, out, rng):
        return problem.sample(state, out, rng)

@arbora.search
class Twice:
    times: int = 2
    often: bool = True
    def run(self, problem, run):
        pass
"""


@pytest.fixture
def users(tmp_path):
    file = tmp_path / "users.py"
    file.write_text(USERS)
    return str(file)


def test_ranges_and_choices_by_the_search_they_are_for():
    params = {
        "policy.epsilon": "1e-5:0.1:log",
        "exploration": "0:10",
        "deviation": "1 : 1_000 : log",
        "threshold": "0:30",
        "policy": ["tabu-color", "tabu-random"],
        "time": "per-game|per-move",
        "nodes": [1000, 10_000],
    }
    space = parse_space(SEARCH, params)
    assert space == {
        "policy.epsilon": Range(1e-5, 0.1, log=True),
        "exploration": Range(0, 10),
        "deviation": Range(1, 1000, log=True),
        "threshold": Range(0, 30, whole=True),
        "policy": Choice(("tabu-color", "tabu-random")),
        "time": Choice(("per-game", "per-move")),
        "nodes": Choice(("1000", "10000")),
    }
    assert list(space) == list(params)


def test_inner_searches_and_their_policies():
    params = {"search": "mcts|sp-mcts", "search.exploration": "0:2", "search.policy.epsilon": "0:1"}
    space = parse_space("multi-start,starts=3", {**params, "search.policy": "tabu-color|tabu-bandit"})
    assert space["search.exploration"] == Range(0, 2)
    assert space["search.policy.epsilon"] == Range(0, 1)


def test_the_policy_of_a_preset_has_its_parameters():
    assert parse_space("sp-mcts,preset=manual", {"policy.epsilon": "0:1"}) == {"policy.epsilon": Range(0, 1)}


@pytest.mark.parametrize("given", ["false|true", "true|false", "0:1", [False, True], ["true", "false"]])
def test_truth_is_a_choice(users, given):
    assert parse_space(f"{users}:Twice", {"often": given}) == {"often": Choice(("false", "true"))}
    assert parse_search(as_spec(f"{users}:Twice", {"often": "false"})).often is False


def test_what_is_read_is_written_the_same_way():
    texts = {"exploration": "0:10", "deviation": "0.5:1000:log", "time": "per-game|per-move"}
    assert {name: str(dimension) for name, dimension in parse_space(SEARCH, texts).items()} == texts


@pytest.mark.parametrize(
    ("params", "message"),
    [
        ({}, f"{SEARCH}: nothing to tune; name a parameter and what it may be, as in exploration=0:10"),
        ({"explorations": "0:1"}, "sp-mcts has no parameter 'explorations'; did you mean 'exploration'? known: deviation,"),
        ({"per_move": "0:1"}, "sp-mcts has no parameter 'per_move'; known: deviation,"),
        ({"preset": "manual|x"}, "sp-mcts has no parameter 'preset';"),
        ({"policy.epsilom": "0:1"}, "tabu-color has no parameter 'epsilom'; did you mean 'epsilon'? known: epsilon"),
        ({"polcy.epsilon": "0:1"}, "sp-mcts has no policy or search 'polcy'; did you mean 'policy'? known: policy"),
        ({"time.x": "0:1"}, "sp-mcts has no policy or search 'time'; known: policy"),
        ({"exploration": "1"}, "sp-mcts: exploration='1' is not allowed; write LOW:HIGH, LOW:HIGH:log or a|b|c"),
        ({"exploration": "a:b"}, "exploration='a:b' is not allowed; write LOW:HIGH, LOW:HIGH:log or a|b|c"),
        ({"exploration": "0:1:lin"}, "exploration='0:1:lin' is not allowed; write LOW:HIGH, LOW:HIGH:log or a|b|c"),
        ({"exploration": 3}, "exploration=3 is not allowed; write LOW:HIGH, LOW:HIGH:log or a|b|c"),
        ({"exploration": [[1], [2]]}, "exploration=[[1], [2]] is not allowed; write LOW:HIGH, LOW:HIGH:log or a|b|c"),
        ({"exploration": "10:0"}, "exploration='10:0' is not allowed; the low end must be below the high end"),
        ({"exploration": "1:1"}, "exploration='1:1' is not allowed; the low end must be below the high end"),
        ({"exploration": "0:inf"}, "exploration='0:inf' is not allowed; a range has finite ends"),
        ({"exploration": "nan:1"}, "exploration='nan:1' is not allowed; a range has finite ends"),
        ({"exploration": "-1:1"}, "exploration='-1:1' is not allowed; it takes a number of 0 or more"),
        ({"policy.epsilon": "0:2"}, "tabu-color: policy.epsilon='0:2' is not allowed; it takes a number from 0 to 1"),
        ({"exploration": "0:1:log"}, "exploration='0:1:log' is not allowed; the low end must be above 0 for log"),
        ({"threshold": "0.5:2"}, "threshold='0.5:2' is not allowed; the parameter takes whole numbers only"),
        ({"threshold": "3|3"}, "threshold='3|3' is not allowed; a choice has every value once"),
        ({"nodes": "1|5"}, "SPMCTS: nodes=1 is not allowed; nodes takes a whole number from 2"),
        ({"time": "0:1"}, "time='0:1' is not allowed; it is not a number; write values to choose from, a|b|c"),
        ({"time": "per-game|x"}, "SPMCTS: time='x' is not allowed; time takes per-game, per-move"),
        ({"policy": "tabu-color"}, "policy='tabu-color' is not allowed; a choice has two values or more"),
        ({"policy": ["tabu-color"]}, "policy=['tabu-color'] is not allowed; a choice has two values or more"),
        ({"policy": "tabu-color|tabu-colr"}, "unknown policy 'tabu-colr'; did you mean 'tabu-color'? known:"),
        ({"policy": "uniform|tabu-color", "policy.epsilon": "0:1"}, "uniform has no parameter 'epsilon'; there are none"),
    ],
)
def test_bad_input_is_one_line(params, message):
    with pytest.raises(BadInput) as error:
        parse_space(SEARCH, params)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_bad_search_is_told_before_its_parameters():
    with pytest.raises(BadInput, match="unknown search 'sp-mtcs'; did you mean 'sp-mcts'"):
        parse_space("sp-mtcs", {"nothing": "0:1"})


def test_choices_that_disagree_about_a_parameter(users):
    with pytest.raises(BadInput, match=r"policy\.epsilon is whole for some of the choices above it and not for others"):
        parse_space("mcts", {"policy": ["tabu-color", f"{users}:Mine"], "policy.epsilon": "0:1"})
    with pytest.raises(BadInput, match=r"Mine: policy\.careful='0:2' is not allowed; write false\|true"):
        parse_space(f"mcts,policy={users}:Mine", {"policy.careful": "0:2"})


def test_params_of_the_command_line():
    assert parse_params(["exploration=0:10", " policy = a|b "]) == {"exploration": "0:10", "policy": "a|b"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["exploration"], "'exploration' is not NAME=RANGE; write NAME=LOW:HIGH, LOW:HIGH:log or a|b|c"),
        (["=0:1"], "'=0:1' is not NAME=RANGE"),
        (["exploration="], "'exploration=' is not NAME=RANGE"),
        (["nodes=1:2", "nodes=1:3"], "nodes is given twice"),
    ],
)
def test_bad_params_of_the_command_line(texts, message):
    with pytest.raises(BadInput) as error:
        parse_params(texts)
    assert message in str(error.value)


def test_values_come_before_those_of_the_spec():
    spec = as_spec("sp-mcts,exploration=1,nodes=50", {"exploration": 0.1 + 0.2, "threshold": 13, "time": "per-move"})
    assert spec == "sp-mcts,exploration=0.30000000000000004,nodes=50,threshold=13,time=per-move"


@pytest.mark.parametrize(
    ("search", "values", "spec"),
    [
        ("mcts,policy=tabu-color,policy.epsilon=0.5", {"policy": "uniform"}, "mcts,policy=uniform"),
        (
            "mcts,policy=tabu-color,policy.epsilon=0.5",
            {"policy": "tabu-color"},
            "mcts,policy=tabu-color,policy.epsilon=0.5",
        ),
        (
            "mcts,policy=tabu-color,policy.epsilon=0.5",
            {"policy": "tabu-random", "policy.epsilon": 0.25},
            "mcts,policy=tabu-random,policy.epsilon=0.25",
        ),
        ("multi-start,search.nodes=100", {"search": "mcts"}, "multi-start,search.nodes=100,search=mcts"),
        ("multi-start,search.nodes=100", {"search": "sp-mcts"}, "multi-start,search=sp-mcts"),
    ],
)
def test_a_replaced_policy_takes_its_parameters_along(search, values, spec):
    assert as_spec(search, values) == spec
    parse_search(spec)


@given(
    exploration=st.floats(0, 1e300),
    deviation=st.floats(0, 1e-300),
    threshold=st.integers(0, 10**9),
    epsilon=st.floats(0, 1),
)
def test_every_value_comes_back_from_the_spec(exploration, deviation, threshold, epsilon):
    values = {"exploration": exploration, "deviation": deviation, "threshold": threshold, "policy.epsilon": epsilon}
    made = parse_search(as_spec(SEARCH, values))
    assert (made.exploration, made.deviation, made.threshold, made.policy.epsilon) == tuple(values.values())
    assert made.time == "per-game"
