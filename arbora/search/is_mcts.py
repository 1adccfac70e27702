"""IS-MCTS: information set Monte-Carlo tree search (Cowling, Powley and Whitehouse, the document 003's reference [3]).

    determinize       each play-out begins in a position that the player to move holds possible
    selection         a node is an information set: what the player on turn there sees; among the moves that are legal in
                      this position, the one of the highest bound, down to a move that was never tried
    expansion         that move
    simulation        the game is played to its end by the policy
    backpropagation   every move passed learns what the end was worth for the player who made it

What the players see is the game's `seen`. Where a game has none, a node is the moves since the position at hand, as if all
of them were seen by everybody.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.information_tree import make_information_tree
from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.engine.root_moves import make_root_moves
from arbora.engine.run import COMPLETE, STEPS
from arbora.policies.light import Light
from arbora.problem import CHANCE, bounds
from arbora.search.game_search import DECIDED, draw_move
from arbora.search.sampling import play_simply
from arbora.search.search import search

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@make_component
class Workspace:
    """All memory of one thread."""

    tree: object
    trail: np.ndarray  # int64[max_length]: the arms passed in the current descent
    movers: np.ndarray  # int64[max_length]: who chose each
    payoffs: np.ndarray  # float64[players]: what its end was worth for each, scaled to 0 .. 1
    scale: np.ndarray  # float64[2]: the lowest payoff there is, and one over the distance to the highest


@search
class ISMCTS:
    """For hidden information: one tree of what the players see, for all positions that the player holds possible."""

    policy: object = param("how play-outs choose their moves", default=Light())
    exploration: float = param("c: weight of the exploration bonus", default=0.7, low=0)
    nodes: int = param(
        "most moves in memory (32 bytes each); a full tree is searched on", default=1_000_000, low=2, high=2**30
    )
    choice: str = param("the move that is played: most visits, or value", default="visits", choices=("visits", "value"))

    needs = ("players", "determinize")
    plays = True

    def workspace(self, problem: Any) -> Any:
        max_length = bounds(problem)[1]
        low, high = problem.payoffs()
        return Workspace(
            tree=make_information_tree(self.nodes),
            trail=np.zeros(max_length + 1, np.int64),
            movers=np.zeros(max_length + 1, np.int64),
            payoffs=np.zeros(problem.players()),
            scale=np.array([low, 1.0 / (high - low) if high > low else 1.0]),
        )

    def team(self, problem: Any, threads: int) -> Any:
        return make_root_moves(bounds(problem)[0], threads)

    def run(self, problem, run):
        count = problem.moves(run.states[0], run.moves)
        run.team.begin(run.thread, run.moves, count)
        if count < 2:
            run.counters[COMPLETE] = DECIDED
            return
        mover = problem.player(run.states[0])
        run.work.tree.begin()
        while run.going():
            run.states[1] = run.states[0]
            problem.determinize(run.states[1], mover, run.rng)
            passed = descend(self, problem, run)
            if play_simply(self.policy, problem, run, 1):
                back_propagate(run, passed)
                run.count(0.0, 0)


@inline_kernel
def descend(search, problem, run):
    """Selection and expansion, from `run.states[1]`. Returns how many arms were passed."""
    work, state = run.work, run.states[1]
    path = np.uint64(0)
    passed = 0
    for _ in range(run.path.size):
        if run.stopped():
            break
        player = problem.player(state)
        if player == CHANCE:
            arm, move = np.int64(-1), draw_move(problem, run, state)
        else:
            arm, move = choose(search, problem, run, state, player, path)
        if move < 0:
            break
        is_new = arm >= 0 and work.tree.arms[arm].visits == 0
        problem.play(state, move)
        run.counters[STEPS] += 1
        path = scrambled(path ^ np.uint64(move + 1) * _GOLDEN)
        if player != CHANCE:
            if arm < 0:
                break
            work.trail[passed] = arm
            work.movers[passed] = player
            passed += 1
            if is_new:
                break
    return passed


@inline_kernel
def choose(search, problem, run, state, player, path):
    """The place of the move of the highest bound, and that move; without room -1 and a random one; at the end -1, -1."""
    tree = run.work.tree
    count = problem.moves(state, run.moves)
    if count == 0:
        return np.int64(-1), np.int64(-1)
    seen = np.uint64(problem.seen(state, player))
    index = tree.find(seen if seen != np.uint64(0) else path)
    if index < 0:
        return np.int64(-1), np.int64(run.moves[run.rng.below(count)])
    best, best_bound, untried = np.int64(-1), -np.inf, 0
    for i in range(count):
        place = tree.arm(index, i, count, run.moves[i])
        if place < 0:
            return np.int64(-1), np.int64(run.moves[run.rng.below(count)])
        arm = tree.arms[place]
        arm.available += 1
        if arm.visits == 0:
            untried += 1
            if run.rng.below(untried) == 0:
                best = place
        elif untried == 0:
            bound = arm.total / arm.visits + search.exploration * np.sqrt(np.log(arm.available) / arm.visits)
            if bound > best_bound:
                best, best_bound = place, bound
    return best, np.int64(tree.arms[best].move)


@inline_kernel
def back_propagate(run, passed):
    work = run.work
    for depth in range(passed):
        payoff = work.payoffs[work.movers[depth]]
        arm = work.tree.arms[work.trail[depth]]
        arm.visits += 1
        arm.total += payoff
        if depth == 0:
            note_root(run, arm.move, payoff)


@inline_kernel
def note_root(run, move, payoff):
    """Let it be seen what was learned of a move at hand."""
    for i in range(run.team.count[run.thread]):
        if run.team.rows[run.thread, i].move == move:
            run.team.learn(run.thread, i, payoff)
            return
