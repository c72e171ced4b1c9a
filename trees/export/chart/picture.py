"""Flow charts as DOT source, ready for ``neato -n2``, and as .svg, .png and .dot files of one picture."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import graphviz

from guesstree.engine.game import Game

from ...language import say
from ...outline import outline
from ...tree import Tree
from ..layout import unbroken
from ..output import draw_source
from ..png import dots
from ..qr import Code, put_code
from ..sheet import sheet
from ..wrap import Block, block, wide_enough
from .boxes import TEXT, Flow, Words, chart, where, wording
from .places import HEAD, Area, PlacedStep, Spread, spread

PALE = "#E6E6E6"
"""Of the ends: light enough to read on, and seen in black and white."""
ROOMS = (70.0, 100.0, 140.0, 200.0)
"""Room for the lines of a box; the best is taken."""
FLOWS: tuple[tuple[Flow, float], ...] = (("right", 1.0), ("right", 1.8), ("down", 1.0))
"""Where a chart goes, and how much room its ends have there."""
PAD = 8.0
"""Margin of a picture that is not on a sheet."""
SHAPELY = 1.4
"""Width by height of what a picture is to be large in which is not on a sheet."""
TITLE = 1.5 * TEXT
"""Size of the title."""
NARROWEST = 320.0
"""Width of a picture at least, for its title."""

QUESTION = 'BGCOLOR="#FFFFFF"'
END = f'BGCOLOR="{PALE}" STYLE="ROUNDED"'
LATE = f'BGCOLOR="{PALE}" STYLE="ROUNDED,DASHED"'
ELSEWHERE = 'BGCOLOR="#FFFFFF" STYLE="DASHED"'


@dataclass(frozen=True)
class Element:
    """Lines of text, a code or a part of a chart, where its upper left corner goes in points, its zoom."""

    what: Block | Spread | Code
    left: float
    top: float
    zoom: float = 1.0


def svg(game: Game, strategy: Tree, *, title: str = "", qr: str | None = None) -> bytes:
    """Return the flow chart as an SVG."""
    return draw_source(_one_picture(game, strategy, title, qr)[0], "svg")


def png(game: Game, strategy: Tree, *, title: str = "", qr: str | None = None) -> bytes:
    """Return the flow chart as a PNG; raise TreeError for one that is too large."""
    source, width, height = _one_picture(game, strategy, title, qr)
    source.graph_attr["dpi"] = str(dots(width, height))
    return draw_source(source, "png")


def dot(game: Game, strategy: Tree, *, title: str = "", qr: str | None = None) -> bytes:
    """Return the flow chart as DOT, with the positions of all boxes."""
    source: str = _one_picture(game, strategy, title, qr)[0].source
    return source.encode()


def _one_picture(
    game: Game, strategy: Tree, title: str, qr: str | None
) -> tuple[graphviz.Digraph, float, float]:
    words = wording(outline(game, strategy), title, qr)
    made = min(forms_of(words), key=lambda form: max(form.width / SHAPELY, form.height))
    beside = words.code.width if words.code else 0.0
    head = heading(words, beside + wide_enough(words.title, max(made.width - beside, NARROWEST), TITLE))
    width = 2 * PAD + max(made.width, *(lines.left + lines.what.width for lines in head))
    above = height_of(head)
    height = above + made.height + 3 * PAD
    elements = [*(replace(lines, left=PAD + lines.left, top=PAD + lines.top) for lines in head)]
    return drawn([*elements, Element(made, PAD, above + 2 * PAD)], (width, height)), width, height


def forms_of(words: Words) -> list[Spread]:
    """Return a flow chart in all its forms, each on one picture."""
    charts = [chart(words, flow, room, ends) for flow, ends in FLOWS for room in ROOMS]
    return [spread(made, unbroken(made.shape)) for made in charts]


def heading(words: Words, width: float, page: str = "", zoom: float = 1.0) -> list[Element]:
    """Return the title, and below it what a strategy takes, what signs mean and which page it is.

    Beside them is the code of an address, if there is one; its margin is as wide as the gap that texts need.
    """
    code = words.code
    room, width = width, width - (code.width if code else 0.0)
    title = block(words.title, width / zoom, TITLE, bold=True)
    lines = block(words.figures, width / zoom, TEXT)
    if words.meaning:
        lines += block(words.meaning, width / zoom, TEXT)
    if below := "  ".join(text for text in (words.legend, page) if text):
        lines += block(below, width / zoom, TEXT)
    if code:
        lines += block(say("Scan for the guide: {address}", address=code.text), width / zoom, TEXT)
    found = [Element(title, 0.0, 0.0, zoom), Element(lines, 0.0, (title.height + TEXT / 3) * zoom, zoom)]
    return found + ([Element(code, room - code.width, 0.0)] if code else [])


def height_of(elements: Sequence[Element]) -> float:
    """Return how far elements reach down."""
    return max(one.top + one.what.height * one.zoom for one in elements)


def drawn(
    spots: Sequence[Element], size: tuple[float, float], page_of: Callable[[int], str] = str
) -> graphviz.Digraph:
    """Return the DOT source of a sheet; `page_of(step)` says where a step is that is on another page."""
    source = sheet("flowchart", *size)
    for number, spot in enumerate(spots):
        pen = _Pen(source, f"s{number}", spot.left, size[1] - spot.top, spot.zoom)
        if isinstance(spot.what, Block):
            pen.text("text", Area(0, 0, spot.what.width, spot.what.height), spot.what, align="LEFT")
            continue
        if isinstance(spot.what, Code):
            put_code(source, f"s{number}m", spot.what, spot.left, size[1] - spot.top)
            continue
        for placed in spot.what.placed:
            pen.step(spot.what, placed, page_of)
    return source


@dataclass(frozen=True)
class _Pen:
    """Write what is measured downwards from (left, top) in points, at a zoom."""

    source: graphviz.Digraph
    prefix: str
    left: float
    top: float
    zoom: float

    def at(self, x: float, y: float) -> str:
        """Return a point as DOT has it."""
        return f"{self.left + x * self.zoom:.2f},{self.top - y * self.zoom:.2f}"

    def text(self, name: str, area: Area, lines: Block, frame: str = "", align: str = "CENTER") -> None:
        """Write lines of text, in a frame if there is one."""
        size = f'WIDTH="{math.floor(area.width * self.zoom)}" HEIGHT="{math.floor(area.height * self.zoom)}"'
        border = max(1, round(self.zoom)) if frame else 0
        label = (
            f'<<TABLE BORDER="{border}" {frame} CELLBORDER="0" CELLSPACING="0" CELLPADDING="0"><TR>'
            f'<TD {size} ALIGN="{align}" CELLPADDING="{round(3 * self.zoom) if frame else 0}">'
            f"{lines.html(self.zoom, align)}</TD></TR></TABLE>>"
        )
        middle = self.at(area.left + area.width / 2, area.top + area.height / 2)
        self.source.node(f"{self.prefix}{name}", label=label, pos=middle)

    def step(self, on: Spread, placed: PlacedStep, page_of: Callable[[int], str]) -> None:
        """Write a box with what leads to it."""
        words, step = on.chart.words, placed.step
        shown, frame = on.chart.full[step], QUESTION if words.outline.steps[step].question else END
        if placed.stub:
            shown, frame = where(words.outline, step, page_of(step)), ELSEWHERE
        elif step in words.dashed:
            frame = LATE
        self.text(f"b{step}", placed.box, shown, frame)
        if placed.answer is None:
            return
        self.text(f"a{step}", placed.answer, on.chart.answers[step])
        above = f"{self.prefix}b{words.outline.steps[step].parent}"
        way = f"{self.path(placed.line)}; e,{self.at(*placed.tip)} {self.path(placed.arrow)}"
        pen = {"penwidth": f"{self.zoom:.2f}", "arrowsize": f"{HEAD / 10 * self.zoom:.2f}"}
        self.source.edge(above, f"{self.prefix}b{step}", pos=way, **pen)

    def path(self, corners: Sequence[tuple[float, float]]) -> str:
        """Return straight lines as the curves that DOT has."""
        points = [self.at(*corners[0])]
        for here, there in pairwise(corners):
            points += [self.at(*here), self.at(*there), self.at(*there)]
        return " ".join(points)
