"""Stories as a problem: what happens is a sequence of actions, worth its believability times the goals it reaches.

Document 004, Section 4: characters, items and places act on each other; a story's believability is the product of that of
its actions, each judged in its context, and its score that product times the share of the goals. It ends at a length, or
when enough of the goals are met.

A state is the facts of the world as bits. An event, an action with its objects, is tried by a few tests of whole words, and
is looked up under one fact that must be true for it. A play-out draws events until one may happen, which is as uniform as
drawing from a list, and far quicker.
"""

from functools import lru_cache
from typing import Any

import numpy as np

from arbora.component import derived, fill, param
from arbora.engine.bits import trailing_zeros
from arbora.errors import BadInput
from arbora.problem import like_compiled, new_state, problem
from arbora.problems.story.grounding import Ground, ground
from arbora.problems.story.plain import Event, Scene
from arbora.problems.story.reading import Document, read_world, world_path
from arbora.problems.story.tables import tables
from arbora.problems.story.templates import plain_sentence
from arbora.problems.story.world import LONGEST, Goal, World, build

MISSED_MUST = 0.001  # what is left of a story's worth if it misses a goal that it must reach
LEAST = 1e-6  # believability that counts as such in `bias`
TRIES = 100  # events drawn before all that may happen are listed

_0, _1 = np.uint64(0), np.uint64(1)


