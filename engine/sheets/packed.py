"""Zip files of a table with its pictures, or of a data set of DELTA: read in memory, not unpacked to disk."""

from __future__ import annotations

import io
import zipfile
from collections import Counter
from pathlib import PurePosixPath

from ..errors import GameError, shown
from .zipped import DAMAGED, MOST_UNPACKED

MOST_PARTS = 10_000
_OFFICE = ("[Content_Types].xml", "mimetype", "xl/", "word/", "ppt/", "Index/")
"""What the parts of documents of office programs are called."""
TABLES = (
    ".csv",
    ".tsv",
    ".tab",
    ".txt",
    ".xlsx",
    ".ods",
    ".arff",
    ".xml",
    ".sdd",
    ".nex",
    ".nexus",
    ".nxs",
)
"""How the names of tables end."""


def is_document(data: bytes) -> bool:
    """Return whether a zip file is a document of an office program, or one that is damaged."""
    try:
        names = zipfile.ZipFile(io.BytesIO(data)).namelist()
    except DAMAGED:
        return True
    return not names or any(name.startswith(_OFFICE) for name in names)


class Packed:
    """The files of a zip file, without those that systems hide; raises GameError for what no table needs.

    Attributes
    ----------
    path: the zip file, as it is named.
    names: the files in it, with their folders.
    """

    def __init__(self, path: str, data: bytes) -> None:
        self.path = path
        own = repr(path)
        try:
            self._zip = zipfile.ZipFile(io.BytesIO(data))
            parts = [part for part in self._zip.infolist() if not part.is_dir()]
        except DAMAGED:
            raise GameError(f"{own} is damaged or was cut off; save or copy it again") from None
        size = sum(part.file_size for part in parts)
        if len(parts) > MOST_PARTS or size > MOST_UNPACKED:
            raise GameError(
                f"{own} unpacks to {len(parts):,} files of {size // 10**6:,} MB; expected at most "
                f"{MOST_PARTS:,} files of {MOST_UNPACKED // 10**6} MB"
            )
        for part in parts:
            way = PurePosixPath(part.filename.replace("\\", "/"))
            if way.is_absolute() or ".." in way.parts or ":" in part.filename:
                raise GameError(
                    f"{own} has a file {shown(part.filename)}, which is outside of it; pack it again"
                )
            if part.flag_bits & 1:
                raise GameError(f"{own} has a password; expected a zip file without one")
        names = [part.filename for part in parts]
        twice = next((name for name, count in Counter(names).items() if count > 1), None)
        if twice is not None:
            raise GameError(f"{own} has two files {shown(twice)}; pack it again")
        self.names = [name for name in names if not _is_hidden(name)]

    def __call__(self, name: str) -> bytes:
        """Return the bytes of a file; raise GameError that names it where it is damaged."""
        try:
            return self._zip.read(name)
        except DAMAGED:
            raise GameError(f"{self.place(name)!r} is damaged; save or copy {self.path!r} again") from None

    def place(self, name: str) -> str:
        """Return how a file in it is named."""
        return f"{self.path}/{name}"

    def table(self) -> str:
        """Return the name of the only table in it; raise GameError where there is none, or several."""
        found = [name for name in self.names if name.lower().endswith(TABLES)]
        if len(found) == 1:
            return found[0]
        what = f"{len(found)} tables: {', '.join(map(shown, found[:3]))}" if found else "no table"
        more = ", ..." * (len(found) > 3)
        raise GameError(
            f"{self.path!r} has {what}{more}; expected one table and its pictures, or chars, "
            "items and specs of DELTA"
        )

    def beside(self, name: str) -> PackedFolder:
        """Return the files beside one of these."""
        return PackedFolder(self, str(PurePosixPath(name).parent))


class PackedFolder:
    """The files in a folder of a zip file."""

    def __init__(self, packed: Packed, folder: str) -> None:
        self.packed = packed
        self.folder = folder

    def read(self, name: str, most: int) -> bytes | None:
        """Return the bytes of a file, at most one more than `most`; None where there is none."""
        place = name if self.folder == "." else f"{self.folder}/{name}"
        return self.packed(place)[: most + 1] if place in self.packed.names else None


def _is_hidden(name: str) -> bool:
    """Return whether a file is there for the system that packed it."""
    return any(part.startswith((".", "__MACOSX")) or part == "Thumbs.db" for part in name.split("/"))
