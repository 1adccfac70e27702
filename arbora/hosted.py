"""What compiled code sees of a plain Python object: problems whose every answer is a call back into Python.

A state is the list of its moves. The object itself stands in one position at a time, and is brought to another by playing
the moves that lead there; `hosting` has the other side of the calls.
"""

import numpy as np

from arbora.engine.shared import call_float, call_int
from arbora.hosting import FAR, STAY, hosts
from arbora.problem import problem

_WORDS = (1 << 32) - 1  # random numbers that an object's own generator may be started from


@problem
class SimulatorProblem:
    """A Python object seen from compiled code: a state is the list of its moves, replayed in the object when needed."""

    max_count: int
    longest: int
    number: int
    has_candidates: bool
    has_code: bool
    has_bound: bool
    has_key: bool
    has_bias: bool
    has_label: bool
    has_find: bool
    arrive_at: int
    moves_at: int
    candidates_at: int
    score_at: int
    bound_at: int
    key_at: int
    code_at: int
    bias_at: int
    label_at: int
    find_at: int
    refuse_moves_at: int
    lowest_turn: int
    turns: int
    buffer: np.ndarray  # whose turn it is, and the moves
    listed: np.ndarray  # how many moves of the position that the object stands in are in the buffer; -1 if not asked yet
    live: np.ndarray  # the moves played in the object
    live_length: np.ndarray  # how many; -1 if it has to be reset first

    def layout(self):
        return [("length", np.int64), ("history", np.int32, (self.live.size,))]

    def max_moves(self):
        return self.max_count

    def max_length(self):
        return self.longest

    def reset(self, state):
        state.length = 0

    def play(self, state, move):
        state.history[state.length] = move
        state.length += 1

    def way(self, state):
        """How the object gets to where the state is, as `Host` wants it told; whoever asks must send it there."""
        begin, length = self.live_length[0], state.length
        near = 0 <= begin <= length <= begin + 1
        if near:
            for i in range(begin):
                if self.live[i] != state.history[i]:
                    near = False
                    break
        if near and begin == length:
            return np.int64(STAY)
        self.listed[0] = -1
        self.live_length[0] = length
        for i in range(begin if near else 0, length):
            self.live[i] = state.history[i]
        if near and self.live[begin] >= 0:
            return np.int64(self.live[begin])
        return np.int64(FAR - length)

    def arrive(self, state):
        """Make the object stand where the state is; False if user code raised on the way."""
        way = self.way(state)
        return way == STAY or call_int(self.arrive_at, way) == 0

    def look(self, state):
        """Have the moves of the state in the buffer; returns how many, -1 if user code raised."""
        way = self.way(state)
        if self.listed[0] < 0:
            self.listed[0] = self.list_moves(self.moves_at, way)
        return self.listed[0]

    def list_moves(self, address, way):
        count = call_int(address, way)
        allowed = count <= 0 or self.lowest_turn <= self.buffer[0] < self.turns
        for i in range(count):
            allowed = allowed and self.buffer[1 + i] >= 0
        return count if allowed else call_int(self.refuse_moves_at, count)

    def take(self, count, out):
        for i in range(count):
            out[i] = self.buffer[1 + i]
        return max(count, 0)

    def moves(self, state, out):
        return self.take(self.look(state), out)

    def candidates(self, state, out):
        if not self.has_candidates:
            return self.moves(state, out)
        way = self.way(state)
        self.listed[0] = -1
        return self.take(self.list_moves(self.candidates_at, way), out)

    def score(self, state):
        return call_float(self.score_at, self.way(state))

    def code(self, state, move):
        if not self.has_code or not self.arrive(state):
            return np.uint64(move)
        return np.uint64(np.int64(call_int(self.code_at, np.int64(move))))

    def bound(self, state):
        return np.float64(call_float(self.bound_at, self.way(state))) if self.has_bound else np.inf

    def key(self, state):
        return np.uint64(np.int64(call_int(self.key_at, self.way(state)))) if self.has_key else np.uint64(0)

    def bias(self, state, move):
        if not self.has_bias or not self.arrive(state):
            return 0.0
        return call_float(self.bias_at, np.int64(move))

    def label(self, state, move):
        if not self.has_label or not self.arrive(state):
            return np.int64(move)
        return np.int64(call_int(self.label_at, np.int64(move)))

    def find(self, state, label, out):
        if self.has_find:
            return np.int64(call_int(self.find_at, np.int64(label))) if self.arrive(state) else np.int64(-1)
        for i in range(self.moves(state, out)):
            if out[i] == label:
                return np.int64(label)
        return np.int64(-1)

    def text(self, state, move):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return str(simulator.text(int(move))) if hasattr(simulator, "text") else str(int(move))

    def render(self, state):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return simulator.render() if hasattr(simulator, "render") else None


@problem
class SimulatorGame(SimulatorProblem):
    """The same for an object that is a game."""

    player_count: int
    lowest: float
    highest: float
    payoff_at: int
    chance_at: int
    refuse_payoff_at: int
    has_determinize: bool
    has_worlds: bool
    has_seen: bool
    has_finish: bool
    determinize_at: int
    worlds_at: int
    seen_at: int
    finish_at: int
    worth: np.ndarray  # what the position that the object stands in is worth for each player, if `listed` is 0
    asked: np.ndarray  # see `Host.asked`
    noted: np.ndarray  # see `Host.noted`

    def players(self):
        return self.player_count

    def payoffs(self):
        return self.lowest, self.highest

    def player(self, state):
        return np.int64(self.buffer[0]) if self.look(state) > 0 else np.int64(0)

    def payoff(self, state, player):
        count = self.look(state)
        if count < 0:
            return np.nan
        if count > 0:
            self.worth[player] = call_float(self.payoff_at, np.int64(player))
        return self.checked_worth(player)

    def checked_worth(self, player):
        if not self.lowest <= self.worth[player] <= self.highest:
            call_int(self.refuse_payoff_at, np.int64(player))
            return np.nan
        return self.worth[player]

    def chance(self, state, move):
        return call_float(self.chance_at, np.int64(move)) if self.arrive(state) else np.nan

    def determinize(self, state, player, rng):
        if not self.has_determinize:
            return
        self.asked[0] = player
        self.asked[1] = rng.below(_WORDS)
        length = call_int(self.determinize_at, self.way(state))
        self.listed[0] = -1
        if length < 0:
            return
        self.live_length[0] = length
        for i in range(length):
            state.history[i] = self.live[i]
        state.length = length

    def worlds(self, state, player):
        if not self.has_worlds or not self.arrive(state):
            return np.inf
        return call_float(self.worlds_at, np.int64(player))

    def seen(self, state, player):
        if not self.has_seen:
            return np.uint64(0)
        way = self.way(state)
        if way == STAY and self.listed[0] > 0 and self.noted[0] == player:
            return np.uint64(self.noted[1])
        if way != STAY and call_int(self.arrive_at, way) != 0:
            return np.uint64(0)
        return np.uint64(np.int64(call_int(self.seen_at, np.int64(player))))

    def finish(self, state, payoffs, rng):
        if not self.has_finish:
            return np.int64(-1)
        self.asked[1] = rng.below(_WORDS)
        played = np.int64(call_int(self.finish_at, self.way(state)))
        self.listed[0] = -1
        self.live_length[0] = -1  # nobody knows by which moves
        if played >= 0:
            for player in range(payoffs.size):
                payoffs[player] = self.checked_worth(player)
        return played

    def show(self, state, player):
        simulator = hosts[self.number].simulator
        self.arrive(state)
        return simulator.show(player) if hasattr(simulator, "show") else None
