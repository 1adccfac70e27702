"""Stories as people see them in a terminal or a pipe: prose and numbers on stdout, progress and shortcomings on stderr."""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table
from rich.text import Text

from arbora.cli.display import LiveLine
from arbora.running import Progress
from arbora.tell.collection import Collection
from arbora.tell.storyteller import FOR_BRANCHES, Found, Request
from arbora.tell.survey import ROOMS, Survey
from arbora.tell.telling import GoalTold, Telling

WIDEST = 100  # columns of prose
MOST_IN_MATRIX = 10  # stories


class StoryLine(LiveLine):
    """How the search for the next story stands."""

    def __init__(self, request: Request) -> None:
        budget = request.budget()
        super().__init__("", budget.seconds, budget.playouts)
        self.request = request

    def watch(self, number: int, report: Progress) -> None:
        """Called while story `number`, from 0, is searched."""
        if not self.console.is_terminal:
            return
        parts = [f"best [bold]{report.score:.3g}[/]"] if report.moves else []
        parts.append(f"{report.playouts / report.seconds if report.seconds > 0 else 0:,.0f} play-outs/s")
        each = self.request.budget().part(1 / self.request.stories)
        searched = 1 - FOR_BRANCHES if self.request.branches else 1
        if each.seconds is not None:
            parts.append(f"{max(each.seconds * searched - report.seconds, 0):.1f} s left")
        if each.playouts is not None:
            parts.append(f"{max(int(each.playouts * searched) - report.playouts, 0):,} play-outs left")
        which = f"story {number + 1} of {self.request.stories}, " if self.request.stories > 1 else ""
        line = f"{'  '.join(parts)}  [dim]{which}Ctrl-C keeps what there is[/]"
        self.live.update(Text.from_markup(line), refresh=True)

    @contextmanager
    def away(self) -> Iterator[None]:
        """No line while something is printed."""
        self.__exit__(None, None, None)
        try:
            yield
        finally:
            self.live.update("")
            self.__enter__()


class Pages:
    """Prints stories one after the other."""

    def __init__(self, collection: Collection, explain: bool) -> None:
        self.collection, self.explain = collection, explain
        self.console = Console()

    def show(self, found: Found) -> None:
        """The story that was found last."""
        number, wanted = len(self.collection.found), self.collection.request.stories
        if number == 1:
            self.say(Text(self.collection.title, "bold"))
            self.say(Text())
        if wanted > 1:
            self.say(Text(f"Story {number} of {wanted}", "bold"))
            self.say(Text())
        for paragraph in found.telling.text.split("\n\n"):
            self.say(Text(paragraph))
            self.say(Text())
        if self.explain:
            self.show_actions(found.telling)
        self.say(Text(worth(found.telling), "dim"))
        if number < wanted:
            self.say(Text())
        sys.stdout.flush()

    def show_actions(self, telling: Telling) -> None:
        for number, beat in enumerate(telling.beats, 1):
            told = Text(f"{number:3}  {beat.believability:<5.3g} ")
            reasons = [f"because {beat.because}"] if beat.because else []
            reasons += [f"serves {', '.join(beat.serves)}"] if beat.serves else ["serves no goal"]
            if self.console.is_terminal:
                grid = Table.grid(padding=0)
                grid.add_row(told, Text(beat.sentence) + Text(f"\n{'; '.join(reasons)}", "dim"))
                self.console.print(grid, width=min(self.console.width, WIDEST))
            else:
                self.say(told + Text(f"{beat.sentence} ({'; '.join(reasons)})"))
        self.say(Text())

    def show_distances(self) -> None:
        """How different the stories are, if there are several."""
        rows = self.collection.distances()
        if len(rows) < 2:
            return
        least, one, other = closest(rows)
        self.say(Text())
        self.say(Text(f"distances: {least:.2f} at least, between stories {one + 1} and {other + 1}"))
        if len(rows) <= MOST_IN_MATRIX:
            table = Table("", *(str(i + 1) for i in range(len(rows))), box=None, padding=(0, 2, 0, 0), header_style="dim")
            for i, row in enumerate(rows):
                table.add_row(f"[dim]{i + 1}[/]", *("" if i == j else f"{value:.2f}" for j, value in enumerate(row)))
            self.console.print(table, highlight=False)
            return
        for i, row in enumerate(rows):
            value, nearest = min((value, j) for j, value in enumerate(row) if j != i)
            self.say(Text(f"story {i + 1:3}: {value:.2f} from story {nearest + 1}, the nearest"))

    def say(self, text: Text) -> None:
        """Text as wide as the terminal; in a pipe as it is, so that a paragraph is a line."""
        if self.console.is_terminal:
            self.console.print(text, width=min(self.console.width, WIDEST))
        else:
            self.console.print(text, soft_wrap=True)


