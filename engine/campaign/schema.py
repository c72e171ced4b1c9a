"""The tables of a ledger: their columns, and rows that are checked as they are read."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from sqlite3 import Connection
from typing import Any
from zlib import crc32

from ..errors import GuesstreeError

Columns = dict[str, type]
NODE: Columns = {"path": str, "part": str, "depth": int}
"""What a claim is about; the figure is in the column ``part``."""
TABLES: dict[str, Columns] = {
    "about": {"claim": str, "numbering": str, "asked": str, "origins": str},
    "claims": {
        "number": int,
        **NODE,
        "bound": int,
        "lower": int,
        "upper": int,
        "proved": int,
        "accepted": int,
        "tries": int,
        "budget": int,
        "evaluations": int,
        "seconds": float,
        "worker": str,
        "since": float,
    },
    "proofs": {"number": int, "proved": int, "text": bytes},
    "choices": {"number": int, "packed": bytes},
    "refusals": {"time": float, **NODE, "why": str, "evaluations": int, "seconds": float},
    "history": {"time": float, "part": str, "depth": int, "lower": int, "upper": int, "accepted": int},
    "lemmas": {"path": str, "depth": int, "bound": int, "body": bytes},
    "optimum": {"figures": bytes},
}
"""Names and types of what each row holds; behind it comes its seal."""
KEYS = {"claims": 1, "proofs": 2, "choices": 1, "lemmas": 3}
"""So many columns of a table, the first ones, tell its rows apart."""
NAMES = {int: "INTEGER", float: "REAL", str: "TEXT", bytes: "BLOB"}


class DamageError(GuesstreeError):
    """What is in the file cannot be."""


def made() -> Iterator[str]:
    """Yield the statements that make the tables."""
    for table, columns in TABLES.items():
        parts = [f"{name} {NAMES[kind]} NOT NULL" for name, kind in columns.items()]
        parts.append("seal INTEGER NOT NULL")
        if table in KEYS:
            parts.append(f"PRIMARY KEY ({', '.join(list(columns)[: KEYS[table]])})")
        yield f"CREATE TABLE {table} ({', '.join(parts)})"


def seal(values: Sequence[Any]) -> int:
    """Return what changes where a value does: a disk that errs is noticed."""
    found = crc32(repr([value for value in values if type(value) is not bytes]).encode())
    for value in values:
        if type(value) is bytes:
            found = crc32(value, found)
    return found


def put(file: Connection, table: str, rows: Iterator[Sequence[Any]]) -> None:
    """Write rows, in place of those with the same key."""
    marks = ", ".join("?" * (len(TABLES[table]) + 1))
    file.executemany(f"INSERT OR REPLACE INTO {table} VALUES ({marks})", ((*row, seal(row)) for row in rows))


def rows_of(
    file: Connection, table: str, where: str = "", values: Sequence[Any] = ()
) -> Iterator[tuple[Any, ...]]:
    """Yield rows without their seals; raise DamageError for one whose types or seal are wrong."""
    columns = TABLES[table]
    kinds = list(columns.values())
    for *row, sealed in file.execute(f"SELECT {', '.join(columns)}, seal FROM {table} {where}", values):
        if [type(value) for value in row] != kinds:
            raise DamageError(f"{named(table, row)} holds what is not of its type")
        if seal(row) != sealed:
            raise DamageError(f"{named(table, row)} is not as it was written")
        yield tuple(row)


def named(table: str, row: Sequence[Any]) -> str:
    """Return a row by its table and what it begins with."""
    return f"row {' '.join(str(value)[:40] for value in row[:4] if type(value) is not bytes)!r} of {table!r}"
