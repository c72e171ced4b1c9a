"""Tables from lines of CSV, as they are read from files."""

from __future__ import annotations

from collections.abc import Sequence

from guesstree.engine.sheets import Placed, Sheet
from guesstree.engine.tables.options import parse_options
from guesstree.engine.tables.reading import ReadTable, read_table


def understood(rows: Sequence[str], options: str = "", matrix: str = "") -> ReadTable:
    """Return how lines of CSV are read, with a matrix of losses beside them."""
    how = parse_options(f"t.csv{options}")[1]
    return read_table(sheet("t.csv", rows), how, None, sheet("loss.csv", matrix.split()) if matrix else None)


def sheet(source: str, rows: Sequence[str]) -> Sheet:
    """Return lines of CSV as a sheet."""
    return Sheet(source, [Placed(f"line {i}", row.split(",")) for i, row in enumerate(rows, 1)])
