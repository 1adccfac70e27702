"""The command line: `arbora solve · replay · list · check · bench · lab · tune`."""

from arbora.cli.main import main

__all__ = ["main"]
