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


Block = Heading | Paragraph | Grid


@dataclass(frozen=True)
class Paper:
    """A text with its title."""

    title: str
    blocks: Sequence[Block]
