"""`arbora tell …`: stories of a world, found by search and told in prose."""

import json
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from typer.core import TyperCommand, TyperGroup

from arbora.cli import tales
from arbora.cli.signals import terminable
from arbora.component import nearest
from arbora.errors import BadInput
from arbora.files import write_text
from arbora.problems.story import reading
from arbora.problems.story.story import Story
from arbora.problems.story.world import build
from arbora.registry import default_search_spec
from arbora.running import Progress, check_whole, checked_budget
from arbora.spec import parse_search
from arbora.tell import storyteller
from arbora.tell.collection import WITH_CHOICES, Collection, check_file
from arbora.tell.survey import as_object, survey

DEFAULT_WORLD = "crime"
BRANCHES = 3  # where readers choose
TELLING = "WORLD"  # the name of the command that tells stories, which nobody has to write
FOLDER = Path(reading.__file__).parent
SCHEMA = "story.schema.json"  # beside a world's file, as the starter names it


class Telling(TyperCommand):
    """The command that is meant where none is named; its help is that of the whole group."""

    def format_usage(self, ctx: Any, formatter: Any) -> None:
        formatter.write_usage(ctx.parent.command_path, "[WORLD] [OPTIONS]")
        formatter.write_usage(ctx.parent.command_path, "COMMAND …", prefix="   or: ")

    def format_options(self, ctx: Any, formatter: Any) -> None:
        super().format_options(ctx, formatter)
        ctx.parent.command.format_commands(ctx.parent, formatter)


class TellGroup(TyperGroup):
    """Sub-commands, and a WORLD in place of one."""

    def named(self, arguments: list[str]) -> list[str]:
        """The arguments with a sub-command before them, if they do not begin with one. Raises BadInput for two words."""
        if arguments and arguments[0] in self.commands:
            return arguments
        if len(arguments) > 1 and not any(argument.startswith("-") for argument in arguments[:2]):
            known = nearest(arguments[0], [name for name, command in self.commands.items() if not command.hidden])
            raise BadInput(f"{arguments[0]!r} is no command of arbora tell; {known}; behind a WORLD there are only options")
        return [TELLING, *arguments]

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, self.named(args))


app = typer.Typer(
    name="tell", cls=TellGroup, help="Tell stories of a world of characters, places and items.", rich_markup_mode=None
)

World = Annotated[str, typer.Argument(help="A world: crime, midsummer or FILE.yaml.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


@app.command(TELLING, cls=Telling, hidden=True)
def tell(
    world: World = DEFAULT_WORLD,
    goal: Annotated[
        list[str], typer.Option("--goal", "-g", help="A goal of the world, or a condition; must CONDITION; repeat it.")
    ] = [],  # noqa: B006 - typer's way
    never: Annotated[list[str], typer.Option("--never", help="A condition that may not become true; repeat it.")] = [],  # noqa: B006
    length: Annotated[int, typer.Option("--length", "-l", help="Most actions; 0: what the world says.")] = 0,
    stories: Annotated[int, typer.Option("--stories", help="How many, each different from the others.")] = 1,
    distance: Annotated[float, typer.Option("--distance", help="How different, from 0 to 1.")] = 0.5,
    seconds: Annotated[
        float | None, typer.Option("--seconds", "-s", help="Budget for all stories together [10, if no budget].")
    ] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="Budget in play-outs, for all stories.")] = None,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    threads: Annotated[int, typer.Option("--threads", "-t", help="Independent searches; the best wins.")] = 1,
    search: Annotated[str | None, typer.Option("--search", help="A search spec [the one that is best for stories].")] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Say of each action why, and which goals it serves.")] = False,
    branches: Annotated[
        int | None, typer.Option("--branches", help="What else might have happened, so often [3 in .twee and .ink, else 0].")
    ] = None,
    tidy: Annotated[bool, typer.Option("--tidy/--no-tidy", help="Cut actions that serve nothing.")] = True,
    as_json: Json = False,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="File: .json, .md, .twee, .ink or .txt; rewritten after each story.")
    ] = None,
) -> int:
    """Tell stories of a world, the most believable ones that reach its goals. Ctrl-C stops early and keeps the best.

    \b
    Examples:
      arbora tell
      arbora tell midsummer --stories 5 --seconds 60 --threads 2
      arbora tell crime --goal "dead(alice)" --goal "must not dead(bob)" --never "dead(sherlock)" --explain
      arbora tell my_world.yaml --length 12 --branches 4 --out game.twee
    """
    if out is not None:
        check_file(out)
    seconds, playouts = checked_budget(seconds, playouts)
    check_whole("stories", stories, 1, storyteller.MOST_STORIES)
    check_whole("seed", seed, 0, 2**63 - 1 - stories)
    check_whole("threads", threads, 1, 1024)
    made = Story(world=world, goals=_joined("goal", goal), never=_joined("never", never), length=length)
    spec = search or default_search_spec(made)
    request = storyteller.Request(
        story=made,
        search=parse_search(spec),
        stories=stories,
        distance=distance,
        branches=_branches(out) if branches is None else branches,
        tidy=tidy,
        seconds=seconds,
        playouts=playouts,
        seed=seed,
        threads=threads,
    )
    collection = Collection(request, spec)
    pages = None if as_json else tales.Pages(collection, explain)
    _collect(collection, pages, out)
    if pages is not None:
        pages.show_distances()
        if out is not None and collection.found:
            print(f"saved  {out}" + (f"   (play it again: arbora replay {out})" if out.suffix.lower() == ".json" else ""))
    else:
        print(json.dumps(collection.as_object()))
    sys.stdout.flush()
    for line in tales.shortcomings(collection):
        print(f"arbora: {line}", file=sys.stderr)
    return 130 if collection.stopped == "interrupted" else 0


