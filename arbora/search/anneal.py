"""Simulated annealing over whole move sequences.

A *line* is a whole episode. One step edits a line and keeps the edited one if it is no worse, or, with a probability that
falls with the temperature, although it is worse. Moves are edited by their *labels*, names that outlive the position
(`problem.label` and `problem.find`): after an edit the rest of the line is played again by its labels, those that stand for
no move any more are skipped, and the policy plays to the end. As soon as an edited line comes back to a position of the old
one, the rest is known.

Edits, at a random place of the line: delete a move, insert a random one, exchange one for another, shift one to later or to
earlier.

The temperature needs no setting: it is steered so that a given share of the edits that make a line worse is kept, a share
that falls from `hot` to `cold` over the run. Several lines are annealed side by side; at first all of them, later fewer and
fewer: at the end of a stage the lines with the lowest mean worth are dropped.
"""

from typing import Any

import numpy as np

from arbora.component import make_component, param
from arbora.engine.kernel import inline_kernel
from arbora.engine.lines import make_lines
from arbora.engine.run import PLAYOUTS, TOO_LONG
from arbora.policies.selective import Selective
from arbora.problem import bounds
from arbora.search.search import search

_NEW = -1  # in a plan: the move to be inserted
_NOT_YET = -2  # what `find` says of a label while something else must be played first
_CHUNK = 32  # edits of one line before the next line's turn
_WARM_UP = 0.005  # share of the run after which its length in edits is estimated


@make_component
class Workspace:
    """All memory of one annealing run."""

    lines: object
    row: np.ndarray  # int64[lines]: where each line is in `lines`; the last one is the draft that edits are made in
    total: np.ndarray  # float64[lines]: sum of worth over the steps of a stage
    steps: np.ndarray  # float64[lines]: steps of the stage
    plan: np.ndarray  # int32[max_length + 2]: moves to play after an edit, as indices into the line, or _NEW
    heat: np.ndarray  # float64[2]: temperature; worsening edits seen so far


