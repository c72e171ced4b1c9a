"""Draw a strategy tree: DOT, SVG, PDF or PNG."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from guesstree.engine.game import Game

from ..tree import Strategy, TreeError, costs_of, summarise
from .dot import HEADING, INK, Drawing, Panel, Picture, beyond, fold, picture
from .layout import pack, paginate, place, whole
from .output import draw_source, write_whole
from .page import render_page
from .pegs import Line, escape, percent, plain, text_line, text_width

ENDINGS = (".dot", ".svg", ".pdf", ".png", ".html")
PNG_SIDE = 16_000
PNG_AREA = 120_000_000
"""Pixels beyond which a PNG is refused; viewers need four bytes for each."""
SHEET = (841.89, 595.28)
"""A4 landscape."""
MARGIN = 28.0
SMALLEST = 0.8
"""How far a page is scaled down at most; text of 9 points is then 7.2."""
DEEPEST_MARK = 12
TITLE = 13.0


def render(game: Game, strategy: Strategy, path: str | os.PathLike[str], depth: int | None = None) -> None:
    """Draw a strategy to a file whose ending says how: .dot, .svg, .pdf, .png, or .html: a page to explore.

    With `depth`, only the nodes less than so many guesses below the root are drawn. A PDF that does not fit
    on one page begins with an overview. The file appears whole or not at all. Raises TreeError for another
    ending, a depth below 1, a PNG that would be too large, or when what is needed to draw is not installed.
    """
    ending = check_format(path)
    if ending == ".html":
        if depth is not None:
            raise TreeError(f"{str(path)!r} always holds the whole tree; a depth is accepted for pictures")
        write_whole(path, render_page(game, strategy).encode())
        return
    drawing = fold(game, strategy, depth)
    head = title(game, strategy)
    if ending == ".pdf":
        data = _pdf(drawing, head)
    else:
        made = _whole_picture(drawing, head)
        if ending == ".png":
            made.source.graph_attr["dpi"] = str(_dots(made))
        data = made.source.source.encode() if ending == ".dot" else draw_source(made.source, ending[1:])
    write_whole(path, data)


def svg(game: Game, strategy: Strategy) -> str:
    """Return the picture of the whole tree as SVG; raise TreeError when there is nothing to draw with."""
    made = _whole_picture(fold(game, strategy), title(game, strategy))
    return draw_source(made.source, "svg").decode()


def _whole_picture(drawing: Drawing, head: list[Line]) -> Picture:
    piece = whole(drawing.shape)
    return picture(drawing, [Panel(piece, place(drawing.shape, piece))], head)


def check_format(path: str | os.PathLike[str]) -> str:
    """Return the ending of a file's name; raise TreeError for one that cannot be drawn."""
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        raise TreeError(f"{str(path)!r}: accepted: a name that ends in {', '.join(ENDINGS)}")
    return ending