@problem
class Story:
    """Tell a believable story that reaches its goals; the score is believability times the share of the goals."""

    world: str = param("a world: crime, another that comes with Arbora, or FILE.yaml", default="crime")
    goals: str = param(
        "goals of the world by name, or conditions, with ; between them; all of the world's if empty", default=""
    )
    never: str = param("conditions that may not become true, with ; between them; besides the world's own", default="")
    length: int = param("most actions; 0 for what the world says", default=0, low=0, high=LONGEST)
    enough: float = param("the share of the goals at which a story ends", default=1.0, low=0.0, high=1.0)
    begun: object = param("moves that the story begins with", default=())
    told: object = param("the moves of other stories, which this one should differ from", default=())
    distance: float = param("how far from those it should be, from 0 to 1", default=0.0, low=0.0, high=1.0)

    source: str = derived(init=False)  # the world as it was read
    longest: int = derived(init=False)
    start: np.ndarray = derived(init=False)  # uint64[words]: the facts
    # What `tables` makes; see there
    test_word: np.ndarray = derived(init=False)
    test_mask: np.ndarray = derived(init=False)
    test_want: np.ndarray = derived(init=False)
    clause_first: np.ndarray = derived(init=False)
    condition_first: np.ndarray = derived(init=False)
    event_need: np.ndarray = derived(init=False)  # the condition of each event
    event_action: np.ndarray = derived(init=False)
    action_count: int = derived(init=False)
    rule_first: np.ndarray = derived(init=False)
    rule_condition: np.ndarray = derived(init=False)
    rule_value: np.ndarray = derived(init=False)
    effect_first: np.ndarray = derived(init=False)
    effect_condition: np.ndarray = derived(init=False)
    change_first: np.ndarray = derived(init=False)
    change_word: np.ndarray = derived(init=False)
    change_clear: np.ndarray = derived(init=False)
    change_set: np.ndarray = derived(init=False)
    index_bits: np.ndarray = derived(init=False)
    index_first: np.ndarray = derived(init=False)
    index_event: np.ndarray = derived(init=False)
    goal_weight: np.ndarray = derived(init=False)  # goals, then what may never be
    goal_must: np.ndarray = derived(init=False)
    goal_first: np.ndarray = derived(init=False)
    goal_count: int = derived(init=False)  # how many are goals
    need_low: np.ndarray = derived(init=False)
    need_high: np.ndarray = derived(init=False)
    need_action: np.ndarray = derived(init=False)
    member_first: np.ndarray = derived(init=False)
    member_condition: np.ndarray = derived(init=False)
    event_kind: np.ndarray = derived(init=False)
    told_kinds: np.ndarray = derived(init=False)  # uint8[stories, kinds]: which kinds of events the other stories have
    told_count: np.ndarray = derived(init=False)  # int64[stories]: how many

    def prepare(self) -> Any:
        document = read_world(world_path(self.world))
        made, arrays = _grounded(document, self.goals, self.never, self.length)
        story = fill(
            self,
            source=document.as_text(),
            longest=self.length or made.world.length,
            goal_count=len(made.goals),
            action_count=len(made.world.actions),
            **arrays,
        )
        return story.after(self.begun).unlike(self.told, self.distance)

    def after(self, begun: Any) -> Any:
        """The same story once these moves have been made. Raises BadInput if they cannot be."""
        moves = _moves(begun, self.event_need.size, "begun")
        _require_legal(fill(self, begun=moves[:0]), moves)
        return fill(self, begun=moves)

    def unlike(self, told: Any, distance: float) -> Any:
        """The same story, to be as far as `distance` from others, which are given by their moves."""
        stories = [_moves(moves, self.event_need.size, "told") for moves in told]
        width = max(map(len, stories), default=0)
        padded = [[*moves, *[-1] * (width - len(moves))] for moves in stories]
        kinds = told_kinds(self.event_kind, stories)
        return fill(
            self,
            told=np.array(padded, np.int32).reshape(len(stories), width),
            distance=float(distance),
            told_kinds=kinds,
            told_count=kinds.sum(axis=1).astype(np.int64),
        )

    def layout(self) -> Any:
        """Sizes are rounded up, so that worlds and lengths of the usual sizes run the same machine code."""
        words, actions = rounded(self.start.size, 8), rounded(self.action_count, 32)
        return [
            ("facts", np.uint64, (words,)),
            ("after", np.uint64, (words,)),  # scratch: the facts after an event
            ("believability", np.float64),
            ("met", np.int64),  # the goals, as bits
            ("length", np.int32),
            ("over", np.int32),
            ("history", np.int32, (rounded(self.longest, 50),)),
            ("happened", np.int16, (actions,)),
        ]

    def max_moves(self) -> int:
        return self.event_need.size

    def max_length(self) -> int:
        return self.longest

    def reset(self, state):
        for word in range(state.facts.size):
            state.facts[word] = self.start[word] if word < self.start.size else _0
            state.after[word] = _0
        state.believability = 1.0
        state.length = 0
        state.over = 0
        for i in range(state.history.size):
            state.history[i] = 0
        for i in range(state.happened.size):
            state.happened[i] = 0
        state.met = self.goals_met(state)
        for i in range(self.begun.size):
            self.play(state, self.begun[i])

    def moves(self, state, out):
        """The events of each fact that is true, then those that need none, as far as they may happen."""
        count = 0
        if state.over:
            return count
        for word in range(self.start.size):
            keys = state.facts[word] & self.index_bits[word]
            while keys != _0:
                row = 64 * word + np.int64(trailing_zeros(keys))
                keys &= keys - _1
                count = self.list_row(state, row, out, count)
        return self.list_row(state, 64 * self.start.size, out, count)

    def list_row(self, state, row, out, count):
        for i in range(self.index_first[row], self.index_first[row + 1]):
            event = self.index_event[i]
            if self.may_happen(state, event):
                out[count] = event
                count += 1
        return count

    def sample(self, state, out, rng):
        """Events of the facts that are true are drawn until one may happen: each of those is as likely as any other."""
        if state.over:
            return np.int64(-1)
        events = self.true_rows(state, out)
        for _ in range(TRIES if events > 0 else 0):
            rest = rng.below(events)
            i = 0
            row = np.int64(out[0])
            while rest >= self.index_first[row + 1] - self.index_first[row]:
                rest -= self.index_first[row + 1] - self.index_first[row]
                i += 1
                row = np.int64(out[i])
            event = self.index_event[self.index_first[row] + rest]
            if self.may_happen(state, event):
                return np.int64(event)
        count = self.moves(state, out)
        return np.int64(out[rng.below(count)]) if count > 0 else np.int64(-1)

    def true_rows(self, state, out):
        """Write the rows of the facts that are true to `out`; returns how many events are in them."""
        rows, events = 0, np.int64(0)
        for word in range(self.start.size):
            keys = state.facts[word] & self.index_bits[word]
            while keys != _0:
                row = 64 * word + np.int64(trailing_zeros(keys))
                keys &= keys - _1
                out[rows] = row
                rows += 1
                events += self.index_first[row + 1] - self.index_first[row]
        rest = 64 * self.start.size
        if self.index_first[rest + 1] > self.index_first[rest]:
            out[rows] = rest
            rows += 1
            events += self.index_first[rest + 1] - self.index_first[rest]
        return events

    def may_happen(self, state, event):
        if not self.holds(state.facts, self.event_need[event]):
            return False
        if self.goal_count == self.goal_weight.size:
            return True
        self.look_ahead(state, event)
        for goal in range(self.goal_count, self.goal_weight.size):
            if self.is_met(state.after, state.happened, goal, self.event_action[event]):
                return False
        return True

    def play(self, state, event):
        state.believability *= self.rule_value[self.matching_rule(state, event)]
        self.look_ahead(state, event)
        for word in range(self.start.size):
            state.facts[word] = state.after[word]
        state.happened[self.event_action[event]] += 1
        state.history[state.length] = event
        state.length += 1
        state.met = self.goals_met(state)
        if state.length >= self.longest or self.share(state) >= self.enough:
            state.over = 1

    def score(self, state):
        worth = state.believability * self.share(state)
        for goal in range(self.goal_count):
            if self.goal_must[goal] and state.met >> goal & 1 == 0:
                worth *= MISSED_MUST
        return worth * self.novelty(state)

    def eased(self, state, hardness):
        """The score with goals that are met in part counting in part, the less the harder: a way to climb towards them."""
        met, total = 0.0, 0.0
        for goal in range(self.goal_count):
            total += self.goal_weight[goal]
            met += self.goal_weight[goal] * self.progress(state, goal)
        share = self.share(state)
        return state.believability * (share + (1.0 - hardness) * (met / total - share)) * self.novelty(state)

    def progress(self, state, goal):
        """How much of a goal is met: the average over its requirements, of which a count is met step by step."""
        met = 0.0
        for need in range(self.goal_first[goal], self.goal_first[goal + 1]):
            count = self.counted(state.facts, state.happened, need, -1)
            if count <= self.need_high[need]:
                met += min(count / self.need_low[need], 1.0) if self.need_low[need] > 0 else 1.0
        return met / (self.goal_first[goal + 1] - self.goal_first[goal])

    def bound(self, state):
        """Nothing becomes more believable, and there is no more than all goals."""
        return self.score(state) if state.over else state.believability

    def kinds(self):
        """What is done: each action is a kind, whoever does it."""
        return self.action_count

    def kind(self, state, event):
        return np.int64(self.event_action[event])

    def code(self, state, event):
        """An event in its context: by how believable it is there."""
        return np.uint64(self.matching_rule(state, event))

    def bias(self, state, event):
        """Actions are as likely as they are believable."""
        return np.log(max(self.rule_value[self.matching_rule(state, event)], LEAST))

    def holds(self, facts, condition):
        """Does one of the condition's clauses pass all its tests?"""
        for clause in range(self.condition_first[condition], self.condition_first[condition + 1]):
            passed = True
            for test in range(self.clause_first[clause], self.clause_first[clause + 1]):
                if facts[self.test_word[test]] & self.test_mask[test] != self.test_want[test]:
                    passed = False
                    break
            if passed:
                return True
        return False

    def matching_rule(self, state, event):
        """The first rule that matches; the last one always does."""
        last = self.rule_first[event + 1] - 1
        for rule in range(self.rule_first[event], last):
            if self.holds(state.facts, self.rule_condition[rule]):
                return np.int64(rule)
        return np.int64(last)

    def look_ahead(self, state, event):
        """Write the facts after an event to `after`."""
        for word in range(self.start.size):
            state.after[word] = state.facts[word]
        for effect in range(self.effect_first[event], self.effect_first[event + 1]):
            if self.holds(state.facts, self.effect_condition[effect]):
                for change in range(self.change_first[effect], self.change_first[effect + 1]):
                    word = self.change_word[change]
                    state.after[word] = state.after[word] & ~self.change_clear[change] | self.change_set[change]

    def goals_met(self, state):
        found = np.int64(0)
        for goal in range(self.goal_count):
            if self.is_met(state.facts, state.happened, goal, -1):
                found |= np.int64(1) << np.int64(goal)
        return found

    def is_met(self, facts, happened, goal, extra):
        """Are all requirements of a goal met? The action `extra` counts as having happened once more."""
        for need in range(self.goal_first[goal], self.goal_first[goal + 1]):
            count = self.counted(facts, happened, need, extra)
            if count < self.need_low[need] or count > self.need_high[need]:
                return False
        return True

    def counted(self, facts, happened, need, extra):
        """How many members of a requirement hold, or how often its action has happened."""
        count = np.int64(0)
        for member in range(self.member_first[need], self.member_first[need + 1]):
            if self.holds(facts, self.member_condition[member]):
                count += 1
        action = self.need_action[need]
        if action >= 0:
            count += happened[action] + (1 if action == extra else 0)
        return count

    def share(self, state):
        """The share of the goals that are met, by weight."""
        met, total = 0.0, 0.0
        for goal in range(self.goal_count):
            total += self.goal_weight[goal]
            if state.met >> goal & 1:
                met += self.goal_weight[goal]
        return met / total

    def novelty(self, state):
        """1 if the story is as far as it should be from every other one, less the nearer it is to one."""
        least = 1.0
        for other in range(self.told_count.size):
            shared, own = 0, 0
            for i in range(state.length):
                kind = self.event_kind[state.history[i]]
                if kind >= 0 and not self.came_before(state, i):
                    own += 1
                    shared += self.told_kinds[other, kind]
            joined = own + self.told_count[other] - shared
            apart = 1.0 - shared / joined if joined > 0 else 0.0
            if apart < self.distance:
                least = min(least, apart / self.distance)
        return least

    def came_before(self, state, i):
        """Has an event of the same kind happened before the i-th?"""
        for j in range(i):
            if self.event_kind[state.history[j]] == self.event_kind[state.history[i]]:
                return True
        return False

    def text(self, state, move):
        return plain_sentence(self.reading(), self.event(move))

    def reading(self) -> World:
        """The world as it is written."""
        return self._ground().world

    def event(self, move: int) -> Event:
        """What a move is."""
        return self._ground().events[int(move)].event

    def move(self, event: Event) -> int:
        """The move that an event is. Raises BadInput if it can never happen."""
        for number, each in enumerate(self._ground().events):
            if each.event == event:
                return number
        raise BadInput(f"{event} can never happen in {self.world}")

    def opening_scene(self) -> Scene:
        """The facts before anything has happened."""
        return self._ground().start.copy()

    def wanted(self) -> list[Goal]:
        """The goals of the story."""
        return [each.goal for each in self._ground().goals]

    def _ground(self) -> Ground:
        return _grounded(_document(self.source), self.goals, self.never, self.length)[0]


