"""The runs of an experiment: every combination once, in its place."""

import pytest

from arbora.errors import BadInput
from arbora.lab import loading
from arbora.lab.grid import check, places, rows_and_columns
from arbora.spec import expand

TEXT = """
title = "t"
[grid]
problem = "samegame,seed=1-3"
search = { plain = "random", "by {depth}" = "nmcs,level={depth}" }
depth = [1, 2]
playouts = "{depth}00"
seed = [5, 6]
[report]
rows = ["depth"]
columns = "search"
"""


@pytest.fixture
def experiment(tmp_path):
    (tmp_path / "mine.toml").write_text(TEXT)
    return loading.load(str(tmp_path / "mine.toml"))


def test_every_combination_has_its_place(experiment):
    found = places(experiment, {})
    assert len(found) == 3 * 2 * 2 * 2
    assert len({(place.row, place.column, place.instance, place.job.seed) for place in found}) == len(found)
    some = [place for place in found if (place.row, place.column, place.instance) == ("2", "by {depth}", "3")]
    assert [place.job.seed for place in some] == [5, 6]
    job = some[0].job
    assert (job.problem, job.search, job.playouts) == ("samegame,seed=3", "nmcs,level=2", 200)


def test_runs_to_be_compared_come_close_together(experiment):
    found = places(experiment, {})
    assert [(place.job.seed, place.instance) for place in found[:4]] == [(5, "1")] * 4


def test_rows_and_columns_are_in_the_order_of_the_grid(experiment):
    assert rows_and_columns(experiment) == (["1", "2"], ["plain", "by {depth}"])


MATCH = """
title = "t"
[grid]
problem = "tic-tac-toe"
search = { plain = "random", "{more}" = "uct,playouts={more}" }
against = { luck = "random", program = "gtp:prog --level {level} --seed {seed}" }
more = 20
level = 3
playouts = 10
seed = "1-3"
[report]
rows = "against"
columns = "search"
[[claim]]
text = "it wins"
order = ["plain"]
above = 0.5
"""


def test_games_of_a_match_are_runs(tmp_path):
    (tmp_path / "mine.toml").write_text(MATCH)
    experiment = loading.load(str(tmp_path / "mine.toml"))
    found = places(experiment, {})
    assert len(found) == 2 * 2 * 3
    assert {place.job.against for place in found} == {"random", "gtp:prog --level 3 --seed {seed}"}
    assert experiment.claims[0].above == 0.5
    with pytest.raises(BadInput, match="GTP programs play Go only"):
        check(found)


def test_tuned_searches_are_put_in(tmp_path):
    text = TEXT.replace('"random"', '"@best"') + '[tune.best]\nproblem = "samegame"\nsearch = "mcts"\nplayouts = 5\n'
    (tmp_path / "mine.toml").write_text(text + '[tune.best.param]\nexploration = "0:1"\n')
    experiment = loading.load(str(tmp_path / "mine.toml"))
    found = places(experiment, {"best": "mcts,exploration=0.25"})
    assert {place.job.search for place in found if place.column == "plain"} == {"mcts,exploration=0.25"}


@pytest.mark.parametrize(
    ("text", "specs"),
    [
        ("samegame:boards.txt#3-5", ["samegame:boards.txt#3", "samegame:boards.txt#4", "samegame:boards.txt#5"]),
        ("samegame:boards-2.txt#1-2,selective=10", [f"samegame:boards-2.txt#{n},selective=10" for n in (1, 2)]),
        ("samegame,seed=9-9", ["samegame,seed=9"]),
        ("mcts,policy=tabu-color", ["mcts,policy=tabu-color"]),
        ("anneal,hot=1e-3", ["anneal,hot=1e-3"]),
    ],
)
def test_ranges_in_specs(text, specs):
    assert [spec for _, spec in expand(text)] == specs
