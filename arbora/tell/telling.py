"""A story as it is told: what happened, in which words, why it could be believed, and what might have happened instead."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from arbora.problems.story.plain import Event


@dataclass(frozen=True)
class GoalTold:
    name: str
    met: bool
    weight: float
    must: bool


@dataclass(frozen=True)
class Beat:
    """One action of a story."""

    event: "Event"
    move: int
    sentence: str
    believability: float
    because: str
    serves: tuple[str, ...]  # names of the goals that the action works towards

    @property
    def subject(self) -> str:
        """Who or what the sentence is about: the action's first object."""
        return self.event.arguments[0] if self.event.arguments else ""


@dataclass(frozen=True)
class Branch:
    """Another action that was nearly chosen before beat `at` (from 0) of a story, and how the story goes on then."""

    at: int
    beats: tuple[Beat, ...]
    goals: tuple[GoalTold, ...]
    score: float
    believability: float


@dataclass(frozen=True)
class Telling:
    title: str
    opening: str
    ending: str
    beats: tuple[Beat, ...]
    text: str  # the whole prose; blank lines between paragraphs
    score: float
    believability: float
    goals: tuple[GoalTold, ...]
    branches: tuple[Branch, ...] = ()

    def ending_of(self, branch: Branch) -> str:
        """The last sentence of a branch: the story's, unless the branch misses a goal that the story meets."""
        missed = {goal.name for goal in branch.goals if not goal.met}
        return "" if any(goal.met and goal.name in missed for goal in self.goals) else self.ending


def as_object(telling: Telling) -> dict[str, Any]:
    """The telling as plain data that JSON can hold."""
    return {
        "score": float(telling.score),
        "believability": float(telling.believability),
        "goals": _goals(telling.goals),
        "actions": [_action(beat) for beat in telling.beats],
        "moves": [int(beat.move) for beat in telling.beats],
        "text": telling.text,
        "branches": [
            {
                "at": int(branch.at),
                "actions": [_action(beat) for beat in branch.beats],
                "score": float(branch.score),
                "believability": float(branch.believability),
                "goals": _goals(branch.goals),
            }
            for branch in telling.branches
        ],
    }


def _goals(goals: Sequence[GoalTold]) -> list[dict[str, Any]]:
    return [
        {"name": goal.name, "met": bool(goal.met), "weight": float(goal.weight), "must": bool(goal.must)} for goal in goals
    ]


def _action(beat: Beat) -> dict[str, Any]:
    return {
        "action": beat.event.action,
        "arguments": list(beat.event.arguments),
        "text": beat.sentence,
        "believability": float(beat.believability),
        "because": beat.because,
        "serves": list(beat.serves),
        "move": int(beat.move),
    }