def rounded(size: int, step: int) -> int:
    """The next multiple of the step."""
    return -(-size // step) * step


def told_kinds(kind: np.ndarray, told: list[np.ndarray]) -> np.ndarray:
    """uint8[stories, kinds]: which kinds of events each story has."""
    found = np.zeros((len(told), int(kind.max(initial=-1)) + 1), np.uint8)
    for row, moves in enumerate(told):
        kinds = kind[moves]
        found[row, kinds[kinds >= 0]] = 1
    return found


@lru_cache(maxsize=8)
def _grounded(document: Document, goals: str, never: str, length: int) -> tuple[Ground, dict[str, np.ndarray]]:
    """A world in bits and its tables. Read again from its text it is the same document, and nothing is done twice."""
    world = build(document)
    made = ground(world, _wanted(world, goals), _forbidden(world, never), length or world.length)
    return made, tables(made)


@lru_cache(maxsize=8)
def _document(source: str) -> Document:
    return Document.from_text(source)


def _wanted(world: World, goals: str) -> list[Goal]:
    texts = [text for text in goals.split(";") if text.strip()]
    return [world.goal(text) for text in texts] if texts else list(world.goals)


def _forbidden(world: World, never: str) -> list[Goal]:
    return [*world.never, *(world.forbidden(text) for text in never.split(";") if text.strip())]


def _require_legal(story: Any, moves: np.ndarray) -> None:
    """Compiled code plays them without looking."""
    state = new_state(story)
    with like_compiled():
        story.reset(state)
        for number, move in enumerate(moves, start=1):
            if state.over or not story.may_happen(state, move):
                raise BadInput(f"Story: begun cannot have {story.event(move)} as action {number}")
            story.play(state, move)


def _moves(value: Any, events: int, name: str) -> np.ndarray:
    """Moves as an array, checked; -1 fills up short rows."""
    moves = np.asarray(value, np.int64).ravel()
    moves = moves[moves != -1]
    if moves.size and not (moves.min() >= 0 and moves.max() < events):
        raise BadInput(f"Story: {name} has moves that are not there; moves are 0 to {events - 1}")
    return moves.astype(np.int32)
