"""`Sheet`: rows of text, with their places, as any file of tables is read."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from ..errors import GameError, shown
from .beside import Beside

Side = Literal["", "rows", "columns"]
MOST_CELLS = 4_000_000
"""Cells of the largest table that is read."""

_UNSEEN = re.compile("[\u00ad\u200b\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
"""Hyphens that show only at the end of a line, spaces without width, and what turns the order of letters."""

_NUMBER = re.compile(r"[-+]?[\d.,]+\s*%?")


@dataclass(frozen=True)
class Placed:
    """A row as it stands somewhere: where, such as ``'lamp.csv' line 3``, and its cells, the label first."""

    place: str
    cells: list[str]


@dataclass(frozen=True)
class Sheet:
    """The rows of a file that are not empty, without spaces around their cells.

    Attributes
    ----------
    source: the file, as it is named in messages.
    rows: the first has the labels of columns.
    said: how the file was read, a few words each, such as ``semicolons`` and ``Windows-1252``.
    causes: where the causes are, if the format says so; else empty.
    sets: whether the format says that ``a/b`` in a cell is a set of answers.
    states: the answers to a test in the order of the format, by its label, if the format has one.
    taxa: whether causes are taxa as they are described, of which some may overlap in every character.
    beside: the files beside it, such as pictures; None: it is no file.
    """

    source: str
    rows: list[Placed]
    said: tuple[str, ...] = ()
    causes: Side = ""
    sets: bool = False
    states: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    taxa: bool = False
    beside: Beside | None = field(default=None, compare=False, repr=False)


def shows_error(name: str) -> str:
    """Return what is wrong with a cell that shows an error; empty: one without a name."""
    return f"the error {name or 'of a formula'}; correct it, or write what is meant"


def as_seen(text: str) -> str:
    """Return a text as it is seen: composed letters, no characters without a shape, no spaces around it."""
    return text.strip() if text.isascii() else unicodedata.normalize("NFC", _UNSEEN.sub("", text)).strip()


@dataclass
class Cleaner:
    """Makes the text of a cell one line, in composed letters; `said` collects what that changed."""

    said: dict[str, None] = field(default_factory=dict)
    _known: dict[str, str] = field(default_factory=dict)

    def __call__(self, text: str) -> str:
        """Return a text without spaces around it, line breaks and characters that cannot be seen."""
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self._cleaned(text)
        return known

    def _cleaned(self, text: str) -> str:
        if not text.isascii() and _UNSEEN.search(text.removeprefix("\ufeff")):
            self.said["characters without a shape left out"] = None
        text = as_seen(text)
        if any(sign in text for sign in "\n\r\t"):
            self.said["line breaks inside cells read as spaces"] = None
            text = " ".join(filter(None, map(str.strip, re.split(r"[\n\r\t]+", text))))
        return text


def framed(source: str, rows: Sequence[Placed], said: Iterable[str]) -> Sheet:
    """Return the sheet of all rows of a grid or text: without what is empty or stands around the table.

    Left out are empty rows, empty columns to the left and to the right, titles (rows above the table with
    one filled cell, not right of the table's first column), names of groups of columns above the labels of
    these, and notes (rows below it, after an empty one, with the first cell alone). Raises GameError for too
    many cells.
    """
    wide = [i for i, row in enumerate(rows) if _start(row.cells) + 1 < _end(row.cells)]
    apart: list[Placed] = []
    if wide:
        left = min(_start(rows[i].cells) for i in wide)
        above = next(
            i for i, row in enumerate(rows) if i == wide[0] or left < _start(row.cells) < len(row.cells)
        )
        below = next((i for i in range(wide[-1], len(rows)) if not any(rows[i].cells)), len(rows))
        apart = [row for row in (*rows[:above], *rows[below:]) if any(row.cells)]
        rows = rows[above:below]
    rows = [row for row in rows if any(row.cells)]
    left = min((_start(row.cells) for row in rows), default=0)
    right = max((_end(row.cells) for row in rows), default=0)
    if (right - left) * len(rows) > MOST_CELLS:
        raise GameError(
            f"{source}: {len(rows):,} rows of {right - left:,} cells; expected at most {MOST_CELLS:,} cells"
        )
    if left or any(len(row.cells) > right for row in rows):
        rows = [Placed(row.place, row.cells[left:right]) for row in rows]
    known = len(rows[0].cells) if rows else 0
    rows = [
        row if len(row.cells) <= known or any(row.cells[known:]) else Placed(row.place, row.cells[:known])
        for row in rows
    ]
    left_out = [_only(row.cells) for row in apart]
    labels = _labels_below(rows)
    if labels:
        left_out += dict.fromkeys(name for name in rows[0].cells if name not in ("", *labels))
        rows = [Placed(rows[1].place, labels), *rows[2:]]
    return Sheet(source, rows, (*said, *(f"{shown(text)} left out" for text in left_out)))


def _labels_below(rows: Sequence[Placed]) -> list[str]:
    """Return the labels of columns where the first row names groups of these, in cells merged above them.

    Cells may be merged over both rows, too. Empty where the first row has labels that would do, or the second
    has none: a label recurs nowhere, and is no number.
    """
    if len(rows) < 3 or len(rows[0].cells) != len(rows[1].cells):
        return []
    groups, own = rows[0].cells, rows[1].cells
    names = [name for name in groups[1:] if name]  # the corner may be called like a column
    repeated = len(set(names)) < len(names)
    apart = not (groups[0] and own[0]) or groups[0] == own[0]
    if not repeated and (all(groups[1:]) or not apart):
        return []
    labels = [below or above for above, below in zip(groups, own, strict=True)]
    if not all(labels[1:]) or len(set(labels)) < len(labels):
        return []
    answers = {cell for row in rows[2:] for cell in row.cells[1:]}
    return [] if any(cell in answers or _NUMBER.fullmatch(cell) for cell in own if cell) else labels


def _only(cells: Sequence[str]) -> str:
    """Return the one filled cell."""
    return cells[_start(cells)]


def _start(cells: Sequence[str]) -> int:
    """Return how many cells there are before the first filled one."""
    if cells and cells[0]:
        return 0
    return next((i for i, cell in enumerate(cells) if cell), len(cells))


def _end(cells: Sequence[str]) -> int:
    """Return how many cells there are up to the last filled one."""
    if cells and cells[-1]:
        return len(cells)
    return next((i for i in range(len(cells), 0, -1) if cells[i - 1]), 0)
