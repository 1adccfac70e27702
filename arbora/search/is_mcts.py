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
_NONE = -1
# Of `run.states`, behind the position at hand
_DRAWN, _PLAYED = 1, 2


@make_component
class Workspace:
    """All memory of one thread."""

    tree: object
    root_moves: np.ndarray  # int32[max_moves]: the moves at hand
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
    reuse: int = param("play-outs from each position that is drawn; more where drawing is slow", default=1, low=1)
    choice: str = param("the move that is played: most visits, or value", default="visits", choices=("visits", "value"))

    needs = ("players", "determinize")
    plays = True
    by_seen = True  # it asks what the player on turn has seen, wherever it looks at his moves

    def states(self):
        return 3

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        low, high = problem.payoffs()
        return Workspace(
            tree=make_information_tree(self.nodes),
            root_moves=np.zeros(max_moves, np.int32),
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
        for i in range(count):
            run.work.root_moves[i] = run.moves[i]
        run.work.tree.begin()
        root = find_set(problem, run, run.states[0], mover, np.uint64(0))
        left = 0
        while run.going():
            if left == 0:
                run.states[_DRAWN] = run.states[0]
                problem.determinize(run.states[_DRAWN], mover, run.rng)
                left = self.reuse
            left -= 1
            run.states[_PLAYED] = run.states[_DRAWN]
            passed = descend(self, problem, run, mover, root, count)
            if play_simply(self.policy, problem, run, _PLAYED):
                back_propagate(run, passed)
                run.count(0.0, 0)


@inline_kernel
def descend(search, problem, run, mover, root, count):
    """Selection and expansion, from what was drawn. Returns how many arms were passed.

    Whatever is drawn, the player at the root has seen the same and has the same moves; so the game is not asked there again.
    """
    work, state = run.work, run.states[_PLAYED]
    path = np.uint64(0)
    passed = 0
    player, arm, move = mover, np.int64(_NONE), np.int64(_NONE)
    for depth in range(run.path.size):
        if run.stopped():
            break
        if depth == 0:
            arm, move = choose(search, run, root, work.root_moves, count)
        else:
            player = problem.player(state)
            if player == CHANCE:
                arm, move = np.int64(_NONE), draw_move(problem, run, state)
            else:
                arm, move = choose_there(search, problem, run, state, player, path)
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
def find_set(problem, run, state, player, path):
    """The information set of a position; by the moves since the root, if the game does not say what its players see."""
    seen = np.uint64(problem.seen(state, player))
    return run.work.tree.find(seen if seen != np.uint64(0) else path)


@inline_kernel
def choose_there(search, problem, run, state, player, path):
    """Where the move to play is in memory, and the move: see `choose`; -1 and -1 at the end of the game."""
    count = problem.moves(state, run.moves)
    if count == 0:
        return np.int64(_NONE), np.int64(_NONE)
    return choose(search, run, find_set(problem, run, state, player, path), run.moves, count)


@inline_kernel
def choose(search, run, index, moves, count):
    """Of some moves of an information set: where the one of the highest bound is in memory, and the move.

    A move that was never tried has the highest bound there is. Without room in memory, -1 and a random move.
    """
    tree = run.work.tree
    if index < 0:
        return np.int64(_NONE), np.int64(moves[run.rng.below(count)])
    best, best_bound, untried = np.int64(_NONE), -np.inf, 0  # best: its place within the set, whose block may move
    for i in range(count):
        place = tree.arm(index, i, count, moves[i])
        if place < 0:
            return np.int64(_NONE), np.int64(moves[run.rng.below(count)])
        arm = tree.arms[place]
        place -= tree.sets[index].first
        arm.available += 1
        if arm.visits == 0:
            untried += 1
            if run.rng.below(untried) == 0:
                best = place
        elif untried == 0:
            bound = arm.total / arm.visits + search.exploration * np.sqrt(np.log(arm.available) / arm.visits)
            if bound > best_bound:
                best, best_bound = place, bound
    best += tree.sets[index].first
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
