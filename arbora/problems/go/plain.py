"""Go in the straightforward way: a dictionary of stones, and flood fill for everything.

The twin that the fast board is tested against. Points are (x, y) from (0, 0) at the lower left; colours are "X" and "O".
"""

from collections.abc import Iterator

Point = tuple[int, int]
RIVAL = {"X": "O", "O": "X"}


class PlainGo:
    """A game with its whole history."""

    def __init__(self, width: int, height: int, suicide: bool = False) -> None:
        self.width, self.height, self.suicide = width, height, suicide
        self.stones: dict[Point, str] = {}
        self.turn = "X"
        self.passes = 0
        self.positions = [frozenset(self.stones.items())]
        self.ko: Point | None = None

    def points(self) -> Iterator[Point]:
        for y in range(self.height):
            for x in range(self.width):
                yield x, y

    def neighbors(self, point: Point) -> list[Point]:
        x, y = point
        around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)]
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]

    def diagonals(self, point: Point) -> list[Point]:
        x, y = point
        around = [(x - 1, y - 1), (x + 1, y - 1), (x - 1, y + 1), (x + 1, y + 1)]
        return [(x, y) for x, y in around if 0 <= x < self.width and 0 <= y < self.height]

    def region(self, point: Point) -> set[Point]:
        """All points that are connected with this one through points like it: a chain, or an empty region."""
        found, waiting = {point}, [point]
        while waiting:
            for q in self.neighbors(waiting.pop()):
                if q not in found and self.stones.get(q) == self.stones.get(point):
                    found.add(q)
                    waiting.append(q)
        return found

    def touching(self, region: set[Point], content: str | None) -> set[Point]:
        """The points with this content beside a region."""
        return {q for p in region for q in self.neighbors(p) if q not in region and self.stones.get(q) == content}

    def liberties(self, point: Point) -> set[Point]:
        return self.touching(self.region(point), None)

    def after(self, point: Point) -> tuple[dict[Point, str], set[Point], bool]:
        """The stones after a move on an empty point, the points it captures, and whether it is suicide."""
        played = PlainGo(self.width, self.height)
        played.stones = {**self.stones, point: self.turn}
        captured: set[Point] = set()
        for q in self.neighbors(point):
            if played.stones.get(q) == RIVAL[self.turn] and not played.liberties(q):
                captured |= played.region(q)
        for q in captured:
            del played.stones[q]
        dead = set() if played.liberties(point) else played.region(point)
        for q in dead:
            del played.stones[q]
        return played.stones, captured, bool(dead)

    def is_legal(self, point: Point) -> bool:
        if point in self.stones:
            return False
        stones, _, is_suicide = self.after(point)
        return (self.suicide or not is_suicide) and frozenset(stones.items()) not in self.positions

    def play(self, point: Point | None) -> None:
        """Play on an empty point, or pass."""
        self.ko = None
        self.passes += 1
        if point is not None:
            self.passes = 0
            stones, captured, _ = self.after(point)
            self.stones = stones
            if len(captured) == 1 and len(self.region(point)) == 1 and self.liberties(point) == captured:
                (self.ko,) = captured
        self.positions.append(frozenset(self.stones.items()))
        self.turn = RIVAL[self.turn]

    def is_eye(self, point: Point, color: str) -> bool:
        diagonals = self.diagonals(point)
        enemies = sum(self.stones.get(q) == RIVAL[color] for q in diagonals)
        own = all(self.stones.get(q) == color for q in self.neighbors(point))
        return point not in self.stones and own and enemies <= (1 if len(diagonals) == 4 else 0)

    def is_sensible(self, point: Point) -> bool:
        """May a play-out play here?"""
        if point in self.stones or point == self.ko or self.is_eye(point, self.turn):
            return False
        return not self.after(point)[2]

    def is_self_atari(self, point: Point) -> bool:
        """Would a move on this empty point capture nothing and leave its chain with one liberty or none?"""
        stones, captured, is_suicide = self.after(point)
        played = PlainGo(self.width, self.height)
        played.stones = stones
        return not captured and (is_suicide or len(played.liberties(point)) == 1)

    def owner(self, point: Point) -> str | None:
        """Whose area the point is: its stone's, or the only colour that its empty region reaches."""
        if point in self.stones:
            return self.stones[point]
        region = self.region(point)
        colors = [color for color in "XO" if self.touching(region, color)]
        return colors[0] if len(colors) == 1 else None

    def area(self) -> int:
        owners = [self.owner(point) for point in self.points()]
        return owners.count("X") - owners.count("O")
