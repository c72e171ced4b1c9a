"""Pages of work that goes on: what is known so far, live, and a button that ends it."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import aclosing
from pathlib import Path
from time import monotonic
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response, StreamingResponse
from starlette.routing import Route

from .guard import read_form
from .pages import show_page
from .pool import Refused
from .tasks import Task, Work
from .work.solving import BEGINNING

GONE = (
    "this search is not here any more: it ended long ago, or the server was started again before it had "
    "ended. What was finished is on the first page"
)


async def begin_task(
    request: Request,
    read: Callable[[Path, Mapping[str, str]], dict[str, Any]],
    work: Work,
    form_page: Callable[[Request, dict[str, Any], str, int], Awaitable[Response]],
    *,
    kind: str,
) -> Response:
    """Begin what a form asks for, or show the form again with what is wrong with it.

    Parameters
    ----------
    read: (path of the store, fields) -> what is asked, see `Tasks.start`.
    form_page: (request, fields, fault, status) -> the form.
    kind: of the result, as its path begins.
    """
    fields, state = await read_form(request), request.app.state
    form = {name: value for name, value in fields.items() if isinstance(value, str)}
    try:
        asked = await state.pool.ask(read, state.store.path, form)
        task = state.tasks.start(work, asked | {"form": form, "back": request.url.path, "kind": kind})
    except Refused as refused:
        if not form.get("game") or refused.status >= 500:
            raise
        return await form_page(request, form, str(refused), refused.status)
    return RedirectResponse(f"/task/{task.id}", 303)


def _task(request: Request) -> Task:
    """Return the task of an address; raise Refused where it is gone."""
    found: Task | None = request.app.state.tasks.tasks.get(request.path_params["own"])
    if found is None:
        raise Refused(GONE, 404)
    return found


def _last(task: Task) -> dict[str, Any]:
    """Return the last that is known of the search itself."""
    return next((message for message in reversed(task.history) if "seconds" in message), {})


async def _show(request: Request) -> Response:
    """Show how far it is; where it has left something, that. Whoever looks again and again follows it."""
    task = _task(request)
    task.seen = monotonic()
    if task.result:
        return RedirectResponse(f"/{task.asked['kind']}/{task.result}", 303)
    values = {
        "title": f"{task.asked['name']}: searching" if not task.ended else task.asked["name"],
        "task": task,
        "known": {"phase": BEGINNING} | _last(task),
        "since": monotonic() - task.began,
        "again": f"{task.asked['back']}?{urlencode(task.asked['form'])}",
    }
    return show_page(request, "task.html", values)


async def _state(request: Request) -> Response:
    """Return the last that is known, for a page that nobody sees at the moment."""
    task = _task(request)
    task.seen = monotonic()
    return JSONResponse(task.known)


async def _events(request: Request) -> Response:
    """Send all that is known as it comes; the connection is what tells that somebody follows."""
    task = _task(request)

    async def lines() -> AsyncIterator[str]:
        async with aclosing(request.app.state.tasks.follow(task)) as messages:
            async for message in messages:
                yield f"data: {json.dumps(message)}\n\n" if message else ": nothing new\n\n"

    return StreamingResponse(lines(), media_type="text/event-stream")


async def _stop(request: Request) -> Response:
    await read_form(request)
    task = _task(request)
    request.app.state.tasks.stop(task)
    return RedirectResponse(f"/task/{task.id}", 303)


ROUTES = [
    Route("/task/{own}", _show),
    Route("/task/{own}/events", _events),
    Route("/task/{own}/state", _state),
    Route("/task/{own}/stop", _stop, methods=["POST"]),
]
