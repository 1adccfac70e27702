"""Experiment files: scales, data files, and every mistake as one line with its place."""

import re
from pathlib import Path

import pytest

from arbora.adapters import openspiel
from arbora.batch.job import UNLIMITED
from arbora.errors import BadInput
from arbora.lab import loading, starting
from arbora.lab.experiment import Claim
from arbora.lab.grid import places, rows_and_columns
from arbora.lab.session import check_all, run

GOOD = """
title = "A title"
source = "001, Table 1"
[grid]
problem = "samegame:boards.txt#1-20"
search = { A = "random", B = "mcts,nodes={nodes[most]}" }
seconds = { "~5" = 5, "~10" = 10 }
nodes = { few = { most = 10 }, many = { most = 20 } }
seed = "1-3"
[quick.grid]
problem = "samegame:boards.txt#1-2"
seconds = { "~5" = 0.5, "~10" = 1 }
[data]
"boards.txt" = "twenty boards"
[without-data]
comparable = false
[without-data.grid]
problem = "samegame,seed=1-20"
[without-data.quick.grid]
problem = "samegame,seed=1-2"
[report]
rows = "seconds"
columns = ["search", "nodes"]
[quick.report]
digits = 1
[document]
columns = ["A, few", "B, few"]
[document.score]
"~5" = [1, nan]
"~10" = [3, 4.5]
[[claim]]
text = "A is better"
order = ["A, few", ["~5", "B, few"]]
[[claim]]
text = "only in full"
order = ["A, few", "B, few"]
scale = "paper"
"""


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(GOOD)
    return path


def told(path: Path, text: str, scale: str = "quick") -> str:
    """The one line with which an experiment is refused, without its file."""
    path.write_text(text)
    with pytest.raises(BadInput) as caught:
        check_all(loading.load(str(path), scale))
    line = str(caught.value)
    assert line.startswith(str(path))
    assert "\n" not in line
    return line.removeprefix(str(path)).lstrip(":, ")


def test_scales_lie_over_each_other(file):
    paper = loading.load(str(file), "paper")
    assert paper.grid["seconds"] == {"~5": 5, "~10": 10}
    assert paper.grid["problem"] == {"samegame,seed=1-20": "samegame,seed=1-20"}
    assert paper.grid["seed"] == {"1": 1, "2": 2, "3": 3}
    assert paper.layout.digits == 0
    assert len(paper.claims) == 2
    assert not paper.reduced
    quick = loading.load(str(file), "quick")
    assert quick.grid["seconds"] == {"~5": 0.5, "~10": 1}
    assert quick.grid["problem"] == {"samegame,seed=1-2": "samegame,seed=1-2"}
    assert quick.layout.digits == 1
    assert quick.reduced
    assert quick.claims == (Claim("A is better", ((None, "A, few"), ("~5", "B, few"))),)


def test_data_files_are_found_beside_the_experiment_or_where_one_says(file, tmp_path, monkeypatch):
    lost = loading.load(str(file))
    assert (lost.files, lost.missing, lost.comparable) == ((), ("boards.txt",), False)
    data = tmp_path / "data"
    data.mkdir()
    (data / "boards.txt").write_text("01\n01\n")
    found = loading.load(str(file), "quick", [data])
    assert (found.files, found.missing, found.comparable) == ((("boards.txt", str(data / "boards.txt")),), (), True)
    assert list(found.grid["problem"]) == ["samegame:boards.txt#1-2"]
    monkeypatch.setenv("ARBORA_DATA", str(data))
    assert loading.load(str(file)).files == found.files
    (tmp_path / "boards.txt").write_text("01\n01\n")
    assert loading.load(str(file)).files == (("boards.txt", str(tmp_path / "boards.txt")),)


def test_data_files_that_only_a_spec_names(tmp_path, monkeypatch):
    path = tmp_path / "plain.toml"
    path.write_text(
        'title = "t"\n[grid]\nproblem = "samegame:boards.txt#1-2"\nsearch = "@best"\nplayouts = 5\n'
        '[tune.best]\nproblem = "samegame:others.txt#1-2"\nsearch = "mcts"\nplayouts = 5\nparam = { exploration = "0:1" }\n'
    )
    line = "no data file boards.txt, which samegame:boards.txt#1-2 names; give its folder with --data"
    with pytest.raises(BadInput, match=f"^{path}: {line}$"):
        loading.load(str(path))
    (tmp_path / "boards.txt").write_text("01\n01\n\n10\n10\n")
    data = tmp_path / "data"
    data.mkdir()
    (data / "others.txt").write_text("01\n01\n\n10\n10\n")
    found = loading.load(str(path), "quick", [data])
    assert found.tunings["best"].problem == f"samegame:{data}/others.txt#1-2"
    check_all(found)
    assert not found.reduced
    monkeypatch.chdir(data)
    assert loading.load(str(path)).files == (("boards.txt", f"{tmp_path}/boards.txt"), ("others.txt", "others.txt"))


