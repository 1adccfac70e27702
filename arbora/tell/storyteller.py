"""Stories for people: one search after the other, each told to differ from the stories before, and put into words."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from arbora.errors import BadInput
from arbora.policies.by_kind import ByKind
from arbora.problem import like_compiled, new_state
from arbora.problems.story.story import Story, told_kinds
from arbora.problems.story.templates import finished
from arbora.running import DEFAULT_SECONDS, Progress
from arbora.search.mcts import MCTS
from arbora.solve import Result, solve
from arbora.tell.causes import causes
from arbora.tell.editing import tidied
from arbora.tell.prose import Narrator, plain_phrase, prose
from arbora.tell.telling import Beat, Branch, GoalTold, Telling

MOST_STORIES, MOST_BRANCHES = 100, 20
FOR_BRANCHES = 0.5  # of a story's budget, if branches are wanted
RUNNERS_UP: Any = MCTS(exploration=0.1, policy=ByKind())


@dataclass(frozen=True)
class Budget:
    """Seconds, play-outs, or both."""

    seconds: float | None
    playouts: int | None

    def part(self, share: float) -> "Budget":
        playouts = None if self.playouts is None else max(int(self.playouts * share), 1)
        return Budget(None if self.seconds is None else self.seconds * share, playouts)


@dataclass(frozen=True)
class Request:
    """What stories are wanted."""

    story: Any  # the problem
    search: Any
    stories: int = 1
    distance: float = 0.5
    branches: int = 0
    tidy: bool = True
    seconds: float | None = None
    playouts: int | None = None
    seed: int = 1
    threads: int = 1

    def budget(self) -> Budget:
        seconds = DEFAULT_SECONDS if self.seconds is None and self.playouts is None else self.seconds
        return Budget(seconds, self.playouts)


@dataclass(frozen=True)
class Found:
    """A story, and the search that found it; `stopped` is how the searches for it and its branches ended."""

    telling: Telling
    result: Result
    moves: list[int]
    stopped: str


Watch = Callable[[int, Progress], None]  # gets the number of the story, from 0, and how its search stands


def stories(request: Request, watch: Watch | None = None, on_compile: Callable[[], None] | None = None) -> Iterator[Found]:
    """One story after the other, each as soon as it is found; the last one found is the last if the user interrupts."""
    _check(request)
    told: list[list[int]] = []
    each = request.budget().part(1 / request.stories)
    for number in range(request.stories):
        story = request.story.unlike(told, request.distance if told else 0.0)
        share = each.part(1 - FOR_BRANCHES) if request.branches else each
        result = _search(request, story, request.search, share, number, _watching(watch, number), on_compile)
        if not result.moves:
            return
        moves = tidied(story, result.moves) if request.tidy else result.moves
        telling, stopped = tell(story, moves, request.seed + number), result.stopped
        if request.branches and stopped != "interrupted":
            branches, stopped = _branches(request, story, moves, each.part(FOR_BRANCHES), number, on_compile)
            telling = replace(telling, branches=branches)
        told.append(moves)
        yield Found(telling, result, moves, stopped)
        if stopped == "interrupted":
            return


def distances(story: Any, told: Sequence[Sequence[int]]) -> list[list[float]]:
    """How far the stories are from each other: one minus the share of the events that two of them have in common.

    An event is an action that is not minor, with its characters and things, wherever it happens.
    """
    kinds = told_kinds(story.event_kind, [np.asarray(moves, np.int32) for moves in told]).astype(np.int64)
    shared = kinds @ kinds.T
    sizes = kinds.sum(axis=1)
    joined = sizes[:, None] + sizes[None, :] - shared
    alike = np.where(joined > 0, shared / np.maximum(joined, 1), 1.0)
    return [[round(1.0 - each, 6) for each in row] for row in alike.tolist()]


def tell(story: Any, moves: Sequence[int], seed: int) -> Telling:
    """The story of these moves in words. The same seed tells it in the same words."""
    world = story.reading()
    beats, goals, score, believability = _told(story, moves, seed, 0)
    met = all(goal.met for goal in goals)
    ending = world.ending if met else ""
    return Telling(
        title=world.title,
        opening=finished(world.opening) if world.opening else "",
        ending=finished(ending) if ending else "",
        beats=beats,
        text=prose(beats, finished(world.opening) if world.opening else "", finished(ending) if ending else ""),
        score=score,
        believability=believability,
        goals=goals,
    )


def _told(
    story: Any, moves: Sequence[int], seed: int, first: int
) -> tuple[tuple[Beat, ...], tuple[GoalTold, ...], float, float]:
    """The beats from the `first` on, the goals at the end, score and believability of the whole."""
    world, scene, wanted = story.reading(), story.opening_scene(), story.wanted()
    events = [story.event(move) for move in moves]
    traced = causes(scene, events, wanted)
    narrator = Narrator(world, seed)
    beats = []
    for number, (move, event) in enumerate(zip(moves, events, strict=True)):
        binding = world.actions[event.action].binding(event.arguments)
        sentence = narrator.sentence(event, partial(scene.holds, binding=binding))
        rule = scene.rule(event)
        beats.append(
            Beat(
                event=event,
                move=int(move),
                sentence=sentence,
                believability=rule.value,
                because=plain_phrase(world, rule.because, event),
                serves=tuple(goal.name for goal in wanted if goal.name in traced.serves[number]),
            )
        )
        scene = scene.after(event)
    goals = tuple(GoalTold(goal.name, scene.met(goal), goal.weight, goal.must) for goal in wanted)
    score, believability = _worth(story.unlike([], 0.0), moves)
    return tuple(beats[first:]), goals, score, believability


def _worth(story: Any, moves: Sequence[int]) -> tuple[float, float]:
    """Score and believability, by the problem's own rules in plain Python."""
    state = new_state(story)
    with like_compiled():
        story.reset(state)
        for move in moves:
            if not story.may_happen(state, move):
                raise BadInput(f"{story.event(move)} cannot happen there")
            story.play(state, move)
        return float(story.score(state)), float(state.believability)


