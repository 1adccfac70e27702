"""Bus regulation: let buses wait at stops so that passengers wait less (document 002, Section 3.1).

A loop of 70 stops with termini 0 and 35, twenty buses, one minute after the other; `advance` is one such minute. Nobody is
counted one by one: `arrived` says how many have come to a stop since minute 0, `taken` how many of them have left, so a
minute costs a look at each bus. The document gives no instance; the one of seed 1 behaves like its Table 2.
"""

from pathlib import Path
from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.kernel import inline_kernel
from arbora.problem import like_compiled, new_state, problem
from arbora.problems.bus.data import MINUTES, STOPS, as_line, random_line, write_line

BUSES = 20
HALFWAY = 35  # the other terminus
HEADWAY = 20  # minutes between departures
WARM_UP = 200  # minutes before the first decision
MODELS = ("reference", "clean")

# Rows of `buses`
STOP, COUNTDOWN, DWELL, ACTIVE = range(4)

_MIX = np.uint64(0x9E3779B97F4A7C15)
_32 = np.uint64(32)
_DELAY = 40  # a decision that has not come up so many minutes after its time never will


@problem
class Bus:
    """Choose how long buses wait at their stops; the score is minus the passengers' waiting time, in thousands."""

    model: str = param(
        "reference: a waiting bus is asked again each minute; clean: only when it arrives",
        default="reference",
        choices=MODELS,
    )
    delta: int = param(
        "δ: play-outs do not wait if the bus behind is fewer stops away; 0: no rule", default=0, low=0, high=STOPS
    )
    max_wait: int = param("the most minutes to wait", default=5, low=1, high=10)
    seed: int = param("random line, if no line is given; 1 is the reference", default=1, low=1, high=2**31 - 1)
    line: object = param("a line: an array of passengers, travel and incident by minute and stop", default=None)
    again: bool = derived(init=False)  # is a waiting bus asked again?
    trip: np.ndarray = derived(init=False)  # int64[MINUTES, STOPS + 1]: minutes to a stop for a bus that leaves for it now
    arrived: np.ndarray = derived(init=False)  # int64[MINUTES + 1, STOPS + 1]: passengers who came before this minute
    joined: np.ndarray = derived(init=False)  # int64[MINUTES]: passengers who come in this minute, to all stops that count
    # The position at the first decision
    start_minute: int = derived(init=False)
    start_bus: int = derived(init=False)
    start_waiting: int = derived(init=False)
    start_buses: np.ndarray = derived(init=False)
    start_taken: np.ndarray = derived(init=False)

    def prepare(self) -> Any:
        """Add up the data, and drive to the first decision."""
        given: Any = self.line
        if given is None or np.size(given) == 0:
            given, line = np.zeros((0, 0, 0), np.int32), random_line(self.seed)
        else:
            given = line = as_line(given)
        passengers, travel, incident = (line[:, :, column].astype(np.int64) for column in range(3))
        nothing = np.zeros((1, STOPS + 1), np.int64)
        counted = [stop for stop in range(1, STOPS) if stop != HALFWAY]
        made = fill(
            self,
            line=given,
            again=self.model == "reference",
            trip=incident + np.vstack([nothing, travel[:-1]]),  # travel as it was known a minute ago
            arrived=np.cumsum(np.vstack([nothing, passengers]), axis=0),
            joined=passengers[:, counted].sum(axis=1),
        )
        state = new_state(made)
        state.buses[STOP, BUSES // 2 :] = HALFWAY
        with like_compiled():
            made.advance(state, 0)
        return fill(
            made,
            start_minute=int(state.minute),
            start_bus=int(state.bus),
            start_waiting=int(state.waiting),
            start_buses=state.buses.copy(),
            start_taken=state.taken.copy(),
        )

    def layout(self) -> Any:
        return [
            ("cost", np.int64),  # minutes waited since the first decision
            ("waiting", np.int64),  # passengers at all stops that count
            ("minute", np.int32),
            ("bus", np.int32),  # whose turn it is to be given a waiting time
            ("taken", np.int32, (STOPS + 1,)),  # passengers who have left each stop
            ("buses", np.int16, (4, BUSES)),
        ]

    def max_moves(self) -> int:
        return self.max_wait

    def max_length(self) -> int:
        return (MINUTES - WARM_UP) * BUSES

    def reset(self, state):
        state.cost = 0
        state.waiting = self.start_waiting
        state.minute = self.start_minute
        state.bus = self.start_bus
        for stop in range(STOPS + 1):
            state.taken[stop] = self.start_taken[stop]
        for row in range(4):
            for bus in range(BUSES):
                state.buses[row, bus] = self.start_buses[row, bus]

    def moves(self, state, out):
        if state.minute == MINUTES:
            return 0
        for wait in range(1, self.max_wait + 1):
            out[wait - 1] = wait
        return self.max_wait

    def candidates(self, state, out):
        """Algorithm 4."""
        count = self.moves(state, out)
        if count > 1 and self.delta > 0 and gap_behind(state) < self.delta:
            return 1  # the first is 1 minute
        return count

    def sample(self, state, out, rng):
        if state.minute == MINUTES:
            return np.int64(-1)
        return 1 + rng.below(self.max_wait)

    def play(self, state, wait):
        state.buses[DWELL, state.bus] = wait
        self.advance(state, state.bus + 1)

    def advance(self, state, bus):
        """Drive on, beginning with `bus` in the current minute, up to the next decision or the end."""
        while state.minute < MINUTES:
            if bus == 0 and state.minute % HEADWAY == 0:
                self.depart(state, 0)
                self.depart(state, HALFWAY)
            while bus < BUSES:
                if state.buses[ACTIVE, bus] and self.drive(state, bus) and state.minute >= WARM_UP:
                    state.bus = bus
                    return
                bus += 1
            state.cost += state.waiting
            state.waiting += self.joined[state.minute]
            state.minute += 1
            bus = 0

    def depart(self, state, terminus):
        """The lowest-numbered bus that stands at the terminus sets off."""
        buses = state.buses
        for bus in range(BUSES):
            if buses[STOP, bus] == terminus and not buses[ACTIVE, bus]:
                buses[ACTIVE, bus] = 1
                buses[COUNTDOWN, bus] = self.trip[state.minute, terminus + 1]
                return

    def drive(self, state, bus):
        """One minute of an active bus. Returns whether it stands at a stop and is to be given a waiting time."""
        buses = state.buses
        if buses[DWELL, bus] > 0:
            buses[DWELL, bus] -= 1
            self.board(state, buses[STOP, bus])
            if buses[DWELL, bus] > 0:
                return self.again
            buses[COUNTDOWN, bus] = self.trip[state.minute, buses[STOP, bus] + 1]
            return False
        buses[COUNTDOWN, bus] -= 1
        if buses[COUNTDOWN, bus] > 0:
            return False
        stop = buses[STOP, bus] + 1
        if stop in (HALFWAY, STOPS):
            buses[STOP, bus] = stop % STOPS
            buses[COUNTDOWN, bus] = 0
            buses[ACTIVE, bus] = 0
            return False
        buses[STOP, bus] = stop
        self.board(state, stop)
        return buses[COUNTDOWN, bus] == 0  # below 0, and not asked, if it has not stopped since the warm-up

    def board(self, state, stop):
        """Everybody who waits at the stop gets in."""
        come = self.arrived[state.minute, stop]
        state.waiting -= come - state.taken[stop]
        state.taken[stop] = come

    def score(self, state):
        """Minus the document's figure, which is (cost - 200,000) / 1,000."""
        return np.float64(200_000 - state.cost) / 1000

    def bound(self, state):
        """Cost never falls."""
        return self.score(state)

    def code(self, state, wait):
        """The stop, the minute, and how long to wait (Section 3.1)."""
        stop = np.int64(state.buses[STOP, state.bus])
        return np.uint64((stop * MINUTES + state.minute) * 16 + wait)

    def key(self, state):
        word = mixed(mixed(_MIX, state.minute), state.bus)
        for stop in range(STOPS + 1):
            word = mixed(word, state.taken[stop])
        for bus in range(BUSES):
            dwell = np.int64(state.buses[DWELL, bus])
            if bus == state.bus:  # it is about to be set
                dwell = 0
            elif self.again:  # from 2 on, the bus is asked again before it leaves
                dwell = min(dwell, 2)
            word = mixed(word, state.buses[STOP, bus])
            word = mixed(word, state.buses[COUNTDOWN, bus])
            word = mixed(word, dwell * 2 + state.buses[ACTIVE, bus])
        return word

    def label(self, state, wait):
        """The bus, its stop and how long it waits there; and the minute, by which one can tell if that is over."""
        stop = np.int64(state.buses[STOP, state.bus])
        return ((np.int64(state.minute) * 128 + stop) * 32 + state.bus) * 16 + wait

    def find(self, state, label, out):
        """The waiting time, if it is that bus's turn at that stop; if it has not come there yet, others are asked first."""
        wait, bus, stop, minute = label % 16, label // 16 % 32, label // 512 % 128, label // 65_536
        here = np.int64(state.buses[STOP, bus])
        if state.minute == MINUTES:
            return np.int64(-1)
        if bus == state.bus and here == stop:
            return np.int64(wait)
        late = state.minute > minute + _DELAY
        to_come = here < stop or (here == stop and minute * 32 + bus > state.minute * 32 + state.bus)
        return np.int64(-2) if to_come and not late else np.int64(-1)

    def text(self, state, wait):
        bus = int(state.bus)
        return f"bus {bus} stop {state.buses[STOP, bus]} t={state.minute} wait {wait}"

    def render(self, state):
        from arbora.problems.bus.render import render_line

        return render_line(self, state)

    def waiting_at(self, state: Any, stop: int) -> int:
        """How many wait at a stop."""
        return int(self.arrived[state.minute, stop]) - int(state.taken[stop])

    def save(self, file: str | Path) -> None:
        """Write the line as a file that `bus:FILE` plays."""
        given: Any = self.line
        write_line(given if given.size else random_line(self.seed), file)


@inline_kernel
def gap_behind(state):
    """Stops to the nearest bus at the same or a lower-numbered stop than the one that is asked; many if there is none."""
    here = state.buses[STOP, state.bus]
    gap = STOPS
    for bus in range(BUSES):
        if bus != state.bus:
            behind = here - state.buses[STOP, bus]
            if 0 <= behind < gap:
                gap = behind
    return gap


@inline_kernel
def mixed(word, value):
    """A hash of everything before, `word`, and one more number."""
    word = (word ^ np.uint64(np.int64(value))) * _MIX
    return word ^ (word >> _32)
