"""Several ledgers of one game become one: the best that any of them knows of each claim."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from ..errors import GuesstreeError
from .ledger import Ledger
from .records import About, Rise


def merge_into(path: str, sources: Sequence[Ledger]) -> None:
    """Write a new ledger with what others of the same game and objective know.

    What was accepted stays so. Effort adds up; that of ledgers that have work in common, as copies of one,
    counts once. What two of them cannot both say is refused by name.
    """
    about = about_all(sources)
    counted: set[str] = set()
    with closing(Ledger(path, about)) as target:
        target.history += rises_of(sources)
        for source in sources:
            origins = set(source.about.origins)
            target.absorb(source, once=not origins.isdisjoint(counted))
            counted |= origins
        target.commit()


def about_all(sources: Sequence[Ledger]) -> About:
    """Return what a merged ledger is about; raise GuesstreeError where they are about different things."""
    first = sources[0].about
    for source in sources:
        if different := source.about.difference(first):
            raise GuesstreeError(f"{source.path!r} is a ledger {different}: {sources[0].path!r} is one")
    origins = {origin: None for source in sources for origin in source.about.origins}
    return replace(first, origins=tuple(origins))


def rises_of(sources: Sequence[Ledger]) -> list[Rise]:
    """Return how the bounds of the game rose in all of them together."""
    found: list[Rise] = []
    now: dict[tuple[str, int], dict[int, Rise]] = {}
    last: dict[tuple[str, int], Rise] = {}
    for rise, source in sorted((rise, i) for i, one in enumerate(sources) for rise in one.history):
        key = rise.figure, rise.depth
        of = now.setdefault(key, {})
        of[source] = rise
        bounds = max(one.lower for one in of.values()), min(one.upper for one in of.values())
        best = Rise(rise.time, *key, *bounds, max(one.accepted for one in of.values()))
        if key not in last or last[key][1:] != best[1:]:
            last[key] = best
            found.append(best)
    return found
