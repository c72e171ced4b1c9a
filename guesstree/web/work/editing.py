"""Tables that are mended in a browser: which cells are meant, and new tables with other cells."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

from guesstree.engine.errors import GameError, shown
from guesstree.engine.game_source import FAMILY
from guesstree.engine.sheets import Sheet, read_sheet
from guesstree.engine.sheets.separated import guarded, read_separated
from guesstree.engine.sheets.sheet import Side
from guesstree.engine.tables.longform import is_long
from guesstree.engine.tables.margins import DECIMAL_COMMAS
from guesstree.engine.tables.options import join_options, split_options
from guesstree.web.store import Store

from .packing import with_its_pictures
from .uploads import places_unsaid, uploads_of

Spot = tuple[int, int]
"""The row and the column of a cell, from 0."""


def edit_cells(store: Path, spec: str, cells: str) -> str:
    """Keep a table with other cells, tabs between them, and return its spec."""
    return _kept(store, spec, [line.split("\t") for line in cells.splitlines()])


def edit_answer(store: Path, spec: str, test: str, written: str, meant: str) -> str:
    """Keep a table in which a test has another answer wherever one is written, and return its spec.

    Raises GameError where the test has no such answer.
    """
    sheet = _sheet_of(store, spec)
    rows = [list(row.cells) for row in sheet.rows]
    spots = [spot for side in ("columns", "rows") for spot in _answers_at(sheet, side, {(test, written)})]
    if not spots or not meant.strip():
        raise GameError(f"{shown(test)} has no answer {shown(written)}; expected one of the table")
    for i, j in spots:
        rows[i][j] = meant
    return _kept(store, spec, rows)


def spots_of(sheet: Sheet, causes: Side, at: Iterable[tuple[str, str]]) -> list[Spot]:
    """Return the cells of what is said of a table, as `Note.at` has it."""
    wanted = set(at)
    labels = {label for test, label in wanted if not test}
    spots = _answers_at(sheet, causes, wanted)
    for i, row in enumerate(sheet.rows):
        spots += [(i, j) for j, cell in enumerate(row.cells) if not (i and j) and cell in labels]
    return spots


def faulty_spots(sheet: Sheet, lines: Iterable[str]) -> list[Spot]:
    """Return the cells that lines of what is wrong name: by a row or a column, and by what stands there."""
    spots: list[Spot] = []
    header = sheet.rows[0].cells if sheet.rows else []
    columns = [f"{sheet.source} column {shown(label)}" for label in header]
    for line in lines:
        for i, row in enumerate(sheet.rows):
            if line.startswith((f"{row.place}:", f"{row.place} ")):
                spots += _named([(i, j, cell) for j, cell in enumerate(row.cells)], line) or [(i, 0)]
        for j, place in enumerate(columns):
            if j and line.startswith(f"{place}:"):
                whole = [(i, j, row.cells[j]) for i, row in enumerate(sheet.rows) if j < len(row.cells)]
                spots += _named(whole[1:], line) or [(0, j)]
    return spots


def _named(cells: Sequence[tuple[int, int, str]], line: str) -> list[Spot]:
    """Return the cells whose text a line quotes, or empty ones if it says so; labels where no other is."""
    message = line.partition(": ")[2]
    found = [(i, j) for i, j, cell in cells if (shown(cell) in message if cell else "is empty" in message)]
    return [spot for spot in found if all(spot)] or found


def _answers_at(sheet: Sheet, causes: str, wanted: set[tuple[str, str]]) -> list[Spot]:
    """Return the cells with answers to tests, where the causes are on a side; also in the long form."""
    header = sheet.rows[0].cells if sheet.rows else []
    long = is_long(sheet.rows)
    spots = []
    for i, row in enumerate(sheet.rows[1:], 1):
        for j, cell in enumerate(row.cells):
            tests = row.cells if long else [row.cells[0]] if causes == "columns" else header[j : j + 1]
            if (j or long) and any((test, cell) in wanted for test in tests if test):
                spots.append((i, j))
    return spots


def _sheet_of(store: Path, spec: str) -> Sheet:
    name, given = split_options(spec.removeprefix(FAMILY))
    with places_unsaid():
        return read_sheet(uploads_of(store)(name), given.get("sheet", ""), whole=bool(given.get("target")))


def _kept(store: Path, spec: str, rows: Sequence[Sequence[str]]) -> str:
    """Keep a table with other rows, as they are written, and return its spec.

    What the format of the file said, such as where its causes are, is said by options then.
    """
    name, given = split_options(spec.removeprefix(FAMILY))
    sheet = _sheet_of(store, spec)
    given.pop("sheet", None)
    if sheet.causes:
        given.setdefault("causes", sheet.causes)
    if sheet.sets:
        given.setdefault("cells", "sets")
    filled = [[guarded(cell) for cell in row] for row in rows if any(cell.strip() for cell in row)]
    separator = ";" if DECIMAL_COMMAS in sheet.said else ","
    data = _written(filled, separator)
    if [row.cells for row in read_separated("", data).rows] != [list(row) for row in rows if any(row)]:
        data = f"sep={separator}\n".encode() + data
    stem = re.sub("-mended(-[0-9]+)?$", "", PurePosixPath(name).stem)
    options = join_options(given)
    mended, data = with_its_pictures(sheet, f"{stem}-mended.csv", data)
    own = Store(store).add_file(mended, data, options=options)
    return f"{FAMILY}{own}{options}"


def _written(rows: Sequence[Sequence[str]], separator: str) -> bytes:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n", delimiter=separator).writerows(rows)
    return text.getvalue().encode()
