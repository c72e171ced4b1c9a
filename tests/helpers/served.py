"""A server for the tests of pages."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar

import httpx
from starlette.applications import Starlette

from guesstree.web.store import Store

Answer = TypeVar("Answer")


def awaited(work: Coroutine[Any, Any, Answer]) -> Answer:
    """Return what a coroutine returns, run in a thread of its own: a browser has a loop in this one."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, work).result()


@dataclass(frozen=True)
class Server:
    """A server that runs in this process, what it keeps, and a client that asks it."""

    url: str
    store: Store
    app: Starlette
    client: httpx.Client

    def get(self, path: str, **query: str) -> httpx.Response:
        return self.client.get(path, params=query or None)

    def post(self, path: str, file: tuple[str, bytes] | None = None, /, **fields: str) -> httpx.Response:
        """Send a form of this server's pages; a redirect is not followed."""
        files = None if file is None else {"file": file}
        return self.client.post(path, data={"token": self.store.token, **fields}, files=files)
