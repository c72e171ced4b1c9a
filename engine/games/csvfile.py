"""Tables from CSV files: secrets in the first row, guesses in the first column, responses in the cells."""

from __future__ import annotations

import csv
import re
from pathlib import Path

from ..errors import GameError, shown
from ..game import Game
from ..registry import register
from .missing import UnsureTable
from .table import TableGame, merged

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")
COST, WEIGHT = "cost", "weight"
"""The column and the row of a file that hold numbers in place of responses."""


def read_csv(path: str, win: str | None = None, *, merge: bool = False, missing: bool = False) -> TableGame:
    """Read a table: first row secret labels, first column guess labels, cells responses.

    The cell in the corner is ignored. A column `cost` says what each guess costs, a row `weight` how likely
    each secret is; where they meet the cell is empty. With `merge`, secrets that no guess tells apart become
    one; with `missing`, cells may be empty, see `games.missing`. Raises GameError that names the line for a
    file that cannot be read, ragged rows, empty cells, labels that are repeated, or numbers that are none.
    """
    spec = f"table:{path}" + ",merge" * merge + ",missing=any" * missing
    if win is not None:
        spec += f",win={win}"
    try:
        with Path(path).open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            rows = [(reader.line_num, [cell.strip() for cell in row]) for row in reader]
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise GameError(f"{path!r} is not UTF-8 text: byte {error.start}") from None
    except csv.Error as error:
        raise GameError(f"{path!r} line {reader.line_num}: {error}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    rows = [(line, row) for line, row in rows if any(row)]
    if len(rows) < 2 or len(rows[0][1]) < 2:
        raise GameError(f"{path!r}: accepted: a first row of secret labels, then one row for each guess")
    header_line, header = rows[0]
    if _CONTROL.search("".join(header)):
        raise GameError(f"{path!r} line {header_line}: a label holds a control character or a line break")
    _check_labels(path, [(header_line, label) for label in header[1:]], "secret")
    _check_labels(path, [(line, row[0]) for line, row in rows[1:]], "guess")
    for line, row in rows[1:]:
        if len(row) != len(header):
            raise GameError(
                f"{path!r} line {line}: {len(row)} cells; accepted: {len(header)} as in the first row"
            )
        if _CONTROL.search("".join(row)):
            raise GameError(f"{path!r} line {line}: a cell holds a control character or a line break")
    weights = _take_weights(path, rows, header)
    prices = _take_costs(path, rows, header)
    for line, row in rows[1:]:
        if "" in row and not missing:
            where = f"(guess {row[0]!r}, secret {header[row.index('')]!r})"
            raise GameError(
                f"{path!r} line {line}: cell {row.index('') + 1} is empty {where}; accepted: a response, or "
                "table:FILE.csv,missing=any (any answer is possible)"
            )
    if len(rows) < 2 or len(header) < 2:
        raise GameError(f"{path!r}: accepted: at least one guess and one secret beside costs and weights")
    guesses, cells = [row[0] for _, row in rows[1:]], [row[1:] for _, row in rows[1:]]
    secrets = header[1:]
    if merge:
        secrets, cells, weights = merged(secrets, cells, weights)
        _check_labels(path, [(header_line, label) for label in secrets], "merged secret")
    if missing:
        return UnsureTable(spec, guesses, secrets, cells, weights, prices)
    return TableGame(spec, guesses, secrets, cells, win, weights, prices)


def _take_weights(path: str, rows: list[tuple[int, list[str]]], header: list[str]) -> list[int] | None:
    """Take the row of weights out of the rows, and return it."""
    for i, (line, row) in enumerate(rows[1:], 1):
        if row[0] == WEIGHT:
            del rows[i]
            pairs = [(label, cell) for label, cell in zip(header[1:], row[1:], strict=True)]
            if any(label == COST and cell for label, cell in pairs):
                raise GameError(f"{path!r} line {line}: the weights have a cost; accepted: an empty cell")
            return [
                _number(path, line, f"weight of secret {label!r}", cell, 1)
                for label, cell in pairs
                if label != COST
            ]
    return None


def _take_costs(path: str, rows: list[tuple[int, list[str]]], header: list[str]) -> list[int] | None:
    """Take the column of costs out of the rows, and return it."""
    if COST not in header[1:]:
        return None
    column = header.index(COST, 1)
    del header[column]
    return [_number(path, line, f"cost of guess {row[0]!r}", row.pop(column), 0) for line, row in rows[1:]]


def _number(path: str, line: int, what: str, text: str, least: int) -> int:
    if not re.fullmatch(r"[0-9]{1,18}", text, flags=re.ASCII) or int(text) < least:
        raise GameError(
            f"{path!r} line {line}: the {what} is {shown(text)}; accepted: an integer from {least}, "
            "of at most 18 digits"
        )
    return int(text)


def _check_labels(path: str, labels: list[tuple[int, str]], what: str) -> None:
    seen: set[str] = set()
    for line, label in labels:
        if not label:
            raise GameError(f"{path!r} line {line}: a {what} has no label")
        if label in seen:
            raise GameError(f"{path!r} line {line}: the {what} label {label!r} is repeated")
        seen.add(label)


@register(
    "table",
    example="table:FILE.csv",
    about="any table: first row secrets, first column guesses, cells responses; ,merge (what no guess tells "
    "apart), ,missing=any (empty cells), ,win=RESPONSE may follow; a column cost, a row weight hold numbers",
    reference="Garey 1972; Hyafil and Rivest 1976",
    names_win=True,
)
def make(text: str) -> Game:
    """Return the game of a spec ``table:FILE.csv[,merge][,missing=any][,win=RESPONSE]``."""
    before, marked, win = text.rpartition(",win=")
    found = re.fullmatch(r"(.*?)(,merge)?(,missing=([^,]*))?", before if marked else text, re.DOTALL)
    assert found is not None
    path, merge, _, missing = found.groups()
    if missing is not None and (missing != "any" or marked):
        raise GameError(
            f"{shown(f'table:{text}')}: accepted: missing=any (an empty cell: any answer is possible), "
            "without a winning response"
        )
    if not path:
        raise GameError("'table:': accepted: the path of a CSV file, such as table:tests.csv")
    return read_csv(path, win if marked else None, merge=bool(merge), missing=bool(missing))
