"""Specs: a problem or a search as text, `name[:instance][,key=value…]`.

    samegame,seed=7            samegame:boards.txt#3          my_problem.py:Knapsack,capacity=50
    nrpa,level=4               mcts,policy=tabu-color,policy.epsilon=0.01
    multi-start,search=mcts,search.nodes=1000,search.policy=tabu-color
    story:mine.yaml,goals=angry(alice, bob),length=12        commas in parentheses part nothing
    sp-mcts,preset=cem-per-move,nodes=50000        a named set of parameters, and a change
    mcts,preset=tuned.toml                         parameters from a file, as `arbora tune` writes it

A parameter that takes a policy or another search is given by name, its own parameters behind a dot.
One parser for the command line, files and Python. Everything wrong raises BadInput with the nearest thing that is right.
"""

import hashlib
import importlib.util
import inspect
import re
import sys
import tomllib
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from arbora.component import Param, is_component, nearest
from arbora.errors import ArboraError, BadInput
from arbora.registry import POLICIES, PROBLEMS, SEARCHES, Entry

_RANGE = re.compile(r"([#=])(\d+)-(\d+)(?=,|$)")
_NOT_USERS = {"arbora", "numpy", "numba", *sys.stdlib_module_names}


def parse_problem(text: str) -> Any:
    """The problem (or plain simulator object) that a spec names."""
    name, instance, values = _split(text)
    if name.endswith(".py"):
        return _user_problem(name, instance, values)
    entry = _entry("problem", name, PROBLEMS)
    parameters = _parameters(name, entry, values)
    if instance is not None:
        if entry.load_instance is None:
            raise BadInput(f"{text}: {name} takes no instance after a colon")
        parameters[entry.data] = entry.load_instance(instance)
    return entry.factory(**parameters)


def parse_search(text: str) -> Any:
    """The search that a spec names."""
    return _part("search", *split_search(text))


def expand(text: str) -> list[tuple[str, str]]:
    """The specs that a range stands for, each with its number: `boards.txt#1-50` or `seed=1-50`; one without number if none.

    Raises BadInput for a range that is empty, and for more than one.
    """
    found = list(_RANGE.finditer(text))
    if not found:
        return [("", text)]
    if len(found) > 1:
        raise BadInput(f"{text}: {found[0][0]!r} and {found[1][0]!r} are both ranges; a spec has one at most")
    first, last = int(found[0][2]), int(found[0][3])
    if last < first:
        raise BadInput(f"{text}: {found[0][0]!r} is an empty range; write it from low to high")
    before, after = text[: found[0].start()] + found[0][1], text[found[0].end() :]
    return [(str(number), f"{before}{number}{after}") for number in range(first, last + 1)]


def spec_of(component: Any) -> str:
    """A spec for a component of ours, with the parameters that differ from their defaults; else its repr."""
    for name, entry in {**PROBLEMS, **SEARCHES, **POLICIES}.items():
        fits = all(getattr(component, key, None) == value for key, value in entry.fixed.items())
        if type(component) is entry.factory and fits and not _has_data(component, entry):
            return name + _instance(component, entry) + "".join(_differences(component, entry))
    return repr(component)


def split_search(text: str) -> tuple[str, dict[str, str]]:
    """The name in a search's spec, and its parameters as text, not yet checked; those of its preset file among them."""
    name, instance, values = _split(text)
    if instance is not None:
        if not name.endswith(".py"):
            raise BadInput(f"{text}: a search takes no instance after a colon")
        name = f"{name}:{instance}"
    return name, _with_preset_file(name, _part_entry("search", name), values)


def as_text(value: bool | float | str) -> str:
    """A parameter's value as a spec writes it; reading it gives the same value again."""
    if isinstance(value, bool):
        return str(value).lower()
    return repr(float(value)) if isinstance(value, float) else str(value)


def overlay(under: dict[str, str], over: dict[str, str]) -> dict[str, str]:
    """Parameters on top of others; what was said about a policy or search goes when another one takes its place."""
    replaced = tuple(f"{part}." for part, name in over.items() if name != under.get(part))
    return {**{name: text for name, text in under.items() if not name.startswith(replaced)}, **over}


def settable(entry: Entry) -> dict[str, Param]:
    """The parameters a spec of this entry may set."""
    return {
        name: p
        for name, p in entry.factory.parameters.items()
        if not p.derived and name not in entry.fixed and name != entry.data and not _is_array(p)
    }


def _is_array(p: Param) -> bool:
    """Does the parameter take numbers in rows, which a spec has no words for?"""
    return isinstance(p.default, (tuple, np.ndarray)) and not is_component(p.default)


