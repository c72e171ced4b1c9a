"""Whether a model has a strategy at all: what may still be possible after every test was asked."""

from __future__ import annotations

from .scaled import Scaled, bits

MOST_SETS = 1 << 16
"""So many sets of causes are looked at."""


def undecided(scaled: Scaled) -> tuple[int, ...] | None:
    """Return causes that may all be left at the end, where no decision is allowed for all of them.

    Fewer of them would do. None: there are no such, so there is a strategy, or too many sets to look at.

    *Proof.* To ask more never hurts, so if there is a strategy there is one that asks every test that can be
    asked, and then decides. Who may be left are causes that have an answer in common to each test, one that
    goes on, but for tests that may fail to answer. What is allowed for some causes is for fewer of them; to
    name them is allowed for some if it is for every two.
    """
    askable, more = 0, True
    while more:
        more = False
        for test in range(scaled.tests):
            if not askable >> test & 1 and not scaled.needs[test] & ~askable:
                askable, more = askable | 1 << test, True
    tests = list(bits(askable))
    return _pair(scaled, tests) if scaled.losses is None else _several(scaled, tests)


def _pair(scaled: Scaled, tests: list[int]) -> tuple[int, ...] | None:
    """Return two causes that may not be named together, and that too few of the tests tell apart."""
    for cause in range(scaled.causes):
        # By how many tests have told them apart: who is left together with the cause.
        left = [scaled.everyone & ~scaled.overlap[cause] & ~(1 << cause)] + [0] * scaled.lapses
        for test in tests:
            both = 0
            for _, part in scaled.going[test]:
                both |= part if part >> cause & 1 else 0
            for failed in range(scaled.lapses, -1, -1):
                left[failed] &= both
                if failed:
                    left[failed] |= left[failed - 1] & ~both
        for some in left:
            if some:
                return cause, next(bits(some))
    return None


def _several(scaled: Scaled, tests: list[int]) -> tuple[int, ...] | None:
    """Return causes for all of which no decision is allowed, and that may be left after the tests."""
    waiting, seen = [(0, scaled.everyone, scaled.lapses)], set[tuple[int, int, int]]()
    while waiting:
        place, left, lapses = waiting.pop()
        if (place, left, lapses) in seen or decidable(scaled, left):
            continue
        if place == len(tests):
            return _fewest(scaled, left)
        seen.add((place, left, lapses))
        if len(seen) > MOST_SETS:
            return None
        parts = {part & left for _, part in scaled.going[tests[place]]} - {0}
        waiting += [(place + 1, part, lapses) for part in parts]
        if lapses and left not in parts:
            waiting.append((place + 1, left, lapses - 1))
    return None


def decidable(scaled: Scaled, members: int) -> bool:
    """Return whether some decision is allowed for all of these causes."""
    return not members or any(members & ~allowed == 0 for allowed in scaled.allowed)


def _fewest(scaled: Scaled, members: int) -> tuple[int, ...]:
    """Return some of these causes, for which no decision is allowed either, but for fewer one is."""
    for cause in bits(members):
        if not decidable(scaled, members & ~(1 << cause)):
            members &= ~(1 << cause)
    return tuple(bits(members))
