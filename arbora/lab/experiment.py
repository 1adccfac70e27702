"""Experiments: TOML files that say what to run, what to show, and what a document says about it (docs/experiments.md).

This file is what an experiment is; `loading` reads one, `grid` makes its runs.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arbora.tune.tuner import Tuning

SCALES = ("quick", "paper")
VALUES = ("score", "sd", "length", "branching", "playouts", "seconds", "time-ratio", "rate", "nodes", "depth", "deepest")
PLOTS = ("time", "lines", "bars", "differences", "boxes")
OF_MATCHES = ("seat", "side")  # what rows and columns may be besides, if the runs are games of a match
SIDES = ("search", "against")  # the keys of the grid that a match's sides are named by
GRID_KEYS = ("problem", "search", "against", "seconds", "playouts", "threads", "seed")  # all others are variables
ONLY_COLUMN = "ours"  # the column of a report whose grid has but one


@dataclass(frozen=True)
class Claim:
    """A statement of the document that can be seen in the table: these cells, the best first.

    The last may have to be above or below a number; then totals are not looked at, unless the claim asks for them.
    """

    text: str
    order: tuple[tuple[str | None, str], ...]  # (row, or None for the row of `at`; column)
    at: str = "last"
    value: str = "score"
    above: float | None = None
    below: float | None = None


@dataclass(frozen=True)
class Layout:
    """What the report's tables look like."""

    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    values: tuple[str, ...] = ("score",)
    times: tuple[float, ...] = ()
    lower_is_better: bool = False
    digits: int = 0
    total: bool = False
    plots: tuple[str, ...] = ()


@dataclass(frozen=True)
class Experiment:
    """One experiment at one scale, with its data found or replaced."""

    name: str
    path: Path
    scale: str
    title: str
    source: str = ""
    about: str = ""
    differs: str = ""
    grid: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)  # key -> label -> value
    tunings: Mapping[str, Tuning] = field(default_factory=dict)
    layout: Layout = Layout()
    document: Mapping[str, Mapping[str, Mapping[str, float]]] = field(default_factory=dict)  # value -> row -> column
    document_columns: tuple[str, ...] = ()
    claims: tuple[Claim, ...] = ()
    compare: tuple[tuple[str, str], ...] = ()
    files: tuple[tuple[str, str], ...] = ()  # data files found: the name that specs have for them, and the path
    missing: tuple[str, ...] = ()  # data files that `[without-data]` stands in for
    comparable: bool = True
    reduced: bool = False  # whether this scale has other runs than the whole experiment
