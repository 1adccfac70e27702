"""Components: plain classes with parameters, turned into named tuples that compiled code can take.

A problem, a policy and a search are all components. The class body is written like a dataclass; the decorator turns it
into a `NamedTuple` subclass, so that one and the same class runs interpreted (plain Python) and compiled (the compile
layer teaches numba to call its methods). A component has parameters and fixed data, never a state of its own.
"""

import inspect
import sys
from collections import namedtuple
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from types import FunctionType
from typing import Any, Literal, TypeVar, dataclass_transform

import numpy as np

from arbora.errors import BadInput, ProblemError

T = TypeVar("T")

_NOT_COPIED = {"__dict__", "__weakref__", "__annotations__", "__module__", "__qualname__", "__doc__"}


@dataclass(frozen=True)
class Param:
    """One parameter: its default and what it may be. Write `param(...)` in a class body to make one."""

    default: Any
    help: str = ""
    low: float | None = None
    high: float | None = None
    choices: tuple[Any, ...] | None = None
    derived: bool = False
    type: Any = None

    @property
    def allowed(self) -> str:
        """What the parameter takes, for messages and listings."""
        if self.choices is not None:
            return ", ".join(str(choice) for choice in self.choices)
        kind = {int: "a whole number", float: "a number", bool: "true or false", str: "text"}.get(self.type, "a value")
        if self.low is not None and self.high is not None:
            return f"{kind} from {self.low:,} to {self.high:,}"
        if self.low is not None:
            return f"{kind} of {self.low:,} or more"
        if self.high is not None:
            return f"{kind} of {self.high:,} or less"
        return kind


class Component:
    """What all components have in common, so that they can be told from other tuples."""

    __slots__ = ()


def param(
    help: str = "",
    *,
    default: Any = inspect.Parameter.empty,
    low: float | None = None,
    high: float | None = None,
    choices: Sequence[Any] | None = None,
) -> Any:
    """A parameter with a line of help, its default (none: it must be given), and its allowed range or choices."""
    return Param(default, help, low, high, tuple(choices) if choices is not None else None)


def derived(*, init: Literal[False]) -> Any:
    """A field that `prepare` fills in from the parameters; users never set it."""
    return Param(None, derived=True)


@dataclass_transform(field_specifiers=(param, derived))
def make_component(cls: type[T], role: str = "memory", defaults: Mapping[str, Any] | None = None) -> type[T]:
    """Turn an annotated class into a named tuple class with the same methods, checking every value it is given.

    `role` says what it is for; `defaults` are members that the class gets unless it has its own.
    """
    # numba cannot call methods of an empty tuple, so a component without parameters carries a dummy.
    params = _parameters(cls) or {"no_parameters": Param(0, derived=True)}
    base: Any = namedtuple(cls.__name__, list(params), defaults=[p.default for p in params.values()])  # type: ignore[misc]
    members = {name: value for base in _bases(cls) for name, value in vars(base).items()}
    own = {name: value for name, value in members.items() if name not in params and name not in _NOT_COPIED}
    body: dict[str, Any] = {"prepare": _prepare, **(defaults or {}), **own}

    def construct(klass: Any, *args: Any, **kwargs: Any) -> Any:
        values = _bind(klass, args, kwargs)
        made = klass._make(_checked(klass.__name__, params[name], name, value) for name, value in values.items())
        return made.prepare()

    def replace(self: Any, **changes: Any) -> Any:
        """The same component with some parameters changed."""
        kept = {name: getattr(self, name) for name, p in params.items() if not p.derived}
        return type(self)(**{**kept, **changes})

    body.update(
        __new__=construct,
        __slots__=(),
        __doc__=inspect.getdoc(cls) or "",
        __module__=_importable_home(cls.__module__),
        __qualname__=cls.__qualname__,
        __reduce__=lambda self: (type(self)._make, (tuple(self),)),
        __repr__=_repr,
        __eq__=_equal,
        __ne__=lambda self, other: not _equal(self, other),
        __hash__=lambda self: hash((type(self), *(_comparable(value) for value in self))),
        replace=replace,
        parameters=params,
        role=role,
    )
    return type(cls.__name__, (Component, base), body)


def fill(component: Any, **values: Any) -> Any:
    """A copy of a component with derived fields, or parameters in their final form, filled in."""
    return component._replace(**values)


def is_component(value: object) -> bool:
    return isinstance(value, Component)


def has_role(value: object, role: str) -> bool:
    return is_component(value) and getattr(type(value), "role", None) == role


def component_methods(cls: type) -> dict[str, FunctionType]:
    """The methods of a component class that compiled code may call."""
    return {
        name: value for name, value in vars(cls).items() if isinstance(value, FunctionType) and not name.startswith("__")
    }


def nearest(name: str, known: Sequence[str]) -> str:
    """A hint for a mistyped name: the nearest known one, then all of them."""
    match = get_close_matches(name, known, n=1, cutoff=0.5)
    hint = f"did you mean {match[0]!r}? " if match else ""
    return f"{hint}known: {', '.join(sorted(known))}" if known else "there are none"


def where(function: Callable[..., Any] | type) -> str:
    """`file:line` of a function or class."""
    code = getattr(function, "__code__", None)
    if code is not None:
        return f"{code.co_filename}:{code.co_firstlineno}"
    try:
        return f"{inspect.getsourcefile(function)}:{inspect.getsourcelines(function)[1]}"
    except (OSError, TypeError):
        return f"module {function.__module__}"


