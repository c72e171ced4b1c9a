"""What a table says of its tests and causes in words and pictures, which makes no other table of it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from .errors import GameError, shown

MOST_NOTE = 5000
"""Characters of a note."""
_LINK = re.compile(r"https://[^\s\"'<>\\^`{|}]{1,2000}")
_INSIDE = re.compile(r"data:image/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}")


@dataclass(frozen=True)
class Remarks:
    """Notes and pictures of tests, or of causes, by label.

    Attributes
    ----------
    notes: what is said of some, on one line.
    images: the pictures of some, as ``data:image/...`` that has all of it, or as a link ``https://...``,
        which nothing here opens.
    sources: what stood in the cell of the pictures, such as ``leaf.jpg``; of a strategy file it is not known.
    """

    notes: Mapping[str, str] = field(default_factory=dict)
    images: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.notes or self.images or self.sources)

    def renamed(self, groups: Mapping[str, Sequence[str]]) -> Remarks:
        """Return the remarks of other labels, each of which stands for some of these.

        Where it stands for several, each note begins with the label that it is of.
        """
        notes, images, sources = {}, {}, {}
        for label, own in groups.items():
            known = [one for one in own if one in self.notes]
            if known:
                named = [self.notes[one] if len(own) == 1 else f"{one}: {self.notes[one]}" for one in known]
                notes[label] = "; ".join(named)[:MOST_NOTE]
            if pictures := [uri for one in own for uri in self.images.get(one, ())]:
                images[label] = tuple(dict.fromkeys(pictures))
            if texts := [self.sources[one] for one in own if one in self.sources]:
                sources[label] = "; ".join(texts)
        return Remarks(notes, images, sources)

    def as_json(self) -> dict[str, dict[str, str] | dict[str, list[str]]]:
        """Return notes and images as plain data; without those that there are none of."""
        images = {label: list(some) for label, some in self.images.items()}
        return {key: value for key, value in (("notes", dict(self.notes)), ("images", images)) if value}


def is_link(text: str) -> bool:
    """Return whether a text is a link that a page may show: https, without signs that would end it."""
    return bool(_LINK.fullmatch(text))


def is_inside(text: str) -> bool:
    """Return whether a text has a whole picture in it, of a type that browsers show."""
    return bool(_INSIDE.fullmatch(text))


def remarks_of(known: Mapping[str, Mapping[str, Any]], labels: Sequence[str], what: str) -> Remarks:
    """Return the remarks in plain data as `Remarks.as_json` makes it.

    Raises GameError for a label that is none of `labels`, a note that does not fit on a line, and for what is
    no picture.
    """
    notes, images = known.get("notes", {}), known.get("images", {})
    accepted = set(labels)
    for key, some in (("notes", notes), ("images", images)):
        odd = next((label for label in some if label not in accepted), None)
        if odd is not None:
            raise GameError(f"table.{key}.{what}: {shown(odd)} is none of the {what}")
    for label, note in notes.items():
        if not isinstance(note, str) or not note.strip() or not note.isprintable() or len(note) > MOST_NOTE:
            raise GameError(
                f"table.notes.{what}: the note of {shown(label)} is {shown(note)}; expected a text on one "
                f"line, of at most {MOST_NOTE} characters"
            )
    found: dict[str, tuple[str, ...]] = {}
    for label, some in images.items():
        found[label] = tuple(map(str, some if isinstance(some, list) else [some]))
        odd = next((uri for uri in found[label] if not is_link(uri) and not is_inside(uri)), None)
        if odd is not None:
            raise GameError(
                f"table.images.{what}: {shown(odd)} of {shown(label)}; expected a picture as "
                "data:image/png;base64,... (or jpeg, gif, webp), or a link https://..."
            )
    return Remarks({label: str(note) for label, note in notes.items()}, found)
