"""Pages of strategies: what they guarantee, and all that can be done with them."""

from __future__ import annotations

import importlib.util
import mimetypes
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import Route

from guesstree.engine.notation import Look, capital
from guesstree.trees.export.formats import PAPERS, PROGRAM, STYLES, TREE
from guesstree.trees.language import languages, preferred

from .guard import read_form
from .pages import show_page
from .pool import Refused
from .store import Result, file_stem
from .work.drawing import drawn_as, explored_at, sheets_seen

FILES = "/static/page"
"""Where the style and the scripts of the page to explore are."""
SECONDS = 45.0
"""So long a drawing may take."""
MOST_TITLE = 200
"""Characters of a title."""
LANGUAGES = {"en": "English", "de": "Deutsch"}
"""What languages are called; others by their letters."""
MANY_STEPS = 10_000
"""With more, drawings take long."""


@dataclass(frozen=True)
class Download:
    """A file to take away: the end of its name, its style in `STYLES`, what it is called, what it is for."""

    name: str
    style: str
    called: str
    text: str

    @property
    def ending(self) -> str:
        """The ending of the file."""
        return self.name[self.name.rindex(".") :]

    def possible(self, lies: int) -> bool:
        """Return whether it can be made here of a strategy with so many lies."""
        if not self.style:
            return True
        made = STYLES[self.style][self.ending]
        installed = not made.needs or importlib.util.find_spec(made.needs) is not None
        return installed and (made.lies or not lies)


DOWNLOADS = {
    one.name: one
    for one in (
        Download("flowchart.pdf", "flowchart", "Flow chart (PDF)", "to print: yes and no, box by box"),
        Download("flowchart.png", "flowchart", "Flow chart (PNG)", "one picture, for a message or a slide"),
        Download("key.pdf", "key", "Numbered key (PDF)", "to print: numbered steps, as in a field guide"),
        Download("guide.html", TREE, "Guide (HTML)", "one file to mail: one question at a time, no network"),
        Download("key.docx", "key", "Numbered key (Word)", "to edit"),
        Download("key.html", "key", "Numbered key (HTML)", "numbers are links"),
        Download("key.txt", "key", "Numbered key (text)", "to paste anywhere"),
        Download("list.xlsx", "list", "List (Excel)", "a row for each end, with its path"),
        Download("list.csv", "list", "List (CSV)", "the same for other programs"),
        Download("tree.pdf", TREE, "Drawing (PDF)", "the whole tree on one sheet"),
        Download("tree.svg", TREE, "Drawing (SVG)", "the same for the web, or to edit"),
        Download("decisions.py", PROGRAM, "Program (Python)", "decides a row of data as the tree does"),
        Download("decisions.sql", PROGRAM, "Program (SQL)", "the same, as an expression CASE"),
        Download("decisions.pmml", PROGRAM, "Model (PMML)", "the same, for programs that take models"),
        Download("strategy.json", "", "Strategy (JSON)", "all of it: to bring back here, or for programs"),
    )
}


def kept_result(request: Request, kind: str, *, whole: bool = False) -> Result:
    """Return the result of an address, with its bytes if `whole`; raise Refused where there is none."""
    found: Result | None = request.app.state.store.result(request.path_params["own"], whole=whole)
    if found is None or found.kind != kind:
        raise Refused(f"this {kind} is not kept here; it may have been deleted", 404)
    return found


def _found(request: Request, *, whole: bool = False) -> Result:
    return kept_result(request, "strategy", whole=whole)


def _sheet(request: Request) -> dict[str, Any]:
    """Return what was chosen of the sheets: language, and title, paper and pages if they were.

    Raises Refused for what cannot be.
    """
    given = request.query_params
    title, paper, pages = given.get("title", "").strip(), given.get("paper", ""), given.get("pages", "")
    if len(title) > MOST_TITLE or not title.isprintable():
        raise Refused(f"a title of {len(title)} characters; expected at most {MOST_TITLE}, in one line")
    if paper not in ("", *PAPERS):
        raise Refused(f"no paper is called so; expected {' or '.join(PAPERS)}")
    if pages not in ("", "1"):
        raise Refused("so many pages cannot be chosen here; expected 1, or none for as many as it takes")
    liked = request.app.state.language or preferred(request.headers.get("accept-language", ""))
    language = given.get("language") or liked
    if language not in languages():
        raise Refused(f"no language is called so here; expected {' or '.join(languages())}")
    chosen = {"title": title, "paper": paper, "pages": int(pages) if pages else None}
    return {"language": language} | {name: value for name, value in chosen.items() if value}


