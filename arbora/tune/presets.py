"""Preset files: the parameters of a search in a TOML file, which a spec takes as `preset=FILE.toml`.

    # Found for samegame by the Cross-Entropy Method.
    search = "sp-mcts"

    [parameters]
    policy = "tabu-color"
    exploration = 5.96
    "policy.epsilon" = 7e-05

The names and values are those of a spec, and `arbora.spec` reads and checks them.
"""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from arbora.component import is_component
from arbora.files import write_text
from arbora.spec import as_text, parse_search, split
from arbora.tune.space import Value, as_spec


def write_preset(path: Path, search: str, values: Mapping[str, Value], about: str) -> None:
    """Write `search`, a spec, with these values to a preset file; what else the spec says goes into the file too.

    `about` becomes a comment. The file is replaced in one step. Raises BadInput if it cannot be, or if search and values
    make no search.
    """
    spec = as_spec(search, values)
    made = parse_search(spec)
    name, instance, said = split(spec)
    parameters = {key: _typed(made, key, text) for key, text in said.items()}
    lines = [
        *(f"# {line}".rstrip() for line in about.splitlines()),
        f"search = {_toml(name if instance is None else f'{name}:{instance}')}",
        "",
        "[parameters]",
        *(f"{_toml(key) if '.' in key else key} = {_toml(value)}" for key, value in parameters.items()),
    ]
    write_text(path, "\n".join(lines) + "\n", "preset")
