"""Flow charts as .pdf files: one page that is filled where its text is large enough to read, else several."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from graphviz import Digraph

from guesstree.engine.errors import shown
from guesstree.engine.game import Game
from guesstree.engine.notation import plural

from ...language import answer_texts, say
from ...outline import outline
from ...tree import Tree, TreeError
from ...words import said_end
from ..book import BoundPage, Contents, PageLink, bind
from ..formats import paper_size
from ..labels import letters
from ..layout import GAP, Piece, Size, pack, paginate, unbroken
from ..output import draw_source
from ..wrap import LEADING, Block, Span, block
from .boxes import SMALL, TEXT, TURN, Chart, Words, chart, wording
from .picture import Element, drawn, forms_of, heading, height_of
from .places import Area, Spread, spread

MARGIN = 28.0
POINTS = 7.0
"""The least size of any text on paper."""
LARGEST, LEGIBLE, SMALLEST = 2.4, 0.85, POINTS / SMALL
"""Zooms, at which text has 10 points at 1: at most; at least; and at least where few pages are asked for,
or a box is larger than a page."""
HEADS = (1.8, 1.4, 1.0)
"""Zooms of the title: no larger than that of the chart, if it is not small."""
ROOMY = (1.1, 1.0, 0.92)
"""Zooms of a chart of several pages, where they take no more pages than text that is just legible."""
SMALLER = (0.85, 0.825, 0.8, SMALLEST)
"""Zooms that are tried where this takes more pages than are asked for."""
WHOLE = 1.1
"""How much larger a chart in parts has to be on a page to be better than the whole."""
ROOMS = ((115.0, 1.0), (75.0, 1.0), (75.0, 2.0), (115.0, 1.5), (150.0, 1.0))
"""Room for the lines of a box on one of several pages, and how much of it the ends have; what takes the
fewest pages is taken."""
LONG_ROOMS = (150.0, 230.0, 340.0, 480.0, 620.0)
"""Room that is tried where a text is so long that its box is larger than a page."""
FEW_STEPS = 1000
"""More do not fit on one page, and are not tried in all forms."""
SUBTREES = (1.0, 0.25)
"""The part of a page that a subtree may take below a box whose other subtrees go on elsewhere."""
FULLER = 1.2
"""How much larger a page may be than the zoom at which all is cut into pages, to fill it."""
LOOSE = 3.0
"""How far gaps are stretched at most to fill a page."""
APART = 14.0
"""Room between the parts of a page."""
HEADING = 180.0
"""Room for the lines above a part of a chart, if it is narrower."""


@dataclass(frozen=True)
class ChartPart:
    """A part of a chart on a page: where its upper left corner goes, and how high the lines above it are."""

    spread: Spread
    piece: Piece
    left: float
    top: float
    above: float = 0.0


@dataclass(frozen=True)
class Page:
    """The parts of a chart on a page, as they are read and lettered, column by column, and their zoom."""

    zoom: float
    parts: list[ChartPart]


@dataclass(frozen=True)
class Plan:
    """The pages of a chart, their width and height in points, and the zoom of its title."""

    size: Size
    pages: list[Page]
    head: float = 1.0


def draw(
    game: Game,
    strategy: Tree,
    *,
    title: str = "",
    paper: str = "a4",
    pages: int | None = None,
    qr: str | None = None,
) -> bytes:
    """Return a flow chart as a PDF.

    `paper` is one of `PAPERS`, upright or across, whatever fits best; `qr` is an address that the first page
    shows as a code; `pages` is how many pages it may take,
    None: as many as it needs to be read at arm's length. No text is smaller than `POINTS`. Raises TreeError
    where that takes more pages or a label has no room on a page, and for another paper.
    """
    words = wording(outline(game, strategy), title, qr)
    book = _Book.of(words, plan_pages(words, paper, pages))
    sheets = [book.sheet(number) for number in range(len(book.plan.pages))]
    return bind(words.title, sheets, list(book.contents.marks(book.bookmark)))


def sheets(
    game: Game, strategy: Tree, most: int, *, title: str = "", paper: str = "a4", pages: int | None = None
) -> tuple[Size, list[bytes]]:
    """Return the width and height of the pages that `draw` binds, in points, and the first of them as SVG."""
    words = wording(outline(game, strategy), title)
    book = _Book.of(words, plan_pages(words, paper, pages))
    return book.plan.size, [draw_source(book.source(i)[0], "svg") for i in range(len(book.plan.pages))[:most]]


def plan_pages(words: Words, paper: str = "a4", most: int | None = None) -> Plan:
    """Return what goes on which page; the arguments and errors are those of `draw`."""
    if most is not None and most < 1:
        raise TreeError(f"pages {most}: expected a whole number of at least 1")
    upright = paper_size(paper)
    few = len(words.outline.steps) <= FEW_STEPS
    single = best_page(words, (upright, upright[::-1])) if few else None
    zoom = single.pages[0].zoom if single else 0.0
    if single and zoom >= LEGIBLE:
        return single
    charts = [chart(words, "right", room, ends) for room, ends in (ROOMS if few else ROOMS[:1])]
    usual = _fewest(words, charts, upright)
    if most is None or len(usual.pages) <= most:
        return usual
    for smaller in SMALLER:
        if single and zoom >= SMALLEST and zoom * WHOLE >= smaller:
            return single
        plan = _several(words, charts, upright, smaller)
        if len(plan.pages) <= most and _smallest(plan) >= SMALLEST:
            return plan
    raise TreeError(
        f"the chart does not fit on {plural(most, 'page')} in text of {POINTS:g} points, the least that "
        f"can be read; it takes {plural(len(usual.pages), 'page')}"
    )


def _room(size: Size) -> Size:
    """Return the width and height inside the margins of a sheet."""
    return size[0] - 2 * MARGIN, size[1] - 2 * MARGIN


def _below(words: Words, size: Size, head: float = 1.0) -> Size:
    """Return the room below the heading of the first page, which has a zoom of its own."""
    wide, high = _room(size)
    return wide, high - height_of(heading(words, wide, _page_of(1, "000"), head)) - APART


# -- one page ----------------------------------------------------------------------------------------------


def best_page(words: Words, sizes: Sequence[Size]) -> Plan:
    """Return the form of the whole chart that can be largest on a page, and of these what fills it best."""
    fits = []
    for made in forms_of(words):
        for size in sizes:
            for head in HEADS:
                wide, high = _below(words, size, head)
                zoom = min(LARGEST, wide / made.width, high / made.height)
                filled = made.width * made.height * zoom**2 / (wide * high)
                if zoom >= head or head == HEADS[-1]:
                    fits.append(((zoom, filled), made, size, head))
    (zoom, _), made, size, head = max(fits, key=lambda fit: fit[0])
    part = ChartPart(made, unbroken(made.chart.shape), 0.0, 0.0)
    return Plan(size, [_filled(Page(zoom, [part]), size, _below(words, size, head))], head)


def _filled(page: Page, size: Size, room: Size) -> Page:
    """Return a page of one part with wider gaps, in the middle of the room at the foot of the sheet."""
    zoom, (part,) = page.zoom, page.parts
    wide, high = room[0] / zoom, room[1] / zoom - part.above
    made, flat = part.spread, part.spread.chart.flow == "right"
    along, across = (
        (wide / made.width, high / made.height) if flat else (high / made.height, wide / made.width)
    )
    length = made.width if flat else made.height
    gaps = 2 * TURN * max(part.piece.level, default=0)
    wider = min(LOOSE, 1 + (along - 1) * length / gaps) if gaps else 1.0
    broader = min(LOOSE, max(1.0, across))
    made = spread(made.chart, part.piece, max(1.0, wider), broader)
    if made.width > wide or made.height > high:  # other boxes are beside each other now
        made = spread(made.chart, part.piece, 1.0, broader)
    left = MARGIN + max(0.0, room[0] - made.width * zoom) / 2
    top = size[1] - MARGIN - room[1]
    return Page(zoom, [replace(part, spread=made, left=left, top=top)])


# -- several pages -----------------------------------------------------------------------------------------


def _several(words: Words, charts: Sequence[Chart], upright: Size, zoom: float) -> Plan:
    """Return the fewest pages on which a chart goes at a zoom, and of these those turned least often.

    Pages on which a box has no room in text of that size come after all others.
    """
    plans = (
        _pages(words, made, size, zoom, most)
        for made in charts
        for size in (upright, upright[::-1])
        for most in SUBTREES
    )
    return min(plans, key=lambda plan: (_smallest(plan) < SMALLEST, len(plan.pages), _turns(words, plan)))


def _smallest(plan: Plan) -> float:
    """Return the least zoom on any page; a hair is what rounding takes."""
    return min(page.zoom for page in plan.pages) + 1e-9


def _fewest(words: Words, charts: Sequence[Chart], upright: Size) -> Plan:
    """Return the fewest pages on which text is large enough, and on as many as large as it may be."""
    plan = _several(words, charts, upright, LEGIBLE)
    if _smallest(plan) < SMALLEST:
        return _with_long_text(words, upright)
    larger = (_several(words, charts, upright, zoom) for zoom in ROOMY)
    return next((other for other in larger if len(other.pages) == len(plan.pages)), plan)


def _with_long_text(words: Words, upright: Size) -> Plan:
    """Return pages with boxes as wide as the longest text needs; raise TreeError where no page has room."""
    for room in LONG_ROOMS:
        made = [chart(words, "right", room), chart(words, "down", room)]
        for zoom in (LEGIBLE, SMALLEST):
            plan = _several(words, made, upright, zoom)
            if _smallest(plan) >= SMALLEST:
                return plan
    said = [step.topic or ", ".join(step.names) for step in words.outline.steps]
    longest = max(said, key=len)
    raise TreeError(
        f"a box of {len(longest)} letters has no room on a page in text of {POINTS:g} points, the least that "
        f"can be read: {shown(longest)}"
    )


def _turns(words: Words, plan: Plan) -> int:
    """Return the weight of all that goes on from one page to another, each time that it does."""
    steps = words.outline.steps
    pieces = (part.piece for page in plan.pages for part in page.parts)
    return sum(
        steps[step].weight
        for piece in pieces
        for step, stub in zip(piece.box[1:], piece.stub[1:], strict=True)
        if stub
    )


def _pages(words: Words, made: Chart, size: Size, zoom: float, most: float) -> Plan:
    """Return a chart on pages of a size, at a zoom at most; subtrees beside cuts take this part of a page."""
    first, other = _below(words, size), _below_line(words, size)
    rooms = [(wide / zoom, high / zoom) for wide, high in (first, other)]
    pieces = paginate(made.shape, rooms[0], (rooms[1][0], rooms[1][1] - 3 * TEXT * LEADING - GAP), most)
    parts, sizes = list[ChartPart](), list[Size]()
    for piece in pieces:
        part = ChartPart(spread(made, piece), piece, 0.0, 0.0)
        from_page = say("page {page}", page="000")
        lines = _above(words, piece, from_page, "AA", _heading_width(part)) if parts else Block(())
        part = replace(part, above=lines.height + GAP if parts else 0.0)
        parts.append(part)
        sizes.append((max(part.spread.width, lines.width), part.spread.height + part.above))
    pages = list[Page]()
    for spots in pack(sizes, rooms[1], APART, rooms[0]):
        room = other if pages else first
        wide = max(spot.left + sizes[spot.number][0] for spot in spots)
        high = max(spot.top + sizes[spot.number][1] for spot in spots)
        scale = min(zoom * FULLER, room[0] / wide, room[1] / high)
        top = size[1] - MARGIN - room[1]
        placed = [
            replace(parts[spot.number], left=MARGIN + spot.left * scale, top=top + spot.top * scale)
            for spot in sorted(spots, key=lambda spot: (spot.left, spot.top))
        ]
        page = Page(scale, placed)
        pages.append(_filled(page, size, room) if len(placed) == 1 else page)
    return Plan(size, pages)


def _below_line(words: Words, size: Size) -> Size:
    """Return the room below the line on top of the pages after the first."""
    wide, high = _room(size)
    return wide, high - _line(words, size, _page_of("000", "000")).height - APART


def _page_of(page: object, pages: object) -> str:
    return say("page {page} of {pages}", page=page, pages=pages)


def _line(words: Words, size: Size, page: str) -> Block:
    return block(f"{page} · {words.title}", _room(size)[0], SMALL)


def _heading_width(part: ChartPart) -> float:
    return max(part.spread.width, HEADING)


def _above(words: Words, piece: Piece, page: str, letter: str, width: float) -> Block:
    """Return the lines above a part: its letter, the page it goes on from, the question there and answer."""
    steps, root = words.outline.steps, piece.box[0]
    name = (Span(f"{letter} ", 1.5 * TEXT, bold=True),) if letter else ()
    lines = Block(((*name, Span(say("from {page}", page=page), TEXT, bold=True)),))
    if piece.stub[0]:
        return lines + block(say("more answers to the question there"), width, SMALL)
    said = f"{steps[steps[root].parent].topic} → {_answers_to(words, root)}"
    return lines + block(said, width, SMALL)


def _answers_to(words: Words, step: int) -> str:
    """Return the answers that lead to a step."""
    return ", ".join(answer_texts(words.outline.game.look, words.outline.answers[step]))


@dataclass(frozen=True)
class _Book:
    """The pages of a chart, and where each step stands on them."""

    words: Words
    plan: Plan
    contents: Contents

    @classmethod
    def of(cls, words: Words, plan: Plan) -> _Book:
        """Return the book with all places found."""
        return cls(words, plan, Contents.of([[part.piece for part in page.parts] for page in plan.pages]))

    def name(self, place: tuple[int, int], here: int) -> str:
        """Return what a part is called on a page: its page if it is another, and its letter."""
        letter = self.letter(place)
        if place[0] == here:
            return letter or say("the start")
        page = place[0] + 1
        if not letter:
            return say("page {page}", page=page)
        return say("page {page}, {letter}", page=page, letter=letter)

    def letter(self, place: tuple[int, int]) -> str:
        """Return the letter of a part, which no other has on any page; '' for the first of all."""
        number, index = place
        before = sum(len(page.parts) for page in self.plan.pages[:number]) + index
        return letters(before - 1).upper() if before else ""

    def sheet(self, number: int) -> BoundPage:
        """Return a page, with links from stubs to what they stand for, and from each part back."""
        source, links = self.source(number)
        return BoundPage(draw_source(source, "pdf"), links)

    def source(self, number: int) -> tuple[Digraph, Sequence[PageLink]]:
        """Return a page to draw, and its links."""
        page, size, many = self.plan.pages[number], self.plan.size, len(self.plan.pages)
        shown = _page_of(number + 1, many) if many > 1 else ""
        head = heading(self.words, _room(size)[0], shown, self.plan.head)
        if number:
            head = [Element(_line(self.words, size, shown), 0.0, 0.0)]
        spots = [replace(lines, left=MARGIN + lines.left, top=MARGIN + lines.top) for lines in head]
        links = list[PageLink]()

        def link(place: tuple[int, int], area: Area, spot: Element) -> None:
            left, top = spot.left + area.left * spot.zoom, size[1] - spot.top - area.top * spot.zoom
            right, bottom = left + area.width * spot.zoom, top - area.height * spot.zoom
            links.append(PageLink(place[0], (left, bottom, right, top)))

        for index, part in enumerate(page.parts):
            if part.above:
                origin = self.contents.came_from(part.piece)
                letter = self.letter((number, index))
                lines = _above(
                    self.words, part.piece, self.name(origin, number), letter, _heading_width(part)
                )
                spots.append(Element(lines, part.left, part.top, page.zoom))
                link(origin, Area(0, 0, lines.width, lines.height), spots[-1])
            spots.append(Element(part.spread, part.left, part.top + part.above * page.zoom, page.zoom))
            for placed in part.spread.placed:
                if placed.stub:
                    link(self.contents.full[placed.step], placed.box, spots[-1])
        source = drawn(spots, size, lambda step: self.name(self.contents.full[step], number))
        source.graph_attr["size"] = f"{size[0] / 72:.4f},{size[1] / 72:.4f}"
        return source, links

    def bookmark(self, step: int) -> str:
        """Return the name of the bookmark of the part that begins with a step."""
        if step == 0:
            return self.words.title
        here = self.words.outline.steps[step]
        asked = here.topic or ", ".join(map(said_end, here.names))
        return f"{_answers_to(self.words, step)}: {asked}"
