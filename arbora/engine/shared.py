"""What compiled code needs beyond numba's Python: memory shared with a watching thread, and calls back into Python.

The bodies here are the plain-Python meaning of each function; `arbora.engine.native` holds what runs when compiled.
"""

import ctypes
from typing import Any

INT_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_int64)
FLOAT_CALLBACK = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)


def fence() -> None:
    """No write before this point may be seen after a write behind it."""


def peek(array: Any, index: int) -> int:
    """Element `index` of an int64 array as it is now, even if another thread writes it."""
    return array[index]


def peek_float(array: Any, index: int) -> float:
    """The same for a float64 array."""
    return array[index]


def try_acquire(locks: Any, index: int) -> bool:
    """Take a lock of an int64 array, 0 while it is free; False if somebody else has it."""
    if locks[index] != 0:
        return False
    locks[index] = 1
    return True


def release(locks: Any, index: int) -> None:
    """Give a lock back; all that was written before is seen by whoever takes it next."""
    locks[index] = 0


def call_int(address: int, argument: int) -> int:
    """Call the C function int64 -> int64 at `address`."""
    return INT_CALLBACK(address)(argument)


def call_float(address: int, argument: int) -> float:
    """Call the C function int64 -> double at `address`."""
    return FLOAT_CALLBACK(address)(argument)
