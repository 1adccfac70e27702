"""`python -m arbora`."""

from arbora.cli.main import run

run()
