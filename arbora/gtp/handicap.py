"""Handicap stones where the GTP specification has them (section 4.1.1)."""

from arbora.gtp.protocol import Refused


def most_stones(width: int, height: int) -> int:
    """The most stones that have a fixed place on this board."""
    smaller = min(width, height)
    if smaller < 7:
        return 0
    return 9 if width % 2 and height % 2 and smaller > 7 else 4


def fixed_points(width: int, height: int, count: int) -> list[int]:
    """Corners first, then the centre for an odd number of five or more, then sides left and right, then the others."""
    most = most_stones(width, height)
    if not 2 <= count <= most:
        allowed = f"from 2 to {most}" if most else "none on a board of this size"
        raise Refused(f"invalid number of stones: allowed is {allowed}")
    left, bottom = _edge(width), _edge(height)
    right, top = width - 1 - left, height - 1 - bottom
    center, middle = width // 2, height // 2
    corners = [(left, bottom), (right, top), (left, top), (right, bottom)]
    sides = [(left, middle), (right, middle), (center, bottom), (center, top)]
    if count <= 4:
        points = corners[:count]
    else:
        points = corners + sides[: (count - 4) // 2 * 2] + [(center, middle)] * (count % 2)
    return [x + y * width for x, y in points]


def _edge(size: int) -> int:
    """Stones stand on the fourth line, on the third of small boards."""
    return 3 if size >= 12 else 2
