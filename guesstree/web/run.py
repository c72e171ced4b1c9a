"""The server at work."""

from __future__ import annotations

import socket
import webbrowser
from pathlib import Path

import click
import uvicorn

from guesstree.engine.errors import GuesstreeError, shown

from .app import make_app
from .connections import settings_of
from .store import Store


def serve(what: str, data: Path, listening: socket.socket, *, open_browser: bool) -> None:
    """Serve pages until Ctrl-C; what is finished is kept in the file `data`.

    `what` is a game, or a file to bring; its page is the first. Raises GuesstreeError for neither.
    """
    store = Store(data)
    host, port = listening.getsockname()[:2]
    home = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)
    address = f"http://{home}:{port}{_first_page(store, what)}"
    click.echo(f"guesstree is at {address} (Ctrl-C ends it)")
    config = settings_of(make_app(store, [socket.gethostname()]), timeout_graceful_shutdown=3)
    if open_browser:
        webbrowser.open(address)
    uvicorn.Server(config).run(sockets=[listening])


def _first_page(store: Store, what: str) -> str:
    """Return the path of the page to begin with; a file is brought first."""
    if not what:
        return "/"
    path = Path(what)
    if not path.is_file():
        raise GuesstreeError(f"no file {shown(what)}")
    return f"/#{store.add_file(path.name, path.read_bytes())}"