def title(game: Game, strategy: Strategy) -> list[Line]:
    """Return the lines that say what is drawn: game, goal, method, and figures taken from the tree."""
    claims = strategy.claims
    figures = summarise(strategy.guesses_needed()[1])
    what = [plain(game.spec, 60), f"goal: {strategy.goal}"]
    if strategy.lies:
        what.append(f"lies: {strategy.lies}")
    what += [
        f"{key}: {value}"
        for key, value in (("objective", claims.objective), ("method", claims.method))
        if value
    ]
    limits = plain(" · ".join(f"{key}: {value}" for key, value in claims.parameters.items()), 120)
    paid = None if strategy.lies else costs_of(game, strategy)
    found = [f"{figures.secrets} secrets"]
    if strategy.lies:  # then a secret has no single number of guesses
        found.append(f"worst {figures.worst}")
    elif paid is None:
        found += [f"total {figures.total}", f"average {float(figures.average):.4f}", f"worst {figures.worst}"]
    else:
        unit = "guesses" if game.costs is None else "cost"
        found += [f"weight {paid.weight}", f"average {unit} {float(paid.average):.4f}", f"worst {paid.worst}"]
        if game.costs is not None:
            found.append(f"at most {figures.worst} guesses")
        if paid.budget is not None:
            found.insert(1, f"wins {percent(paid.won, paid.weight)} within a budget of {paid.budget}")
    if claims.proven:
        found.append("proven optimal")
    elif claims.lower or claims.upper:
        found.append(f"optimum: at least {_value(claims.lower)}, at most {_value(claims.upper)}")
    counts = [f"{n}: {many}" for n, many in figures.histogram.items()]
    counts = counts if len(counts) <= 16 else [*counts[:15], "…", counts[-1]]
    key = "Filled: wins for certain. Golden frame: the guess may win."
    if strategy.goal != "win":
        key = "Filled: identified."
    if beyond(game, strategy):
        key += " Grey: costs more than the budget."
    if game.weights is not None:
        key += " Percent: share of the weight."
    first = plain(" · ".join(what), 100)
    lines = [
        Line(
            f'<FONT POINT-SIZE="{TITLE:.0f}"><B>{escape(first)}</B></FONT>',
            text_width(first, TITLE) * 1.1,
            20,
        )
    ]
    rest = (limits, " · ".join(found), "Secrets by guesses needed:  " + "   ".join(counts))
    return [*lines, *(text_line(text) for text in rest if text), text_line(key, INK)]


def _value(bound: Sequence[int]) -> str:
    return ", ".join(map(str, bound)) if bound else "unknown"


def _dots(made: Picture) -> int:
    """Return the dots per inch for a PNG: 144, or 96 for a large picture; raise TreeError if too large."""
    for dpi in (144, 96):
        wide, high = made.width * dpi / 72, made.height * dpi / 72
        if max(wide, high) <= PNG_SIDE and wide * high <= PNG_AREA:
            return dpi
    raise TreeError(
        f"a PNG of the whole tree would have {wide:.0f} x {high:.0f} pixels; "
        f"accepted: at most {PNG_SIDE} in a side. Draw less with --depth N, or make a PDF or SVG"
    )


@dataclass
class _Sheet:
    """Fit a picture on A4; afterwards `scale` is that of the page."""

    scale: float = 1.0

    def __call__(self, width: float, height: float) -> tuple[float, float, float, str]:
        """Return the sheet and its margin in the units of the picture, and its size in inches."""
        self.scale = min(1.0, (SHEET[0] - 2 * MARGIN) / width, (SHEET[1] - 2 * MARGIN) / height)
        size = ",".join(f"{side / 72:.4f}" for side in SHEET)
        return SHEET[0] / self.scale, SHEET[1] / self.scale, MARGIN / self.scale, size


def _pdf(drawing: Drawing, head: list[Line]) -> bytes:
    """Return a PDF of one page if the tree is legible on it, otherwise of an overview and its parts."""
    room = (SHEET[0] - 2 * MARGIN) / SMALLEST, (SHEET[1] - 2 * MARGIN) / SMALLEST
    first = room[0], room[1] - HEADING - sum(text.height for text in head)
    pieces = [whole(drawing.shape)]
    panel = Panel(pieces[0], place(drawing.shape, pieces[0]))
    if panel.places.width > first[0] or panel.places.height > first[1]:
        lines = 2 * text_line("").height
        pieces = paginate(drawing.shape, first, (room[0], room[1] - HEADING - lines))
        panel = Panel(pieces[0], place(drawing.shape, pieces[0]))
    if len(pieces) == 1:
        return draw_source(picture(drawing, [panel], head, sheet=_Sheet()).source, "pdf")
    panels = [panel]
    for piece in pieces[1:]:
        places = place(drawing.shape, piece)
        path = _path(drawing, piece.box[0], max(places.width, 240.0))
        panels.append(Panel(piece, places, text_line(path)))
    return _book(drawing, _pages(panels, (room[0], room[1] - text_line("").height)), head)


