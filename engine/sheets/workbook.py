"""Workbooks: .xlsx and .ods files."""

from __future__ import annotations

import datetime
import io
from decimal import Decimal
from typing import TYPE_CHECKING

from ..errors import GameError, refuse, shown, unknown
from .dates import check_dates
from .grid import MOST_TEXT, Grid, Merged, cell_name, grids
from .sheet import MOST_CELLS, Cleaner, Placed, Sheet, as_seen, framed
from .worded import with_words, worded
from .zipped import Zipped

if TYPE_CHECKING:
    from python_calamine import CalamineWorkbook

MOST_NAMED = 6
"""Rows or columns that are named; the rest is counted."""
Value = str | float | bool | datetime.date | datetime.time | datetime.timedelta


def read_workbook(source: str, data: bytes, sheet: str) -> Sheet:
    """Return the rows of a sheet: the one of that name, or the first shown that can be a table.

    Values are those that were saved. Raises GameError that names the cell for errors, for formulas without
    a value and for dates that are likely to be a spreadsheet's own idea.
    """
    import python_calamine as calamine  # for workbooks alone

    package = Zipped(source, data)
    found = grids(package)
    if package.kind == "ods":  # of which all sheets are read at once
        for number, grid in enumerate(found, 1):
            _check_size(f"{source} sheet {number}", grid)
    try:
        book = calamine.load_workbook(io.BytesIO(data))
        if len(found) != len(book.sheet_names):
            raise GameError(f"{source}: its sheets cannot be found; save it again in a spreadsheet")
        index, said = _chosen(source, book, found, sheet)
        grid, name = found[index], book.sheet_names[index]
        where = f"{source} sheet {name!r}"
        _check_size(where, grid)
        refuse([f"{where} {place}: {what}" for place, what in grid.faults])
        values: list[list[Value]] = book.get_sheet_by_index(index).to_python(skip_empty_area=False)
    except GameError:
        raise
    except (calamine.CalamineError, ValueError, OSError) as error:
        raise GameError(f"{source} cannot be read as a workbook ({error}); save it again") from None
    clean = Cleaner()
    texts = [[clean(value if isinstance(value, str) else _text(value)) for value in row] for row in values]
    said += _put_words(texts, values, grid, where, as_format=package.kind == "xlsx")
    said += _fill(texts, grid.merged)
    said += _hidden(texts, grid)
    dates = (datetime.date, datetime.time, datetime.timedelta)
    dated = {
        (i, j) for i, row in enumerate(values) for j, value in enumerate(row) if isinstance(value, dates)
    }
    remedy = "format the cell as text and write it again"
    said += check_dates(texts, dated, lambda i, j: f"{where} cell {cell_name(i, j)}", remedy)
    rows = [Placed(f"{where} row {i}", row) for i, row in enumerate(texts, 1)]
    return framed(where, rows, (*said, *clean.said))


def sheets_of(data: bytes) -> list[str]:
    """Return the names of the sheets of a workbook that was read before."""
    import python_calamine as calamine

    return list(calamine.load_workbook(io.BytesIO(data)).sheet_names)


def _chosen(source: str, book: CalamineWorkbook, found: list[Grid], sheet: str) -> tuple[int, list[str]]:
    """Return the number of the sheet to read, and what to say of that."""
    import python_calamine as calamine

    names = book.sheet_names
    if sheet:
        if sheet not in names:
            raise GameError(f"{source}: {unknown('sheet', sheet, names)}")
        number = names.index(sheet)
        shown_too = book.sheets_metadata[number].visible == calamine.SheetVisibleEnum.Visible
        return number, [] if shown_too else [f"hidden sheet {sheet!r}"]
    hidden = [meta.visible != calamine.SheetVisibleEnum.Visible for meta in book.sheets_metadata]
    tables = [min(grid.rows, grid.columns) > 1 for grid in found]
    full = sorted(
        (i for i, grid in enumerate(found) if grid.filled), key=lambda i: (hidden[i], not tables[i])
    )
    if not full:
        raise GameError(f"{source}: no sheet has filled cells; expected a table in one")
    own = f"{'hidden ' * hidden[full[0]]}sheet {names[full[0]]!r}"
    others = sum(hidden[i] for i in full[1:])
    if len(full) > 1:
        own += f" of {len(full)}" + (f", {others} of them hidden" if others else "")
    return full[0], [own] if len(full) > 1 or hidden[full[0]] else []


