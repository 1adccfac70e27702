"""`arbora lab …`: experiments, run and reported."""

import json
import shlex
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arbora.batch import store
from arbora.batch.workers import default_workers
from arbora.cli.signals import terminable
from arbora.cli.watching import BatchLine
from arbora.errors import BadInput
from arbora.lab import export as exporting
from arbora.lab import loading, session, starting
from arbora.tune.cem import Iteration

app = typer.Typer(
    name="lab",
    help="Experiments: run a grid of problems and searches, keep every run, see the document's numbers beside ours.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Name = Annotated[str, typer.Argument(help="An experiment: a name of `arbora lab list`, or a file such as mine.toml.")]
Scale = Annotated[str, typer.Option("--scale", help="quick (minutes on two cores) or paper (as in the document).")]
Data = Annotated[list[Path], typer.Option("--data", help="Folder with data files of the experiment; may be repeated.")]
Database = Annotated[Path, typer.Option("--db", envvar="ARBORA_LAB", help="Database of runs.")]
Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]

DATABASE = Path("lab.sqlite")


@app.command("list")
def list_experiments(as_json: Json = False) -> int:
    """List the experiments that come with Arbora.

    \b
    Examples:
      arbora lab list
      arbora lab list --json
    """
    found = [loading.load(name, "paper") for name in loading.shipped()]
    if as_json:
        rows = [{"name": each.name, "title": each.title, "source": each.source, "about": each.about} for each in found]
        print(json.dumps(rows))
        return 0
    table = Table("name", "title", "document", box=None, padding=(0, 2))
    for each in found:
        table.add_row(f"[bold cyan]{each.name}[/]", each.title, each.source)
    Console().print(table, highlight=False)
    return 0


@app.command("run")
def run_experiment(
    name: Name,
    scale: Scale = "quick",
    data: Data = [],  # noqa: B006 - typer's way
    database: Database = DATABASE,
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Runs at once [all cores].")] = None,
    kind: Annotated[str, typer.Option("--kind", help="Workers are processes or threads.")] = "processes",
    as_json: Json = False,
) -> int:
    """Run what is missing of an experiment, then show its report. Ctrl-C stops; the same command goes on from there.

    \b
    Examples:
      arbora lab run 002/table-5
      arbora lab run 001/table-2 --data boards/ --db results.sqlite
      arbora lab run mine.toml --scale paper --workers 1
    """
    experiment = loading.load(name, scale, data)
    threads = max((int(value) for value in experiment.grid.get("threads", {"1": 1}).values()), default=1)
    with terminable() as interruption, BatchLine(f"{name} ({scale})", interruption) as line:

        def told(tuning: str, iteration: Iteration) -> None:
            best = max(sample.fitness for sample in iteration.samples)
            line.say(f"{tuning}: iteration {iteration.number}, best sample {best:,.1f}")

        try:
            completed = session.run(experiment, database, workers or default_workers(threads), kind, line, told)
        except KeyboardInterrupt:
            found = session.stored(experiment, database)
            print(
                f"arbora: interrupted; {found.done:,} of {found.wanted:,} runs are stored in {database}, "
                "the same command goes on from there",
                file=sys.stderr,
            )
            return 130
    for job, reason in completed.failures[:5]:
        print(f"arbora: {job.problem} with {job.search}, seed {job.seed}: {reason}", file=sys.stderr)
    if completed.failures:
        print(f"arbora: {len(completed.failures)} runs failed; the same command tries them again", file=sys.stderr)
    _report(experiment, database, _command(name, scale, data, database), as_json, None)
    return 2 if completed.failures else 0


@app.command("report")
def report(
    name: Name,
    scale: Scale = "quick",
    data: Data = [],  # noqa: B006 - typer's way
    database: Database = DATABASE,
    html: Annotated[Path | None, typer.Option("--html", help="Write a page with plots to this file.")] = None,
    as_json: Json = False,
) -> int:
    """Show what is stored of an experiment, the document's numbers beside ours.

    \b
    Examples:
      arbora lab report 002/table-5
      arbora lab report 002/table-5 --html table-5.html
      arbora lab report mine.toml --json
    """
    experiment = loading.load(name, scale, data)
    _report(experiment, database, _command(name, scale, data, database), as_json, html)
    return 0


@app.command("status")
def status(
    names: Annotated[list[str] | None, typer.Argument(help="Experiments [all that come with Arbora].")] = None,
    data: Data = [],  # noqa: B006 - typer's way
    database: Database = DATABASE,
    as_json: Json = False,
) -> int:
    """Say how many runs of which experiments are stored.

    \b
    Examples:
      arbora lab status
      arbora lab status 001/table-2 mine.toml --db results.sqlite
    """
    rows = []
    for name in names or loading.shipped():
        try:
            for scale in ("quick", "paper"):
                found = session.stored(loading.load(name, scale, data), database)
                rows.append({"name": name, "scale": scale, "done": found.done, "wanted": found.wanted})
        except BadInput as error:
            if names:
                raise
            print(f"arbora: {name}: {error}", file=sys.stderr)  # what others need may be missing; the rest is told
    if as_json:
        print(json.dumps(rows))
        return 0
    table = Table("experiment", "scale", "runs stored", "of", box=None, padding=(0, 2))
    for row in rows:
        style = "bold" if row["done"] == row["wanted"] else "" if row["done"] else "dim"
        table.add_row(str(row["name"]), str(row["scale"]), f"{row['done']:,}", f"{row['wanted']:,}", style=style)
    Console().print(table, highlight=False)
    return 0


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(help="Where to: a name ending in .csv or .parquet.")],
    name: Annotated[str | None, typer.Option("--experiment", help="Only the runs of this experiment [all runs].")] = None,
    scale: Scale = "quick",
    data: Data = [],  # noqa: B006 - typer's way
    database: Database = DATABASE,
) -> int:
    """Write stored runs as a table for other programs; one line for each run.

    \b
    Examples:
      arbora lab export runs.csv
      arbora lab export table-5.parquet --experiment 002/table-5
    """
    exporting.check_format(file)
    with store.reading(database) as kept:
        if kept is None:
            raise BadInput(f"{database}: no such file; `arbora lab run` makes one, --db names another")
        if name is None:
            rows = exporting.all_runs(kept)
        else:
            rows = exporting.runs_of(session.stored(loading.load(name, scale, data), database))
    count = exporting.write(file, rows)
    print(f"{count:,} runs written to {file}")
    return 0


@app.command("new")
def new(file: Annotated[Path, typer.Argument(help="The file to write, ending in .toml.")]) -> int:
    """Write a commented start of an experiment of your own.

    \b
    Example:
      arbora lab new mine.toml
    """
    starting.write(file)
    print(f"{file} written; run it with: arbora lab run {file}")
    return 0


def _report(experiment: Any, database: Path, command: str, as_json: bool, html: Path | None) -> None:
    from arbora.lab import html as page
    from arbora.lab import plots, tables, terminal

    results = session.gather(experiment, database, command)
    made = tables.make_report(results)
    if html is not None:
        page.write(html, page.render(made, plots.draw(made, results)))
    if as_json:
        print(json.dumps(tables.as_object(made)))
    else:
        terminal.show(made, Console())
        if html is not None:
            print(f"page   {html}")


def _command(name: str, scale: str, data: list[Path], database: Path) -> str:
    """What makes the runs of a report, or goes on with them."""
    folders = [part for folder in data for part in ("--data", str(folder))]
    into = [] if database == DATABASE else ["--db", str(database)]
    return shlex.join(["arbora", "lab", "run", name, "--scale", scale, *folders, *into])