def _pages(panels: list[Panel], room: tuple[float, float]) -> list[list[Panel]]:
    """Return the panels by pages, the overview on the first."""
    spots = pack([panel.size for panel in panels[1:]], room, gap=18.0)
    rest = [
        [replace(panels[spot.number + 1], left=spot.left, top=spot.top) for spot in page] for page in spots
    ]
    return [panels[:1], *rest]


def _book(drawing: Drawing, pages: list[list[Panel]], head: list[Line]) -> bytes:
    """Return a PDF of several pages, with links from the stubs and with bookmarks."""
    try:
        import pypdf
        from pypdf.annotations import Link
    except ImportError:
        raise TreeError(
            f"a PDF of {len(pages)} pages needs pypdf: pip install guesstree[draw], "
            "or draw less with --depth N"
        ) from None

    home = {
        box: number
        for number, page in enumerate(pages)
        for panel in page
        for box, stub in zip(panel.piece.box, panel.piece.stub, strict=True)
        if not stub
    }
    book = pypdf.PdfWriter()
    book.add_metadata({"/Title": f"Strategy for {drawing.game.spec}"})
    links: list[tuple[int, int, tuple[float, float, float, float]]] = []
    for number, page in enumerate(pages):
        top = [text_line(f"page {number + 1} of {len(pages)}  ·  {plain(drawing.game.spec, 60)}")]
        sheet = _Sheet()
        made = picture(drawing, page, top if number else head, lambda box: f"→ page {home[box] + 1}", sheet)
        book.add_page(pypdf.PdfReader(io.BytesIO(draw_source(made.source, "pdf"))).pages[0])
        for box, left, bottom, right, upper in made.stubs:
            scale = sheet.scale
            links.append((number, home[box], (left * scale, bottom * scale, right * scale, upper * scale)))
    for here, there, area in links:
        book.add_annotation(here, Link(rect=area, target_page_index=there, border=[0, 0, 0]))
    marks: dict[int, Any] = {}
    for box, here, name, parent in _outline(drawing, pages):
        marks[box] = book.add_outline_item(title=name, page_number=here, parent=marks.get(parent))
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()


def _path(drawing: Drawing, box: int, wide: float) -> str:
    """Return the guesses and responses that lead to a box; only the last ones if not all would fit."""
    node = drawing.node[box]
    path = plain(drawing.name(node), 40)
    while node > 0:
        above = int(drawing.strategy.parent[node])
        step = f"{drawing.answer(node)}  ›  {path}"
        longer = f"{plain(drawing.name(above), 40)}  {step}"
        # The last response always stays: siblings often ask the same.
        if text_width(f"…  {longer}") > wide:
            return f"…  {step}"
        path, node = longer, above
    return path


def _outline(drawing: Drawing, pages: list[list[Panel]]) -> Iterator[tuple[int, int, str, int]]:
    """Return for every bookmark its box, page, name and the box of the bookmark around it (-1: none)."""
    # The bookmark in which each stub appears, and how deep its own is.
    around: dict[int, tuple[int, int]] = {}
    for number, page in enumerate(pages):
        for piece in (panel.piece for panel in page):
            root = piece.box[0]
            parent, level = around.get(root, (-1, 0))
            for box, stub in zip(piece.box[1:], piece.stub[1:], strict=True):
                if stub:
                    around[box] = (root if root else -1, level + 1)
            # Deeper bookmarks than this help nobody, and viewers give up on thousands of levels.
            if piece.stub[0] or level > DEEPEST_MARK:
                continue
            name = plain(drawing.name(drawing.node[root]), 40)
            if root:
                name = f"{drawing.answer(drawing.node[root])}  {name} ({drawing.below[root]} secrets)"
            yield root, number, name if root else "Overview", parent
