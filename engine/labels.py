"""Labels: looked up, and listed in messages."""

from __future__ import annotations

from collections.abc import Sequence

from .emphasis import bare
from .errors import GameError, shown
from .notation import article

MOST_LOOKED_AT = 100_000
"""Of so many labels one is found without its marks of emphasis, too."""


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
        some = labels if len(labels) <= MOST_LOOKED_AT else ()
        found = [i for i, known in enumerate(some) if known != label and bare(known) == label]
        if len(found) == 1:  # its marks of emphasis are not typed
            return found[0]
    raise GameError(f"{shown(label)} is not {article(what)}; expected {quoted(labels, 3)}")
