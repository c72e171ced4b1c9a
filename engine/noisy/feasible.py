"""Whether a model has a strategy at all: what may still be possible after every test was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from .integer_model import IntegerModel, bits

MOST_SETS = 1 << 16
"""So many sets of causes are looked at."""


def undecided(integers: IntegerModel) -> tuple[int, ...] | None:
    """Return causes that may all be left at the end, where no decision is allowed for all of them.

    Fewer of them would do. None: there are no such, so there is a strategy, or too many sets to look at.

    *Proof.* To ask more never hurts, so if there is a strategy there is one that asks every test that can be
    asked, and then decides. Who may be left are causes that have an answer in common to each test, one that
    goes on, but for tests that may fail to answer. What is allowed for some causes is for fewer of them; to
    name them is allowed for some if it is for every two.
    """
    if integers.characters is not None:  # which are known in the end, as if each was asked as a whole
        parts = integers.states_shown()
        return _pair(integers, parts) if integers.losses is None else _several(integers, parts)
    askable, more = 0, True
    while more:
        more = False
        for test in range(integers.tests):
            if not askable >> test & 1 and not integers.needs[test] & ~askable:
                askable, more = askable | 1 << test, True
    parts = [integers.going[test] for test in bits(askable)]
    return _pair(integers, parts) if integers.losses is None else _several(integers, parts)


Parts: TypeAlias = Sequence[Sequence[tuple[int, int]]]
"""For each test its answers that go on, with the causes that may give them as bits."""


def _pair(integers: IntegerModel, tests: Parts) -> tuple[int, ...] | None:
    """Return two causes that may not be named together, and that too few of the tests tell apart."""
    for cause in range(integers.causes):
        # By how many tests tell them apart: who is left together with the cause.
        left = [integers.everyone & ~integers.overlap[cause] & ~(1 << cause)] + [0] * integers.failures
        for test in tests:
            both = 0
            for _, part in test:
                both |= part if part >> cause & 1 else 0
            for failed in range(integers.failures, -1, -1):
                left[failed] &= both
                if failed:
                    left[failed] |= left[failed - 1] & ~both
        for some in left:
            if some:
                return cause, next(bits(some))
    return None


def _several(integers: IntegerModel, tests: Parts) -> tuple[int, ...] | None:
    """Return causes for all of which no decision is allowed, and that may be left after the tests."""
    waiting, seen = [(0, integers.everyone, integers.failures)], set[tuple[int, int, int]]()
    while waiting:
        place, left, failures = waiting.pop()
        if (place, left, failures) in seen or decidable(integers, left):
            continue
        if place == len(tests):
            return _fewest(integers, left)
        seen.add((place, left, failures))
        if len(seen) > MOST_SETS:
            return None
        parts = {part & left for _, part in tests[place]} - {0}
        waiting += [(place + 1, part, failures) for part in parts]
        if failures and left not in parts:
            waiting.append((place + 1, left, failures - 1))
    return None


def decidable(integers: IntegerModel, members: int) -> bool:
    """Return whether some decision is allowed for all of these causes."""
    return not members or any(members & ~allowed == 0 for allowed in integers.allowed)


def _fewest(integers: IntegerModel, members: int) -> tuple[int, ...]:
    """Return some of these causes, for which no decision is allowed either, but for fewer one is."""
    for cause in bits(members):
        if not decidable(integers, members & ~(1 << cause)):
            members &= ~(1 << cause)
    return tuple(bits(members))
