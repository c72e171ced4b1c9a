"""Assist: advice on a game that is played elsewhere. All that is known of it is in the address."""

from __future__ import annotations

from dataclasses import asdict, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .pages import show_page
from .play import MOST_LIES, field_number
from .pool import Refused
from .work.advising import RealBoard
from .work.boards import MOST_TURNS
from .work.review import elsewhere_reviewed
from .work.several import Several, advise_any

_NAMES = {"spec": "game"}


async def _assist(request: Request) -> Response:
    """Show what is known and what to ask next."""
    asked = request.query_params
    if not asked.get("game"):
        return RedirectResponse("/?then=assist", 303)
    board = RealBoard(
        asked["game"],
        lies=field_number(asked.get("lies", ""), MOST_LIES, "false responses"),
        edit=field_number(asked.get("edit", ""), MOST_TURNS, "as the number of a turn"),
        drop=field_number(asked.get("drop", ""), MOST_TURNS, "as the number of a turn"),
        **{
            name: asked.get(name, "").replace("\r\n", "\n")
            for name in ("goal", "history", "guess", "decision")
        },
        response="|".join(asked.getlist("response")).replace("\r\n", "\n"),
    )
    state = request.app.state
    seen = await state.pool.ask(advise_any, state.store.path, board)
    if isinstance(seen, Several):
        return _several(request, seen)
    if seen.changed:
        return RedirectResponse(address(seen.board), 303)
    values = {"title": f"Advice on {seen.name}", "seen": seen, "board": seen.board, "link": link}
    values |= {"reviewed": None, "why": ""}
    if seen.reviewed and "review" in asked:
        played = (seen.board.spec, seen.board.goal, seen.board.lies, seen.steps)
        try:
            values["reviewed"] = await state.pool.ask(elsewhere_reviewed, state.store.path, *played)
        except Refused as error:
            values["why"] = str(error)
        else:
            values["why"] = "" if values["reviewed"] else "A response is not known: there is no review."
    return show_page(
        request, "assist.html", values | {"fields": fields_of(seen.board), "most_lies": MOST_LIES}
    )


def _several(request: Request, seen: Several) -> Response:
    """Show boards that are side by side."""
    assert seen.request is not None
    if seen.changed:
        return RedirectResponse(address(seen.request), 303)
    values = {"title": f"Advice on {seen.name}", "seen": seen, "board": seen.request, "link": link}
    return show_page(request, "several-assist.html", values | {"fields": fields_of(seen.request)})


def fields_of(board: RealBoard) -> dict[str, str]:
    """Return the fields of an address that say what a board is."""
    return {_NAMES.get(name, name): str(value) for name, value in asdict(board).items() if value}


def address(board: RealBoard) -> str:
    """Return the address of a board."""
    return f"/assist?{urlencode(fields_of(board))}"


def link(board: RealBoard, **changes: str | int) -> str:
    """Return the address of a board with some changes; what was begun there is left."""
    begun = replace(board, guess="", response="", edit=0, drop=0, decision="")
    return address(replace(begun, **changes))  # type: ignore[arg-type]


ROUTES = [Route("/assist", _assist)]
