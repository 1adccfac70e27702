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

from arbora.errors import BadInput
from arbora.files import write_text
from arbora.spec import as_text, parse_search, split_search
from arbora.tune.space import Value, as_spec


def write_preset(path: Path, search: str, values: Mapping[str, Value], about: str) -> None:
    """Write `search`, a spec, with these values to a preset file; what else the spec says goes into the file too.

    `about` becomes a comment. The file is replaced in one step. Raises BadInput if it cannot be, or if search and values
    make no search.
    """
    spec = as_spec(search, values)
    made = parse_search(spec)
    name, said = split_search(spec)
    for key, text in said.items():
        if key.endswith(".preset") and text.endswith(".toml"):
            raise BadInput(f"{path}: {key}={text} cannot be written; a preset file takes no other one")
    lines = [
        *(f"# {line}".rstrip() for line in about.splitlines()),
        f"search = {_toml(name)}",
        "",
        "[parameters]",
        *(f"{_toml(key) if '.' in key else key} = {_toml(_typed(made, key, text))}" for key, text in said.items()),
    ]
    write_text(path, "\n".join(lines) + "\n", "preset")


def _typed(made: Any, name: str, text: str) -> Value:
    """A parameter's value as a number if it is one, else as the text of the spec."""
    value = made
    for part in name.split("."):
        value = getattr(value, part, text)
    return value if isinstance(value, (bool, int, float)) else text


def _toml(value: Value) -> str:
    """A basic string of TOML is a string of JSON; numbers are written alike everywhere."""
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else as_text(value)
