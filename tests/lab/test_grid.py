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


SEATS = """
title = "t"
[grid]
problem = "kuhn-poker"
search = { A = "pimc,playouts=5", B = "pimc,steps={steps}" }
against = { C = "random" }
steps = 20
seed = "1-5"
[report]
rows = {rows}
columns = {columns}
"""

FOUR = """
class Four:
    players = 4
    payoffs = (0.0, 1.0)
    max_moves = 2
    max_length = 4
    def reset(self): self.played = []
    def moves(self): return [0, 1] if len(self.played) < 4 else []
    def player(self): return len(self.played)
    def play(self, move): self.played.append(move)
    def payoff(self, player): return float(self.played[player])
"""


def shown(tmp_path, rows, columns, text=SEATS):
    """A match of kuhn poker with these rows and columns."""
    (tmp_path / "mine.toml").write_text(text.replace("{rows}", str(rows)).replace("{columns}", str(columns)))
    return loading.load(str(tmp_path / "mine.toml"))


def test_rows_by_seat_are_those_of_the_search(tmp_path):
    experiment = shown(tmp_path, "'seat'", "'search'")
    assert rows_and_columns(experiment) == (["1", "2"], ["A", "B"])
    found = places(experiment, {})
    assert [(place.job.seed, place.row) for place in found if place.column == "A"] == [
        (1, "1"), (2, "2"), (3, "1"), (4, "2"), (5, "1"),
    ]  # fmt: skip
    check(found)


def test_a_game_of_four_has_four_seats(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "four.py").write_text(FOUR)
    text = SEATS.replace("kuhn-poker", "four.py:Four").replace("pimc,playouts=5", "random").replace("pimc,", "uct,")
    experiment = shown(tmp_path, ["side", "seat"], "'search'", text)
    rows, columns = rows_and_columns(experiment)
    assert (rows, columns) == ([f"{side}, {seat}" for side in "ABC" for seat in (1, 2, 3, 4)], ["A", "B"])
    found = places(experiment, {})
    assert [(place.row, place.job.seed) for place in found if place.column == "A" and place.side == 0] == [
        ("A, 1", 1), ("A, 2", 2), ("A, 3", 3), ("A, 4", 4), ("A, 1", 5),
    ]  # fmt: skip
    # three seats are the opponents': they stand by that of the one they play against
    assert [(place.row, place.job.seed) for place in found if place.column == "A" and place.side == 1] == [
        ("C, 1", 1), ("C, 2", 2), ("C, 3", 3), ("C, 4", 4), ("C, 1", 5),
    ]  # fmt: skip


def test_columns_by_side_show_every_game_twice(tmp_path):
    experiment = shown(tmp_path, "'search'", "'side'")
    assert rows_and_columns(experiment) == (["A", "B"], ["A", "B", "C"])
    found = places(experiment, {})
    assert len(found) == 2 * 2 * 5
    assert len({place.job.identity for place in found}) == 2 * 5
    assert {(place.row, place.column, place.side) for place in found} == {
        ("A", "A", 0), ("A", "C", 1), ("B", "B", 0), ("B", "C", 1),
    }  # fmt: skip


def test_of_two_players_each_side_has_its_own_seat(tmp_path):
    found = places(shown(tmp_path, "'seat'", "'side'"), {})
    of_a = {(place.job.seed, place.column): place.row for place in found if "playouts" in place.job.search}
    assert (of_a[1, "A"], of_a[1, "C"]) == ("1", "2")
    assert (of_a[2, "A"], of_a[2, "C"]) == ("2", "1")


def test_rows_are_for_all_values_of_a_variable_in_the_problem(tmp_path):
    text = TEXT.replace("seed=1-3", "seed=1-{depth}").replace('rows = ["depth"]', 'rows = ["depth", "instance"]')
    (tmp_path / "mine.toml").write_text(text)
    experiment = loading.load(str(tmp_path / "mine.toml"))
    rows, _ = rows_and_columns(experiment)
    assert rows == ["1, 1", "1, 2", "2, 1", "2, 2"]
    assert {place.row for place in places(experiment, {})} == {"1, 1", "2, 1", "2, 2"}


def test_budgets_of_the_contestants_own_come_before_the_grid_s(tmp_path):
    text = SEATS.replace('seed = "1-5"', "playouts = 7\nseed = 1").replace('"random"', '"pimc"')
    contestants = [place.job.contestants for place in places(shown(tmp_path, "'search'", "'against'", text), {})]
    assert [[(each.playouts, each.steps) for each in both] for both in contestants] == [
        [(5, None), (7, None)], [(None, 20), (7, None)],
    ]  # fmt: skip


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
