"""The compile cache: machine code on disk, found again only if nothing it was made from has changed.

One file per compiled function, named by a hash over everything that went into it (see `fingerprint`), the argument
types, the processor and the versions. Nothing is ever looked up by time or path, so there is no stale entry to trust;
files appear by an atomic rename, so processes that start cold together cannot disturb each other.
"""

import hashlib
import os
import pickle
import platform
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import llvmlite
import numba
import numpy as np
from numba.core.caching import CompileResultCacheImpl, _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from arbora.engine.fingerprint import fingerprint

VERSIONS = (sys.version, platform.machine(), numba.__version__, llvmlite.__version__, np.__version__)
KEEP_DAYS = 60


def cache_folder() -> Path:
    """`$ARBORA_CACHE_DIR`, else `arbora` in the user's cache folder."""
    given = os.environ.get("ARBORA_CACHE_DIR")
    if given:
        return Path(given)
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(home) / "arbora"


class CompileCache(_Cache):
    """numba's cache interface over one folder of files; a folder that cannot be used only costs compile time."""

    def __init__(self, function: Any, engine_roots: tuple[object, ...]) -> None:
        self.function = function
        self.engine_roots = engine_roots

    @property
    def cache_path(self) -> str:
        return str(cache_folder())

    def entry(self, signature: Any, codegen: Any) -> Path:
        """Where the code for this signature lies, if it was ever compiled. Raises LookupError if it cannot be kept."""
        classes = sorted(set(component_classes(signature)), key=lambda cls: (cls.__module__, cls.__qualname__))
        for cls in classes:
            if not _importable(cls):
                raise LookupError(f"{cls} cannot be found again by name")
        made_from = fingerprint([self.function, *self.engine_roots, *classes])
        names = [f"{cls.__module__}.{cls.__qualname__}" for cls in classes]
        options = (os.environ.get("NUMBA_OPT", ""), os.environ.get("NUMBA_BOUNDSCHECK", ""))
        key = repr((made_from, names, str(signature), codegen.magic_tuple(), VERSIONS, options))
        return cache_folder() / f"{hashlib.sha256(key.encode()).hexdigest()[:40]}.code"

    def load_overload(self, signature: Any, target_context: Any) -> Any:
        target_context.refresh()
        try:
            path = self.entry(signature, target_context.codegen())
            content = path.read_bytes()
            checksum, payload = content[:32], content[32:]
            if hashlib.sha256(payload).digest() != checksum:
                raise ValueError("damaged cache file")
            result = CompileResult._rebuild(target_context, *pickle.loads(payload))
        except Exception:  # absent, damaged, or made by something incompatible: compile instead
            return None
        with suppress(OSError):
            os.utime(path)  # still in use: see `_remove_unused`
        return result

    def save_overload(self, signature: Any, data: Any) -> None:
        if any(not lifted.can_cache for lifted in data.lifted) or data.library.has_dynamic_globals:
            return
        try:
            path = self.entry(signature, data.codegen)
        except LookupError:
            return
        payload = dumps(CompileResultCacheImpl.reduce(None, data))  # type: ignore[arg-type]
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            _remove_unused(path.parent)
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        except OSError:
            return
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(payload).digest() + payload)
            os.replace(temporary, path)
        except OSError:
            Path(temporary).unlink(missing_ok=True)

    def enable(self) -> None:
        pass

    def disable(self) -> None:
        pass

    def flush(self) -> None:
        pass


def component_classes(types_given: Any) -> Iterator[type]:
    """The component classes among argument types, at any depth."""
    for argument in types_given:
        if hasattr(argument, "instance_class"):
            yield argument.instance_class
            yield from component_classes(argument.types)


def _importable(cls: type) -> bool:
    """Can another process find the class by module and name? Not if it was made in a function, a notebook or a prompt."""
    found: Any = sys.modules.get(cls.__module__)
    for name in cls.__qualname__.split("."):
        found = getattr(found, name, None)
    return found is cls and cls.__module__ != "__main__"


def _remove_unused(folder: Path) -> None:
    """Drop what has not been loaded for a long time, so that the folder cannot grow for ever."""
    oldest = time.time() - KEEP_DAYS * 86_400
    for path in folder.iterdir():
        try:
            if path.suffix in (".code", ".tmp") and path.stat().st_mtime < oldest:
                path.unlink()
        except OSError:
            continue
