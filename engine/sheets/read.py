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

    A folder is read as DELTA, and so is a file that belongs to one. A zip file has one table and its
    pictures, or a data set of DELTA. `whole`: of ARFF every attribute.
    """
    place = Path(path)
    if place.is_dir():
        return replace(_delta(path), beside=Folder(place))
    data = bytes_of(path)
    if data.startswith(b"PK\x03\x04"):
        from .packed import is_document

        if not is_document(data):
            return _unpacked(path, data, sheet, whole=whole)
    kind = format_of(repr(path), data)
    found = _delta(path) if kind == "delta" else _read(path, kind, data, sheet, whole=whole)
    return replace(found, beside=Folder(place.parent))


def _delta(path: str) -> Sheet:
    """Return the data set of a folder, or of a file that belongs to one."""
    from .delta import read_delta
    from .directives import files_in_folder

    return read_delta(path, files_in_folder(Path(path)))


def _unpacked(path: str, data: bytes, sheet: str, *, whole: bool) -> Sheet:
    """Return the table in a zip file, with what is beside it there."""
    from .delta import read_delta
    from .directives import files_among
    from .packed import Packed

    packed = Packed(path, data)
    files = files_among(path, packed.names)
    if files:
        named = [(packed.place(name), packed(name)) for name in files]
        return replace(read_delta(path, named), beside=packed.beside(files[0]))
    name = packed.table()
    inside, place = packed(name), packed.place(name)
    found = _read(place, format_of(repr(place), inside), inside, sheet, whole=whole)
    return replace(found, beside=packed.beside(name))


def _read(path: str, kind: str, data: bytes, sheet: str, *, whole: bool) -> Sheet:
    """Return the table in a file by the reader of its kind; each is loaded for its files alone."""
    source = repr(path)
    if sheet and kind != "workbook":
        raise GameError(f"{source} has no sheets; expected no ,sheet={sheet}")
    if kind == "workbook":
        from .workbook import read_workbook

        return read_workbook(source, data, sheet)
    if kind == "delta":
        raise GameError(f"{source} is one file of DELTA; expected chars, items and specs beside it")
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

    return _lucid_or(read_separated(source, data))


def _lucid_or(found: Sheet) -> Sheet:
    """Return a sheet, or what it says where it is a matrix of Lucid."""
    if len(found.rows) < 2 or found.rows[0].cells[0]:
        return found
    from .lucid import as_lucid

    return as_lucid(found) or found
