"""The first page: what can be done here, what was brought, and what was done lately."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlencode

from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from guesstree.engine.errors import GameError, shown
from guesstree.engine.game_source import FAMILY
from guesstree.engine.registry import Family, families, family_of

from .guard import read_form
from .pages import HERE, show_page
from .pool import Refused
from .store import Result, UploadedFile
from .table import table_page
from .work.games import game_seen
from .work.packing import MOST_FILES, packed
from .work.upload import MOST_BYTES, upload
from .work.words import only_of_length, words_seen

SAMPLES = {
    "car": HERE / "samples" / "car-does-not-start.csv",
    "words": HERE / "samples" / "five-letter-words.txt",
}
"""Files to try things with."""
ACTIONS = {
    "play": ("Play", "Which game do you want to play?", "The machine hides something, you find it out."),
    "assist": (
        "Get advice",
        "What do you want advice for?",
        "You play elsewhere; here you see what to ask next.",
    ),
    "solve": (
        "Solve",
        "What is to be solved?",
        "The best order of questions is found, and proven to be the best.",
    ),
    "compare": ("Compare", "Ways to play which game?", "Several ways to choose questions, side by side."),
    "breed": (
        "Breed",
        "Random ways to play which game?",
        "Strategies drawn at random, made shorter, and bred.",
    ),
}
"""What can be done with a game, by the path of its page: its button, its question, and what it is."""


async def _home(request: Request) -> Response:
    store = request.app.state.store
    action = request.query_params.get("then", "")
    action = action if action in ACTIONS else ""
    files = store.files()
    cards = [_card(family, files) for family in families() if family.files != "sheet"]
    values = {
        "title": ACTIONS[action][1] if action else "guesstree",
        "here": f"/{action}",
        "actions": ACTIONS,
        "most": MOST_BYTES,
        "then": action,
        "cards": sorted(cards, key=lambda card: str(card["title"])),
        "tables": [file for file in files if file.kind == "sheet"],
        "words": [file for file in files if file.kind == "words"],
        "results": [(result, _ago(result)) for result in store.results()],
    }
    return show_page(request, "home.html", values)


def _card(family: Family, files: Sequence[UploadedFile]) -> dict[str, Any]:
    """Return a family as it is offered, with the lists of words, or the tables, that there are."""
    kind = "sheet" if family.files == "cards" else "words"
    brought = [(file.name, file.name) for file in files if file.kind == kind]
    offer = family.offer
    if family.files == "game":  # of games that look like it
        alike = [one for one in families() if one.files == "words" and one.offer.look == offer.look]
        brought = [
            (f"{one.name}:{name}", f"{one.offer.title}: {name}") for one in alike for name, _ in brought
        ]
    _, _, example = family.example.partition(":")
    return {
        "family": family.name,
        "title": offer.title or family.name,
        "about": offer.about or family.about,
        "offer": offer,
        "lists": [*((one.name, one.title) for one in offer.lists if one.here), *brought]
        if family.files
        else [],
        "example": "" if offer.amounts or family.files else example,
        "listed": {"game": "Game", "cards": "Table"}.get(family.files, "Words"),
    }


def _ago(result: Result) -> str:
    """Return when something was made."""
    seconds = max(time.time() - result.made, 0)
    for size, unit in ((86400, "day"), (3600, "hour"), (60, "minute")):
        if seconds >= size:
            many = int(seconds // size)
            return f"{many} {unit}{'s' * (many > 1)} ago"
    return "just now"


async def _game(request: Request) -> Response:
    """Show what can be done with a game, or go and do it; its spec is put together from what was chosen."""
    query, state = request.query_params, request.app.state
    spec = query.get("game") or _chosen(query.get("family", ""), query.getlist("n"), query.get("text", ""))
    spec += "" if query.get("game") else "".join(query.getlist("option"))
    action = query.get("then", "")
    if action in ACTIONS:
        return RedirectResponse(f"/{action}?{urlencode({'game': spec})}", 303)
    if family_of(spec).files == "sheet":
        return RedirectResponse(table_page(spec), 303)
    seen = await state.pool.ask(game_seen, state.store.path, spec)
    return show_page(request, "hub.html", {"title": seen["title"], "seen": seen, "actions": ACTIONS})


def _chosen(name: str, numbers: Sequence[str], text: str) -> str:
    """Return the spec of what was chosen in the form of a family."""
    family = next((one for one in families() if one.name == name), None)
    if family is None:
        raise Refused("no game was chosen; expected one of the first page")
    if family.offer.amounts:
        amounts = family.offer.text([_number(one) for one in numbers])
        text = f"{amounts},{text}" if family.files else amounts
    return f"{family.name}:{text}"


def _number(text: str) -> int | str:
    if re.fullmatch("[A-Za-z]{1,40}", text):
        return text
    if not text.isdecimal() or len(text) > 5:
        raise GameError(f"{shown(text)} is no number that can be chosen here; expected such as 4")
    return int(text)


async def _bring(request: Request) -> Response:
    """Keep a file, several that belong together, or a sample, and show what is in it."""
    fields, state = await read_form(request, MOST_FILES), request.app.state
    given = fields.get("file")
    if isinstance(given, list):
        files = [(one.filename or "file", await one.read()) for one in given if isinstance(one, UploadFile)]
        name, data = files[0] if len(files) == 1 else packed(files)
    elif (sample := SAMPLES.get(str(fields.get("sample")))) is not None:
        name, data = sample.name, sample.read_bytes()
    else:
        raise Refused("no file was sent; choose one first")
    kind, own = await state.pool.ask(upload, state.store.path, name, data)
    return RedirectResponse(page_of(kind, own), 303)


def page_of(kind: str, own: str) -> str:
    """Return the path of the page of something that was brought."""
    if kind == "strategy":
        return f"/strategy/{own}"
    return f"/words?{urlencode({'file': own})}" if kind == "words" else table_page(f"{FAMILY}{own}")


async def _words(request: Request) -> Response:
    """Show a list of words, and the games that can be played with it."""
    state = request.app.state
    seen = await state.pool.ask(words_seen, state.store.path, request.query_params.get("file", ""))
    return show_page(request, "words.html", {"title": seen["file"], "seen": seen, "actions": ACTIONS})


async def _cut_words(request: Request) -> Response:
    """Keep the words of one length as a list of their own."""
    fields, state = await read_form(request), request.app.state
    length = str(fields.get("length", ""))
    if not length.isdecimal() or len(length) > 3:
        raise Refused("no length was chosen; expected a number of letters")
    own = await state.pool.ask(only_of_length, state.store.path, str(fields.get("file", "")), int(length))
    return RedirectResponse(page_of("words", own), 303)


async def _ask_to_forget(request: Request) -> Response:
    """Ask whether a file is to be deleted."""
    name = request.query_params.get("file", "")
    if name not in [file.name for file in request.app.state.store.files()]:
        raise Refused("this file is not kept here; it may have been deleted", 404)
    text = "What was found with it stays."
    return show_page(
        request, "sure.html", {"title": "Delete", "name": name, "file": name, "text": text, "back": "/"}
    )


async def _forget(request: Request) -> Response:
    """Delete a file."""
    fields = await read_form(request)
    request.app.state.store.delete_file(str(fields.get("file", "")))
    return RedirectResponse("/", 303)


ROUTES = [
    Route("/", _home),
    Route("/game", _game),
    Route("/bring", _bring, methods=["POST"]),
    Route("/words", _words),
    Route("/words", _cut_words, methods=["POST"]),
    Route("/forget", _ask_to_forget),
    Route("/forget", _forget, methods=["POST"]),
]
