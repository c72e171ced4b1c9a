"""A strategy as lines of text, in the words of the drawings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from guesstree.engine.game import Game

from ..tree import Tree
from .boxes import Drawing, fitting_depth, fold, texts
from .labels import plain
from .title import headlines

LONGEST = 1000
"""The most characters of a label: a terminal wraps what is long."""


def tree_lines(game: Game, strategy: Tree, depth: int | None, most: int) -> Iterator[str]:
    """Yield what is said above a drawing, then a line for each step of the first `depth` guesses.

    None: as many guesses as there are levels that come to at most `most` nodes. Raises TreeError for a depth
    below 1.
    """
    yield from headlines(game, strategy)
    yield from _step_lines(fold(game, strategy, fitting_depth(strategy, most) if depth is None else depth))


def short_lines(game: Game, strategy: Tree, most: int) -> Sequence[str]:
    """Return the lines of all steps of a strategy, or none where there are more than `most`."""
    if game.kinds is None and len(strategy) > most:
        return []
    lines = list(_step_lines(fold(game, strategy)))
    return lines if len(lines) <= most else []


def _step_lines(drawing: Drawing) -> Iterator[str]:
    """Yield a line for each step of a drawing: the answer that leads to it, its question or what it names."""
    box = {step: number for number, step in enumerate(drawing.step)}
    row = {step for rows in drawing.rows for step in rows}
    waiting = [(0, "", "")]
    while waiting:
        step, lead, below = waiting.pop()
        yield lead + _said(drawing, step, box.get(step))
        branches = drawing.outline.steps[step].branches
        children = [branch.step for branch in branches if branch.step in box or branch.step in row]
        for child in reversed(children):
            ends = ("└─ ", "   ") if child == children[-1] else ("├─ ", "│  ")
            waiting.append((child, below + ends[0], below + ends[1]))


def _said(drawing: Drawing, step: int, box: int | None) -> str:
    """Return a step in words: the answer, the question or what is named, and what is below it."""
    answer = f"{drawing.answer(step, LONGEST)}  " if step else ""
    about = [drawing.share(step)]
    if box is not None and not drawing.outline.steps[step].names:
        about = texts(drawing, box) or [drawing.secrets(box)]
    if drawing.is_lost(step):
        about.append("more than the budget")
    told = ", ".join(filter(None, about))
    if drawing.game.decisions and drawing.outline.steps[step].names:
        told = "; ".join(filter(None, (told, *drawing.likely(step)))).replace("\u00a0", " ")
    name = plain(drawing.name(step), LONGEST)
    return f"{answer}{name}  ({told})" if told else f"{answer}{name}"