def require_methods(cls: type, required: dict[str, tuple[str, ...]], optional: dict[str, tuple[str, ...]]) -> None:
    """Raise ProblemError for a missing method or one whose arguments are not the protocol's."""
    kind = "class " + cls.__name__
    for name, arguments in required.items():
        if not callable(getattr(cls, name, None)):
            raise ProblemError(f"{kind} ({where(cls)}): method {name}({', '.join(('self', *arguments))}) is missing")
    for name, arguments in {**required, **optional}.items():
        function = inspect.getattr_static(cls, name, None)
        if function is None:
            continue
        expected = ", ".join(("self", *arguments))
        if not isinstance(function, FunctionType):
            raise ProblemError(f"{kind} ({where(cls)}): {name} must be a plain method {name}({expected})")
        given = list(inspect.signature(function).parameters.values())
        if len(given) != len(arguments) + 1 or any(p.kind is not p.POSITIONAL_OR_KEYWORD for p in given):
            found = ", ".join(str(p) for p in given)
            raise ProblemError(f"{kind}, {where(function)}: {name} must be {name}({expected}), not {name}({found})")


def _bases(cls: type) -> list[type]:
    """The classes whose members a component has, the most general first."""
    named_tuples = [base for base in cls.__mro__ if "_fields" in vars(base) and "parameters" not in vars(base)]
    return [base for base in reversed(cls.__mro__) if base not in (object, tuple, Component, *named_tuples)]


def _parameters(cls: type) -> dict[str, Param]:
    params: dict[str, Param] = {}
    for base in _bases(cls):
        params.update(vars(base).get("parameters") or _own_parameters(base))
    return params


def _own_parameters(cls: type) -> dict[str, Param]:
    params = {}
    for name, annotation in inspect.get_annotations(cls, eval_str=False).items():
        if isinstance(annotation, str):
            annotation = {"int": int, "float": float, "bool": bool, "str": str}.get(annotation, annotation)
        if name.startswith("_"):
            raise ProblemError(f"class {cls.__name__} ({where(cls)}): parameter {name} must not start with an underscore")
        given = vars(cls).get(name, inspect.Parameter.empty)
        made = given if isinstance(given, Param) else Param(given)
        params[name] = Param(made.default, made.help, made.low, made.high, made.choices, made.derived, annotation)
    return params


def _bind(klass: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> dict[str, Any]:
    settable = [name for name, p in klass.parameters.items() if not p.derived]
    if len(args) > len(settable):
        raise BadInput(f"{klass.__name__} takes at most {len(settable)} parameters, not {len(args)}")
    values = {name: p.default for name, p in klass.parameters.items()}
    values.update(zip(settable, args, strict=False))
    for name, value in kwargs.items():
        if name not in settable:
            raise BadInput(f"{klass.__name__} has no parameter {name!r}; {nearest(name, settable)}")
        values[name] = value
    for name, value in values.items():
        if value is inspect.Parameter.empty:
            raise BadInput(f"{klass.__name__} needs a value for {name!r}")
    return values


def _checked(owner: str, spec: Param, name: str, value: Any) -> Any:
    """The value in the type its annotation asks for, so that equal parameters always compile to the same code."""
    if spec.derived:
        return value
    try:
        if spec.type is bool:
            if not isinstance(value, (bool, np.bool_)):
                raise TypeError
            value = bool(value)
        elif spec.type is int:
            if isinstance(value, (bool, np.bool_)) or int(value) != value:
                raise TypeError
            value = int(value)
            if not -(2**63) <= value < 2**63:
                raise OverflowError
        elif spec.type is float:
            if isinstance(value, (bool, np.bool_, str)):
                raise TypeError
            value = float(value)
            if value != value:
                raise TypeError
        elif spec.type is str:
            value = str(value)
        elif isinstance(value, list) or (isinstance(value, tuple) and not is_component(value)):
            value = _as_array(owner, name, value)
    except BadInput:
        raise
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"{owner}: {name}={value!r} is not allowed; {name} takes {spec.allowed}") from None
    outside = (
        (spec.choices is not None and value not in spec.choices)
        or (spec.low is not None and value < spec.low)
        or (spec.high is not None and value > spec.high)
    )
    if outside:
        raise BadInput(f"{owner}: {name}={value!r} is not allowed; {name} takes {spec.allowed}")
    return value


def _as_array(owner: str, name: str, value: Any) -> np.ndarray:
    try:
        return np.asarray(value)
    except ValueError:
        raise BadInput(f"{owner}: {name} has rows of different lengths; an array needs equal ones") from None


def _importable_home(module: str) -> str:
    """A name under which a class can be found again by reference, also from a script that is run directly.

    Compiled code refers to classes by module and name. `__main__` is another module in every script, so the script gets
    a second name, made from its path, for the same module object.
    """
    main = sys.modules["__main__"]
    path = getattr(main, "__file__", None)
    if module != "__main__" or path is None:
        return module
    name = "arbora_script_" + "".join(letter if letter.isalnum() else "_" for letter in str(path))
    sys.modules[name] = main
    return name


def _prepare(self: Any) -> Any:
    return self


def _equal(self: Any, other: Any) -> bool:
    """Equal only if of one class: two policies without parameters are still two policies."""
    if type(self) is not type(other):
        return False
    return [_comparable(value) for value in self] == [_comparable(value) for value in other]


def _comparable(value: Any) -> Any:
    if isinstance(value, np.ndarray):
        return value.dtype.str, value.shape, value.tobytes()
    return value


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={getattr(self, name)!r}" for name, p in self.parameters.items() if not p.derived)
    return f"{type(self).__name__}({shown})"
