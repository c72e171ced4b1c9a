"""Where the boxes of a drawing go: a tidy tree from left to right, and its division into pages.

Everything is iterative and takes time linear in the number of boxes. Lengths are points (1/72 inch).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field

GAP = 7.0
"""Room between two boxes of a column."""


@dataclass(frozen=True)
class Shape:
    """A tree of boxes in breadth-first order: the children of i are ``first_child[i] : first_child[i + 1]``.

    A box can be drawn in full or as a stub, which stands for a subtree that is drawn elsewhere.

    Attributes
    ----------
    first_child: where the children start, one more entry than there are boxes.
    full, stub: width and height of each box, in either form.
    between: room between two columns.
    """

    first_child: Sequence[int]
    full: Sequence[tuple[float, float]]
    stub: Sequence[tuple[float, float]]
    between: float

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


def pack(sizes: Sequence[tuple[float, float]], room: tuple[float, float], gap: float) -> list[list[Spot]]:
    """Put rectangles (width, height) on pages in order: down a column, then on to the next one.

    A rectangle that is larger than the room gets a page of its own.
    """
    pages: list[list[Spot]] = []
    left = down = wide = 0.0
    for number, (width, height) in enumerate(sizes):
        below = pages and down + height <= room[1] and left + max(wide, width) <= room[0]
        beside = pages and left + wide + gap + width <= room[0]
        if not below and beside:
            left, down, wide = left + wide + gap, 0.0, 0.0
        elif not below:
            pages.append([])
            left = down = wide = 0.0
        pages[-1].append(Spot(number, left, down))
        down += height + gap
        wide = max(wide, width)
    return pages


def paginate(shape: Shape, first: tuple[float, float], other: tuple[float, float]) -> list[Piece]:
    """Divide the tree into pieces that fit into this (width, height), the first piece and the others.

    The first piece is the overview; a stub stands for a subtree that is a later piece. A box with more
    children than fit is continued: it comes back as a stub at the root of a later piece. Every box is drawn
    in full exactly once. A piece is larger than its room only when a box beside a single stub is.
    """
    blocks = _Blocks.of(shape)
    pieces: list[Piece] = []
    # What is still to be drawn, next last: a box, with these of its children only if it is continued.
    todo: list[tuple[int, list[int] | None]] = [(0, None)]
    while todo:
        box, rest = todo.pop()
        growing = _Growing(shape, blocks, box, other if pieces else first, stub=rest is not None)
        children = list(shape.children(box)) if rest is None else rest
        started = growing.start(children)
        growing.fill()
        pieces.append(growing.piece())
        if started < len(children):
            todo.append((box, children[started:]))
        todo.extend((below, None) for below in reversed(growing.stubs()))
    return pieces


@dataclass(frozen=True)
class _Blocks:
    """The room that each subtree takes when no subtree reaches into the room beside another."""

    width: list[float]
    height: list[float]

    @classmethod
    def of(cls, shape: Shape) -> _Blocks:
        width = [size[0] for size in shape.full]
        height = [size[1] for size in shape.full]
        for box in range(len(width) - 1, -1, -1):
            below = shape.children(box)
            if below:
                width[box] += shape.between + max(width[child] for child in below)
                height[box] = max(height[box], sum(height[child] + GAP for child in below) - GAP)
        return cls(width, height)


@dataclass
class _Growing:
    """A page that is being filled: from one box and stubs of its children, as far down as there is room."""

    shape: Shape
    blocks: _Blocks
    root: int
    room: tuple[float, float]
    stub: bool
    parent: dict[int, int] = field(default_factory=dict)
    below: dict[int, list[int]] = field(default_factory=dict)
    level: dict[int, int] = field(default_factory=dict)
    height: dict[int, float] = field(default_factory=dict)
    widths: list[float] = field(default_factory=list)
    waiting: deque[int] = field(default_factory=deque)

    def start(self, chosen: list[int]) -> int:
        """Begin with the root and stubs of as many of the `chosen` children as fit; return how many."""
        self.level[self.root] = 0
        width, tall = self._size(self.root)
        self.widths = [width]
        count, used = 0, -GAP
        while count < len(chosen) and (
            not count or used + GAP + self.shape.stub[chosen[count]][1] <= self.room[1]
        ):
            used += GAP + self.shape.stub[chosen[count]][1]
            count += 1
        self.height[self.root] = tall
        self._open(self.root, chosen[:count])
        return count

    def fill(self) -> None:
        """Draw subtrees in full while there is room, small ones first, then open stubs level by level."""
        opened = deque([self.root])
        while opened or self.waiting:
            if not opened:
                box = self.waiting.popleft()
                if self._fits(box, list(self.shape.children(box)), complete=False):
                    opened.append(box)
                continue
            for child in sorted(self.below[opened.popleft()], key=lambda c: self.blocks.height[c]):
                if not self._fits(child, list(self.shape.children(child)), complete=True):
                    self.waiting.append(child)

    def stubs(self) -> list[int]:
        """Return the boxes that were left as stubs, in breadth-first order."""
        return [box for box in self._order() if box not in self.below]

    def piece(self) -> Piece:
        """Return the page as it is."""
        order = self._order()
        starts, at = [], 1
        for box in order:
            starts.append(at)
            at += len(self.below.get(box, ()))
        stub = [box not in self.below for box in order]
        stub[0] = self.stub
        return Piece(order, [*starts, at], stub, [self.level[box] for box in order])

    def _order(self) -> list[int]:
        order = [self.root]
        for box in order:
            order.extend(self.below.get(box, ()))
        return order

    def _size(self, box: int) -> tuple[float, float]:
        as_stub = self.stub if box == self.root else box not in self.below
        return (self.shape.stub if as_stub else self.shape.full)[box]

    def _open(self, box: int, children: list[int]) -> None:
        """Draw a box in full, with stubs of its children."""
        self.below[box] = children
        for child in children:
            self.parent[child] = box
            self.level[child] = self.level[box] + 1
            self.height[child] = self.shape.stub[child][1]
        self._widen(self._levels(box, children))
        self._update(box)

    def _fits(self, box: int, children: list[int], *, complete: bool) -> bool:
        """Draw a stub in full, with its whole subtree or with stubs below, if there is room."""
        if complete and (self.blocks.height[box] > self.room[1] or self.blocks.width[box] > self.room[0]):
            return False
        subtree = self._subtree(box) if complete else None
        levels = self._levels(box, children) if subtree is None else subtree[1]
        new = [max(a, b) for a, b in zip(levels, self.widths, strict=False)]
        longer = self.widths if len(self.widths) > len(levels) else levels
        new += longer[len(new) :]
        if sum(new) + self.shape.between * (len(new) - 1) > self.room[0]:
            return False
        stubs = sum(self.shape.stub[child][1] + GAP for child in children) - GAP
        tall = self.blocks.height[box] if complete else max(self.shape.full[box][1], stubs)
        if self._height_with(box, tall) > self.room[1]:
            return False
        if subtree is None:
            self._open(box, children)
            return True
        self._widen(levels)
        for inner in subtree[0]:
            self.below[inner] = list(self.shape.children(inner))
            for child in self.below[inner]:
                self.parent[child] = inner
                self.level[child] = self.level[inner] + 1
        self.height[box] = tall
        self._update(self.parent[box])
        return True

    def _subtree(self, box: int) -> tuple[list[int], list[float]]:
        """Return the boxes of a subtree that is not too large, and the widths of all columns with it."""
        order, level = [box], {box: self.level[box]}
        levels = [0.0] * self.level[box]
        for inner in order:
            if level[inner] == len(levels):
                levels.append(0.0)
            levels[level[inner]] = max(levels[level[inner]], self.shape.full[inner][0])
            for child in self.shape.children(inner):
                level[child] = level[inner] + 1
                order.append(child)
        return order, levels

    def _levels(self, box: int, children: list[int]) -> list[float]:
        own = self._size(box)[0] if box == self.root else self.shape.full[box][0]
        stubs = [max(self.shape.stub[child][0] for child in children)] if children else []
        return [0.0] * self.level[box] + [own, *stubs]

    def _widen(self, levels: list[float]) -> None:
        for level, width in enumerate(levels):
            if level == len(self.widths):
                self.widths.append(0.0)
            self.widths[level] = max(self.widths[level], width)

    def _height_with(self, box: int, tall: float) -> float:
        """Return the height of the page if that of one subtree changed."""
        while box != self.root:
            above = self.parent[box]
            others = sum(self.height[child] + GAP for child in self.below[above] if child != box)
            tall, box = max(self._size(above)[1], others + tall), above
        return tall

    def _update(self, box: int) -> None:
        while True:
            inner = sum(self.height[child] + GAP for child in self.below[box]) - GAP
            self.height[box] = max(self._size(box)[1], inner)
            if box == self.root:
                return
            box = self.parent[box]
