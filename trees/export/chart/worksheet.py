"""A worksheet as a .pdf: a flow chart whose boxes and arrows are empty, and its solution on the next page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from guesstree.engine.game import Game
from guesstree.engine.notation import capital

from ...language import noun, say
from ...outline import outline
from ...tree import Tree, TreeError
from ...words import said_end
from ..book import BoundPage, Mark, bind
from ..formats import paper_size
from ..output import draw_source
from ..wrap import Block, Span
from .boxes import SMALL, Words, wording
from .pages import FEW_STEPS, LEGIBLE, MARGIN, POINTS, SMALLEST, Plan, best_page
from .picture import Element, drawn, heading
from .places import Spread

HAND = "_" * 14
"""A line of this width is left free in each box to write into, where the page has room for it."""
_ROOM = Span(HAND, SMALL)


def draw(game: Game, strategy: Tree, *, title: str = "", paper: str = "a4", given: int = 0) -> bytes:
    """Return a flow chart to fill in on one page, and as it should be on the next, of the same places.

    What is to be filled in is listed above it, in the order of the alphabet. The questions less than `given`
    steps below the first are there, with their answers. Raises TreeError where the chart does not fit on a
    page, and for another paper.
    """
    words, upright = wording(outline(game, strategy), title), paper_size(paper)
    if given < 0 or len(words.outline.steps) > FEW_STEPS:
        raise TreeError(f"a worksheet has one page; expected at most {FEW_STEPS} boxes, and 0 or more given")
    solution = say("Solution: {title}", title=words.title)
    empty = replace(words, figures=_missing(words), meaning="", legend="")
    solved = replace(words, title=solution)
    # The heading that takes more room decides where the chart of both begins.
    larger = max(empty, solved, key=lambda one: len(one.figures + one.meaning + one.legend))
    for hand in (HAND, ""):
        roomy = replace(larger, notes=[(*notes, hand) for notes in words.notes])
        plan = best_page(roomy, (upright, upright[::-1]))
        if plan.pages[0].zoom >= LEGIBLE:
            break
    if plan.pages[0].zoom < SMALLEST:
        raise TreeError(
            f"the chart does not fit on one page in text of {POINTS:g} points, the least that can "
            "be read; a worksheet has one page"
        )
    pages = [_page(empty, plan, given), _page(solved, plan, None)]
    marks = [Mark(0, 0, words.title, -1), Mark(1, 1, solution, -1)]
    return bind(words.title, [BoundPage(pdf) for pdf in pages], marks)


def _missing(words: Words) -> str:
    """Return the questions and the ends of a chart, in the order of the alphabet."""
    steps, look = words.outline.steps, words.outline.game.look

    def listed(name: str, labels: Iterable[str]) -> str:
        return f"{capital(noun(name, 2))}: {', '.join(sorted(set(labels), key=str.casefold))}"

    asked = (step.question for step in steps if not step.names)
    return "  ".join(
        (listed(look.guess, asked), listed(look.secret, (said_end(name) for s in steps for name in s.names)))
    )


def _page(words: Words, plan: Plan, given: int | None) -> bytes:
    """Return a page with all that is said on it, or what is given alone."""
    (page,), size = plan.pages, plan.size
    (part,) = page.parts
    chart = _drawn(part.spread, given)
    head = heading(words, size[0] - 2 * MARGIN, "", plan.head)
    spots = [replace(lines, left=MARGIN + lines.left, top=MARGIN + lines.top) for lines in head]
    source = drawn([*spots, Element(chart, part.left, part.top, page.zoom)], size)
    source.graph_attr["size"] = f"{size[0] / 72:.4f},{size[1] / 72:.4f}"
    return draw_source(source, "pdf")


def _drawn(whole: Spread, given: int | None) -> Spread:
    """Return a chart without the lines that only make room; with a level, it is empty but above that."""
    steps, answers = whole.chart.words.outline.steps, whole.chart.answers
    full = [Block(tuple(line for line in box.lines if line != (_ROOM,))) for box in whole.chart.full]
    if given is not None:
        full = _kept(full, [step.depth < given and not step.names for step in steps])
        answers = _kept(answers, [0 < step.depth <= given for step in steps])
    return replace(whole, chart=replace(whole.chart, full=full, answers=answers))


def _kept(blocks: Sequence[Block], known: Sequence[bool]) -> list[Block]:
    return [block if shown else Block(()) for block, shown in zip(blocks, known, strict=True)]
