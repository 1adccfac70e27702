"""What people see: results on stdout, progress on stderr."""

import math
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from rich.columns import Columns
from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from arbora.registry import Entry
from arbora.replay import replay
from arbora.running import DEFAULT_SECONDS, Progress
from arbora.solve import Result
from arbora.spec import settable, spec_of

MOST_BOARDS = 8


class LiveLine:
    """One line on stderr that says how a run stands; silent if stderr is not a terminal."""

    def __init__(self, title: str, seconds: float | None, playouts: int | None) -> None:
        self.title = title
        self.seconds = DEFAULT_SECONDS if seconds is None and playouts is None else seconds
        self.playouts = playouts
        self.console = Console(stderr=True)
        self.live = Live(console=self.console, transient=True, auto_refresh=False)

    def __enter__(self) -> Self:
        if self.console.is_terminal:
            self.live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.console.is_terminal:
            self.live.stop()

    def compiling(self) -> None:
        self.console.print("compiling for the first time; the machine code is kept for next time …", style="dim")

    def show(self, report: Progress) -> None:
        if not self.console.is_terminal:
            return
        rate = report.playouts / report.seconds if report.seconds > 0 else 0.0
        parts = [f"best [bold]{number(report.score)}[/]", f"{rate:,.0f} play-outs/s"]
        if self.seconds is not None:
            parts.append(f"{max(self.seconds - report.seconds, 0):.1f} s left")
        if self.playouts is not None:
            parts.append(f"{max(self.playouts - report.playouts, 0):,} play-outs left")
        self.live.update(Text.from_markup(f"{'  '.join(parts)}  [dim]{self.title}, Ctrl-C keeps the best[/]"), refresh=True)


def show_result(problem: Any, result: Result, search_spec: str, out: Path | None, console: Console | None = None) -> None:
    console = console or Console()
    if not math.isfinite(result.score):
        console.print("stopped before the first play-out ended; nothing found", highlight=False)
        return
    if hasattr(problem, "render"):
        console.print(_pictures(problem, result.moves))
    console.print("moves  " + " ".join(result.text), highlight=False, soft_wrap=True)
    rate = result.playouts / result.seconds if result.seconds > 0 else 0.0
    console.print(
        f"[bold]score  {number(result.score)}[/] in {len(result.moves)} moves; {result.playouts:,} play-outs "
        f"in {result.seconds:.1f} s ({rate:,.0f}/s), {search_spec}, seed {result.seed}"
        + (f", {result.threads} threads" if result.threads > 1 else "")
        + (", stopped early" if result.stopped == "interrupted" else ""),
        highlight=False,
        soft_wrap=True,
    )
    if out is not None:
        console.print(f"saved  {out}   (play it again: arbora replay {out})", highlight=False, soft_wrap=True)


def show_replay(problem_spec: str, steps: list[tuple[int, str, float, Any]]) -> None:
    console = Console()
    for step_number, text, score, picture in steps:
        if step_number:
            console.print(f"{step_number:4}  {text:10} {number(score)}", highlight=False)
        if picture is not None:
            console.print(picture)
    console.print(
        f"[bold]score  {number(steps[-1][2])}[/] in {len(steps) - 1} moves holds ({problem_spec})",
        highlight=False,
        soft_wrap=True,
    )


def show_list(rooms: dict[str, dict[str, Entry]]) -> None:
    console = Console()
    for room, entries in rooms.items():
        console.print(f"[bold]{room}[/]", highlight=False)
        for name, entry in entries.items():
            console.print(f"  [bold cyan]{name}[/]  {entry.summary}", highlight=False)
            table = Table(box=None, show_header=False, padding=(0, 1), pad_edge=False)
            if entry.instance_help:
                table.add_row("     ", f":{entry.instance_help}")
            if entry.presets:
                table.add_row("     ", "preset=NAME", "a named set of parameters", f"[dim]{', '.join(entry.presets)}[/]")
            for key, p in settable(entry).items():
                default = spec_of(p.default) if hasattr(p.default, "parameters") else str(p.default)
                allowed = f"a {p.default.role}" if hasattr(p.default, "parameters") else p.allowed
                table.add_row("     ", f"{key}={default}", p.help, f"[dim]{allowed}[/]")
            console.print(table, highlight=False)
    console.print("spec: name[:instance][,key=value…], e.g. mcts,policy=tabu-color,policy.epsilon=0.01", markup=False)


def show_bench(rows: list[Any]) -> None:
    table = Table("what", "measured", "compared with", "ratio", box=None, padding=(0, 2))
    for row in rows:
        table.add_row(row.name, row.shown, row.reference, "" if row.ratio is None else f"{row.ratio:.2f}x")
    Console().print(table, highlight=False)


def announce(message: str) -> None:
    console = Console(stderr=True)
    if console.is_terminal:
        console.print(message, style="dim", highlight=False)


def number(value: float) -> str:
    """A score for people: no needless decimals, thousands apart."""
    if not math.isfinite(value):
        return "-"
    return f"{int(value):,}" if value == int(value) else f"{value:,.4f}".rstrip("0").rstrip(".")


def _pictures(problem: Any, moves: list[int]) -> Columns:
    """The start, some positions on the way, and the end."""
    count = len(moves)
    wanted = {round(i * count / (MOST_BOARDS - 1)) for i in range(MOST_BOARDS)}
    shown = []
    for step in replay(problem, moves):
        if step.number in wanted:
            title = "start" if step.number == 0 else f"after {step.number} of {count}: {number(step.score)}"
            shown.append(Group(Text(title, style="dim"), problem.render(step.state), Text("")))
    return Columns(shown, padding=(0, 3))
