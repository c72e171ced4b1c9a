"""Descriptions of taxa by characters and their states, as DELTA and SDD code them, made a sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .sheet import Cleaner, Placed, Sheet

INAPPLICABLE = "-"
CORNER = "character / taxon"
"""What stands in the corner: what rows and columns are."""


@dataclass
class Character:
    """A character with its states.

    Attributes
    ----------
    place: where it stands, such as ``'chars' character 3``.
    names: what it may be called, the shortest first; the first that no other has is used.
    states: its states, each by what it may be called in the same way.
    cost: what observing it costs, as text; empty if nothing is said.
    note, images: what is said of it, and the files of its pictures, parted by ``;``.
    """

    place: str
    names: list[str]
    states: list[list[str]]
    cost: str = ""
    note: str = ""
    images: str = ""


@dataclass
class Item:
    """A taxon: its names, the shortest first, its weight as text, and its states by character, from 0.

    A character that is left out is unknown; one without states is not applicable. `note` and `images` are as
    those of a character.
    """

    names: list[str]
    weight: str = ""
    states: dict[int, set[int]] = field(default_factory=dict)
    note: str = ""
    images: str = ""


def coded_sheet(
    source: str, characters: Sequence[Character], items: Sequence[Item], said: list[str]
) -> Sheet:
    """Return the sheet with a row for each character that is known of some item, a column for each item."""
    clean = Cleaner()
    used = [i for i in range(len(characters)) if any(item.states.get(i) for item in items)]
    if len(used) < len(characters):
        said.append(f"characters coded for no item left out: {len(characters) - len(used)}")
    labels = _distinct([characters[i].names for i in used], clean)
    header = [CORNER, *_distinct([item.names for item in items], clean)]
    beside = _beside([characters[i] for i in used], clean)
    rows = [Placed(source, [*header, *beside])]
    ordered: dict[str, tuple[str, ...]] = {}
    replaced: dict[str, None] = {}
    for n, (label, i) in enumerate(zip(labels, used, strict=True)):
        own = characters[i]
        states = _distinct([[_no_signs(name, replaced) for name in names] for names in own.states], clean)
        ordered[label] = tuple(states)
        cells = [_cell(item.states.get(i), states) for item in items]
        rows.append(Placed(own.place, [label, *cells, *(column[n] for column in beside.values())]))
    for name, texts in (
        ("weight", [item.weight for item in items]),
        ("notes", [clean(item.note) for item in items]),
        ("image", [item.images for item in items]),
    ):
        if any(texts):
            filled = [text or "1" for text in texts] if name == "weight" else texts
            rows.append(Placed(source, [name, *filled, *("" for _ in beside)]))
    if replaced:
        said.append(f"states without / | and : (as in {next(iter(replaced))!r})")
    return Sheet(source, rows, (*said, *clean.said), causes="columns", sets=True, states=ordered, taxa=True)


def _beside(characters: Sequence[Character], clean: Cleaner) -> dict[str, list[str]]:
    """Return the columns beside the cells: costs, notes and pictures, where there are some."""
    columns = {
        "cost": [own.cost for own in characters],
        "notes": [clean(own.note) for own in characters],
        "image": [own.images for own in characters],
    }
    found = {name: texts for name, texts in columns.items() if any(texts)}
    if "cost" in found:
        found["cost"] = [cost or "1" for cost in found["cost"]]
    return found


def _cell(known: set[int] | None, states: Sequence[str]) -> str:
    """Return the text of a cell."""
    if known is None:
        return ""
    return "/".join(states[state] for state in sorted(known)) or INAPPLICABLE


def _no_signs(text: str, replaced: dict[str, None]) -> str:
    """Return the name of a state without the signs of sets and odds; note where that changed it."""
    plain = re.sub(r"(?<=\d)/(?=\d)", "\u2044", text.strip(" /|:"))  # a fraction, as it should look
    plain = re.sub(r"\s*[/|]\s*", " or ", plain)
    plain = re.sub(r"\s*:\s*", ", ", plain).strip()
    if plain != text.strip():
        replaced[plain] = None
    return "none" if plain == INAPPLICABLE else plain


def _distinct(names: Sequence[Sequence[str]], clean: Cleaner) -> list[str]:
    """Return a label for each: its first name that is not empty and no other's, else one with its number."""
    cleaned = [[name for name in map(clean, some) if name] for some in names]
    for _ in range(max(map(len, cleaned), default=0)):
        shared = Counter(some[0] for some in cleaned if some)
        cleaned = [some[1:] if len(some) > 1 and shared[some[0]] > 1 else some for some in cleaned]
    labels = [some[0] if some else "" for some in cleaned]
    shared = Counter(labels)
    return [
        label if label and shared[label] == 1 else f"{label} ({i})".strip()
        for i, label in enumerate(labels, 1)
    ]
