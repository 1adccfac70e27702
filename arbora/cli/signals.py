"""Signals of long commands."""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Interruption:
    """Whether the user has asked for an end."""

    def __init__(self) -> None:
        self.asked = False
        self.patient = False  # set it while something is worth finishing: the first signal is then only remembered

    def raise_if_asked(self) -> None:
        """For a loop to call now and then: an exception raised by a signal may be lost, in a destructor for example."""
        if self.asked:
            raise KeyboardInterrupt


@contextmanager
def terminable() -> Iterator[Interruption]:
    """Within this context Ctrl-C and SIGTERM raise KeyboardInterrupt, unless told to be patient, and are remembered."""
    interruption = Interruption()
    if threading.current_thread() is not threading.main_thread():
        yield interruption
        return

    def interrupt(number: int, frame: Any) -> None:
        again, interruption.asked = interruption.asked, True
        if again or not interruption.patient:
            raise KeyboardInterrupt

    before = {number: signal.signal(number, interrupt) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield interruption
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
