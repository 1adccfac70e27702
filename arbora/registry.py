"""The names of problems, searches and policies, for specs and listings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arbora.policies.roulette import Roulette
from arbora.policies.tabu import TabuBandit, TabuColor, TabuRandom
from arbora.policies.uniform import Uniform
from arbora.problems.bus.data import read_line
from arbora.problems.bus.line import Bus
from arbora.problems.samegame.boards import load_board
from arbora.problems.samegame.game import SameGame
from arbora.problems.weak_schur import WeakSchur
from arbora.search.mcts import MCTS
from arbora.search.multi_start import MultiStart
from arbora.search.nmcs import NMCS
from arbora.search.nmcts import NMCTS
from arbora.search.nrpa import NRPA
from arbora.search.random import Random
from arbora.search.sp_mcts import PRESETS as SP_MCTS_PRESETS
from arbora.search.sp_mcts import SPMCTS


@dataclass(frozen=True)
class Entry:
    """A name: the class behind it, parameters that the name fixes, and how `name:instance` becomes a parameter."""

    factory: Any
    summary: str
    fixed: dict[str, Any] = field(default_factory=dict)
    data: str = ""  # the parameter that `name:instance` sets, and nothing else in a spec
    load_instance: Callable[[str], Any] | None = None  # its value
    instance_help: str = ""
    presets: dict[str, dict[str, Any]] = field(default_factory=dict)  # what `preset=NAME` stands for
    search: str = "nrpa"  # for a problem: the name of the search it is solved by if none is given


def _samegame(rule: str, summary: str) -> Entry:
    return Entry(SameGame, summary, {"rule": rule}, "board", load_board, "FILE or FILE#N, a text file of boards")


PROBLEMS: dict[str, Entry] = {
    "samegame": _samegame("samegame", "groups of n score (n - 2)^2, a cleared board 1,000 more"),
    "clickomania": _samegame("clickomania", "clear as many blocks as possible"),
    "bubble-breaker": _samegame("bubble-breaker", "groups of n score n (n - 1)"),
    "bus": Entry(
        Bus,
        "let buses wait so that passengers wait less",
        {},
        "line",
        read_line,
        "FILE, a bus line as comma-separated values",
    ),
    "weak-schur": Entry(WeakSchur, "partition 1, 2, 3, … so that no part holds a sum of two of its numbers"),
}

SEARCHES: dict[str, Entry] = {
    "random": Entry(Random, "the best of many independent play-outs"),
    "mcts": Entry(MCTS, "Monte-Carlo Tree Search"),
    "sp-mcts": Entry(SPMCTS, "Single-Player Monte-Carlo Tree Search", presets=SP_MCTS_PRESETS),
    "nmcs": Entry(NMCS, "Nested Monte-Carlo Search"),
    "nmcts": Entry(NMCTS, "Nested Monte-Carlo Tree Search"),
    "multi-start": Entry(MultiStart, "any search, started several times from nothing"),
    "nrpa": Entry(NRPA, "Nested Rollout Policy Adaptation"),
}

POLICIES: dict[str, Entry] = {
    "uniform": Entry(Uniform, "every legal move equally likely"),
    "tabu-random": Entry(TabuRandom, "a random colour is spared in each play-out"),
    "tabu-color": Entry(TabuColor, "the most frequent colour is spared"),
    "tabu-bandit": Entry(TabuBandit, "a bandit learns which colour to spare"),
    "roulette": Entry(Roulette, "rarer colours first, by roulette wheel (MC-RWS)"),
}


def default_search(problem: Any) -> Any:
    """The search for a problem if the user names none: measured to be the best for ours, NRPA for any other."""
    return SEARCHES[default_search_name(problem)].factory()


def default_search_name(problem: Any) -> str:
    for entry in PROBLEMS.values():
        if type(problem) is entry.factory and all(getattr(problem, key) == value for key, value in entry.fixed.items()):
            return entry.search
    return "nrpa"
