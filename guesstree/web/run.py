"""The server at work."""

from __future__ import annotations

import html
import secrets
import signal
import socket
import tempfile
import webbrowser
from pathlib import Path
from types import FrameType
from urllib.parse import urlencode

import click
import uvicorn
from starlette.applications import Starlette

from guesstree.api.ledger import ledger_report
from guesstree.engine.errors import GameError, GuesstreeError, shown
from guesstree.engine.game_source import FAMILY
from guesstree.engine.meant import file_kind
from guesstree.engine.opened import open_whole
from guesstree.engine.registry import families, family_of, parse, spec_of
from guesstree.engine.tables.options import join_options, split_options

from .app import make_app
from .connections import settings_of
from .home import page_of
from .pages import load_templates
from .secrecy import SECRET
from .store import Store
from .work.upload import MOST_BYTES, upload

LOOPBACK = ("127.0.0.1", "::1")
SECRET_BYTES = 8
"""Of the secret: as many letters twice, to be typed on a phone."""
EVERYWHERE = {"0.0.0.0": socket.AF_INET, "::": socket.AF_INET6}
"""Addresses that stand for all of this machine's."""
FAR = {socket.AF_INET: ("192.0.2.1", 9), socket.AF_INET6: ("2001:db8::1", 9)}
"""Addresses that nobody has: which way they are tells which address this machine has."""


def serve(
    what: str,
    data: Path,
    listening: socket.socket,
    *,
    open_browser: bool,
    asks: bool,
    read_only: bool,
    language: str | None = None,
) -> None:
    """Serve pages until Ctrl-C, SIGTERM or SIGHUP; what is finished is kept in the file `data`.

    `what` is a game, a file to upload, or a ledger to watch; its page is the first. With `asks` only those
    are let in who name the secret, with `read_only` what pages are asked for is not kept. Sheets and the
    guide are in `language`, None: what each browser likes best.

    Raises GuesstreeError for neither a game nor a file, and where others reach what nothing is asked for.
    """
    host, port = listening.getsockname()[:2]
    if not asks and host not in LOOPBACK:
        raise GuesstreeError(
            f"--no-secret with --host {host}: whoever reaches this machine could use it; leave one out"
        )
    secret = secrets.token_hex(SECRET_BYTES) if asks else ""
    store = Store(data)
    page = first_page(store, what)
    watched = Path(what).absolute() if file_kind(what) == "ledger" else None
    families()
    load_templates()
    own = {"0.0.0.0": LOOPBACK[0], "::": LOOPBACK[1]}.get(host, host)
    end = f"{'&' if '?' in page else '?'}{urlencode({SECRET: secret})}" if secret else ""
    address = f"http://{_written(own)}:{port}{page}{end}"
    click.echo(f"guesstree is at {address} (Ctrl-C ends it)")
    if host not in LOOPBACK:
        other = _address(EVERYWHERE[host]) if host in EVERYWHERE else host
        click.echo(
            f"whoever knows the secret and can reach this machine can {_may(read_only)}: on a phone, for "
            f"instance, at http://{_written(other)}:{port}/?{urlencode({SECRET: secret})}"
        )
    app = make_app(
        store, _names(host), secret=secret, read_only=read_only, language=language, watched=watched
    )
    config = settings_of(app, timeout_graceful_shutdown=3)
    for number in (signal.SIGINT, signal.SIGTERM):
        # The server ends in good order for each, and then sends it again, to whoever was there before it.
        signal.signal(number, lambda *_: None)
    with tempfile.TemporaryDirectory(prefix="guesstree-") as folder:
        if open_browser:
            webbrowser.open(_unseen(address, Path(folder)) if secret else address)
        server = _Server(config, app)
        if signal.getsignal(signal.SIGHUP) != signal.SIG_IGN:  # as under nohup
            signal.signal(signal.SIGHUP, server.handle_exit)
        server.run(sockets=[listening])


def _may(read_only: bool) -> str:
    return "see what is kept, and get advice" if read_only else "use it, and delete what is kept"


def _unseen(address: str, folder: Path) -> str:
    """Return the address of a file that leads to another: others see how a browser was started."""
    page = folder / "open.html"
    page.write_text(f'<meta http-equiv="refresh" content="0; url={html.escape(address)}">\n')
    return page.as_uri()


class _Server(uvicorn.Server):
    """Stops searches as soon as it is to end: those who follow them hear what they left, and go."""

    def __init__(self, config: uvicorn.Config, app: Starlette) -> None:
        super().__init__(config)
        self.app = app

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to end."""
        if hasattr(self.app.state, "tasks"):  # it has begun
            self.app.state.tasks.stop_all()
        super().handle_exit(sig, frame)


def _names(host: str) -> list[str]:
    """Return what a server at an address may be called besides; nothing where that is this machine alone."""
    name = socket.gethostname()
    return [] if host in LOOPBACK else [name, f"{name}.local"]


def _written(host: str) -> str:
    return f"[{host}]" if ":" in host else host


def _address(family: socket.AddressFamily) -> str:
    """Return the address of this machine in its network, or its name; nothing is sent to find it."""
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(FAR[family])
            return str(probe.getsockname()[0])
    except OSError:
        return socket.gethostname()


def first_page(store: Store, what: str) -> str:
    """Return the path of the page to begin with; files are brought first."""
    if not what:
        return "/"
    kind = file_kind(what)
    if kind in ("module", "certificate"):
        spec_of(what)  # says what takes it
    if kind == "ledger":
        ledger_report(what, whole=False)  # says what is wrong with it
        return "/ledger"
    if Path(what).is_file():
        return page_of(*upload(store.path, Path(what).name, _bytes_of(what)))
    try:
        table, given = split_options(what.removeprefix(FAMILY))
    except GuesstreeError:
        table, given = "", {}
    if Path(table).is_file():
        return _table_page(store, table, given)
    try:
        family_of(spec_of(what))
    except GameError as error:
        if ":" in what or Path(what).exists() or Path(what).suffix:  # which says so itself
            raise
        raise GuesstreeError(f"no file {shown(what)}, and {error}") from None
    return f"/game?{urlencode({'game': _with_files_brought(store, what)})}"


def _table_page(store: Store, table: str, given: dict[str, str]) -> str:
    kind, own = upload(store.path, Path(table).name, _bytes_of(table))
    if kind != "sheet":
        raise GuesstreeError(f"{shown(table)} is no table; expected one before options")
    if "loss" in given:
        loss = str(Path(table).parent / given["loss"])
        given |= {"loss": upload(store.path, Path(loss).name, _bytes_of(loss))[1]}
    options = join_options(given)
    store.set_options(own, options)
    return page_of(kind, f"{own}{options}")


def _with_files_brought(store: Store, spec: str) -> str:
    """Return a spec with the files in it brought; raise GuesstreeError for what is no game."""
    brought: dict[str, str] = {}

    def find(path: str) -> str:
        brought[path] = upload(store.path, Path(path).name, _bytes_of(path))[1]
        return path

    parse(spec, find)
    for path in sorted(brought, key=len, reverse=True):
        spec = spec.replace(path, brought[path])
    return spec


def _bytes_of(path: str) -> bytes:
    try:
        with open_whole(path) as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise GuesstreeError(f"cannot read {shown(path)}: {error.strerror or error}") from None
    except ValueError as error:
        raise GuesstreeError(f"cannot read {shown(path)}: {error}") from None
