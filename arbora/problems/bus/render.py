"""The bus line for people."""

from typing import Any

from arbora.problems.bus.data import STOPS

_ROW = 14  # stops side by side
_WIDTH = 5


def render_line(problem: Any, state: Any) -> str:
    """Stops, people waiting and buses, a few stops per row; a bus under way is shown where it left."""
    shown = [f"minute {state.minute}, {int(state.waiting):,} people waiting, score so far {problem.score(state):,.3f}"]
    stops = [int(stop) for stop in state.buses[0]]
    for first in range(0, STOPS, _ROW):
        row = range(first, first + _ROW)
        names = {stop: ",".join(str(bus) for bus, at in enumerate(stops) if at == stop) for stop in row}
        buses = (name if len(name) < _WIDTH else f"{stops.count(stop)}x" for stop, name in names.items())
        people = (str(problem.waiting_at(state, stop)) if stop % 35 else "-" for stop in row)
        shown += ["", _cells("stop", map(str, row)), _cells("people", people), _cells("buses", buses)]
    return "\n".join(line.rstrip() for line in shown)


def _cells(title: str, cells: Any) -> str:
    return f"{title:6}" + "".join(f"{cell:>{_WIDTH}}" for cell in cells)
