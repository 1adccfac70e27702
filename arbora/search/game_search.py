"""Tree search for games: the four steps of document 004, Section 2.2, for any number of players, with chance.

    selection         from the root, the child that the search finds most urgent, down to a node without children
    expansion         that node gets its children
    simulation        the game is played to its end by the policy
    backpropagation   every node passed learns what the end was worth for the player who moved there; where the search asks
                      for it, so does every child whose move was made later on (all moves as first)

A search is what it finds urgent, and which of these it uses; see `uct`, `amaf`, `rave` and `mc_rave`. In games of two
players, where what one wins the other loses, wins, losses and draws are proved where the tree reaches the end of the game.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.first_moves import make_first_moves
from arbora.engine.game_tree import TERMINAL, UNEXPANDED, make_game_tree
from arbora.engine.kernel import inline_kernel
from arbora.engine.run import FIRST_SECOND, LAST_PLAYOUT, LAST_SECOND, PLAYOUTS, STEPS, TOO_LONG
from arbora.engine.shared import peek_float
from arbora.policies.light import Light
from arbora.problem import CHANCE, bounds

# Why a thread of a run has ended the run: values of counters[COMPLETE]
PROVED, DECIDED = 1, 2
_LAST_RESORT = -1e9
_LOOK_EVERY = 32  # play-outs between two looks at whether the choice is settled


@make_component
class Workspace:
    """All memory of one thread but the tree."""

    trail: np.ndarray  # int64[max_length + 1]: the nodes of the current descent
    movers: np.ndarray  # int32[max_length + 1]: who made each move of the current play-out
    payoffs: np.ndarray  # float64[players]: what its end was worth for each, scaled to 0 .. 1
    scale: np.ndarray  # float64[2]: the lowest payoff there is, and one over the distance to the highest
    first_moves: object
    stops_early: bool  # may the run end when no other move can become the most visited?


class GameSearch:
    """What all searches of this family have in common; each adds what it finds urgent."""

    policy: object = param("how play-outs choose their moves", default=Light())
    nodes: int = param(
        "most nodes in memory (64 bytes each); a full tree is searched on", default=4_000_000, low=2, high=2**31 - 1
    )
    expand: int = param("visits of a node before it gets children; more as memory fills", default=1, low=0, high=1_000_000)
    choice: str = param("the move that is played: most visits, or value", default="visits", choices=("visits", "value"))
    early_stop: bool = param("stop when no other move can become the most visited", default=True)
    prove: bool = param("prove wins, losses and draws at the end of the game", default=True)
    parallel: str = param("threads share one tree, or have one each", default="tree", choices=("tree", "root"))

    needs = ("players",)
    plays = True

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        low, high = problem.payoffs()
        return Workspace(
            trail=np.zeros(max_length + 2, np.int64),
            movers=np.zeros(max_length + 2, np.int32),
            payoffs=np.zeros(problem.players()),
            scale=np.array([low, 1.0 / (high - low) if high > low else 1.0]),
            first_moves=make_first_moves(max_moves, max_length),
            stops_early=self.early_stop and self.choice == "visits",
        )

    def team(self, problem: Any, threads: int) -> Any:
        roots = 1 if self.parallel == "tree" else threads
        return make_game_tree(self.nodes, roots, bounds(problem)[1], problem.players())

    def run(self, problem, run):
        think(self, problem, run)

    def is_flat(self):
        """Does the tree end with the moves of the root?"""
        return False

    def uses_amaf(self):
        """Do nodes count what becomes of their moves when they are made later on?"""
        return False

    def prior_visits(self):
        """How many play-outs of all-moves-as-first a guess of the game's `prior` counts for."""
        return 0


@inline_kernel
def think(search, problem, run):
    """Search from the position in `run.states[0]` until the budget is spent or nothing can change any more."""
    tree = run.team
    root = np.int64(run.thread % tree.roots)
    if run.thread == 0:
        tree.follow()
    while run.going():
        run.states[1] = run.states[0]
        state = run.states[1]
        passed, over = descend(search, problem, run, state, root)
        ended = False
        length = passed - 1
        if not over:
            length, ended = play_to_end(search, problem, run, state, length)
        if over or ended:
            if ended:
                last = run.work.trail[passed - 1]
                if tree.nodes[last].first_child == TERMINAL:
                    tree.remember_end(last, run.work.payoffs)
            back_propagate(search, run, passed, length)
            run.count(0.0, length)
            run.counters[STEPS] += length
            if search.prove and run.work.payoffs.size == 2:
                prove(tree, run, passed)
        take_back_pending(tree, run.work.trail, passed)
        if tree.nodes[root].exact >= 0.0:
            run.end(PROVED)
        elif run.work.stops_early and run.counters[PLAYOUTS] % _LOOK_EVERY == 0 and settled(tree, run):
            run.end(DECIDED)


