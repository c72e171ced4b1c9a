"""A server for the tests of pages."""

from __future__ import annotations

from dataclasses import dataclass

import httpx
from starlette.applications import Starlette

from guesstree.web.store import Store


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
