"""Several files that belong together, as one: a table with its pictures, or a data set of DELTA."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from guesstree.engine.errors import GameError, shown
from guesstree.engine.sheets import Sheet
from guesstree.engine.sheets.beside import looks_like_pictures
from guesstree.engine.sheets.packed import TABLES, PackedFolder

MOST_FILES = 500
"""Files that are brought at once, pictures among them."""


def packed(files: Sequence[tuple[str, bytes]]) -> tuple[str, bytes]:
    """Return the name and the bytes of a zip file of files, each with its name.

    Raises GameError for two files of one name.
    """
    names = [PurePosixPath(name.replace("\\", "/")).name or "file" for name, _ in files]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise GameError(f"two files are called {shown(twice)}; expected files of different names")
    own = next((PurePosixPath(name).stem for name in names if name.lower().endswith(TABLES)), "")
    if not own:  # of DELTA: by its characters, chars or chars_grass
        chars = next((name for name in names if "chars" in name.lower()), "")
        own = re.sub("(?i)chars|[^A-Za-z0-9]+", " ", PurePosixPath(chars).stem).strip() or "delta"
    return f"{own}.zip", _zip_of({name: data for name, (_, data) in zip(names, files, strict=True)})


def with_its_pictures(sheet: Sheet, name: str, data: bytes) -> tuple[str, bytes]:
    """Return a table that stands for the one of a sheet, packed with the pictures beside that, if any are."""
    beside = sheet.beside
    if not isinstance(beside, PackedFolder):
        return name, data
    start = "" if beside.folder == "." else f"{beside.folder}/"
    pictures = {
        one.removeprefix(start): beside.packed(one)
        for one in beside.packed.names
        if one.startswith(start) and looks_like_pictures(one)
    }
    if not pictures:
        return name, data
    return f"{PurePosixPath(name).stem}.zip", _zip_of({name: data} | pictures)


def _zip_of(files: Mapping[str, bytes]) -> bytes:
    """Return the bytes of a zip file; the same files give the same."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as package:
        for name in sorted(files):
            package.writestr(zipfile.ZipInfo(name), files[name], zipfile.ZIP_DEFLATED)
    return data.getvalue()