@inline_kernel
def descend(search, problem, run, state, root):
    """Selection and expansion. Returns how many nodes of `trail` were passed, and whether the payoffs are known already."""
    tree, trail, movers = run.team, run.work.trail, run.work.movers
    node = root
    trail[0] = root
    tree.nodes[root].pending += 1
    passed = 1
    while not run.stopped():
        if node != root and tree.nodes[node].exact >= 0.0:
            mover = movers[passed - 2]
            run.work.payoffs[mover] = tree.nodes[node].exact
            run.work.payoffs[1 - mover] = 1.0 - tree.nodes[node].exact
            return passed, True
        if tree.recall_end(node, run.work.payoffs):
            return passed, True
        if passed > 1 and search.is_flat():
            break
        if tree.nodes[node].first_child == UNEXPANDED:
            if node != root and tree.nodes[node].visits < tree.patience(search.expand):
                break
            expand(search, problem, run, state, node)
        first, end = tree.children(node)
        if first == end:
            break
        if passed > run.path.size:
            run.fail(TOO_LONG, passed)
            break
        player = tree.nodes[node].player
        if player == CHANCE:
            node = draw_child(problem, run, state, first, end)
        else:
            node = select(search, tree, node, first, end)
        tree.nodes[node].pending += 1
        run.path[passed - 1] = tree.nodes[node].move
        movers[passed - 1] = player
        problem.play(state, tree.nodes[node].move)
        trail[passed] = node
        passed += 1
    return passed, False


@inline_kernel
def expand(search, problem, run, state, node):
    """Give a node its children, in random order; it stays without if the pool is full or another thread is at it."""
    tree = run.team
    if not tree.lock(node):
        return
    if tree.nodes[node].first_child == UNEXPANDED:
        count = problem.moves(state, run.moves)
        if count == 0:
            tree.nodes[node].first_child = TERMINAL
        else:
            first = tree.reserve(count)
            if first > 0:
                for i in range(count):
                    other = i + run.rng.below(count - i)
                    run.moves[i], run.moves[other] = run.moves[other], run.moves[i]
                    tree.empty(first + i, run.moves[i])
                    if search.prior_visits() > 0:
                        tree.nodes[first + i].amaf_visits = search.prior_visits()
                        tree.nodes[first + i].amaf_total = search.prior_visits() * problem.prior(state, run.moves[i])
                tree.publish(node, first, count, np.int32(problem.player(state)))
    tree.unlock(node)


@inline_kernel
def select(search, tree, parent, first, end):
    """The most urgent child. One that is proved is worth what it is, with nothing to explore; a loss is the last resort."""
    log_visits = np.log(max(tree.nodes[parent].visits, 1))
    best = first
    best_urgency = -np.inf
    for index in range(first, end):
        child = tree.nodes[index]
        if child.exact >= 0.0:
            urgency = np.float64(child.exact) if child.exact > 0.0 else _LAST_RESORT
        else:
            urgency = np.float64(search.urgency(tree.nodes[parent], child, log_visits))
        if urgency > best_urgency:
            best_urgency = urgency
            best = index
    return np.int64(best)


@inline_kernel
def tries(child):
    """How often a move was tried; play-outs on the way count too. Threads that meet may leave fewer than none of them."""
    return child.visits + max(child.pending, 0)


@inline_kernel
def draw_child(problem, run, state, first, end):
    """A child by the probabilities of chance."""
    left = run.rng.uniform()
    for index in range(first, end - 1):
        left -= problem.chance(state, run.team.nodes[index].move)
        if left < 0.0:
            return np.int64(index)
    return np.int64(end - 1)


@inline_kernel
def play_to_end(search, problem, run, state, length):
    """Simulation: play on by the policy. Returns how many moves the play-out has from the root, and whether it has ended."""
    memory, movers = run.memory[0], run.work.movers
    if not search.uses_amaf():  # which has to know the moves
        moves = finish_at_once(search.policy, problem, run, state)
        if moves >= 0:
            return length + moves, True
    search.policy.begin(problem, state, memory, run.rng)
    while not run.stopped():
        player = problem.player(state)
        if player == CHANCE:
            move = draw_move(problem, run, state)
        else:
            move = np.int64(search.policy.choose(problem, state, memory, run.moves, run.rng))
        if move < 0:
            read_payoffs(problem, run, state)
            return length, True
        if length == run.path.size:
            run.fail(TOO_LONG, length)
            break
        run.path[length] = move
        movers[length] = player
        problem.play(state, move)
        length += 1
    return length, False


