"""The best score of a small SameGame board by trying everything: columns as text, nothing of Arbora's own rules."""

from functools import cache


def columns_of(board: str) -> tuple[str, ...]:
    """A board as text, top row first, as columns from the bottom up; blocks fall and empty columns close."""
    rows = board.split("\n")
    columns = ("".join(row[x] for row in reversed(rows)) for x in range(len(rows[0])))
    return tuple(column for column in (column.replace(".", "") for column in columns) if column)


def groups(columns: tuple[str, ...]) -> list[set[tuple[int, int]]]:
    """All groups of two or more."""
    left = {(x, y) for x, column in enumerate(columns) for y in range(len(column))}
    found = []
    while left:
        group, waiting = set(), [left.pop()]
        while waiting:
            x, y = waiting.pop()
            group.add((x, y))
            for a, b in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
                if (a, b) in left and columns[a][b] == columns[x][y]:
                    left.remove((a, b))
                    waiting.append((a, b))
        if len(group) > 1:
            found.append(group)
    return found


def without(columns: tuple[str, ...], group: set[tuple[int, int]]) -> tuple[str, ...]:
    rest = ("".join(cell for y, cell in enumerate(column) if (x, y) not in group) for x, column in enumerate(columns))
    return tuple(column for column in rest if column)


@cache
def optimum(columns: tuple[str, ...], rule: str, penalty: bool) -> int:
    """The most that can still be scored from here."""
    options = groups(columns)
    if not options:
        if rule != "samegame":
            return 0
        cells = "".join(columns)
        if not cells:
            return 1000
        return -sum((cells.count(color) - 2) ** 2 for color in set(cells)) if penalty else 0
    gain = {"samegame": lambda n: (n - 2) ** 2, "clickomania": lambda n: n, "bubble-breaker": lambda n: n * (n - 1)}[rule]
    return max(gain(len(group)) + optimum(without(columns, group), rule, penalty) for group in options)


def best_score(board: str, rule: str = "samegame", penalty: bool = True) -> int:
    return optimum(columns_of(board), rule, penalty)
