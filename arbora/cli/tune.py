"""`arbora tune`: the best parameters of a search, by the Cross-Entropy Method."""

import json
import math
import sys
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from arbora.batch import store
from arbora.batch.workers import Workers, default_workers
from arbora.cli.lab import Database
from arbora.cli.signals import terminable
from arbora.cli.watching import BatchLine
from arbora.errors import BadInput
from arbora.tune import cem, tuner
from arbora.tune.space import Range, parse_params

Json = Annotated[bool, typer.Option("--json", help="Print one JSON object instead of text.")]


def tune(
    problem: Annotated[str, typer.Argument(help="A problem spec; a range such as seed=1-100 is drawn from.")],
    search: Annotated[str, typer.Argument(help="A search spec; what it sets and --param does not name stays as it is.")],
    param: Annotated[list[str], typer.Option("--param", "-p", help="NAME=LOW:HIGH[:log] or NAME=a|b|c; repeat it.")],
    seconds: Annotated[float | None, typer.Option("--seconds", "-s", help="Budget of a run in seconds.")] = None,
    playouts: Annotated[int | None, typer.Option("--playouts", "-n", help="Budget of a run in play-outs.")] = None,
    samples: Annotated[int, typer.Option("--samples", help="Samples of an iteration.")] = 100,
    elite: Annotated[int, typer.Option("--elite", help="The best samples, to which the distribution is fitted.")] = 10,
    iterations: Annotated[int, typer.Option("--iterations", help="How often.")] = 20,
    positions: Annotated[int, typer.Option("--positions", help="Runs of a sample, each on a fresh position.")] = 30,
    smoothing: Annotated[float, typer.Option("--smoothing", help="Weight of the new distribution beside the old.")] = 1.0,
    seed: Annotated[int, typer.Option("--seed", "-k", help="Seed of the random numbers.")] = 1,
    preset: Annotated[Path | None, typer.Option("--preset", help="Write what was found to this file, as a preset.")] = None,
    plot: Annotated[Path | None, typer.Option("--plot", help="Write an SVG of how the distribution narrows.")] = None,
    storage: Annotated[str | None, typer.Option("--storage", help="Also keep all samples in this Optuna storage.")] = None,
    study: Annotated[str, typer.Option("--study", help="Name of the study in that storage.")] = "arbora",
    database: Database = Path("tune.sqlite"),
    workers: Annotated[int | None, typer.Option("--workers", "-w", help="Runs at once [all cores].")] = None,
    as_json: Json = False,
) -> int:
    """Tune parameters of a search. Every run is kept: after Ctrl-C or a crash, the same command goes on from there.

    A problem with random positions by seed gets fresh ones in every iteration.

    \b
    Examples:
      arbora tune samegame sp-mcts,policy=tabu-color --param exploration=0:10 --param top_weight=0:1 --playouts 2000
      arbora tune tsp.py:TSP,cities=30 anneal --param hot=0.01:0.5:log --playouts 20000 --positions 5 --preset hot.toml
      arbora tune samegame mcts --param policy=uniform|tabu-color --param exploration=0.01:2:log --seconds 1
    """
    tuning = tuner.Tuning(
        problem=problem,
        search=search,
        param=parse_params(param),
        seconds=10.0 if seconds is None and playouts is None else seconds,
        playouts=playouts,
        samples=samples,
        elite=elite,
        iterations=iterations,
        positions=positions,
        smoothing=smoothing,
        seed=seed,
    )
    tuner.check(tuning)
    for file in (preset, plot):
        if file is not None and not file.parent.is_dir():
            raise BadInput(f"{file}: no such folder {file.parent}")
    if storage is not None:
        from arbora.tune.sampler import open_study

        open_study(storage, study)
    outcome = _run(tuning, database, workers or default_workers(), storage, study)
    if outcome is None:
        return 130
    spec = tuning.spec(outcome.winner)
    if preset is not None:
        _write_preset(preset, tuning, outcome)
    if plot is not None:
        _write_plot(plot, outcome)
    if as_json:
        print(json.dumps({"search": spec, "parameters": outcome.winner, "iterations": _history(outcome)}))
    else:
        _show(outcome, spec, preset, plot)
    return 0


def _run(tuning: tuner.Tuning, database: Path, workers: int, storage: str | None, study: str) -> cem.Outcome | None:
    """The outcome; None if interrupted."""
    with terminable() as interruption, BatchLine(f"tuning {tuning.search}", interruption) as line:

        def told(iteration: cem.Iteration) -> None:
            elite = [iteration.samples[index].fitness for index in iteration.elite]
            mean = sum(sample.fitness for sample in iteration.samples) / len(iteration.samples)
            best = sum(elite) / len(elite)
            line.say(f"iteration {iteration.number} of {tuning.iterations}: mean {mean:,.1f}, elite {best:,.1f}")
            if storage is not None:
                from arbora.tune.sampler import record

                record(iteration, tuning.space, storage, study)

        try:
            with store.writing(database) as kept, Workers(workers, waiting=line.waiting) as crew:
                return tuner.run(tuning, kept, crew, line, told)
        except KeyboardInterrupt:
            print(f"arbora: interrupted; all runs are in {database}, the same command goes on from there", file=sys.stderr)
            return None


def _write_preset(path: Path, tuning: tuner.Tuning, outcome: cem.Outcome) -> None:
    from arbora.tune.presets import write_preset

    budget = f"{tuning.playouts:,} play-outs" if tuning.playouts is not None else f"{tuning.seconds:g} s"
    about = (
        f"Found for {tuning.problem} by the Cross-Entropy Method: {tuning.iterations} iterations of {tuning.samples} "
        f"samples, {tuning.positions} runs of {budget} each, seed {tuning.seed}."
    )
    write_preset(path, tuning.search, outcome.winner, about)


def _write_plot(path: Path, outcome: cem.Outcome) -> None:
    from arbora.files import write_text
    from arbora.tune.plots import narrowing

    write_text(path, narrowing(outcome), "plot")


def _show(outcome: cem.Outcome, spec: str, preset: Path | None, plot: Path | None) -> None:
    console = Console()
    table = Table("parameter", "found", "from", box=None, padding=(0, 2))
    for name, dimension in outcome.space.items():
        shape = outcome.distribution[name]
        spread = ""
        if isinstance(shape, cem.Normal) and isinstance(dimension, Range):
            spread = f" (× or ÷ {10**shape.sd:.3g})" if dimension.log else f" ± {shape.sd:.3g}"
        table.add_row(name, f"[bold]{_short(outcome.winner[name])}[/]{spread}", str(dimension))
    console.print(table, highlight=False)
    print(f"search {spec}")
    if preset is not None:
        print(f"preset {preset}   (use it: {spec.partition(',')[0]},preset={preset})")
    if plot is not None:
        print(f"plot   {plot}")


def _short(value: Any) -> str:
    return f"{value:.4g}" if isinstance(value, float) else str(value)


def _history(outcome: cem.Outcome) -> list[dict[str, Any]]:
    return [
        {
            "number": iteration.number,
            "samples": [
                {"values": dict(sample.values), "fitness": sample.fitness if math.isfinite(sample.fitness) else None}
                for sample in iteration.samples
            ],
            "elite": list(iteration.elite),
        }
        for iteration in outcome.iterations
    ]
