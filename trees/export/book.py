"""Pages bound into one PDF, with links from one to another and with bookmarks."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

DEEPEST_MARK = 12
"""Deeper bookmarks than this help nobody, and viewers give up on thousands of levels."""


PageLink = tuple[int, tuple[float, float, float, float]]
"""The page that a link leads to, and its left, lower, right and upper edge."""


@dataclass(frozen=True)
class BoundPage:
    """A page as a PDF, and its links."""

    pdf: bytes
    links: Sequence[PageLink]


@dataclass(frozen=True)
class Mark:
    """A bookmark: its number, the page it leads to, its name, the number of the one around it (-1: none)."""

    number: int
    page: int
    name: str
    around: int


def bind(title: str, sheets: Sequence[BoundPage], marks: Sequence[Mark]) -> bytes:
    """Return a PDF of the pages; a bookmark comes after the one around it."""
    import pypdf
    from pypdf.annotations import Link

    book = pypdf.PdfWriter()
    book.add_metadata({"/Title": title})
    for sheet in sheets:
        book.add_page(pypdf.PdfReader(io.BytesIO(sheet.pdf)).pages[0])
    for here, sheet in enumerate(sheets):
        for there, area in sheet.links:
            book.add_annotation(here, Link(rect=area, target_page_index=there, border=[0, 0, 0]))
    made: dict[int, Any] = {}
    for mark in marks:
        made[mark.number] = book.add_outline_item(
            title=mark.name, page_number=mark.page, parent=made.get(mark.around)
        )
    out = io.BytesIO()
    book.write(out)
    return out.getvalue()
