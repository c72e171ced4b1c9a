"""Strategies as .svg files."""

from __future__ import annotations

from guesstree.engine.game import Game

from ..tree import Tree
from .dot import whole_picture
from .output import draw_source


def draw(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> bytes:
    """Return a tree, see `whole_picture`; raise TreeError when there is nothing to draw with."""
    return draw_source(whole_picture(game, strategy, depth, title, parameters=parameters).source, "svg")
