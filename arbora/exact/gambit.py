"""Export to Gambit, the program that solves games: its extensive-form files (.efg, version 2)."""

from fractions import Fraction
from typing import Any

import numpy as np

from arbora.exact.tree import GameTree
from arbora.exact.walk import END
from arbora.problem import CHANCE, like_compiled, new_state
from arbora.simulator import opened, raise_error

_LARGEST_DENOMINATOR = 1_000_000


def gambit_text(tree: GameTree, title: str | None = None) -> str:
    """The game as an EFG file: the nodes in the order of a walk, depth first."""
    players = " ".join(_quoted(f"Player {player + 1}") for player in range(tree.players))
    lines = [f"EFG 2 R {_quoted(tree.name if title is None else title)} {{ {players} }}", '""', ""]
    names = _move_names(tree)
    outcomes: dict[tuple[float, ...], int] = {}
    own_number = _numbers_within_players(tree)
    chance_nodes = 0
    open_nodes = [0]
    while open_nodes:
        node = open_nodes.pop()
        player, first, count = int(tree.player[node]), int(tree.first_child[node]), int(tree.children[node])
        open_nodes.extend(range(first + count - 1, first - 1, -1))
        if player == END:
            payoffs = tuple(tree.payoffs[node].tolist())
            outcome = outcomes.setdefault(payoffs, len(outcomes) + 1)
            lines.append(f't "" {outcome} "" {{ {", ".join(_number(payoff) for payoff in payoffs)} }}')
        elif player == CHANCE:
            chance_nodes += 1
            likely = _probabilities(tree.chance[first : first + count])
            moves = " ".join(f"{_quoted(name)} {chance}" for name, chance in zip(names[node], likely, strict=True))
            lines.append(f'c "" {chance_nodes} "" {{ {moves} }} 0')
        else:
            number = int(tree.set_of[node])
            moves = " ".join(_quoted(name) for name in names[int(tree.set_node[number])])
            lines.append(f'p "" {player + 1} {own_number[number]} "" {{ {moves} }} 0')
    return "\n".join(lines) + "\n"


def _numbers_within_players(tree: GameTree) -> np.ndarray:
    """Each information set's number among those of its player, from 1."""
    numbers = np.zeros(tree.sets, np.int64)
    for player in range(tree.players):
        own = tree.set_player == player
        numbers[own] = np.arange(1, own.sum() + 1)
    return numbers


def _move_names(tree: GameTree) -> dict[int, list[str]]:
    """What the moves are called, at the nodes where chance moves and at the first node of each information set."""
    names = {}
    with opened(tree.game) as game, like_compiled():
        state = new_state(game)
        for node in [*np.flatnonzero(tree.player == CHANCE).tolist(), *tree.set_node.tolist()]:
            game.reset(state)
            for move in tree.moves_to(node):
                game.play(state, move)
            first = tree.first_child[node]
            moves = tree.move[first : first + tree.children[node]].tolist()
            texts = [_plain(str(game.text(state, move))) for move in moves]
            raise_error(game)
            names[node] = (
                texts
                if len(set(texts)) == len(texts)
                else [f"{text} ({move})" for text, move in zip(texts, moves, strict=True)]
            )
    return names


def _quoted(text: str) -> str:
    """A label as Gambit takes it: printable ASCII, single spaces."""
    escaped = _plain(text).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _plain(text: str) -> str:
    return " ".join(text.encode("ascii", "replace").decode().split())


def _probabilities(values: Any) -> list[str]:
    """Probabilities that sum to exactly 1: as fractions, or if they are none, as decimals of which the largest gives way."""
    fractions = [Fraction(float(value)).limit_denominator(_LARGEST_DENOMINATOR) for value in values]
    if sum(fractions) == 1 and all(
        abs(float(fraction) - value) < 1e-12 for fraction, value in zip(fractions, values, strict=True)
    ):
        return [str(fraction) for fraction in fractions]
    digits = 10**15
    rounded = [round(float(value) * digits) for value in values]
    rounded[int(np.argmax(rounded))] += digits - sum(rounded)
    return [f"0.{number:015}" if number < digits else "1" for number in rounded]


def _number(value: float) -> str:
    fraction = Fraction(value).limit_denominator(_LARGEST_DENOMINATOR)
    return str(fraction) if float(fraction) == value else f"{value:.17f}".rstrip("0")
