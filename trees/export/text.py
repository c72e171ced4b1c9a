"""A strategy as lines of text, in the words of the drawings."""

from __future__ import annotations

from collections.abc import Iterator

from guesstree.engine.game import Game

from ..tree import Tree
from .boxes import Drawing, fitting_depth, fold, texts
from .labels import plain
from .title import headlines

MOST_NAMED = 60
"""The most characters of a guess or a secret."""


def tree_lines(game: Game, strategy: Tree, depth: int | None, most: int) -> Iterator[str]:
    """Yield what is said above a drawing, then a line for each node of the first `depth` guesses.

    None: as many guesses as there are levels that come to at most `most` nodes. Raises TreeError for a depth
    below 1.
    """
    yield from headlines(game, strategy)
    drawing = fold(game, strategy, fitting_depth(strategy, most) if depth is None else depth)
    box = {node: number for number, node in enumerate(drawing.node)}
    row = {node for rows in drawing.rows for node in rows}
    waiting = [(0, "", "")]
    while waiting:
        node, lead, below = waiting.pop()
        yield lead + _said(drawing, node, box.get(node))
        children = [child for child in strategy.children(node) if child in box or child in row]
        for child in reversed(children):
            last = child == children[-1]
            ends = ("└─ ", "   ") if last else ("├─ ", "│  ")
            waiting.append((child, below + ends[0], below + ends[1]))


def _said(drawing: Drawing, node: int, box: int | None) -> str:
    """Return a node in words: the response, the guess or the secret, and what is below it."""
    name = plain(drawing.name(node), MOST_NAMED)
    answer = f"{drawing.answer(node)}  " if node else ""
    about = [drawing.share[node]]
    if box is not None and len(drawing.strategy.children(node)):
        about = texts(drawing, box) or [drawing.secrets(box)]
    if int(drawing.strategy.secret[node]) in drawing.lost:
        about.append("more than the budget")
    told = ", ".join(filter(None, about))
    return f"{answer}{name}  ({told})" if told else f"{answer}{name}"
