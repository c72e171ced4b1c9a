"""Descriptions of taxa by characters and their states, as DELTA and SDD code them, made a sheet."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from .sheet import Cleaner, Placed, Sheet

INAPPLICABLE = "-"


@dataclass
class Character:
    """A character with its states.

    Attributes
    ----------
    place: where it stands, such as ``'chars' character 3``.
    names: what it may be called, the shortest first; the first that no other has is used.
    states: its states, each by what it may be called in the same way.
    cost: what observing it costs, as text; empty if nothing is said.
    """

    place: str
    names: list[str]
    states: list[list[str]]
    cost: str = ""


@dataclass
class Item:
    """A taxon: its names, the shortest first, its weight as text, and its states by character, from 0.

    A character that is left out is unknown; one without states is not applicable.
    """

    names: list[str]
    weight: str = ""
    states: dict[int, set[int]] = field(default_factory=dict)


def coded_sheet(
    source: str, characters: Sequence[Character], items: Sequence[Item], said: list[str]
) -> Sheet:
    """Return the sheet with a row for each character that is known of some item, a column for each item."""
    clean = Cleaner()
    used = [i for i in range(len(characters)) if any(item.states.get(i) for item in items)]
    if len(used) < len(characters):
        said.append(f"characters coded for no item left out: {len(characters) - len(used)}")
    labels = _distinct([characters[i].names for i in used], clean)
    header = ["character", *_distinct([item.names for item in items], clean)]
    costs = any(characters[i].cost for i in used)
    rows = [Placed(source, header + ["cost"] * costs)]
    replaced: dict[str, None] = {}
    for label, i in zip(labels, used, strict=True):
        own = characters[i]
        states = _distinct([[_no_signs(name, replaced) for name in names] for names in own.states], clean)
        cells = [_cell(item.states.get(i), states) for item in items]
        rows.append(Placed(own.place, [label, *cells] + [own.cost or "1"] * costs))
    if any(item.weight for item in items):
        rows.append(Placed(source, ["weight", *(item.weight or "1" for item in items)] + [""] * costs))
    if replaced:
        said.append(f"states without / | and : (as in {next(iter(replaced))!r})")
    return Sheet(source, rows, (*said, *clean.said), causes="columns", sets=True)


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
