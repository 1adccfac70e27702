"""Games of Go as SGF text (FF[4], and FF[3] when reading): one game, its main line.

Moves are whole numbers as in `arbora.problems.go`: column + row * width, rows from the bottom; width * height is a pass.
"""

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from arbora.errors import BadInput
from arbora.files import write_text

BLACK, WHITE = 0, 1
MOST_BYTES = 10_000_000
_LARGEST = 52
_LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
_PASS_BY_TT = 19  # up to this size, `tt` is a pass in older files
_GAME_BEGINS = re.compile(r"\(\s*;")
_PROPERTY = re.compile(r"([A-Za-z]+)\s*(?=\[)")
_VALUE = re.compile(r"\[((?:[^\]\\]++|\\.)*+)\]\s*", re.DOTALL)


@dataclass(frozen=True)
class Step:
    """A node of the main line: stones that are set up, then a move."""

    black: tuple[int, ...] = ()
    white: tuple[int, ...] = ()
    empty: tuple[int, ...] = ()  # points that are cleared
    to_play: int | None = None
    move: tuple[int, int] | None = None  # who, and what
    comment: str = ""


@dataclass(frozen=True)
class Game:
    """A game record."""

    width: int = 19
    height: int = 19
    komi: float | None = None
    handicap: int = 0
    black: str = ""  # the players' names
    white: str = ""
    result: str = ""
    rules: str = ""
    steps: tuple[Step, ...] = ()


def steps_of(moves: Iterable[int], first: int = BLACK) -> tuple[Step, ...]:
    """Steps for moves by turns."""
    return tuple(Step(move=((first + i) % 2, move)) for i, move in enumerate(moves))


def result_text(margin: float) -> str:
    """Black's points minus White's, as SGF and GTP write results: B+3.5, W+0.5, 0."""
    return f"{'B' if margin > 0 else 'W'}+{abs(margin):g}" if margin else "0"


# Reading


def load(path: Path) -> Game:
    """Read a file. Raises BadInput if it is no game of Go."""
    if not path.is_file():
        raise BadInput(f"{path}: no such file")
    try:
        if path.stat().st_size > MOST_BYTES:
            raise BadInput(f"{path}: too large for a game; up to {MOST_BYTES:,} bytes are read")
        data = path.read_bytes()
    except OSError as error:
        raise BadInput(f"{path}: cannot read the game: {error.strerror}") from None
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return parse(text, str(path))


def parse(text: str, source: str = "SGF") -> Game:
    """Read the main line of the first game in a text. Raises BadInput that says where it is wrong."""
    return _Reader(text, source).game()


# The values of each property, with where they stand in the text
Properties = dict[str, list[tuple[str, int]]]


