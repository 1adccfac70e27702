"""Bad input on the command line: exit code 2, and one clear line that names what is wrong and what is allowed."""

import sys
from pathlib import Path

import pytest

from arbora.cli.main import main

HERE = Path(__file__).resolve().parent.parent
MINE = f"{HERE / 'small_problems.py'}"


def refused(capsys, *arguments: str) -> str:
    """The one line with which a command refuses its input."""
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("arbora: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("arbora: ").strip()


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("samgame", "unknown problem 'samgame'; did you mean 'samegame'? known: bubble-breaker, bus, "),
        ("zzz", "unknown problem 'zzz'; known: bubble-breaker, bus, "),
        ("", "'' names nothing; a spec is name[:instance][,key=value…]"),
        ("samegame,sed=3", "samegame has no parameter 'sed'; did you mean 'seed'?"),
        ("samegame,rule=clickomania", "samegame has no parameter 'rule'"),
        ("samegame,seed=abc", "samegame: seed='abc' is not allowed; seed takes a whole number of 0 or more"),
        ("samegame,seed=1.5", "samegame: seed='1.5' is not allowed; seed takes a whole number of 0 or more"),
        ("samegame,width=51", "SameGame: width=51 is not allowed; width takes a whole number from 1 to 50"),
        ("samegame,colors=0", "SameGame: colors=0 is not allowed; colors takes a whole number from 1 to 26"),
        ("samegame,penalty=maybe", "samegame: penalty='maybe' is not allowed; penalty takes true or false"),
        ("samegame,selective=some", "selective='some' is not allowed; selective takes none, tabu or a whole number"),
        ("samegame,seed", "samegame,seed: 'seed' is not key=value"),
        ("samegame,seed=1,seed=2", "samegame,seed=1,seed=2: seed is given twice"),
        ("samegame:missing.txt", "missing.txt: cannot read boards: No such file or directory"),
        ("missing.py:Mine", "missing.py: no such file"),
        (MINE, f"{MINE}: name the class, as in {MINE}:"),
        (f"{MINE}:Wlak", "no class 'Wlak'; did you mean 'Walk'? known: Shelf, Walk"),
        (f"{MINE}:Walk,stps=3", "has no parameter 'stps'; did you mean 'steps'? known: steps"),
        (f"{MINE}:Walk,steps=7", "Walk: steps=7 is not allowed; steps takes a whole number from 1 to 6"),
        (f"{MINE}:Shelf,size=7", f"{MINE}:Shelf: got an unexpected keyword argument 'size'"),
    ],
)
def test_bad_problems(capsys, spec, told):
    assert told in refused(capsys, "solve", spec, "random", "--playouts", "1")


@pytest.mark.parametrize(
    ("spec", "told"),
    [
        ("nrap", "unknown search 'nrap'; did you mean 'nrpa'? known: a-star, amaf, amcts, anneal, beam,"),
        ("nrpa,levle=3", "nrpa has no parameter 'levle'; did you mean 'level'?"),
        ("nrpa,level=high", "nrpa: level='high' is not allowed; level takes a whole number from 1 to 10"),
        ("nrpa,level=11", "NRPA: level=11 is not allowed; level takes a whole number from 1 to 10"),
        ("nrpa,alpha=-1", "NRPA: alpha=-1.0 is not allowed; alpha takes a number of 0 or more"),
        ("nrpa,alpha=nan", "alpha=nan is not allowed; alpha takes a number of 0 or more"),
        ("nrpa,policy=uniform", "nrpa has no parameter 'policy'"),
        ("mcts,selection=best", "MCTS: selection='best' is not allowed; selection takes ucb1-tuned, ucb1"),
        ("mcts,nodes=0", "MCTS: nodes=0 is not allowed; nodes takes a whole number from 1 to"),
        ("mcts,policy=tabu", "unknown policy 'tabu'; did you mean 'tabu-"),
        ("mcts,policy=tabu-color,policy.epsilom=1", "tabu-color has no parameter 'epsilom'; did you mean 'epsilon'?"),
        ("mcts,policy=tabu-color,policy.epsilon=2", "epsilon=2.0 is not allowed; epsilon takes a number from 0 to 1"),
        ("mcts:3", "mcts:3: a search takes no instance after a colon"),
    ],
)
def test_bad_searches(capsys, spec, told):
    assert told in refused(capsys, "solve", "samegame", spec, "--playouts", "1")


def test_policy_that_does_not_fit_the_problem(capsys):
    said = refused(capsys, "solve", f"{MINE}:Walk", "mcts,policy=tabu-color", "--playouts", "1")
    assert "policy TabuColor needs a problem with the methods" in said
    assert "Walk has no kind" in said


@pytest.mark.parametrize(
    ("budget", "told"),
    [
        (("--playouts", "0"), "playouts=0 is not allowed; playouts takes a whole number from 1"),
        (("--playouts", "-3"), "playouts=-3 is not allowed; playouts takes a whole number from 1"),
        (("--playouts", "many"), "Invalid value for '--playouts'"),
        (("--seconds", "0"), "seconds=0.0 is not a budget; give a number above 0"),
        (("--seconds", "-1"), "seconds=-1.0 is not a budget; give a number above 0"),
        (("--seconds", "nan"), "seconds=nan is not a budget; give a number above 0"),
        (("--seconds", "soon"), "Invalid value for '--seconds'"),
        (("--seed", "-1", "-n", "1"), "seed=-1 is not allowed; seed takes a whole number from 0"),
        (("--threads", "0", "-n", "1"), "threads=0 is not allowed; threads takes a whole number from 1 to 1,024"),
        (("--speed", "9"), "No such option: --speed"),
    ],
)
def test_bad_budgets(capsys, budget, told):
    assert told in refused(capsys, "solve", "samegame", "random", *budget)


