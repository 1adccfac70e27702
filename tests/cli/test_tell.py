"""`arbora tell` as a writer uses it: a world from `new`, stories of it on paper and in files, and what can be wrong.

All searches are of one kind on one world, so that one compilation serves them all.
"""

import json
import os
import signal
import subprocess
import sys
import time

import pytest

from arbora.cli import tales
from arbora.cli.main import main
from arbora.tell import storyteller

KEYS = {"world", "title", "search", "seed", "threads", "goals", "stories", "distances", "stopped"}
STORY_KEYS = {
    "problem", "score", "believability", "goals", "actions", "moves", "text", "branches", "playouts", "seconds", "stopped",
}  # fmt: skip
QUICK = ("--search", "random", "--playouts", "1500")
GOALS = ["the light burns", "Tom is home", "nobody is afraid", "tea"]


@pytest.fixture(scope="module")
def world(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The starter, as `arbora tell new` writes it."""
    path = tmp_path_factory.mktemp("worlds") / "mine.yaml"
    assert main(["tell", "new", str(path)]) == 0
    return str(path)


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    capsys.readouterr()
    assert main(["tell", *arguments, *QUICK, "--json"]) == 0
    shown = capsys.readouterr().out
    assert shown.count("\n") == 1
    return json.loads(shown)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """The one line with which a command refuses its input."""
    capsys.readouterr()
    assert main(["tell", *arguments]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.startswith("arbora: ")
    assert said.err.count("\n") == 1
    return said.err.removeprefix("arbora: ").strip()


def test_the_starter_tells_a_story(world, capsys):
    found = told(capsys, world)
    assert set(found) == KEYS
    assert (found["world"], found["title"]) == (world, "The light on Gull Rock")
    assert (found["search"], found["seed"], found["threads"], found["goals"]) == ("random", 1, 1, GOALS)
    assert (found["distances"], found["stopped"]) == ([[0.0]], "budget")
    (story,) = found["stories"]
    assert set(story) == STORY_KEYS
    assert [(goal["name"], goal["met"]) for goal in story["goals"]] == [(name, True) for name in GOALS]
    assert story["score"] == story["believability"] > 0
    assert (story["playouts"], story["stopped"], story["branches"]) == (1500, "budget", [])
    assert story["moves"] == [action["move"] for action in story["actions"]]
    assert story["text"].startswith("The wind rose at dusk, ")
    assert story["problem"] == f"story:{world}"


def test_on_paper_a_paragraph_is_a_line_and_the_last_line_is_the_score(world, capsys):
    found = told(capsys, world)["stories"][0]
    assert main(["tell", world, *QUICK]) == 0
    said = capsys.readouterr()
    lines = said.out.splitlines()
    assert lines[0] == "The light on Gull Rock"
    assert "\n\n".join(lines[2:-2:2]) == found["text"]
    worth = f"score {found['score']:.3g} = believability {found['believability']:.3g} x goals 4 of 4 ({', '.join(GOALS)})"
    assert lines[-1] == f"{worth}; {len(found['moves'])} actions"
    assert said.err == ""


def test_explanations_name_reasons_and_goals(world, capsys):
    actions = told(capsys, world)["stories"][0]["actions"]
    assert main(["tell", world, *QUICK, "--explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    for number, action in enumerate(actions, 1):
        reasons = [f"because {action['because']}"] if action["because"] else []
        reasons.append(f"serves {', '.join(action['serves'])}" if action["serves"] else "serves no goal")
        assert f"{number:3}  {action['believability']:<5.3g} {action['text']} ({'; '.join(reasons)})" in lines


def test_goals_and_never_of_the_command_line(world, capsys):
    asked = ("--goal", "tea", "--goal", "must at(tom) == tower", "--never", "at(ada) == tower")
    found = told(capsys, world, *asked)
    assert found["goals"] == ["tea", "must at(tom) == tower"]
    (story,) = found["stories"]
    assert all(goal["met"] for goal in story["goals"])
    assert [goal["must"] for goal in story["goals"]] == [False, True]
    assert ["ada", "tower"] not in [action["arguments"] for action in story["actions"]]
    assert story["problem"] == f"story:{world},goals=tea;must at(tom) == tower,never=at(ada) == tower"


def test_several_stories_are_as_far_apart_as_asked_and_replay(world, capsys, tmp_path):
    out = tmp_path / "stories.json"
    found = told(capsys, world, "--stories", "3", "--distance", "0.3", "--out", str(out))
    assert json.loads(out.read_text()) == found
    rows = found["distances"]
    assert [len(row) for row in rows] == [3, 3, 3]
    assert all(rows[i][j] == rows[j][i] for i in range(3) for j in range(3))
    assert all(rows[i][j] >= 0.3 for i in range(3) for j in range(3) if i != j)
    capsys.readouterr()
    assert main(["replay", str(out)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(" in ")[0] for line in lines] == [
        f"story {number}: score {story['score']:.3g}" for number, story in enumerate(found["stories"], 1)
    ]
    assert main(["replay", str(out), "--json"]) == 0
    replayed = json.loads(capsys.readouterr().out)
    assert replayed["valid"] is True
    for again, story in zip(replayed["stories"], found["stories"], strict=True):
        assert again["moves"][-1]["score"] == again["score"] == story["score"]


def test_several_stories_on_paper_have_headings_and_distances(world, capsys):
    assert main(["tell", world, *QUICK, "--stories", "2", "--distance", "0.3"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line for line in lines if line.startswith("Story ")] == ["Story 1 of 2", "Story 2 of 2"]
    assert sum(line.startswith("score ") for line in lines) == 2
    assert sum(line.startswith("distances: 0.") for line in lines) == 1


def test_replay_tells_which_story_does_not_hold_and_where(world, capsys, tmp_path):
    out = tmp_path / "stories.json"
    found = told(capsys, world, "--stories", "2", "--distance", "0.3", "--out", str(out))
    second = found["stories"][1]
    faults = [
        ({"score": second["score"] + 1}, "story 2: the score departs at the end, move "),
        ({"moves": second["moves"][:2]}, "story 2: the score departs at the end, move 2"),
        ({"moves": [second["moves"][0], 10**9]}, "story 2: move 2 (1000000000) is not legal there"),
        ({"problem": None}, f"{out}: story 2: problem is not the spec of a problem"),
    ]
    for changes, place in faults:
        out.write_text(json.dumps({**found, "stories": [found["stories"][0], {**second, **changes}]}))
        capsys.readouterr()
        assert main(["replay", str(out)]) == 1
        said = capsys.readouterr().err
        assert said.startswith(f"arbora: {place}")
        assert said.count("\n") == 1
    for stories, place in ((3, "stories is not a list"), ([3], "story 1 is no JSON object")):
        out.write_text(json.dumps({"stories": stories}))
        assert main(["replay", str(out)]) == 1
        assert place in capsys.readouterr().err


@pytest.mark.parametrize(
    ("suffix", "begins"),
    [
        (".md", "# The light on Gull Rock\n"),
        (".twee", ":: StoryTitle\nThe light on Gull Rock\n"),
        (".INK", "# title: The light on Gull Rock\n"),
        (".txt", "The light on Gull Rock\n\nStory 1\n\nThe wind rose at dusk"),
    ],
)
def test_exports_are_rewritten_after_each_story(world, capsys, tmp_path, monkeypatch, suffix, begins):
    out = tmp_path / f"stories{suffix}"
    out.write_text("old")
    seen = []
    show = tales.Pages.show

    def shown(pages, found):
        seen.append(out.read_text())
        show(pages, found)

    monkeypatch.setattr(tales.Pages, "show", shown)
    several = ("--stories", "2", "--distance", "0.3", "--branches", "0", "--out", str(out))
    assert main(["tell", world, *QUICK, *several]) == 0
    assert f"saved  {out}" in capsys.readouterr().out
    assert len(seen) == 2
    assert "old" not in seen
    assert "Story 1" not in seen[0] or "Story 2" not in seen[0]
    assert out.read_text() == seen[1]
    assert seen[1].startswith(begins)
    assert [path.name for path in tmp_path.iterdir()] == [out.name]


@pytest.mark.parametrize(
    ("arguments", "branches"),
    [((), 0), (("--out", "a.md"), 0), (("--out", "a.twee"), 3), (("--out", "a.ink"), 3), (("--branches", "7"), 7)],
)
def test_how_many_branches_are_asked_for(world, tmp_path, monkeypatch, arguments, branches):
    asked = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(storyteller, "stories", lambda request, *watches: asked.append(request) or iter(()))
    assert main(["tell", world, *QUICK, *arguments]) == 0
    assert [request.branches for request in asked] == [branches]
    assert list(tmp_path.iterdir()) == []


def test_nothing_found_is_said(world, capsys, monkeypatch):
    monkeypatch.setattr(storyteller, "stories", lambda request, *watches: iter(()))
    assert main(["tell", world, *QUICK, "--json"]) == 0
    said = capsys.readouterr()
    assert (json.loads(said.out)["stories"], json.loads(said.out)["distances"]) == ([], [])
    assert said.err == "arbora: no story was found; the budget was too small, or nothing can happen at the start\n"


def test_what_a_story_misses_is_said(world, capsys):
    asked = ("--goal", "tea", "--goal", "the light burns", "--goal", "must soaked(tom)", "--never", "soaked(tom)")
    assert main(["tell", world, *QUICK, *asked, "--goal", "must tom == tom"]) == 0
    said = capsys.readouterr()
    assert "arbora: the story misses what it must reach: must soaked(tom)\n" in said.err
    last = said.out.splitlines()[-1]
    assert "missed: must soaked(tom)) x 0.001 for a must; " in last


def pressing(monkeypatch, place: object, name: str, when) -> None:
    """Press Ctrl-C once, before a function of `place` is called with arguments for which `when` holds."""
    function, pressed = getattr(place, name), []

    def called(*arguments):
        if when(*arguments) and not pressed:
            pressed.append(True)
            signal.raise_signal(signal.SIGINT)
        return function(*arguments)

    monkeypatch.setattr(place, name, called)


ENDLESS = ("--search", "random", "--seconds", "300", "--stories", "100", "--distance", "0.1")


def test_an_interrupted_search_keeps_its_best_story(world, capsys, monkeypatch):
    told(capsys, world)  # compiled by now
    pressing(monkeypatch, tales.StoryLine, "watch", lambda line, number, report: number == 0 and report.moves)
    assert main(["tell", world, *ENDLESS, "--json"]) == 130
    said = capsys.readouterr()
    found = json.loads(said.out)
    assert found["stopped"] == "interrupted"
    (story,) = found["stories"]
    assert (story["stopped"], bool(story["text"])) == ("interrupted", True)
    assert "arbora: 1 of 100 stories were found: interrupted\n" in said.err


@pytest.mark.parametrize(("place", "name"), [(storyteller, "tidied"), (tales.Pages, "show")])
def test_ctrl_c_between_searches_loses_nothing(world, capsys, monkeypatch, tmp_path, place, name):
    out = tmp_path / "stories.json"
    pressing(monkeypatch, place, name, lambda *arguments: True)
    searched = ("--search", "random", "--playouts", "60000", "--stories", "100", "--out", str(out))
    assert main(["tell", world, *searched]) == 130
    said = capsys.readouterr()
    (story,) = json.loads(out.read_text())["stories"]
    assert f"score {story['score']:.3g} = " in said.out
    assert all(paragraph in said.out for paragraph in story["text"].split("\n\n"))
    assert "arbora: 1 of 100 stories were found: interrupted\n" in said.err


def test_ctrl_c_prints_the_stories_found_so_far(world, capsys, tmp_path):
    out = tmp_path / "stories.json"
    told(capsys, world)  # compiled by now
    arguments = ["--search", "random", "--seconds", "100", "--stories", "100", "--out", str(out)]
    command = [sys.executable, "-m", "arbora", "tell", world, *arguments]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ) as process:
        while not out.exists() and process.poll() is None:
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        shown, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in said
    assert ": interrupted\n" in said
    found = json.loads(out.read_text())
    assert found["stopped"] == "interrupted"
    assert [line for line in shown.splitlines() if line.startswith("Story ")] == [
        f"Story {number} of 100" for number in range(1, len(found["stories"]) + 1)
    ]
    assert all(paragraph in shown for story in found["stories"] for paragraph in story["text"].split("\n\n"))
    assert main(["replay", str(out)]) == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--goal", "lit(x)"), "goal 'lit(x)' is neither a goal of the world nor a condition: unknown name 'x'"),
        (("--goal", "te"), "did you mean 'tea'?"),
        (("--goal", "tea; lit(beacon)"), "--goal 'tea; lit(beacon)': a condition has no ';'; give --goal several times"),
        (("--goal", " "), "--goal is empty; it takes a condition, as in --goal 'dead(alice)'"),
        (("--goal", "at(biscuit) == sea"), "can never be reached"),
        (("--goal", "at(tom) == sea"), "all goals are met at the start; there is no story to tell"),
        (("--never", "at(tom) == sea"), "never 'at(tom) == sea': what may never be true is true at the start"),
        (("--never", "wet(tom)"), "unknown fact 'wet'"),
        (("--never", "lit(beacon);soaked(tom)"), "--never 'lit(beacon);soaked(tom)': a condition has no ';'"),
        (("--length", "1"), "takes 3 actions or more, but a story may have 1"),
        (("--length", "201"), "length=201 is not allowed; length takes a whole number from 0 to 200"),
        (("--length", "-1"), "length=-1 is not allowed"),
        (("--stories", "0"), "stories=0 is not allowed; stories takes a whole number from 1 to 100"),
        (("--stories", "101"), "stories=101 is not allowed"),
        (("--stories", "some"), "Invalid value for '--stories'"),
        (("--distance", "1.5"), "distance=1.5 is not allowed; distance takes a number from 0 to 1"),
        (("--distance", "nan"), "distance=nan is not allowed"),
        (("--branches", "21"), "branches=21 is not allowed; branches takes a whole number from 0 to 20"),
        (("--branches", "-1"), "branches=-1 is not allowed"),
        (("--seconds", "0"), "seconds=0.0 is not a budget; give a number above 0"),
        (("--seconds", "-5", "--stories", "5"), "seconds=-5.0 is not a budget"),
        (("--playouts", "0"), "playouts=0 is not allowed; playouts takes a whole number from 1"),
        (("--threads", "0"), "threads=0 is not allowed; threads takes a whole number from 1 to 1,024"),
        (("--seed", "-1"), "seed=-1 is not allowed; seed takes a whole number from 0"),
        (("--search", "nrap"), "unknown search 'nrap'; did you mean 'nrpa'?"),
        (("--search", "uct"), "search UCT needs a problem with the methods players; Story has no players"),
        (("--out", "stories.pdf"), "stories.pdf: --out takes a name that ends in .json, .md, .twee, .ink or .txt"),
        (("--out", "stories"), "stories: --out takes a name that ends in .json, .md, .twee, .ink or .txt"),
        (("--out", "nowhere/stories.md"), "nowhere/stories.md: no such folder nowhere"),
        (("--speed", "9"), "No such option: --speed"),
        (
            ("slowly",),
            "is no command of arbora tell; known: check, new, schema, worlds; behind a WORLD",
        ),
    ],
)
def test_bad_requests(world, capsys, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in refused(capsys, world, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_file(world, capsys, tmp_path):
    folder = tmp_path / "a.md"
    folder.mkdir()
    assert refused(capsys, world, "--out", str(folder)) == f"{folder}: is a folder; --out takes a file"
