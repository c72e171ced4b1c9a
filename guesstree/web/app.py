"""The application: pages, and what they share."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game_source import FAMILY
from guesstree.trees.export.page import page

from . import assist, breed, compare, home, ledger, play, results, secrecy, solve, table, verify, watch
from .guard import HEADERS, Guard
from .pages import STATIC, colours_css, show_page
from .pool import Pool, Refused
from .results import FILES
from .store import Store, StoreError
from .tasks import Tasks

NAMES = ("localhost",)
"""What this server is always called, besides its address."""
RENEWED = 10
"""Drawings after which a new process draws: large ones leave much memory behind."""


def make_app(
    store: Store,
    names: Iterable[str] = (),
    *,
    secret: str = "",
    read_only: bool = False,
    language: str | None = None,
    watched: Path | None = None,
) -> Starlette:
    """Return the application on what a store keeps; `names` are more hosts that it may be called by.

    `secret`: what has to be named once to be let in; empty: nothing. With `read_only` nothing is kept.
    `language`: that of sheets and of the guide; None: what each browser likes best.
    `watched`: a ledger to show as it is written; None: there is none.

    Its state: `store`, `pool` for short work, `draw_pool` for drawings and `ledger_pool` to read the ledger,
    for which no other page waits, `tasks` for long work, `bred`, the evolutions that were looked at lately,
    and `ledger`, what was read of the ledger, or None.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        with TemporaryDirectory(prefix="guesstree-") as folder:
            app.state.store, app.state.pool, app.state.tasks = store, Pool(folder), Tasks(store, folder)
            app.state.draw_pool = Pool(folder, many=1, renewed=RENEWED)
            app.state.ledger_pool = app.state.pool if watched is None else Pool(folder, many=1)
            try:
                yield
            finally:
                await app.state.tasks.close()
                app.state.pool.close()
                app.state.draw_pool.close()
                app.state.ledger_pool.close()

    app = Starlette(
        routes=[
            *home.ROUTES,
            *secrecy.ROUTES,
            *table.ROUTES,
            *solve.ROUTES,
            *watch.ROUTES,
            *results.ROUTES,
            *compare.ROUTES,
            *breed.ROUTES,
            *ledger.ROUTES,
            *play.ROUTES,
            *assist.ROUTES,
            *verify.ROUTES,
            Route("/static/colours.css", _colours),
            Mount(FILES, StaticFiles(directory=page.STATIC)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, names=[*NAMES, *names], read_only=read_only),
            Middleware(secrecy.Door, secret=secret),
        ],
        exception_handlers={Refused: _refused, GuesstreeError: _faulty, HTTPException: _wrong, 500: _failed},
        lifespan=lifespan,
    )
    app.state.bred = OrderedDict()
    app.state.ledger = None if watched is None else ledger.WatchedLedger(watched)
    app.state.secret, app.state.read_only, app.state.language = secret, read_only, language
    return app


async def _colours(request: Request) -> Response:  # noqa: ARG001 - asked for so
    return Response(colours_css(), media_type="text/css", headers={"cache-control": "max-age=3600"})


def _say(request: Request, line: str, status: int) -> Response:
    """Return one line as what asked for it can show it."""
    if "text/html" in request.headers.get("accept", ""):
        game = request.query_params.get("game", "")
        read = game if game.startswith(FAMILY) and request.url.path != "/table" else ""
        values = {"title": "That did not work", "line": line, "read": read}
        return show_page(request, "fault.html", values, status)
    return PlainTextResponse(f"{line}\n", status)


async def _refused(request: Request, error: Exception) -> Response:
    assert isinstance(error, Refused)
    return _say(request, str(error), error.status)


async def _faulty(request: Request, error: Exception) -> Response:
    return _say(request, " ".join(str(error).split()), 507 if isinstance(error, StoreError) else 400)


async def _wrong(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    line = "there is no such page" if error.status_code == 404 else error.detail
    return _say(request, line, error.status_code)


async def _failed(request: Request, error: Exception) -> Response:  # noqa: ARG001 - asked for so
    shown = _say(request, "something went wrong here; what was finished is kept", 500)
    shown.headers.update({**HEADERS, "cache-control": "no-store"})  # it is not the guard who sends it
    return shown
