"""Kept strategies as files to take away, and as a page to explore."""

from __future__ import annotations

import html
import math
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.trees.export.chart.pages import sheets
from guesstree.trees.export.formats import check_format
from guesstree.trees.export.page.page import render_page
from guesstree.trees.language import say, speaking
from guesstree.trees.tree import Tree
from guesstree.web.store import Store

from .uploads import strategy_at

MOST_SHEETS, SHEETS_ACROSS = 6, 3
"""Sheets in a picture of what is printed, and how many beside each other."""
GAP = 12.0
"""Points between them."""


def kept_strategy(store: Path, own: str) -> tuple[Game, Tree]:
    """Return the game and the strategy of a result; raise GuesstreeError where there is none."""
    found = Store(store).result(own)
    if found is None or found.kind != "strategy":
        raise GuesstreeError("this strategy is not kept any more")
    reading = strategy_at(store, found.data.decode())
    # What was found here is not a claim of the file in which it is kept.
    claims = replace(reading.strategy.claims, by_file=found.about.get("claimed", True))
    return reading.origin.game, reading.strategy.with_claims(claims)


def drawn_as(store: Path, own: str, style: str, ending: str, wanted: Mapping[str, Any]) -> bytes:
    """Return a kept strategy as a file in one of `formats.STYLES`; raise GuesstreeError if it cannot be.

    `wanted` is the language, and options of the format, such as the title; the rest is left out.
    """
    game, strategy = kept_strategy(store, own)
    found = check_format(f"strategy{ending}", style, strategy.lies)
    with speaking(wanted.get("language")):
        drawn: bytes = found.draw(
            game, strategy, **{name: wanted[name] for name in found.options if name in wanted}
        )
    return drawn


def sheets_seen(store: Path, own: str, wanted: Mapping[str, Any]) -> bytes:
    """Return the first sheets of the flow chart as it would be printed, beside each other in one SVG.

    What it is to be is said as in `drawn_as`; where it cannot be, the picture says why.
    """
    game, strategy = kept_strategy(store, own)
    chosen = {name: value for name, value in wanted.items() if name != "language"}
    try:
        with speaking(wanted.get("language")):
            (width, height), found = sheets(game, strategy, MOST_SHEETS, **chosen)
    except GuesstreeError as error:
        return _said_in(str(error))
    across = min(len(found), SHEETS_ACROSS)
    rows = math.ceil(len(found) / across)
    placed = []
    for i, sheet in enumerate(found):
        left, top = GAP + i % across * (width + GAP), GAP + i // across * (height + GAP)
        text = re.sub(
            '(<svg) width="[^"]*" height="[^"]*"', rf'\1 width="{width}" height="{height}"', sheet.decode()
        )
        placed.append(
            f'<rect x="{left}" y="{top}" width="{width}" height="{height}" fill="white" stroke="#888"/>'
        )
        placed.append(f'<svg x="{left}" y="{top}" ' + text[text.index("<svg") + 5 :])
    return _svg(across * (width + GAP) + GAP, rows * (height + GAP) + GAP, placed)


def _said_in(line: str) -> bytes:
    """Return a line of text as a picture."""
    lines = textwrap.wrap(line, 60)
    texts = [f'<text x="12" y="{28 + 22 * i}">{html.escape(text)}</text>' for i, text in enumerate(lines)]
    return _svg(520, 22 * len(lines) + 24, ['<rect width="520" height="100%" fill="white"/>', *texts])


def _svg(width: float, height: float, inside: Sequence[str]) -> bytes:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" font-family="sans-serif">'
        + "".join(inside)
        + "</svg>"
    ).encode()


def explored_at(store: Path, own: str, files: str, language: str) -> str:
    """Return a kept strategy as a page to explore, whose other files are at an address of the server."""
    game, strategy = kept_strategy(store, own)
    with speaking(language):
        back = f"/strategy/{own}", say("Back to the figures")
        return render_page(game, strategy, files=files, home=back)
