"""`guesstree serve`."""

from __future__ import annotations

import errno
import socket
import sys
from pathlib import Path

import click

from guesstree.engine.errors import GuesstreeError

from .tools.group import OUTPUT, Command, option
from .tools.options import to_speak

PORT = 8437
"""Where the pages are, unless that is taken."""


@click.command("serve", cls=Command, epilog="Example: guesstree serve faults.xlsx")
@click.argument("what", metavar="[GAME|FILE]", default="")
@option(OUTPUT, "--port", type=click.IntRange(0, 65535), help=f"The port (default {PORT}, or a free one).")
@option(
    OUTPUT,
    "--host",
    default="127.0.0.1",
    show_default=True,
    help="Serve at this address; 0.0.0.0 lets in other machines that know the secret.",
)
@option(OUTPUT, "--no-secret", is_flag=True, help="Ask nobody for the secret of the printed address.")
@option(OUTPUT, "--read-only", is_flag=True, help="Show and advise; keep, change and delete nothing.")
@option(
    OUTPUT,
    "--data",
    metavar="FILE.sqlite",
    help="The file, not a folder, in which what is brought and solved is kept; made when it is not there.",
)
@option(
    OUTPUT,
    "--language",
    callback=to_speak,
    metavar="LANGUAGE",
    help="The language of sheets and of the guide, such as de (default: what the browser asks for).",
)
def command(
    what: str,
    port: int | None,
    host: str,
    no_secret: bool,
    read_only: bool,
    data: str | None,
    language: str | None,
) -> None:
    """Open pages in a browser: play, get advice, bring a table, solve, compare.

    Only this machine can open the pages, unless --host says otherwise, and only with the secret in the
    printed address. Begin with a GAME, or with a FILE: a table (CSV, Excel), a list of words or a strategy.
    A ledger of `prove` is watched while it is written.
    Ctrl-C ends the server.
    """
    try:
        from guesstree.web.run import serve
    except ModuleNotFoundError as error:
        raise GuesstreeError(
            f"pages need {error.name}, which is not installed: pip install 'guesstree[web]'"
        ) from None

    place = Path(data) if data else Path(click.get_app_dir("guesstree"), "pages.sqlite")
    serve(
        what,
        place,
        _listen(host, port),
        open_browser=sys.stdout.isatty(),
        asks=not no_secret,
        read_only=read_only,
        language=language,
    )


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a socket that listens; raise GuesstreeError when it cannot."""
    if not host.strip():  # it would stand for every address of this machine
        raise GuesstreeError("--host is empty; expected an address, such as 127.0.0.1, or 0.0.0.0 for all")
    fault: OSError | None = None
    for number in [PORT, 0] if port is None else [port]:
        try:
            return socket.create_server((host, number), family=_family(host))
        except OSError as error:
            fault = error
    assert fault is not None
    if fault.errno == errno.EADDRINUSE:
        raise GuesstreeError(f"port {port} of {host} is taken; use another --port, or none for a free one")
    said = (fault.strerror or str(fault)).partition(" (")[0]
    raise GuesstreeError(f"cannot serve at --host {host}{f', --port {port}' if port else ''}: {said}")


def _family(host: str) -> socket.AddressFamily:
    return socket.AF_INET6 if ":" in host else socket.AF_INET
