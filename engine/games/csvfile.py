"""Tables from files, as games: ``table:FILE[,key=value]...``."""

from __future__ import annotations

from collections.abc import Callable

from ..game import Game
from ..registry import register
from ..sheets import read_sheet
from .options import parse_options
from .reading import ReadTable, read_table
from .rows import table_game


def read_file(text: str, find: Callable[[str], str] = str, doubts: list[str] | None = None) -> ReadTable:
    """Return the table of a text ``FILE[,key=value]...``; `find` says where a file is; see `read_table`."""
    path, how = parse_options(text)
    return read_table(read_sheet(find(path), how.sheet), how, doubts)


@register(
    "table",
    example="table:FILE.csv",
    about="any table: tests in rows and causes in columns, or the other way round, responses in the cells; a "
    "line cost, a line weight; ,merge joins causes that no test tells apart; ,missing=any: an empty cell "
    "is any answer; ,causes=rows; ,win=RESPONSE",
    reference="Garey 1972; Hyafil and Rivest 1976",
    names_win=True,
    files=True,
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``table:FILE[,key=value]...``, with how it was read in its notes."""
    reading = read_file(text, find)
    game = table_game(f"table:{text}", reading.content)
    game.notes = (reading.line,) if reading.line else ()
    return game
