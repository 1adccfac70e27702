"""One machine, many jobs: in which order, so that little is late and nothing important is?

    arbora solve examples/due_dates.py:DueDates
    arbora solve examples/due_dates.py:DueDates,jobs=40,seed=7 nrpa,level=4 --seconds 30

Every job has a duration, a due date and a weight; a job that ends t days late costs weight * t (total weighted tardiness,
a problem that is NP-hard). The score is minus the cost. The best order of the default 12 jobs costs 901, which dynamic
programming over all 4,096 sets of jobs confirms.
"""

import numpy as np

import arbora
from arbora import derived, fill


@arbora.problem
class DueDates:
    """Order jobs on one machine so that their weighted lateness is least."""

    jobs: int = arbora.param("how many jobs", default=12, low=1, high=500)
    seed: int = arbora.param("which random jobs", default=1, low=0)
    duration: np.ndarray = derived(init=False)
    due: np.ndarray = derived(init=False)
    weight: np.ndarray = derived(init=False)

    def prepare(self):
        """Draw the jobs; due dates are spread over the time that all jobs take together."""
        random = np.random.RandomState(self.seed)  # its numbers are the same in every version of numpy
        duration = random.randint(1, 20, self.jobs)
        due = random.randint(1, duration.sum() + 1, self.jobs)
        return fill(self, duration=duration, due=due, weight=random.randint(1, 10, self.jobs))

    def layout(self):
        return [("done", np.int8, (self.jobs,)), ("place", np.int64), ("clock", np.int64), ("cost", np.int64)]

    def max_moves(self):
        return self.jobs

    def max_length(self):
        return self.jobs

    def reset(self, state):
        state.done[:] = 0
        state.place = 0
        state.clock = 0
        state.cost = 0

    def moves(self, state, out):
        """A move is the job that the machine does next."""
        count = 0
        for job in range(self.jobs):
            if not state.done[job]:
                out[count] = job
                count += 1
        return count

    def play(self, state, job):
        state.done[job] = 1
        state.place += 1
        state.clock += self.duration[job]
        state.cost += self.weight[job] * max(state.clock - self.due[job], 0)

    def score(self, state):
        return -state.cost

    def code(self, state, job):
        """What matters about a job is how early it comes, so NRPA learns a weight for each job in each place."""
        return state.place * self.jobs + job

    def text(self, state, job):
        end = state.clock + self.duration[job]
        late = max(end - self.due[job], 0)
        return f"{job}" + (f"(+{late})" if late else "")
