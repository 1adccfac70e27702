"""Beam search: layer by layer like breadth-first search, but only the best `width` positions of each layer are kept.

Two layers of states are in memory; moves and parents of all layers are kept to read the way back. Of equal positions in a
layer (equal `key`) the one with the higher score stays. A beam that never had to drop a position has seen everything.
"""

from typing import Any

import numpy as np

from arbora.component import derived, fill, make_component, param
from arbora.engine.greedy import GUIDES, SCORE, STATES, evaluate, finish_greedily, greedy_guide, list_moves
from arbora.engine.heap import make_heap
from arbora.engine.keys import make_keys
from arbora.engine.run import NODES
from arbora.policies.uniform import Uniform
from arbora.problem import bounds, new_states
from arbora.search.search import search


@make_component
class Layers:
    """All memory of one beam search; a position of a layer is a slot in 0 .. width-1."""

    states: np.ndarray  # the problem's states[2, width], of this layer and the next in turn
    score: np.ndarray  # float64[width]: as it stands, in the next layer
    key: np.ndarray  # uint64[width]: in the next layer
    moves: np.ndarray  # int32[max_length + 1, width]: the move that led to a position of each layer,
    parents: np.ndarray  # int32[max_length + 1, width]: and from which slot of the layer before
    worst: object  # heap of the next layer's slots, lowest value on top
    keys: object  # slots of the next layer by key
    listed: np.ndarray  # int32[max_moves]: moves of the position being opened
    count: np.ndarray  # int64[1]: positions in the next layer
    dropped: np.ndarray  # int64[1]: positions that found no place, in all layers

    def begin_layer(self):
        self.count[0] = 0
        self.worst.clear()
        self.keys.clear()

    def outdone(self, key, score):
        """Is the same position in the next layer with no lower score?"""
        other = self.keys.get(key)
        return other >= 0 and self.score[other] >= score

    def place(self, key, value):
        """A slot of the next layer for a position, -1 if there is none: its twin's, a free one, or that of a worse one."""
        slot = self.keys.get(key)
        if slot >= 0:
            self.worst.change(slot, -value)
        elif self.count[0] < self.score.size:
            slot = self.count[0]
            self.count[0] += 1
            self.worst.push(slot, -value)
        else:
            self.dropped[0] += 1
            slot = self.worst.top()
            if value <= -self.worst.value[slot]:
                return np.int64(-1)
            self.keys.remove(self.key[slot])
            self.worst.change(slot, -value)
        self.keys.put(key, slot)
        return slot

    def way_to(self, depth, slot, path):
        """Write the moves that led to a position into `path`."""
        for d in range(depth, 0, -1):
            path[d - 1] = self.moves[d, slot]
            slot = np.int64(self.parents[d, slot])


@search
class Beam:
    """Beam search: the best positions of each layer."""

    width: int = param("positions kept of each layer", default=1_000, low=1, high=2**31 - 1)
    evaluation: str = param("what a position's value is", default="bound", choices=GUIDES)
    samples: int = param("play-outs for one value, if it is their average or best", default=1, low=1)
    policy: object = param("how play-outs choose their moves", default=Uniform())
    nodes: int = param("most positions to keep in all layers together", default=10**12, low=1)
    guide: int = derived(init=False)
    keeps_states = True

    def prepare(self) -> Any:
        return fill(self, guide=GUIDES.index(self.evaluation))

    def states(self) -> int:
        return STATES

    def workspace(self, problem: Any) -> Any:
        max_moves, max_length = bounds(problem)
        return Layers(
            states=new_states(problem, 2 * self.width).reshape(2, self.width),
            score=np.empty(self.width),
            key=np.empty(self.width, np.uint64),
            moves=np.empty((max_length + 1, self.width), np.int32),
            parents=np.empty((max_length + 1, self.width), np.int32),
            worst=make_heap(self.width),
            keys=make_keys(self.width),
            listed=np.empty(max_moves, np.int32),
            count=np.zeros(1, np.int64),
            dropped=np.zeros(1, np.int64),
        )

    def run(self, problem, run):
        """One beam; beams with other play-outs follow as long as the budget lasts, if they are what values come from."""
        problem.reset(run.states[0])
        greedy = greedy_guide(problem, self.guide, run.states[0])
        guide = self.guide if self.guide > SCORE else greedy
        run.states[1] = run.states[0]
        finish_greedily(problem, run, greedy, run.states[1], 0)
        while run.going() and run.counters[NODES] < self.nodes:
            if self.sweep(problem, run, guide):
                run.complete()
                return
            if guide <= SCORE:
                return

    def sweep(self, problem, run, guide):
        """From the start to the last layer. Returns whether everything has been seen."""
        layers = run.work
        layers.dropped[0] = 0
        layers.states[0][0] = run.states[0]
        count = np.int64(1)
        for depth in range(run.path.size + 1):
            layers.begin_layer()
            for slot in range(count):
                if not run.going() or run.counters[NODES] >= self.nodes:
                    return False
                self.open(problem, run, guide, depth, slot)
            count = layers.count[0]
            if count == 0:
                return layers.dropped[0] == 0
        return False

    def open(self, problem, run, guide, depth, slot):
        """Offer the children of a position to the next layer; an episode that ends here is finished."""
        layers = run.work
        state = layers.states[depth % 2][slot]
        count = list_moves(problem, run, state, depth)
        layers.way_to(depth, slot, run.path)
        if count == 0:
            run.finish(np.float64(problem.score(state)), depth)
        for i in range(count):  # evaluating may list other moves
            layers.listed[i] = run.moves[i]
        for i in range(count):
            run.states[2] = state
            child = run.states[2]
            problem.play(child, layers.listed[i])
            score, key = np.float64(problem.score(child)), np.uint64(problem.key(child))
            if problem.bound(child) <= run.best_score[0] or layers.outdone(key, score):
                continue
            run.path[depth] = layers.listed[i]
            value = evaluate(problem, self.policy, run, guide, self.samples, child, depth + 1)
            found = layers.place(key, value)
            if found >= 0:
                run.count_node(depth + 1)
                layers.states[(depth + 1) % 2][found] = child
                layers.score[found] = score
                layers.key[found] = key
                layers.moves[depth + 1, found] = layers.listed[i]
                layers.parents[depth + 1, found] = slot
