"""Where the boxes, answers and arrows of a flow chart go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ..layout import GAP, Piece
from .boxes import ARROW, ASIDE, TURN, Chart

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
    flat, turn = chart.flow == "right", TURN * along
    # A question whose answers go on from another page stands there again.
    forms = list(zip(piece.box, [False, *piece.stub[1:]], strict=True))
    above = _parents(piece)
    sizes = [chart.box(step, stub=stub) for step, stub in forms]
    deep = [wide if flat else high for wide, high in sizes]
    start, end = [0.0], [deep[0]]
    for at, parent in list(enumerate(above))[1:]:
        start.append(end[parent] + 2 * turn + chart.lead[piece.box[at]])
        end.append(start[at] + deep[at])
    broad = [(chart.shape.stub if stub else chart.shape.full)[step][1] for step, stub in forms]
    centre = [middle * across for middle in stacked(piece.first_child, end, broad)]
    highest = min(middle - room / 2 for middle, room in zip(centre, broad, strict=True))
    centre = [middle - highest for middle in centre]
    placed = []
    for at, (step, stub) in enumerate(forms):
        box = _area(flat, start[at], end[at], centre[at], sizes[at][1] if flat else sizes[at][0])
        if at == 0:
            placed.append(PlacedStep(step, stub, box))
            continue
        text, base = chart.answers[step], start[at] - ARROW
        long, room = (text.width + ASIDE, text.height) if flat else (text.height + 3, text.width + ASIDE)
        answer = _area(flat, base - long, base, centre[at], room)
        parts, before = end[above[at]] + turn, centre[above[at]]
        corners = [(end[above[at]], before), (parts, before), (parts, centre[at]), (base - long, centre[at])]
        line = tuple(_point(flat, *corner) for corner in corners)
        arrow = _point(flat, base, centre[at]), _point(flat, start[at] - HEAD, centre[at])
        placed.append(PlacedStep(step, stub, box, answer, line, arrow, _point(flat, start[at], centre[at])))
    breadth = max(middle + room / 2 for middle, room in zip(centre, broad, strict=True))
    return Spread(chart, placed, *_point(flat, max(end), breadth))


def stacked(first_child: Sequence[int], end: Sequence[float], broad: Sequence[float]) -> list[float]:
    """Return the middle across the flow of each box, so that subtrees come as near as they can.

    Boxes are in breadth-first order, the children of i at ``first_child[i] : first_child[i + 1]``. A box has
    its breadth from the end of its parent to its own end along the flow. Parents are centred.
    """
    middle, shift = [0.0] * len(end), [0.0] * len(end)
    edges: dict[int, tuple[Edge, Edge]] = {}
    for box in range(len(end) - 1, -1, -1):
        low: Edge = []
        high: Edge = []
        below = range(first_child[box], first_child[box + 1])
        for child in below:
            child_low, child_high = edges.pop(child)
            shift[child] = GAP + _overlap(high, child_low) if high else 0.0
            moved_low, moved_high = (
                [(reach, at + shift[child]) for reach, at in edge] for edge in (child_low, child_high)
            )
            low, high = _over(low, moved_low), _over(moved_high, high)
        if below:
            first, last = below[0], below[-1]
            middle[box] = (
                shift[first] + middle[first] - broad[first] / 2 + shift[last] + middle[last] + broad[last] / 2
            ) / 2
        half = broad[box] / 2
        edges[box] = (
            [*low, (end[box], middle[box] - half)],
            [*high, (end[box], middle[box] + half)],
        )
    for box in range(len(end)):
        for child in range(first_child[box], first_child[box + 1]):
            shift[child] += shift[box]
            middle[child] += shift[child]
    return middle


Edge = list[tuple[float, float]]
"""How far a subtree reaches across the flow, from its far end back: up to where along it, and how far."""


def _overlap(high: Edge, low: Edge) -> float:
    """Return by how much a subtree would reach into the next one, whose lower edge is given."""
    most, at, other = -math.inf, len(high) - 1, len(low) - 1
    while at >= 0 and other >= 0:
        most = max(most, high[at][1] - low[other][1])
        nearer = high[at][0] <= low[other][0]
        other -= high[at][0] >= low[other][0]
        at -= nearer
    return most


def _over(front: Edge, behind: Edge) -> Edge:
    """Return an edge, and where it ends that behind it."""
    if not front:
        return behind
    return [step for step in behind if step[0] > front[0][0]] + front


def _parents(piece: Piece) -> list[int]:
    """Return where in a piece the box above each is; the first has none."""
    above = [-1] * len(piece.box)
    for at in range(len(piece.box)):
        below = piece.first_child[at : at + 2]
        above[slice(*below)] = [at] * (below[1] - below[0])
    return above


def _point(flat: bool, along: float, across: float) -> tuple[float, float]:
    return (along, across) if flat else (across, along)


def _area(flat: bool, start: float, end: float, centre: float, breadth: float) -> Area:
    edge = centre - breadth / 2
    return Area(start, edge, end - start, breadth) if flat else Area(edge, start, breadth, end - start)
