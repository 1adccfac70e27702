"""The engine: takes lines, writes answers, and survives whatever it is given."""

from collections.abc import Callable
from typing import Any, Protocol

from arbora.errors import ArboraError
from arbora.gtp import commands
from arbora.gtp.clock import Clock
from arbora.gtp.mind import Mind
from arbora.gtp.ownership import Judge
from arbora.gtp.protocol import Arguments, Refused, answer, failure, parse_line
from arbora.gtp.table import Table

LONGEST_LINE = 65_536  # bytes


class Inputs(Protocol):
    """Where lines come from, for commands that end when the next one comes."""

    def waiting(self) -> bool: ...

    def wait(self) -> None: ...


class NoInputs:
    """For an engine that is driven by calls: there is always something waiting."""

    def waiting(self) -> bool:
        return True

    def wait(self) -> None:
        pass


class Engine:
    """A table, a clock and a mind behind the protocol. Answers go to `write`, other words to `tell`."""

    def __init__(
        self,
        table: Table,
        mind: Mind,
        new_judge: Callable[[Any], Judge],
        write: Callable[[str], None],
        inputs: Inputs | None = None,
        tell: Callable[[str], None] = lambda line: None,
    ) -> None:
        self.table, self.mind, self.clock = table, mind, Clock()
        self.inputs: Inputs = inputs or NoInputs()
        self.is_running = True
        self._new_judge = new_judge
        self._judge: Judge | None = None
        self._write, self._tell = write, tell
        self._number = ""  # the id of the command at work
        self._begun = False  # has its answer begun already?

    def judge(self) -> Judge:
        """Who plays positions of this board out."""
        if self._judge is None or self._judge.game != self.table.game:
            self._judge = self._new_judge(self.table.game)
        return self._judge

    def handle(self, line: bytes) -> None:
        """Answer a line; one without a command gets no answer."""
        command = parse_line(line[:LONGEST_LINE])
        if command is None:
            return
        self._number, self._begun = command.number, False
        try:
            if len(line) > LONGEST_LINE:
                raise Refused(f"syntax error: the line is longer than {LONGEST_LINE:,} bytes")
            function = commands.COMMANDS.get(command.name)
            if function is None:
                raise Refused("unknown command")
            arguments = Arguments(command.arguments)
            self._finish(function(self, arguments) or "")
        except (Refused, ArboraError) as error:
            self._fail(str(error))
        except BrokenPipeError:  # nobody is there any more
            raise
        except Exception as error:  # a mistake of ours must not end somebody's game
            self._tell(f"{command.name}: {type(error).__name__}: {error}")
            self._fail(f"{command.name} failed: {type(error).__name__}: {error}")

    def begin(self) -> None:
        """Begin the answer to a command that has something to `say` before it ends."""
        self._begun = True
        self._write(f"={self._number}\n")

    def say(self, line: str) -> None:
        self._write(f"{line}\n")

    def _finish(self, text: str) -> None:
        if self._begun:
            self._write(f"{text}\n\n" if text else "\n")
        else:
            self._write(answer(self._number, text))

    def _fail(self, message: str) -> None:
        if self._begun:
            self._tell(message)
            self._write("\n")
        else:
            self._write(failure(self._number, message))
