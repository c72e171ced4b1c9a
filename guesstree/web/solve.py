"""The form of a search: what is to be as small as possible, and within which limits."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .pages import show_page
from .watch import begin_task
from .work.solve_form import read_solve_form, solve_choices
from .work.solving import solve_in_task


async def _solve(request: Request) -> Response:
    """Show the form; what the address says besides the game is filled in."""
    if not request.query_params.get("game"):
        return RedirectResponse("/?then=solve", 303)
    return await _form(request, dict(request.query_params))


async def _form(request: Request, given: dict[str, Any], fault: str = "", status: int = 200) -> Response:
    state = request.app.state
    offered = await state.pool.ask(solve_choices, state.store.path, given["game"])
    values = {"title": f"Solve {offered['name']}", "offered": offered, "given": given, "fault": fault}
    return show_page(request, "solve.html", values, status)


async def _begin(request: Request) -> Response:
    return await begin_task(request, read_solve_form, solve_in_task, _form, kind="strategy")


ROUTES = [Route("/solve", _solve), Route("/solve", _begin, methods=["POST"])]