@search
class Anneal:
    """Simulated annealing over whole move sequences."""

    keeps_states = True

    policy: object = param("how moves are drawn that are inserted, or finish a line", default=Selective())
    lines: int = param(
        "lines annealed side by side; 0: as many as the budget is long enough for", default=0, low=0, high=1000
    )
    stages: int = param("times that the worst lines may be dropped", default=50, low=1)
    settle: float = param("share of the run before the first are dropped", default=0.18, low=0, high=1)
    hot: float = param("share of worsening edits kept at the start", default=0.1, low=0.0001, high=1)
    cold: float = param("share of worsening edits kept at the end", default=0.01, low=0, high=1)
    delete: float = param("weight of deleting a move", default=1.0, low=0)
    insert: float = param("weight of inserting a random move", default=6.0, low=0)
    exchange: float = param("weight of exchanging a move for a random one", default=2.0, low=0)
    shift: float = param("weight of shifting a move, half of them to later, half to earlier", default=6.0, low=0)

    def most_lines(self):
        return self.lines if self.lines > 0 else 32

    def workspace(self, problem: Any) -> Any:
        rows = self.most_lines() + 1
        return Workspace(
            lines=make_lines(problem, rows),
            row=np.arange(rows),
            total=np.zeros(rows),
            steps=np.zeros(rows),
            plan=np.zeros(bounds(problem)[1] + 2, np.int32),
            heat=np.zeros(2),
        )

    def run(self, problem, run):
        work = run.work
        work.heat[:] = 0.0
        work.total[:] = 0.0
        work.steps[:] = 0.0
        before = run.counters[PLAYOUTS]
        problem.reset(run.states[0])
        self.begin(problem, run, 0)
        alive = started = 1
        warm = False
        stage = 0
        while run.going():
            spent = run.spent()
            if not warm and spent >= _WARM_UP:  # the first line has shown how many edits the run is long
                warm = True
                alive = started = max(self.affordable(run.counters[PLAYOUTS] - before, spent), 1)
                for line in range(1, started):
                    if run.going():
                        self.begin(problem, run, line)
            for line in range(alive):
                work.lines.worth[work.row[line]] = self.worth(problem, work, line, spent)
                for _ in range(_CHUNK):
                    if run.going():
                        self.step(problem, run, line, spent)
            if int(run.spent() * self.stages) > stage:
                stage = int(run.spent() * self.stages)
                alive = self.drop(run, alive, self.wanted(started, stage / self.stages))

    def affordable(self, edits, spent):
        """How many lines the budget is long enough for, if a share of it was enough for so many edits."""
        if self.lines > 0:
            return self.lines
        return int(min(np.sqrt(edits / spent / 40_000.0), 32.0))

    def wanted(self, started, spent):
        """How many lines are left at this time: all of them at first, then fewer and fewer by equal factors, at last one."""
        if spent < self.settle or self.settle == 1.0:
            return started
        return int(started ** (1.0 - (spent - self.settle) / (1.0 - self.settle)) + 0.5)

    def drop(self, run, alive, wanted):
        """Drop the lines with the lowest mean worth; a new stage begins."""
        total, steps, row = run.work.total, run.work.steps, run.work.row
        while alive > max(wanted, 1):
            worst = 0
            for line in range(1, alive):
                if total[line] * steps[worst] < total[worst] * steps[line]:
                    worst = line
            alive -= 1
            row[worst], row[alive] = row[alive], row[worst]
            total[worst], total[alive] = total[alive], total[worst]
            steps[worst], steps[alive] = steps[alive], steps[worst]
        for line in range(alive):
            total[line] = 0.0
            steps[line] = 0.0
        return alive

    def worth(self, problem, work, line, spent):
        """What a line is worth at this time of the run."""
        row = work.row[line]
        return problem.eased(work.lines.last[row], spent) + work.lines.last_gain[row]

    def begin(self, problem, run, line):
        """A new line, played by the policy from the start."""
        work = run.work
        row, draft = work.row[line], work.row[self.most_lines()]
        work.lines.begin(row, problem, run.states[0])
        met, _ = self.replay(problem, run, row, draft, 0, 0, 0, -1, 0.0)
        if met == -1:
            self.tell(run, row, draft, 0, met)
            work.lines.copy_beginning(row, draft, 0, 1)
            work.row[line], work.row[self.most_lines()] = draft, row

    def step(self, problem, run, line, spent):
        """Edit a line, and keep what comes out if the temperature allows."""
        work, lines = run.work, run.work.lines
        draft = self.most_lines()
        old, new = work.row[line], work.row[draft]
        work.total[line] += lines.worth[old]
        work.steps[line] += 1.0
        first, count, settled, move = self.edit(problem, run, old)
        if count < 0:
            run.count(lines.score[old], lines.length[old])
            return
        met, gain = self.replay(problem, run, old, new, first, count, settled, move, spent)
        if met < -1:
            return
        self.tell(run, old, new, first, met)
        if self.accepts(run, lines.worth[new] - lines.worth[old], spent):
            if met >= 0:
                lines.copy_end(old, new, met, gain)
            lines.copy_beginning(old, new, first, lines.slot_before(old, first) + 1)
            work.row[line], work.row[draft] = new, old

    def edit(self, problem, run, old):
        """Draw an edit and plan it: (first move that changes, moves planned, of these needed to catch up, new move).

        The plan lists moves of the old line by index. It has caught up when it has used all moves up to the one it stands
        at: from there on a position of the old line may be met again. A plan of -1 moves means that nothing changes.
        """
        lines, plan = run.work.lines, run.work.plan
        n = lines.length[old]
        if n == 0:
            return 0, -1, 0, -1
        k = run.rng.below(n)
        kind = run.rng.uniform() * (self.delete + self.insert + self.exchange + self.shift)
        if kind < self.delete:
            return k, planned(plan, 0, k + 1, n), 0, -1
        if kind < self.delete + self.insert + self.exchange:
            self.go_to(problem, run, old, k)
            self.policy.begin(problem, run.states[1], run.memory[0], run.rng)
            move = self.policy.choose(problem, run.states[1], run.memory[0], run.moves, run.rng)
            if move == lines.moves[old, k]:
                return 0, -1, 0, -1
            plan[0] = _NEW
            kept = k if kind < self.delete + self.insert else k + 1
            return k, planned(plan, 1, kept, n), 1, move
        if run.rng.below(2) == 0:  # to later
            j = k + 1 + run.rng.below(1 + run.rng.below(n - k))
            if j >= n:
                return 0, -1, 0, -1
            count = planned(plan, 0, k + 1, j + 1)
            count = planned(plan, count, k, k + 1)
            return k, planned(plan, count, j + 1, n), count, -1
        j = k - 1 - run.rng.below(1 + run.rng.below(k + 1))  # to earlier
        if j < 0:
            return 0, -1, 0, -1
        self.go_to(problem, run, old, j)
        if problem.find(run.states[1], lines.labels[old, k], run.moves) < 0:
            return 0, -1, 0, -1
        count = planned(plan, 0, k, k + 1)
        count = planned(plan, count, j, k)
        return j, planned(plan, count, k + 1, n), count, -1

    def go_to(self, problem, run, old, index):
        """Put the position after `index` moves of a line into `run.states[1]`; returns the kept one it was played from."""
        lines = run.work.lines
        slot = lines.slot_before(old, index)
        run.states[1] = lines.states[old, slot]
        for i in range(lines.at[old, slot], index):
            problem.play(run.states[1], lines.moves[old, i])
        return slot

    def replay(self, problem, run, old, new, first, count, settled, inserted, spent):
        """Play the plan from move `first` on, then the policy, into the line `new`; set its score and worth.

        Returns the kept position of the old line that was met, -1 if the end was reached, -2 if the run was stopped; and
        how much the score was ahead of the old one's where they met.
        """
        work, lines = run.work, run.work.lines
        slot = self.go_to(problem, run, old, first)
        state = run.states[1]
        gain = lines.gain[old, slot]
        lines.length[new] = first
        lines.kept[new] = slot + 1
        lines.at[new, slot] = lines.at[old, slot]
        lines.keys[new, slot] = lines.keys[old, slot]
        done = 0
        improvising = False
        while not run.stopped():
            move = np.int64(_NOT_YET)
            label = np.int64(0)
            index = np.int64(_NEW)
            if done < count:
                index = np.int64(work.plan[done])
                if index == _NEW:
                    move = np.int64(inserted)
                else:
                    label = lines.labels[old, index]
                    move = np.int64(problem.find(state, label, run.moves))
            if move == _NOT_YET:  # nothing planned fits here: the policy plays
                if not improvising:
                    improvising = True
                    self.policy.begin(problem, state, run.memory[0], run.rng)
                move = np.int64(self.policy.choose(problem, state, run.memory[0], run.moves, run.rng))
                if move < 0:
                    lines.last[new] = state
                    lines.last_gain[new] = gain
                    lines.score[new] = problem.score(state) + gain
                    lines.worth[new] = problem.eased(state, spent) + gain
                    return np.int64(-1), 0.0
                index = np.int64(_NEW)
            else:
                done += 1
            if move >= 0:
                if lines.length[new] == run.path.size:
                    run.fail(TOO_LONG, lines.length[new])
                    break
                if index == _NEW:
                    label = np.int64(problem.label(state, move))
                lines.append(new, problem, state, move, label, gain)
            if index != _NEW and done > settled:
                met = lines.meets(old, index + 1, new, problem, state)
                if met >= 0:
                    ahead = problem.score(state) + gain - (problem.score(lines.states[old, met]) + lines.gain[old, met])
                    lines.score[new] = lines.score[old] + ahead
                    lines.worth[new] = lines.worth[old] + ahead
                    return met, ahead
        return np.int64(-2), 0.0

    def tell(self, run, old, new, first, met):
        """Count the edited line as a finished episode, and publish it if it is the best so far."""
        lines = run.work.lines
        score = lines.score[new]
        length = lines.length[new]
        if score <= run.best_score[0]:
            run.count(score, length)
            return
        for i in range(first):
            run.path[i] = lines.moves[old, i]
        for i in range(first, length):
            run.path[i] = lines.moves[new, i]
        if met >= 0:
            for i in range(lines.at[old, met], lines.length[old]):
                run.path[length] = lines.moves[old, i]
                length += 1
        run.finish(score, length)

    def accepts(self, run, change, spent):
        """Is a line kept that is worth so much more? Worsening ones by chance; the temperature learns from each of them."""
        if change >= 0:
            return True
        heat = run.work.heat
        if heat[1] == 0:
            heat[0] = -change
        accepted = run.rng.uniform() < np.exp(change / heat[0])
        wanted = self.hot * (self.cold / self.hot) ** spent
        heat[1] += 1.0
        rate = max(0.003, 1.0 / (10.0 + heat[1]))
        heat[0] *= np.exp(rate * (wanted - accepted))
        return accepted


@inline_kernel
def planned(plan, count, begin, end):
    """Append the moves `begin` .. `end` - 1 to a plan of `count` moves; return how many it has now."""
    for i in range(begin, end):
        plan[count] = i
        count += 1
    return count
