"""Pages bound into one PDF, with links from one to another and with bookmarks."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from .layout import Piece, Size

DEEPEST_MARK = 12
"""Deeper bookmarks than this help nobody, and viewers give up on thousands of levels."""


class PageLink(NamedTuple):
    """A link: the page that it leads to, its left, lower, right and upper edge, and the height to show."""

    page: int
    area: tuple[float, float, float, float]
    top: float | None = None


@dataclass(frozen=True)
class BoundPage:
    """A page as a PDF, its links, and its width and height if those of the PDF are rounded up."""

    pdf: bytes
    links: Sequence[PageLink] = ()
    size: Size | None = None


@dataclass(frozen=True)
class Mark:
    """A bookmark: its number, the page it leads to, its name, the number of the one around it (-1: none)."""

    number: int
    page: int
    name: str
    around: int


@dataclass(frozen=True)
class Contents:
    """Where the pieces of a tree stand in a book: the page of each box, and which piece of that page has it.

    Attributes
    ----------
    pages: the pieces on each page.
    full, stub: where each box is drawn in full, and where a stub stands for its subtree.
    """

    pages: Sequence[Sequence[Piece]]
    full: dict[int, tuple[int, int]]
    stub: dict[int, tuple[int, int]]

    @classmethod
    def of(cls, pages: Sequence[Sequence[Piece]]) -> Contents:
        """Return the contents of a book with these pieces on its pages."""
        contents = cls(pages, {}, {})
        for number, page in enumerate(pages):
            for index, piece in enumerate(page):
                for at, (box, stub) in enumerate(zip(piece.box, piece.stub, strict=True)):
                    if not stub:
                        contents.full[box] = number, index
                    elif at:
                        contents.stub[box] = number, index
        return contents

    def _piece(self, place: tuple[int, int]) -> Piece:
        page, index = place
        return self.pages[page][index]

    def came_from(self, piece: Piece) -> tuple[int, int]:
        """Return where a piece goes on from; the first piece has no such place."""
        root = piece.box[0]
        return self.full[root] if piece.stub[0] else self.stub[root]

    def marks(self, name: Callable[[int], str]) -> Iterator[Mark]:
        """Yield a bookmark for each piece, named by its first box, within that of the piece it goes on from.

        A piece that only has more children of a box gets none: what goes on from it is within the bookmark
        of the piece that has the box in full.
        """
        roots = [
            (piece.box[0], number)
            for number, page in enumerate(self.pages)
            for piece in page
            if not piece.stub[0]
        ]
        level = {0: 0}
        for root, number in sorted(roots):  # the root of a piece comes before those that go on from it
            around = -1
            if root:
                above = self._piece(self.stub[root])
                above = self._piece(self.full[above.box[0]])
                around = above.box[0]
                level[root] = level[around] + 1
            if level[root] <= DEEPEST_MARK:
                yield Mark(root, number, name(root), around)


def bind(title: str, sheets: Sequence[BoundPage], marks: Sequence[Mark] = ()) -> bytes:
    """Return a PDF of the pages; a bookmark comes after the one around it."""
    import pypdf
    from pypdf.annotations import Link
    from pypdf.generic import Fit

    book = pypdf.PdfWriter()
    book.add_metadata({"/Title": title})
    for sheet in sheets:
        page = pypdf.PdfReader(io.BytesIO(sheet.pdf)).pages[0]
        if sheet.size:
            page.mediabox.upper_right = sheet.size
        book.add_page(page)
    for here, sheet in enumerate(sheets):
        for link in sheet.links:
            fit: Any = Fit.fit() if link.top is None else Fit.xyz(top=link.top)
            area = Link(rect=link.area, target_page_index=link.page, fit=fit, border=[0, 0, 0])
            book.add_annotation(here, area)
    made: dict[int, Any] = {}
    for mark in marks:
        made[mark.number] = book.add_outline_item(
            title=mark.name, page_number=mark.page, parent=made.get(mark.around)
        )
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()
