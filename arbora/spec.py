"""Specs: a problem or a search as text, `name[:instance][,key=value…]`.

    samegame,seed=7            samegame:boards.txt#3          my_problem.py:Knapsack,capacity=50
    nrpa,level=4               mcts,policy=tabu-color,policy.epsilon=0.01
    multi-start,search=mcts,search.nodes=1000,search.policy=tabu-color
    sp-mcts,preset=cem-per-move,nodes=50000        a named set of parameters, and a change

A parameter that takes a policy or another search is given by name, its own parameters behind a dot.
One parser for the command line, files and Python. Everything wrong raises BadInput with the nearest thing that is right.
"""

import hashlib
import importlib.util
import inspect
import sys
import traceback
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

from arbora.component import Param, is_component, nearest
from arbora.errors import ArboraError, BadInput
from arbora.registry import POLICIES, PROBLEMS, SEARCHES, Entry

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
    name, instance, values = _split(text)
    if instance is None:
        return _part("search", name, values)
    if not name.endswith(".py"):
        raise BadInput(f"{text}: a search takes no instance after a colon")
    return _part("search", f"{name}:{instance}", values)


def spec_of(component: Any) -> str:
    """A spec for a component of ours, with the parameters that differ from their defaults; else its repr."""
    for name, entry in {**PROBLEMS, **SEARCHES, **POLICIES}.items():
        fits = all(getattr(component, key, None) == value for key, value in entry.fixed.items())
        if type(component) is entry.factory and fits and not _has_data(component, entry):
            return name + "".join(_differences(component, entry))
    return repr(component)


def settable(entry: Entry) -> dict[str, Param]:
    """The parameters a spec of this entry may set."""
    return {
        name: p
        for name, p in entry.factory.parameters.items()
        if not p.derived and name not in entry.fixed and name != entry.data
    }


def _has_data(component: Any, entry: Entry) -> bool:
    """Is the component made from data of its own, which no parameter in a spec can say?"""
    return bool(entry.data) and np.size(getattr(component, entry.data)) > 0


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
    head, *pairs = text.split(",")
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
        raise BadInput(f"{owner}: preset={values['preset']!r} is not allowed; preset takes {', '.join(entry.presets)}")
    return entry.presets[values["preset"]]


def _part(role: str, name: str, values: dict[str, str]) -> Any:
    """A policy or search by name; `FILE.py:Class` for one of the user's own."""
    if ".py:" in name:
        cls = _user_class(*name.split(":", 1))
        if getattr(cls, "role", None) != role:
            raise BadInput(f"{name} is not a {role}; decorate it with @arbora.{role}")
        return _with_parts(name, Entry(cls, ""), values)
    return _with_parts(name, _entry(role, name, {"policy": POLICIES, "search": SEARCHES}[role]), values)


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
