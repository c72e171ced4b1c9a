"""How requests come in: by uvicorn, from those who do not keep it waiting."""

from __future__ import annotations

import asyncio
import logging
import socket
from typing import Any

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

MOST_CONNECTIONS = 500
"""At once. For each more, the one that has waited longest for the other side is closed, or the new one."""
MOST_HEAD = 64 << 10
"""Bytes of the first line and the headers of a request."""
SECONDS = 20.0
"""A connection is closed on which no request begins, or ends, for so long to twice so long."""


class Connection(H11Protocol):
    """A connection that is closed when nothing whole comes from the other side."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to look at it now and then.

        What is sent leaves at once: asyncio does not see to that for a socket of `socket.create_server`, and
        each answer would take 40 ms more.
        """
        super().connection_made(transport)
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._next_look = self.loop.call_later(SECONDS, self._look, None)
        self._begun = self.loop.time()
        there = [one for one in self.connections if isinstance(one, Connection)]
        there = [one for one in there if not one.transport.is_closing()]
        if len(there) > MOST_CONNECTIONS:
            least = [one for one in there if one is not self and one.use() < (2, 0.0)]
            min(least, key=Connection.use, default=self).transport.abort()

    def use(self) -> tuple[int, float]:
        """Return what is less for a connection that is sooner done without.

        First come those without a request, the oldest before all, then those where one has begun to come in,
        last those that are answered.
        """
        if self.cycle is None or self.cycle.response_complete:
            return 0, self._begun
        return (1 if self.conn.their_state is h11.SEND_BODY else 2), self._begun

    def connection_lost(self, exc: Exception | None) -> None:
        """Look no more."""
        self._next_look.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP; what was begun with a request that goes on so is answered no more."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            self.transport.close()

    def _look(self, last: object) -> None:
        """Close the connection if there is no request to answer, and was none at the last look."""
        idle = self.cycle is None or self.cycle.response_complete
        if idle and self.cycle is last:
            self.transport.close()
        self._next_look = self.loop.call_later(SECONDS, self._look, self.cycle)


def settings_of(app: ASGIApp, **others: Any) -> uvicorn.Config:
    """Return how an application is served: requests are not logged, and proxies not believed."""
    logging.getLogger("python_multipart").setLevel(logging.ERROR)  # a form that is none is no event here
    return uvicorn.Config(
        app,
        http=Connection,
        ws="none",
        h11_max_incomplete_event_size=MOST_HEAD,
        proxy_headers=False,
        server_header=False,
        access_log=False,
        log_level="error",
        **others,
    )
