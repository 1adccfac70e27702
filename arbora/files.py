"""Files that are written whole or not at all."""

import os
import tempfile
from pathlib import Path

from arbora.errors import BadInput


def require_place(path: Path, option: str) -> None:
    """Raise BadInput unless a file could stand there, before anything is done whose outcome it should hold."""
    if path.is_dir():
        raise BadInput(f"{path}: is a folder; {option} takes a file")
    if not path.parent.is_dir():
        raise BadInput(f"{path}: no such folder {path.parent}")


def write_text(path: Path, text: str, what: str) -> None:
    """Replace the file in one step; what was there stays if anything goes wrong. Raises BadInput if it cannot be.

    `what` is the name of such a file in the message: "solution", "report".
    """
    try:
        handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=path.name, suffix=".tmp")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            os.chmod(temporary, 0o644)
            os.replace(temporary, path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise BadInput(f"{path}: cannot write the {what}: {error.strerror}") from None
