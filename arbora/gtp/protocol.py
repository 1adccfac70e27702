"""Lines of the Go Text Protocol: what a line asks for, and how an answer is written."""

import math
import re
from dataclasses import dataclass
from typing import Any

from arbora.errors import BadInput

BLACK, WHITE = 0, 1
_COLORS = {"b": BLACK, "black": BLACK, "w": WHITE, "white": WHITE}
_CONTROL = re.compile("[\x00-\x08\x0a-\x1f\x7f]")  # all but the tab
_LONGEST_QUOTE = 40


class Refused(Exception):
    """A command that fails; the message is the answer."""


@dataclass(frozen=True)
class Command:
    """A command line: `number` is the id it had, or nothing."""

    number: str
    name: str
    arguments: list[str]


def parse_line(line: bytes) -> Command | None:
    """The command in a line; None if there is none: white space, a comment."""
    text = _CONTROL.sub("", line.decode("utf-8", "replace")).partition("#")[0]
    words = text.split()
    if not words:
        return None
    number = words.pop(0) if words[0].isascii() and words[0].isdecimal() else ""
    return Command(number, words[0] if words else "", words[1:])


def answer(number: str, text: str) -> str:
    return f"={number}{' ' if text else ''}{text}\n\n"


def failure(number: str, text: str) -> str:
    """One line, and no letters that a controller might not know."""
    plain = " ".join(text.split()).encode("ascii", "backslashreplace").decode()
    return f"?{number} {plain}\n\n"


class Arguments:
    """The arguments of a command, taken one by one. Whatever is wrong with them is Refused."""

    def __init__(self, words: list[str]) -> None:
        self._words = list(words)

    def __bool__(self) -> bool:
        return bool(self._words)

    def word(self, what: str) -> str:
        if not self._words:
            raise Refused(f"syntax error: {what} is missing")
        return self._words.pop(0)

    def rest(self) -> list[str]:
        words, self._words = self._words, []
        return words

    def next_is_color(self) -> bool:
        return bool(self._words) and self._words[0].lower() in _COLORS

    def color(self) -> int:
        word = self.word("a colour")
        if word.lower() not in _COLORS:
            raise Refused(f"syntax error: {quoted(word)} is no colour; black and white are")
        return _COLORS[word.lower()]

    def vertex(self, game: Any) -> int:
        word = self.word("a vertex")
        try:
            return int(game.parse(word[:_LONGEST_QUOTE]))
        except BadInput as error:
            raise Refused(f"syntax error: {error}") from None

    def whole(self, what: str) -> int:
        word = self.word(what)
        if not re.fullmatch(r"[+-]?[0-9]{1,18}", word):
            raise Refused(f"syntax error: {quoted(word)} is no whole number, as {what} is")
        return int(word)

    def number(self, what: str) -> float:
        word = self.word(what)
        try:
            value = float(word)
        except ValueError:
            value = math.nan
        if not word.isascii() or not math.isfinite(value):
            raise Refused(f"syntax error: {quoted(word)} is no number, as {what} is")
        return value

    def end(self) -> None:
        """There may be nothing more."""
        if self._words:
            raise Refused(f"syntax error: {quoted(self._words[0])} is too much")


def quoted(word: str) -> str:
    """A word of the input in an answer: plain, short, on one line."""
    return ascii(word if len(word) <= _LONGEST_QUOTE else word[: _LONGEST_QUOTE - 3] + "...")
