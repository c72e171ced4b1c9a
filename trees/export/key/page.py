"""Numbered keys as one web page that stands alone and prints well; its couplets link to each other."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

from guesstree.engine.emphasis import Runs
from guesstree.engine.game import Game
from guesstree.engine.notation import ABSENT, ELSEWHERE, PLACE

from ...language import say, spoken_language
from ...tree import Tree
from ..cells import LEGEND, MEANINGS
from ..colours import FRAMES, PAPER
from ..page.page import policy
from .couplets import SURE, Lead, NumberedKey, numbered_key

TEMPLATE = Path(__file__).with_name("page.html")
"""The page without the key."""
DEEPEST = 12
"""Deeper levels of an indented key are not indented further."""
CLASSES = {PLACE: "place", ELSEWHERE: "elsewhere", ABSENT: "absent"}
"""The classes of the tiles of letters, by their marks."""
LONG = 30
"""Beyond so many couplets, a page has two columns where there is room."""


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    *,
    costs: bool = False,
    sure: int = SURE,
) -> bytes:
    """Return a key as HTML; the same strategy gives the same file."""
    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    template = TEMPLATE.read_text(encoding="utf-8")
    for mark, name in ((mark, name.upper()) for mark, name in CLASSES.items()):
        template = template.replace(f"%%{name}%%", PAPER[mark]).replace(
            f"%%FRAME_{name}%%", FRAMES.get(mark, "")
        )
    parts = {
        "LANGUAGE": spoken_language(),
        "POLICY": policy(template),
        "TITLE": html.escape(key.title),
        "ABOUT": html.escape(key.explained(LEGEND)),
        "CLASS": "indented" if indented else "long" if len(key.couplets) > LONG else "",
        "KEY": "\n".join(_indented(key) if indented else _bracketed(key)),
    }
    # In one pass, so that no label is taken for a place to fill.
    return re.sub(rf"%%({'|'.join(parts)})%%", lambda found: parts[found[1]], template).encode()


def _bracketed(key: NumberedKey) -> Iterator[str]:
    for couplet in key.couplets:
        yield f'<section class="couplet" id="c{couplet.number}">'
        for lead in couplet.leads:
            came = f" ({_link(couplet.came)})" if couplet.came and lead is couplet.leads[0] else ""
            yield _lead(lead, came, _link(lead.goes))
        yield "</section>"


def _indented(key: NumberedKey) -> Iterator[str]:
    deep = 0
    for couplet, lead in key.rows(indented=True):
        if couplet.depth > deep:
            yield '<div class="below">' if couplet.depth <= DEEPEST else "<div>"
        yield from ["</div>"] * (deep - couplet.depth)
        deep = couplet.depth
        yield _lead(lead, "", "")
    yield from ["</div>"] * deep


def _lead(lead: Lead, came: str, goes: str) -> str:
    """Return a lead as a line: its label, what it says, and a link or a name; without either no dots."""
    said = (_tiles(lead) if lead.tiles else html.escape(lead.says)) + (
        f' <span class="more">{_marked(lead.noted)}</span>' if lead.noted else ""
    )
    if not lead.goes:
        share = f" ({lead.share.replace(' ', chr(160))})" if lead.share else ""  # the sign with its number
        goes = f"<b>{_marked(lead.named)}</b>{share}"
    way = f'<span class="says">{said}</span>'
    if goes:
        way += f'<span class="to"><span class="dots"></span><span class="goes">{goes}</span></span>'
    kind = "way" if lead.goes else "way end"
    label = f'<span class="label">{lead.label}{came}</span>'
    return f'<div class="lead" id="{lead.label}">{label}<div class="{kind}">{way}</div></div>'


def _marked(runs: Runs) -> str:
    """Return text with what is emphasised in it; in a name the rest, such as its author, is not bold."""
    several = any(marked for _, marked in runs)
    return "".join(
        f"<i>{html.escape(text)}</i>"
        if marked
        else f'<span class="author">{html.escape(text)}</span>'
        if several
        else html.escape(text)
        for text, marked in runs
    )


def _tiles(lead: Lead) -> str:
    """Return the letters of a guess on tiles, each in the colour and the form of its mark."""
    label = ", ".join(f"{letter} {say(MEANINGS[mark])}" for letter, mark in lead.tiles)
    cells = (f'<b class="{CLASSES[mark]}">{html.escape(letter)}</b>' for letter, mark in lead.tiles)
    return f'<span class="tiles" role="img" aria-label="{html.escape(label)}">{"".join(cells)}</span>'


def _link(number: int) -> str:
    return f'<a href="#c{number}">{number}</a>'
