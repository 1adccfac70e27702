"""The names of problems, searches and policies, for specs and listings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from arbora.policies.roulette import Roulette
from arbora.policies.tabu import TabuBandit, TabuColor, TabuRandom
from arbora.policies.uniform import Uniform
from arbora.problems.samegame.boards import load_board
from arbora.problems.samegame.game import SameGame
from arbora.search.mcts import MCTS
from arbora.search.nrpa import NRPA
from arbora.search.random import Random


@dataclass(frozen=True)
class Entry:
    """A name: the class behind it, parameters that the name fixes, and how `name:instance` becomes a parameter."""

    factory: Any
    summary: str
    fixed: dict[str, Any] = field(default_factory=dict)
    load_instance: Callable[[str], dict[str, Any]] | None = None
    instance_help: str = ""


def _board(instance: str) -> dict[str, Any]:
    return {"board": load_board(instance)}


def _samegame(rule: str, summary: str) -> Entry:
    return Entry(SameGame, summary, {"rule": rule}, _board, "FILE or FILE#N, a text file of boards")


PROBLEMS: dict[str, Entry] = {
    "samegame": _samegame("samegame", "groups of n score (n - 2)^2, a cleared board 1,000 more"),
    "clickomania": _samegame("clickomania", "clear as many blocks as possible"),
    "bubble-breaker": _samegame("bubble-breaker", "groups of n score n (n - 1)"),
}

SEARCHES: dict[str, Entry] = {
    "random": Entry(Random, "the best of many independent play-outs"),
    "mcts": Entry(MCTS, "Monte-Carlo Tree Search"),
    "nrpa": Entry(NRPA, "Nested Rollout Policy Adaptation"),
}

POLICIES: dict[str, Entry] = {
    "uniform": Entry(Uniform, "every legal move equally likely"),
    "tabu-random": Entry(TabuRandom, "a random colour is spared in each play-out"),
    "tabu-color": Entry(TabuColor, "the most frequent colour is spared"),
    "tabu-bandit": Entry(TabuBandit, "a bandit learns which colour to spare"),
    "roulette": Entry(Roulette, "rarer colours first, by roulette wheel (MC-RWS)"),
}
