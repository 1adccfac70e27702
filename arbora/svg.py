"""Figures as SVG text that can stand beside others in one page."""

import re
import warnings
from collections.abc import Callable, Mapping
from io import StringIO
from typing import Any
from xml.etree import ElementTree

from arbora.errors import BadInput

COLORS = (
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9",  # Okabe and Ito, without yellow and black
    "#882255", "#999933", "#332288", "#777777",
)  # fmt: skip
STYLE: dict[Any, Any] = {
    "svg.fonttype": "none",
    "svg.hashsalt": "arbora",
    "text.parse_math": False,  # a label with dollars is no formula
    "font.size": 9.5,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#777777",
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4e4",
    "grid.linewidth": 0.7,
    "xtick.color": "#444444",
    "ytick.color": "#444444",
    "axes.labelcolor": "#444444",
    "legend.frameon": False,
    "lines.linewidth": 1.6,
}
LONGEST_LEGEND_LINE = 70  # characters


def color(index: int) -> str:
    return COLORS[index % len(COLORS)]


def draw_svg(name: str, paint: Callable[[Any], None], width: float = 6.2, height: float = 3.7) -> str:
    """What `paint` draws on a figure's axes, with a legend if there are labels; all ids begin with `name`.

    The same drawing is the same text, byte by byte. Width and height are in inches. Raises BadInput without matplotlib.
    """

    def drawn(figure: Any) -> None:
        axes = figure.add_subplot()
        paint(axes)
        handles, labels = axes.get_legend_handles_labels()
        if handles:
            in_a_line = max(1, LONGEST_LEGEND_LINE // (max(map(len, labels)) + 6))
            figure.legend(handles, labels, loc="outside lower center", ncols=min(in_a_line, len(labels)))

    return with_own_ids(figure_svg(drawn, width, height), name)


def figure_svg(draw: Callable[[Any], None], width: float, height: float, style: Mapping[str, Any] | None = None) -> str:
    """What `draw` makes of an empty figure, as a whole document. Raises BadInput without matplotlib."""
    try:
        import matplotlib
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("matplotlib is not installed; pip install 'arbora[lab]'") from None
    with matplotlib.rc_context(STYLE | dict(style or {})), warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="Glyph .* missing")  # the browser has its own fonts
        figure = Figure(figsize=(width, height), layout="constrained")
        draw(figure)
        text = StringIO()
        nothing = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(text, format="svg", transparent=True, metadata=nothing)
    return text.getvalue()


def with_own_ids(svg: str, name: str) -> str:
    """The SVG element of a document, with `name` before each id and each reference to one."""
    for prefix, address in (("", "http://www.w3.org/2000/svg"), ("xlink", "http://www.w3.org/1999/xlink")):
        ElementTree.register_namespace(prefix, address)
    root = ElementTree.fromstring(svg)
    for element in root.iter():
        for key, value in element.attrib.items():
            if key == "id":
                element.set(key, f"{name}-{value}")
            elif key.endswith("href") and value.startswith("#"):
                element.set(key, f"#{name}-{value[1:]}")
            elif "url(#" in value:
                element.set(key, re.sub(r"url\(#", f"url(#{name}-", value))
    return ElementTree.tostring(root, encoding="unicode")
