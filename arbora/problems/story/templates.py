"""The grammar of sentence templates: text with `{parameter}` and `{parameter.form}`; `{{` and `}}` are braces."""

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arbora.component import nearest

if TYPE_CHECKING:
    from arbora.problems.story.plain import Event
    from arbora.problems.story.world import World

PRONOUNS = {
    "she": ("she", "her", "her", "herself"),
    "he": ("he", "him", "his", "himself"),
    "they": ("they", "them", "their", "themself"),
    "it": ("it", "it", "its", "itself"),
}
FORMS = ("name", "bare", "possessive", *PRONOUNS["they"])
_ENDED = re.compile(r"[.!?…][\"'”’)\]]*$")
_PIECE = re.compile(r"\{\{|\}\}|\{([^{}]*)\}")


def check_template(text: str, parameters: Sequence[str]) -> str:
    """What is wrong with a template, in a few words; nothing if all is well."""
    if re.search(r"[{}]", _PIECE.sub("", text)):
        return "a brace without its partner; write {{ for a brace that is shown"
    for found in _PIECE.finditer(text):
        if found[1] is None:
            continue
        parameter, dot, form = found[1].partition(".")
        if parameter not in parameters:
            return f"unknown parameter {parameter!r}; {nearest(parameter, parameters)}"
        if dot and form not in FORMS:
            return f"unknown form {form!r}; {nearest(form, FORMS)}"
    return ""


def filled(text: str, tell: Callable[[str, str], str]) -> str:
    """The template with `tell(parameter, form)` in each place; the form is "" where the template leaves it open."""

    def replaced(found: re.Match[str]) -> str:
        if found[1] is None:
            return found[0][0]
        parameter, _, form = found[1].partition(".")
        return tell(parameter, form)

    return _PIECE.sub(replaced, text)


def plain_sentence(world: "World", event: "Event") -> str:
    """What an event is in a sentence that stands alone: its first wording without condition, with full names."""
    action = world.actions[event.action]
    binding = action.binding(event.arguments)
    text = next(sentence.text for sentence in action.sentences if sentence.condition is None)
    return finished(filled(text, lambda parameter, form: plain_form(world, binding[parameter], form)))


def finished(text: str) -> str:
    """A sentence with a capital first letter and a full stop if nothing else ends it."""
    text = capitalised(" ".join(text.split()))
    if text.endswith("..") and not text.endswith("..."):  # the name of a junior at the end
        return text[:-1]
    return text if _ENDED.search(text) else text + "."


def capitalised(text: str) -> str:
    first = next((i for i, letter in enumerate(text) if letter.isalnum()), 0)
    return text[:first] + text[first : first + 1].upper() + text[first + 1 :]


def plain_form(world: "World", thing: str, form: str) -> str:
    """A thing as a template's form asks for it, without looking at what was said before."""
    pronouns = PRONOUNS[world.things[thing].pronoun]
    match form:
        case "bare":
            return world.things[thing].name
        case "possessive":
            return possessive(full_name(world, thing))
        case "they" | "them" | "their" | "themself":
            return pronouns[PRONOUNS["they"].index(form)]
    return full_name(world, thing)


def full_name(world: "World", thing: str) -> str:
    """`Alice`, `Alice's house`, `the vase`."""
    found = world.things[thing]
    if found.owner:
        return f"{possessive(full_name(world, found.owner))} {found.name}"
    return f"the {found.name}" if takes_article(world, thing) else found.name


def takes_article(world: "World", thing: str) -> bool:
    """Does what has an article of its own, and items with common names, which begin with a small letter, unless owned."""
    found = world.things[thing]
    if found.owner or found.article:
        return not found.owner and found.article != "none"
    return found.name[:1].islower() and (world.is_a(thing, "item") or world.is_a(thing, "thing"))


def possessive(name: str) -> str:
    return f"{name}'s"
