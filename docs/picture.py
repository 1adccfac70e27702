"""Makes docs/solve.svg: what `make solve` shows.

python docs/picture.py
"""

import io
import re
from pathlib import Path

from rich._export_format import CONSOLE_SVG_FORMAT
from rich.console import Console
from rich.terminal_theme import DIMMED_MONOKAI

import arbora
from arbora.cli.display import show_result
from arbora.spec import spec_of

FONT = "DejaVu Sans Mono, Menlo, Consolas"


def main() -> None:
    problem = arbora.SameGame(seed=1)
    result = arbora.solve(problem, seconds=10, threads=2)
    console = Console(record=True, width=132, force_terminal=True, color_system="truecolor", file=io.StringIO())
    show_result(problem, result, spec_of(result.search), Path("solution.json"), console)
    local_font = re.sub(r"@font-face \{\{.*?\}\}\s*", "", CONSOLE_SVG_FORMAT, flags=re.DOTALL).replace("Fira Code", FONT)
    svg = console.export_svg(title="make solve", code_format=local_font, theme=DIMMED_MONOKAI, unique_id="arbora")
    svg = re.sub(r"<clipPath id=\"arbora-line.*?</clipPath>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r" clip-path=\"url\(#arbora-line[^\"]*\)\"", "", svg)
    svg = re.sub(r"(\d+\.\d)\d+", r"\1", svg)
    Path(__file__).with_name("solve.svg").write_text("\n".join(line.rstrip() for line in svg.splitlines()) + "\n")
    print(f"score {result.score:,.0f}")


if __name__ == "__main__":
    main()