def test_the_document_s_numbers_are_by_value_row_and_column(file):
    document = loading.load(str(file)).document
    assert document == {"score": {"~5": {"A, few": 1.0}, "~10": {"A, few": 3.0, "B, few": 4.5}}}


def test_times_by_a_formula(file):
    text = (
        GOOD[: GOOD.index("[[claim]]")]
        .replace('rows = "seconds"', 'rows = "time"\ntimes = "0.01*2^0-14"')
        .replace('columns = ["search", "nodes"]', 'columns = ["search", "nodes", "seconds"]')
    )
    file.write_text(text)
    times = loading.load(str(file)).layout.times
    assert (len(times), times[0], times[3], times[-1]) == (15, 0.01, 0.08, 163.84)


def test_unlimited_play_outs(file):
    text = GOOD[: GOOD.index("[[claim]]")].replace('rows = "seconds"', "")
    text = text.replace('seconds = { "~5" = 5, "~10" = 10 }', 'playouts = "unlimited"')
    file.write_text(text.replace('seconds = { "~5" = 0.5, "~10" = 1 }', ""))
    assert list(loading.load(str(file)).grid["playouts"].values()) == [UNLIMITED]


MISTAKES = {
    "broken": (GOOD.replace("[grid]", "[grid"), "line 4, column 6: Expected ']'"),
    "unknown key": ("titel = 1\n" + GOOD, "unknown key titel; did you mean 'title'?"),
    "unknown key of the report": (GOOD.replace('rows = "seconds"', 'row = "seconds"'), "unknown key report.row; did you"),
    "unknown key of quick": (GOOD + "[quick.gird]\nseed = 1\n", "unknown key quick.gird; did you mean 'grid'?"),
    "no title": (GOOD.replace('title = "A title"', ""), "title is missing"),
    "no search": (GOOD.replace("search = {", "sarch = {"), "[grid] has no search"),
    "no budget": (GOOD.replace("seconds =", "seconts ="), "[grid] has no budget; give seconds or playouts"),
    "seed": (GOOD.replace('"1-3"', '"3-1"'), "grid.seed='3-1' is not allowed; seed takes a number or a range such as 1-20"),
    "forgotten dimension": (
        GOOD.replace('columns = ["search", "nodes"]', 'columns = "search"'),
        "report: grid.nodes has 2 values; name it in rows or columns",
    ),
    "unknown row": (GOOD.replace('rows = "seconds"', 'rows = "secnds"'), "report: 'secnds' is neither of the grid nor"),
    "unknown value": (GOOD.replace('rows = "seconds"', 'rows = "seconds"\nvalues = ["sorce"]'), "did you mean 'score'?"),
    "unknown plot": (GOOD.replace('rows = "seconds"', 'rows = "seconds"\nplots = ["pie"]'), "report.plots: unknown 'pie'"),
    "times without rows": (
        GOOD.replace('rows = "seconds"', 'rows = "seconds"\ntimes = [1]'),
        'rows = "time" and times belong together',
    ),
    "bad times": (
        GOOD.replace('rows = "seconds"', 'rows = "seconds"\ntimes = "often"'),
        "report.times='often' is not allowed",
    ),
    "too few numbers": (GOOD.replace("[3, 4.5]", "[3]"), "document.score, row '~10': give 2 numbers"),
    "claim": (GOOD.replace('order = ["A, few", ["~5", "B, few"]]', 'order = ["A, few"]'), "[[claim]] takes text and order"),
    "spec": (GOOD.replace('"random"', '"radnom"'), "unknown search 'radnom'; did you mean 'random'?"),
    "parameter": (
        GOOD.replace("nodes={nodes[most]}", "noes={nodes[most]}"),
        "mcts has no parameter 'noes'; did you mean 'nodes'?",
    ),
    "variable": (GOOD.replace("{nodes[most]}", "{size}"), "names what the grid does not have ('size'); variables: nodes"),
    "variable that nothing uses": (
        GOOD.replace('seed = "1-3"', 'sede = "1-3"'),
        "grid.sede is used nowhere: no spec or budget has {sede}; did you mean 'seed'?",
    ),
    "braces": (GOOD.replace("{nodes[most]}", "{nodes"), "has braces that make no sense"),
    "claim of no column": (
        GOOD.replace('["A, few", ["~5"', '["A, fwe", ["~5"'),
        "has no column 'A, fwe'; did you mean 'A, few'?",
    ),
    "claim of no row": (GOOD.replace('["A, few", ["~5"', '["A, few", ["~6"'), "[[claim]]: the report has no row '~6'"),
    "claim at no row": (
        GOOD.replace('text = "A is', 'at = "start"\ntext = "A is'),
        "[[claim]]: the report has no row 'start'",
    ),
    "claim of no value": (GOOD.replace('text = "A is', 'value = "socre"\ntext = "A is'), "[[claim]] value: unknown 'socre'"),
    "comparison of no column": (
        GOOD + '[[compare]]\nfirst = "A, few"\nsecond = "C, few"\n',
        "[[compare]]: the report has no column 'C, few'",
    ),
    "budget of 0": (GOOD.replace('"~5" = 0.5', '"~5" = 0'), "grid.seconds=0 is not allowed; seconds takes a number above 0"),
    "two ranges": (GOOD.replace("seed=1-2", "seed=1-2,width=3-4"), "'=1-2' and '=3-4' are both ranges"),
    "empty range": (GOOD.replace("seed=1-2", "seed=2-1"), "'=2-1' is an empty range; write it from low to high"),
    "no such tuning": (GOOD.replace('"random"', '"@best"'), "there is no [tune.best] for '@best'"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes(file, mistake):
    text, line = MISTAKES[mistake]
    assert line in told(file, text)


MATCH = """
title = "A match"
[grid]
problem = "kuhn-poker"
search = { PIMC = "pimc,playouts=20" }
against = { random = "random" }
seed = "1-4"
[report]
rows = "seat"
columns = "side"
values = ["score", "time-ratio"]
total = true
[[claim]]
text = "it wins"
order = ["PIMC"]
above = 0.5
at = "total"
"""

MISTAKES_OF_MATCHES = {
    "no budget": (MATCH.replace(",playouts=20", ""), "'pimc' has no budget; give it one, or [grid] seconds or playouts"),
    "no budget of the opponent": (MATCH.replace('"random"', '"iimc"'), "'iimc' has no budget; give it one, or [grid]"),
    "two limits": (MATCH + "below = 1\n", "[[claim]] takes above or below, not both; write two claims"),
    "no number below": (MATCH.replace("above = 0.5", 'below = "2"'), "[[claim]] below='2' is not allowed; give a number"),
    "no number above": (MATCH.replace("above = 0.5", "above = true"), "[[claim]] above=True is not allowed; give a number"),
    "one column without limit": (MATCH.replace("above = 0.5", ""), "one is enough with above or below"),
    "no total": (MATCH.replace("total = true", ""), "[[claim]]: the report has no row 'total'"),
    "side of no match": (
        MATCH.replace("against = { random =", "playouts = 5 #").replace('rows = "seat"', ""),
        "report: 'side' is of games of a match; give [grid] against",
    ),
    "seat of no match": (
        MATCH.replace("against = { random =", "playouts = 5 #").replace('columns = "side"', ""),
        "report: 'seat' is of games of a match; give [grid] against",
    ),
    "ratio of no match": (
        MATCH.replace("against = { random =", "playouts = 5 #").replace('columns = "side"', "").replace('"seat"', '"seed"'),
        "report: 'time-ratio' is of games of a match; give [grid] against",
    ),
    "both sides called the same": (
        MATCH.replace("{ random", "{ PIMC"),
        "report: grid.search and grid.against both have 'PIMC'; give the sides labels of their own",
    ),
    "variable called side": (
        MATCH.replace("playouts=20", "playouts={side}").replace("[report]", "side = [5, 9]\n[report]"),
        "grid.side: side means something else in games of a match; give it another name",
    ),
    "no game": (MATCH.replace("kuhn-poker", "samegame"), "samegame is not a game: it has no players"),
    "unknown side": (MATCH.replace('"side"', '"sides"'), "report: 'sides' is neither of the grid nor"),
    "claim of no side": (MATCH.replace('["PIMC"]', '["IIMC"]'), "[[claim]]: the report has no column 'IIMC'"),
    "claim of no seat": (MATCH.replace('at = "total"', 'at = "3"'), "[[claim]]: the report has no row '3'"),
}


@pytest.mark.parametrize("mistake", MISTAKES_OF_MATCHES)
def test_mistakes_in_matches(file, mistake):
    text, line = MISTAKES_OF_MATCHES[mistake]
    assert line in told(file, text)


def test_a_match_without_mistakes(file):
    file.write_text(MATCH)
    experiment = loading.load(str(file))
    check_all(experiment)
    assert (experiment.claims[0].above, experiment.claims[0].below, experiment.claims[0].at) == (0.5, None, "total")


def test_a_missing_data_file_that_nothing_stands_in_for(file):
    text = GOOD[: GOOD.index("[without-data]")] + GOOD[GOOD.index("[report]") :]
    assert told(file, text) == "no data file boards.txt (twenty boards); give its folder with --data"


def test_a_data_folder_that_is_none(file, tmp_path):
    with pytest.raises(BadInput, match="no such folder"):
        loading.load(str(file), "quick", [tmp_path / "nowhere"])


def test_unknown_names_and_scales():
    with pytest.raises(BadInput, match="unknown experiment '002/table-33'; did you mean '002/table-3'"):
        loading.load("002/table-33")
    with pytest.raises(BadInput, match="unknown scale 'tiny'; known: quick, paper"):
        loading.load("002/table-3", "tiny")
    with pytest.raises(BadInput, match=r"gone.toml: cannot read: No such file"):
        loading.load("gone.toml")


def test_the_start_of_an_experiment_can_be_run(tmp_path):
    path = tmp_path / "mine.toml"
    starting.write(path)
    for scale in ("quick", "paper"):
        check_all(loading.load(str(path), scale))
    with pytest.raises(BadInput, match="exists already"):
        starting.write(path)
    with pytest.raises(BadInput, match=r"ends in .toml"):
        starting.write(tmp_path / "mine.txt")


@pytest.mark.parametrize("scale", ["quick", "paper"])
@pytest.mark.parametrize("name", loading.shipped())
def test_the_experiments_that_come_with_arbora_can_be_run(name, scale):
    if name == "003/hearts":
        pytest.importorskip("pyspiel")
    experiment = loading.load(name, scale)
    check_all(experiment)
    assert experiment.source
    assert experiment.about
    assert experiment.differs
    assert experiment.claims or scale == "paper" or not experiment.grid or name == "001/section-2-2"


@pytest.mark.parametrize("name", [name for name in loading.shipped() if loading.load(name).grid])
def test_the_reports_of_the_experiments_that_come_with_arbora_have_no_empty_rows_and_columns(name):
    if name == "003/hearts":
        pytest.importorskip("pyspiel")
    experiment = loading.load(name)
    rows, columns = rows_and_columns(experiment)
    found = places(experiment, {name: tuning.search for name, tuning in experiment.tunings.items()})
    assert {place.column for place in found} == set(columns)
    assert {place.row for place in found} == ({""} if experiment.layout.rows == ("time",) else set(rows))


def test_every_table_and_figure_has_its_experiment():
    figures = [f"000/figure-{number}" for number in range(1, 8)]
    first = ["001/figure-2", "001/section-2-2", *(f"001/table-{number}" for number in range(1, 8))]
    second = [f"002/table-{number}" for number in range(2, 7)]
    third = [f"003/figure-{number}" for number in range(2, 10)]
    assert set(figures + first + second + third) <= set(loading.shipped())


def test_hearts_needs_openspiel(monkeypatch, tmp_path):
    monkeypatch.setattr(openspiel, "find_spec", lambda name: None)
    experiment = loading.load("003/hearts")
    line = f"{experiment.path}: games of OpenSpiel need the package open_spiel; pip install 'arbora[adapters]' brings it"
    with pytest.raises(BadInput, match=f"^{re.escape(line)}$"):
        run(experiment, tmp_path / "lab.sqlite", 1)
    assert not (tmp_path / "lab.sqlite").exists()
