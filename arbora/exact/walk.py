"""The walk through all positions of a game, compiled: depth first, so that few states are in memory."""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import SENTINEL, SLACK, TOO_LONG, TOO_MANY_MOVES
from arbora.problem import CHANCE, bounds
from arbora.search.search import search

END = -2  # in place of a player: the game is over
NODE = np.dtype(
    [
        ("parent", np.int32),
        ("depth", np.int32),
        ("move", np.int32),  # that leads there
        ("player", np.int32),  # whose turn it is, CHANCE or END
        ("seen", np.uint64),  # what that player has seen
        ("chance", np.float64),  # how likely the move is, if chance made it; else 1
    ],
    align=True,
)


@make_component
class Found:
    """The positions met, and how far the walk is."""

    nodes: np.ndarray  # NODE[most]
    payoffs: np.ndarray  # float64[most, players]: of ends
    size: np.ndarray  # int64[2]: positions so far; were there more than there is room for?
    way: np.ndarray  # int64[depth + 1]: the nodes from the start to the position at hand
    listed: np.ndarray  # int32[depth + 1, max_moves]: the moves of each, in ascending order
    count: np.ndarray  # int64[depth + 1]
    tried: np.ndarray  # int64[depth + 1]


@search
class Walk:
    """Every position of a game, once for each way that leads there."""

    most: int = param("positions", low=1)
    longest: int = param("most moves of an episode", low=1)
    sees: bool = param("does the game tell what its players have seen?", default=False)

    needs = ("players",)

    def states(self):
        return self.longest + 1

    def workspace(self, problem: Any) -> Any:
        rows = self.longest + 1
        return Found(
            nodes=np.zeros(self.most, NODE),
            payoffs=np.zeros((self.most, problem.players())),
            size=np.zeros(2, np.int64),
            way=np.zeros(rows, np.int64),
            listed=np.zeros((rows, bounds(problem)[0]), np.int32),
            count=np.zeros(rows, np.int64),
            tried=np.zeros(rows, np.int64),
        )

    def run(self, problem, run):
        found = run.work
        problem.reset(run.states[0])
        self.arrive(problem, run, 0, 0, 1.0)
        depth = 0
        while depth >= 0 and not run.stopped():
            if found.tried[depth] == found.count[depth]:
                depth -= 1
                continue
            if found.size[0] == self.most:
                found.size[1] = 1
                return
            move = found.listed[depth, found.tried[depth]]
            found.tried[depth] += 1
            by_chance = problem.player(run.states[depth]) == CHANCE
            probability = problem.chance(run.states[depth], move) if by_chance else 1.0
            run.states[depth + 1] = run.states[depth]
            problem.play(run.states[depth + 1], move)
            depth += 1
            self.arrive(problem, run, depth, move, probability)

    def arrive(self, problem, run, depth, move, probability):
        """Note a position that was not met before on this way, and its moves."""
        found, state = run.work, run.states[depth]
        index = found.size[0]
        found.size[0] += 1
        found.way[depth] = index
        node = found.nodes[index]
        node.parent = found.way[depth - 1] if depth > 0 else -1
        node.depth = depth
        node.move = move
        node.chance = probability
        count = problem.moves(state, run.moves)
        found.count[depth] = count
        found.tried[depth] = 0
        if run.moves[run.moves.size - SLACK] != SENTINEL:
            run.fail(TOO_MANY_MOVES, depth)
            return
        if count == 0:
            node.player = END
            for player in range(found.payoffs.shape[1]):
                found.payoffs[index, player] = problem.payoff(state, player)
            return
        if depth == self.longest:
            run.fail(TOO_LONG, depth)
            return
        for i in range(count):
            insert(found.listed[depth], i, run.moves[i])
        player = problem.player(state)
        node.player = player
        if self.sees and player != CHANCE:
            node.seen = problem.seen(state, player)


@inline_kernel
def insert(listed, count, move):
    """Add a move to the first `count` of a list in ascending order."""
    while count > 0 and listed[count - 1] > move:
        listed[count] = listed[count - 1]
        count -= 1
    listed[count] = move
