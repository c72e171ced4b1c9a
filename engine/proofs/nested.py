"""Claims that stand inside each other, as in a body: how they are read, and in which order they are shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Protocol, TypeVar

from .items import ProofItem


class Nested(Protocol):
    """A claim with lemmas of its own proof."""

    @property
    def inside(self) -> Sequence[Nested]:
        """Lemmas of its own proof."""


C = TypeVar("C", bound=Nested)


def read_nested(items: Iterable[ProofItem], root: C, read: Callable[[ProofItem, C], C]) -> None:
    """Read items with the claim inside which each stands; `read` returns the claim that an item makes."""
    within = [root]
    for item in items:
        if item.words[0] == ")":
            within.pop()
            continue
        claim = read(item, within[-1])
        if item.body == "(":
            within.append(claim)


def proved_before(claim: C) -> Iterator[C]:
    """Yield all lemmas inside a claim, those that others rest on first. They may stand 1,000 deep."""
    waiting = [iter(claim.inside)]
    open_claims: list[C] = []
    while waiting:
        lemma = next(waiting[-1], None)
        if lemma is None:
            waiting.pop()
            if open_claims:
                yield open_claims.pop()
        else:
            open_claims.append(lemma)  # type: ignore[arg-type]
            waiting.append(iter(lemma.inside))