def _branches(
    request: Request, story: Any, moves: list[int], budget: Budget, number: int, on_compile: Callable[[], None] | None
) -> tuple[tuple[Branch, ...], str]:
    """At some steps, the runner-up in a tree that is searched there, and the best way to go on from it.

    With them, how the last search ended: "interrupted" if the user has had enough.
    """
    branches: list[Branch] = []
    steps = _spread([i for i, move in enumerate(moves) if story.event_kind[move] >= 0], request.branches)
    each = budget.part(0.5 / max(len(steps), 1))
    for step in steps:
        tree = _search(request, story.after(moves[:step]), RUNNERS_UP, each, number, None, on_compile)
        if tree.stopped == "interrupted":
            return tuple(branches), tree.stopped
        others = [row for row in tree.root if row.move != moves[step] and story.event_kind[row.move] >= 0]
        if not others:
            continue
        begun = [*moves[:step], max(others, key=lambda row: (row.best, row.visits)).move]
        rest = _search(request, story.after(begun), request.search, each, number, None, on_compile)
        beats, goals, score, believability = _told(story, [*begun, *rest.moves], request.seed + number, step)
        branches.append(Branch(step, beats, goals, score, believability))
        if rest.stopped == "interrupted":
            return tuple(branches), rest.stopped
    return tuple(branches), "budget"


def _spread(steps: list[int], wanted: int) -> list[int]:
    """Some of the steps, evenly spread, the first ones left to set the scene if there are enough."""
    if len(steps) <= wanted:
        return steps
    return [steps[round((i + 1) * len(steps) / (wanted + 1)) - 1] for i in range(wanted)]


def _search(
    request: Request,
    story: Any,
    search: Any,
    budget: Budget,
    number: int,
    progress: Callable[[Progress], None] | None = None,
    on_compile: Callable[[], None] | None = None,
) -> Result:
    return solve(
        story,
        search,
        seconds=budget.seconds,
        playouts=budget.playouts,
        seed=request.seed + number,
        threads=request.threads,
        progress=progress,
        on_compile=on_compile,
    )


def _watching(watch: Watch | None, number: int) -> Callable[[Progress], None] | None:
    return None if watch is None else lambda progress: watch(number, progress)


def _check(request: Request) -> None:
    if type(request.story) is not Story:
        raise BadInput(f"{type(request.story).__name__} is not a story; give an arbora.Story")
    for name, value, high in (("stories", request.stories, MOST_STORIES), ("branches", request.branches, MOST_BRANCHES)):
        low = 1 if name == "stories" else 0
        if not low <= value <= high:
            raise BadInput(f"{name}={value} is not allowed; {name} takes a whole number from {low} to {high}")
    if not 0 <= request.distance <= 1:
        raise BadInput(f"distance={request.distance} is not allowed; distance takes a number from 0 to 1")