def worth(telling: Telling) -> str:
    """What a story's score is made of, in a line."""
    met, missed = ([goal.name for goal in telling.goals if goal.met is wanted] for wanted in (True, False))
    names = ", ".join(met) + ("; " if met and missed else "") + (f"missed: {', '.join(missed)}" if missed else "")
    goals = f"goals {len(met)} of {len(telling.goals)}"
    if missed and len({goal.weight for goal in telling.goals}) > 1:
        share = sum(goal.weight for goal in telling.goals if goal.met)
        goals += f", by weight {share:g} of {sum(goal.weight for goal in telling.goals):g}"
    factors = "".join(" x 0.001 for a must" for goal in telling.goals if goal.must and not goal.met)
    count = len(telling.beats)
    return (
        f"score {telling.score:.3g} = believability {telling.believability:.3g} x {goals} ({names}){factors}; "
        f"{count} action{'' if count == 1 else 's'}"
    )


def closest(rows: Sequence[Sequence[float]]) -> tuple[float, int, int]:
    """The smallest distance and its two stories, from 0."""
    return min((rows[i][j], i, j) for i in range(len(rows)) for j in range(i + 1, len(rows)))


def shortcomings(collection: Collection) -> Iterator[str]:
    """What is not as it was asked for, a line each."""
    request = collection.request
    for number, telling in enumerate(collection.tellings, 1):
        name = f"story {number}" if request.stories > 1 else "the story"
        missed = [goal for goal in telling.goals if not goal.met]
        if any(goal.must for goal in missed):
            yield f"{name} misses what it must reach: {_names([goal for goal in missed if goal.must])}"
        if not all(goal.must for goal in missed):
            yield f"{name} does not reach: {_names([goal for goal in missed if not goal.must])}"
    count = len(collection.found)
    if count < request.stories:
        why = "" if collection.stopped != "interrupted" else ": interrupted"
        told = f"{count} of {request.stories} stories were found" if count else "no story was found"
        yield told + (why or "; the budget was too small, or nothing can happen at the start")
    elif collection.stopped == "interrupted":
        yield "interrupted; this is the best story so far" if count == 1 else "interrupted; the last story could be better"
    if count > 1:
        least, one, other = closest(collection.distances())
        if least < request.distance - 1e-6:
            yield f"stories {one + 1} and {other + 1} are closer than --distance {request.distance:g}: {least:.2f}"


def show_survey(found: Survey) -> None:
    """What `arbora tell check` says."""
    console, world = Console(), found.world
    rows = [(room, found.things(root)) for room, root in ROOMS.items()]
    rows += [
        ("facts", list(world.facts)),
        ("actions", [f"{action} {count:,}" for action, count in found.ways.items()]),
        ("goals", [_marked(goal.name, goal.must) for goal in world.goals]),
        ("never", [goal.name for goal in world.never]),
    ]
    console.print(Text(world.title, "bold"), soft_wrap=not console.is_terminal)
    if world.about:
        console.print(Text(world.about), soft_wrap=not console.is_terminal)
    console.print()
    told = [(len(names), room, ("; " if room == "never" else ", ").join(names)) for room, names in rows if names]
    told.append((sum(found.ways.values()), "events", "are the ways in which the actions can happen"))
    table = Table.grid(padding=(0, 2, 0, 0))
    for count, room, text in told:
        table.add_row(Text(f"{count:6,}"), Text(room), Text(text))
        if not console.is_terminal:
            print(f"{count:6,}  {room:10}  {text}")
    if console.is_terminal:
        console.print(table)
    console.print()
    for warning in found.warnings:
        console.print(Text.assemble(("warning  ", "yellow"), warning), soft_wrap=True)
    if not found.warnings:
        console.print(Text("nothing that looks wrong"))


def _marked(name: str, must: bool) -> str:
    return f"{name} (must)" if must else name


def _names(goals: Sequence[GoalTold]) -> str:
    return ", ".join(goal.name for goal in goals)
