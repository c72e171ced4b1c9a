"""Files that a command writes: tried at once, written when the figures are out."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from guesstree.engine.errors import GuesstreeError

from .progress import said
from .text import print_json

if TYPE_CHECKING:
    from guesstree.api.certificate import Certificate

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


def require_two_files(ctx: click.Context) -> None:
    """Raise GuesstreeError where two options name one file to write."""
    named: dict[Path, str] = {}
    for param in ctx.command.params:
        path = ctx.params.get(param.name or "")
        if isinstance(param.type, Target) and isinstance(path, str):
            option = param.opts[0]
            if (first := named.setdefault(Path(path).absolute(), option)) != option:
                raise GuesstreeError(f"{path!r} for both {first} and {option}; write two files")


def keep_what_is_read(ctx: click.Context) -> None:
    """Raise GuesstreeError where a file to write is one that the command is given to read."""
    from guesstree.engine.meant import files_of

    given = [(param, ctx.params.get(param.name or "")) for param in ctx.command.params]
    read = [
        text
        for param, value in given
        if _reads(param)
        for text in (value if isinstance(value, tuple) else (value,))
        if isinstance(text, str)
    ]
    for param, path in given:
        if isinstance(param.type, Target) and isinstance(path, str):
            for text in read:
                keep_apart(path, files_of(text))


def _reads(param: click.Parameter) -> bool:
    """Return whether a parameter names what is read: an argument, a file, or a game."""
    named = isinstance(param, click.Argument) or isinstance(param.type, click.Path) or "--game" in param.opts
    return named and not isinstance(param.type, Target)


def keep_apart(path: str, read: Sequence[str | os.PathLike[str]]) -> None:
    """Raise GuesstreeError where a file to write is one of these that are read."""
    for one in read:
        same = False
        with suppress(OSError, ValueError):  # one of them is not there, or cannot be
            same = Path(path).samefile(one)
        if same:
            raise GuesstreeError(f"{path!r} is read here, and would be lost; write to another name")


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


def deliver_with_proof(
    show: Callable[[], None],
    data: Callable[[], dict[str, Any]],
    files: Sequence[tuple[str | None, Callable[[str], object]]],
    certificate: Certificate | None,
    path: str | None,
    *,
    as_json: bool,
) -> int:
    """Print what was found, write files and a certificate; the last line is what the checker says of it.

    Return the exit status: 1 where the checker came to no end, 130 after Ctrl-C, otherwise 0.
    """
    status = 130 if certificate is not None and certificate.stopped == "interrupt" else 0
    if certificate is None or certificate.trusted or path is None:
        trusted = {} if certificate is None or not certificate.trusted else {"trusted": certificate.searched}
        deliver((lambda: print_json(data() | trusted)) if as_json else show, files, as_json=as_json)
        for line in [] if as_json else trusted.get("trusted", {}).get("searched", []):
            click.echo(line)
        return status
    lines: list[str] = []
    ended = True

    def write(path: str) -> None:
        nonlocal status, ended
        try:
            with said(f"checking {path} ..."):
                lines.extend(certificate.write(path, due=certificate.due))
        except KeyboardInterrupt:
            status = 130
            lines.extend(certificate.unchecked(path, "interrupted"))
        ended = not certificate.as_json(path, lines)["unchecked"]

    try:
        deliver((lambda: None) if as_json else show, [*files, (path, write)], as_json=as_json)
    finally:  # what else fails, the figures are printed
        if as_json:
            print_json(data() | {"proof": certificate.as_json(path, lines)})
    if not as_json:
        click.echo("\n".join([*(f"  {note}" for note in certificate.notes(path)), *lines]))
    return status or int(not ended)
