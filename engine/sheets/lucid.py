"""CSV as Lucid writes it: a row for each state, a column for each taxon, and scores in the cells.

Help of Lucid Builder, CSV (Comma Separated Value) Files, lucidcentral.org: states and taxa are named by their
paths in the trees of the key, with colons between; 0 absent, 1 common, 2 rare, 3 uncertain, 4 and 5 common
and rare by misinterpretation, 6 not scoped; a number has a row that ends with ``#``.
"""

from __future__ import annotations

from collections.abc import Sequence

from .coded import Character, Item, coded_sheet
from .sheet import Placed, Sheet

_BETWEEN, _NUMERIC = ":", "#"
_SCORES = frozenset("0123456")
_SEEN, _UNCERTAIN, _NOT_SCOPED = frozenset("12345"), "3", "6"
LEAST_STATES = 4
"""So many rows tell that a table is of Lucid."""


def as_lucid(sheet: Sheet) -> Sheet | None:
    """Return the taxa, characters and states of a CSV file of Lucid; None for any other table.

    It is one where every row, or every column, is named by a path, every cell is a score, and some character
    has several states. A state that is scored in any way but absent may be seen; a character of which nothing
    is said but that it is uncertain or not scoped is unknown, one whose states are all absent does not apply.
    """
    rows = sheet.rows
    if len(rows) < 2 or len({len(row.cells) for row in rows}) > 1:
        return None
    turned = not _is_paths([row.cells[0] for row in rows[1:]])
    if turned:
        columns = zip(*(row.cells for row in rows), strict=True)
        rows = [Placed(f"{sheet.source} column {j}", list(cells)) for j, cells in enumerate(columns, 1)]
    header, *body = rows
    numeric = [row for row in body if row.cells[0].endswith(_NUMERIC)]
    states = [row for row in body if not row.cells[0].endswith(_NUMERIC)]
    grouped: dict[str, list[Placed]] = {}
    for row in states:
        grouped.setdefault(row.cells[0].rpartition(_BETWEEN)[0], []).append(row)
    if not (
        header.cells[0] == ""
        and len(states) >= LEAST_STATES
        and _is_paths([row.cells[0] for row in body])
        and all(cell in _SCORES for row in states for cell in row.cells[1:])
        and any(len(own) > 1 for own in grouped.values())
    ):
        return None
    said = [*sheet.said, "CSV of Lucid", *(["taxa in rows"] if turned else [])]
    if numeric:
        said.append(f"characters without states left out: {len(numeric)}")
    names = header.cells[1:]
    groups = {name for name in names if any(other.startswith(name + _BETWEEN) for other in names)}
    if groups:
        said.append(f"groups of taxa left out: {len(groups)}")
    kept = [j for j, name in enumerate(names, 1) if name not in groups]
    characters = [
        Character(own[0].place, _named(path), [_named(row.cells[0])[:1] for row in own])
        for path, own in grouped.items()
    ]
    items = [Item(_named(header.cells[j]), "", _scored(list(grouped.values()), j)) for j in kept]
    return coded_sheet(sheet.source, characters, items, said)


def _is_paths(labels: Sequence[str]) -> bool:
    """Return whether all labels are paths of states, or of numbers."""
    return all(_BETWEEN in label.strip(_BETWEEN) or label.endswith(_NUMERIC) for label in labels)


def _named(path: str) -> list[str]:
    """Return what the end of a path may be called: by itself, or with what is above it."""
    parts = [part.strip() for part in path.split(_BETWEEN)]
    return [parts[-1], ", ".join(parts)] if len(parts) > 1 else parts


def _scored(characters: Sequence[Sequence[Placed]], j: int) -> dict[int, set[int]]:
    """Return the states, from 0, that a taxon may have, by character."""
    found = {}
    for c, rows in enumerate(characters):
        scores = [row.cells[j] for row in rows]
        seen = {i for i, score in enumerate(scores) if score in _SEEN}
        certain = any(score in _SEEN and score != _UNCERTAIN for score in scores)
        if certain or (seen and len(seen) < len(scores)):
            found[c] = seen
        elif not seen and _NOT_SCOPED not in scores:
            found[c] = set()
    return found
