"""Text files with a separator between cells: CSV as it is written in any country."""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from itertools import islice

from ..errors import GameError
from .dates import check_dates, dated_texts
from .sheet import MOST_CELLS, Cleaner, Placed, Sheet, framed, shows_error
from .text import decoded

_FORMULA = re.compile("'*[=+@-]")
"""How a cell begins that a spreadsheet takes for a formula, even in quotes, or that is guarded against it."""
_ERROR = re.compile(r"#(NULL!|DIV/0!|VALUE!|REF!|NAME\?|NUM!|SPILL!|CALC!)|Err:\d{3}")
"""What a spreadsheet writes for a cell that shows an error; `#N/A` is nobody's error: that is not known."""
SEPARATORS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


def read_separated(source: str, data: bytes) -> Sheet:
    """Return the rows of a CSV file; raise GameError that names the line for what cannot be read."""
    text, said = decoded(data, source)
    first = re.match(r'"?sep=(.)"?[ \t]*(\r\n|\r|\n|$)', text)  # Excel reads and writes such a line
    start = first.end() if first else 0
    separator = first[1] if first else _separator(text)
    if separator != ",":
        said = (SEPARATORS.get(separator, f"separator {separator!r}"), *said)
    clean, rows, cells = Cleaner(), [], 0
    reader = csv.reader(
        io.StringIO(text[start:], newline=""), delimiter=separator, strict=True, skipinitialspace=True
    )
    line = skipped = 1 if first else 0
    errors = _ERROR.search(text) is not None  # seldom: then cell by cell
    try:
        for row in reader:
            rows.append(Placed(f"{source} line {line + 1}", [_unguarded(clean(cell)) for cell in row]))
            line = skipped + reader.line_num
            cells += len(row)
            for at, cell in enumerate(rows[-1].cells if errors else (), 1):
                if _ERROR.fullmatch(cell):
                    raise GameError(f"{rows[-1].place} cell {at}: {shows_error(cell)}")
            if cells > MOST_CELLS:
                raise GameError(
                    f"{source} line {line}: more than {MOST_CELLS:,} cells; expected a smaller table"
                )
    except csv.Error as error:
        raise GameError(f"{source} line {line + 1}: {_meant(str(error))}") from None
    texts = [row.cells for row in rows]
    dates = check_dates(
        texts,
        dated_texts(texts),
        lambda i, j: f"{rows[i].place} cell {j + 1}",
        "write that; else write the date with its year",
    )
    return framed(source, rows, (*said, *dates, *clean.said))


def guarded(cell: str) -> str:
    """Return a cell with an apostrophe in front where a spreadsheet would take it for a formula.

    One that begins with apostrophes and then so gets one more, so that reading leaves out just one.
    """
    return f"'{cell}" if _FORMULA.match(cell) else cell


def _unguarded(cell: str) -> str:
    """Return what a cell was before it was guarded."""
    return cell[1:] if cell[:1] == "'" and _FORMULA.match(cell) else cell


def _separator(text: str) -> str:
    """Return the separator that makes the rows at the start of a text most alike.

    By the share of rows that have as many cells as most, two at least; then those that few spaces follow, as
    they do in sentences; then by how many cells these are.
    """
    head = text[: 1 << 16]
    if len(text) > len(head):
        head = head[: max(head.rfind("\n"), head.rfind("\r")) + 1] or head
    best = (0.0, False, 0, ",")
    for separator in SEPARATORS:
        try:
            reader = csv.reader(io.StringIO(head, newline=""), delimiter=separator, skipinitialspace=True)
            widths = Counter(len(row) for row in islice(reader, 1000) if any(map(str.strip, row)))
        except csv.Error:
            continue
        width, rows = max(widths.items(), key=lambda pair: (pair[1], pair[0]), default=(0, 0))
        close = 2 * head.count(f"{separator} ") < head.count(separator)
        score = (rows / widths.total() if width > 1 else 0.0, close, width)
        if score > best[:3]:
            best = (*score, separator)
    return best[3]


def _meant(error: str) -> str:
    """Return what a message of the csv module means to who wrote the file."""
    if "unexpected end of data" in error:
        return "a quotation mark opens here and is not closed; expected one at the end of the cell"
    if "expected after" in error:
        return "text after a closing quotation mark; expected quotation marks inside a cell to be doubled"
    if "field limit" in error:
        return f"a cell of more than {csv.field_size_limit():,} characters; is a quotation mark left open?"
    return error
