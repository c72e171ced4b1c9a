"""Tables in long form, one row for each cell: cause, test, outcome; or cause and test, where it is listed."""

from __future__ import annotations

from collections.abc import Sequence

from ..errors import GameError, shown
from ..sheets import Placed
from .headings import Kind, read_heading

YES, NO = "yes", "no"


def is_long(rows: Sequence[Placed]) -> bool:
    """Return whether rows are a long form: two or three columns, of which the first two repeat their labels.

    Of two columns both must be named: one as causes, one as tests. Three need no names where half of all
    pairs are listed.
    """
    width = len(rows[0].cells)
    if width not in (2, 3) or any(len(row.cells) != width for row in rows):
        return False
    kinds = sorted(read_heading(label).kind for label in rows[0].cells)
    if width == 2 and kinds != ["cause", "test"]:
        return False
    if kinds == ["answer", "cause", "test"]:
        return True
    down, across = ({row.cells[i] for row in rows[1:]} for i in (0, 1))
    cells = len(rows) - 1
    if width == 2:
        return len(down) < cells
    return 2 * len(down) <= cells >= 2 * len(across) and 2 * cells >= len(down) * len(across)


def spread_out(rows: Sequence[Placed]) -> tuple[list[Placed], str]:
    """Return a long form as a table, what the first column has in rows, and how it was read.

    Raises GameError that names the place of a pair that is listed twice.
    """
    header, *body = rows
    order = _columns(header)
    row_label: dict[str, str] = {}
    column_label: dict[str, None] = {}
    cells: dict[tuple[str, str], str] = {}
    for row in body:
        down, across = row.cells[order[0]], row.cells[order[1]]
        cell = row.cells[order[2]] if len(order) > 2 else YES
        row_label.setdefault(down, row.place)
        column_label.setdefault(across, None)
        if cells.setdefault((down, across), cell) != cell:
            raise GameError(
                f"{row.place}: {shown(down)} and {shown(across)} are there already, with "
                f"{shown(cells[down, across])}; expected each pair once"
            )
    empty = "" if len(order) > 2 else NO
    corner = header.cells[order[0]]
    kinds: tuple[Kind, Kind] = (read_heading(corner).kind, read_heading(header.cells[order[1]]).kind)
    if all(kinds):
        corner = f"{corner} / {header.cells[order[1]]}"
    table = [Placed(header.place, [corner, *column_label])]
    table += [
        Placed(where, [label, *(cells.get((label, across), empty) for across in column_label)])
        for label, where in row_label.items()
    ]
    said = "long form"
    if len(order) == 2:
        said += f", {YES} where a pair is listed, else {NO}"
    return table, said


def _columns(header: Placed) -> list[int]:
    """Return which columns have what is below, what is across and what is in the cells."""
    kinds = [read_heading(label).kind for label in header.cells]
    if sorted(kinds) == ["answer", "cause", "test"]:
        return [kinds.index("cause"), kinds.index("test"), kinds.index("answer")]
    return list(range(len(header.cells)))
