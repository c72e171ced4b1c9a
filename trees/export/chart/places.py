"""Where the boxes, answers and arrows of a flow chart go."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..layout import Piece, place
from .boxes import ARROW, TURN, Chart

HEAD = 6.0
"""Length of the head of an arrow."""


@dataclass(frozen=True)
class Area:
    """A rectangle, measured from the upper left corner."""

    left: float
    top: float
    width: float
    height: float


@dataclass(frozen=True)
class PlacedStep:
    """A step on a page.

    Attributes
    ----------
    step: its number.
    stub: whether it stands for what is on another page.
    box: where its box goes.
    answer: where the answers go that lead to it; None for the first.
    line: the corners of the line from the question above to the answers.
    arrow, tip: the shaft of the arrow from the answers to the box, and its tip.
    """

    step: int
    stub: bool
    box: Area
    answer: Area | None = None
    line: tuple[tuple[float, float], ...] = ()
    arrow: tuple[tuple[float, float], ...] = ()
    tip: tuple[float, float] = (0.0, 0.0)


@dataclass(frozen=True)
class Spread:
    """A part of a flow chart with its places, at a zoom of 1; and its extent."""

    chart: Chart
    placed: list[PlacedStep]
    width: float
    height: float


def spread(chart: Chart, piece: Piece, along: float = 1.0, across: float = 1.0) -> Spread:
    """Return where a piece goes, its gaps along the flow and its places across it stretched."""
    shape = replace(chart.shape, between=chart.shape.between * along)
    places, flat = place(shape, piece), chart.flow == "right"
    # A question whose answers go on from another page stands there again.
    forms = list(zip(piece.box, [False, *piece.stub[1:]], strict=True))
    room = [(shape.stub if stub else shape.full)[step][1] for step, stub in forms]
    highest = min(m * across - broad / 2 for m, broad in zip(places.middle, room, strict=True))
    centre = [m * across - highest for m in places.middle]
    # The answers that lead to the first box of a piece are said in its heading.
    lead = [chart.lead[chart.steps[step].depth] for step in piece.box]
    start = [left + before - lead[0] for left, before in zip(places.left, lead, strict=True)]
    sizes = [chart.box(step, stub=stub) for step, stub in forms]
    end = [at + (size[0] if flat else size[1]) for at, size in zip(start, sizes, strict=True)]
    placed = []
    for at, above in enumerate(_parents(piece)):
        step, stub = forms[at]
        box = _area(flat, start[at], end[at], centre[at], sizes[at][1] if flat else sizes[at][0])
        if above is None:
            placed.append(PlacedStep(step, stub, box))
            continue
        text, base = chart.answers[step], start[at] - ARROW
        long, broad = (text.width + 6, text.height) if flat else (text.height + 3, text.width + 6)
        answer = _area(flat, base - long, base, centre[at], broad)
        parts = start[at] - lead[at] - TURN * along
        corners = [(end[above], centre[above]), (parts, centre[above]), (parts, centre[at])]
        line = tuple(_point(flat, *corner) for corner in (*corners, (base - long, centre[at])))
        arrow = _point(flat, base, centre[at]), _point(flat, start[at] - HEAD, centre[at])
        placed.append(PlacedStep(step, stub, box, answer, line, arrow, _point(flat, start[at], centre[at])))
    breadth = max(m + broad / 2 for m, broad in zip(centre, room, strict=True))
    return Spread(chart, placed, *_point(flat, max(end), breadth))


def _parents(piece: Piece) -> list[int | None]:
    """Return where in a piece the box above each is."""
    above: list[int | None] = [None] * len(piece.box)
    for at in range(len(piece.box)):
        below = piece.first_child[at : at + 2]
        above[slice(*below)] = [at] * (below[1] - below[0])
    return above


def _point(flat: bool, along: float, across: float) -> tuple[float, float]:
    return (along, across) if flat else (across, along)


def _area(flat: bool, start: float, end: float, centre: float, breadth: float) -> Area:
    edge = centre - breadth / 2
    return Area(start, edge, end - start, breadth) if flat else Area(edge, start, breadth, end - start)
