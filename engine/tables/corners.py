"""Tables in which numbers are known as ranges only, such as a sensitivity of ``85..95 %``: their corners.

A *corner* takes one end of each range. What a strategy costs on average is, in each rate alone, a linear
function divided by one that is positive: a path meets each rate, each share of odds and each loss once at
most, and a weight stands in the cost and in the sum of weights. Such a function of one number is monotone, so
it is greatest at an end, and so one number after another: the worst of all numbers in the ranges is at a
corner. The same holds for what a mixture of strategies costs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

from ..errors import GameError
from ..game import Game
from ..sheets import Sheet, read_sheet
from .options import How, parse_options
from .ranges import Range, at_corner, ranges_in
from .reading import read_file, read_table
from .rows import table_game


@dataclass(frozen=True)
class Ranged:
    """A table with ranges: its corners as games, in the order of `corners`."""

    ranges: tuple[Range, ...]
    games: tuple[Game, ...]

    @property
    def corners(self) -> list[tuple[int, ...]]:
        """Which end of each range each corner takes."""
        return list(product((0, 1), repeat=len(self.ranges)))


def read_ranged(text: str, find: Callable[[str], str] = str) -> Ranged:
    """Return the corners of a table of a text ``FILE[,key=value]...``; raise GameError for no ranges."""
    text = text.removeprefix("table:")
    path, how = parse_options(text)
    sheet = read_sheet(find(path), how.sheet)
    matrix = read_sheet(find(str(Path(path).parent / how.loss))) if how.loss else None
    ranges = ranges_in(sheet)
    if not ranges:
        read_file(text, find)  # says what is wrong, if it is no table
        raise GameError(f"{sheet.source}: no range; expected a number such as 85..95 % in some cell")
    if how.repeat > 1:
        raise GameError(f"{sheet.source}: ranges, and repeat={how.repeat}; expected each rate once on a path")
    return Ranged(tuple(ranges), tuple(_games(text, sheet, how, matrix, ranges)))


def _games(
    text: str, sheet: Sheet, how: How, matrix: Sheet | None, ranges: Sequence[Range]
) -> Iterator[Game]:
    """Yield the games of all corners."""
    for ends in product((0, 1), repeat=len(ranges)):
        read = read_table(at_corner(sheet, ranges, ends), how, None, matrix)
        yield table_game(f"table:{text}", read.content)
