"""The names of problems, searches and policies, for specs and listings."""

from collections.abc import Callable
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from arbora.component import Param, is_component
from arbora.policies.by_kind import ByKind
from arbora.policies.light import Light, Tactical
from arbora.policies.roulette import Roulette
from arbora.policies.selective import Selective
from arbora.policies.tabu import TabuBandit, TabuColor, TabuRandom
from arbora.policies.uniform import Uniform
from arbora.problem import offers
from arbora.problems.bus.data import read_line
from arbora.problems.bus.line import Bus
from arbora.problems.connect_four import ConnectFour
from arbora.problems.go.game import Go
from arbora.problems.kuhn_poker import KuhnPoker
from arbora.problems.leduc_poker import LeducPoker
from arbora.problems.othello import Othello
from arbora.problems.samegame.boards import load_board
from arbora.problems.samegame.game import SameGame
from arbora.problems.story.story import Story
from arbora.problems.synthetic_tree import SyntheticTree
from arbora.problems.tic_tac_toe import TicTacToe
from arbora.problems.weak_schur import WeakSchur
from arbora.search.a_star import AStar
from arbora.search.amaf import AMAF
from arbora.search.amcts import AMCTS
from arbora.search.anneal import Anneal
from arbora.search.beam import Beam
from arbora.search.best_first import BestFirst
from arbora.search.breadth_first import BreadthFirst
from arbora.search.depth_budgeted import DepthBudgeted
from arbora.search.depth_first import DepthFirst
from arbora.search.ida_star import IDAStar
from arbora.search.iimc import IIMC
from arbora.search.is_mcts import ISMCTS
from arbora.search.mc_rave import MCRAVE
from arbora.search.mcts import MCTS
from arbora.search.multi_start import MultiStart
from arbora.search.nmcs import NMCS
from arbora.search.nmcts import NMCTS
from arbora.search.nrpa import NRPA
from arbora.search.pimc import PIMC
from arbora.search.random import Random
from arbora.search.rave import RAVE
from arbora.search.sp_mcts import PRESETS as SP_MCTS_PRESETS
from arbora.search.sp_mcts import SPMCTS
from arbora.search.step_mcts import StepMCTS
from arbora.search.uct import UCT

DEFAULT_SEARCH = "nrpa"
DEFAULT_PLAYER = "uct"
DEFAULT_BLIND_PLAYER = "is-mcts"  # where something is hidden
DEFAULT_BLIND_PLAYER_OF_OBJECTS = "is-mcts,reuse=8"  # drawing is what takes the time there


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
    search: str = DEFAULT_SEARCH  # for a problem: the spec of the search that solves it if none is given


@dataclass(frozen=True)
class Adapter:
    """A factory of problems that other libraries bring, imported when it is first called."""

    module: str
    name: str
    parameters: dict[str, Param]

    def __call__(self, **parameters: Any) -> Any:
        return getattr(import_module(self.module), self.name)(**parameters)


def _samegame(rule: str, summary: str) -> Entry:
    return Entry(
        SameGame,
        summary,
        {"rule": rule},
        "board",
        load_board,
        "FILE or FILE#N, a text file of boards",
        search="anneal,policy=uniform",
    )


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
    "weak-schur": Entry(
        WeakSchur,
        "partition 1, 2, 3, … so that no part holds a sum of two of its numbers",
        search="nrpa,level=5,iterations=20",
    ),
    "story": Entry(
        Story,
        "a story of a world of characters, places and items",
        {},
        "world",
        str,
        "crime, midsummer or FILE.yaml",
        search="nmcs,level=2,policy=by-kind",
    ),
    "tic-tac-toe": Entry(TicTacToe, "a game: three in a row", search="uct"),
    "connect-four": Entry(ConnectFour, "a game: four in a row, stones fall down", search="uct"),
    "othello": Entry(Othello, "a game: turn the other player's discs over", search="uct"),
    "synthetic-tree": Entry(SyntheticTree, "a game of hidden worlds with every feature a parameter", search="is-mcts"),
    "kuhn-poker": Entry(KuhnPoker, "a game: poker with three cards and one bet", search="is-mcts"),
    "leduc-poker": Entry(LeducPoker, "a game: poker with six cards and two rounds", search="is-mcts"),
    "go": Entry(Go, "a game: surround more of the board", search="mc-rave,policy=tactical"),
    "openspiel": Entry(
        Adapter(
            "arbora.adapters.openspiel",
            "OpenSpiel",
            {
                "game": Param("", type=str),
                "resample": Param(
                    "", "FILE.py:FUNCTION(state, player, rng) that gives a state the player holds possible", type=str
                ),
            },
        ),
        "a game of OpenSpiel",
        {},
        "game",
        str,
        "NAME or NAME(key=value,…), as OpenSpiel calls it: hearts, go(board_size=9)",
    ),
}

