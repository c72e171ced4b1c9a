"""`Sheet`: rows of text, with their places, as any file of tables is read."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Side = Literal["", "rows", "columns"]


@dataclass(frozen=True)
class Placed:
    """A row as it stands somewhere: where, such as ``'lamp.csv' line 3``, and its cells, the label first."""

    place: str
    cells: list[str]


@dataclass(frozen=True)
class Sheet:
    """The rows of a file that are not empty, without spaces around their cells.

    Attributes
    ----------
    source: the file, as it is named in messages.
    rows: the first has the labels of columns.
    said: how the file was read, a few words each, such as ``semicolons`` and ``Windows-1252``.
    causes: where the causes are, if the format says so; else empty.
    sets: whether the format says that ``a/b`` in a cell is a set of answers.
    """

    source: str
    rows: list[Placed]
    said: tuple[str, ...] = ()
    causes: Side = ""
    sets: bool = False
