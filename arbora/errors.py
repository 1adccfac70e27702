"""What can go wrong, in the user's terms. Every message is one clear line: what, where, what is allowed."""

import sysconfig
import traceback
from pathlib import Path


class ArboraError(Exception):
    """Base of everything Arbora raises on purpose."""


class BadInput(ArboraError, ValueError):
    """A name, value, file or budget that cannot be used; the command line exits with code 2."""


class ProblemError(ArboraError):
    """A problem, policy or search class that breaks its protocol."""


class BadSolution(ArboraError):
    """A solution file that does not replay to the score it claims; `arbora replay` exits with code 1."""


def user_frames(error: BaseException) -> list[traceback.FrameSummary]:
    """The frames of an error's traceback that are the user's own code: not Arbora's, not a library's."""
    others = (str(Path(__file__).parent), sysconfig.get_paths()["stdlib"], "<frozen")
    return [
        frame
        for frame in traceback.extract_tb(error.__traceback__)
        if not frame.filename.startswith(others) and "site-packages" not in frame.filename
    ]
