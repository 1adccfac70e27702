"""What the documentation says is true: its Python runs, its commands parse, its links lead somewhere.

A page's ```python blocks run from top to bottom in one namespace; a block ```python FILE.py is saved under that name and
imported by the others. Pages find the files of examples/ beside them, as a user in that folder would.
"""

import re
import shlex
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer

import arbora
from arbora.cli.main import app
from arbora.lab import loading
from arbora.match.contestant import parse_contestant
from arbora.spec import parse_problem, parse_search
from arbora.tune.space import parse_params, parse_space

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
FENCE = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> Iterator[tuple[str, str]]:
    """(file name or nothing, text) of each block in a language."""
    for found, name, text in FENCE.findall(page.read_text()):
        if found == language:
            yield name, text


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with everything that the pages name: examples, and what they tell the reader to save."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples", ignore=shutil.ignore_patterns("__pycache__"))
    for file in (ROOT / "examples").glob("*.py"):
        shutil.copy(file, tmp_path)
    for page in PAGES:
        for name, text in (*blocks(page, "python"), *blocks(page, "text"), *blocks(page, "toml"), *blocks(page, "yaml")):
            if name:
                (tmp_path / name).write_text(text)
    known = set(sys.modules)
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield tmp_path
    for name in set(sys.modules) - known:
        if str(getattr(sys.modules[name], "__file__", None)).startswith(str(tmp_path)):
            del sys.modules[name]


def commands(page: Path) -> list[str]:
    lines = "".join(text for _, text in blocks(page, "console")).splitlines()
    return [line.removeprefix("$ ") for line in lines if line.startswith("$ arbora")]


@pytest.mark.parametrize(
    "page", [page for page in PAGES if any(True for _ in blocks(page, "python"))], ids=lambda page: page.stem
)
def test_the_python_of_a_page_runs(page: Path, folder: Path) -> None:
    namespace: dict[str, object] = {"__name__": f"page_{page.stem.replace('-', '_')}"}
    ran = 0
    for name, text in blocks(page, "python"):
        if not name:
            exec(compile(text, f"{page.name} block", "exec"), namespace)  # the pages assert what they claim
            ran += text.count("assert ") + text.count("pytest.raises")
    assert ran > 0


@pytest.mark.parametrize("page", [page for page in PAGES if commands(page)], ids=lambda page: page.stem)
def test_the_commands_of_a_page_parse(page: Path, folder: Path) -> None:
    known = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    for line in commands(page):
        name, *arguments = shlex.split(line, comments=True)[1:]
        assert name in known, line
        command = known[name]
        if hasattr(command, "named"):
            arguments = command.named(arguments)
        if hasattr(command, "commands"):
            command, arguments = command.commands[arguments[0]], arguments[1:]
        parameters = command.make_context(name, arguments).params
        if name == "solve" and parameters["search"] is not None:
            parse_search(parameters["search"])
        if name in ("solve", "check"):
            parse_problem(parameters["problem"])
        if name in ("play", "match"):
            parse_problem(parameters["game"])
        if name == "play" and parameters["search"] is not None:
            parse_search(parameters["search"])
        if name == "match":
            for contestant in (parse_contestant(parameters[side]) for side in ("first", "second")):
                assert contestant.command or parse_search(contestant.search)
        if name == "tune":
            parse_space(parameters["search"], parse_params(parameters["param"]))
        if name == "lab" and parameters.get("name"):
            loading.load(parameters["name"], parameters["scale"])


def test_a_command_that_does_not_parse_would_be_noticed() -> None:
    solve = typer.main.get_command(app).commands["solve"]  # type: ignore[attr-defined]
    with pytest.raises(typer.BadParameter, match="a valid number"):
        solve.make_context("solve", ["samegame", "--seconds", "ten"])


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if target.startswith("https:"):
            continue
        path, _, anchor = target.partition("#")
        file = page.parent / path if path else page
        assert file.exists(), target
        assert not anchor or anchor in anchors(file), target


def anchors(page: Path) -> set[str]:
    """The names that a page's headings have in links."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", page.read_text()), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("start", ["README.md", "docs/index.md"])
def test_every_page_can_be_found(start: str) -> None:
    links = {Path(target).name for target in re.findall(r"\]\(([^)#]+)", (ROOT / start).read_text())}
    assert {page.name for page in (ROOT / "docs").glob("*.md")} - {"index.md"} <= links


def test_a_search_of_ones_own_takes_a_policy_in_its_spec(folder: Path) -> None:
    assert parse_search("prefix.py:Prefix,policy=tabu-color,policy.epsilon=0.5").policy == arbora.TabuColor(epsilon=0.5)


def test_truth_values_in_a_state_work_or_are_turned_down_in_one_line(folder: Path) -> None:
    text = Path("my_knapsack.py").read_text()
    Path("truthful.py").write_text(text.replace('("packed", np.int8', '("packed", np.bool_'))
    report = arbora.check_problem(parse_problem("truthful.py:Knapsack"), playouts=5)
    assert report.ok or "layout" in str(report.failure)