BOARDS = {
    "ragged": ("# two rows\n0123\n012\n", "line 3: 3 cells, but line 2 has 4"),
    "unknown character": ("01\n0?\n", "line 2: '?' is not a cell; cells are 0-9, a-z or '.'"),
    "too many colours": ("0 1 26\n", "line 1: colour 26: at most 26 colours, 0 to 25"),
    "letters and digits": ("0a\n", "line 1: 'a': a board has digits or letters, not both"),
    "empty": ("", "no board found; a board is lines of digits, letters or dots"),
    "only comments": ("# nothing\n\n", "no board found; a board is lines of digits, letters or dots"),
    "too wide": ("0" * 51 + "\n", "a board of 51x1; allowed are 1x1 to 50x50"),
}


@pytest.mark.parametrize("fault", BOARDS)
def test_bad_board_files(capsys, tmp_path, fault):
    text, told = BOARDS[fault]
    file = tmp_path / "boards.txt"
    file.write_text(text)
    said = refused(capsys, "solve", f"samegame:{file}", "random", "--playouts", "1")
    assert said.startswith(str(file))
    assert told in said


@pytest.mark.parametrize("number", ["99", "0", "-1", "x", ""])
def test_board_that_the_file_does_not_have(capsys, tmp_path, number):
    file = tmp_path / "boards.txt"
    file.write_text("\n\n".join(["01\n01"] * 20))
    said = refused(capsys, "solve", f"samegame:{file}#{number}", "random", "--playouts", "1")
    assert said == f"{file}#{number}: no such board; the file has boards #1 to #20"


def test_board_file_that_is_not_text(capsys, tmp_path):
    file = tmp_path / "boards.txt"
    file.write_bytes(b"\xff\xfe\x00\x80")
    assert refused(capsys, "solve", f"samegame:{file}", "-n", "1") == f"{file}: cannot read boards: not a text file"


def test_folder_in_place_of_a_board_file(capsys, tmp_path):
    assert refused(capsys, "solve", f"samegame:{tmp_path}", "-n", "1") == f"{tmp_path}: cannot read boards: Is a directory"


def test_out_into_a_missing_folder(capsys, tmp_path):
    out = tmp_path / "nowhere" / "best.json"
    said = refused(capsys, "solve", "samegame", "random", "-n", "1", "--out", str(out))
    assert said == f"{out}: no such folder {out.parent}"


def test_out_that_is_a_folder_is_told_before_the_run(capsys, tmp_path, monkeypatch):
    def never(*arguments, **options):
        pytest.fail("the run has started")

    monkeypatch.setattr(sys.modules["arbora.solve"], "solve", never)
    said = refused(capsys, "solve", "samegame", "random", "-n", "1", "--out", str(tmp_path))
    assert said.startswith(f"{tmp_path}: ")


def test_replay_of_a_missing_file(capsys, tmp_path):
    path = tmp_path / "gone.json"
    assert refused(capsys, "replay", str(path)) == f"{path}: cannot read: No such file or directory"


def test_replay_of_an_unknown_problem(capsys, tmp_path):
    path = tmp_path / "old.json"
    path.write_text('{"problem": "samegam", "moves": [], "score": 0}')
    assert "unknown problem 'samegam'; did you mean 'samegame'?" in refused(capsys, "replay", str(path))


def test_list_of_an_unknown_name(capsys):
    assert "unknown name 'nrp'; did you mean 'nrpa'?" in refused(capsys, "list", "nrp")


def test_unknown_command(capsys):
    assert "No such command 'sovle'" in refused(capsys, "sovle")


@pytest.mark.parametrize("command", ["replay", "check"])
def test_missing_argument(capsys, command):
    assert "Missing argument" in refused(capsys, command)


USER_FILES = {
    "syntax": ("class Mine\n    pass\n", "line 1: expected ':'"),
    "exception": ("x = 1\ny = x / 0\n", "line 2: ZeroDivisionError: division by zero"),
    "missing module": ("import no_such_module_here\n", "line 1: ModuleNotFoundError: No module named 'no_such_module_here'"),
    "missing method": (
        "import arbora\n@arbora.problem\nclass Mine:\n    pass\n",
        "class Mine (",
    ),
}


@pytest.mark.parametrize("command", ["solve", "check"])
@pytest.mark.parametrize("fault", USER_FILES)
def test_bad_user_files(capsys, tmp_path, fault, command):
    text, told = USER_FILES[fault]
    file = tmp_path / "mine.py"
    file.write_text(text)
    said = refused(capsys, command, f"{file}:Mine")
    assert told in said
    assert str(file) in said


def test_an_exception_in_user_code_shows_the_user_s_frames_and_no_others(tmp_path, capsys):
    file = tmp_path / "tank.py"
    file.write_text(
        "class Tank:\n"
        "    def reset(self): self.left = 3\n"
        "    def moves(self): return [0] if self.left else []\n"
        "    def play(self, move): self.drain()\n"
        "    def drain(self): raise RuntimeError('tank is empty')\n"
        "    def score(self): return 0.0\n"
    )
    assert main(["solve", f"{file}:Tank", "random", "--playouts", "5"]) == 2
    told = capsys.readouterr().err.splitlines()
    assert [line.strip() for line in told if "File" in line] == [
        f'File "{file}", line 4, in play',
        f'File "{file}", line 5, in drain',
    ]
    assert told[-1] == "arbora: RuntimeError: tank is empty"
