"""Tables from CSV files: secrets in the first row, guesses in the first column, responses in the cells."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable
from pathlib import Path

from ..errors import GameError, shown
from ..game import Game
from ..registry import register
from .rows import How, Placed, read_rows, table_game


def read_csv(path: str) -> list[Placed]:
    """Return the rows of a CSV file that are not empty; raise GameError for what cannot be read."""
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            rows = [
                Placed(f"{path!r} line {reader.line_num}", [cell.strip() for cell in row]) for row in reader
            ]
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameError(f"{path!r} is not UTF-8 text: byte {error.start}") from None
    except csv.Error as error:
        raise GameError(f"{path!r} line {reader.line_num}: {error}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    return [row for row in rows if any(row.cells)]


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
    where = find(path)
    return table_game(f"table:{text}", read_rows(repr(where), read_csv(where), how, allow))
