"""Labels: looked up, and listed in messages."""

from __future__ import annotations

from collections.abc import Sequence

from .emphasis import unmarked
from .errors import GameError, shown
from .notation import article


def quoted(labels: Sequence[str], most: int = 20) -> str:
    """Return some labels as a list for a message."""
    some = ", ".join(repr(labels[i]) for i in range(min(most, len(labels))))
    return some + (f", ... ({len(labels)} in all)" if len(labels) > most else "")


def find_label(labels: Sequence[str], label: str, what: str) -> int:
    """Return the position of `label`; raise GameError that names it and shows some that exist."""
    try:
        if isinstance(label, str):
            return labels.index(label) if hasattr(labels, "index") else list(labels).index(label)
    except ValueError:
        found = unmarked(labels, label)
        if len(found) == 1:  # its marks of emphasis are not typed
            return found[0]
    raise GameError(f"{shown(label)} is not {article(what)}; expected {quoted(labels, 3)}")
