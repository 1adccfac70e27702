"""A tree for games in flat memory: a pool of nodes whose size is fixed at the start, which all threads of a run may share.

The children of a node are one block of neighbours in the pool, made all at once, so that what is known of a move before it
is tried has its place. The first `roots` nodes are roots: one for all threads, or one for each. A block lies behind its
parent, which lets `follow` throw the rest of the tree away, and close the gaps, in one pass.

Threads that share a tree add to its numbers without locks. An addition may get lost now and then when two threads meet in a
node, which costs nothing but that play-out's opinion; only making a block is for one thread at a time.
"""

from typing import Any

import numpy as np

from arbora.component import make_component
from arbora.engine.root_moves import KnownMove
from arbora.engine.shared import fence, release, try_acquire

# Values of a node's `first_child` where there is no block: not looked at yet; the game is over, from TERMINAL downwards, and
# below it, what the end is worth is known: row r of `ends` belongs to TERMINAL - 1 - r
UNEXPANDED, TERMINAL = 0, -1
# A node's `exact` as long as nothing is proved
UNPROVED = np.float32(-1.0)
_LOCKS = 256
_ENDS = 64  # most games end in far fewer ways

NODE = np.dtype(
    [
        ("move", np.int32),  # the move that leads here
        ("first_child", np.int32),  # where its block begins; or UNEXPANDED, or TERMINAL
        ("block", np.int32),  # in the first node of a block: how many nodes it has
        ("parent", np.int32),  # in the first node of a block: whose block it is; for `follow`
        ("player", np.int32),  # whose turn it is; set with the block
        ("visits", np.int32),
        ("pending", np.int32),  # play-outs on the way through here: virtual losses
        ("amaf_visits", np.int32),  # play-outs from the parent on in which its player made this move, sooner or later
        ("exact", np.float32),  # the proved payoff for the player who moved here, or UNPROVED
        ("total", np.float64),  # sum of payoffs for the player who moved here
        ("squares", np.float64),  # sum of their squares
        ("amaf_total", np.float64),  # the sum that belongs to `amaf_visits`
    ],
    align=True,
)


