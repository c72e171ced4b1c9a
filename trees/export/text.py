"""A strategy as lines of text, in the words of the drawings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from guesstree.engine.game import Game

from ..language import answer_texts, say
from ..tree import Tree
from .boxes import Drawing, fold, texts
from .cells import signs_in_words, tile_marks
from .labels import plain
from .title import headlines
from .wrap import fill, pieces_of

LONGEST = 1000
"""The most characters of a label."""
ROOM = 24
"""What is said of a step keeps so many columns, however deep it is."""
DEEPEST = 240
"""The columns that stand before a step where lines may have any length."""
FORMS = (("├─ ", "└─ ", "│  "), ("├ ", "└ ", "│ "), ("├", "└", "│"))
"""What stands before a step, before the last of several, and below one that is not the last; the first of
these for which a terminal has room."""
COUNT = 6
"""Columns of what stands for levels that have no room."""

Paint = Callable[[str, str], str]
"""Returns text as it is to be shown, by what it is: ``tree`` (the lines that join steps), ``code`` (a guess),
``marks``, ``end`` (what is named), ``about`` or nothing."""


def _unpainted(text: str, kind: str) -> str:  # noqa: ARG001 - what a `Paint` takes
    return text


def tree_lines(
    game: Game,
    strategy: Tree,
    *,
    depth: int | None = None,
    title: str = "",
    parameters: bool = True,
    width: int | None = None,
    paint: Paint = _unpainted,
) -> Iterator[str]:
    """Yield what is said above a drawing, then a line for each step of the first `depth` guesses.

    With a `width` in columns, lines are broken between words. Raises TreeError for a depth below 1.
    """
    drawing, signs = (
        fold(game, strategy, depth),
        [signs_in_words().replace("\u00a0", " ")] if game.look.answers == "marks" else [],
    )
    for text in (*headlines(game, strategy, title, parameters=parameters), *signs):
        # A figure stays with its name.
        parts = [
            (part.replace(": ", ":\u00a0"), "") for part in (re.split(" {2,}", text) if width else [text])
        ]
        yield from _broken(parts, width and max(width, ROOM), paint)
    yield from _step_lines(drawing, width, paint)


def short_lines(game: Game, strategy: Tree, most: int, width: int | None = None) -> Sequence[str]:
    """Return the lines of all steps of a strategy, or none where there are more than `most` steps."""
    if not game.facts.by_kind and len(strategy) > most:
        return []
    drawing = fold(game, strategy)
    return list(_step_lines(drawing, width)) if len(list(_step_lines(drawing))) <= most else []


def _step_lines(drawing: Drawing, width: int | None = None, paint: Paint = _unpainted) -> Iterator[str]:
    """Yield the lines of each step: the answer that leads to it, its question or what it names."""
    box = drawing.box_of
    row = {step for rows in drawing.rows for step in rows}
    most = DEEPEST if width is None else max(width - ROOM, 2 * COUNT)
    deepest = 1 + max(drawing.outline.steps[step].depth for step in (*box, *row))
    level, last, between = next((form for form in FORMS if len(form[0]) * deepest <= most), FORMS[-1])
    waiting = [(0, 0, "", "")]
    while waiting:
        step, depth, lead, below = waiting.pop()
        branches = drawing.outline.steps[step].branches
        children = [branch.step for branch in branches if branch.step in box or branch.step in row]
        more = below + (between if children else " " * len(level))
        gap = " " if depth and not level.endswith(" ") else ""
        room = None if width is None else max(width - min(len(level) * (depth + 1), most) - len(gap), ROOM)
        for number, said in enumerate(_broken(_said(drawing, step, box.get(step)), room, paint)):
            above, before = (depth + 1, more) if number else (depth, lead)
            if above * len(level) > most:
                before = before[-(most - COUNT) // len(level) * len(level) :]
                before = f"…{above - len(before) // len(level)}".ljust(COUNT) + before
            yield paint(before + gap, "tree") + said
        for child in reversed(children):
            before, after = (last, " " * len(level)) if child == children[-1] else (level, between)
            waiting.append((child, depth + 1, (below + before)[-most:], (below + after)[-most:]))


def _broken(said: Sequence[tuple[str, str]], room: int | None, paint: Paint) -> Iterator[str]:
    """Yield texts, each with its kind, in lines that fit; all in one where there is no room given."""
    if room is None:
        yield "  ".join(paint(text, kind) for text, kind in said).replace("\u00a0", " ")
        return
    from rich.cells import cell_len

    words = list[tuple[int, str, str]]()
    for text, kind in said:
        apart = 2
        for piece in pieces_of(text, room, cell_len):
            word = piece.lstrip(" ")
            words.append((apart or len(piece) - len(word), word.replace("\u00a0", " "), kind))
            apart = 0
    for line in fill([(space, cell_len(word)) for space, word, _ in words], room):
        shown = (
            " " * space * (at > 0) + paint(word, kind) for at, (space, word, kind) in enumerate(words[line])
        )
        yield "".join(shown)


def _said(drawing: Drawing, step: int, box: int | None) -> list[tuple[str, str]]:
    """Return a step in words: the answer, the question or what is named, and what is below it."""
    here = drawing.outline.steps[step]
    about = [drawing.share(step)]
    if box is not None and not here.names:
        about = texts(drawing, box) or [drawing.secrets(box)]
    if drawing.is_lost(step):
        about.append(say("more than the budget"))
    notes = ", ".join(filter(None, about))
    if drawing.game.decisions and here.names:
        notes = "; ".join(filter(None, (notes, *drawing.likely(step))))
    # What is short is kept on one line.
    parts = (part.replace(" ", "\u00a0") if len(part) < ROOM - 3 else part for part in notes.split(", "))
    answer = plain(say(" or ").join(answer_texts(drawing.look, drawing.outline.shown(step))), LONGEST)
    marks = bool(step) and tile_marks(drawing.look, drawing.outline.answers[step], drawing.asked(step))
    said = [
        (answer, "marks" if marks else ""),
        (plain(drawing.name(step), LONGEST), "end" if here.names else "code"),
    ]
    return [one for one in (*said, (f"({', '.join(parts)})" if notes else "", "about")) if one[0]]
