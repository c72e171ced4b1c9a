"""Which reader a file needs."""

from __future__ import annotations

from pathlib import Path

from ..errors import GameError
from .arff import looks_arff, read_arff
from .delta import read_delta
from .directives import looks_delta
from .looks import refuse_others
from .sdd import looks_xml, read_sdd
from .separated import read_separated
from .sheet import Sheet
from .workbook import read_workbook

MOST_BYTES = 200_000_000
"""The largest file that is read."""


def read_sheet(path: str, sheet: str = "") -> Sheet:
    """Return the table in a file, or on the `sheet` of that name; raise GameError for what cannot be read."""
    source = repr(path)
    if Path(path).is_dir():
        return read_delta(path)
    data = _bytes(path)
    if data.startswith(b"PK\x03\x04"):
        return read_workbook(source, data, sheet)
    refuse_others(source, data)
    if looks_xml(data):
        return read_sdd(source, data)
    if sheet:
        raise GameError(f"{source} has no sheets; expected no ,sheet={sheet}")
    if looks_delta(data):
        return read_delta(path)
    if looks_arff(data):
        return read_arff(source, data)
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
