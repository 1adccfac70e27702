"""What compiled code was made from, as one hash.

numba freezes everything a function reaches into machine code: the functions it calls, wherever they live, and the
values of the globals it reads. The fingerprint therefore walks from the given classes and functions through all of
that, so that any edit that could change the machine code changes the hash.
"""

import hashlib
import sys
from collections.abc import Iterable
from enum import Enum
from types import BuiltinFunctionType, CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np

from arbora.component import component_methods

# Their versions are part of the cache key; the standard library's is Python's.
_VERSIONED = {"numpy", "numba", "llvmlite", "builtins", "math", *sys.stdlib_module_names}

# Called as plain Python only, so that an edit there needs no new compilation, unless compiled code calls them too.
PYTHON_ONLY = {
    "layout", "max_moves", "max_length", "prepare", "replace", "render", "text", "compact", "states", "workspace", "team"
}  # fmt: skip


def fingerprint(roots: Iterable[object]) -> str:
    """A hash over all code and constants that can be reached from `roots` (functions and component classes)."""
    walk = _Walk()
    for root in roots:
        walk.visit(root)
    walk.visit_called_python_only()
    return walk.digest.hexdigest()


class _Walk:
    def __init__(self) -> None:
        self.digest = hashlib.sha256()
        self.visited: dict[int, tuple[int, object]] = {}  # by identity: the how-manieth, and the object to keep it alive
        self.classes: list[type] = []
        self.names: set[str] = set()

    def visit(self, value: object) -> None:
        if isinstance(value, (FunctionType, type, ModuleType)) or hasattr(value, "py_func") or hasattr(value, "_defn"):
            self.visit_code(value)
        elif isinstance(value, (tuple, list)):
            self.add(f"{type(value).__name__} {getattr(value, '_fields', '')} {len(value)}")
            for item in value:
                self.visit(item)
        else:
            self.add(_constant(value))

    def visit_code(self, value: Any) -> None:
        if id(value) in self.visited:
            self.add(f"visited {self.visited[id(value)][0]}")
            return
        self.visited[id(value)] = len(self.visited), value
        home = value.__name__ if isinstance(value, ModuleType) else getattr(value, "__module__", None) or ""
        if home.split(".")[0] in _VERSIONED:
            self.add(f"{home}.{getattr(value, '__qualname__', '')}")
        elif hasattr(value, "py_func"):  # a function the user jitted
            self.add(repr(sorted(value.targetoptions.items(), key=repr)))
            self.visit(value.py_func)
        elif hasattr(value, "_defn"):  # a numba intrinsic
            self.visit(value._defn)
        elif isinstance(value, type):
            self.visit_class(value)
        elif isinstance(value, FunctionType):
            self.visit_function(value)

    def visit_class(self, cls: type) -> None:
        self.add(f"class {cls.__qualname__}")
        self.classes.append(cls)
        if issubclass(cls, Enum):
            for name, member in cls.__members__.items():
                self.add(f"{name} {_constant(member.value)}")
        for name, method in sorted(component_methods(cls).items()):
            if name not in PYTHON_ONLY:
                self.add(name)
                self.visit(method)

    def visit_called_python_only(self) -> None:
        """Methods of PYTHON_ONLY that something visited mentions after all."""
        before = -1
        while before < len(self.visited):
            before = len(self.visited)
            for cls in list(self.classes):
                for name, method in sorted(component_methods(cls).items()):
                    if name in PYTHON_ONLY & self.names and id(method) not in self.visited:
                        self.add(f"{cls.__qualname__}.{name}")
                        self.visit(method)

    def visit_function(self, function: FunctionType) -> None:
        self.visit_bytecode(function.__code__, function.__globals__)
        for default in function.__defaults__ or ():
            self.visit(default)
        for cell in function.__closure__ or ():
            self.visit(cell.cell_contents)

    def visit_bytecode(self, code: CodeType, scope: dict[str, Any]) -> None:
        self.add(repr((code.co_name, code.co_varnames, code.co_names, code.co_freevars, code.co_flags)))
        self.digest.update(code.co_code)
        self.names.update(code.co_names)
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                self.visit_bytecode(constant, scope)
            else:
                self.add(_constant(constant))
        self.visit_names(code.co_names, scope, set())

    def visit_names(self, names: tuple[str, ...], scope: dict[str, Any], inside: set[int]) -> None:
        """Everything the names may stand for: globals, and attributes of modules among them."""
        for name in names:
            if name not in scope:
                continue
            value = scope[name]
            self.add(name)
            if isinstance(value, ModuleType):
                if value.__name__.split(".")[0] not in _VERSIONED and id(value) not in inside:
                    self.visit_names(names, vars(value), inside | {id(value)})
            elif not isinstance(value, BuiltinFunctionType):
                self.visit(value)

    def add(self, text: str) -> None:
        self.digest.update(text.encode())
        self.digest.update(b"\0")


def _constant(value: Any) -> str:
    """Text that is equal for equal constants, in any process."""
    if isinstance(value, np.ndarray):
        content = np.ascontiguousarray(value).tobytes()
        return f"array {value.dtype} {value.shape} {hashlib.sha256(content).hexdigest()}"
    if isinstance(value, (tuple, list)):
        return f"{type(value).__name__}({', '.join(_constant(item) for item in value)})"
    if isinstance(value, (set, frozenset)):
        return f"set({', '.join(sorted(_constant(item) for item in value))})"
    if isinstance(value, dict):
        return f"dict({', '.join(_constant(item) for pair in value.items() for item in pair)})"
    if isinstance(value, Enum):
        return f"{type(value).__qualname__}.{value.name} {_constant(value.value)}"
    if value is None or isinstance(value, (bool, int, float, complex, str, bytes, np.generic, np.dtype)):
        return f"{type(value).__name__} {value!r}"
    return f"{type(value).__module__}.{type(value).__qualname__}"