async def _show(request: Request) -> Response:
    found = _found(request)
    about = found.about
    sheet = _sheet(request)
    values = {
        "title": about["title"],
        "result": found,
        "about": about,
        "look": Look(**about["look"]),
        "downloads": [one for one in DOWNLOADS.values() if one.possible(about["lies"])],
        "large": about["nodes"] > MANY_STEPS,
        "sheet": sheet,
        "chosen": urlencode(sheet),
        "papers": [(paper, capital(paper)) for paper in PAPERS],
        "languages": [(one, LANGUAGES.get(one, one)) for one in languages()],
        "most": max((many for _, many in about["histogram"]), default=1),
    }
    return show_page(request, "strategy.html", values)


async def _explore(request: Request) -> Response:
    """Send the page with the guide and the tree, whose scripts and style are files of this server."""
    found, state = _found(request), request.app.state
    language = _sheet(request)["language"]
    text = await state.pool.ask(explored_at, state.store.path, found.id, FILES + "/", language)
    return HTMLResponse(text)


async def _download(request: Request) -> Response:
    """Send the strategy as a file that is called after its game."""
    wanted, state = DOWNLOADS.get(request.path_params["name"]), request.app.state
    if wanted is None:
        raise Refused("there is no such download", 404)
    found, sheet = _found(request, whole=not wanted.style), _sheet(request)
    data = found.data
    if wanted.style:
        try:
            data = await state.draw_pool.ask(
                drawn_as, state.store.path, found.id, wanted.style, wanted.ending, sheet, seconds=SECONDS
            )
        except Refused as refused:
            raise Refused(_instead(wanted, found, str(refused)), refused.status) from None
    name = f"{file_stem(found.game)}-{wanted.name}"
    return Response(
        data,
        media_type=mimetypes.types_map.get(wanted.ending, "application/octet-stream"),
        headers={"content-disposition": f'attachment; filename="{name}"'},
    )


async def _preview(request: Request) -> Response:
    """Send a picture of the sheets of the flow chart, as they were chosen."""
    found, sheet, state = _found(request), _sheet(request), request.app.state
    data = await state.draw_pool.ask(sheets_seen, state.store.path, found.id, sheet, seconds=SECONDS)
    return Response(data, media_type="image/svg+xml")


def _instead(wanted: Download, found: Result, line: str) -> str:
    """Return what to take where a file cannot be made."""
    if wanted.style == "list":
        return f"{wanted.called}: {line}"
    return (
        f"{wanted.called} of {found.about['nodes']:,} steps: {line}; take the list (CSV), or explore it here"
    )


def deletions(kind: str) -> list[Route]:
    """Return the routes by which a result of a kind is deleted: one asks, the other does it."""

    async def ask(request: Request) -> Response:
        found = kept_result(request, kind)
        values = {"title": "Delete", "name": f"this {kind}", "file": "", "text": found.about["title"]}
        return show_page(request, "sure.html", values | {"back": f"/{kind}/{found.id}"})

    async def delete(request: Request) -> Response:
        await read_form(request)
        request.app.state.store.delete_result(kept_result(request, kind).id)
        return RedirectResponse("/", 303)

    path = f"/{kind}/{{own}}/delete"
    return [Route(path, ask), Route(path, delete, methods=["POST"])]


ROUTES = [
    Route("/strategy/{own}", _show),
    Route("/strategy/{own}/explore", _explore),
    Route("/strategy/{own}/download/{name}", _download),
    Route("/strategy/{own}/sheets.svg", _preview),
    *deletions("strategy"),
]
