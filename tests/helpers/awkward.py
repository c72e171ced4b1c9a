"""What an awkward file is: bytes, with the table that they mean or words of the line that refuses them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

Rows = Sequence[Sequence[str]]


@dataclass(frozen=True)
class Awkward:
    """A file, or a few in a folder, with what is expected of reading it.

    Attributes
    ----------
    name: what is awkward.
    files: the bytes of each file.
    rows: the table as meant; or
    refused: what the line that refuses it has to say.
    said: what has to be said of how it was read.
    sheet: the sheet asked for.
    path: which of the files is read, ``.`` for the folder; empty: the first.
    """

    name: str
    files: Mapping[str, bytes]
    rows: Rows | None = None
    refused: tuple[str, ...] = ()
    said: tuple[str, ...] = ()
    sheet: str = ""
    path: str = ""

    def write(self, folder: Path) -> Path:
        """Write the files into a folder, which is made, and return what to read."""
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        return folder / (self.path or next(iter(self.files)))


def read(name: str, file: str, data: str | bytes, rows: Rows, *said: str, sheet: str = "") -> Awkward:
    """Return a file that is read as a table."""
    return Awkward(name, {file: _bytes(data)}, rows=rows, said=said, sheet=sheet)


def refused(name: str, file: str, data: str | bytes, *words: str, sheet: str = "") -> Awkward:
    """Return a file that is refused with some words."""
    return Awkward(name, {file: _bytes(data)}, refused=words, sheet=sheet)


def _bytes(data: str | bytes) -> bytes:
    return data if isinstance(data, bytes) else data.encode()
