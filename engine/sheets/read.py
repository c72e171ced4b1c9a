"""Which reader a file needs."""

from __future__ import annotations

import csv
from pathlib import Path

from ..errors import GameError
from .sheet import Placed, Sheet


def read_sheet(path: str) -> Sheet:
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
    return Sheet(repr(path), [row for row in rows if any(row.cells)])
