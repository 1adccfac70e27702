"""A failed compilation in the user's terms: class, method, file, line, reason.

numba's own message speaks of the whole program. Compiling the methods one by one finds the first that fails by itself,
and there numba knows the line.
"""

import dis
import re
import warnings
from types import FunctionType
from typing import Any

from numba import njit, types
from numba.core.errors import NumbaError, NumbaWarning
from numba.misc.special import typeof

from arbora.component import component_methods, has_role, where
from arbora.engine import compile
from arbora.errors import ProblemError


def explain(error: Exception, search: Any, problem: Any, run: Any) -> ProblemError:
    """The one line a user needs to mend their class."""
    state, out, rng = typeof(run.states[0]), typeof(run.moves), typeof(run.rng)
    number = types.int64
    arguments = {
        "reset": (state,),
        "moves": (state, out),
        "play": (state, number),
        "player": (state,),
        "payoff": (state, number),  # before `score`, which is made of it in games
        "score": (state,),
        "candidates": (state, out),
        "code": (state, number),
        "kind": (state, number),
        "kind_count": (state, number),
        "sample": (state, out, rng),
        "bias": (state, number),
        "bound": (state,),
        "key": (state,),
        "label": (state, number),
        "find": (state, number, out),
        "eased": (state, types.float64),
        "chance": (state, number),
        "prior": (state, number),
        "light": (state, out, rng),
        "urgent": (state, out, rng),
    }
    for name in arguments:
        if name in component_methods(type(problem)):
            found = _first_error(problem, name, arguments[name])
            if found is not None:
                return found
    policy = getattr(search, "policy", None)
    if policy is not None:
        memory, game = typeof(run.memory[0]), typeof(problem)
        for name, args in (
            ("begin", (game, state, memory, rng)),
            ("choose", (game, state, memory, out, rng)),
            ("learn", (game, memory, types.float64)),
        ):
            found = _first_error(policy, name, args)
            if found is not None:
                return found
    return _translated(error, search, "run")


def _first_error(component: Any, name: str, arguments: tuple[Any, ...]) -> ProblemError | None:
    compile.prepare((component,))
    try:
        compiled: Any = njit(getattr(type(component), name))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", NumbaWarning)
            compiled.compile((typeof(component), *arguments))
    except Exception as error:
        return _translated(error, component, name)
    return None


def _translated(error: Exception, component: Any, name: str) -> ProblemError:
    method = getattr(type(component), name)
    text = re.sub(r"\x1b\[[0-9;]*m", "", str(error))
    place = _place(error, text, method) or where(method)
    record = "state" if has_role(component, "problem") else "state or memory"
    return ProblemError(f"class {type(component).__name__}, method {name}, {place}: {reason(error, text, record)}")


def _place(error: Exception, text: str, method: FunctionType) -> str | None:
    """The innermost line of the method's own file that numba names."""
    file = method.__code__.co_filename
    found = re.findall(r"defined at (\S+) \((\d+)\)", text) + re.findall(r'File "([^"]+)", line (\d+)', text)
    lines = [int(line) for shown, line in found if _same(shown, file)]
    loc = getattr(error, "loc", None)
    if isinstance(error, KeyError) and not lines:
        lines = _lines_of_attribute(method, str(error.args[0]))
    if not lines and loc is not None and _same(str(loc.filename), file):
        lines = [loc.line]
    return f"{file}:{lines[0]}" if lines else None


def _lines_of_attribute(method: FunctionType, name: str) -> list[int]:
    """Where a method reads or writes `something.name`."""
    return [
        instruction.positions.lineno
        for instruction in dis.get_instructions(method)
        if instruction.opname in ("LOAD_ATTR", "STORE_ATTR", "LOAD_METHOD")
        and instruction.argval == name
        and instruction.positions is not None
        and instruction.positions.lineno is not None
    ]


def _same(shown: str, full: str) -> bool:
    return full.endswith(shown.lstrip("./")) or shown.endswith(full)


_NOISE = (
    "Failed in nopython mode pipeline", "During:", "File ", "There are", " - Of which", "- Resolution failure", ">>>",
    "raised from", "Overload", "With argument", "Rejected as", "Use of unsupported NumPy function", "[", "^",
)  # fmt: skip


def reason(error: Exception, text: str, record: str = "state") -> str:
    """What is wrong, in one line, from numba's many."""
    if isinstance(error, KeyError):  # numba looks a record's field up in a dict
        return f"unknown attribute {error.args[0]!r} of the {record} (not a field of the layout)"
    if not isinstance(error, NumbaError):
        return f"{type(error).__name__}: {text.splitlines()[0] if text else ''}"
    unsupported = re.search(r"Use of unsupported NumPy function '([^']+)'", text)
    if unsupported:
        return f"{unsupported.group(1)} cannot be compiled"
    attribute = re.search(r"Unknown attribute '(\w+)' of type (\w+)", text)
    if attribute:
        kind = {"Record": "the state (not a field of the layout)"}.get(attribute.group(2), attribute.group(2))
        return f"unknown attribute {attribute.group(1)!r} of {kind}"
    unify = re.search(r"Cannot unify (.+?) and (.+?) for '([$\w.]+)'", text)
    if unify:
        variable = unify.group(3).split(".")[0]
        what = "a value" if variable.startswith("$") else f"variable {variable!r}"
        return f"{what} has two types, {unify.group(1)} and {unify.group(2)}"
    signature = re.search(r"No implementation of function Function\((?:<built-in function )?([^>)]+)>?\) found", text)
    call = re.search(r">>> (\w+\(.{1,160}\))\s*$", text, re.MULTILINE)
    if signature:
        shown = call.group(1) if call else signature.group(1)
        return f"cannot compile {shown}: these types do not go together"
    undefined = re.search(r"NameError: name '(\w+)'", text) or re.search(r"[Vv]ariable '?(\w+)'? referenced before", text)
    if undefined:
        return f"unknown name {undefined.group(1)!r}"
    untyped = re.search(r"Untyped global name '(\w+)': (.+)", text)
    if untyped:
        return f"global {untyped.group(1)!r} cannot be used in compiled code: {untyped.group(2).strip()}"
    for line in text.splitlines():
        line = line.strip()
        if line and not line.startswith(_NOISE):
            return line[:200]
    return type(error).__name__
