"""Texts as plain text, in lines of a width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.cells import cell_len

from ..wrap import fill, pieces_of
from .blocks import Grid, Heading, Paper

WIDTH = 80
"""Columns of a page, and where nothing says how many there are."""
WIDEST = 100
"""Columns over which the eye finds the next line."""
BETWEEN = 2
"""Columns between those of a table."""
ROOM = 24
"""Columns that cells with text have at least."""


def draw(paper: Paper) -> bytes:
    """Return a text of 80 columns in UTF-8."""
    return "".join(f"{line}\n" for line in lines_of(paper)).encode()


def lines_of(paper: Paper, width: int | None = None) -> Iterator[str]:
    """Yield the lines of a text, of so many columns, 100 at most: 80 where none are given."""
    room = min(width or WIDTH, WIDEST)
    yield from _wrapped(paper.title, room)
    for block in paper.blocks:
        yield ""
        if isinstance(block, Heading):
            yield from _underlined(block.text, room)
        elif isinstance(block, Grid):
            yield from _grid(block, room)
        else:
            yield from _wrapped(f"{block.lead} {block.text}".strip(), room)


def _underlined(text: str, room: int) -> Iterator[str]:
    lines = _wrapped(text, room)
    yield from lines
    yield "-" * max(map(cell_len, lines))


def _grid(grid: Grid, room: int) -> Iterator[str]:
    """Yield the rows of a table; columns of text share what the others leave."""
    widths = [max(map(cell_len, column)) for column in zip(grid.head, *grid.rows, strict=True)]
    widths = list(map(int, grid.shared(widths, room - BETWEEN * len(widths), ROOM)))
    right = grid.to_the_right
    for row in (grid.head, *grid.rows):
        cells = [
            _wrapped(cell, width) if at in grid.wide else [cell]
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ]
        for line in range(max(map(len, cells))):
            yield _row([cell[line] if line < len(cell) else "" for cell in cells], widths, right)


def _row(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    text = ""
    for cell, width, to_the_right in zip(cells, widths, right, strict=True):
        blank = " " * (width - cell_len(cell))
        text += " " * BETWEEN + (blank + cell if to_the_right else cell + blank)
    return text.rstrip()


def _wrapped(text: str, room: int) -> list[str]:
    pieces = list(pieces_of(text, room, cell_len))
    widths = [(piece.startswith(" "), cell_len(piece.lstrip(" "))) for piece in pieces]
    return ["".join(pieces[line]).strip(" ") for line in fill(widths, room)]