@make_component
class GameTree:
    """A pool of nodes, and the moves that were played since the tree was last used."""

    nodes: np.ndarray  # NODE[capacity]
    size: np.ndarray  # int64[1]: nodes in use
    roots: int
    locks: np.ndarray  # int64[_LOCKS + 1]: for making the blocks of nodes, and the last for `reserve` and `remember_end`
    ends: np.ndarray  # float64[_ENDS, players]: different payoffs that were met where the game is over
    end_count: np.ndarray  # int64[1]: how many
    played: np.ndarray  # int32[]: moves for `follow`
    played_count: np.ndarray  # int64[1]: how many; -1 to forget everything

    def clear(self):
        """Forget everything but unvisited roots."""
        for root in range(self.roots):
            self.empty(root, -1)
        self.size[0] = self.roots

    def empty(self, index, move):
        node = self.nodes[index]
        node.move = move
        node.first_child = UNEXPANDED
        node.block = 0
        node.parent = -1
        node.player = 0
        node.visits = 0
        node.pending = 0
        node.amaf_visits = 0
        node.exact = UNPROVED
        node.total = 0.0
        node.squares = 0.0
        node.amaf_total = 0.0

    def children(self, index):
        """Where the block of a node begins and ends; nothing if it has none."""
        first = np.int64(self.nodes[index].first_child)
        if first <= 0:
            return np.int64(0), np.int64(0)
        return first, first + self.nodes[first].block

    def reserve(self, count):
        """Room for a block of so many nodes; 0 if the pool is full, or another thread is at it."""
        if not try_acquire(self.locks, _LOCKS):
            return np.int64(0)
        first = np.int64(self.size[0])
        fits = first + count <= self.nodes.size
        if fits:
            self.size[0] = first + count
        release(self.locks, _LOCKS)
        return first if fits else np.int64(0)

    def patience(self, visits):
        """How many visits a node needs to get children: so many at first, twice as many with each eighth of the pool used.

        So the best part of a long search still finds room.
        """
        return visits << (8 * self.size[0] // self.nodes.size)

    def lock(self, index):
        """May this thread add the block of this node? If so, `unlock` must follow."""
        return try_acquire(self.locks, index % _LOCKS)

    def unlock(self, index):
        release(self.locks, index % _LOCKS)

    def publish(self, parent, first, count, player):
        """Let a block that is ready be seen."""
        self.nodes[first].block = count
        self.nodes[first].parent = parent
        self.nodes[parent].player = player
        fence()
        self.nodes[parent].first_child = first

    def remember_end(self, index, payoffs):
        """Keep what a node where the game is over is worth, unless games end in too many ways for that."""
        row = self.row_of(payoffs)
        if row < 0 and try_acquire(self.locks, _LOCKS):
            row = self.row_of(payoffs)
            if row < 0 and self.end_count[0] < _ENDS:
                row = np.int64(self.end_count[0])
                for player in range(payoffs.size):
                    self.ends[row, player] = payoffs[player]
                fence()
                self.end_count[0] = row + 1
            release(self.locks, _LOCKS)
        if row >= 0:
            self.nodes[index].first_child = TERMINAL - 1 - row

    def row_of(self, payoffs):
        """Where these payoffs are among `ends`, -1 if they are not."""
        for row in range(self.end_count[0]):
            same = True
            for player in range(payoffs.size):
                same = same and self.ends[row, player] == payoffs[player]
            if same:
                return np.int64(row)
        return np.int64(-1)

    def recall_end(self, index, payoffs):
        """Write what a node is worth, if the game is over there and it is known."""
        row = TERMINAL - 1 - self.nodes[index].first_child
        if row < 0:
            return False
        for player in range(payoffs.size):
            payoffs[player] = self.ends[row, player]
        return True

    def child(self, parent, move):
        """The node that a move leads to, 0 if there is none."""
        first, end = self.children(parent)
        for index in range(first, end):
            if self.nodes[index].move == move:
                return index
        return np.int64(0)

    def follow(self):
        """Make the positions after `played` the roots, and forget everything that does not lie below them."""
        if self.played_count[0] < 0:
            self.clear()
        elif self.played_count[0] > 0:
            used = self.size[0]
            self.forget_parents(used)
            for root in range(self.roots):
                self.move_root(root)
            self.close_gaps(used)
        self.played_count[0] = 0

    def forget_parents(self, used):
        index = np.int64(self.roots)
        while index < used:
            self.nodes[index].parent = -1
            index += self.nodes[index].block

    def move_root(self, root):
        index = np.int64(root)
        for i in range(self.played_count[0]):
            index = self.child(index, self.played[i])
            if index == 0:
                self.empty(root, -1)
                return
        self.move_node(index, root)

    def move_node(self, source, target):
        self.nodes[target] = self.nodes[source]
        self.nodes[target].pending = 0
        first = self.nodes[target].first_child
        if first > 0:
            self.nodes[first].parent = target

    def close_gaps(self, used):
        """Move every block that still has a parent to the front, in order; those without are gone."""
        free = np.int64(self.roots)
        index = np.int64(self.roots)
        while index < used:
            count = np.int64(self.nodes[index].block)
            parent = self.nodes[index].parent
            if parent >= 0:
                self.nodes[parent].first_child = free
                for i in range(count):
                    self.move_node(index + i, free + i)
                free += count
            index += count
        self.size[0] = free

    # From here on for players, in plain Python.

    def known(self) -> list[KnownMove]:
        """What is known of the moves at hand, root by root."""
        return [self.known_move(index) for root in range(self.roots) for index in self.block(root)]

    def known_move(self, index: int) -> KnownMove:
        node = self.nodes[index]
        move, exact = int(node["move"]), float(node["exact"])
        proved = exact if exact >= 0 else None
        return KnownMove(move, int(node["visits"]), float(node["total"]), proved, [move, *self.line(index)])

    def line(self, index: int) -> list[int]:
        """The most visited way on from a node."""
        line: list[int] = []
        while children := self.block(index):
            index = max(children, key=lambda child: int(self.nodes[child]["visits"]))
            if self.nodes[index]["visits"] == 0:
                break
            line.append(int(self.nodes[index]["move"]))
        return line

    def block(self, index: int) -> range:
        """The children of a node."""
        first = int(self.nodes[index]["first_child"])
        return range(first, first + int(self.nodes[first]["block"])) if first > 0 else range(0)

    def is_ready(self) -> bool:
        """Is there nothing to do before the threads may start?"""
        return bool(self.played_count[0] == 0)

    def note_played(self, move: int) -> None:
        """A move was played in the game; the next search will follow it."""
        count = self.played_count[0]
        if 0 <= count < self.played.size:
            self.played[count] = move
            self.played_count[0] += 1
        else:
            self.forget()

    def forget(self) -> None:
        self.played_count[0] = -1

    def nodes_used(self) -> int:
        return int(self.size[0])


def make_game_tree(capacity: int, roots: int, max_length: int, players: int = 2) -> Any:
    """An empty tree with room for `capacity` nodes."""
    tree: Any = GameTree(
        nodes=np.empty(max(capacity, roots), NODE),
        size=np.zeros(1, np.int64),
        roots=roots,
        locks=np.zeros(_LOCKS + 1, np.int64),
        ends=np.zeros((_ENDS, players)),
        end_count=np.zeros(1, np.int64),
        played=np.zeros(max_length + 1, np.int32),
        played_count=np.full(1, -1, np.int64),
    )
    return tree
