"""Which reader a file needs."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from ..errors import GameError
from .beside import Folder
from .looks import bytes_of, format_of
from .sheet import Sheet

MOST_HEAD = 4000
"""Bytes at the start of a file that say which XML it is."""


def read_sheet(path: str, sheet: str = "", *, whole: bool = False) -> Sheet:
    """Return the table in a file, or on the `sheet` of that name; raise GameError for what cannot be read.

    A folder is read as DELTA, and so is a file that belongs to one. `whole`: of ARFF every attribute.
    """
    place = Path(path)
    return replace(_read(path, sheet, whole=whole), beside=Folder(place if place.is_dir() else place.parent))


def _read(path: str, sheet: str, *, whole: bool) -> Sheet:
    """Return the table in a file by the reader of its kind."""
    source = repr(path)
    data = b"" if Path(path).is_dir() else bytes_of(path)
    kind = "delta" if Path(path).is_dir() else format_of(source, data)
    if sheet and kind != "workbook":
        raise GameError(f"{source} has no sheets; expected no ,sheet={sheet}")
    if kind == "workbook":  # each reader is loaded for its files alone
        from .workbook import read_workbook

        return read_workbook(source, data, sheet)
    if kind == "delta":
        from .delta import read_delta

        return read_delta(path)
    if kind == "network":
        from .networks import read_bif, read_xdsl

        return (read_xdsl if b"<smile" in data[:MOST_HEAD] else read_bif)(source, data)
    if kind == "xml":
        from .sdd import read_sdd

        return read_sdd(source, data)
    if kind == "nexus":
        from .nexus import read_nexus

        return read_nexus(source, data)
    if kind == "arff":
        from .arff import read_arff

        return read_arff(source, data, whole=whole)
    from .separated import read_separated

    return read_separated(source, data)
