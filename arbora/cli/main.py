"""Entry point: commands, and errors as one clear line with the right exit code."""

import sys
import traceback
from typing import Annotated, Any

import typer

from arbora.cli import commands, exact, gtp, lab, match, play, tell, tune
from arbora.errors import ArboraError, BadSolution, user_frames

# The base of all usage errors; typer has it from click or from within, depending on its version.
UsageProblem: Any = next(base for base in typer.BadParameter.__mro__ if base.__name__ == "ClickException")

app = typer.Typer(
    name="arbora",
    help="Monte-Carlo search: the best solution of your problem, for as long as you let it run.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.command("solve")(commands.solve)
app.command("replay")(commands.replay)
app.command("list")(commands.list_all)
app.command("check")(commands.check)
app.command("bench")(commands.bench)
app.command("gtp")(gtp.gtp)
app.command("match")(match.match)
app.command("play")(play.play)
app.command("exploit")(exact.exploit)
app.command("export")(exact.export)
app.command("tune")(tune.tune)
app.add_typer(lab.app)
app.add_typer(tell.app)


@app.callback(invoke_without_command=True)
def version(
    show: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
) -> None:
    if show:
        from arbora import __version__

        typer.echo(f"arbora {__version__}")
        raise typer.Exit


def main(arguments: list[str] | None = None) -> int:
    """Run the command line; returns the exit code: 0 done, 130 interrupted, 1 a failed replay, 2 bad input."""
    try:
        return app(arguments, standalone_mode=False) or 0
    except typer.Abort:
        return _complain("interrupted", 130)
    except UsageProblem as error:
        return _complain(error.format_message() or "see `arbora --help`", 2)
    except BadSolution as error:
        return _complain(str(error), 1)
    except ArboraError as error:
        return _complain(str(error), 2)
    except KeyboardInterrupt:
        return _complain("interrupted", 130)
    except BrokenPipeError:
        sys.stderr.close()
        return 0
    except Exception as error:
        frames = user_frames(error)
        if not frames:
            raise
        print("Traceback in your code (most recent call last):", file=sys.stderr)
        print("".join(traceback.format_list(frames)), end="", file=sys.stderr)
        return _complain(f"{type(error).__name__}: {error}", 2)


def _complain(message: str, code: int) -> int:
    print("arbora: " + " ".join(message.split()), file=sys.stderr)
    return code


def run() -> None:
    """The console script."""
    sys.exit(main())
