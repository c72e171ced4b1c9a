"""The page that checks certificates, which is one file and works here as it does alone.

It gets an origin of its own (a sandbox), so it reads nothing of this server, and it says itself what it may
load.
"""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import HTMLResponse, Response
from starlette.routing import Route

PAGE = Path(__file__).parents[1] / "verify" / "check.html"
HOME = '<a href="/">Home</a>'
HEADERS = {
    "content-security-policy": "sandbox allow-scripts; frame-ancestors 'none'",
    "cross-origin-opener-policy": "unsafe-none",  # with a sandbox, browsers show nothing otherwise
}


async def _show(request: Request) -> Response:  # noqa: ARG001 - asked for so
    text = PAGE.read_text(encoding="utf-8").replace("<!-- HOME -->", HOME)
    return HTMLResponse(text, headers=HEADERS)


ROUTES = [Route("/verify", _show)]
"""Read-only servers show it, too: nothing comes here that is dropped on it."""
