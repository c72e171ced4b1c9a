"""What tables of responses take, and what this machine has."""

from __future__ import annotations

import os
import resource
from pathlib import Path

from .errors import SpaceError
from .notation import plural


def physical_memory() -> int:
    """Return the memory of this machine in bytes, or less where processes may take less."""
    have = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    limit = resource.getrlimit(resource.RLIMIT_AS)[0]
    have += [limit] * (limit != resource.RLIM_INFINITY)
    have += _numbers(Path("/sys/fs/cgroup/memory.max"), "")
    return min(have)


def free_memory() -> int:
    """Return how many bytes processes can still take; `physical_memory` where nothing tells."""
    return min([physical_memory(), *(1024 * n for n in _numbers(Path("/proc/meminfo"), "MemAvailable:"))])


def usual_memory() -> int:
    """Return the bytes that are taken unless a request says more: half of all, at most what is free."""
    return min(physical_memory() // 2, free_memory() * 9 // 10)


def _numbers(path: Path, name: str) -> list[int]:
    """Return the number on the line of a file that begins with a name; nothing where there is none."""
    try:
        lines = path.read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return []
    words = next((line.removeprefix(name).split() for line in lines if line.startswith(name)), [])
    return [int(word) for word in words[:1] if word.isdecimal()]


def size_text(size: float) -> str:
    """Return a number of bytes in the unit that suits it, bytes to TiB."""
    if size < 1 << 10:
        return plural(int(size), "byte")
    for power, unit in ((40, "TiB"), (30, "GiB"), (20, "MiB")):
        if size >= 1 << power:
            return f"{size / 2**power:.3g} {unit}"
    return f"{size / 2**10:.3g} KiB"


def require_memory(game: str, guesses: int, secrets: int, size: int = 1) -> None:
    """Raise SpaceError when two tables of responses would take more than may be used.

    Two, because the search keeps one by guesses and one by secrets; `size` bytes a response.
    """
    need, have = 2 * guesses * secrets * size, usual_memory()
    if need > have:
        raise SpaceError(too_large(game, guesses, secrets, size_text(need), have))


def too_large(game: str, guesses: int, secrets: int, need: str, have: int) -> str:
    """Return in words that tables of responses would need more than may be used."""
    return (
        f"{game} has {secrets} secrets and {guesses} guesses: tables of responses would need {need}, and "
        f"{size_text(have)} may be used"
    )
