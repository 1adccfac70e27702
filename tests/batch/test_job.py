"""Jobs: when two of them are the same run, what code they are made by, and what a record holds."""

import textwrap
from dataclasses import replace
from pathlib import Path

import pytest

import arbora
from arbora.batch.job import Job, located, perform
from arbora.errors import BadInput
from arbora.replay import replay
from arbora.spec import parse_problem

BASE = Job("samegame,seed=3,width=5,height=5", "random", seed=2, playouts=40)


@pytest.mark.parametrize(
    "change",
    [
        {"problem": "samegame,seed=4,width=5,height=5"},
        {"problem": "clickomania,seed=3,width=5,height=5"},
        {"search": "random,policy=tabu-color"},
        {"search": "mcts"},
        {"seed": 3},
        {"playouts": 41},
        {"seconds": 1.0},
        {"threads": 2},
    ],
    ids=lambda change: next(iter(change)),
)
def test_whatever_the_result_depends_on_makes_another_identity(change):
    assert replace(BASE, **change).identity != BASE.identity


@pytest.mark.parametrize(
    "change",
    [
        {"problem": "samegame,height=5,seed=3,width=5"},
        {"problem": "samegame,seed=3,width=5,height=5,colors=5"},
        {"search": "random,policy=uniform"},
    ],
    ids=["order", "default problem", "default search"],
)
def test_another_way_to_write_the_same_is_the_same(change):
    assert replace(BASE, **change).identity == BASE.identity


GAME = Job("tic-tac-toe", "uct,playouts=20", seed=3, against="random")


@pytest.mark.parametrize(
    "change",
    [
        {"problem": "connect-four"},
        {"search": "uct,playouts=21"},
        {"search": "uct,playouts=20,threads=2"},
        {"against": "uct,playouts=20"},
        {"against": "gtp:gnugo"},
        {"seed": 4},
        {"search": "random", "against": "uct,playouts=20"},
    ],
)
def test_whatever_a_game_depends_on_makes_another_identity(change):
    assert replace(GAME, **change).identity != GAME.identity


@pytest.mark.parametrize(
    "change", [{"search": "uct", "playouts": 20}, {"playouts": 99}, {"against": "random,policy=uniform"}]
)
def test_another_way_to_write_the_same_game_is_the_same(change):
    assert replace(GAME, **change).identity == GAME.identity


def test_games_of_a_match_leave_the_identity_of_runs_alone():
    assert BASE.identity == "f5c2d7baf75625d8919a8de289f1925c"


def test_code_of_a_game_is_that_of_both_searches():
    codes = {replace(GAME, against=other).code for other in ("random", "amaf", "uct,policy=tactical", "gtp:gnugo")}
    assert len(codes) == 4


def test_a_record_of_a_game_holds_how_it_went():
    record = perform(replace(GAME, search="random", against="random"))
    assert record.score in (0.0, 0.5, 1.0)
    assert (record.against, record.stopped, record.length) == ("random", "complete", len(record.moves))
    steps = list(replay(parse_problem("tic-tac-toe"), record.moves))
    assert record.score == steps[-1].score  # game 3 has the first contestant in the first seat
    assert record.branching == pytest.approx(sum(step.choices for step in steps[1:]) / record.length)


def test_a_data_file_counts_by_its_content_not_by_its_place(tmp_path):
    (tmp_path / "here").mkdir()
    (tmp_path / "there").mkdir()
    for folder in ("here", "there"):
        (tmp_path / folder / "boards.txt").write_text("0011\n1100\n\n0101\n0101\n")
    first, second = (
        Job("samegame:boards.txt#1", "random", playouts=5, files=(("boards.txt", str(tmp_path / folder / "boards.txt")),))
        for folder in ("here", "there")
    )
    assert first.identity == second.identity
    (tmp_path / "third.txt").write_text("0011\n1101\n")
    third = Job("samegame:boards.txt#1", "random", playouts=5, files=(("boards.txt", str(tmp_path / "third.txt")),))
    assert third.identity != first.identity


def test_only_the_file_a_spec_names_is_located():
    files = (("a.txt", "/data/a.txt"), ("b.txt", "/data/b.txt"))
    assert located("samegame:b.txt#3,selective=tabu", files) == "samegame:/data/b.txt#3,selective=tabu"
    assert located("samegame:bb.txt#3", files) == "samegame:bb.txt#3"
    assert located("samegame,seed=1", files) == "samegame,seed=1"


def test_code_is_that_of_problem_search_and_policy():
    codes = {
        job.code
        for job in (
            BASE,
            replace(BASE, search="mcts"),
            replace(BASE, search="random,policy=tabu-color"),
            replace(BASE, problem="weak-schur,parts=2"),
        )
    }
    assert len(codes) == 4
    assert replace(BASE, seed=9, problem="samegame,seed=9").code == BASE.code


SIMULATOR = """
class Coins:
    def __init__(self, count=3): self.count = count
    def reset(self): self.heads = []
    def moves(self): return [0, 1] if len(self.heads) < self.count else []
    def play(self, move): self.heads.append(move)
    def score(self): return {worth} * sum(self.heads)
"""


def test_an_edited_simulator_is_another_run(tmp_path):
    file = tmp_path / "coins.py"
    file.write_text(textwrap.dedent(SIMULATOR.format(worth=1)))
    before = Job(f"{file}:Coins,count=4", "random", playouts=20)
    record = perform(before)
    assert record.score == 4
    other = tmp_path / "coins_2.py"
    other.write_text(textwrap.dedent(SIMULATOR.format(worth=2)))
    after = Job(f"{other}:Coins,count=4", "random", playouts=20)
    assert (after.identity, after.code) != (before.identity, before.code)


def test_a_record_holds_what_the_run_found():
    record = perform(BASE)
    result = arbora.solve(parse_problem(BASE.problem), arbora.Random(), playouts=40, seed=2)
    assert (record.score, record.moves, record.playouts) == (result.score, result.moves, 40)
    assert (record.identity, record.code, record.seed) == (BASE.identity, BASE.code, 2)
    assert [row[1:] for row in record.trace] == [[row.playouts, row.score] for row in result.trace]
    steps = list(replay(parse_problem(BASE.problem), record.moves))
    assert steps[-1].score == record.score
    assert record.length == len(record.moves)
    assert record.branching == pytest.approx(sum(step.choices for step in steps[1:]) / record.length)
    assert record.version == arbora.__version__
    assert record.machine
    assert record.started <= record.finished


def test_choices_count_the_legal_moves():
    result = arbora.solve(arbora.SameGame(board="0011\n1100"), arbora.Random(), playouts=10)
    assert result.choices[0] == 4
    assert len(result.choices) == len(result.moves)


def test_depths_of_a_tree_are_measured():
    result = arbora.solve(
        arbora.SameGame(seed=1, width=5, height=5), arbora.SPMCTS(nodes=50, restarts=1), playouts=10_000, compiled=False
    )
    assert result.nodes == 50
    assert 0 < result.depth <= result.deepest < 50


def test_a_missing_simulator_file_is_told(tmp_path):
    with pytest.raises(BadInput, match="no such file"):
        Job(f"{tmp_path / 'gone.py'}:Coins", "random", playouts=1).identity  # noqa: B018


def test_paths_are_where_they_are(tmp_path: Path):
    job = Job("samegame:boards.txt", "random", playouts=1, files=(("boards.txt", str(tmp_path / "boards.txt")),))
    assert job.located == f"samegame:{tmp_path / 'boards.txt'}"
