"""Preset files: written from a search and values, read by specs."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arbora.errors import BadInput
from arbora.search.sp_mcts import SPMCTS
from arbora.spec import parse_search, spec_of
from arbora.tune.presets import write_preset
from arbora.tune.space import as_spec

SEARCH = "sp-mcts,policy=tabu-color,time=per-move,nodes=50_000"
VALUES = {"exploration": 5.96, "threshold": 13, "policy.epsilon": 0.00007}


@pytest.fixture
def file(tmp_path):
    return tmp_path / "tuned.toml"


def test_the_file_as_people_see_it(file):
    write_preset(file, SEARCH, VALUES, "Found for samegame.\n\nSeed 1.")
    assert file.read_text() == (
        "# Found for samegame.\n"
        "#\n"
        "# Seed 1.\n"
        'search = "sp-mcts"\n'
        "\n"
        "[parameters]\n"
        'policy = "tabu-color"\n'
        'time = "per-move"\n'
        "nodes = 50000\n"
        "exploration = 5.96\n"
        "threshold = 13\n"
        '"policy.epsilon" = 7e-05\n'
    )
    assert list(file.parent.iterdir()) == [file]


def test_what_is_written_is_read(file):
    write_preset(file, SEARCH, VALUES, "")
    assert parse_search(f"sp-mcts,preset={file}") == parse_search(as_spec(SEARCH, VALUES))


@given(
    exploration=st.floats(0, 1e300),
    threshold=st.integers(0, 10**9),
    epsilon=st.floats(0, 1),
    top_weight=st.floats(0, 1e-300),
)
def test_any_numbers_come_back(tmp_path_factory, exploration, threshold, epsilon, top_weight):
    file = tmp_path_factory.mktemp("presets") / "any.toml"
    values = {"exploration": exploration, "threshold": threshold, "policy.epsilon": epsilon, "top_weight": top_weight}
    write_preset(file, SEARCH, values, "")
    assert parse_search(f"sp-mcts,preset={file}") == parse_search(as_spec(SEARCH, values))


def test_what_the_spec_says_comes_on_top(file):
    write_preset(file, SEARCH, VALUES, "")
    made = parse_search(f"sp-mcts,preset={file},nodes=77,policy.epsilon=0.5")
    assert (made.nodes, made.policy.epsilon, made.exploration) == (77, 0.5, 5.96)


def test_another_policy_takes_none_of_the_parameters(file):
    write_preset(file, SEARCH, VALUES, "")
    assert spec_of(parse_search(f"sp-mcts,preset={file},policy=uniform").policy) == "uniform"
    assert parse_search(f"sp-mcts,preset={file},policy=tabu-random").policy.epsilon == 0.003
    assert parse_search(f"sp-mcts,preset={file},policy=tabu-color").policy.epsilon == 0.00007


def test_searches_without_named_presets_and_inner_ones(file, tmp_path):
    write_preset(file, "mcts", {"exploration": 0.5, "selection": "ucb1"}, "")
    assert spec_of(parse_search(f"mcts,preset={file}")) == "mcts,exploration=0.5,selection=ucb1"
    assert parse_search(f"multi-start,search.preset={file},starts=2").search.exploration == 0.5
    outer = tmp_path / "outer.toml"
    write_preset(
        outer, "multi-start", {"search": "sp-mcts", "search.policy": "tabu-color", "search.policy.epsilon": 0.5}, ""
    )
    assert parse_search(f"multi-start,preset={outer}").search.policy.epsilon == 0.5


def test_a_preset_by_name_may_be_the_ground_of_a_file(file):
    write_preset(file, "sp-mcts,preset=cem-per-move", {"exploration": 1.0}, "")
    assert parse_search(f"sp-mcts,preset={file}") == SPMCTS.preset("cem-per-move", exploration=1.0)


def test_a_file_may_be_the_ground_of_another(file, tmp_path):
    write_preset(file, SEARCH, VALUES, "")
    again = tmp_path / "again.toml"
    write_preset(again, f"sp-mcts,preset={file}", {"threshold": 20}, "")
    assert tomllib.loads(again.read_text())["parameters"]["threshold"] == 20
    file.unlink()
    assert parse_search(f"sp-mcts,preset={again}") == parse_search(as_spec(SEARCH, {**VALUES, "threshold": 20}))
    assert "preset" not in as_spec(f"sp-mcts,preset={again}", {"nodes": 99})


def test_a_users_search(tmp_path, file):
    users = tmp_path / "users.py"
    users.write_text(
        "import arbora\n\n@arbora.search\nclass Mine:\n    preset: str = ''\n    careful: bool = False\n"
        "    def run(self, problem, run):\n        pass\n\n@arbora.search\nclass Other:\n    careful: bool = False\n"
        "    def run(self, problem, run):\n        pass\n"
    )
    write_preset(file, f"{users}:Other", {"careful": "true"}, "")
    assert "careful = true\n" in file.read_text()
    assert parse_search(f"{users}:Other,preset={file}").careful is True
    assert parse_search(f"{users}:Mine,preset=its-own.toml").preset == "its-own.toml"


def test_nothing_bad_is_written(file, tmp_path):
    with pytest.raises(BadInput, match="sp-mcts has no parameter 'explorations'"):
        write_preset(file, SEARCH, {"explorations": 1.0}, "")
    write_preset(file, "mcts", {"exploration": 0.5}, "")
    with pytest.raises(BadInput, match=r"search\.preset=.*tuned\.toml cannot be written; a preset file takes no other one"):
        write_preset(tmp_path / "outer.toml", f"multi-start,search.preset={file}", {}, "")
    with pytest.raises(BadInput, match=r"x\.toml: cannot write the preset: No such file or directory"):
        write_preset(tmp_path / "nowhere" / "x.toml", "mcts", {}, "")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("search = \n", "not a TOML file: Invalid value (at line 1, column 10)"),
        ('search = "sp-mcts"\n[parameters\n', "not a TOML file: Expected ']' at the end of a table declaration (at line 2"),
        ("[parameters]\n", "the preset does not say for which search it is; one for sp-mcts has search = 'sp-mcts'"),
        ('search = "mcts"\n', "the preset is for 'mcts'; one for sp-mcts has search = 'sp-mcts'"),
        ('search = "sp-mcts"\nparameter = 1\n', "unknown key 'parameter'; did you mean 'parameters'? known: parameters, se"),
        ('search = "sp-mcts"\nparameters = 1\n', "parameters is not a table; write [parameters], then name = value"),
    ],
)
def test_a_bad_file_is_told_in_one_line(file, text, message):
    file.write_text(text)
    _assert_refused(file, message)


@pytest.mark.parametrize(
    ("parameter", "message"),
    [
        ("exploraton = 1", "sp-mcts has no parameter 'exploraton'; did you mean 'exploration'? known: deviation,"),
        ("exploration = -1", "SPMCTS: exploration=-1.0 is not allowed; exploration takes a number of 0 or more"),
        ("threshold = 1.5", "sp-mcts: threshold='1.5' is not allowed; threshold takes a whole number of 0 or more"),
        ('policy = "tabu-colour"', "unknown policy 'tabu-colour'; did you mean 'tabu-color'?"),
        ('"policy.epsilon" = 0.1', "uniform has no parameter 'epsilon'; there are none"),
        ("policy.epsilon = 0.1", 'policy is a table; a name with a dot is quoted, as in "policy.epsilon"'),
        ("exploration = [1, 2]", "exploration=[1, 2] is not allowed; a parameter is a number, text, true or false"),
        ('preset = "best"', "sp-mcts: preset='best' is not allowed; preset takes manual, cem-per-game, cem-per-move"),
        ('preset = "other.toml"', "preset='other.toml' is not allowed; a preset file takes no other one"),
    ],
)
def test_a_bad_parameter_is_told_with_the_file(file, parameter, message):
    file.write_text(f'search = "sp-mcts"\n[parameters]\n{parameter}\n')
    _assert_refused(file, message)


def _assert_refused(file, message):
    with pytest.raises(BadInput) as error:
        parse_search(f"sp-mcts,preset={file}")
    assert str(error.value).startswith(f"{file}: {message}")
    assert "\n" not in str(error.value)


def test_a_file_that_cannot_be_read(file, tmp_path):
    with pytest.raises(BadInput, match=r"tuned\.toml: cannot read the preset: No such file or directory"):
        parse_search(f"sp-mcts,preset={file}")
    folder = tmp_path / "folder.toml"
    folder.mkdir()
    with pytest.raises(BadInput, match=r"folder\.toml: cannot read the preset: Is a directory"):
        parse_search(f"mcts,preset={folder}")
    file.write_bytes(b"\xff\xfe")
    with pytest.raises(BadInput, match=r"tuned\.toml: not a TOML file"):
        parse_search(f"mcts,preset={file}")


def test_faults_of_the_spec_are_not_blamed_on_the_file(file):
    write_preset(file, SEARCH, VALUES, "")
    with pytest.raises(BadInput, match=r"^SPMCTS: nodes=1 is not allowed"):
        parse_search(f"sp-mcts,preset={file},nodes=1")
    with pytest.raises(BadInput, match="uniform has no parameter 'preset'"):
        parse_search(f"mcts,policy.preset={file}")
