"""Specs: text to problems and searches, and back."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_problems import Walk

import arbora
from arbora.errors import BadInput
from arbora.registry import POLICIES, PROBLEMS, SEARCHES, Adapter
from arbora.spec import load_file, parse_problem, parse_search, settable, spec_of

MINE = str(Path(__file__).with_name("small_problems.py"))


@pytest.mark.parametrize("name", [name for name, entry in PROBLEMS.items() if not isinstance(entry.factory, Adapter)])
def test_names_of_problems(name):
    problem, entry = parse_problem(name), PROBLEMS[name]
    assert type(problem) is entry.factory
    assert {key: getattr(problem, key) for key in entry.fixed} == entry.fixed
    assert spec_of(problem) == name


@pytest.mark.parametrize("name", SEARCHES)
def test_names_of_searches(name):
    assert type(parse_search(name)) is SEARCHES[name].factory
    assert spec_of(parse_search(name)) == name


@pytest.mark.parametrize("name", POLICIES)
def test_names_of_policies(name):
    search = parse_search(f"mcts,policy={name}")
    assert type(search.policy) is POLICIES[name].factory
    assert spec_of(search) == ("mcts" if name == "uniform" else f"mcts,policy={name}")


@pytest.mark.parametrize(
    "spec",
    [
        "nrpa,level=4,iterations=50",
        "nrpa,alpha=0.5,k=2.0",
        "mcts,exploration=1.5,selection=ucb1,nodes=5000",
        "mcts,policy=tabu-color,policy.epsilon=0.01",
        "random,policy=roulette",
    ],
)
def test_searches_come_back_as_they_were_written(spec):
    assert spec_of(parse_search(spec)) == spec
    assert parse_search(spec_of(parse_search(spec))) == parse_search(spec)


@given(
    level=st.integers(1, 10),
    iterations=st.integers(1, 10**9),
    alpha=st.floats(0, 1e300),
    k=st.floats(0, 1e300),
)
def test_round_trip_of_any_nrpa(level, iterations, alpha, k):
    search = arbora.NRPA(level=level, iterations=iterations, alpha=alpha, k=k)
    assert parse_search(spec_of(search)) == search


@given(seed=st.integers(0, 2**62), width=st.integers(1, 20), height=st.integers(1, 20), colors=st.integers(1, 9))
def test_round_trip_of_any_random_board(seed, width, height, colors):
    made = parse_problem(f"samegame,seed={seed},width={width},height={height},colors={colors}")
    assert np.array_equal(made.grid, arbora.SameGame(seed=seed, width=width, height=height, colors=colors).grid)


@pytest.mark.parametrize("spec", ["samegame,seed=7", "clickomania,selective=tabu", "samegame,penalty=False,selective=10"])
def test_problems_come_back_as_they_were_written(spec):
    assert spec_of(parse_problem(spec)) == spec
    again = parse_problem(spec_of(parse_problem(spec)))
    assert (again.penalty, again.selective) == (parse_problem(spec).penalty, parse_problem(spec).selective)


STORY_SPECS = [
    "story:midsummer",
    "story,length=12",
    "story:midsummer,goals=a wedding;count(cross(c, d) for c in lover for d in lover) >= 2,length=12",
    "story,never=dead(alice);angry(bob, charlie),enough=0.5",
]


@pytest.mark.parametrize("spec", STORY_SPECS)
def test_stories_come_back_as_they_were_written(spec):
    assert spec_of(parse_problem(spec)) == spec
    assert parse_problem(spec_of(parse_problem(spec))) == parse_problem(spec)


def test_commas_in_parentheses_part_nothing():
    made = parse_problem("story, goals = angry(alice, bob) and (dead(bob) or dead(alice)), length=7")
    assert (made.goals, made.length) == ("angry(alice, bob) and (dead(bob) or dead(alice))", 7)
    with pytest.raises(BadInput, match="'dead' is not key=value"):
        parse_problem("story,goals=angry(alice, bob),dead")
    with pytest.raises(BadInput, match="length is given twice"):
        parse_problem("story,length=3,goals=)angry(alice, bob),length=7")


@pytest.mark.parametrize("text", ["", "()", "(,)", "((,),)", ")(,)", "a(b,c)d", "count(angry(a, b) for a in x) == 2"])
def test_what_parentheses_hold_is_one_value(text):
    with pytest.raises(BadInput, match="has no parameter 'x'"):
        parse_problem(f"samegame,x={text}")


def test_moves_cannot_be_written_in_a_spec():
    assert not {"begun", "told"} & set(settable(PROBLEMS["story"]))
    with pytest.raises(BadInput, match="story has no parameter 'begun'"):
        parse_problem("story,begun=3")
    assert spec_of(arbora.Story(told=[[0]], distance=0.5)).startswith("Story(")


def test_spaces_and_underscores_are_forgiven():
    assert parse_search(" nrpa , iterations = 1_000 ") == arbora.NRPA(iterations=1000)


@pytest.mark.parametrize(("text", "value"), [("true", True), ("Yes", True), ("1", True), ("False", False), ("no", False)])
def test_words_for_truth(text, value):
    assert parse_problem(f"samegame,penalty={text}").penalty is value


def test_policy_parameters_follow_a_dot():
    search = parse_search("random,policy=tabu-color,policy.epsilon=0.25")
    assert search == arbora.Random(policy=arbora.TabuColor(epsilon=0.25))


def test_policy_parameters_without_a_policy_belong_to_uniform():
    with pytest.raises(BadInput, match="uniform has no parameter 'epsilon'; there are none"):
        parse_search("mcts,policy.epsilon=0.5")


def test_boards_from_files(tmp_path):
    file = tmp_path / "boards.txt"
    file.write_text("# first\n01\n10\n\n# second\naab\nabb\n")
    assert parse_problem(f"samegame:{file}").grid.tolist() == [[0, 1], [1, 0]]
    assert parse_problem(f"clickomania:{file}#2").grid.tolist() == [[0, 0, 1], [0, 1, 1]]
    assert parse_problem(f"clickomania:{file}#2").rule == "clickomania"


def test_users_problem_from_a_file():
    made = parse_problem(f"{MINE}:Walk,steps=4")
    assert made.steps == 4
    assert made.max_length() == 4
    assert type(made).__qualname__ == "Walk"


def test_users_simulator_takes_numbers_words_and_truth(tmp_path):
    file = tmp_path / "sim.py"
    file.write_text("class Sim:\n    def __init__(self, a, b=0, c='', d=None):\n        self.values = [a, b, c, d]\n")
    assert parse_problem(f"{file}:Sim,a=3,b=2.5,c=word,d=true").values == [3, 2.5, "word", True]
    with pytest.raises(BadInput, match=r"sim\.py:Sim: missing a required argument: 'a'"):
        parse_problem(f"{file}:Sim")


USER_ALGORITHMS = """
import arbora

