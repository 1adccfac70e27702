"""Stories as a Markdown document."""

import re
from collections.abc import Sequence

from arbora.tell.passages import heading, one_line
from arbora.tell.prose import prose
from arbora.tell.telling import Branch, GoalTold, Telling

_MARKUP = re.compile(r"[][\\`*_<>|~&$#]|^[-+=]|^\d+(?=[.)])")


def to_markdown(tellings: Sequence[Telling], world_title: str) -> str:
    """Each story a section: its prose, its goals and score, and what might have happened instead."""
    sections = [_story(telling, heading(telling, i, world_title)) for i, telling in enumerate(tellings, 1)]
    return "\n\n".join([f"# {escaped(one_line(world_title))}", *sections]) + "\n"


def escaped(text: str) -> str:
    """Text, the beginning of a line, that Markdown shows unchanged."""
    return _MARKUP.sub(lambda found: found[0] + "\\" if found[0].isdigit() else "\\" + found[0], text)


def _story(telling: Telling, title: str) -> str:
    blocks = [f"## {escaped(title)}", *_prose(telling.text), _goals(telling.goals)]
    blocks.append(_worth(telling.score, telling.believability, telling.goals))
    if telling.branches:
        blocks.append("### What might have happened instead")
    for branch in telling.branches:
        blocks += _branch(telling, branch)
    return "\n\n".join(block for block in blocks if block)


def _branch(telling: Telling, branch: Branch) -> list[str]:
    if branch.at < len(telling.beats):
        where = f"Instead of “{escaped(one_line(telling.beats[branch.at].sentence))}”"
    else:
        where = "Instead of the end"
    return [
        f"**{where}**",
        *_prose(prose(branch.beats, ending=telling.ending_of(branch))),
        _worth(branch.score, branch.believability, branch.goals),
    ]


def _prose(text: str) -> list[str]:
    return [escaped(one_line(paragraph)) for paragraph in re.split(r"\n\s*\n", text)]


def _goals(goals: Sequence[GoalTold]) -> str:
    rows = [f"| {escaped(one_line(goal.name))} | {_weight(goal)} | {'yes' if goal.met else 'no'} |" for goal in goals]
    return "\n".join(["| Goal | Weight | Met |", "| --- | --- | --- |", *rows]) if rows else ""


def _weight(goal: GoalTold) -> str:
    return f"{goal.weight:g}, must" if goal.must else f"{goal.weight:g}"


def _worth(score: float, believability: float, goals: Sequence[GoalTold]) -> str:
    met = f", {sum(goal.met for goal in goals)} of {len(goals)} goals met" if goals else ""
    return f"Score {score:.3g}: believability {believability:.3g}{met}."
