"""Which reader a file needs."""

from __future__ import annotations

from pathlib import Path

from ..errors import GameError
from .looks import kind_of
from .sheet import Sheet

MOST_BYTES = 200_000_000
"""The largest file that is read."""


def read_sheet(path: str, sheet: str = "") -> Sheet:
    """Return the table in a file, or on the `sheet` of that name; raise GameError for what cannot be read.

    A folder is read as DELTA, and so is a file that belongs to one.
    """
    source = repr(path)
    data = b"" if Path(path).is_dir() else _bytes(path)
    kind = "delta" if Path(path).is_dir() else kind_of(source, data)
    if sheet and kind != "workbook":
        raise GameError(f"{source} has no sheets; expected no ,sheet={sheet}")
    if kind == "workbook":  # each reader is loaded for its files alone
        from .workbook import read_workbook

        return read_workbook(source, data, sheet)
    if kind == "delta":
        from .delta import read_delta

        return read_delta(path)
    if kind == "xml":
        from .sdd import read_sdd

        return read_sdd(source, data)
    if kind == "arff":
        from .arff import read_arff

        return read_arff(source, data)
    from .separated import read_separated

    return read_separated(source, data)


def _bytes(path: str) -> bytes:
    """Return what is in a file; raise GameError for one that cannot be read or is too large."""
    try:
        with Path(path).open("rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    if len(data) > MOST_BYTES:
        raise GameError(f"{path!r} has more than {MOST_BYTES // 10**6} MB; expected a smaller table")
    return data