@arbora.policy
class Mine:
    share: float = 0.5
    def choose(self, problem, state, memory, out, rng):
        return problem.sample(state, out, rng)

@arbora.search
class Twice:
    times: int = 2
    def run(self, problem, run):
        pass
"""


def test_users_search_and_policy_from_files(tmp_path):
    file = tmp_path / "algorithms.py"
    file.write_text(USER_ALGORITHMS)
    assert parse_search(f"{file}:Twice,times=5").times == 5
    assert parse_search(f"mcts,policy={file}:Mine,policy.share=0.25").policy.share == 0.25


def test_file_is_loaded_once():
    assert load_file(MINE) is load_file(MINE)


def test_neighbours_of_a_users_file_can_be_imported(tmp_path):
    (tmp_path / "neighbour_of_mine.py").write_text("SIZE = 5\n")
    (tmp_path / "mine.py").write_text("from neighbour_of_mine import SIZE\n")
    assert load_file(str(tmp_path / "mine.py")).SIZE == 5


def test_file_that_failed_to_load_can_be_mended(tmp_path):
    file = tmp_path / "mended.py"
    file.write_text("raise RuntimeError('not yet')\n")
    with pytest.raises(BadInput, match=r"mended\.py, line 1: RuntimeError: not yet"):
        load_file(str(file))
    file.write_text("DONE = True\n")
    assert load_file(str(file)).DONE is True


def test_class_of_the_wrong_kind_is_told(tmp_path):
    file = tmp_path / "algorithms.py"
    file.write_text(USER_ALGORITHMS)
    with pytest.raises(BadInput, match="is not a search"):
        arbora.solve(Walk(), parse_search(f"{file}:Mine"), playouts=1)
    with pytest.raises(BadInput, match="is not a policy"):
        arbora.solve(Walk(), parse_search(f"mcts,policy={file}:Twice"), playouts=1)
    with pytest.raises(BadInput, match="Twice is not a problem"):
        arbora.solve(parse_problem(f"{file}:Twice"), playouts=1)


def test_derived_and_fixed_parameters_cannot_be_set():
    assert "rule" not in settable(PROBLEMS["samegame"])
    assert "tuned" not in settable(SEARCHES["mcts"])
    assert "board" not in settable(PROBLEMS["samegame"])
    assert {"level", "iterations", "alpha", "k", "codes"} <= set(settable(SEARCHES["nrpa"]))


def test_component_without_a_name_is_told_by_its_repr():
    assert spec_of(Walk(steps=3)) == "Walk(steps=3)"


def test_board_given_as_data_is_not_passed_off_as_a_random_one():
    spec = spec_of(arbora.SameGame(board=[[0, 1], [1, 0]]))
    try:
        again = parse_problem(spec)
    except BadInput:
        return
    assert again.grid.tolist() == [[0, 1], [1, 0]]
