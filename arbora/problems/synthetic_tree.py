"""The synthetic tree of document 003, Section 3: a game of hidden information whose every feature is a parameter.

Each of two players has a world of his own, one of `width`, which the other does not see; which worlds it may be is his cell
of possible worlds. The moves are public and alternate. Before a player's turn his cell is halved with probability `df`, and
if it was, halved again with probability `df`, and so on: cells only get finer. Nothing of the tree is stored: what is where
follows from hashes of the tree's number and the place, so it is always the same there.
"""

import math
from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.mixing import scrambled
from arbora.errors import BadInput
from arbora.problem import CHANCE, problem

# What chance still has to draw: the tree, then either player's world
TREE, WORLD_0, WORLD_1, NOTHING = range(4)
_UNKNOWN = -1  # a cell that has to be worked out again
_CELL, _VIEW, _DRAW = (np.uint64(n) for n in (2, 3, 4))
_GOLDEN, _11, _32 = np.uint64(0x9E3779B97F4A7C15), np.uint64(11), np.uint64(32)
_UNIT = 1.0 / (1 << 53)
_MOST_LEAVES = 2**40
_WORLDS = np.uint64(40)  # where a number has the worlds, above the moves so far


@problem
class SyntheticTree:
    """A game of chance worlds and public moves, after Long and others, with rewards from 0 to `levels`."""

    width: int = param("worlds of each player, a power of two", default=8, low=1, high=4096)
    depth: int = param("moves of a game", default=6, low=1, high=40)
    actions: int = param("moves to choose from", default=2, low=2, high=64)
    lc: float = param("leaf correlation: how likely leaves of one parent are worth the same", default=0.3, low=0, high=1)
    b: float = param("bias: the mean of such a worth, as a share of R; how likely 1 is", default=0.75, low=0, high=1)
    df: float = param("disambiguation factor: how likely a cell is halved before a turn", default=0.5, low=0, high=1)
    levels: int = param("R, the highest reward", default=4, low=1, high=1000)
    rewards: str = param("from 0 to R, or 1 and -1", default="levels", choices=("levels", "signs"))
    lowest: int = param("the least of equal rewards: 0, or 1 as equation (4) reads literally", default=0, low=0, high=1)
    unequal: str = param(
        "leaves of one parent that differ: one has R, the others 0; r and R - r; or r and another draw",
        default="extremes",
        choices=("extremes", "complement", "draws"),
    )
    split_first: bool = param("cells are halved before the first turn too", default=True)
    trees: int = param("how many trees; chance draws one for each game", default=1000, low=1, high=100_000)
    seed: int = param("which trees", default=1, low=0)
    doublings: int = derived(init=False)  # width is 2 to this power
    signs: bool = derived(init=False)
    complement: bool = derived(init=False)
    extremes: bool = derived(init=False)
    reached: np.ndarray = derived(init=False)  # float64[R + 1]: the probability of an equal reward of at most r

    def prepare(self) -> Any:
        if self.width & (self.width - 1):
            raise BadInput(f"SyntheticTree: width={self.width} is not allowed; width takes a power of two, such as 8")
        if self.actions**self.depth > _MOST_LEAVES:
            raise BadInput(
                f"SyntheticTree: depth={self.depth} with actions={self.actions} is not allowed; actions to the power of "
                f"depth must be {_MOST_LEAVES:,} or less"
            )
        return fill(
            self,
            doublings=self.width.bit_length() - 1,
            signs=self.rewards == "signs",
            complement=self.unequal == "complement",
            extremes=self.unequal == "extremes",
            reached=reward_distribution(self),
        )

    def layout(self) -> Any:
        return [
            ("history", np.int64),  # the moves so far, as the digits of a number
            ("world", np.int16, (2,)),
            ("cell", np.int8, (2,)),  # each player's cell has 2 to this power of worlds of the other
            ("turn", np.int16),  # moves so far
            ("drawn", np.int8),  # what chance draws next
            ("tree", np.int32),
            ("word", np.uint64),  # random bits of the tree
        ]

    def max_moves(self) -> int:
        return max(self.actions, self.width, self.trees)

    def max_length(self) -> int:
        return self.depth + NOTHING

    def players(self) -> int:
        return 2

    def payoffs(self) -> tuple[float, float]:
        return (-1.0, 1.0) if self.signs else (0.0, float(self.levels))

    def reset(self, state):
        state.history = 0
        self.plant(state, 0)
        state.turn = 0
        for player in range(2):
            state.world[player] = 0
            state.cell[player] = self.doublings
        state.drawn = TREE
        self.pass_over(state)

    def player(self, state):
        return np.int64(state.turn & 1) if state.drawn == NOTHING else np.int64(CHANCE)

    def moves(self, state, out):
        if state.turn == self.depth:
            return 0
        count = self.actions
        if state.drawn == TREE:
            count = self.trees
        elif state.drawn < NOTHING:
            count = self.width
        for move in range(count):
            out[move] = move
        return count

    def chance(self, state, move):
        return 1.0 / self.trees if state.drawn == TREE else 1.0 / self.width

    def play(self, state, move):
        if state.drawn < NOTHING:
            if state.drawn == TREE:
                self.plant(state, move)
            else:
                state.world[state.drawn - WORLD_0] = move
            state.drawn += 1
            self.pass_over(state)
            return
        state.history = state.history * self.actions + move
        state.turn += 1
        self.refine(state)

    def plant(self, state, tree):
        """Take the tree of this number."""
        state.tree = tree
        state.word = scrambled((np.uint64(self.seed) * np.uint64(self.trees) + np.uint64(tree)) * _GOLDEN)

    def pass_over(self, state):
        """Leave out draws of one."""
        if state.drawn == TREE and self.trees == 1:
            state.drawn = WORLD_0
        if state.drawn == WORLD_0 and self.width == 1:
            state.drawn = NOTHING
        if state.drawn == NOTHING:
            self.refine(state)

    def refine(self, state):
        """Halve the cell of the player whose turn it is, unless nobody knows it: then `cell_of` does."""
        player = state.turn & 1
        if state.turn < self.depth and state.cell[player] > 0:
            state.cell[player] = self.refined(state, player, np.int64(state.cell[player]), state.turn, state.history)

    def refined(self, state, player, cell, turn, history):
        """A player's cell at his turn after these moves, from his cell before."""
        if turn < 2 and not self.split_first:
            return cell
        own, other = np.uint64(state.world[player]), np.int64(state.world[1 - player])
        seen = scrambled(self.place(state, _CELL, history) + (np.uint64(turn) * np.uint64(self.width) + own) * _GOLDEN)
        while cell > 0:
            block = np.uint64((other >> cell) + (1 << self.doublings - cell))  # no two blocks have the same number
            if uniform(scrambled(seen ^ block * _GOLDEN)) >= self.df:
                break
            cell -= 1
        return cell

    def cell_of(self, state, player):
        """A player's cell: how many times it can be halved."""
        if state.cell[player] != _UNKNOWN:
            return np.int64(state.cell[player])
        cell = np.int64(self.doublings)
        history = state.history
        passed = 1
        for _ in range(state.turn):
            passed *= self.actions
        for turn in range(min(state.turn, self.depth - 1) + 1):
            if turn & 1 == player and cell > 0:
                cell = self.refined(state, player, cell, turn, history // passed)
            passed //= self.actions
        return cell

    def place(self, state, what, history):
        """A word for what is at this place of the tree."""
        return scrambled(scrambled(state.word + what) ^ np.uint64(history) * _GOLDEN)

    def payoff(self, state, player):
        reward = self.reward(state, state.history // self.actions, state.history % self.actions)
        return reward if player == 0 else self.rest(reward)

    def rest(self, reward):
        """What the second player gets where the first gets this."""
        return -reward if self.signs else self.levels - reward

    def reward(self, state, parent, last):
        """What the first player gets at a leaf: the moves up to its parent, and the last."""
        word = self.leaf_word(state, parent)
        draw = scrambled(word + _DRAW)
        equal = uniform(word) < self.lc
        chosen = np.int64((draw >> _32) * np.uint64(self.actions) >> _32) == last  # by coin
        if self.signs:
            up = uniform(scrambled(draw)) < self.b if equal else chosen
            return 1.0 if up else -1.0
        if not equal and self.extremes:
            return np.float64(self.levels if chosen else 0)
        first = self.drawn_reward(uniform(scrambled(draw)))
        if equal or chosen:
            return np.float64(first)
        if self.complement:
            return np.float64(self.levels - first)
        return np.float64(self.another_reward(first, uniform(scrambled(draw + _DRAW))))

    def leaf_word(self, state, parent):
        """The random bits of the leaves below the last node: of all nodes of the tree, the one with this number."""
        worlds = np.uint64(state.world[0]) * np.uint64(self.width) + np.uint64(state.world[1])
        return scrambled(state.word + ((worlds << _WORLDS) + np.uint64(parent)) * _GOLDEN)

    def drawn_reward(self, chance):
        """Equation (4): the reward from a number drawn evenly from 0 to 1."""
        reward = 0
        while reward < self.levels and chance >= self.reached[reward]:
            reward += 1
        return reward

    def another_reward(self, first, chance):
        """The same, but not this one; if there is no other, this one."""
        without = self.reached[first] - (self.reached[first - 1] if first > 0 else 0.0)
        if without >= 1.0:
            return first
        chance *= 1.0 - without
        if first == 0 or chance >= self.reached[first - 1]:
            chance += without
        other = self.drawn_reward(min(chance, 1.0 - 1e-15))
        if other == first:  # by rounding, at the border
            other = first + 1 if first < self.levels else first - 1
        return other

    def finish(self, state, payoffs, rng):
        if state.drawn < NOTHING:
            return -1
        played = self.depth - state.turn
        if played > 0:
            for _ in range(played - 1):
                state.history = state.history * self.actions + rng.below(self.actions)
            payoffs[0] = self.reward(state, state.history, rng.below(self.actions))
            payoffs[1] = self.rest(payoffs[0])
        else:
            for player in range(2):
                payoffs[player] = self.payoff(state, player)
        return played

    def determinize(self, state, player, rng):
        if state.drawn < NOTHING:
            return
        cell = self.cell_of(state, player)
        other = 1 - player
        state.world[other] = (state.world[other] >> cell << cell) + rng.below(1 << cell)
        state.cell[player] = cell
        state.cell[other] = _UNKNOWN

    def worlds(self, state, player):
        return np.float64(1 << self.cell_of(state, player)) if state.drawn == NOTHING else np.float64(1.0)

    def seen(self, state, player):
        cell = self.cell_of(state, player)
        moved = self.place(state, _VIEW, state.history) + np.uint64(state.turn * 8 + state.drawn * 2 + player) * _GOLDEN
        block = np.uint64((state.world[1 - player] >> cell) + (1 << self.doublings - cell))
        return scrambled(scrambled(moved) ^ block * _GOLDEN) + np.uint64(state.world[player]) * _GOLDEN

    def text(self, state: Any, move: int) -> str:
        return f"{('tree', 'world', 'world', 'move')[state.drawn]} {int(move) + 1}"

    def render(self, state: Any) -> str:
        worlds = ", ".join(f"player {player + 1} in world {state.world[player] + 1}" for player in range(2))
        return f"tree {state.tree + 1}, {worlds}; {self._moves_so_far(state)}"

    def show(self, state: Any, player: int) -> str:
        cell = int(self.cell_of(state, player))
        first = (int(state.world[1 - player]) >> cell << cell) + 1
        last = first + (1 << cell) - 1
        possible = f"world {first}" if cell == 0 else f"one of the worlds {first} to {last}"
        return f"you are in world {state.world[player] + 1}, the other in {possible}; {self._moves_so_far(state)}"

    def _moves_so_far(self, state: Any) -> str:
        digits, history = [], int(state.history)
        for _ in range(int(state.turn)):
            history, move = divmod(history, self.actions)
            digits.append(str(move + 1))
        return f"moves {' '.join(reversed(digits))}" if digits else "no moves yet"


@inline_kernel
def uniform(word):
    """A float in [0, 1) from random bits."""
    return np.float64(word >> _11) * _UNIT


def reward_distribution(tree: Any) -> np.ndarray:
    """The probability that an equal reward is at most r, for r from 0 to R: equation (4) for a normal draw, clipped.

    The draw i lies in 0 .. 1; r is i · R rounded, as i <= (2r + 1) / 2R says, from `lowest` on.
    """
    levels = int(tree.levels)
    deviation = 1.0 / levels

    def below(limit: float) -> float:
        return 0.5 * (1.0 + math.erf((limit - tree.b) / (deviation * math.sqrt(2.0))))

    reached = np.array([below((2 * reward + 1) / (2 * levels)) for reward in range(levels)] + [1.0])
    reached[: tree.lowest] = 0.0
    return reached