class _Reader:
    def __init__(self, text: str, source: str) -> None:
        self.text, self.source = text, source
        self.width = self.height = 19

    def wrong(self, at: int, message: str) -> BadInput:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        return BadInput(f"{self.source}, line {line}, column {column}: {message}")

    def game(self) -> Game:
        nodes = self.main_line()
        root = nodes[0]
        for value, at in root.get("GM", []):
            if value.strip() != "1":
                raise self.wrong(at, f"GM[{_short(value)}] is not Go, which is GM[1]")
        self.width, self.height = self.size(root)
        komi = self.one(root, "KM")
        handicap = self.one(root, "HA")
        steps = [self.step(node) for node in nodes]
        return Game(
            width=self.width,
            height=self.height,
            komi=self.number(komi[0], komi[1], "komi") if komi[0].strip() else None,
            handicap=self.whole(handicap[0], handicap[1], "handicap", 0, 999) if handicap[0].strip() else 0,
            black=_simple_text(self.one(root, "PB")[0]),
            white=_simple_text(self.one(root, "PW")[0]),
            result=_simple_text(self.one(root, "RE")[0]),
            rules=_simple_text(self.one(root, "RU")[0]),
            steps=tuple(step for step in steps if step != Step()),
        )

    def main_line(self) -> list[Properties]:
        """All nodes up to the first closing parenthesis: the first variation comes first everywhere."""
        begin = _GAME_BEGINS.search(self.text)
        if begin is None:
            raise self.wrong(0, "no game; a game begins with (;")
        nodes: list[Properties] = []
        at = begin.end() - 1
        while at < len(self.text):
            sign = self.text[at]
            if sign == ";":
                at, node = self.node(at + 1)
                nodes.append(node)
            elif sign == ")":
                return nodes
            elif sign == "(" or sign.isspace():
                at += 1
            else:
                raise self.wrong(at, f"{sign!r} is out of place; a node begins with ;")
        raise self.wrong(len(self.text), "the game does not end; a ) is missing")

    def node(self, at: int) -> tuple[int, Properties]:
        found: Properties = {}
        while True:
            while at < len(self.text) and self.text[at].isspace():
                at += 1
            name = _PROPERTY.match(self.text, at)
            if name is None:
                if self.text[at : at + 1].isalpha():
                    raise self.wrong(at, "a property has no value; values stand in brackets")
                return at, found
            values = found.setdefault("".join(c for c in name[1] if c.isupper()), [])
            at = name.end()
            while self.text[at : at + 1] == "[":
                value = _VALUE.match(self.text, at)
                if value is None:
                    raise self.wrong(at, "a value does not end; a ] is missing")
                values.append((value[1], at + 1))
                at = value.end()

    def one(self, node: Properties, name: str) -> tuple[str, int]:
        """The only value of a property, nothing if it is not there."""
        values = node.get(name, [("", 0)])
        if len(values) > 1:
            raise self.wrong(values[1][1], f"{name} has more than one value")
        return values[0]

    def size(self, root: Properties) -> tuple[int, int]:
        value, at = self.one(root, "SZ")
        if not value.strip():
            return 19, 19
        width, colon, height = value.partition(":")
        columns = self.whole(width, at, "size", 1, _LARGEST)
        return columns, self.whole(height, at, "size", 1, _LARGEST) if colon else columns

    def step(self, node: Properties) -> Step:
        black, white, empty = (self.points(node, name) for name in ("AB", "AW", "AE"))
        twice = [point for point in black if point in white or point in empty] + [p for p in white if p in empty]
        if twice:
            raise self.wrong(node["AB" if twice[0] in black else "AW"][0][1], "a point is set up twice in one node")
        return Step(black, white, empty, self.to_play(node), self.move(node), _text(self.one(node, "C")[0]))

    def move(self, node: Properties) -> tuple[int, int] | None:
        if "B" in node and "W" in node:
            raise self.wrong(node["W"][0][1], "both Black and White move in one node")
        for player, name in enumerate("BW"):
            if name in node:
                value, at = self.one(node, name)
                is_tt = value.strip() == "tt" and max(self.width, self.height) <= _PASS_BY_TT
                is_pass = not value.strip() or is_tt
                return player, self.width * self.height if is_pass else self.point(value.strip(), at)
        return None

    def to_play(self, node: Properties) -> int | None:
        value, at = self.one(node, "PL")
        name = value.strip().upper()
        if not name:
            return None
        if name not in ("B", "W", "BLACK", "WHITE", "1", "2"):
            raise self.wrong(at, f"PL[{_short(value)}] is no player; B and W are")
        return BLACK if name[0] in "B1" else WHITE

    def points(self, node: Properties, name: str) -> tuple[int, ...]:
        """A list of points, or of rectangles such as aa:cc."""
        found: dict[int, None] = {}
        for value, at in node.get(name, []):
            one, colon, other = value.strip().partition(":")
            first = self.point(one, at)
            last = self.point(other, at) if colon else first
            columns, rows = ((first % self.width, last % self.width), (first // self.width, last // self.width))
            for row in range(min(rows), max(rows) + 1):
                for column in range(min(columns), max(columns) + 1):
                    found[column + row * self.width] = None
        return tuple(found)

    def point(self, value: str, at: int) -> int:
        column, row = (_LETTERS.find(letter) for letter in value) if len(value) == 2 else (-1, -1)
        if not (0 <= column < self.width and 0 <= row < self.height):
            raise self.wrong(at, f"[{_short(value)}] is no point of a board of {self.width}×{self.height}")
        return column + (self.height - 1 - row) * self.width

    def whole(self, value: str, at: int, what: str, low: int, high: int) -> int:
        number = self.number(value, at, what)
        if number != int(number) or not low <= number <= high:
            raise self.wrong(at, f"[{_short(value)}] is no {what}; it is a whole number from {low} to {high}")
        return int(number)

    def number(self, value: str, at: int, what: str) -> float:
        try:
            number = float(value)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise self.wrong(at, f"[{_short(value)}] is no {what}; it is a number")
        return number


def _text(value: str) -> str:
    """Text without its escapes: a line break that is escaped is none, other white space is a blank."""
    joined = re.sub(r"\\\n|\\(.)", r"\1", re.sub(r"\r\n?|\n\r", "\n", value), flags=re.DOTALL)
    return re.sub(r"[^\S\n]", " ", joined)


def _simple_text(value: str) -> str:
    return _text(value).replace("\n", " ").strip()


def _short(value: str) -> str:
    """A value in a message: on one line, and no longer than need be."""
    shown = value if len(value) <= 20 else value[:20] + "…"
    return "".join(sign if sign.isprintable() else "?" for sign in shown)


# Writing


def save(path: Path, game: Game) -> None:
    """Write a file, whole or not at all."""
    write_text(path, render(game), "game")


def render(game: Game) -> str:
    """A game as SGF text."""
    size = f"{game.width}" if game.width == game.height else f"{game.width}:{game.height}"
    handicap = f"{game.handicap}" if game.handicap else ""
    komi = f"{game.komi:.10g}" if game.komi is not None else ""
    heading = {"KM": komi, "HA": handicap, "RU": game.rules, "PB": game.black, "PW": game.white, "RE": game.result}
    root = f";GM[1]FF[4]CA[UTF-8]AP[Arbora]SZ[{size}]"
    root += "".join(f"{name}[{_escaped(value)}]" for name, value in heading.items() if value)
    lines = [root]
    for i, step in enumerate(game.steps):
        properties = _properties(game, step)
        if i == 0 and step.move is None:
            lines[0] += properties
        else:
            lines.append(";" + properties)
    return "(" + "\n".join(lines) + ")\n"


def _properties(game: Game, step: Step) -> str:
    text = ""
    for name, points in (("AB", step.black), ("AW", step.white), ("AE", step.empty)):
        text += name + "".join(f"[{_letters(game, point)}]" for point in points) if points else ""
    if step.to_play is not None:
        text += f"PL[{'BW'[step.to_play]}]"
    if step.move is not None:
        player, move = step.move
        text += f"{'BW'[player]}[{_letters(game, move)}]"
    return text + (f"C[{_escaped(step.comment)}]" if step.comment else "")


def _letters(game: Game, move: int) -> str:
    if move == game.width * game.height:
        return ""
    return _LETTERS[move % game.width] + _LETTERS[game.height - 1 - move // game.width]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace("]", "\\]")
