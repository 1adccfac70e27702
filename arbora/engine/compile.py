"""The compile layer: one entry point, `execute`, compiled for each combination of search, policy and problem.

Importing this module imports numba; everything else in Arbora does without until something has to be compiled.
"""

import hashlib
import inspect
import sys
import threading
import warnings
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numba import njit, types
from numba.core.errors import NumbaError, NumbaWarning
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.core.typing.typeof import _typeof_tuple
from numba.extending import lower_builtin, register_jitable, typeof_impl
from numba.misc.special import typeof

from arbora.component import Component, component_methods, is_component
from arbora.engine import kernel, native
from arbora.engine.cache import CompileCache
from arbora.engine.fingerprint import fingerprint

_exposed: set[str] = set()
_lock = threading.RLock()

# Component methods and kernels are inlined, since their tuples would be passed word by word, and compiled without
# reference counting, since every array they see is owned by the caller; both are worth a factor of several. A class
# that makes arrays of its own needs the counting, and is compiled again with it.
_FAST: dict[str, Any] = {"forceinline": True, "_nrt": False}
_COUNTED: dict[str, Any] = {"forceinline": True, "_nrt": True}
_options = _FAST


def execute(search: Any, problem: Any, run: Any) -> None:
    search.run(problem, run)


def execute_counted(search: Any, problem: Any, run: Any) -> None:
    search.run(problem, run)


class Compiled:
    """`function` as machine code behind the compile cache; components among the arguments may be called inside."""

    def __init__(self, function: Callable[..., Any], reference_counting: bool = False) -> None:
        self.options = _COUNTED if reference_counting else _FAST
        options: dict[str, Any] = {"nogil": True, "_nrt": reference_counting}
        self.dispatcher: Any = njit(**options)(function)
        sources = (inspect.getsource(native), inspect.getsource(sys.modules[__name__]))
        self.dispatcher._cache = CompileCache(function, sources)

    def find(self, signature: tuple[Any, ...]) -> bool:
        """Is there machine code for these argument types, in memory or in the cache?"""
        if signature in self.dispatcher.overloads:
            return True
        cached = self.dispatcher._cache.load_overload(signature, self.dispatcher.targetctx)
        if cached is not None:
            self.dispatcher.add_overload(cached)
        return cached is not None

    def entry(self, signature: tuple[Any, ...]) -> Callable[..., None]:
        """The machine code for these argument types, to be called with such arguments only.

        Not through numba's dispatcher, which takes two named tuple classes of one name for the same.
        """
        return self.dispatcher.overloads[signature].entry_point

    def compile(self, signature: tuple[Any, ...]) -> None:
        global _options
        _options = self.options
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)  # an error says more, and nothing else concerns the user
            self.dispatcher.compile(signature)


_execute = Compiled(execute)
_execute_counted = Compiled(execute_counted, reference_counting=True)


def load(*arguments: Any, on_compile: Callable[[], None] | None = None) -> Any:
    """The machine code of `execute(search, problem, run)` for these arguments, from the cache or freshly compiled."""
    with _lock:
        shape = _shape(arguments)
        signature = _prepared.get(shape)
        if signature is None:
            signature = _prepared[shape] = prepare(arguments)
        for compiled in (_execute, _execute_counted):
            if compiled.find(signature):
                return compiled.entry(signature)
        if on_compile is not None:
            on_compile()
        try:
            _execute.compile(signature)
            return _execute.entry(signature)
        except NumbaError:  # perhaps because a method makes arrays
            _execute_counted.compile(signature)
            return _execute_counted.entry(signature)


_prepared: dict[Any, tuple[Any, ...]] = {}  # what `prepare` said of arguments of a shape, which it takes long to find out


def _shape(value: Any) -> Any:
    """Equal for values of the same type for numba, which looks at the size of whole numbers and the layout of arrays."""
    if isinstance(value, tuple):
        return type(value), *(_shape(part) for part in value)
    if isinstance(value, np.ndarray):
        flags = value.flags
        return value.dtype, value.ndim, flags.c_contiguous, flags.f_contiguous, flags.aligned, flags.writeable
    return (int, -(2**63) <= value < 2**63) if type(value) is int else type(value)


def prepare(arguments: tuple[Any, ...]) -> tuple[Any, ...]:
    """Make the methods of all components among the arguments callable from compiled code; return argument types."""
    while kernel.pending:
        function, inline = kernel.pending.pop()
        register_jitable(forceinline=inline, _nrt=False)(function)
    for component in _components(arguments):
        for name in component_methods(type(component)):
            _expose(name)
    return tuple(typeof(argument) for argument in arguments)


def _components(values: Any) -> Iterator[Any]:
    for value in values:
        if is_component(value):
            yield value
            yield from _components(value)


def _expose(name: str) -> None:
    """Teach numba to lower `component.name(...)` as a call of the method of the component's own class."""
    if name in _exposed:
        return
    _exposed.add(name)

    for fast in (True, False):
        _register_lowering(name, fast)


def _register_lowering(name: str, fast: bool) -> None:
    @lower_builtin((types.BaseNamedTuple, name, fast), types.BaseNamedTuple, types.VarArg(types.Any))
    def lower_method(context, builder, signature, args):
        method = _method(signature.args[0].instance_class, name, fast)
        call = context.get_function(types.Dispatcher(method), signature)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, args)


@typeof_impl.register(Component)
def _typeof_component(value: Any, context: Any) -> Any:
    """numba's type of a named tuple, under a name of its own for each class and version of its code.

    Symbols in machine code are named after types. Two classes of one name, or one class before and after an edit, must not
    share them: the later one would silently run the code of the first.
    """
    kind = _typeof_tuple(value, context)
    cls: Any = type(value)
    described = f"{_identity(cls)} {[str(field) for field in kind.types]}"
    kind.name = f"{cls.__name__}_{hashlib.sha256(described.encode()).hexdigest()[:16]}"
    return kind


def _mangled(kind: Any) -> tuple[str, tuple[str, ...]]:
    """A record's part of a symbol's name, and that of an array in a record: all of its layout.

    By itself numba numbers the records of a process, and leaves out the shapes of their arrays. Code that two processes have
    cached for two layouts then bears the same names, and a third process that loads both would run the first for the second.
    """
    return type(kind).__name__, (hashlib.sha256(kind.name.encode()).hexdigest()[:16],)


for _kind in (types.Record, types.NestedArray):
    _kind.mangling_args = property(_mangled)  # type: ignore[method-assign, assignment]


@cache
def _identity(cls: Any) -> str:
    return f"{cls.__module__}.{cls.__qualname__} {fingerprint([cls])}"


@cache
def _method(cls: type, name: str, fast: bool) -> Any:
    return njit(**(_FAST if fast else _COUNTED))(getattr(cls, name))


@infer_getattr
class _ComponentMethods(AttributeTemplate):
    """Types `component.name` as a bound method; numba itself answers for fields."""

    key = types.BaseNamedTuple

    def generic_resolve(self, component: Any, name: str) -> Any:  # type: ignore[override]
        if name in component.fields or name not in component_methods(component.instance_class):
            return None
        fast = _options is _FAST
        dispatcher: Any = types.Dispatcher(_method(component.instance_class, name, fast))

        class Method(AbstractTemplate):
            key = (types.BaseNamedTuple, name, fast)

            def generic(self, args: Any, kws: Any) -> Any:
                return dispatcher.get_call_type(self.context, (component, *args), kws).as_method()

        return types.BoundFunction(Method, component)
