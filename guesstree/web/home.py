"""The first page: what can be done here, and what was done lately."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .pages import show_page


async def _home(request: Request) -> Response:
    store = request.app.state.store
    return show_page(
        request, "home.html", {"title": "guesstree", "files": store.files(), "results": store.results()}
    )


ROUTES = [Route("/", _home)]