def _has_data(component: Any, entry: Entry) -> bool:
    """Is the component made from data of its own, which no spec can say?"""
    unsaid = [name for name, p in entry.factory.parameters.items() if _is_array(p) and not p.derived]
    if entry.data and entry.factory.parameters[entry.data].type is not str:
        unsaid.append(entry.data)
    return any(np.size(getattr(component, name)) > 0 for name in unsaid)


def _instance(component: Any, entry: Entry) -> str:
    """What follows the name, if the instance is one that text can say."""
    p = entry.factory.parameters.get(entry.data)
    if p is None or p.type is not str or getattr(component, entry.data) == p.default:
        return ""
    return f":{getattr(component, entry.data)}"


def _differences(component: Any, entry: Entry) -> list[str]:
    shown = []
    for name, p in settable(entry).items():
        value = getattr(component, name)
        if is_component(value):
            if value != p.default:
                policy, _, rest = spec_of(value).partition(",")
                shown.append(f",{name}={policy}" + "".join(f",{name}.{pair}" for pair in rest.split(",") if pair))
        elif value != p.default:
            shown.append(f",{name}={value}")
    return shown


def _split(text: str) -> tuple[str, str | None, dict[str, str]]:
    head, *pairs = _pieces(text)
    name, colon, instance = head.partition(":")
    values: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise BadInput(f"{text}: {pair!r} is not key=value")
        if key.strip() in values:
            raise BadInput(f"{text}: {key.strip()} is given twice")
        values[key.strip()] = value.strip()
    if not name.strip():
        raise BadInput(f"{text!r} names nothing; a spec is name[:instance][,key=value…]")
    return name.strip(), instance.strip() if colon else None, values


def _pieces(text: str) -> list[str]:
    """The text between commas; a comma in parentheses parts nothing."""
    pieces, depth = [""], 0
    for letter in text:
        depth = max(depth + (letter == "(") - (letter == ")"), 0)
        if letter == "," and depth == 0:
            pieces.append("")
        else:
            pieces[-1] += letter
    return pieces


def _entry(kind: str, name: str, entries: dict[str, Entry]) -> Entry:
    if name not in entries:
        raise BadInput(f"unknown {kind} {name!r}; {nearest(name, list(entries))}")
    return entries[name]


def _parameters(owner: str, entry: Entry, values: dict[str, str]) -> dict[str, Any]:
    known = settable(entry)
    parameters = dict(entry.fixed)
    for name, text in values.items():
        if name not in known:
            raise BadInput(f"{owner} has no parameter {name!r}; {nearest(name, list(known))}")
        parameters[name] = _value(owner, name, known[name], text)
    return parameters


def _with_parts(owner: str, entry: Entry, values: dict[str, str]) -> Any:
    """A component whose parameters may be policies and searches."""
    parts = {name: p.default.role for name, p in settable(entry).items() if is_component(p.default)}
    preset = _preset(owner, entry, values)
    values = {name: text for name, text in values.items() if name != "preset"} if entry.presets else values
    own = {name: text for name, text in values.items() if name.partition(".")[0] not in parts}
    for name in own:
        if "." in name or name in ("policy", "search"):
            raise BadInput(f"{owner} has no parameter {name!r}; {nearest(name, list(settable(entry)))}")
    parameters = {**preset, **_parameters(owner, entry, own)}
    for part, role in parts.items():
        inner = {name.partition(".")[2]: text for name, text in values.items() if name.startswith(part + ".")}
        if part in values or inner:
            default = parameters.get(part, settable(entry)[part].default)
            name, _, given = _split(values[part] if part in values else spec_of(default))
            parameters[part] = _part(role, values.get(part, name), {**given, **inner})
    return entry.factory(**parameters)


def _preset(owner: str, entry: Entry, values: dict[str, str]) -> dict[str, Any]:
    """The parameters that `preset=NAME` stands for; what else the spec says comes after them."""
    if not entry.presets or "preset" not in values:
        return {}
    if values["preset"] not in entry.presets:
        raise BadInput(
            f"{owner}: preset={values['preset']!r} is not allowed; preset takes {', '.join(entry.presets)}, FILE.toml"
        )
    return entry.presets[values["preset"]]


def _with_preset_file(owner: str, entry: Entry, values: dict[str, str]) -> dict[str, str]:
    """What a spec says, on top of what the file of its `preset=FILE.toml` says."""
    file = values.get("preset", "")
    if not file.endswith(".toml") or "preset" in settable(entry):
        return values
    under = _read_preset(owner, file)
    try:
        _with_parts(owner, entry, under)  # by itself, to tell the file's faults from those of the spec
    except BadInput as error:
        raise BadInput(f"{file}: {error}") from None
    return overlay(under, {name: text for name, text in values.items() if name != "preset"})