SEARCHES: dict[str, Entry] = {
    "random": Entry(Random, "the best of many independent play-outs"),
    "mcts": Entry(MCTS, "Monte-Carlo Tree Search"),
    "sp-mcts": Entry(SPMCTS, "Single-Player Monte-Carlo Tree Search", presets=SP_MCTS_PRESETS),
    "step-mcts": Entry(StepMCTS, "MCTS that commits itself to one step at a time"),
    "nmcs": Entry(NMCS, "Nested Monte-Carlo Search"),
    "nmcts": Entry(NMCTS, "Nested Monte-Carlo Tree Search"),
    "multi-start": Entry(MultiStart, "any search, started several times from nothing"),
    "anneal": Entry(Anneal, "simulated annealing over whole move sequences"),
    "nrpa": Entry(NRPA, "Nested Rollout Policy Adaptation"),
    "beam": Entry(Beam, "beam search: the best positions of each layer"),
    "best-first": Entry(BestFirst, "greedy best-first search"),
    "breadth-first": Entry(BreadthFirst, "breadth-first search"),
    "depth-first": Entry(DepthFirst, "depth-first search, branch and bound"),
    "depth-budgeted": Entry(DepthBudgeted, "depth-first with a budget of nodes at every depth"),
    "a-star": Entry(AStar, "A*, for problems with a bound"),
    "ida-star": Entry(IDAStar, "IDA*, for problems with a bound"),
    "uct": Entry(UCT, "Monte-Carlo Tree Search for games"),
    "amaf": Entry(AMAF, "for games: all moves as first, without a tree"),
    "rave": Entry(RAVE, "for games: all moves as first in a tree"),
    "mc-rave": Entry(MCRAVE, "for games: UCT and RAVE in one"),
    "pimc": Entry(PIMC, "for hidden information: play-outs from positions held possible"),
    "iimc": Entry(IIMC, "for hidden information: PIMC with a search within its play-outs"),
    "amcts": Entry(AMCTS, "for hidden information: IIMC only where PIMC finds it close"),
    "is-mcts": Entry(ISMCTS, "for hidden information: a tree of what the players see"),
}

POLICIES: dict[str, Entry] = {
    "uniform": Entry(Uniform, "every legal move equally likely"),
    "selective": Entry(Selective, "every candidate of the problem's own rule equally likely"),
    "tabu-random": Entry(TabuRandom, "a random colour is spared in each play-out"),
    "tabu-color": Entry(TabuColor, "the most frequent colour is spared"),
    "tabu-bandit": Entry(TabuBandit, "a bandit learns which colour to spare"),
    "by-kind": Entry(ByKind, "every kind of move equally likely, then every move of the kind, by the problem's bias"),
    "light": Entry(Light, "for games: the game's own quick play-outs"),
    "tactical": Entry(Tactical, "for games: what the last move makes urgent, then quick play-outs"),
    "roulette": Entry(Roulette, "rarer colours first, by roulette wheel (MC-RWS)"),
}


def default_search_spec(problem: Any) -> str:
    """The search for a problem if the user names none: measured to be the best for ours."""
    for entry in PROBLEMS.values():
        if type(problem) is entry.factory and all(getattr(problem, key) == value for key, value in entry.fixed.items()):
            return entry.search
    return DEFAULT_SEARCH


def default_player_spec(game: Any) -> str:
    """The search that plays a game if the user names none: measured to be the best for ours."""
    found = default_search_spec(game)
    if found != DEFAULT_SEARCH:
        return found
    if offers(game, "determinize"):
        return DEFAULT_BLIND_PLAYER if is_component(game) else DEFAULT_BLIND_PLAYER_OF_OBJECTS
    return DEFAULT_PLAYER
