"""The sub-commands of `arbora tell` for those who write worlds, and how they are told from a world."""

import json
from pathlib import Path

import pytest
import typer

from arbora.cli.main import app, main


@pytest.fixture
def world(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The starter, as `arbora tell new` writes it."""
    path = tmp_path / "mine.yaml"
    assert main(["tell", "new", str(path)]) == 0
    capsys.readouterr()
    return str(path)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a command refuses its input."""
    capsys.readouterr()
    assert main(["tell", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("arbora: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("arbora: ").strip()


@pytest.mark.parametrize("command", [(), ("check",)])
def test_bad_worlds(capsys, tmp_path, command):
    assert "unknown world 'crim'; did you mean 'crime'?" in refused(capsys, *command, "crim")
    missing = tmp_path / "gone.yaml"
    assert refused(capsys, *command, str(missing)) == f"{missing}: cannot read the world: No such file or directory"
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text("title: Wrong\nfacts:\n  - happy(charcter)\nactions:\n  smile: {}\n")
    assert refused(capsys, *command, str(wrong)).startswith(f"{wrong}, line 3: ")


def test_a_sub_command_that_is_mistyped(capsys):
    said = refused(capsys, "chekc", "mine.yaml")
    assert said.startswith("'chekc' is no command of arbora tell; did you mean 'check'?")


def test_new_overwrites_nothing(capsys, tmp_path):
    world, schema = tmp_path / "mine.yaml", tmp_path / "story.schema.json"
    assert main(["tell", "new", str(world)]) == 0
    text = world.read_text()
    assert json.loads(schema.read_text())["$schema"].startswith("https://json-schema.org/")
    assert refused(capsys, "new", str(world)) == f"{world}: exists already; give another name"
    assert main(["tell", "new", str(tmp_path / "second.yml")]) == 0
    assert capsys.readouterr().err == ""  # the same schema may stay
    schema.write_text("mine")
    assert main(["tell", "new", str(tmp_path / "third.yaml")]) == 0
    assert capsys.readouterr().err == f"arbora: {schema} is there already and differs from Arbora's; it is left as it is\n"
    assert (world.read_text(), schema.read_text()) == (text, "mine")
    assert refused(capsys, "new", str(tmp_path / "mine.txt")) == f"{tmp_path / 'mine.txt'}: a world's file ends in .yaml"
    assert "cannot write the world" in refused(capsys, "new", str(tmp_path / "nowhere" / "mine.yaml"))


def test_check_says_what_there_is(world, capsys):
    assert main(["tell", "check", world, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["characters"] == ["ada", "tom", "biscuit"]
    assert (found["places"], found["items"], found["things"]) == (
        ["kitchen", "cellar", "tower", "sea"], ["oil", "matches", "herring"], ["beacon"],
    )  # fmt: skip
    assert (found["actions"]["walk"], found["actions"]["light"]) == (6, 1)
    assert found["events"] == sum(found["actions"].values())
    assert list(found["goals"].items())[:2] == [("the light burns", "lit(beacon)"), ("Tom is home", "at(tom) == kitchen")]
    assert found["warnings"] == []
    assert main(["tell", "check", world]) == 0
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert ["3", "characters", "ada,", "tom,", "biscuit"] in lines
    assert lines[-1] == ["nothing", "that", "looks", "wrong"]


SLIPS = """\
types:
  cat: character
characters: {eve: {}}
places: {hall: {}, attic: {}}
items: {lamp: {}}
facts:
  - at(character) = place
  - happy(character)
  - hungry(character)
start:
  - at(eve) = hall
actions:
  smile:
    with: {who: character}
    if: not happy(who)
    then: [happy(who), hungry(who)]
    text: "{who} smiled."
  fly:
    if: at(eve) == attic
    text: "Eve flew."
  sigh: {}
goals:
  joy: happy(eve)
  home: at(eve) == hall
"""


def test_check_warns_of_what_looks_wrong(capsys, tmp_path):
    path = tmp_path / "slips.yaml"
    path.write_text(SLIPS)
    assert main(["tell", "check", str(path), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["warnings"] == [
        f"{path}, line 18: fly can never happen",
        f"{path}, line 21: sigh has no text; a bare list of names will stand for it",
        f"{path}, line 24: the goal home is met at the start",
        f"{path}, line 9: nothing depends on hungry",
        f"{path}, line 5: nothing can happen with the item lamp",
        f"{path}, line 2: there is nothing of type cat",
    ]
    assert main(["tell", "check", str(path)]) == 0
    assert f"warning  {path}, line 18: fly can never happen\n" in capsys.readouterr().out


def test_check_of_a_world_without_goals(capsys, tmp_path):
    path = tmp_path / "aimless.yaml"
    path.write_text(SLIPS.partition("goals:")[0])
    assert refused(capsys, "check", str(path)).startswith(f"{path}, line 1: a story needs goals")


def test_worlds_that_come_with_arbora(capsys):
    assert main(["tell", "worlds", "--json"]) == 0
    rows = json.loads(capsys.readouterr().out)
    assert [row["name"] for row in rows] == ["crime", "midsummer"]
    assert all(row["title"] and row["about"] for row in rows)
    assert main(["tell", "worlds"]) == 0
    shown = capsys.readouterr().out
    assert all(row["name"] in shown for row in rows)


def test_schema_is_printed_as_new_writes_it(world, capsys):
    capsys.readouterr()
    assert main(["tell", "schema"]) == 0
    assert capsys.readouterr().out == (Path(world).parent / "story.schema.json").read_text()


def test_help_shows_options_commands_and_examples(capsys):
    assert main(["tell", "--help"]) == 0
    shown = capsys.readouterr().out
    assert " tell [WORLD] [OPTIONS]\n" in shown
    assert all(
        word in shown for word in ("--goal", "--branches", "--tidy / --no-tidy", "Examples:", "arbora tell midsummer")
    )
    commands = shown.partition("Commands:\n")[2].splitlines()
    assert [line.split()[0] for line in commands] == ["new", "check", "worlds", "schema"]
    assert not any(line.endswith("...") for line in commands)
    for command in ("new", "check", "worlds", "schema"):
        assert main(["tell", command, "--help"]) == 0
        assert f"arbora tell {command}" in capsys.readouterr().out.partition("Example")[2]


@pytest.mark.parametrize(
    ("arguments", "command"),
    [([], "WORLD"), (["crime", "--stories", "5"], "WORLD"), (["--json"], "WORLD"), (["check", "crime"], "check")],
)
def test_what_is_no_sub_command_is_a_world(arguments, command):
    group = typer.main.get_command(app).commands["tell"]  # type: ignore[attr-defined]
    name, *rest = group.named(arguments)
    assert (name, rest) == (command, arguments if command == "WORLD" else arguments[1:])
    assert group.commands[name].make_context(name, list(rest)).params["world"] == "crime"