def _read_preset(owner: str, file: str) -> dict[str, str]:
    """The parameters in a preset file of `owner`, as a spec would write them."""
    try:
        content = tomllib.loads(Path(file).read_text(encoding="utf-8"))
    except OSError as error:
        raise BadInput(f"{file}: cannot read the preset: {error.strerror}") from None
    except ValueError as error:
        raise BadInput(f"{file}: not a TOML file: {error}") from None
    for key in content:
        if key not in ("search", "parameters"):
            raise BadInput(f"{file}: unknown key {key!r}; {nearest(key, ['search', 'parameters'])}")
    if content.get("search") != owner:
        found = f"is for {content['search']!r}" if "search" in content else "does not say for which search it is"
        raise BadInput(f"{file}: the preset {found}; one for {owner} has search = {owner!r}")
    parameters = content.get("parameters", {})
    if not isinstance(parameters, dict):
        raise BadInput(f"{file}: parameters is not a table; write [parameters], then name = value")
    return {name: _preset_text(file, name, value) for name, value in parameters.items()}


def _preset_text(file: str, name: str, value: Any) -> str:
    if isinstance(value, dict):
        raise BadInput(f'{file}: {name} is a table; a name with a dot is quoted, as in "{name}.{next(iter(value), "")}"')
    if not isinstance(value, (bool, int, float, str)):
        raise BadInput(f"{file}: {name}={value} is not allowed; a parameter is a number, text, true or false")
    if f".{name}".endswith(".preset") and str(value).endswith(".toml"):
        raise BadInput(f"{file}: {name}={value!r} is not allowed; a preset file takes no other one")
    return as_text(value)


def _part_entry(role: str, name: str) -> Entry:
    """A policy or search by name; `FILE.py:Class` for one of the user's own."""
    if ".py:" not in name:
        return _entry(role, name, {"policy": POLICIES, "search": SEARCHES}[role])
    cls = _user_class(*name.split(":", 1))
    if getattr(cls, "role", None) != role:
        raise BadInput(f"{name} is not a {role}; decorate it with @arbora.{role}")
    return Entry(cls, "")


def _part(role: str, name: str, values: dict[str, str]) -> Any:
    entry = _part_entry(role, name)
    return _with_parts(name, entry, _with_preset_file(name, entry, values) if role == "search" else values)


def _value(owner: str, name: str, p: Param, text: str) -> Any:
    try:
        if p.type is bool:
            return {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}[text.lower()]
        if p.type is int:
            return int(text.replace("_", ""))
        if p.type is float:
            return float(text)
        return text
    except (KeyError, ValueError):
        raise BadInput(f"{owner}: {name}={text!r} is not allowed; {name} takes {p.allowed}") from None


def _user_problem(file: str, class_name: str | None, values: dict[str, str]) -> Any:
    return _build(_user_class(file, class_name), f"{file}:{class_name}", values)


def _build(cls: Any, owner: str, values: dict[str, str]) -> Any:
    """An instance of a user's class, its arguments converted from text."""
    if hasattr(cls, "parameters"):
        return cls(**_parameters(owner, Entry(cls, ""), values))
    arguments = {name: _guess(text) for name, text in values.items()}
    try:
        inspect.signature(cls).bind(**arguments)
    except TypeError as error:
        raise BadInput(f"{owner}: {error}") from None
    return cls(**arguments)


def _guess(text: str) -> Any:
    for convert in (int, float):
        try:
            return convert(text)
        except ValueError:
            continue
    return {"true": True, "false": False}.get(text.lower(), text)


def _user_class(file: str, class_name: str | None) -> Any:
    module = load_file(file)
    classes = {
        name: value
        for name, value in vars(module).items()
        if isinstance(value, type) and value.__module__.split(".")[0] not in _NOT_USERS
    }
    if not class_name:
        raise BadInput(f"{file}: name the class, as in {file}:{next(iter(classes), 'MyProblem')}")
    if class_name not in classes:
        raise BadInput(f"{file}: no class {class_name!r}; {nearest(class_name, list(classes))}")
    return classes[class_name]


def load_file(file: str) -> ModuleType:
    """Import a Python file under a name made from its path, so that compiled code can find its classes again."""
    path = Path(file).resolve()
    if not path.is_file():
        raise BadInput(f"{file}: no such file")
    name = f"arbora_file_{path.stem}_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
    except ArboraError:
        del sys.modules[name]
        raise
    except SyntaxError as error:
        del sys.modules[name]
        raise BadInput(f"{file}, line {error.lineno}: {error.msg}") from None
    except Exception as error:
        del sys.modules[name]
        line = traceback.extract_tb(error.__traceback__)[-1]
        raise BadInput(f"{line.filename}, line {line.lineno}: {type(error).__name__}: {error}") from None
    return module
