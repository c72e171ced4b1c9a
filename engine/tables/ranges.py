"""Numbers in tables that are known as ranges only, such as a sensitivity of ``85..95 %``."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ..errors import GameError, shown
from ..sheets import Placed, Sheet

MOST_RANGES = 10
_RANGE = re.compile(
    r"(?<![\d.])(\d+(?:\.\d+)?)\s*(%?)\s*(?:\.\.|…)\s*(\d+(?:\.\d+)?)(\s*%)?(?![\d.])", re.ASCII
)
_DASH = re.compile(r"(?<![\d.])(\d+(?:\.\d+)?)\s*(%?)\s*[-–]\s*(\d+(?:\.\d+)?)(\s*%)?(?![\d.])", re.ASCII)
_RATES = {"sensitivity", "specificity", "error", "failure rate", "no answer"}
"""Labels of lines in which a dash is no part of an answer."""


@dataclass(frozen=True)
class Range:
    """A number that is known as a range: where it stands, what is written there, and its ends.

    Attributes
    ----------
    name: the labels of its row and its column, such as ``swab sensitivity``.
    row, column: of the sheet.
    start, stop: of the text in the cell.
    ends: the lower and the upper end, as texts.
    """

    name: str
    row: int
    column: int
    start: int
    stop: int
    ends: tuple[str, str]


def ranges_in(sheet: Sheet) -> list[Range]:
    """Return the ranges in a sheet, row by row; raise GameError for one that goes down, or for too many."""
    found = []
    heads = sheet.rows[0].cells if sheet.rows else []
    for number, row in enumerate(sheet.rows):
        for column, cell in enumerate(row.cells):
            if not number or not column:
                continue
            label = row.cells[0].strip()
            head = heads[column].strip() if column < len(heads) else ""
            rate = {label.casefold(), head.casefold()} & _RATES
            for one in (_DASH if rate and ".." not in cell else _RANGE).finditer(cell):
                unit = one[4] or one[2]
                low, high = one[1] + unit, one[3] + unit
                if float(one[1]) >= float(one[3]):
                    raise GameError(f"{row.place}: a range {shown(one[0])}; expected the lower end first")
                found.append(
                    Range(f"{label} {head}".strip(), number, column, one.start(), one.end(), (low, high))
                )
    if len(found) > MOST_RANGES:
        raise GameError(f"{sheet.source}: {len(found)} ranges; expected at most {MOST_RANGES}")
    return found


def at_corner(sheet: Sheet, ranges: Sequence[Range], ends: Sequence[int]) -> Sheet:
    """Return a sheet with one end of each range, 0: the lower one, 1: the upper one."""
    rows = [list(row.cells) for row in sheet.rows]
    for one, end in reversed(list(zip(ranges, ends, strict=True))):  # what stands later first
        cell = rows[one.row][one.column]
        rows[one.row][one.column] = cell[: one.start] + one.ends[end] + cell[one.stop :]
    placed = [Placed(row.place, cells) for row, cells in zip(sheet.rows, rows, strict=True)]
    return replace(sheet, rows=placed)
