"""`cooncan`: the command line. Commands are in `commands/`; what goes wrong is told here."""

import sys
import traceback
from pathlib import Path
from typing import Annotated

import typer

from cooncan_sim.commands import catalogue, contests, hands, pages, play, questions
from cooncan_sim.errors import CooncanError
from cooncan_sim.interrupt import heeding_ctrl_c
from cooncan_sim.terminal import drop_output, make_ready, output_fails

WRONG = 2
INTERRUPTED = 130

app = typer.Typer(
    help="Settles arguments about Coon Can and its family by playing them.",
    rich_markup_mode=None,
    add_completion=False,
)
for group in (catalogue, hands, play, contests, pages, questions):
    for name, command in group.COMMANDS.items():
        app.command(name)(command)


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say the version and end.")] = False,
) -> None:
    if version:
        from importlib.metadata import version as installed

        print(installed("cooncan-sim"))
    elif context.invoked_subcommand is None:
        print(context.get_help())


def main() -> None:
    """Runs the command line and ends the process.

    Exit codes: 0; 2 after one line on stderr that says what was wrong; 130 after Ctrl-C.
    """
    sys.exit(_run())


def _run() -> int:
    try:
        make_ready()
        with heeding_ctrl_c():
            code = app(prog_name="cooncan", standalone_mode=False) or 0
        sys.stdout.flush()
    except KeyboardInterrupt:
        code = INTERRUPTED
    except BrokenPipeError:
        drop_output()  # the reader of a pipe has left
        return 1
    except Exception as error:
        print(f"cooncan: {_one_line(error)}", file=sys.stderr)
        return WRONG
    if code == INTERRUPTED:
        kept = "; what is done is kept, and the same command with --resume goes on"
        print(f"stopped{kept if sys.argv[1:2] == ['run'] else ''}", file=sys.stderr)
    return code


def _one_line(error: Exception) -> str:
    """What went wrong, for a person."""
    usage = getattr(error, "format_message", None)  # typer's own complaint about the words typed
    if usage is not None:
        context = getattr(error, "ctx", None)
        where = f" (see {context.command_path} --help)" if context is not None else ""
        text = usage().rstrip(".") + where
    elif isinstance(error, CooncanError):
        text = str(error)
    elif isinstance(error, OSError):
        where = error.filename or ("standard output" if output_fails() else "")
        text = f"{where}: {error.strerror}" if where else str(error)
    else:
        last = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{Path(last.filename).name}:{last.lineno}"
        text = f"a defect of this program: {type(error).__name__} at {place}: {error}"
    return " ".join(text.split())
