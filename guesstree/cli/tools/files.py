"""Files that a command writes: tried at once, written when the figures are out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

import click

from guesstree.engine.errors import GuesstreeError

if TYPE_CHECKING:
    PathParamType = click.Path[str]
else:  # in older versions of click it takes no argument
    PathParamType = click.Path


class Target(PathParamType):
    """A file to write. Before any work its name is checked, and writing is tried."""

    def __init__(self, check: Callable[[str], object] | None = None) -> None:
        super().__init__()
        self.check = check

    def convert(
        self,
        value: str | os.PathLike[str],
        param: click.Parameter | None,  # noqa: ARG002 - click's signature
        ctx: click.Context | None,
    ) -> str:
        """Return the path; raise GuesstreeError when no such file can be made."""
        from guesstree.trees.export.output import try_writing

        path = str(value)
        if ctx is None or not ctx.resilient_parsing:  # that is: not for the completion of a command line
            if self.check is not None:
                self.check(path)
            try_writing(path)
        return path


def deliver(
    show: Callable[[], None], files: Sequence[tuple[str | None, Callable[[str], object]]], *, as_json: bool
) -> None:
    """Print what was found, then write each file that is wanted, and say so below a text.

    What fails, the printing too, is raised when all else is done: no result is lost for it.
    """
    failures: list[Exception] = []
    written: list[str] = []

    def attempt(work: Callable[[], object]) -> bool:
        try:
            work()
        except (GuesstreeError, OSError, MemoryError) as error:
            failures.append(error)
            return False
        return True

    attempt(show)
    try:
        for path, write in files:
            if path is not None and attempt(partial(write, path)):
                written.append(path)
    finally:  # Ctrl-C ends a long drawing
        if written and not as_json:
            attempt(partial(click.echo, "\n".join(f"  wrote {path}" for path in written)))
    if len(failures) > 1 and all(isinstance(failure, GuesstreeError) for failure in failures):
        raise GuesstreeError("; ".join(map(str, failures)))
    if failures:
        raise failures[0]
