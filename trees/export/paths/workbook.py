"""Every way to an end of a strategy as .xlsx files; needs XlsxWriter."""

from __future__ import annotations

import io
from datetime import datetime

from guesstree.engine.game import Game

from ...language import say
from ...tree import Tree, TreeError
from .rows import SHARE, Cell, headed_rows

WIDEST = 50
"""Columns are at most so many characters wide; longer text is wrapped."""


def draw(game: Game, strategy: Tree) -> bytes:
    """Return the rows as a workbook whose first row and column stay in sight; equal rows give equal files.

    Raises TreeError for more rows, or longer text, than a workbook can hold.
    """
    import xlsxwriter

    headings, rows = headed_rows(game, strategy)
    file = io.BytesIO()
    book = xlsxwriter.Workbook(file, {"in_memory": True})
    book.set_properties({"created": datetime(2000, 1, 1)})
    sheet = book.add_worksheet(say("worst first"))
    bold = book.add_format({"bold": True, "valign": "top"})
    text = book.add_format({"text_wrap": True, "valign": "top"})
    number = book.add_format({"valign": "top"})
    share = book.add_format({"num_format": "0.0%", "valign": "top"})
    table: list[list[Cell]] = [[*headings], *rows]
    for at, row in enumerate(table):
        for column, cell in enumerate(row):
            if isinstance(cell, str):
                failed = sheet.write_string(at, column, cell, text if at else bold)
            else:
                failed = sheet.write_number(at, column, cell, share if column == SHARE else number)
            if failed:
                raise TreeError("a workbook cannot hold so many rows, or so long a text; use .csv")
    for column in range(len(headings)):
        widths = [len(str(row[column])) for row in table if column < len(row)]
        sheet.set_column(column, column, min(max(widths) + 3, WIDEST))
    sheet.freeze_panes(1, 1)
    sheet.autofilter(0, 0, len(rows), len(headings) - 1)
    sheet.set_landscape()
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    book.close()
    return file.getvalue()
