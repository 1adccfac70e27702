"""What may be tuned: ranges and choices for the parameters of a search.

    exploration=0:10                numbers from 0 to 10; whole ones if the parameter takes only those
    deviation=1:1000:log            the same, each order of magnitude as likely as the next
    policy=tabu-color|tabu-random   one of these
    policy.epsilon=0:0.1            a parameter of the policy, or of the inner search, behind a dot

Everything is checked against what the search declares; what is wrong raises BadInput.
"""

import itertools
import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from arbora.component import Param, is_component, nearest
from arbora.errors import BadInput
from arbora.spec import as_text, overlay, parse_search, spec_of, split_search

FORMS = "LOW:HIGH, LOW:HIGH:log or a|b|c"

Value = float | str  # of one parameter: an int if it is whole, a text if it is one of a choice


@dataclass(frozen=True)
class Range:
    """Numbers from `low` to `high`, both included; on a logarithmic scale if `log`, only whole ones if `whole`.

    As text, it is what it is read from.
    """

    low: float
    high: float
    log: bool = False
    whole: bool = False

    def __post_init__(self) -> None:
        if not (math.isfinite(self.low) and math.isfinite(self.high)):
            raise BadInput("a range has finite ends")
        if self.low >= self.high:
            raise BadInput("the low end must be below the high end")
        if self.log and self.low <= 0:
            raise BadInput("the low end must be above 0 for log")
        if self.whole and not (float(self.low).is_integer() and float(self.high).is_integer()):
            raise BadInput("the parameter takes whole numbers only")

    def __str__(self) -> str:
        return f"{_end(self.low)}:{_end(self.high)}{':log' if self.log else ''}"


@dataclass(frozen=True)
class Choice:
    """One of some values, without any order."""

    values: tuple[str, ...]

    def __post_init__(self) -> None:
        if len(self.values) < 2:
            raise BadInput("a choice has two values or more")
        if len(set(self.values)) < len(self.values):
            raise BadInput("a choice has every value once")

    def __str__(self) -> str:
        return "|".join(self.values)


Space = dict[str, Range | Choice]


def parse_params(texts: Iterable[str]) -> dict[str, str]:
    """The parameters of `--param NAME=RANGE`, by name."""
    params: dict[str, str] = {}
    for text in texts:
        name, equals, given = (part.strip() for part in text.partition("="))
        if not (name and equals and given):
            raise BadInput(f"{text!r} is not NAME=RANGE; write NAME={FORMS}")
        if name in params:
            raise BadInput(f"{name} is given twice")
        params[name] = given
    return params


def parse_space(search: str, params: Mapping[str, str | Sequence[Any]]) -> Space:
    """The ranges and choices of a search's parameters, by name, in the order given.

    `search` is the spec of a search, in which the parameters may have values already. Every name, end and choice is
    checked against what the search declares; where a choice of policies is tuned, all of them need the parameters that
    are tuned behind its dot. Raises BadInput.
    """
    parse_search(search)
    if not params:
        raise BadInput(f"{search}: nothing to tune; name a parameter and what it may be, as in exploration=0:10")
    space: Space = {}
    for name in sorted(params, key=lambda name: name.count(".")):  # a choice of policies before their parameters
        space[name] = _dimension(search, name, params[name], space)
    return {name: space[name] for name in params}


def as_spec(search: str, values: Mapping[str, Value]) -> str:
    """The spec of `search` with these parameters, which stands for itself: without its preset file, if it has one.

    A policy or search that is replaced by another loses what the spec said about it.
    """
    name, said = split_search(search)
    for part in values:
        if part not in said and any(other.startswith(f"{part}.") for other in said):
            said[part] = _name(_part(parse_search(search), part.split(".")))
    said = overlay(said, {key: as_text(value) for key, value in values.items()})
    return ",".join([name, *(f"{key}={text}" for key, text in said.items())])


def _end(number: float) -> str:
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


def _dimension(search: str, name: str, given: Any, space: Space) -> Range | Choice:
    """What a parameter may be. `space` has the parameters with fewer dots."""
    found = set()
    for variant in _variants(name, space):
        owner, p = _declared(parse_search(as_spec(search, variant)), name)
        dimension = _parse(name, given, owner, p)
        found.add(dimension)
        for value in dimension.values if isinstance(dimension, Choice) else ():
            parse_search(as_spec(search, {**variant, name: value}))
    if len(found) > 1:
        raise BadInput(f"{name} is whole for some of the choices above it and not for others; tune them one by one")
    return found.pop()


def _variants(name: str, space: Space) -> list[dict[str, Value]]:
    """The choices of policies and searches that the owner of a parameter depends on, in all combinations."""
    path = name.split(".")
    above = [".".join(path[:count]) for count in range(1, len(path))]
    choices = {part: made.values for part in above if isinstance(made := space.get(part), Choice)}
    return [dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())]


def _declared(made: Any, name: str) -> tuple[str, Param]:
    """The name of the component that has the parameter, and what it says about it."""
    *parts, last = name.split(".")
    owner = _part(made, parts)
    known = _parameters(owner)
    if last not in known:
        raise BadInput(f"{_name(owner)} has no parameter {last!r}; {nearest(last, list(known))}")
    return _name(owner), known[last]


def _part(made: Any, parts: Sequence[str]) -> Any:
    """The policy or search at the end of a path of names."""
    for part in parts:
        own = [name for name in _parameters(made) if is_component(getattr(made, name))]
        if part not in own:
            raise BadInput(f"{_name(made)} has no policy or search {part!r}; {nearest(part, own)}")
        made = getattr(made, part)
    return made


def _parameters(component: Any) -> dict[str, Param]:
    return {name: p for name, p in component.parameters.items() if not p.derived}


def _name(component: Any) -> str:
    """The name in the registry, or that of the user's class."""
    return spec_of(component).partition(",")[0].partition("(")[0]


def _parse(name: str, given: Any, owner: str, p: Param) -> Range | Choice:
    """What a text or list says, checked against the bounds of the parameter, but not its choices."""
    try:
        if p.type is bool:
            return _truth(given)
        if not isinstance(given, str) or "|" in given or is_component(p.default):
            return _choice(given)
        if p.type not in (int, float):
            raise BadInput("it is not a number; write values to choose from, a|b|c")
        return _range(given, p)
    except BadInput as error:
        raise BadInput(f"{owner}: {name}={given!r} is not allowed; {error}") from None


def _truth(given: Any) -> Choice:
    words = given.split("|") if isinstance(given, str) else given
    if words != ["0:1"] and (not isinstance(words, Sequence) or sorted(map(as_text, words)) != ["false", "true"]):
        raise BadInput("write false|true")
    return Choice(("false", "true"))


def _choice(given: Any) -> Choice:
    values = given.split("|") if isinstance(given, str) else given
    if not isinstance(values, Sequence) or not all(isinstance(value, (bool, int, float, str)) for value in values):
        raise BadInput(f"write {FORMS}")
    return Choice(tuple(as_text(value).strip() for value in values))


def _range(text: str, p: Param) -> Range:
    low, _, rest = text.partition(":")
    high, colon, scale = rest.partition(":")
    try:
        ends = float(low), float(high)
    except ValueError:
        raise BadInput(f"write {FORMS}") from None
    if colon and scale.strip() != "log":
        raise BadInput(f"write {FORMS}")
    made = Range(*ends, log=bool(colon), whole=p.type is int)
    if (p.low is not None and made.low < p.low) or (p.high is not None and made.high > p.high):
        raise BadInput(f"it takes {p.allowed}")
    return made
