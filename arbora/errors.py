"""What can go wrong, in the user's terms. Every message is one clear line: what, where, what is allowed."""


class ArboraError(Exception):
    """Base of everything Arbora raises on purpose."""


class BadInput(ArboraError, ValueError):
    """A name, value, file or budget that cannot be used; the command line exits with code 2."""


class ProblemError(ArboraError):
    """A problem, policy or search class that breaks its protocol."""


class BadSolution(ArboraError):
    """A solution file that does not replay to the score it claims; `arbora replay` exits with code 1."""
