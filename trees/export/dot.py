"""Placed boxes as DOT source, ready for ``neato -n2``; and strategies as .dot files."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import graphviz

from guesstree.engine.game import Game

from ..language import noun
from ..tree import Tree
from .boxes import EAR, GREY, TRUNK, Drawing, box_label, fold, stub_label
from .labels import FONT, Line, text_line
from .layout import Piece, Places, place, unbroken
from .sheet import put_line, sheet
from .title import title as title_lines

PAD = 6.0
"""Margin of a picture that is not on a sheet."""
HEADING = 16.0
"""Room for the line above the columns."""


def draw(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> bytes:
    """Return the DOT source of a tree, see `whole_picture`."""
    source: str = whole_picture(game, strategy, depth, title, parameters=parameters).source.source
    return source.encode()


@dataclass(frozen=True)
class Panel:
    """A piece of the tree with its places, and where it goes: from the upper left of the panels.

    Attributes
    ----------
    path: a line that says how the piece is reached, or None.
    """

    piece: Piece
    places: Places
    path: Line | None = None
    left: float = 0.0
    top: float = 0.0

    @property
    def size(self) -> tuple[float, float]:
        """Width and height, with the lines above the tree."""
        wide, high = (self.path.width, self.path.height) if self.path else (0.0, 0.0)
        return max(self.places.width, wide), self.places.height + HEADING + high


@dataclass(frozen=True)
class Picture:
    """A drawing in DOT: its source, width and height in points, and where its stubs are.

    `stubs` holds (box, left, bottom, right, top), measured from the lower left corner; `begin` says how far
    down the first guess is, as a share of the height.
    """

    source: graphviz.Digraph
    width: float
    height: float
    stubs: Sequence[tuple[int, float, float, float, float]]
    begin: float


def whole_picture(
    game: Game, strategy: Tree, depth: int | None = None, title: str = "", *, parameters: bool = True
) -> Picture:
    """Return the tree on one sheet as large as it takes.

    With `depth`, it is the nodes less than so many guesses below the root; `title` and `parameters`: see
    `headlines`. Raises TreeError for a depth below 1 and for a title too long.
    """
    drawing = fold(game, strategy, depth)
    above = title_lines(game, strategy, title, parameters=parameters)
    piece = unbroken(drawing.shape)
    return picture(drawing, [Panel(piece, place(drawing.shape, piece))], above)


def picture(
    drawing: Drawing,
    panels: Sequence[Panel],
    head: Sequence[Line],
    where: Callable[[int], str] = str,
    paper: Callable[[float, float], tuple[float, float, float, str]] | None = None,
) -> Picture:
    """Return the DOT source of some pieces of the tree below some lines of text.

    `where(box)` says where the subtree of a stub is; `paper(width, height)` turns the room needed into
    the width, height and margin to have, and the size to print at (inches, as DOT's ``size``).
    """
    top = sum(text.height for text in head)
    width = max(*(panel.left + panel.size[0] for panel in panels), *(text.width for text in head))
    height = max(panel.top + panel.size[1] for panel in panels) + top
    pad = PAD
    size = ""
    if paper is None:
        width, height = width + 2 * pad, height + 2 * pad
    else:
        width, height, pad, size = paper(width, height)
    edge = {"dir": "none", "color": GREY, "fontname": "Helvetica", "fontsize": f"{FONT:g}"}
    dot = sheet("strategy", width, height, edge, fontsize=f"{FONT:g}")
    if size:
        dot.graph_attr["size"] = size
    y = height - pad
    for number, text in enumerate(head):
        put_line(dot, f"head{number}", text, pad, y)
        y -= text.height
    stubs, begin = [], 0.0
    for number, panel in enumerate(panels):
        prefix = f"p{number}" if number else ""
        canvas = _Canvas(drawing, panel.piece, panel.places, dot, prefix, pad + panel.left, y - panel.top)
        stubs += canvas.write(panel.path, where)
        begin = begin or 1 - (canvas.top - panel.places.middle[0]) / height
    return Picture(dot, width, height, stubs, begin)


@dataclass
class _Canvas:
    """Write placed boxes as DOT; (left, top) is where the corner of the panel goes."""

    drawing: Drawing
    piece: Piece
    places: Places
    dot: graphviz.Digraph
    prefix: str
    left: float
    top: float

    def write(
        self, path: Line | None, where: Callable[[int], str]
    ) -> list[tuple[int, float, float, float, float]]:
        """Write the panel from top to bottom; return its stubs and their rectangles."""
        if path:
            put_line(self.dot, f"{self.prefix}path", path, self.left, self.top)
            self.top -= path.height
        self.headings()
        self.top -= HEADING
        self.edges()
        return self.boxes(where)

    def headings(self) -> None:
        """Write the numbers of the guesses above the columns."""
        base = self.drawing.at(self.piece.box[0]).depth
        for level, x in enumerate(self.places.columns):
            text = text_line(f"{noun(self.drawing.look.guess)} {base + level + 1}", GREY)
            put_line(self.dot, f"{self.prefix}column{level}", text, self.left + x, self.top)

    def boxes(self, where: Callable[[int], str]) -> list[tuple[int, float, float, float, float]]:
        """Write the boxes; return the stubs and their rectangles."""
        stubs = []
        for at, box in enumerate(self.piece.box):
            stub = self.piece.stub[at]
            width, height = (self.drawing.shape.stub if stub else self.drawing.shape.full)[box]
            x, y = self.left + self.places.left[at], self.top - self.places.middle[at]
            label = stub_label(self.drawing, box, where(box)) if stub else box_label(self.drawing, box)
            self.dot.node(
                f"{self.prefix}n{self.drawing.at(box).node}", label=label, pos=f"{x + width / 2:.2f},{y:.2f}"
            )
            if stub:
                stubs.append((box, x, y - height / 2, x + width, y + height / 2))
        return stubs

    def edges(self) -> None:
        """Write the lines from each box to its children, and the responses at their ends."""
        sizes = self.drawing.shape.stub, self.drawing.shape.full
        for at, box in enumerate(self.piece.box):
            here = self.left + self.places.left[at] + sizes[not self.piece.stub[at]][box][0]
            y = self.top - self.places.middle[at]
            for child in range(self.piece.first_child[at], self.piece.first_child[at + 1]):
                below = self.piece.box[child]
                answer, wide, _ = self.drawing.answer_cells(self.drawing.step[below])
                ends = self.left + self.places.left[child]
                trunk = ends - self.drawing.shape.between + TRUNK
                room = wide + EAR
                low = self.top - self.places.middle[child]
                self.dot.edge(
                    f"{self.prefix}n{self.drawing.at(box).node}",
                    f"{self.prefix}n{self.drawing.at(below).node}",
                    pos=_elbow(here, y, trunk, ends - room, low),
                    label=f"<{answer}>",
                    lp=f"{ends - room / 2:.2f},{low:.2f}",
                )


def _elbow(x: float, y: float, trunk: float, end: float, low: float) -> str:
    """Return a path from (x, y) to the trunk, along it and on to (end, low), with round corners."""
    points = [(x, y)]

    def straight(to_x: float, to_y: float) -> None:
        points.extend([points[-1], (to_x, to_y), (to_x, to_y)])

    round_by = min(5.0, abs(low - y) / 2)
    turn = math.copysign(round_by, low - y)
    if round_by >= 0.5:
        straight(trunk - round_by, y)
        points.extend([(trunk, y), (trunk, y), (trunk, y + turn)])
        straight(trunk, low - turn)
        points.extend([(trunk, low), (trunk, low), (trunk + round_by, low)])
    straight(end, low)
    return " ".join(f"{px:.2f},{py:.2f}" for px, py in points)
