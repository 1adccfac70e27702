"""The tree of a small game in flat arrays: all positions, and which of them their player cannot tell apart.

Nodes are numbered level by level, and the moves of a node lead to neighbours. An information set is all positions that look
alike to the player who decides there. A *sequence* is a move at an information set; a strategy, of all players together, is
a probability for each sequence.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from arbora.engine.run import Run
from arbora.errors import BadInput, ProblemError
from arbora.exact.walk import END, Walk
from arbora.player import hides_something
from arbora.problem import CHANCE, bounds, is_game
from arbora.running import Running, check_whole, raise_failures
from arbora.simulator import opened, provides
from arbora.watched import problem_name

MOST_POSITIONS = 1_000_000  # if nobody says anything else
MOST_ALLOWED = 2**31 - 1
_NONE = -1


@dataclass(frozen=True)
class GameTree:
    """All positions of a game. `last` and `set_prior` say what a player remembers: the last sequence of his own."""

    game: Any
    name: str
    levels: list[slice]  # the nodes after 0, 1, … moves
    parent: np.ndarray  # int64[nodes]
    first_child: np.ndarray  # int64[nodes]
    children: np.ndarray  # int64[nodes]: how many
    move: np.ndarray  # int32[nodes]: that leads there
    player: np.ndarray  # int32[nodes]: whose turn it is, CHANCE or END
    chance: np.ndarray  # float64[nodes]: how likely the move there is if chance made it, else 1
    payoffs: np.ndarray  # float64[nodes, players]: 0 but at ends
    set_of: np.ndarray  # int64[nodes]: the information set, -1 if nobody decides there
    sequence: np.ndarray  # int64[nodes]: the one that leads there, -1 for moves of chance
    last: np.ndarray  # int64[nodes, players]: each player's last sequence on the way there
    set_player: np.ndarray  # int64[sets]
    set_node: np.ndarray  # int64[sets]: the first of its nodes; sets are numbered in this order
    set_first: np.ndarray  # int64[sets]: its first sequence
    set_moves: np.ndarray  # int64[sets]: how many sequences it has
    set_prior: np.ndarray  # int64[sets]: its player's last sequence on the way there

    @property
    def nodes(self) -> int:
        return len(self.parent)

    @property
    def players(self) -> int:
        return self.payoffs.shape[1]

    @property
    def sets(self) -> int:
        return len(self.set_player)

    @property
    def sequences(self) -> int:
        return int(self.set_moves.sum())

    @property
    def set_of_sequence(self) -> np.ndarray:
        return np.repeat(np.arange(self.sets), self.set_moves)

    @property
    def constant_sum(self) -> bool:
        """Are there two players, and is what one wins always what the other loses?"""
        totals = self.payoffs[self.player == END].sum(axis=1)
        return self.players == 2 and bool(np.ptp(totals) < 1e-9)

    def moves_to(self, node: int) -> list[int]:
        """The moves from the start to a node."""
        moves = []
        while node > 0:
            moves.append(int(self.move[node]))
            node = int(self.parent[node])
        return moves[::-1]


def tree_of(
    game: Any, most: int = MOST_POSITIONS, *, compiled: bool = True, on_compile: Callable[[], None] | None = None
) -> GameTree:
    """All positions of a game, if there are no more than `most`.

    Raises BadInput if there are more, if the game hides something but has no `seen` that says what players can tell apart,
    and if `seen` forgets what a player has done.
    """
    check_whole("most", most, 1, MOST_ALLOWED)
    with opened(game) as problem:
        name = problem_name(problem)
        if not is_game(problem):
            raise BadInput(f"{name} is not a game: it has no players")
        sees = provides(problem, "seen")
        if hides_something(problem) and not sees:
            raise BadInput(
                f"{name} hides something from its players, but has no method seen: what they can tell apart is unknown"
            )
        walk: Any = Walk(most=most, longest=bounds(problem)[1], sees=sees)
        running = Running(problem, walk, None, None, 1, 1, compiled, on_compile)
        running.run(None)
        if running.interrupted:
            raise KeyboardInterrupt
        raise_failures(running)
    run: Run = running.runs[0]
    found: Any = run.work
    if found.size[1]:
        raise BadInput(f"{name} is too large to be walked through: it has more than {most:,} positions")
    return _arranged(game, name, found, sees)


def _arranged(game: Any, name: str, found: Any, sees: bool) -> GameTree:
    """Level by level what was found depth first, with information sets and sequences."""
    nodes, parent, payoffs = _by_level(found)
    player, move = nodes["player"], nodes["move"]
    children = np.bincount(parent[1:], minlength=len(nodes))
    first_child = 1 + np.cumsum(children) - children
    ends = np.cumsum(np.bincount(nodes["depth"])).tolist()
    levels = [slice(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    _check_chance(name, nodes["chance"], parent, player)

    set_of, set_node = _information_sets(player, nodes["seen"] if sees else np.arange(len(nodes), dtype=np.uint64))
    set_moves = children[set_node]
    set_first = np.cumsum(set_moves) - set_moves

    chosen = np.flatnonzero(set_of[parent[1:]] >= 0) + 1  # nodes that a player's move leads to
    above = parent[chosen]
    place = chosen - first_child[above]
    alike = set_node[set_of[above]]
    sequence = np.full(len(nodes), _NONE)
    sequence[chosen] = set_first[set_of[above]] + place
    if (children[above] != children[alike]).any() or (move[chosen] != move[first_child[alike] + place]).any():
        raise BadInput(f"{name}: seen is the same for positions with different moves; a player can tell those apart")

    last = np.full(payoffs.shape, _NONE)
    for level in levels[1:]:
        last[level] = last[parent[level]]
        made = chosen[(chosen >= level.start) & (chosen < level.stop)]
        last[made, player[parent[made]]] = sequence[made]
    if (last[above, player[above]] != last[alike, player[above]]).any():
        raise BadInput(
            f"{name}: seen is the same after different moves of the same player; players must not forget what they did"
        )

    return GameTree(
        game=game,
        name=name,
        levels=levels,
        parent=parent,
        first_child=first_child,
        children=children,
        move=move,
        player=player,
        chance=nodes["chance"],
        payoffs=payoffs,
        set_of=set_of,
        sequence=sequence,
        last=last,
        set_player=player[set_node].astype(np.int64),
        set_node=set_node,
        set_first=set_first,
        set_moves=set_moves,
        set_prior=last[set_node, player[set_node]],
    )


def _by_level(found: Any) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The nodes in the order of their levels, the new numbers of their parents, and their payoffs."""
    size = int(found.size[0])
    order = np.argsort(found.nodes["depth"][:size], kind="stable")
    nodes = found.nodes[:size][order]
    number = np.empty(size, np.int64)
    number[order] = np.arange(size)
    parent = np.full(size, _NONE)
    parent[1:] = number[nodes["parent"][1:]]
    return nodes, parent, found.payoffs[:size][order]


def _information_sets(player: np.ndarray, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The set of each node, and the first node of each set; sets are numbered in the order of these."""
    deciding = np.flatnonzero(player >= 0)
    keys = np.rec.fromarrays([player[deciding], seen[deciding]])
    _, first, which = np.unique(keys, return_index=True, return_inverse=True)
    number = np.empty(len(first), np.int64)
    number[np.argsort(first)] = np.arange(len(first))
    set_of = np.full(len(player), _NONE)
    set_of[deciding] = number[which]
    return set_of, deciding[np.sort(first)]


def _check_chance(name: str, chance: np.ndarray, parent: np.ndarray, player: np.ndarray) -> None:
    total = np.bincount(parent[1:], chance[1:], len(parent))[player == CHANCE]
    wrong = total[abs(total - 1.0) > 1e-9]
    if len(wrong):
        raise ProblemError(f"class {name}: the probabilities of the moves of chance sum to {wrong[0]:g}, not 1")
