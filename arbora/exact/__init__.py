"""Exact analysis of small games: every position there is, and what follows for strategies and searches."""

from arbora.exact.gambit import gambit_text
from arbora.exact.strategies import exact_pimc, iimc_limit, pimc_limit, search_strategy, uniform
from arbora.exact.tree import GameTree, tree_of
from arbora.exact.values import best_response, expected_payoffs, exploitability

__all__ = [
    "GameTree",
    "best_response",
    "exact_pimc",
    "expected_payoffs",
    "exploitability",
    "gambit_text",
    "iimc_limit",
    "pimc_limit",
    "search_strategy",
    "tree_of",
    "uniform",
]
