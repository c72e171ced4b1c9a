"""The command line: one module per subcommand, each loaded only when it is used."""

from __future__ import annotations

import ast
import importlib
import os
import pkgutil
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

import guesstree
from guesstree.engine.modules import SAFE, load_module

from .tools.group import Named
from .tools.signals import INTERRUPTED, heeded

if TYPE_CHECKING:
    from guesstree.engine.errors import GuesstreeError

COMMANDS = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if not module.ispkg))
"""Every file of this folder is a command; what they share is in `session` and `tools`."""


class Lazy(Named):
    """A group whose subcommands are the modules of this package."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of the subcommands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002
        """Return a subcommand, or None when there is none of this name."""
        if cmd_name not in COMMANDS:
            return None
        command = importlib.import_module(f"{__name__}.{cmd_name}").command
        assert isinstance(command, click.Command)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run a subcommand; when whoever reads the output has seen enough, that is no failure."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            drop_output()
            return 0

    def about(self, ctx: click.Context, name: str) -> str:  # noqa: ARG002
        """Return the docstring of a subcommand, read off its file: to load all takes longer than most do."""
        file = ast.parse(Path(__path__[0], f"{name}.py").read_text(encoding="utf-8"))
        functions = (node for node in file.body if isinstance(node, ast.FunctionDef))
        return next(ast.get_docstring(node) or "" for node in functions if node.name == "command")


@click.group(cls=Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--import", "modules", multiple=True, metavar="MODULE", help="Import a module that registers games."
)
@click.version_option(guesstree.__version__, prog_name="guesstree")
def guesstree_command(modules: tuple[str, ...]) -> None:
    """Compute optimal questioning strategies, prove them, check them and draw them.

    For any game or table of tests: questions may cost, secrets may have weights, rules may say what can be
    asked next, and some of the answers may be lies.

    GAME is a spec such as mastermind:4x6, bulls:4x10, wordle:official,hard, hangman:WORDS.txt or
    table:FILE.csv.

    Example: guesstree solve mastermind:4x6 --out tree.json --render tree.pdf
    """
    for module in modules:
        try:
            load_module(module)
        except ImportError as error:
            raise click.ClickException(f"cannot import {module!r}: {error}") from None


def main(arguments: list[str] | None = None) -> None:
    """Run the command line and exit: 0 success, 1 a negative answer, 2 bad input, 130 interrupted.

    SIGTERM and SIGHUP interrupt it as Ctrl-C does, with the status 143 or 129.
    """
    # Nothing here multiplies matrices of floats, and to start threads for it takes NumPy longer than to load.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    os.environ[SAFE] = "1"  # no process that a command starts runs files of the current folder
    # What was closed: else the first file that is opened, or socket, would take its place.
    if sys.stdin is None:
        sys.stdin = Path(os.devnull).open()  # noqa: SIM115 (as long as the process lives)
    if sys.stdout is None:
        sys.stdout = Path(os.devnull).open("w")  # noqa: SIM115
    with heeded() as interrupted:
        end(arguments, interrupted)


def end(arguments: list[str] | None, interrupted: Callable[[], int]) -> NoReturn:
    """Run a command and exit; see `main`."""
    from guesstree.engine.errors import GuesstreeError, Infeasible, Problems

    try:
        status = run(arguments)
        sys.exit(interrupted() if status == INTERRUPTED else status)
    except Infeasible as answer:
        fail(str(answer), 1)
    except Problems as problems:
        if "--json" in (sys.argv[1:] if arguments is None else arguments):
            import json

            with suppress(OSError):
                click.echo(json.dumps({"problems": problems.lines}))
        fail("\n".join(problems.lines), 2)
    except (GuesstreeError, click.ClickException) as error:
        fail(" ".join(described(error).split()), 2)
    except (KeyboardInterrupt, click.Abort):
        fail("interrupted", interrupted())
    except MemoryError:
        fail("out of memory", 2)
    except BrokenPipeError:  # whoever read the output has seen enough
        drop_output()
        sys.exit(0)
    except OSError as error:
        drop_output()
        where = "cannot write the output" if error.filename is None else repr(error.filename)
        fail(f"{where}: {error.strerror or error}", 2)


def run(arguments: list[str] | None) -> int:
    """Run a command and return its status."""
    try:
        status = guesstree_command.main(arguments, prog_name="guesstree", standalone_mode=False)
    except click.exceptions.NoArgsIsHelpError as error:  # nothing was asked for: what may be
        assert error.ctx is not None
        click.echo(error.ctx.get_help())
        status = 0
    sys.stdout.flush()
    return status if isinstance(status, int) else 0


def described(error: GuesstreeError | click.ClickException) -> str:
    """Return what to say of bad input; where something is missing, what tells the rest."""
    if not isinstance(error, click.ClickException):
        return str(error)
    text = error.format_message()
    if isinstance(error, click.MissingParameter) and error.ctx is not None:
        return f"{text.removesuffix('.')}; see {error.ctx.command_path} --help"
    return text


def drop_output() -> None:
    """Let what could not be written go nowhere, or it would be tried again at the very end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def fail(message: str, status: int) -> NoReturn:
    """Print a message on standard error, each line of it as one, and exit."""
    with suppress(OSError):  # there is nowhere else to say it
        for line in message.splitlines():
            click.echo(f"guesstree: {' '.join(line.split())}", err=True)
    sys.exit(status)
