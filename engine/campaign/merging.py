"""Several ledgers of one game become one: the best that any of them knows of each claim."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace

from ..errors import GuesstreeError
from .about import About
from .ledger import Ledger
from .records import Rise


def merge(sources: Sequence[Ledger], path: str) -> None:
    """Write a new ledger with what others of the same game and objective know.

    Where some count what the search says (--trust) and others do not, accepted proofs alone count, and what
    the first say is searched only. What was accepted stays so. Effort adds up; that of ledgers that have work
    in common, as copies of one, counts once. What two of them cannot both say is refused by name.
    """
    about = about_all(sources)
    counted: set[str] = set()
    with closing(Ledger(path, about)) as target:
        target.history += rises_of(sources, trust=about.trust)
        for source in sources:
            origins = set(source.about.origins)
            accepted = about.trust or not source.about.trust
            target.absorb(source, accepted=accepted, once=not origins.isdisjoint(counted))
            counted |= origins
        target.commit()


def about_all(sources: Sequence[Ledger]) -> About:
    """Return what a merged ledger is about; raise GuesstreeError where they are about different things."""
    first, trust = sources[0].about, all(source.about.trust for source in sources)
    for source in sources:
        if different := replace(source.about, trust=trust).difference(replace(first, trust=trust)):
            raise GuesstreeError(f"{source.path!r} is a ledger {different}: {sources[0].path!r} is one")
    origins = {origin: None for source in sources for origin in source.about.origins}
    return replace(first, trust=trust, origins=tuple(origins))


def rises_of(sources: Sequence[Ledger], *, trust: bool) -> list[Rise]:
    """Return how the bounds of the game rose in all of them together."""
    found: list[Rise] = []
    now: dict[tuple[str, int], dict[int, Rise]] = {}
    last: dict[tuple[str, int], Rise] = {}
    for rise, source in sorted((rise, i) for i, one in enumerate(sources) for rise in one.history):
        key, counts = (rise.part, rise.depth), trust or not sources[source].about.trust
        of = now.setdefault(key, {})
        of[source] = rise if counts else rise._replace(accepted=0)
        bounds = max(one.lower for one in of.values()), min(one.upper for one in of.values())
        best = Rise(rise.time, *key, *bounds, max(one.accepted for one in of.values()))
        if key not in last or last[key][1:] != best[1:]:
            last[key] = best
            found.append(best)
    return found
