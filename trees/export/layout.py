"""Where the boxes of a drawing go: a tidy tree from left to right, and its division into pages.

Everything is iterative and takes time linear in the number of boxes. Lengths are points (1/72 inch).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import zip_longest

GAP = 7.0
"""Room between two boxes of a column."""

Size = tuple[float, float]
"""Width and height."""


@dataclass(frozen=True)
class Shape:
    """A tree of boxes in breadth-first order: the children of i are ``first_child[i] : first_child[i + 1]``.

    A box can be drawn in full or as a stub, which stands for a subtree that is drawn elsewhere.

    Attributes
    ----------
    first_child: where the children start, one more entry than there are boxes.
    full, stub: width and height of each box, in either form.
    between: room between two columns.
    aligned: whether the boxes of a level stand in a column; else each stands behind the one above it.
    """

    first_child: Sequence[int]
    full: Sequence[Size]
    stub: Sequence[Size]
    between: float
    aligned: bool = True

    def children(self, box: int) -> range:
        """Return the children of a box."""
        return range(self.first_child[box], self.first_child[box + 1])


@dataclass(frozen=True)
class Piece:
    """A part of the tree that is drawn together.

    Attributes
    ----------
    box: the boxes, in breadth-first order.
    first_child: where the children of each start, as positions in this piece.
    stub: whether a box is a stub here.
    level: the column of each box, 0 for the first.
    """

    box: list[int]
    first_child: list[int]
    stub: list[bool]
    level: list[int]


@dataclass(frozen=True)
class Places:
    """Where the boxes of a piece go: left edge, middle (downwards), and the extent of all."""

    left: list[float]
    middle: list[float]
    columns: list[float]
    width: float
    height: float


@dataclass(frozen=True)
class Spot:
    """Where one of several rectangles goes: its number, and its left and upper edge from the upper left."""

    number: int
    left: float
    top: float


def tidy(first_child: Sequence[int], height: Sequence[float], gap: float = GAP) -> list[float]:
    """Return the middle of each box: children below each other, parents centred on their children.

    Boxes are in breadth-first order; those of a level never come nearer than `gap`. The topmost edge is
    at 0. Contours are kept as lists from the deepest level up, and merging two costs the depth of the
    shallower, so that the time is linear in the number of boxes.
    """
    own = [0.0] * len(height)
    shift = [0.0] * len(height)
    contours: dict[int, tuple[list[float], list[float], float]] = {}
    for box in range(len(height) - 1, -1, -1):
        half = height[box] / 2
        below = range(first_child[box], first_child[box + 1])
        if not below:
            contours[box] = ([-half], [half], 0.0)
            continue
        tops, bottoms, moved = contours.pop(below[0])
        for child in below[1:]:
            tops, bottoms, moved, shift[child] = _put_under(tops, bottoms, moved, contours.pop(child), gap)
        first, last = below[0], below[-1]
        top = own[first] + shift[first] - height[first] / 2
        bottom = own[last] + shift[last] + height[last] / 2
        own[box] = (top + bottom) / 2
        tops.append(own[box] - half - moved)
        bottoms.append(own[box] + half - moved)
        contours[box] = (tops, bottoms, moved)
    middle = list(own)
    for box in range(len(height)):
        for child in range(first_child[box], first_child[box + 1]):
            shift[child] += shift[box]
            middle[child] += shift[child]
    highest = min((m - h / 2 for m, h in zip(middle, height, strict=True)), default=0.0)
    return [m - highest for m in middle]


def _put_under(
    tops: list[float],
    bottoms: list[float],
    moved: float,
    other: tuple[list[float], list[float], float],
    gap: float,
) -> tuple[list[float], list[float], float, float]:
    """Move the other subtree below the contour; return the joint contour, its offset and the move made."""
    other_tops, other_bottoms, other_moved = other
    shared = min(len(tops), len(other_tops))
    down = gap + max((bottoms[-i] + moved) - (other_tops[-i] + other_moved) for i in range(1, shared + 1))
    other_moved += down
    # The longer list survives; only the levels that both have are written.
    if len(tops) >= len(other_tops):
        change = other_moved - moved
        bottoms[len(bottoms) - shared :] = [b + change for b in other_bottoms]
        return tops, bottoms, moved, down
    change = moved - other_moved
    other_tops[len(other_tops) - shared :] = [t + change for t in tops]
    return other_tops, other_bottoms, other_moved, down


def place(shape: Shape, piece: Piece) -> Places:
    """Return where the boxes of a piece go; every level is a column, its boxes flush left."""
    sizes = [
        (shape.stub if stub else shape.full)[box] for box, stub in zip(piece.box, piece.stub, strict=True)
    ]
    widths = [0.0] * (max(piece.level) + 1)
    for level, (width, _) in zip(piece.level, sizes, strict=True):
        widths[level] = max(widths[level], width)
    columns, x = [], 0.0
    for width in widths:
        columns.append(x)
        x += width + shape.between
    middle = tidy(piece.first_child, [height for _, height in sizes])
    bottom = max(m + height / 2 for m, (_, height) in zip(middle, sizes, strict=True))
    return Places([columns[level] for level in piece.level], middle, columns, x - shape.between, bottom)


def unbroken(shape: Shape) -> Piece:
    """Return the piece that is the whole tree."""
    count = len(shape.full)
    level = [0] * count
    for box in range(count):
        for child in shape.children(box):
            level[child] = level[box] + 1
    return Piece(list(range(count)), list(shape.first_child), [False] * count, level)


def pack(sizes: Sequence[Size], room: Size, gap: float, first: Size | None = None) -> list[list[Spot]]:
    """Put rectangles (width, height) into columns of pages, the first one first, each where it fits.

    They are taken in their order, or where that saves a page the highest first. `first` is the room on the
    first page if it is another. A rectangle that is larger than the room has a page of its own.
    """
    numbers = list(range(len(sizes)))
    highest = numbers[:1] + sorted(numbers[1:], key=lambda number: -sizes[number][1])
    return min((_packed(order, sizes, room, gap, first) for order in (numbers, highest)), key=len)


def _packed(
    order: Sequence[int], sizes: Sequence[Size], room: Size, gap: float, first: Size | None
) -> list[list[Spot]]:
    pages: list[_Columns] = []
    for number in order:
        if not any(page.put(number, sizes[number], gap) for page in pages):
            pages.append(_Columns(room if pages or first is None else first))
            pages[-1].put(number, sizes[number], gap)
    spots = [sorted(page.spots, key=lambda spot: spot.number) for page in pages]
    return sorted(spots, key=lambda some: some[0].number)


@dataclass
class _Columns:
    """A page that is being filled: the left edge, width and height of each column, and what is in them."""

    room: Size
    columns: list[tuple[float, float, float]] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)

    def put(self, number: int, size: Size, gap: float) -> bool:
        """Put a rectangle below others or into a new column; return whether there was room."""
        width, height = size
        last = len(self.columns) - 1
        for at, (left, wide, down) in enumerate(self.columns):
            broader = max(wide, width) if at == last else wide
            if width <= broader and left + broader <= self.room[0] and down + gap + height <= self.room[1]:
                self.spots.append(Spot(number, left, down + gap))
                self.columns[at] = left, broader, down + gap + height
                return True
        left = sum(self.columns[-1][:2]) + gap if self.columns else 0.0
        if self.columns and (left + width > self.room[0] or height > self.room[1]):
            return False
        self.spots.append(Spot(number, left, 0.0))
        self.columns.append((left, width, height))
        return True


def paginate(shape: Shape, first: Size, other: Size, most: float = 0.25) -> list[Piece]:
    """Divide the tree into pieces that fit into this (width, height), the first piece and the others.

    A stub stands for a subtree that is a later piece. Where a box and all below it do not fit, the largest
    subtrees below it become pieces, until the rest fits; so do all that take more than this part of the
    height, which leaves room to go on with the boxes above. A box with more children than fit is continued:
    it comes back as a stub at the root of a later piece. Every box is drawn in full exactly once. A piece is
    larger than its room only when a box beside a single child is.
    """
    cuts = _Cuts(shape, most)
    for box in range(len(shape.full) - 1, -1, -1):
        cuts.settle(box, other if box else first)
    pieces: list[Piece] = []
    # What is still to be drawn, next last: a box, with which of the parts of its children.
    todo = [(0, 0)]
    while todo:
        box, part = todo.pop()
        pieces.append(cuts.piece(box, part))
        if part + 1 < len(cuts.parts[box]):
            todo.append((box, part + 1))
        todo.extend(cuts.left_by(pieces[-1]))
    return pieces


class _Cuts:
    """Where a tree is cut, and what is left of each subtree: the widths of its columns, and its height."""

    def __init__(self, shape: Shape, most: float) -> None:
        count = len(shape.full)
        self.shape, self.most = shape, most
        self.cut = [False] * count
        self.parts: list[list[range]] = [[] for _ in range(count)]
        self.widths: list[list[float]] = [[] for _ in range(count)]
        self.height = [0.0] * count

    def settle(self, box: int, room: Size) -> None:
        """Cut subtrees below a box, whose own are settled, until the rest fits; else divide its children."""
        shape, below = self.shape, self.shape.children(box)
        gains = [(self.height[c] - shape.stub[c][1], c) for c in below if shape.children(c)]
        tall = self._tall(below)
        if tall > room[1] or self._wide(box, below) > room[0]:
            for gain, child in sorted(gains, reverse=True):
                if gain > 0 and (tall > room[1] or self.height[child] > self.most * room[1]):
                    self.cut[child], tall = True, tall - gain
            for _, child in sorted((-sum(self.widths[child]), child) for _, child in gains):
                if self._wide(box, below) <= room[0]:
                    break
                self.cut[child] = True
        self.parts[box] = self._divided(below, room[1])
        first = self.parts[box][0]
        self.widths[box] = [shape.full[box][0], *self._columns(first)]
        if not shape.aligned:
            self.widths[box] = [self._wide(box, first)]
        self.height[box] = max(shape.full[box][1], self._tall(first))

    def piece(self, root: int, part: int) -> Piece:
        """Return what is drawn together from a box, a stub unless with the first part of its children."""
        order, level, starts, at = [root], [0], list[int](), 1
        for box in order:
            here = level[len(starts)]
            below = self.parts[box][part if box == root else 0]
            if box != root and self.cut[box]:
                below = range(0)
            order.extend(below)
            level.extend([here + 1] * len(below))
            starts.append(at)
            at += len(below)
        stub = [part > 0, *(self.cut[box] for box in order[1:])]
        return Piece(order, [*starts, at], stub, level)

    def left_by(self, piece: Piece) -> list[tuple[int, int]]:
        """Return what a piece leaves to be drawn, last first: subtrees, and more children of its boxes."""
        inner = list(zip(piece.box[1:], piece.stub[1:], strict=True))
        left = [(box, 0) for box, stub in inner if stub]
        left += [(box, 1) for box, stub in inner if not stub and len(self.parts[box]) > 1]
        return left[::-1]

    def _size(self, box: int) -> tuple[list[float], float]:
        if self.cut[box]:
            return [self.shape.stub[box][0]], self.shape.stub[box][1]
        return self.widths[box], self.height[box]

    def _tall(self, boxes: range) -> float:
        return sum(self._size(box)[1] + GAP for box in boxes) - GAP

    def _columns(self, boxes: range) -> list[float]:
        return [max(wide) for wide in zip_longest(*(self._size(box)[0] for box in boxes), fillvalue=0.0)]

    def _wide(self, box: int, below: range) -> float:
        columns = self._columns(below)
        return self.shape.full[box][0] + sum(columns) + len(columns) * self.shape.between

    def _divided(self, boxes: range, room: float) -> list[range]:
        """Return boxes in as many parts as it takes for each to be no higher than the room."""
        parts, start, tall = list[range](), boxes.start, -GAP
        for box in boxes:
            high = self._size(box)[1] + GAP
            if box > start and tall + high > room:
                parts.append(range(start, box))
                start, tall = box, -GAP
            tall += high
        return [*parts, range(start, boxes.stop)]
