"""The travelling salesman: the shortest round trip through random cities.

    arbora solve examples/tsp.py:TSP
    arbora solve examples/tsp.py:TSP,cities=50,near=5 nrpa,level=4 --seconds 60

The score is minus the length of the tour. For the default 12 cities the shortest tour is 2.8433 long, which the dynamic
programme of Held and Karp confirms.
"""

import numpy as np

import arbora
from arbora import derived, fill


@arbora.problem
class TSP:
    """Visit every city once and come back, on the shortest way."""

    cities: int = arbora.param("how many cities", default=12, low=3, high=500)
    seed: int = arbora.param("which random cities", default=1, low=0)
    near: int = arbora.param("how many of the nearest cities a play-out may go on to", default=8, low=1)
    place: np.ndarray = derived(init=False)
    distance: np.ndarray = derived(init=False)

    def prepare(self):
        """Draw the cities in a square of side 1, and measure all distances once and for all."""
        place = np.random.RandomState(self.seed).random_sample((self.cities, 2))
        distance = np.sqrt(((place[:, None] - place[None]) ** 2).sum(axis=2))
        return fill(self, place=place, distance=distance)

    def layout(self):
        return [("visited", np.int8, (self.cities,)), ("here", np.int64), ("left", np.int64), ("length", np.float64)]

    def max_moves(self):
        return self.cities

    def max_length(self):
        return self.cities

    def reset(self, state):
        state.visited[:] = 0
        state.visited[0] = 1  # a round trip may start anywhere: it starts in city 0
        state.here = 0
        state.left = self.cities - 1
        state.length = 0.0

    def moves(self, state, out):
        """A move is the next city."""
        count = 0
        for city in range(self.cities):
            if not state.visited[city]:
                out[count] = city
                count += 1
        return count

    def play(self, state, city):
        state.visited[city] = 1
        state.length += self.distance[state.here, city]
        state.here = city
        state.left -= 1

    def score(self, state):
        if state.left > 0:
            return -state.length
        return -(state.length + self.distance[state.here, 0])

    def code(self, state, city):
        """A tour is made of roads, so NRPA learns a weight for each road, not for each city."""
        return state.here * self.cities + city

    def candidates(self, state, out):
        """Play-outs go on to one of the nearest cities left: short tours hardly ever pass many of them by."""
        count = self.moves(state, out)
        near = min(count, self.near)
        for i in range(near):
            for j in range(i + 1, count):
                if self.distance[state.here, out[j]] < self.distance[state.here, out[i]]:
                    out[i], out[j] = out[j], out[i]
        return near

    def render(self, state):
        """A map: cities on the tour as #, the others as o, the salesman as @."""
        lines = [[" "] * 40 for _ in range(16)]
        for city in range(self.cities):
            x, y = self.place[city]
            sign = "@" if city == state.here else "#" if state.visited[city] else "o"
            lines[int(y * 16)][int(x * 40)] = sign
        return "\n".join("".join(line) for line in lines)
