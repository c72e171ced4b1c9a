"""The formats of pictures of a strategy, by ending: which file writes each.

A format is a file with ``draw(game, strategy, depth) -> bytes``, and a line of `FORMATS`.
"""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable
from dataclasses import dataclass

from guesstree.engine.game import Game

from ..tree import Tree, TreeError
from .output import GRAPHS, check_ending, check_graph, write_whole


@dataclass(frozen=True)
class Format:
    """What writes a format, and what it can show.

    Attributes
    ----------
    module: the name of the file here; it is imported when it is needed.
    parts: whether less than the whole tree can be drawn.
    lies: whether responses may be false, so that a secret is found in several ways.
    """

    module: str
    parts: bool = True
    lies: bool = True

    @property
    def draw(self) -> Callable[[Game, Tree, int | None], bytes]:
        """What returns a strategy, or its first guesses to a depth, as the bytes of a file."""
        found: Callable[[Game, Tree, int | None], bytes]
        found = importlib.import_module(f".{self.module}", __package__).draw
        return found


FORMATS = {
    ".pdf": Format("pdf"),
    ".svg": Format("svg"),
    ".png": Format("png"),
    ".dot": Format("dot"),
    ".html": Format("page", parts=False, lies=False),
}


def check_format(path: str | os.PathLike[str], depth: int | None = None, lies: int = 0) -> Format:
    """Return the format of a file by its ending.

    Raises TreeError for none, for one that cannot do it, and where there is nothing to draw it with.
    """
    ending = check_ending(path, FORMATS)
    if ending in GRAPHS:
        check_graph(path)
    found = FORMATS[ending]
    if depth is not None and not found.parts:
        accepted = ", ".join(other for other in FORMATS if FORMATS[other].parts)
        raise TreeError(f"{str(path)!r} always holds the whole tree; with a depth, use {accepted}")
    if lies and not found.lies:
        accepted = ", ".join(other for other in FORMATS if FORMATS[other].lies)
        raise TreeError(
            f"{str(path)!r} shows one way for each secret, and {lies} responses may be false; use {accepted}"
        )
    return found


def render(game: Game, strategy: Tree, path: str | os.PathLike[str], depth: int | None = None) -> None:
    """Draw a strategy to a file whose ending says how: one of `FORMATS`, of which .html is a page to explore.

    With `depth`, only the nodes less than so many guesses below the root are drawn. A PDF that does not fit
    on one page begins with an overview. The file appears whole or not at all. Raises TreeError for another
    ending, a depth below 1, a PNG that would be too large, or when what is needed to draw is not installed.
    """
    found = check_format(path, depth, strategy.lies)
    write_whole(path, found.draw(game, strategy, depth))
