"""Arbora: write your problem as a plain Python class, and search it at C speed."""

from arbora import exact
from arbora.adapters.openspiel import OpenSpiel
from arbora.check import Report, check_problem
from arbora.component import derived, fill, make_component, param
from arbora.engine.kernel import kernel
from arbora.engine.run import play_out
from arbora.errors import ArboraError, BadInput, BadSolution, ProblemError
from arbora.player import MoveThought, Player, Thought
from arbora.policies.by_kind import ByKind
from arbora.policies.light import Light, Tactical
from arbora.policies.policy import policy
from arbora.policies.roulette import Roulette
from arbora.policies.selective import Selective
from arbora.policies.tabu import TabuBandit, TabuColor, TabuRandom
from arbora.policies.uniform import Uniform
from arbora.problem import problem
from arbora.problems.bus.line import Bus
from arbora.problems.connect_four import ConnectFour
from arbora.problems.go.game import Go
from arbora.problems.kuhn_poker import KuhnPoker
from arbora.problems.leduc_poker import LeducPoker
from arbora.problems.othello import Othello
from arbora.problems.samegame.game import SameGame
from arbora.problems.story.story import Story
from arbora.problems.synthetic_tree import SyntheticTree
from arbora.problems.tic_tac_toe import TicTacToe
from arbora.problems.weak_schur import WeakSchur
from arbora.running import Progress
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
from arbora.search.search import search
from arbora.search.sp_mcts import SPMCTS
from arbora.search.step_mcts import StepMCTS
from arbora.search.uct import UCT
from arbora.solve import Improvement, Result, RootMove, solve

__version__ = "0.1.0"

__all__ = [
    "AMAF",
    "AMCTS",
    "IIMC",
    "ISMCTS",
    "MCRAVE",
    "MCTS",
    "NMCS",
    "NMCTS",
    "NRPA",
    "PIMC",
    "RAVE",
    "SPMCTS",
    "UCT",
    "AStar",
    "Anneal",
    "ArboraError",
    "BadInput",
    "BadSolution",
    "Beam",
    "BestFirst",
    "BreadthFirst",
    "Bus",
    "ByKind",
    "ConnectFour",
    "DepthBudgeted",
    "DepthFirst",
    "Go",
    "IDAStar",
    "Improvement",
    "KuhnPoker",
    "LeducPoker",
    "Light",
    "MoveThought",
    "MultiStart",
    "OpenSpiel",
    "Othello",
    "Player",
    "ProblemError",
    "Progress",
    "Random",
    "Report",
    "Result",
    "RootMove",
    "Roulette",
    "SameGame",
    "Selective",
    "StepMCTS",
    "Story",
    "SyntheticTree",
    "TabuBandit",
    "TabuColor",
    "TabuRandom",
    "Tactical",
    "Thought",
    "TicTacToe",
    "Uniform",
    "WeakSchur",
    "check_problem",
    "derived",
    "exact",
    "fill",
    "kernel",
    "make_component",
    "param",
    "play_out",
    "policy",
    "problem",
    "search",
    "solve",
]
