"""`@kernel` marks a helper function that compiled code may call.

It stays plain Python for everybody else; the compile layer picks the marks up when it is first needed, so that importing
Arbora does not import numba.
"""

from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

pending: list[tuple[Callable[..., Any], bool]] = []


def kernel(function: F) -> F:
    """Let compiled searches, problems and policies call this function."""
    assert isinstance(function, FunctionType)
    pending.append((function, False))
    return function


def inline_kernel(function: F) -> F:
    """A kernel that becomes part of its caller: for small ones, and those that take whole components."""
    assert isinstance(function, FunctionType)
    pending.append((function, True))
    return function
