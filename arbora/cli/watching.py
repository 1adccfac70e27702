"""How a batch of runs stands, on stderr: a bar in a terminal, a line now and then elsewhere."""

import time
from types import TracebackType

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from arbora.batch.job import Record
from arbora.cli.signals import Interruption

_EVERY = 30.0  # seconds between lines where there is no terminal


class BatchLine:
    """The watch of a batch for people; see `arbora.batch.batch.Watch`."""

    def __init__(self, title: str, interruption: Interruption) -> None:
        self.title = title
        self.interruption = interruption
        self.console = Console(stderr=True)
        self.progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(bar_width=30),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("left"),
            TimeRemainingColumn(),
            console=self.console,
            transient=True,
        )
        self.task = self.progress.add_task(title, total=None)
        self.told = time.monotonic()

    def __enter__(self) -> "BatchLine":
        if self.console.is_terminal:
            self.progress.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if self.console.is_terminal:
            self.progress.stop()

    def say(self, line: str) -> None:
        """A line that stays, above the bar."""
        self.console.print(line, highlight=False, markup=False, style="dim")

    def waiting(self) -> None:
        self.interruption.raise_if_asked()

    def compiling(self, done: int, total: int) -> None:
        self.progress.update(self.task, description=f"{self.title}: compiling {done} of {total}")

    def running(self, done: int, total: int, record: Record | None) -> None:
        if record is None:  # the start of a batch: what is there already took no time
            self.progress.reset(self.task, total=total, completed=done, description=self.title)
        self.progress.update(self.task, completed=done, total=total, description=self.title)
        self.interruption.raise_if_asked()
        if not self.console.is_terminal and time.monotonic() - self.told >= _EVERY:
            self.told = time.monotonic()
            self.say(f"{self.title}: {done:,} of {total:,} runs")
