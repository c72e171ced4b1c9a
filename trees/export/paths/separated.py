"""Every way to an end of a strategy as .csv files, for spreadsheets."""

from __future__ import annotations

import csv
import io

from guesstree.engine.game import Game
from guesstree.engine.sheets.separated import guarded

from ...language import list_marks
from ...tree import Tree
from .rows import Cell, headed_rows


def draw(game: Game, strategy: Tree) -> bytes:
    """Return the rows in UTF-8 with the mark by which spreadsheets know it.

    Cells are parted by commas, or by what spreadsheets expect in the language that is spoken.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    headings, rows = headed_rows(game, strategy)
    file = io.StringIO(newline="")
    between, point = list_marks()
    write = csv.writer(file, delimiter=between)
    write.writerow(map(guarded, headings))
    write.writerows([_cell(cell, point) for cell in row] for row in rows)
    return file.getvalue().encode("utf-8-sig")


def _cell(cell: Cell, point: str) -> str:
    return guarded(cell) if isinstance(cell, str) else f"{cell:.12g}".replace(".", point)
