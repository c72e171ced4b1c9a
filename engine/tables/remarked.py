"""Lines of a table that hold notes and pictures of its tests, or of its causes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ..errors import GameError, shown
from ..exact import is_number
from ..remarks import MOST_NOTE, Remarks
from ..sheets import Placed
from ..sheets.beside import Beside, Pictures, looks_like_pictures
from .extras import Stated
from .headings import read_heading

NOTES, IMAGE = "notes", "image"
"""What such lines are called in the canonical form."""
_WORDS = {
    NOTES: "notes remarks comments hinweise bemerkung bemerkungen anmerkung anmerkungen notizen remarques "
    "notas observaciones",
    IMAGE: "image images picture pictures photo photos bild bilder foto fotos imagen imágenes",
}
_KINDS = {word: kind for kind, words in _WORDS.items() for word in words.split()}
_SHORT = 3
"""Answers such as ``yes`` have so many letters at most; a line of nothing else is a test."""
_ANSWERS = {"nein", "true", "false", "none", "wahr", "falsch"}


def remark_of(label: str, cells: Sequence[str]) -> str:
    """Return ``notes`` or ``image`` for a line that holds some, by its label and its cells; else nothing."""
    kind = "" if label.endswith("?") else _KINDS.get(read_heading(label).noun, "")
    filled = [cell for cell in cells if cell]
    if kind == IMAGE:
        return kind if filled and all(map(looks_like_pictures, filled)) else ""
    told = [
        cell
        for cell in filled
        if len(cell) > _SHORT and cell.casefold() not in _ANSWERS and not is_number(cell)
    ]
    return kind if told or not filled else ""


@dataclass(frozen=True)
class Remarked:
    """The lines of notes and pictures: their cells by test, and by cause, with their labels."""

    tests: dict[str, dict[str, Stated]] = field(default_factory=dict)
    causes: dict[str, dict[str, Stated]] = field(default_factory=dict)
    labels: tuple[tuple[str, str], ...] = ()

    def said(self) -> list[str]:
        """Return in a few words from which lines notes and pictures are, where that is not plain."""
        what = {NOTES: "notes", IMAGE: "pictures"}
        return [f"{what[kind]} from {shown(label)}" for label, kind in self.labels if label != kind]


def take_remarks(rows: list[Placed]) -> Remarked:
    """Take such lines out of rows that have tests below the labels of causes, and return them.

    Raises GameError for two lines that say the same.
    """
    header, *body = rows
    down = {i: kind for i, row in enumerate(body) if (kind := remark_of(row.cells[0], row.cells[1:]))}
    rest = [row for i, row in enumerate(body) if i not in down]
    across = {
        j: kind
        for j, label in enumerate(header.cells)
        if j and (kind := remark_of(label, [row.cells[j] for row in rest]))
    }
    tests: dict[str, dict[str, Stated]] = {}
    causes: dict[str, dict[str, Stated]] = {}
    labels: list[tuple[str, str]] = []
    for j, kind in across.items():
        _check_first(kind, tests, header.place, header.cells[j])
        tests[kind] = {row.cells[0]: Stated(row.place, row.cells[j]) for row in rest if row.cells[j]}
        labels.append((header.cells[j], kind))
    for i, kind in down.items():
        row = body[i]
        _check_first(kind, causes, row.place, row.cells[0])
        causes[kind] = {
            label: Stated(row.place, cell)
            for j, (label, cell) in enumerate(zip(header.cells, row.cells, strict=True))
            if j and j not in across and cell
        }
        labels.append((row.cells[0], kind))
    if labels:
        kept = [j for j in range(len(header.cells)) if j not in across]
        rows[:] = [Placed(row.place, [row.cells[j] for j in kept]) for row in (header, *rest)]
    return Remarked(tests, causes, tuple(dict.fromkeys(labels)))


def _check_first(kind: str, known: Mapping[str, object], place: str, label: str) -> None:
    if kind in known:
        raise GameError(f"{place}: {shown(label)} is a second line of {kind}; expected one of them")


def remarks_in(
    lines: Mapping[str, Mapping[str, Stated]], labels: Sequence[str], beside: Pictures | None
) -> Remarks:
    """Return the remarks of some tests or causes, with their pictures, unless there is nothing beside them.

    Raises GameError with the place of a picture that is none, and of a note that is too long.
    """
    notes: dict[str, str] = {}
    images: dict[str, tuple[str, ...]] = {}
    sources: dict[str, str] = {}
    for label in labels:
        note, picture = (lines.get(kind, {}).get(label) for kind in (NOTES, IMAGE))
        if note:
            if len(note.text) > MOST_NOTE:
                raise GameError(
                    f"{note.place}: a note of {len(note.text):,} characters, of {shown(label)}; expected at "
                    f"most {MOST_NOTE:,}"
                )
            notes[label] = note.text
        if picture:
            sources[label] = picture.text
            if beside is not None and (found := beside.of(picture.place, picture.text)):
                images[label] = found
    return Remarks(notes, images, sources)


def pictures_beside(beside: Beside | None, *, lenient: bool) -> Pictures | None:
    """Return what reads pictures beside a table; None for a table that is nowhere."""
    return None if beside is None else Pictures(beside, lenient=lenient)
