"""The engine on stdin and stdout: lines are read in a thread of their own, so that thinking does not wait for them."""

import os
import sys
import threading
from collections.abc import Callable
from contextlib import redirect_stdout, suppress
from queue import SimpleQueue
from typing import TextIO

from arbora.gtp.engine import LONGEST_LINE, Engine

_STDIN = 0
_CHUNK = 65_536


class Lines:
    """The lines that come through a file descriptor; they end with None.

    It is read without a buffer of Python's, because a thread that waits in one would stop the program from ending.
    """

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._queue: SimpleQueue[bytes | None] = SimpleQueue()
        self._arrived = threading.Event()  # set as long as there may be something in the queue
        threading.Thread(target=self._read, daemon=True).start()

    def next(self) -> bytes | None:
        line = self._queue.get()
        if self._queue.empty():
            self._arrived.clear()
            if not self._queue.empty():  # a line came in between
                self._arrived.set()
        return line

    def waiting(self) -> bool:
        return not self._queue.empty()

    def wait(self) -> None:
        self._arrived.wait()

    def _put(self, line: bytes | None) -> None:
        self._queue.put(line)
        self._arrived.set()

    def _read(self) -> None:
        rest = b""
        while chunk := self._chunk():
            *lines, rest = (rest + chunk).split(b"\n")
            for line in lines:
                self._put(line)
            rest = rest[: LONGEST_LINE + 1]  # more would be refused anyway
        if rest:
            self._put(rest)
        self._put(None)

    def _chunk(self) -> bytes:
        try:
            return os.read(self._descriptor, _CHUNK)
        except OSError:
            return b""


def serve(make_engine: Callable[[Callable[[str], None], Lines], Engine], log: TextIO | None) -> None:
    """Answer stdin on stdout until `quit`, its end, or nobody listens. What else would print to stdout goes to stderr."""
    stdout = sys.stdout

    def write(text: str) -> None:
        stdout.write(text)
        stdout.flush()
        record(log, "".join(f"> {line}\n" for line in text.splitlines()))

    with redirect_stdout(sys.stderr):
        lines = Lines(_STDIN)
        engine = make_engine(write, lines)
        try:
            while engine.is_running and (line := lines.next()) is not None:
                record(log, f"< {ascii(line[:200].decode('latin-1'))[1:-1]}\n")
                engine.handle(line)
        except BrokenPipeError:  # the controller is gone; Python must not try again to write what it did not take
            os.dup2(os.open(os.devnull, os.O_WRONLY), stdout.fileno())


def record(log: TextIO | None, text: str) -> None:
    """Add to the log; a disk that is full must not end the game."""
    if log is not None:
        with suppress(OSError):
            log.write(text)
            log.flush()
