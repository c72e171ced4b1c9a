"""`Paper`: what a text consists of, whatever it is written as."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

NUMBER = re.compile(r"\d[\d,]*(\.\d+)?")


@dataclass(frozen=True)
class Heading:
    """What stands above a section."""

    text: str


@dataclass(frozen=True)
class Paragraph:
    """Text; `lead` are the words that it begins with, in bold."""

    text: str
    lead: str = ""


@dataclass(frozen=True)
class Grid:
    """A table: a row of headings, and rows of cells. The columns in `wide` hold text that may be broken."""

    head: Sequence[str]
    rows: Sequence[Sequence[str]]
    wide: Sequence[int] = ()

    @property
    def to_the_right(self) -> list[bool]:
        """Whether each column holds numbers alone, or nothing."""
        columns = zip(*self.rows, strict=True)
        return [all(not cell or NUMBER.fullmatch(cell) for cell in column) for column in columns]

    def shared(self, widths: Sequence[float], room: float, least: float) -> list[float]:
        """Return the widths of columns where text is broken to fit in a room, in whole units.

        `widths`: what their longest cells take. Of the columns of text the narrow ones get what they need
        first; each gets `least` at least, if it needs that.
        """
        found = list(widths)
        left = room - sum(width for at, width in enumerate(widths) if at not in self.wide)
        ascending = sorted(self.wide, key=lambda at: widths[at])
        for sharing, at in zip(range(len(ascending), 0, -1), ascending, strict=True):
            found[at] = min(widths[at], max(least, left // sharing))
            left -= found[at]
        return found


Block = Heading | Paragraph | Grid


@dataclass(frozen=True)
class Paper:
    """A text with its title."""

    title: str
    blocks: Sequence[Block]
