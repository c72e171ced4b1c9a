"""Awkward files: the bytes of each, and the table that they mean or words of the line that refuses them.

`tests/data/awkward.json` has them by kind: texts, workbooks, and files of other formats. A file is a text of
UTF-8, or an object of one entry: a text by its encoding, the parts of a `zip` (a number: one of the `shared`
parts), or bytes as `base64` or `zlib`.
"""

import base64
import io
import json
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent.parent / "data" / "awkward.json"
KINDS = ("texts", "books", "formats")


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
    rows: Sequence[Sequence[str]] | None = None
    refused: Sequence[str] = ()
    said: Sequence[str] = ()
    sheet: str = ""
    path: str = ""

    def write(self, folder: Path) -> Path:
        """Write the files into a folder, which is made, and return what to read."""
        folder.mkdir(parents=True)
        for name, data in self.files.items():
            (folder / name).write_bytes(data)
        return folder / (self.path or next(iter(self.files)))


@cache
def awkward(kind: str) -> tuple[Awkward, ...]:
    """Return the awkward files of a kind."""
    known: dict[str, list[Any]] = json.loads(DATA.read_text("utf-8"))
    return tuple(
        Awkward(**case | {"files": {n: bytes_of(file, known["shared"]) for n, file in case["files"].items()}})
        for case in known[kind]
    )


def bytes_of(file: str | dict[str, Any], shared: Sequence[str]) -> bytes:
    """Return the bytes of a file."""
    if isinstance(file, str):
        return file.encode()
    ((how, content),) = file.items()
    if how == "zip":
        return zipped(
            {name: shared[part] if isinstance(part, int) else part for name, part in content.items()}
        )
    if how in ("base64", "zlib"):
        data = base64.b64decode(content)
        return zlib.decompress(data) if how == "zlib" else data
    text: str = content
    return text.encode(how)


def zipped(parts: Mapping[str, str | bytes]) -> bytes:
    """Return a zip file of parts."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as package:
        for name, text in parts.items():
            package.writestr(name, text)
    return file.getvalue()
