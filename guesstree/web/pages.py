"""How pages are made: templates, and what all of them show."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from guesstree.engine.game_source import FAMILY
from guesstree.engine.notation import ABSENT, ELSEWHERE, HOLE, PLACE, Look, capital, plural, plurals
from guesstree.trees.export.colours import MARKS, NAMED, PALETTE, WHITE, ink
from guesstree.trees.export.labels import plain

HERE = Path(__file__).parent
STATIC, TEMPLATES = HERE / "static", HERE / "templates"

_environment = Environment(
    loader=FileSystemLoader(TEMPLATES),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_environment.filters |= {"plain": plain, "capital": capital}
_environment.filters["pair"] = lambda text: (text, text)
_environment.globals |= {"plural": plural, "plurals": plurals, "family": FAMILY}


def load_templates() -> None:
    """Make all templates ready: the first page is then as fast as the next one."""
    for name in _environment.list_templates():
        _environment.get_template(name)


def show_page(request: Request, template: str, values: Mapping[str, Any], status: int = 200) -> Response:
    """Return a page: a template with its values, all of them escaped.

    Templates know besides: `token`, for forms; `here`, the path of the page; `read_only`; `watches`, whether
    there is a ledger to watch.
    """
    state = request.app.state
    shared = {
        "token": state.store.token,
        "here": request.url.path,
        "read_only": state.read_only,
        "watches": state.ledger is not None,
    }
    return HTMLResponse(_environment.get_template(template).render(shared | dict(values)), status)


def symbols(look: Look, label: str, response: str = "") -> list[tuple[str, str]]:
    """Return the symbols of a code with the class of each: its colour, or that of its mark in a response."""
    if look.codes == "pegs":
        known: dict[str, int | str] = {
            symbol: place for place, symbol in enumerate(look.symbols[: len(PALETTE)])
        }
        if look.own_letters:
            known |= {symbol: symbol for symbol in look.symbols if symbol in NAMED}
        return [
            (symbol, "empty" if symbol == HOLE else f"peg-{known.get(symbol, len(PALETTE))}")
            for symbol in label
        ]
    if look.answers == "marks" and len(response) == len(label):
        return [(symbol, f"mark-{_MARKS[mark][0]}") for symbol, mark in zip(label, response, strict=True)]
    return [(symbol, "") for symbol in label]


def spoken(look: Look, label: str, response: str = "") -> str:
    """Return a guess or a secret as it is read out, with what a response says of each symbol."""
    if look.codes == "text":
        return plain(label)
    if look.answers == "marks" and len(response) == len(label):
        return ", ".join(f"{symbol} {_MARKS[mark][1]}" for symbol, mark in zip(label, response, strict=True))
    return " ".join("empty" if symbol == HOLE else symbol for symbol in label)


def response_words(look: Look, response: str) -> str:
    """Return a response in words: ``1,0`` is 1 black, 0 white."""
    numbers, names = response.split(","), [name.strip() for name in look.says.split(",")]
    if look.counts(response) is None or len(names) != len(numbers):
        return plain(response)
    return ", ".join(
        f"{number} {name.removesuffix('s') if number == '1' else name}"
        for number, name in zip(numbers, names, strict=True)
    )


_MARKS = {PLACE: ("place", "in place"), ELSEWHERE: ("elsewhere", "elsewhere"), ABSENT: ("absent", "absent")}
_environment.filters |= {
    "symbols": symbols,
    "spoken": spoken,
    "response_words": response_words,
    "counts": Look.counts,
}
_environment.filters["mark"] = {mark: f"mark-{name}" for mark, (name, _) in _MARKS.items()}.get


def colours_css() -> str:
    """Return the colours of pegs and marks as classes: nothing on a page has a style of its own."""
    lines = [
        f".peg-{place} {{ background: {colour}; color: {ink(colour)}; }}"
        for place, colour in [*enumerate([*PALETTE, WHITE]), *NAMED.items()]
    ]
    lines += [
        f".mark-{_MARKS[mark][0]} {{ background: {colour}; color: {ink(colour)}; }}"
        for mark, colour in MARKS.items()
    ]
    return "\n".join(lines) + "\n"
