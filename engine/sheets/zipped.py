"""The parts of workbooks: zip files, looked through before anything else unpacks them."""

from __future__ import annotations

import io
import struct
import zipfile
import zlib
from collections import Counter
from xml.parsers import expat

from ..errors import GameError
from .looks import COPY

MOST_UNPACKED = 500_000_000
"""Bytes of all parts of a workbook."""
_PARTS = [
    ("xl/workbook.bin", "a binary Excel workbook (.xlsb)", "save it as .xlsx or CSV"),
    ("word/", "a text document (.docx)", COPY),
    ("ppt/", "a presentation (.pptx)", COPY),
    ("Index/", "a document of Numbers, Pages or Keynote", "export it as .xlsx or CSV"),
]
"""What zip files are that are no workbooks."""
DAMAGED = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    RuntimeError,
    ValueError,
    LookupError,
)
"""What the reader of zip files raises for those that are none, or no more."""


class Zipped:
    """The parts of an .xlsx or .ods file, each read whole once and found sound; raises GameError for others.

    What says how large it is when unpacked may be wrong, so that everything that a workbook's reader could
    unpack is unpacked here first, up to `MOST_UNPACKED`.
    """

    def __init__(self, source: str, data: bytes) -> None:
        self.source = source
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            names = self._zip.namelist()
            self.kind = self._kind(names)
            self._refuse_large()
            twice = next((name for name, count in Counter(names).items() if count > 1), None)
            if twice is not None:
                raise GameError(f"{source} has two parts {twice!r}; save it again in a spreadsheet")
            self._parts = {name: self._zip.read(name) for name in names if name.endswith((".xml", ".rels"))}
            for name, text in self._parts.items():
                self._check_xml(name, text)
        except GameError:
            raise
        except DAMAGED:
            raise GameError(f"{source} is damaged or was cut off; save or copy it again") from None

    def __getitem__(self, name: str) -> bytes:
        """Return a part; raise GameError if there is none."""
        if name not in self._parts:
            raise GameError(f"{self.source} has no part {name!r}; save it again in a spreadsheet")
        return self._parts[name]

    def get(self, name: str) -> bytes:
        """Return a part, empty if there is none."""
        return self._parts.get(name, b"")

    def _kind(self, names: list[str]) -> str:
        """Return ``xlsx`` or ``ods``; raise GameError for what else it may be."""
        if "xl/workbook.xml" in names:
            return "xlsx"
        mimetype = self._zip.read("mimetype")[:100] if "mimetype" in names else b""
        if b"opendocument.spreadsheet" in mimetype and "content.xml" in names:
            return "ods"
        what, remedy = "a zip file without a workbook", "unpack it first"
        if b"opendocument" in mimetype:
            what, remedy = "a document that is no spreadsheet", COPY
        for part, known, do in _PARTS:
            if any(name.startswith(part) for name in names):
                what, remedy = known, do
        raise GameError(f"{self.source} looks like {what}; {remedy}")

    def _check_xml(self, name: str, text: bytes) -> None:
        """Raise GameError for a part that is not well formed, which calamine may not come back from.

        Nor may it name entities, which could stand for any length, and cells may not hide in comments.
        """

        def refuse(*_: object) -> None:
            raise GameError(
                f"{self.source} has XML in {name!r} that no spreadsheet writes; save it again in one"
            )

        parser = expat.ParserCreate()
        parser.StartDoctypeDeclHandler = refuse
        if name.startswith(("content", "xl/work", "xl/_rels")):
            parser.CommentHandler = parser.StartCdataSectionHandler = refuse
            parser.ProcessingInstructionHandler = refuse
        try:
            parser.Parse(text, True)
        except expat.ExpatError as error:
            raise GameError(f"{self.source} is damaged ({name!r}: {error}); save or copy it again") from None

    def _refuse_large(self) -> None:
        size = sum(part.file_size for part in self._zip.infolist())
        if size > MOST_UNPACKED:
            raise GameError(
                f"{self.source} unpacks to {size // 10**6:,} MB; expected at most {MOST_UNPACKED // 10**6} MB"
            )
