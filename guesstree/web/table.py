"""The page of a table: how it was read, and how it is turned and mended."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from guesstree.engine.game_source import FAMILY
from guesstree.engine.tables.options import OPTIONS, REPEATED, join_options, split_options

from .guard import read_form
from .pages import show_page
from .pool import Refused
from .work.editing import edit_answer, edit_cells
from .work.tables import table_seen, tidied
from .work.uploads import MOST_SPEC


def table_page(spec: str) -> str:
    """Return the path of the page of a table."""
    return f"/table?{urlencode({'game': spec})}"


async def _show(request: Request) -> Response:
    spec = request.query_params.get("game", "")
    if not spec:
        return RedirectResponse("/", 303)
    state = request.app.state
    seen = await state.pool.ask(table_seen, state.store.path, spec)
    others = [file.name for file in state.store.files() if file.kind == "sheet" and file.name != seen["file"]]
    return show_page(request, "table.html", {"title": seen["file"], "seen": seen, "others": others})


async def _set(request: Request) -> Response:
    """Take the table otherwise: with one option changed (`set`, or the field that it names), or with all."""
    fields = await read_form(request)
    name, given = _options(fields)
    key, equals, value = str(fields.get("set", "")).partition("=")
    if key in OPTIONS:
        given[key] = value if equals else str(fields.get(key, "")).strip()
    elif not key:
        texts = {one: str(fields.get(one, "")).strip() for one in OPTIONS}
        for one in REPEATED:
            texts[one] = "\n".join(filter(None, map(str.strip, texts[one].splitlines())))
        given = {one: text for one, text in texts.items() if text}
    options = join_options(given)
    if len(options) > MOST_SPEC - len(FAMILY + name):
        raise Refused(f"{len(options)} characters of choices are too many for a table; leave some out")
    request.app.state.store.set_options(name, options)
    return RedirectResponse(table_page(f"{FAMILY}{name}{options}"), 303)


async def _mend(request: Request) -> Response:
    """Keep the table with other cells, or another answer in place of one, and show that one."""
    fields, state = await read_form(request), request.app.state
    texts = {name: value for name, value in fields.items() if isinstance(value, str)}
    if "written" in texts:
        slip = (texts.get("test", ""), texts["written"], texts.get("meant", ""))
        spec = await state.pool.ask(edit_answer, state.store.path, _spec(fields), *slip)
    elif texts.get("cells", "").strip():
        spec = await state.pool.ask(edit_cells, state.store.path, _spec(fields), texts["cells"])
    else:
        raise Refused("no cells were sent; expected a table")
    return RedirectResponse(table_page(spec), 303)


async def _tidy(request: Request) -> Response:
    """Send the canonical form as a file."""
    spec, state = request.query_params.get("game", ""), request.app.state
    text, _ = await state.pool.ask(tidied, state.store.path, spec)
    name = _options({"game": spec})[0].rpartition(".")[0]
    return Response(
        text,
        media_type="text/csv",
        headers={"content-disposition": f'attachment; filename="{name}-tidy.csv"'},
    )


def _spec(fields: Mapping[str, Any]) -> str:
    spec = fields.get("game")
    if not isinstance(spec, str) or spec[: len(FAMILY)] != FAMILY:
        raise Refused("no table was named; go back to its page")
    return spec


def _options(fields: Mapping[str, Any]) -> tuple[str, dict[str, str]]:
    """Return the name of the file of a table, and its options."""
    return split_options(_spec(fields).removeprefix(FAMILY))


ROUTES = [
    Route("/table", _show),
    Route("/table", _set, methods=["POST"]),
    Route("/table/mend", _mend, methods=["POST"]),
    Route("/table/tidy", _tidy),
]
