"""Every way to an end of a strategy as .csv files, for spreadsheets."""

from __future__ import annotations

import csv
import io

from guesstree.engine.game import Game
from guesstree.engine.sheets.separated import guarded

from ...tree import Tree
from .rows import Cell, headed_rows


def draw(game: Game, strategy: Tree) -> bytes:
    """Return the rows with commas, in UTF-8 with the mark by which spreadsheets know it.

    A text that a spreadsheet would take for a formula gets an apostrophe in front.
    """
    headings, rows = headed_rows(game, strategy)
    file = io.StringIO(newline="")
    write = csv.writer(file)
    write.writerow(map(guarded, headings))
    write.writerows([_cell(cell) for cell in row] for row in rows)
    return file.getvalue().encode("utf-8-sig")


def _cell(cell: Cell) -> str:
    return guarded(cell) if isinstance(cell, str) else f"{cell:.12g}"
