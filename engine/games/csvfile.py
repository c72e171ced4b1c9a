"""Tables from CSV files: secrets in the first row, guesses in the first column, responses in the cells."""

from __future__ import annotations

import re
from collections.abc import Callable

from ..errors import GameError, shown
from ..game import Game
from ..registry import register
from ..sheets import read_sheet
from .rows import How, read_rows, table_game


@register(
    "table",
    example="table:FILE.csv",
    about="any table: secrets in the first row, guesses in the first column, responses in the cells; a "
    "column cost, a row weight; ,merge joins secrets that no guess tells apart; ,missing=any: an empty cell "
    "is any answer; ,win=RESPONSE",
    reference="Garey 1972; Hyafil and Rivest 1976",
    names_win=True,
    files=True,
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``table:FILE.csv[,merge][,missing=any][,win=RESPONSE]``."""
    before, marked, win = text.rpartition(",win=")
    found = re.fullmatch(r"(.*?)(,merge)?(,missing=([^,]*))?", before if marked else text, re.DOTALL)
    assert found is not None
    path, merge, _, missing = found.groups()
    if missing is not None and missing != "any":
        raise GameError(
            f"{shown(f'table:{text}')}: expected missing=any (an empty cell: any answer is possible)"
        )
    if not path:
        raise GameError("'table:': expected the path of a CSV file, such as table:tests.csv")
    how = How(merge=bool(merge), missing=bool(missing), win=win if marked else None)
    allow = "table:FILE.csv,missing=any (any answer is possible)"
    sheet = read_sheet(find(path))
    return table_game(f"table:{text}", read_rows(sheet.source, sheet.rows, how, allow))
