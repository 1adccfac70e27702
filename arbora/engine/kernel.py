"""`@kernel` marks a helper function that compiled code may call.

It stays plain Python for everybody else; the compile layer picks the marks up when it is first needed, so that importing
Arbora does not import numba.
"""

from types import FunctionType
from typing import TypeVar

F = TypeVar("F")

pending: list[FunctionType] = []


def kernel(function: F) -> F:
    """Let compiled searches, problems and policies call this function."""
    assert isinstance(function, FunctionType)
    pending.append(function)
    return function
