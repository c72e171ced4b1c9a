"""Strategies as .png files, of a size that viewers can open."""

from __future__ import annotations

from guesstree.engine.game import Game

from ..tree import Tree, TreeError
from .dot import whole_picture
from .output import draw_source

PNG_SIDE = 16_000
PNG_AREA = 120_000_000
"""Pixels beyond which a PNG is refused; viewers need four bytes for each."""


def draw(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> bytes:
    """Return a tree, see `whole_picture`; raise TreeError for one that is too large."""
    made = whole_picture(game, strategy, depth, title, parameters=parameters)
    made.source.graph_attr["dpi"] = str(
        dots(made.width, made.height, "draw less with --depth N, or make a PDF or SVG")
    )
    return draw_source(made.source, "png")


def dots(width: float, height: float, instead: str = "make a PDF or SVG") -> int:
    """Return the dots per inch for a PNG: 144, or 96 for a large picture; raise TreeError if too large.

    `instead` is what to do then.
    """
    for dpi in (144, 96):
        wide, high = width * dpi / 72, height * dpi / 72
        if max(wide, high) <= PNG_SIDE and wide * high <= PNG_AREA:
            return dpi
    raise TreeError(
        f"a PNG of all would have {wide:.0f} x {high:.0f} pixels; "
        f"expected at most {PNG_SIDE} in a side; {instead}"
    )
