"""Play: the machine hides a secret, the reader guesses."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from .guard import read_form
from .pages import show_page
from .pool import SECONDS, Refused
from .work import playing
from .work.review import played_reviewed
from .work.several import Several

HINT_SECONDS = 8.0
"""So long a page waits for a hint; then the game goes on without."""
MOST_LIES = 9
GONE_ON = "this game went on in another tab: this is how it stands now"
MOST_TYPED = 1000
"""Characters of a guess."""


async def _choose(request: Request) -> Response:
    """Show what may be chosen before a game."""
    spec = request.query_params.get("game", "")
    if not spec:
        return RedirectResponse("/?then=play", 303)
    beginning = await request.app.state.pool.ask(playing.beginning, request.app.state.store.path, spec)
    return show_page(
        request,
        "play.html",
        {"title": f"Play {beginning.name}", "beginning": beginning, "most_lies": MOST_LIES},
    )


async def _begin(request: Request) -> Response:
    """Begin a game."""
    fields = await read_form(request)
    goal, lies = (
        field_text(fields, "goal"),
        field_number(field_text(fields, "lies"), MOST_LIES, "false responses"),
    )
    state = request.app.state
    begun = await state.pool.ask(playing.begin, state.store.path, field_text(fields, "game"), goal, lies)
    return RedirectResponse(f"/play/{state.store.add_play(begun)}", 303)


async def _show(request: Request) -> Response:
    """Show a game; with ``review`` at its end how it was played."""
    own, kept = _kept(request)
    return await _page(request, own, kept, review="review" in request.query_params)


async def _move(request: Request) -> Response:
    """Make a move, unless the game has gone on elsewhere."""
    fields = await read_form(request)
    own, kept = _kept(request)
    state = request.app.state
    if field_text(fields, "turn") != turn_of(kept):
        return await _page(request, own, kept, fault=GONE_ON, status=409)
    do, given = (
        field_text(fields, "do") or "guess",
        field_text(fields, "guess") or field_text(fields, "given"),
    )
    try:
        after = await state.pool.ask(playing.move, state.store.path, kept, do, given)
    except Refused as error:
        return await _page(request, own, kept, fault=str(error), typed=given, status=error.status)
    if not state.store.change_play(own, kept, after):  # another tab was quicker
        return await _page(request, *_kept(request), fault=GONE_ON, typed=given, status=409)
    return RedirectResponse(f"/play/{own}", 303)


async def _page(
    request: Request,
    own: str,
    kept: dict[str, Any],
    *,
    fault: str = "",
    typed: str = "",
    review: bool = False,
    status: int = 200,
) -> Response:
    state = request.app.state
    try:
        seconds = HINT_SECONDS if kept["hint"] else SECONDS
        board = await state.pool.ask(playing.any_shown, state.store.path, kept, seconds=seconds)
    except Refused as error:
        if not kept["hint"]:
            raise
        without = kept | {"hint": False, "hints": kept["hints"] - 1}
        fault = f"no hint here: {error}" if state.store.change_play(own, kept, without) else GONE_ON
        kept = _kept(request)[1] | {"hint": False}
        board = await state.pool.ask(playing.any_shown, state.store.path, kept)
    reviewed, why = None, ""
    several = isinstance(board, Several)
    if review and board.outcome and not several:
        try:
            reviewed = await state.pool.ask(played_reviewed, state.store.path, kept)
        except Refused as error:
            why = str(error)
    values = {
        "title": f"Play {board.name}",
        "own": own,
        "board": board,
        "turn": turn_of(kept),
        "fault": fault,
    }
    values |= {"typed": typed, "reviewed": reviewed, "why": why, "goal": kept["goal"]}
    values["assist"] = "/assist?" + urlencode({"game": board.spec})
    return show_page(request, "several-play.html" if several else "game.html", values, status)


def _kept(request: Request) -> tuple[str, dict[str, Any]]:
    """Return the id of a game and what is kept of it; raise Refused when it is not known."""
    own = request.path_params["own"]
    kept = request.app.state.store.play_state(own)
    if kept is None:
        raise Refused("this game is not kept here any more; begin another", 404)
    return own, kept


def turn_of(kept: dict[str, Any]) -> str:
    """Return what tells the states of a game apart, so that a page of an earlier one is noticed."""
    return f"{len(kept['steps'])}-{kept['undone']}"


def field_text(fields: dict[str, Any], name: str) -> str:
    """Return a field of a form as text; empty where it is not there, or a file."""
    value = fields.get(name, "")
    if not isinstance(value, str) or len(value) > MOST_TYPED:
        raise Refused(f"{name}: expected a text of at most {MOST_TYPED} characters")
    return value.replace("\r\n", "\n")  # as forms write the end of a line in a label


def field_number(text: str, most: int, what: str) -> int:
    """Return a number that was chosen, 0 where none was; raise Refused for another text."""
    if not text:
        return 0
    if not (text.isascii() and text.isdecimal() and len(text) < 6 and int(text) <= most):
        raise Refused(f"{text[:20]!r} {what}; expected 0 to {most}")
    return int(text)


ROUTES = [
    Route("/play", _choose),
    Route("/play", _begin, methods=["POST"]),
    Route("/play/{own}", _show),
    Route("/play/{own}", _move, methods=["POST"]),
]
