"""What the values of a workbook's sheet do not tell: how large it is, errors, formulas, merged cells."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from html import unescape
from itertools import chain, pairwise
from posixpath import join, normpath

from .sheet import shows_error
from .worded import has_words
from .zipped import Zipped

NO_VALUE = "a formula without its value; open the file in a spreadsheet and save it"
MOST_TEXT = 1_000_000_000
"""Bytes of the texts of all cells, each as often as it stands there."""
_REST = rb"""(?=[\s/>])((?:[^>"']++|"[^"]*+"|'[^']*+')*+)>"""
"""The rest of a tag; parts are well formed and have no comments, see `Zipped`."""


def _tag(name: bytes) -> re.Pattern[bytes]:
    """Return the pattern of the start of an element, in any namespace; its group has the attributes."""
    return re.compile(rb"<(?:\w{1,20}:)?" + name + _REST)


_CELL, _VALUE, _FORMULA = (_tag(name) for name in (b"c", b"v", b"f"))
_PLACE = re.compile(rb"""\sr\s*=\s*["']([A-Za-z]{1,3})(\d{1,7})["']""")
_STYLE = re.compile(rb"""\ss\s*=\s*["'](\d{1,6})["']""")
_HIDDEN = re.compile(rb"""\shidden\s*=\s*["'](?:1|true)["']""")
_ODS = re.compile(rb"<(/?)table:(table|table-row|table-column|table-cell|covered-table-cell)" + _REST)
_UNSEEN = re.compile(rb"""table:visibility\s*=\s*["'](collapse|filter)["']""")
_WORDS = re.compile(rb"<text:p[^<>]{0,400}>([^<]*[^\W\d_][^<]*)</text:p>")
MOST_COLUMNS = 16_384
"""Columns of the widest sheet."""
MOST_HIDDEN = 10_000
"""Rows that stand for one in an .ods file of which it is kept how they look."""
_SPECIAL = re.compile(rb"repeated|spanned|formula|error")
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
    hidden: the rows and the columns that are not shown.
    filtered: whether a filter hides rows.
    worded: what numbers are shown with, by row and column: their formats in .xlsx files, else the text shown.
    filled: how many cells hold something.
    text: the bytes of the texts in all cells, at most.
    """

    rows: int = 0
    columns: int = 0
    merged: list[Merged] = field(default_factory=list)
    faults: list[tuple[str, str]] = field(default_factory=list)
    hidden: tuple[set[int], set[int]] = field(default_factory=lambda: (set(), set()))
    filtered: bool = False
    worded: dict[tuple[int, int], str] = field(default_factory=dict)
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
    styles = _worded_styles(package.get("xl/styles.xml"))
    return [_xlsx(package.get(part), lengths, styles) for part in _parts(package)]


def _worded_styles(xml: bytes) -> dict[bytes, str]:
    """Return the formats that show words, by the number of the style that has them."""
    listed = [_attributes(own) for own in _tag(b"numFmt").findall(xml)]
    codes = {own.get("numFmtId", ""): own.get("formatCode", "") for own in listed}
    worded = {number: code for number, code in codes.items() if has_words(code)}
    cells = re.search(rb"<(?:\w{1,20}:)?cellXfs[\s>].*?</(?:\w{1,20}:)?cellXfs>", xml, re.DOTALL)
    if not worded or cells is None:
        return {}
    used = [_attributes(own).get("numFmtId", "") for own in _tag(b"xf").findall(cells.group())]
    return {b"%d" % i: worded[number] for i, number in enumerate(used) if number in worded}


def _parts(package: Zipped) -> list[str]:
    """Return the part of each sheet of an .xlsx file, in the order of the workbook."""
    relations = {}
    for found in _tag(b"Relationship").finditer(package["xl/_rels/workbook.xml.rels"]):
        own = _attributes(found[1])
        target = own.get("Target", "")
        relations[own.get("Id")] = target[1:] if target.startswith("/") else normpath(join("xl", target))
    sheets = _tag(b"sheet").finditer(package["xl/workbook.xml"])
    return [
        relations.get(next((v for k, v in _attributes(found[1]).items() if k.endswith(":id")), ""), "")
        for found in sheets
    ]


def _attributes(text: bytes) -> dict[str, str]:
    """Return the attributes in the start of an element."""
    pairs = re.findall(r"""([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')""", text.decode(errors="replace"))
    return {name: unescape(double or single) for name, double, single in pairs}


def _column(letters: bytes) -> int:
    """Return the column from 0 of its letters."""
    number = 0
    for letter in letters.upper():
        number = number * 26 + letter - ord("A") + 1
    return number - 1


def _xlsx(xml: bytes, strings: list[int], styles: dict[bytes, str]) -> Grid:
    """Return the grid of a sheet of an .xlsx file, by the lengths of its shared strings.

    `styles`: the formats that show words.
    """
    grid = Grid()
    cells = _CELL.findall(xml)
    full = [own for own in cells if not own.endswith(b"/")]
    places = _PLACE.findall(b" ".join(full))
    grid.filled = len(full)
    grid.rows = max(map(int, {row for _, row in places}), default=0)
    grid.columns = max((_column(letters) + 1 for letters in {column for column, _ in places}), default=0)
    if len(places) < len(full):  # cells without a place stand beside the one before
        rows = [len(_CELL.findall(row)) for row in re.split(rb"<(?:\w{1,20}:)?row[\s>]", xml)]
        grid.rows = max(grid.rows, len(rows) - 1)
        grid.columns += max(rows)
    grid.text = len(xml) + grid.filled * max(strings, default=0)
    if grid.text > MOST_TEXT:
        used = Counter(map(int, re.findall(rb"<(?:\w{1,20}:)?v>(\d{1,9})<", xml)))
        grid.text = len(xml) + sum(count * strings[i] for i, count in used.items() if i < len(strings))
    for own in _tag(b"mergeCell").findall(xml):
        ref = re.fullmatch(r"([A-Z]{1,3})(\d{1,7}):([A-Z]{1,3})(\d{1,7})", _attributes(own).get("ref", ""))
        if ref:
            first, last = int(ref[2]) - 1, int(ref[4]) - 1
            grid.merged.append((first, _column(ref[1].encode()), last, _column(ref[3].encode())))
    if _FORMULA.search(xml) or b't="e"' in xml or b"t='e'" in xml:
        grid.faults = _faults(xml)
    if b"hidden" in xml:
        _hide(grid, xml)
    for own in full if styles else ():
        style, place = _STYLE.search(own), _PLACE.search(own)
        if style and place and style[1] in styles:
            grid.worded[int(place[2]) - 1, _column(place[1])] = styles[style[1]]
    return grid


def _hide(grid: Grid, xml: bytes) -> None:
    """Add which rows and columns of a sheet of an .xlsx file are hidden."""
    rows, columns = grid.hidden
    grid.filtered = _tag(b"filterColumn").search(xml) is not None
    for i, own in enumerate(_tag(b"row").findall(xml), 1):
        if _HIDDEN.search(own):
            rows.add(int(_attributes(own).get("r", i)) - 1)
    for own in _tag(b"col").findall(xml):
        if _HIDDEN.search(own):
            first, last = (int(_attributes(own).get(end, 0)) for end in ("min", "max"))
            columns.update(range(first - 1, min(last, MOST_COLUMNS)))


def _faults(xml: bytes) -> list[tuple[str, str]]:
    """Return the cells of a sheet of an .xlsx file that hold an error, or a formula without its value."""
    faults = []
    cells = [*_CELL.finditer(xml)]
    ends = [cell.start() for cell in cells[1:]] + [len(xml)]
    for cell, end in zip(cells, ends, strict=False):
        own, inside = _attributes(cell[1]), xml[cell.end() : end]
        tag = _VALUE.search(inside)
        value = re.match(rb"[^<]+", inside[tag.end() :]) if tag else None
        what = ""
        if own.get("t") == "e":
            what = shows_error(value.group().decode(errors="replace") if value else "")
        elif value is None and own.get("t") != "str" and _FORMULA.search(inside):
            what = NO_VALUE
        if what:
            faults.append((f"cell {own['r']}" if "r" in own else "a cell", what))
    return faults


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
    row, height, wide = _Row(0), 0, 0
    for token, after in pairwise(chain(_ODS.finditer(xml), [None])):
        assert token is not None
        closing, what, own = token.groups()
        if what == b"table":
            if not closing:
                found.append(Grid())
                height = wide = 0
        elif not found:
            continue
        elif what == b"table-row":
            if not closing:
                row = _Row(_times(own, b"rows-repeated"))
                if unseen := _UNSEEN.search(own):
                    found[-1].hidden[0].update(range(height, height + min(row.times, MOST_HIDDEN)))
                    found[-1].filtered |= unseen[1] == b"filter"
            if closing or own.endswith(b"/"):
                _add_row(found[-1], row, height)
                height += row.times
        elif what == b"table-column":
            times = _times(own, b"columns-repeated")
            if _UNSEEN.search(own):
                found[-1].hidden[1].update(range(wide, wide + min(times, MOST_COLUMNS)))
            wide += times
        elif not closing:
            end = after.start() if after else len(xml)
            special = _SPECIAL.search(own)
            times = _times(own, b"columns-repeated") if special else 1
            if special:
                _look(found[-1], f"cell {cell_name(height, row.at)}", own, xml[token.end() : end])
                down, right = _times(own, b"rows-spanned"), _times(own, b"columns-spanned")
                if down * right > 1:
                    found[-1].merged.append((height, row.at, height + down - 1, row.at + right - 1))
            if b'value-type="float"' in own and (shown := _WORDS.search(xml, token.end(), end)):
                area = min(row.times, MOST_HIDDEN), min(times, MOST_COLUMNS)
                words = unescape(shown[1].decode(errors="replace"))
                places = ((height + i, row.at + j) for i in range(area[0]) for j in range(area[1]))
                found[-1].worded.update(dict.fromkeys(places, words))
            if not own.endswith(b"/") or b"value-type" in own:
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


def _look(grid: Grid, place: str, own: bytes, inside: bytes) -> None:
    """Add what is wrong with a cell of an .ods file, by its attributes and what is in it."""
    formula, error = b"table:formula" in own, _ERROR.search(inside)
    if b'calcext:value-type="error"' in own or (formula and error):
        grid.faults.append((place, shows_error(error[1].decode(errors="replace") if error else "")))
    elif formula and b"office:value-type" not in own:
        grid.faults.append((place, NO_VALUE))