def _check_size(where: str, grid: Grid) -> None:
    """Raise GameError for a sheet that is too large."""
    if grid.rows * grid.columns > MOST_CELLS:
        raise GameError(
            f"{where}: its last row and column meet in {cell_name(grid.rows - 1, grid.columns - 1)}; "
            f"expected at most {MOST_CELLS:,} cells"
        )
    if grid.text > MOST_TEXT:
        raise GameError(f"{where}: its cells hold {grid.text // 10**6:,} MB of text; expected shorter ones")


def _text(value: float | bool | datetime.date | datetime.time | datetime.timedelta) -> str:
    """Return a value as a sheet shows it: numbers to 15 digits, which is what spreadsheets keep."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        text = f"{value:.15g}"
        return f"{Decimal(text):f}" if "e" in text and 1e-20 < abs(value) < 1e20 else text
    return str(value)


def _put_words(
    texts: list[list[str]], values: list[list[Value]], grid: Grid, where: str, *, as_format: bool
) -> list[str]:
    """Write numbers as they are shown that have words beside them or in place of them; say so.

    `as_format`: the grid has their formats, else the texts that are shown. Raises GameError that names the
    cell where that is not plain.
    """
    changed = []
    for (i, j), look in sorted(grid.worded.items()):
        value = values[i][j] if i < len(values) and j < len(values[i]) else ""
        if isinstance(value, bool) or not isinstance(value, int | float):
            continue
        number = texts[i][j]
        found = worded(value, number, look) if as_format else with_words(number, look)
        if found is None:
            raise GameError(
                f"{where} cell {cell_name(i, j)}: the number {number} has the format {shown(look)}, which "
                "shows it with words; write what is meant, or format it as a number"
            )
        texts[i][j] = as_seen(found)
        if texts[i][j] != number:
            changed.append(texts[i][j])
    return [f"{len(changed)} numbers read as they are shown, such as {shown(changed[0])}"] if changed else []


def _hidden(texts: list[list[str]], grid: Grid) -> list[str]:
    """Return which rows and columns with something in them are not shown, and are read all the same."""
    rows = [i for i in sorted(grid.hidden[0]) if i < len(texts) and any(texts[i])]
    columns = [j for j in sorted(grid.hidden[1]) if any(row[j] for row in texts if j < len(row))]
    said = []
    for names, what in (
        ([str(i + 1) for i in rows], "filtered row" if grid.filtered else "hidden row"),
        ([cell_name(0, j)[:-1] for j in columns], "hidden column"),
    ):
        if names:
            some = " ".join(names[:MOST_NAMED]) + (
                f" ... {len(names)} in all" if len(names) > MOST_NAMED else ""
            )
            said.append(f"{what}{'s' if len(names) > 1 else ''} {some} read all the same")
    return said


def _fill(texts: list[list[str]], merged: list[Merged]) -> list[str]:
    """Write the text of merged cells into each of them; say so.

    Not where nothing else stands in the first of their rows, as in a title.
    """
    said = []
    for top, left, bottom, right in merged:
        if top >= len(texts) or left >= len(texts[top]) or not texts[top][left]:
            continue
        if any(cell for j, cell in enumerate(texts[top]) if not left <= j <= right):
            said.append(f"{cell_name(top, left)}:{cell_name(bottom, right)}")
            for row in texts[top : bottom + 1]:
                row[left : right + 1] = [texts[top][left]] * len(row[left : right + 1])
    return [f"merged cells {shown(', '.join(said))[1:-1]} filled"] if said else []
