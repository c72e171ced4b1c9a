"""Strategies as .pdf files of A4 pages: one if the tree is legible on it, else an overview and its parts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from guesstree.engine.game import Game

from ..language import say
from ..tree import Tree
from .book import BoundPage, Contents, PageLink, bind
from .boxes import Drawing, fold
from .dot import HEADING, Panel, picture
from .heading import titled
from .labels import Line, plain, text_line, text_width
from .layout import Size, pack, paginate, place, unbroken
from .output import draw_source
from .title import title as title_lines

SHEET = (841.89, 595.28)
"""A4 landscape."""
MARGIN = 28.0
SMALLEST, LARGEST = 0.8, 1.5
"""How far a page is scaled down at most, text of 9 points is then 7.2; and up, where it is the only one."""


def draw(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> bytes:
    """Return a PDF of one page if the tree is legible on it, otherwise of an overview and its parts.

    Options are those of `whole_picture`.
    """
    drawing, head = fold(game, strategy, depth), title_lines(game, strategy, title, parameters=parameters)
    room = (SHEET[0] - 2 * MARGIN) / SMALLEST, (SHEET[1] - 2 * MARGIN) / SMALLEST
    first = room[0], room[1] - HEADING - sum(text.height for text in head)
    pieces = [unbroken(drawing.shape)]
    panel = Panel(pieces[0], place(drawing.shape, pieces[0]))
    if panel.places.width > first[0] or panel.places.height > first[1]:
        lines = 2 * text_line("").height
        pieces = paginate(drawing.shape, first, (room[0], room[1] - HEADING - lines))
        panel = Panel(pieces[0], place(drawing.shape, pieces[0]))
    if len(pieces) == 1:
        return draw_source(picture(drawing, [panel], head, paper=_Paper((SHEET, SHEET[::-1]))).source, "pdf")
    panels = [panel]
    for piece in pieces[1:]:
        places = place(drawing.shape, piece)
        path = _path(drawing, piece.box[0], max(places.width, 240.0))
        panels.append(Panel(piece, places, text_line(path)))
    rooms = (first[0], first[1] + HEADING), (room[0], room[1] - text_line("").height)
    return _book(drawing, _pages(panels, *rooms), head, titled(game, title))


@dataclass
class _Paper:
    """Fit a picture on A4, in the size on which it is largest; afterwards `scale` is that of the page."""

    sizes: Sequence[Size] = (SHEET,)
    scale: float = 1.0

    def __call__(self, width: float, height: float) -> tuple[float, float, float, str]:
        """Return the sheet and its margin in the units of the picture, and its size in inches."""
        most = LARGEST if len(self.sizes) > 1 else 1.0
        fits = [min(most, (a - 2 * MARGIN) / width, (b - 2 * MARGIN) / height) for a, b in self.sizes]
        self.scale = max(fits)
        wide, high = self.sizes[fits.index(self.scale)]
        # The mark lets a picture be drawn larger, too.
        size = f"{wide / 72:.4f},{high / 72:.4f}!"
        return wide / self.scale, high / self.scale, MARGIN / self.scale, size


def _pages(panels: list[Panel], first: Size, room: Size) -> list[list[Panel]]:
    """Return the panels by pages, on the first of which there is less room, the overview first of all."""
    spots = pack([panel.size for panel in panels], room, 18.0, first)
    return [[replace(panels[spot.number], left=spot.left, top=spot.top) for spot in page] for page in spots]


def _book(drawing: Drawing, pages: list[list[Panel]], head: list[Line], title: str) -> bytes:
    """Return a PDF of several pages, with links from the stubs and with bookmarks."""
    contents = Contents.of([[panel.piece for panel in page] for page in pages])
    sheets: list[BoundPage] = []
    for number, page in enumerate(pages):
        of_pages = say("page {page} of {pages}", page=number + 1, pages=len(pages))
        top = [text_line(f"{of_pages}  ·  {plain(title, 60)}")]
        paper = _Paper()
        made = picture(
            drawing,
            page,
            top if number else head,
            lambda box: say("→ page {page}", page=contents.full[box][0] + 1),
            paper,
        )
        scale = paper.scale
        links = [
            PageLink(contents.full[box][0], (left * scale, bottom * scale, right * scale, upper * scale))
            for box, left, bottom, right, upper in made.stubs
        ]
        sheets.append(BoundPage(draw_source(made.source, "pdf"), links))
    name = partial(_bookmark, drawing)
    # The overview has a bookmark beside those of the pieces below it.
    marks = [replace(mark, around=mark.around or -1) for mark in contents.marks(name)]
    return bind(title, sheets, marks)


def _path(drawing: Drawing, box: int, wide: float) -> str:
    """Return the guesses and responses that lead to a box; only the last ones if not all would fit."""
    at = drawing.step[box]
    path = plain(drawing.name(at), 40)
    while at > 0:
        above = drawing.outline.steps[at].parent
        last = f"{drawing.answer(at)}  ›  {path}"
        longer = f"{plain(drawing.name(above), 40)}  {last}"
        # The last response always stays: siblings often ask the same.
        if text_width(f"…  {longer}") > wide:
            return f"…  {last}"
        path, at = longer, above
    return path


def _bookmark(drawing: Drawing, box: int) -> str:
    """Return the name of the bookmark of the piece that begins with a box."""
    if box == 0:
        return say("Overview")
    step = drawing.step[box]
    return f"{drawing.answer(step)}  {plain(drawing.name(step), 40)} ({drawing.secrets(box)})"
