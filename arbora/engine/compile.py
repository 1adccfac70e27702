"""The compile layer: one entry point, `execute`, compiled for each combination of search, policy and problem.

Importing this module imports numba; everything else in Arbora does without until something has to be compiled.
"""

import inspect
import sys
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

from numba import njit, types
from numba.core.typing.templates import AbstractTemplate, AttributeTemplate, infer_getattr
from numba.extending import lower_builtin, register_jitable
from numba.misc.special import typeof

from arbora.component import component_methods, is_component
from arbora.engine import kernel, native
from arbora.engine.cache import CompileCache

_exposed: set[str] = set()


def execute(search: Any, problem: Any, run: Any) -> None:
    search.run(problem, run)


def compiled(function: Callable[..., Any], nogil: bool = True) -> Any:
    """`function` as machine code behind the compile cache; every argument that is a component may be called inside."""
    dispatcher = njit(nogil=nogil, _nrt=False)(function)
    dispatcher._cache = CompileCache(function, (inspect.getsource(native), inspect.getsource(sys.modules[__name__])))
    return dispatcher


_execute = compiled(execute)


def prepare(*arguments: Any) -> tuple[Any, ...]:
    """Make the methods of all components among the arguments callable from compiled code; return argument types."""
    while kernel.pending:
        register_jitable(forceinline=True, _nrt=False)(kernel.pending.pop())
    for component in _components(arguments):
        for name in component_methods(type(component)):
            _expose(name)
    return tuple(typeof(argument) for argument in arguments)


def load(*arguments: Any, on_compile: Callable[[], None] | None = None) -> Any:
    """The machine code of `execute` for these arguments, from the cache or freshly compiled."""
    signature = prepare(*arguments)
    if signature not in _execute.overloads:
        cached = _execute._cache.load_overload(signature, _execute.targetctx)
        if cached is not None:
            _execute.add_overload(cached)
        else:
            if on_compile is not None:
                on_compile()
            _execute.compile(signature)
    return _execute


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

    @lower_builtin((types.BaseNamedTuple, name), types.BaseNamedTuple, types.VarArg(types.Any))
    def lower_method(context, builder, signature, args):  # type: ignore[no-untyped-def]
        call = context.get_function(types.Dispatcher(_method(signature.args[0].instance_class, name)), signature)
        context.add_linking_libs(getattr(call, "libs", ()))
        return call(builder, args)


@cache
def _method(cls: type, name: str) -> Any:
    return njit(forceinline=True, _nrt=False)(getattr(cls, name))


@infer_getattr
class _ComponentMethods(AttributeTemplate):
    """Types `component.name` as a bound method; numba itself answers for fields."""

    key = types.BaseNamedTuple

    def generic_resolve(self, component: Any, name: str) -> Any:
        if name in component.fields or name not in component_methods(component.instance_class):
            return None
        dispatcher = types.Dispatcher(_method(component.instance_class, name))

        class Method(AbstractTemplate):
            key = (types.BaseNamedTuple, name)

            def generic(self, args: Any, kws: Any) -> Any:
                return dispatcher.get_call_type(self.context, (component, *args), kws).as_method()

        return types.BoundFunction(Method, component)
