"""The secret: who names it is let in, and a browser that has named it is not asked again."""

from __future__ import annotations

import hmac
import re
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from .guard import form_fields
from .pages import show_page
from .pool import Refused

SECRET = "secret"
"""What it is called in addresses, and its page."""
SECONDS = 365 * 24 * 3600
"""So long a browser is not asked again."""
UNASKED = "this server is for those who know its secret: open the address that `guesstree serve` has printed"
WRONG = "this is not the secret; expected the one of the address that `guesstree serve` has printed"
_OWN = re.compile(r"/(?![/\\])[!-~]*")


class Door:
    """Middleware: lets those in who name the secret, or have named it before; the others are asked for it.

    Style sheets, scripts and icons are open to all.
    """

    def __init__(self, app: ASGIApp, secret: str) -> None:
        self.app, self.secret = app, secret

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle a request."""
        response = self.response(Request(scope)) if scope["type"] == "http" and self.secret else None
        await (response or self.app)(scope, receive, send)

    def response(self, request: Request) -> Response | None:
        """Return what is said instead of what a request asks for; None: it is let in."""
        path, query = request.url.path, request.query_params
        if path.startswith("/static/") or path == f"/{SECRET}":
            return None
        if SECRET in query and request.method != "POST":
            left = urlencode([pair for pair in query.multi_items() if pair[0] != SECRET])
            place = f"{path}?{left}" if left else path
            if same(query[SECRET], self.secret):
                return let_in(request, place)
            return _asked(request, place, WRONG)
        if has_pass(request):
            return None
        place = f"{path}?{request.url.query}" if request.url.query else path
        return _asked(request, "/" if request.method == "POST" else place, UNASKED)


def same(given: str, known: str) -> bool:
    """Return whether two texts are the same, in a time that does not tell how much of them is."""
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())


def _pass(request: Request) -> tuple[str, str]:
    """Return the cookie of those who have named the secret: its name, and its value.

    The value is the same after a restart, with another secret; servers at other ports have another name.
    """
    state = request.app.state
    value = hmac.new(state.store.token.encode(), b"named the secret", "sha256").hexdigest()
    return f"guesstree-{(request.scope.get('server') or ('', 0))[1]}", value


def has_pass(request: Request) -> bool:
    """Return whether a browser has named the secret before."""
    name, value = _pass(request)
    return same(request.cookies.get(name, ""), value)


def let_in(request: Request, place: str) -> Response:
    """Return the way to a place of this server, with what lets in from now on."""
    response = RedirectResponse(
        place if _OWN.fullmatch(place) else "/", 303, {"referrer-policy": "no-referrer"}
    )
    name, value = _pass(request)
    response.set_cookie(name, value, SECONDS, httponly=True, samesite="strict")
    return response


def _asked(request: Request, place: str, line: str, status: int = 401) -> Response:
    """Ask for the secret, to go on to a place; what wants no page gets one line.

    A browser sends no cookie with a link from another site (SameSite): it asks once more from here.
    """
    if "text/html" not in request.headers.get("accept", ""):
        return PlainTextResponse(f"{line}\n", status)
    elsewhere = request.headers.get("sec-fetch-site", "none") not in ("same-origin", "none")
    again = elsewhere and line == UNASKED and request.url.path != f"/{SECRET}"
    shown = {"title": "The secret", "token": "", "line": line, "then": place, "again": again}
    return show_page(request, "secret.html", shown, status)


async def _ask(request: Request) -> Response:
    """Go on to where somebody wanted to go, or ask for the secret."""
    place = request.query_params.get("then", "/")
    if not request.app.state.secret or has_pass(request):
        return RedirectResponse(place if _OWN.fullmatch(place) else "/", 303)
    return _asked(request, place, UNASKED)


async def _name(request: Request) -> Response:
    """Let in who has typed the secret."""
    fields, known = await form_fields(request), request.app.state.secret
    given, place = fields.get(SECRET), fields.get("then")
    place = place if isinstance(place, str) else "/"
    if not known:
        raise Refused("this server asks for no secret", 403)
    if not isinstance(given, str) or not same(given.strip().lower(), known):
        return _asked(request, place, WRONG, 403)
    return let_in(request, place)


ROUTES = [Route(f"/{SECRET}", _ask), Route(f"/{SECRET}", _name, methods=["POST"])]
