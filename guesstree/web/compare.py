"""Methods side by side: the form, and the page of what came out."""

from __future__ import annotations

import json
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route

from guesstree.api.comparison import csv_table
from guesstree.engine.notation import Look

from .pages import show_page
from .pool import Refused
from .results import deletions, kept_result
from .store import Result, file_stem
from .watch import begin_task
from .work.comparing import chosen_methods, compare_choices, compare_in_task, read_comparison

KIND = "comparison"
"""The kind of these results."""


async def _compare(request: Request) -> Response:
    """Show the form; what the address says besides the game is filled in."""
    if not request.query_params.get("game"):
        return RedirectResponse("/?then=compare", 303)
    return await _form(request, dict(request.query_params))


async def _form(request: Request, given: dict[str, Any], fault: str = "", status: int = 200) -> Response:
    state = request.app.state
    offered = await state.pool.ask(compare_choices, state.store.path, given["game"])
    chosen = chosen_methods(given) if len(given) > 1 else offered["usual"]
    values = {"title": f"Compare methods for {offered['name']}", "offered": offered, "given": given}
    return show_page(request, "compare.html", values | {"chosen": chosen, "fault": fault}, status)


async def _begin(request: Request) -> Response:
    return await begin_task(request, read_comparison, compare_in_task, _form, kind=KIND)


def _found(request: Request) -> tuple[Result, dict[str, Any]]:
    """Return the comparison of an address and its data; raise Refused where there is none."""
    found = kept_result(request, KIND, whole=True)
    return found, json.loads(found.data)


async def _show(request: Request) -> Response:
    found, data = _found(request)
    rows = data["told"]
    values = {
        "title": f"{found.about['title']}: methods compared",
        "result": found,
        "about": found.about,
        "look": Look(**found.about["look"]),
        "rows": rows,
        "most": max(many for row in rows for _, many in row["histogram"]),
    }
    return show_page(request, "comparison.html", values)


async def _download(request: Request) -> Response:
    """Send the rows as a table or as plain data."""
    found, data = _found(request)
    stem, ending = f"{file_stem(found.game)}-methods", request.path_params["ending"]
    headers = {"content-disposition": f'attachment; filename="{stem}.{ending}"'}
    if ending == "csv":
        return Response(csv_table(data["methods"]), media_type="text/csv", headers=headers)
    if ending == "json":
        return JSONResponse({"game": data["game"], "methods": data["methods"]}, headers=headers)
    raise Refused("there is no such download", 404)


ROUTES = [
    Route("/compare", _compare),
    Route("/compare", _begin, methods=["POST"]),
    Route("/comparison/{own}", _show),
    Route("/comparison/{own}/download/table.{ending}", _download),
    *deletions(KIND),
]
