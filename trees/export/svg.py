"""Strategies as .svg files."""

from __future__ import annotations

from guesstree.engine.game import Game

from ..tree import Tree
from .dot import whole_picture
from .output import draw_source


def draw(game: Game, strategy: Tree, depth: int | None = None) -> bytes:
    """Return the tree, down to `depth` guesses; raise TreeError when there is nothing to draw with."""
    return draw_source(whole_picture(game, strategy, depth).source, "svg")
