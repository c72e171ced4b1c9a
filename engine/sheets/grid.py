"""What the values of a workbook's sheet do not tell: how large it is, errors, formulas, merged cells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from posixpath import join, normpath

from .looks import Zipped

NO_VALUE = "a formula without its value; open the file in a spreadsheet and save it"
MOST_TEXT = 2_000_000_000
"""Bytes of the texts of all cells, each as often as it stands there."""
_NAME = rb"<(?:\w{1,20}:)?"
_INSIDE = rb"(?=[\s/>])([^<>]{0,4000})>"
"""The rest of a tag, so that a search for it takes a time that is linear."""
_PLACED = re.compile(
    _NAME + rb"""c\s(?:[^<>]{0,400}\s)?r=["']([A-Za-z]{1,3})(\d{1,7})["'][^<>/]{0,4000}(/?)>"""
)
_CELL, _ROW = re.compile(_NAME + b"c" + _INSIDE), re.compile(_NAME + rb"row[\s>]")
_ODS = re.compile(rb"<(/?)table:(table|table-row|table-cell|covered-table-cell)" + _INSIDE)
_ERROR = re.compile(rb"<text:p[^<>]{0,400}>(#[A-Z/0]+[!?A]|Err:\d+)</text:p>")

Merged = tuple[int, int, int, int]


@dataclass
class Grid:
    """A sheet by its rows and columns from 0.

    Attributes
    ----------
    rows, columns: up to the last filled cell.
    merged: first row and column, last row and column of cells that were made one.
    faults: where, such as ``cell B4``, and what is wrong, for cells without a value of their own.
    filled: how many cells hold something.
    text: the bytes of the texts in all cells, at most.
    """

    rows: int = 0
    columns: int = 0
    merged: list[Merged] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    filled: int = 0
    text: int = 0


def cell_name(row: int, column: int) -> str:
    """Return what spreadsheets call a cell, such as ``B4``, by its row and column from 0."""
    letters, column = "", column + 1
    while column:
        column, letter = divmod(column - 1, 26)
        letters = chr(ord("A") + letter) + letters
    return f"{letters}{row + 1}"


def grids(package: Zipped) -> list[Grid]:
    """Return the grid of each sheet of a workbook; raise GameError for one without its parts."""
    if package.kind == "ods":
        return _ods(package["content.xml"])
    strings = re.split(rb"<(?:\w+:)?si[\s>/]", package.get("xl/sharedStrings.xml"))
    lengths = [len(text) for text in strings[1:]]
    return [_xlsx(package.get(part), lengths) for part in _parts(package)]


def _parts(package: Zipped) -> list[str]:
    """Return the part of each sheet of an .xlsx file, in the order of the workbook."""
    relations = {}
    for found in re.finditer(_NAME + b"Relationship" + _INSIDE, package["xl/_rels/workbook.xml.rels"]):
        own = _attributes(found[1])
        target = own.get("Target", "")
        relations[own.get("Id")] = target[1:] if target.startswith("/") else normpath(join("xl", target))
    sheets = re.finditer(_NAME + b"sheet" + _INSIDE, package["xl/workbook.xml"])
    return [
        relations.get(next((v for k, v in _attributes(found[1]).items() if k.endswith(":id")), ""), "")
        for found in sheets
    ]


