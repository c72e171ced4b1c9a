"""Kept strategies as files to take away, and as a page to explore."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from guesstree.engine.errors import GuesstreeError
from guesstree.engine.game import Game
from guesstree.trees.export.formats import check_format
from guesstree.trees.export.page.page import render_page
from guesstree.trees.tree import Tree
from guesstree.web.store import Store

from .shelf import strategy_at


def kept_strategy(store: Path, own: str) -> tuple[Game, Tree]:
    """Return the game and the strategy of a result; raise GuesstreeError where there is none."""
    found = Store(store).result(own)
    if found is None or found.kind != "strategy":
        raise GuesstreeError("this strategy is not kept any more")
    reading = strategy_at(store, found.data.decode())
    # What was found here is not a claim of the file in which it is kept.
    claims = replace(reading.strategy.claims, by_file=found.about.get("claimed", True))
    return reading.origin.game, reading.strategy.with_claims(claims)


def drawn_as(store: Path, own: str, style: str, ending: str) -> bytes:
    """Return a kept strategy as a file in one of `formats.STYLES`; raise GuesstreeError if it cannot be."""
    game, strategy = kept_strategy(store, own)
    return check_format(f"strategy{ending}", style, strategy.lies).draw(game, strategy)


def explored_at(store: Path, own: str, files: str) -> str:
    """Return a kept strategy as a page to explore, whose other files are at an address of the server."""
    game, strategy = kept_strategy(store, own)
    return render_page(game, strategy, files=files, home=(f"/strategy/{own}", "Back to the figures"))
