"""What tables of responses take, and what this machine has."""

from __future__ import annotations

import os

from .errors import SpaceError


def physical_memory() -> int:
    """Return the memory of this machine in bytes."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")


def size_text(size: float) -> str:
    """Return a number of bytes in the unit that suits it, KiB to GiB."""
    for power, unit in ((30, "GiB"), (20, "MiB")):
        if size >= 1 << power:
            return f"{size / 2**power:.3g} {unit}"
    return f"{size / 2**10:.3g} KiB"


def require_memory(game: str, guesses: int, secrets: int, size: int = 1) -> None:
    """Raise SpaceError when two tables of responses would take over half of this machine's memory.

    Two, because the search keeps one by guesses and one by secrets; `size` bytes a response.
    """
    need, have = 2 * guesses * secrets * size, physical_memory() // 2
    if need > have:
        raise SpaceError(
            f"{game} has {secrets} secrets and {guesses} guesses: its table of responses would need "
            f"{size_text(need)}, and {size_text(have)} may be used here"
        )