def _attributes(text: bytes) -> dict[str, str]:
    """Return the attributes in the start of an element."""
    pairs = re.findall(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""", text.decode(errors="replace"))
    return {name: unescape(double or single) for name, double, single in pairs}


def _column(letters: str) -> int:
    """Return the column from 0 of its letters."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + ord(letter) - ord("A") + 1
    return number - 1


def _xlsx(xml: bytes, strings: list[int]) -> Grid:
    """Return the grid of a sheet of an .xlsx file, by the lengths of its shared strings."""
    grid, columns, rows = Grid(), set(), set()
    placed = 0
    for found in _PLACED.finditer(xml):
        placed += 1
        if not found[3]:
            grid.filled += 1
            columns.add(found[1])
            rows.add(found[2])
    grid.rows = max(map(int, rows), default=0)
    grid.columns = max((_column(letters.decode()) + 1 for letters in columns), default=0)
    every = sum(1 for _ in _CELL.finditer(xml))
    if every > placed:  # cells without a place stand beside the one before
        parts = _ROW.split(xml)
        grid.rows = max(grid.rows, len(parts) - 1)
        grid.columns += max(sum(1 for _ in _CELL.finditer(part)) for part in parts)
        grid.filled = every
    grid.text = len(xml) + grid.filled * max(strings, default=0)
    if grid.text > MOST_TEXT:
        used = Counter(re.findall(rb"<(?:\w+:)?v>(\d{1,9})<", xml))
        grid.text = len(xml) + sum(
            count * strings[int(index)] for index, count in used.items() if int(index) < len(strings)
        )
    for ref in re.findall(
        _NAME + rb"""mergeCell\s[^<>]{0,400}?ref=["']([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})["']""", xml
    ):
        one, first, other, last = (part.decode() for part in ref)
        grid.merged.append((int(first) - 1, _column(one), int(last) - 1, _column(other)))
    if re.search(rb"""<(?:\w+:)?f[\s>/]|\st=["']e["']""", xml):
        grid.faults = _faults(xml)
    return grid


def _faults(xml: bytes) -> list[tuple[str, str]]:
    """Return the cells of a sheet of an .xlsx file that hold an error, or a formula without its value."""
    faults = []
    cells = [*_CELL.finditer(xml)]
    ends = [cell.start() for cell in cells[1:]] + [len(xml)]
    for cell, end in zip(cells, ends, strict=False):
        own, inside = _attributes(cell[1]), xml[cell.end() : end]
        value = re.search(_NAME + rb"v(?=[\s>])[^<>]{0,400}>([^<]+)<", inside)
        what = ""
        if own.get("t") == "e":
            what = _error(value)
        elif value is None and own.get("t") != "str" and re.search(_NAME + rb"f[\s>/]", inside):
            what = NO_VALUE
        if what:
            faults.append((f"cell {own['r']}" if "r" in own else "a cell", what))
    return faults


def _error(found: re.Match[bytes] | None) -> str:
    """Return what is wrong with a cell that shows an error."""
    name = found[1].decode(errors="replace") if found else "of a formula"
    return f"the error {name}; correct it, or write what is meant"


@dataclass
class _Row:
    """A row of an .ods file as it is read: how often it stands there, and its cells so far."""

    times: int
    at: int = 0
    end: int = 0
    filled: int = 0
    text: int = 0


def _ods(xml: bytes) -> list[Grid]:
    """Return the grids of all sheets of an .ods file."""
    found: list[Grid] = []
    row, height = _Row(0), 0
    tokens = list(_ODS.finditer(xml))
    ends = [token.start() for token in tokens[1:]] + [len(xml)]
    for token, end in zip(tokens, ends, strict=False):
        closing, what, alone = token[1], token[2], token[3].endswith(b"/")
        if what == b"table":
            if not closing:
                found.append(Grid())
                height = 0
        elif what == b"table-row":
            if not closing:
                row = _Row(_times(token[3], b"rows-repeated"))
            if found and (closing or alone):
                _add_row(found[-1], row, height)
                height += row.times
        elif not closing and found:
            times = _times(token[3], b"columns-repeated")
            if not alone or re.search(rb"value-type|table:formula", token[3]):
                _add_cell(found[-1], row, height, token[3], xml[token.end() : end])
                row.end = row.at + times
                row.filled += times
                row.text += times * (end - token.start())
            row.at += times
    return found


def _times(attributes: bytes, name: bytes) -> int:
    """Return how often an element of an .ods file stands there."""
    found = re.search(name + rb"""=["'](\d{1,9})["']""", attributes)
    return int(found[1]) if found else 1


def _add_row(grid: Grid, row: _Row, above: int) -> None:
    """Add a row that is read to its grid."""
    if row.end:
        grid.rows = above + row.times
        grid.columns = max(grid.columns, row.end)
        grid.filled += row.filled * row.times
        grid.text += row.text * row.times


def _add_cell(grid: Grid, row: _Row, above: int, attributes: bytes, inside: bytes) -> None:
    """Add what is wrong with a cell of an .ods file, and whether it is merged."""
    down, right = (_times(attributes, name) for name in (b"rows-spanned", b"columns-spanned"))
    if down * right > 1:
        grid.merged.append((above, row.at, above + down - 1, row.at + right - 1))
    formula = b"table:formula" in attributes
    error = _ERROR.search(inside)
    if b'calcext:value-type="error"' in attributes or (formula and error):
        grid.faults.append((f"cell {cell_name(above, row.at)}", _error(error)))
    elif formula and b"office:value-type" not in attributes:
        grid.faults.append((f"cell {cell_name(above, row.at)}", NO_VALUE))
