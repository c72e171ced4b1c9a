"""What is in a file, and what it is by its first bytes, whatever its name says."""

from __future__ import annotations

import re

from ..errors import GameError
from ..opened import open_whole

MOST_BYTES = 200_000_000
"""The largest file that is read."""
COPY = "copy the table into a spreadsheet and save it as .xlsx or CSV"
_OTHERS = [
    (rb"%PDF-", "a PDF", COPY),
    (
        rb"\x89PNG|\xff\xd8\xff|GIF8|II\*\0|MM\0\*|BM....\0\0\0\0|RIFF....WEBP",
        "a picture",
        "type the table in",
    ),
    (rb"\{\\rtf", "a text document (RTF)", COPY),
    (rb"\x1f\x8b|BZh\d|\xfd7zXZ|7z\xbc\xaf|Rar!|\x28\xb5\x2f\xfd", "a packed file", "unpack it first"),
    (rb"SQLite format 3\0", "a database (SQLite)", "export the table as CSV"),
    (rb"PAR1|ARROW1|FEA1", "a file of data frames", "read it with pandas and use guesstree.table(frame)"),
    (rb"\x7fELF|MZ\x90", "a program", "name the file that has the table"),
    (rb"\s*(?i:<!doctype html|<html|<table)", "a web page (HTML)", COPY),
    (rb'\s*\{\s*"', "JSON", "write the table as CSV, or use guesstree.table in Python"),
    (rb"\xd0\xcf\x11\xe0", "an old document of Office (.xls)", "save it as .xlsx or CSV"),
]
_MARK = rb"(\xef\xbb\xbf)?"
_DIRECTIVES = rb"SHOW|COMMENT|CHA|ITEM? DES|NUMBER|MAX|HEADING|INPUT FILE|TRANSLATE|DATA BUF|KEY STA"
_KINDS = [
    ("workbook", rb"PK\x03\x04"),
    ("xml", rb"(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*<\0?(\?\0?x\0?m\0?l|Datasets\b)"),
    ("arff", _MARK + rb"([ \t]*(%[^\r\n]*)?[\r\n])*+[ \t]*@(?i:relation)\b"),
    ("nexus", rb"(\xef\xbb\xbf|\xff\xfe|\xfe\xff)?\s*\0?#\0?[Nn]\0?[Ee]\0?[Xx]\0?[Uu]\0?[Ss]"),
    ("delta", _MARK + rb"\s*\*\s*(" + _DIRECTIVES + rb")"),
]


def format_of(source: str, data: bytes) -> str:
    """Return ``workbook``, ``network``, ``xml``, ``arff``, ``nexus``, ``delta`` or ``text``, as bytes begin.

    Raises GameError that says what a file is, and what to do, for one that plainly holds no table.
    """
    for begins, what, remedy in _OTHERS:
        if re.match(begins, data, re.DOTALL):
            if "EncryptedPackage".encode("utf-16-le") in data:
                what, remedy = "a workbook with a password", "save it without one"
            raise GameError(f"{source} looks like {what}; {remedy}")
    if re.match(rb"\s*(//[^\n]*\n\s*)*network\s[^{};\n]*\{", data) or b"<smile" in data[:4000]:
        return "network"
    return next((kind for kind, begins in _KINDS if re.match(begins, data)), "text")


def bytes_of(path: str, most: int = MOST_BYTES, what: str = "table") -> bytes:
    """Return what is in a file; raise GameError where it cannot be read, or has more bytes than `most`."""
    try:
        with open_whole(path) as file:
            data = file.read(most + 1)
    except OSError as error:
        raise GameError(f"cannot read {path!r}: {error.strerror or error}") from None
    except ValueError as error:  # a null byte or a lone surrogate in the path
        raise GameError(f"cannot read {path!r}: {error}") from None
    if len(data) > most:
        raise GameError(f"{path!r} has more than {most // 10**6} MB; expected a smaller {what}")
    return data
