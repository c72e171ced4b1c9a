"""A server for the tests of pages, and pages of it in a browser."""

import logging
import re
import socket
import sqlite3
import threading
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import httpx
import pytest
import uvicorn
from refused import KNOWN
from served import Server

from guesstree.web.app import make_app
from guesstree.web.connections import settings_of
from guesstree.web.store import Store

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

    Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    store = Store(tmp_path_factory.mktemp("kept") / "pages.sqlite")
    listening = socket.create_server(("127.0.0.1", 0))
    url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    app = make_app(store)
    running = uvicorn.Server(settings_of(app, timeout_graceful_shutdown=1))
    thread = threading.Thread(target=running.run, args=([listening],))
    thread.start()
    # A connection that is kept may be closed by the server just when it is used again.
    alone = httpx.Limits(max_keepalive_connections=0)
    with httpx.Client(base_url=url, headers={"accept": "text/html"}, timeout=60, limits=alone) as client:
        yield Server(url, store, app, client)
    running.should_exit = True
    thread.join()


@pytest.fixture
def nothing_fails(server: Server) -> Iterator[None]:
    """See to it that nothing goes wrong inside, and that what was there before a test is there after it."""
    said: list[str] = []
    handler = logging.Handler(logging.WARNING)
    handler.emit = lambda record: said.append(record.getMessage())  # type: ignore[method-assign]
    names = ["uvicorn", "asyncio", "starlette", "py.warnings"]
    for name in names:
        logging.getLogger(name).addHandler(handler)
    file = server.store.add_file("known.csv", KNOWN)
    result = server.store.add_result("strategy", "mastermind:2x2", {"title": "known"}, b"{}")
    game = server.store.add_play({"known": [1, 2]})
    yield
    for name in names:
        logging.getLogger(name).removeHandler(handler)
    assert [line for line in said if not line.startswith("Invalid HTTP request")] == []
    assert server.store.file(file) == KNOWN
    assert server.store.result(result).data == b"{}"  # type: ignore[union-attr]
    assert server.store.play_state(game) == {"known": [1, 2]}
    server.store.delete_result(result)
    with sqlite3.connect(server.store.path) as base:
        assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.fixture
def visit(browser: "Browser", server: Server) -> Iterator["Visit"]:
    """Open pages of the server, and see to it that none has complained or asked another for anything."""
    seen: list[str] = []
    contexts: list[BrowserContext] = []

    def note(said: str) -> None:
        if not re.search(r"the server responded with a status of 4\d\d", said):  # a refusal is no complaint
            seen.append(said)

    def elsewhere(url: str) -> list[str]:
        return [] if url.startswith((server.url, "data:")) else [f"asked: {url}"]

    def make(path: str, width: int = 1000, height: int = 800, **options: Any) -> "Page":
        context = browser.new_context(
            viewport={"width": width, "height": height}, base_url=server.url, **options
        )
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(10_000)
        page.on("console", lambda message: note(f"console: {message.text}"))
        page.on("pageerror", lambda error: note(f"error: {error}"))
        page.on("request", lambda asked: seen.extend(elsewhere(asked.url)))
        page.goto(path)
        return page

    yield make
    for context in contexts:
        context.close()
    assert seen == []
