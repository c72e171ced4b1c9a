"""Cells that a spreadsheet took for dates: ``3/4`` becomes the third of April, or ``3-Apr`` in CSV."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain

from ..errors import refuse, shown

_MONTH = (
    "(?:jan|feb|mar|apr|may|jun|jul|aug|sep|sept|oct|nov|dec|jän|mär|mrz|mai|okt|dez|janv|févr|mars|avr|juin"
    "|juil|août|déc|ene|abr|ago|dic|gen|mag|giu|lug|set|ott|fev|out|mrt|mei)"
)
_GERMAN = "(?:jan|jän|feb|mär|mrz|apr|mai|jun|jul|aug|sep|okt|nov|dez)"
_DATE = re.compile(rf"\d{{1,2}}(?:-|\. ?|/){_MONTH}\.?|{_MONTH}\.?-\d{{2}}|{_GERMAN} \d{{2}}", re.IGNORECASE)
"""What the spreadsheets of some countries write for a day and a month, or a month and a year."""


def dated_texts(rows: Sequence[Sequence[str]]) -> set[tuple[int, int]]:
    """Return the rows and columns of texts such as ``3-Apr``, which spreadsheets write into CSV for 3/4."""
    dates = {text for text in set(chain.from_iterable(rows)) if _DATE.fullmatch(text)}
    if not dates:
        return set()
    return {(i, j) for i, row in enumerate(rows) for j, text in enumerate(row) if text in dates}


def check_dates(
    rows: Sequence[Sequence[str]], dated: set[tuple[int, int]], place: Callable[[int, int], str], remedy: str
) -> list[str]:
    """Return what to say of dates; raise Problems for those that stand among other things.

    `dated` has their rows and columns. A row or column with nothing but dates beside its label is meant so.
    """
    down, across = Counter(j for _, j in dated), Counter(i for i, _ in dated)
    lines = []
    for i, j in sorted(dated):
        column = sum(1 for row in rows if j < len(row) and row[j])
        row = sum(1 for cell in rows[i] if cell)
        if not (down[j] > 1 and down[j] + 1 >= column) and not (across[i] > 1 and across[i] + 1 >= row):
            lines.append(
                f"{place(i, j)}: {shown(rows[i][j])} is a date or a time; if a spreadsheet made it of 1/2 "
                f"or the like, {remedy}"
            )
    refuse(lines)
    if dated:
        return [f"{len(dated)} dates or times, such as {shown(rows[min(dated)[0]][min(dated)[1]])}"]
    return []