@app.command("new")
def new(file: Annotated[Path, typer.Argument(help="The file to write, ending in .yaml.")]) -> int:
    """Write a start of a world of your own, with comments. Its schema, for editors, comes beside it.

    \b
    Example:
      arbora tell new my_world.yaml
    """
    if file.suffix.lower() not in (".yaml", ".yml"):
        raise BadInput(f"{file}: a world's file ends in .yaml")
    if file.exists() or file.is_symlink():
        raise BadInput(f"{file}: exists already; give another name")
    write_text(file, (FOLDER / "starter.yaml").read_text(encoding="utf-8"), "world")
    print(f"{file} written; tell its story with: arbora tell {file}")
    beside, schema = file.parent / SCHEMA, _schema()
    if not beside.exists():
        write_text(beside, schema, "schema")
        print(f"{beside} written; editors that know YAML complete and check with it")
    elif not beside.is_file() or beside.read_bytes() != schema.encode():
        print(f"arbora: {beside} is there already and differs from Arbora's; it is left as it is", file=sys.stderr)
    return 0


@app.command("check")
def check(world: World, as_json: Json = False) -> int:
    """Say what a world has, and what looks wrong. Exit code 2 if it is wrong.

    \b
    Examples:
      arbora tell check my_world.yaml
      arbora tell check crime --json
    """
    found = survey(world)
    if as_json:
        print(json.dumps(as_object(found, world)))
    else:
        tales.show_survey(found)
    return 0


@app.command("worlds")
def worlds(as_json: Json = False) -> int:
    """List the worlds that come with Arbora.

    \b
    Examples:
      arbora tell worlds
      arbora tell worlds --json
    """
    found = {path.stem: build(reading.read_world(path)) for path in sorted(reading.WORLDS.glob("*.yaml"))}
    if as_json:
        print(json.dumps([{"name": name, "title": each.title, "about": each.about} for name, each in found.items()]))
        return 0
    table = Table("name", "title", "about", box=None, padding=(0, 2))
    for name, each in found.items():
        table.add_row(Text(name, "bold cyan"), Text(each.title), Text(each.about))
    Console().print(table)
    return 0


@app.command("schema")
def schema() -> int:
    """Print the JSON Schema of world files, for editors.

    \b
    Example:
      arbora tell schema > story.schema.json
    """
    print(_schema(), end="")
    return 0


def _collect(collection: Collection, pages: tales.Pages | None, out: Path | None) -> None:
    """Find the stories; print and write each as soon as it is there. Ctrl-C ends it, with what was found kept."""
    with terminable() as interruption, tales.StoryLine(collection.request) as line:

        def watch(number: int, report: Progress) -> None:
            interruption.patient = True  # there is a story now, which will be told
            line.watch(number, report)

        try:
            for found in storyteller.stories(collection.request, watch, line.compiling):
                collection.found.append(found)
                with line.away():
                    if out is not None:
                        collection.write(out)
                    if pages is not None:
                        pages.show(found)
                interruption.raise_if_asked()
                interruption.patient = False
        except KeyboardInterrupt:
            collection.stopped = "interrupted"
    if collection.stopped == "running":
        endings = {found.stopped for found in collection.found}
        ended = next((each for each in ("interrupted", "budget") if each in endings), "complete")
        collection.stopped = ended if endings else "budget"
    if out is not None and collection.found:
        collection.write(out)


def _joined(option: str, texts: list[str]) -> str:
    """Conditions as the problem takes them, with ; between them."""
    for text in texts:
        if not text.strip():
            raise BadInput(f"--{option} is empty; it takes a condition, as in --{option} 'dead(alice)'")
        if ";" in text:
            raise BadInput(f"--{option} {text!r}: a condition has no ';'; give --{option} several times")
    return ";".join(texts)


def _branches(out: Path | None) -> int:
    return BRANCHES if out is not None and out.suffix.lower() in WITH_CHOICES else 0


def _schema() -> str:
    return (FOLDER / "schema.json").read_text(encoding="utf-8")
