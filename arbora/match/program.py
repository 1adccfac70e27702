"""An external program that speaks GTP through its standard input and output."""

import os
import select
import subprocess
import tempfile
import time
from collections.abc import Callable, Sequence

_LOOK_EVERY = 0.2  # seconds


class Program:
    """A running program. What it writes to standard error is kept, to tell its last words if it ends."""

    class Failed(Exception):
        """It has ended, or will not do what it is told."""

    def __init__(self, words: Sequence[str]) -> None:
        self.seconds = 0.0  # that it took to answer
        self.unread = b""
        self.errors = tempfile.TemporaryFile()  # noqa: SIM115 - closed with the program
        # In a session of its own, so that Ctrl-C is not its end before it is ours.
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors, bufsize=0, start_new_session=True
        )

    def ask(self, command: str, waiting: Callable[[], None] | None = None) -> str:
        """Its answer to a command; raises Failed if it refuses or has ended."""
        assert self.process.stdin is not None
        started = time.perf_counter()
        try:
            self.process.stdin.write(f"{command}\n".encode())
            answer = self._answer(waiting)
        except OSError:
            raise self._ended() from None
        finally:
            self.seconds += time.perf_counter() - started
        status, text = answer[:1], answer[1:].lstrip("0123456789").strip()
        if status != "=":
            raise Program.Failed(f"answers {command!r} by {text or answer!r}")
        return text

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            if stream is not None:
                stream.close()

    def _answer(self, waiting: Callable[[], None] | None) -> str:
        """All up to an empty line; empty lines before it do not count."""
        assert self.process.stdout is not None
        while b"\n\n" not in self.unread.lstrip(b"\n"):
            ready, _, _ = select.select([self.process.stdout], [], [], _LOOK_EVERY)
            if ready:
                received = os.read(self.process.stdout.fileno(), 65536)
                if not received:
                    raise self._ended()
                self.unread += received.replace(b"\r", b"")
            elif waiting is not None:
                waiting()
        answer, _, self.unread = self.unread.lstrip(b"\n").partition(b"\n\n")
        return answer.decode(errors="replace")

    def _ended(self) -> "Program.Failed":
        try:
            code = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return Program.Failed("has closed its output")
        self.errors.seek(0)
        words = self.errors.read().decode(errors="replace").split("\n")
        last = next((line.strip() for line in reversed(words) if line.strip()), "")
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        return Program.Failed(how + (f": {last}" if last else ""))
