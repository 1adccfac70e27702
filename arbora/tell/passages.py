"""Stories cut where they might have gone another way: passages with links, for formats that let readers choose."""

import re
import textwrap
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass

from arbora.tell.prose import paragraphs
from arbora.tell.telling import Beat, Telling

START = "Start"
LONGEST_LABEL = 60  # characters
_NOWHERE = "The story ends here"


@dataclass(frozen=True)
class Link:
    label: str
    target: str


@dataclass(frozen=True)
class Passage:
    """Lines of text without line breaks, then the links to choose from; none where the story ends."""

    name: str  # ASCII letters, digits and single blanks, different for each passage
    paragraphs: tuple[str, ...]
    links: tuple[Link, ...] = ()


def passages(tellings: Sequence[Telling], title: str) -> tuple[Passage, ...]:
    """All passages of these stories, the first one first: each can be reached, and each way through them ends."""
    if len(tellings) == 1:
        return _story(tellings[0], "Story 1", START)
    names = [f"Story {i}" for i in range(1, len(tellings) + 1)]
    links = tuple(
        Link(heading(telling, i, title), name) for i, (telling, name) in enumerate(zip(tellings, names, strict=True), 1)
    )
    rest = [passage for telling, name in zip(tellings, names, strict=True) for passage in _story(telling, name, name)]
    return (Passage(START, _lines(title), links), *rest)


def heading(telling: Telling, number: int, title: str) -> str:
    """What a story is called among several: its number, and its title if that is not the title of all."""
    own = one_line(telling.title)
    return f"Story {number}: {own}" if own and own != one_line(title) else f"Story {number}"


def one_line(text: str) -> str:
    """The text on one line, single blanks between its words, without characters that cannot be shown."""
    shown = "".join(" " if unicodedata.category(letter) in ("Cc", "Cs") else letter for letter in text)
    return " ".join(shown.split())


def _story(telling: Telling, name: str, first: str) -> tuple[Passage, ...]:
    stops = sorted({branch.at for branch in telling.branches})
    begins, ends = [0, *stops], [*stops, len(telling.beats)]
    names = [first, *(f"{name} part {i}" for i in range(2, len(begins) + 1))]
    main: list[Passage] = []
    others: list[Passage] = []
    for part, (begin, end) in enumerate(zip(begins, ends, strict=True)):
        last = part == len(stops)
        opening, ending = telling.opening if part == 0 else "", telling.ending if last else ""
        links: tuple[Link, ...] = ()
        if not last:
            branches = [branch for branch in telling.branches if branch.at == end]
            targets = [f"{name} instead {len(others) + i}" for i in range(1, len(branches) + 1)]
            next_sentences = [_next_sentence(telling.beats[end:], telling.ending)]
            for branch, target in zip(branches, targets, strict=True):
                last_words = telling.ending_of(branch)
                next_sentences.append(_next_sentence(branch.beats, last_words))
                others.append(Passage(target, _text(branch.beats, "", last_words)))
            links = tuple(map(Link, labels(next_sentences), [names[part + 1], *targets]))
        main.append(Passage(names[part], _text(telling.beats[begin:end], opening, ending), links))
    return (*main, *others)


def labels(sentences: Sequence[str]) -> list[str]:
    """A short label for each sentence, all different."""
    full = [one_line(sentence) or _NOWHERE for sentence in sentences]
    short = [_shortened(sentence) for sentence in full]
    made: list[str] = []
    for sentence, label in zip(full, short, strict=True):
        base = label if short.count(label) == 1 else sentence
        label, number = base, 1
        while label in made:
            number += 1
            label = f"{base} ({number})"
        made.append(label)
    return made


def _shortened(sentence: str) -> str:
    words = sentence[:-1] if sentence.endswith(".") and len(sentence) > 1 else sentence
    short = textwrap.shorten(words, LONGEST_LABEL, placeholder="…", break_long_words=False)
    return short if short != "…" else words[: LONGEST_LABEL - 1].rstrip() + "…"


def _next_sentence(beats: Sequence[Beat], ending: str) -> str:
    return beats[0].sentence if beats else ending


def _text(beats: Sequence[Beat], opening: str, ending: str) -> tuple[str, ...]:
    made = paragraphs([beat.sentence for beat in beats], [beat.subject for beat in beats], opening, ending)
    return tuple(line for paragraph in made for line in _lines(paragraph))


def _lines(text: str) -> tuple[str, ...]:
    return tuple(filter(None, map(one_line, re.split(r"\n\s*\n", text))))
