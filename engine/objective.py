"""What is minimised, as tuples of integers compared from the left.

Law: combining the parts of a partition is monotone in each part for `worst` (one more than the largest) and
for `expected` (candidates plus the sum), so each can be solved part by part. A pair cannot: a part that is
not on the deepest branch may use the slack that the deepest leaves. It can under a depth limit, which is how
`engine.search` solves pairs: first the least worst case, then the least total under it, with the guesses
left in the key of every state; or first the least total, then the least depth that still reaches it.
"""

from __future__ import annotations

from dataclasses import dataclass

from .errors import GuesstreeError


@dataclass(frozen=True)
class Objective:
    """An objective by its parts: ``worst`` (guesses at most), ``expected`` (total over all secrets)."""

    parts: tuple[str, ...]

    @property
    def name(self) -> str:
        """The parts, joined by commas."""
        return ",".join(self.parts)

    def value(self, total: int, worst: int) -> tuple[int, ...]:
        """Return what a strategy with this total and worst case is compared by."""
        return tuple(worst if part == "worst" else total for part in self.parts)


OBJECTIVES = {
    objective.name: objective
    for objective in (
        Objective(("expected",)),
        Objective(("worst",)),
        Objective(("worst", "expected")),
        Objective(("expected", "worst")),
    )
}


def parse_objective(name: str) -> Objective:
    """Return the objective of this name; raise GuesstreeError for another."""
    if name not in OBJECTIVES:
        raise GuesstreeError(f"unknown objective {name!r}; accepted: {'; '.join(OBJECTIVES)}")
    return OBJECTIVES[name]
