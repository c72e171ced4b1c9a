"""What is let in: requests of this server's own pages, of a size that can be dealt with.

A page of another site can send requests to a server on this machine, and, when it lets its own name point
here (DNS rebinding), read the answers. So the host that a request names must be ours, a change must come
from one of our pages and know the token, and what is shown runs no script but our files.
"""

from __future__ import annotations

import asyncio
import hmac
import ipaddress
import re
import time
from collections.abc import Iterable
from typing import Any

from starlette.datastructures import Headers, MutableHeaders, UploadFile
from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from .pool import Refused

MOST_BYTES = 20_000_000
"""Of a request."""
MOST_TEXT = 1_000_000
"""Bytes of a field that is no file."""
MOST_FIELDS = 1000
SECONDS = 30.0
"""So long a request may take to come in."""
TOKEN = "token"
READ_ONLY = "this server shows and advises, and keeps nothing: it was started with --read-only"
KEEPING = ("play", "solve", "compare", "task")
"""What the paths of pages begin with that are there to keep something: games that go on, and searches."""
POLICY = "; ".join(
    [
        "default-src 'none'",
        *(f"{what}-src 'self'" for what in ("script", "style", "connect", "font", "manifest")),
        "img-src 'self' data:",
        "form-action 'self'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    ]
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
_HOST = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+)(?::[0-9]{1,5})?")


def host_is_ours(value: str, names: Iterable[str]) -> bool:
    """Return whether the Host of a request is this server: one of its names, or an address.

    An address cannot be rebound: only names are looked up.
    """
    found = _HOST.fullmatch(value)
    if not found:
        return False
    name = found[1].strip("[]").lower().rstrip(".")
    if name in names:
        return True
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class Guard:
    """Middleware: refuses what is not ours with one line, and adds the headers that protect pages."""

    def __init__(self, app: ASGIApp, names: Iterable[str], *, read_only: bool = False) -> None:
        self.app, self.names, self.read_only = app, frozenset(name.lower() for name in names), read_only

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        answered = False

        async def send_guarded(message: Message) -> None:
            nonlocal answered
            if message["type"] == "http.response.start":
                answered = True
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                files = scope["path"].startswith("/static/") and message["status"] < 400
                headers.setdefault("cache-control", "no-cache" if files else "no-store")
            await send(message)

        fault = self.fault(scope)
        if fault:
            line, status = fault
            await PlainTextResponse(f"{line}\n", status)(scope, receive, send_guarded)
            return

        take = _limited(receive)

        async def receive_guarded() -> Message:
            try:
                return await take()
            except Refused:
                if answered:  # what still comes does not matter
                    return await receive()
                raise

        await self.app(scope, receive_guarded, send_guarded)

    def fault(self, scope: Scope) -> tuple[str, int] | None:
        """Return in a line why a request is not let in, and the status; None: it is."""
        headers, method = Headers(scope=scope), scope["method"]
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not host_is_ours(hosts[0], self.names):
            return "this server is not called that; expected its own address", 421
        if method not in ("GET", "HEAD", "POST"):
            return f"method {method[:20]}; expected GET or POST", 405
        size = headers.get("content-length", "0")
        if not (size.isascii() and size.isdecimal()) or len(size) > 18 or int(size) > MOST_BYTES:
            return f"a request of {size[:20]} bytes; expected at most {MOST_BYTES // 10**6} MB", 413
        if method == "POST" and not _is_ours(headers, hosts[0]):
            return "a change from another site; expected one from a page of this server", 403
        if not _is_ours(headers, hosts[0]) and not _is_link(headers):
            return "a request from another site; expected one from a page of this server", 403
        if self.read_only and _keeps(method, scope["path"]):
            return READ_ONLY, 403
        return None


def _keeps(method: str, path: str) -> bool:
    """Return whether a request changes or keeps something, or is for a page that is there to do so."""
    begins = path.split("/")[1] if path.startswith("/") else ""
    return begins in KEEPING or (method == "POST" and begins != "secret")


def _is_ours(headers: Headers, host: str) -> bool:
    """Return whether a page of this server asks, or no page at all, as far as the browser says."""
    origins, sites = set(headers.getlist("origin")), set(headers.getlist("sec-fetch-site"))
    return origins <= {f"http://{host}", f"https://{host}"} and sites <= {"same-origin", "none"}


def _is_link(headers: Headers) -> bool:
    """Return whether a link is followed in a window of its own, which the page with the link cannot read."""
    modes, places = headers.getlist("sec-fetch-mode"), headers.getlist("sec-fetch-dest")
    return "origin" not in headers and set(modes) <= {"navigate"} and set(places) <= {"document"}


def _limited(receive: Receive) -> Receive:
    """Return what takes in a request, and raises Refused when that is too large, or takes too long."""
    until, taken, whole = time.monotonic() + SECONDS, 0, False

    async def take() -> Message:
        nonlocal taken, whole
        if whole:  # what comes now is the end of the connection, which may take as long as it likes
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(until - time.monotonic(), 0))
        except TimeoutError:
            raise Refused(f"the request took more than {SECONDS:g} seconds; send it again", 408) from None
        taken += len(message.get("body", b""))
        if taken > MOST_BYTES:
            raise Refused(f"more than {MOST_BYTES // 10**6} MB; expected less", 413)
        whole = not message.get("more_body", False)
        return message

    return take


async def form_fields(request: Request, most_files: int = 1) -> dict[str, Any]:
    """Return the fields of a form, the last of each name: texts, and files as `UploadFile`.

    Where more than one file is let in, files are in a list. Raises Refused for a form that is none, or too
    large.
    """
    try:
        form = await request.form(max_files=most_files, max_fields=MOST_FIELDS, max_part_size=MOST_TEXT)
    except Refused:
        raise
    except Exception:  # each parser has its own ways to say so
        raise Refused("this is no form that can be read; send it again from its page") from None
    several = most_files > 1
    return {
        str(name): form.getlist(name) if several and isinstance(form[name], UploadFile) else form[name]
        for name in form
    }


async def read_form(request: Request, most_files: int = 1) -> dict[str, Any]:
    """Return the fields of a change; raise Refused as `form_fields`, or without the token of this server."""
    fields = await form_fields(request, most_files)
    given = fields.pop(TOKEN, None) or request.headers.get("x-token")
    token = request.app.state.store.token.encode()
    if not isinstance(given, str) or not hmac.compare_digest(given.encode("utf-8", "replace"), token):
        raise Refused("this page is not of this server, or of an earlier one; load it again", 403)
    return fields