@inline_kernel
def finish_at_once(policy, problem, run, state):
    """Have the game itself play on to the end, if it can. Returns how many moves that took, -1 if it cannot."""
    payoffs, scale = run.work.payoffs, run.work.scale
    moves = np.int64(policy.finish(problem, state, payoffs, run.rng))
    if moves >= 0:
        for player in range(payoffs.size):
            payoffs[player] = (payoffs[player] - scale[0]) * scale[1]
    return moves


@inline_kernel
def draw_move(problem, run, state):
    """A move by the probabilities of chance, -1 if the game is over."""
    count = problem.moves(state, run.moves)
    left = run.rng.uniform()
    for i in range(count - 1):
        left -= problem.chance(state, run.moves[i])
        if left < 0.0:
            return np.int64(run.moves[i])
    return np.int64(run.moves[count - 1]) if count > 0 else np.int64(-1)


@inline_kernel
def read_payoffs(problem, run, state):
    payoffs, scale = run.work.payoffs, run.work.scale
    for player in range(payoffs.size):
        payoffs[player] = (problem.payoff(state, player) - scale[0]) * scale[1]


@inline_kernel
def back_propagate(search, run, passed, length):
    """Every node passed learns the payoff of the player who moved there, its children those of the moves made later on."""
    tree, work = run.team, run.work
    if search.uses_amaf():
        work.first_moves.begin()
        for time in range(length - 1, passed - 1, -1):
            work.first_moves.note(run.path[time], time)
    for depth in range(passed - 1, -1, -1):
        node = tree.nodes[work.trail[depth]]
        payoff = work.payoffs[max(work.movers[max(depth - 1, 0)], 0)]
        node.visits += 1
        node.total += payoff
        node.squares += payoff * payoff
        if search.uses_amaf():
            if depth < length:
                work.first_moves.note(run.path[depth], depth)
            count_amaf(tree, work, work.trail[depth])


@inline_kernel
def count_amaf(tree, work, node):
    """All moves as first: the children of a node whose moves its player was the first to make, from here on."""
    first, end = tree.children(node)
    player = tree.nodes[node].player
    if first == end or player == CHANCE:
        return
    payoff = work.payoffs[player]
    for index in range(first, end):
        child = tree.nodes[index]
        time = work.first_moves.time_of(child.move)
        if time >= 0 and work.movers[time] == player:
            child.amaf_visits += 1
            child.amaf_total += payoff


@inline_kernel
def prove(tree, run, passed):
    """If the end of the trail is proved or the end of the game, so may be what lies above it, up to a move of chance."""
    work = run.work
    last = tree.nodes[work.trail[passed - 1]]
    mover = work.movers[max(passed - 2, 0)]
    if last.first_child <= TERMINAL and mover != CHANCE and work.payoffs[0] + work.payoffs[1] == 1.0:
        last.exact = work.payoffs[mover]
    for depth in range(passed - 2, -1, -1):
        if tree.nodes[work.trail[depth + 1]].exact < 0.0:
            return
        node = tree.nodes[work.trail[depth]]
        mover = work.movers[max(depth - 1, 0)]
        if node.player == CHANCE or mover == CHANCE:
            return
        value = best_if_proved(tree, work.trail[depth])
        if value < 0.0:
            return
        node.exact = value if mover == node.player else 1.0 - value


@inline_kernel
def best_if_proved(tree, node):
    """What the player to move can be sure of: a win if one child is one, else the best if all are proved; -1 if not."""
    first, end = tree.children(node)
    best = np.float32(-1.0)
    all_proved = True
    for index in range(first, end):
        exact = tree.nodes[index].exact
        if exact >= 0.0:
            best = max(best, exact)
        else:
            all_proved = False
    return best if all_proved or best == 1.0 else np.float32(-1.0)


@inline_kernel
def take_back_pending(tree, trail, passed):
    for depth in range(passed):
        tree.nodes[trail[depth]].pending -= 1


@inline_kernel
def settled(tree, run):
    """Has the most visited move more of a lead than there are play-outs left? A run with several roots never knows."""
    if tree.roots > 1:
        return False
    first, end = tree.children(0)
    if end == first + 1:
        return True
    most, second = 0, 0
    for index in range(first, end):
        visits = tree.nodes[index].visits
        if visits > most:
            most, second = visits, most
        elif visits > second:
            second = visits
    return most - second > playouts_left(run) * run.threads


@inline_kernel
def playouts_left(run):
    """How many play-outs this thread may still do, at the pace so far if time is what limits it."""
    seconds = peek_float(run.clock, 0)
    by_count = run.part[LAST_PLAYOUT] - run.counters[PLAYOUTS]
    if run.part[LAST_SECOND] == np.inf:
        return by_count
    pace = run.counters[PLAYOUTS] / max(seconds - run.part[FIRST_SECOND], 1e-3)
    return min(by_count, (run.part[LAST_SECOND] - seconds) * pace)
