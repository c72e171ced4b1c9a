"""Files beside a table, in its folder or in its zip: read by name, and never outside of these."""

from __future__ import annotations

import base64
import re
from pathlib import Path, PurePosixPath
from typing import Protocol

from ..errors import GameError, shown
from ..opened import open_whole
from ..remarks import is_inside, is_link

MOST_PICTURE = 2_000_000
"""Bytes of a picture."""
MOST_PICTURES = 30_000_000
"""Bytes of all pictures of a table: a strategy file and its page have them all inside."""
USUAL = ("images", "pictures", "media")
"""Folders where programs of taxonomy have pictures that they name without them."""
TYPES = {
    "png": rb"\x89PNG\r\n\x1a\n",
    "jpeg": rb"\xff\xd8\xff",
    "gif": rb"GIF8[79]a",
    "webp": rb"RIFF....WEBP",
}
"""The pictures that are shown, by how their bytes begin."""
_PARTED = re.compile(r"\s*;\s*(?!base64,)")
_LIKE_ONE = re.compile(r"(?i)data:image/.*|https?://.*|.*\.(png|jpe?g|gif|webp|svgz?|tiff?|bmp|avif|heic)")
_MADE_OF = "expected a PNG, JPEG, GIF or WebP"


class Beside(Protocol):
    """The files that lie beside a table."""

    def read(self, name: str, most: int) -> bytes | None:
        """Return the bytes of a file, at most one more than `most`; None where there is none."""


class Folder:
    """The files in a folder and in those below it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self, name: str, most: int) -> bytes | None:
        """Return the bytes of a file, at most one more than `most`; None where there is none."""
        try:
            place = (self._path / name).resolve()
            if not place.is_relative_to(self._path.resolve()) or not place.is_file():
                return None
            with open_whole(place) as file:
                return file.read(most + 1)
        except (OSError, ValueError, RuntimeError):  # a name that is too long, a null byte, a circle of links
            return None


class Nowhere:
    """No files: what is given as data has none beside it."""

    def read(self, name: str, most: int) -> bytes | None:  # noqa: ARG002 - of the kind
        """Return None."""
        return None


def looks_like_pictures(text: str) -> bool:
    """Return whether a cell names pictures: files, links, or pictures that are in it."""
    parts = _PARTED.split(text.strip())
    return bool(text.strip()) and all(_LIKE_ONE.fullmatch(part) for part in parts if part)


class Pictures:
    """Pictures as they are embedded: each is read from beside the table, and counted.

    Those that are not there are left out and named in `missing`; with `lenient`, so are others that no page
    shows.
    """

    def __init__(self, beside: Beside, *, lenient: bool = False) -> None:
        self._beside = beside
        self._lenient = lenient
        self._known: dict[str, str] = {}
        self._sum = 0
        self.missing: dict[str, None] = {}

    def of(self, place: str, text: str) -> tuple[str, ...]:
        """Return the pictures that a cell names, parted by ``;``; raise GameError with the place for none."""
        parts = dict.fromkeys(filter(None, _PARTED.split(text.strip())))
        return tuple(filter(None, (self._one(place, part) for part in parts)))

    def _one(self, place: str, name: str) -> str:
        """Return a picture as a URI; empty where it is not there and may be missing."""
        if name not in self._known:
            try:
                found = name if is_link(name) or is_inside(name) else self._read(place, name)
            except GameError:
                if not self._lenient:
                    raise
                self.missing[name], found = None, ""
            self._sum += len(found)
            if self._sum > MOST_PICTURES * 4 // 3:
                raise GameError(
                    f"{place}: with the picture {shown(name)} there are more than {MOST_PICTURES // 10**6} "
                    "MB of pictures; expected smaller ones"
                )
            self._known[name] = found
        return self._known[name]

    def _read(self, place: str, name: str) -> str:
        """Return the picture in a file beside the table."""
        wanted = f"{place}: the picture {shown(name)}"
        if name.lower().startswith(("data:", "http:", "https:")):
            raise GameError(
                f"{wanted} is no link https://... and no data:image/png;base64,...; expected one, or the "
                "name of a file beside the table"
            )
        way = PurePosixPath(name.replace("\\", "/"))
        if way.is_absolute() or ".." in way.parts or ":" in name or "\0" in name:
            raise GameError(f"{wanted} is not beside the table; expected the name of a file in its folder")
        ways = [str(way), *(f"{folder}/{way}" for folder in USUAL if self._lenient)]
        data = next(filter(None, (self._beside.read(one, MOST_PICTURE) for one in ways)), None)
        if data is None:
            if isinstance(self._beside, Nowhere):
                raise GameError(
                    f"{wanted} is a file; expected data:image/png;base64,... or a link https://..."
                )
            self.missing[name] = None
            return ""
        if len(data) > MOST_PICTURE:
            raise GameError(f"{wanted} has more than {MOST_PICTURE // 10**6} MB; expected a smaller one")
        kind = next((kind for kind, start in TYPES.items() if re.match(start, data, re.DOTALL)), "")
        if not kind:
            raise GameError(f"{wanted} is of another kind than pages show; {_MADE_OF}")
        return f"data:image/{kind};base64,{base64.b64encode(data).decode()}"
