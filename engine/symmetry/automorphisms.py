"""Find the renamings that a table allows: its automorphisms, responses renamed guess by guess included.

Secrets and guesses split each other by colours until none changes (Weisfeiler and Leman 1968). Where several
secrets have one colour, one of them gets a colour of its own on one side, another one on the other side, and
both sides are refined again, until every secret is alone or the sides differ (McKay 1981; McKay and Piperno
2014). What renamings that were found make equal is tried once. Colours are hashes of 64 bits: equal ones are
taken for equal structure, and each renaming is replayed over the table before it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..state import everything
from ..stopping import heed
from .groups import Permutation, orbits

Colours = NDArray[np.uint64]
Table = NDArray[np.uint8] | NDArray[np.uint16]
OWN = np.uint64(0x9E3779B97F4A7C15)
"""What makes a colour another one."""
MOST_WORK, CALL = 1 << 30, 1 << 14
"""Cells of a table that are read, a few seconds, before the rest of its symmetry is left unknown; a call of a
kernel takes at least the time of so many."""


@dataclass(frozen=True)
class Renaming:
    """Where secrets, guesses and the responses of each guess go: what gave a response gives its image.

    Attributes
    ----------
    secrets, guesses: int64, shapes (secrets,) and (guesses,).
    responses: int32, shape (guesses, responses).
    """

    secrets: Permutation
    guesses: Permutation
    responses: NDArray[np.int32]


class Coloured:
    """A table whose secrets and guesses are coloured by all that a renaming has to keep.

    Parameters
    ----------
    table: responses, uint8 or uint16, shape (guesses, secrets), one row after another.
    kinds: what a response and its image have in common, uint64, shape (guesses, responses).
    guesses, secrets: the same of guesses and of secrets, uint64, shapes (guesses,) and (secrets,).

    Attributes
    ----------
    order: how many permutations of the secrets are part of a renaming, if `complete`; otherwise at least so
        many. Secrets that no guess tells apart count as well; guesses that divide the secrets alike do not:
        they go, in their order, where such guesses go. What responses become follows.
    complete: whether none was left out.
    """

    def __init__(self, table: Table, kinds: Colours, guesses: Colours, secrets: Colours) -> None:
        self.table, self.kinds, self.guesses, self.secrets = table, kinds, guesses, secrets
        self.order, self.complete, self.work = 1, True, 0

    @cached_property
    def met(self) -> NDArray[np.bool_]:
        """Which responses of a guess some secret gives, bool, shape (guesses, responses)."""
        return kernels.histograms(self.table, everything(len(self.secrets)), self.kinds.shape[1]) > 0

    def read(self, colours: Colours) -> tuple[Colours, Colours]:
        """Return colours of secrets and of guesses that also say what each meets, or raise `TooLongError`."""
        heed()
        self.work += self.table.size + CALL
        if self.work > MOST_WORK:
            raise TooLongError
        return kernels.refined(self.table, self.kinds, self.guesses, colours)

    def refined(self, colours: Colours, like: Sorted | None = None) -> tuple[Colours, Sorted] | None:
        """Return colours of secrets that no round refines, with those of each round, sorted.

        None: they differ from those of `like`, the other side.
        """
        rounds: Sorted = []
        while True:
            colours, guesses = self.read(colours)
            rounds.append((np.sort(colours), np.sort(guesses)))
            if like is not None:
                same = zip(rounds[-1], like[len(rounds) - 1], strict=True)
                if not all(np.array_equal(mine, theirs) for mine, theirs in same):
                    return None
                if len(rounds) == len(like):
                    return colours, rounds
            elif different(rounds[-1][0]) in (len(colours), different(rounds[-2][0]) if rounds[1:] else 0):
                return colours, rounds

    def found(self) -> Iterator[Renaming]:
        """Yield renamings that generate all, as far as they are found, with fewer secrets moved first.

        Where each secret is named by those before it, no renaming moves any: the levels are searched from
        the last one up, so that what is found below says which secrets of a level are alike.
        """
        try:
            yield from self.searched(self.path())
        except TooLongError:
            self.complete = False

    def path(self) -> list[Level]:
        """Return levels: on each, one secret of a colour gets its own, until all secrets have their own."""
        start = self.refined(self.secrets)
        assert start is not None
        colours, path = start[0], list[Level]()
        while (members := shared(colours)) is not None:
            below = self.refined(apart(colours, int(members[0])))
            assert below is not None
            path.append(Level(colours, members, *below))
            colours = below[0]
        return path

    def searched(self, path: list[Level]) -> Iterator[Renaming]:
        """Yield what takes the first secret of a level elsewhere, from the last level up; count them."""
        orbit, found = np.arange(len(self.secrets)), list[Permutation]()
        for number in range(len(path) - 1, -1, -1):
            level, failed = path[number], list[int]()
            first, *others = level.members.tolist()
            try:
                for other in others:
                    if orbit[other] == orbit[first] or orbit[other] in orbit[failed]:
                        continue
                    renaming = self.matched(path, number, level.colours, other)
                    if renaming is None:
                        failed.append(other)
                        continue
                    found.append(renaming.secrets)
                    orbit = orbits(len(orbit), found)
                    yield renaming
            finally:
                self.order *= int((orbit[level.members] == orbit[first]).sum())

    def matched(self, path: list[Level], number: int, right: Colours, other: int) -> Renaming | None:
        """Return a renaming of colours to those of the other side, and of the first of a level to `other`."""
        level = path[number]
        below = self.refined(apart(right, other), level.rounds)
        if below is None:
            return None
        if number + 1 == len(path):
            return self.replayed(level.below, below[0])
        following = path[number + 1]
        for there in np.flatnonzero(below[0] == level.below[following.members[0]]).tolist():
            renaming = self.matched(path, number + 1, below[0], there)
            if renaming is not None:
                return renaming
        return None

    def replayed(self, left: Colours, right: Colours) -> Renaming | None:
        """Return the renaming that takes each colour to itself, if the table bears it out."""
        secrets, guesses = np.empty(len(left), dtype=np.int64), np.empty(len(self.table), dtype=np.int64)
        secrets[np.argsort(left)] = np.argsort(right)
        mine, theirs = (self.read(side)[1] for side in (left, right))
        guesses[np.argsort(mine, kind="stable")] = np.argsort(theirs, kind="stable")
        return self.verified(secrets, guesses)

    def verified(self, secrets: Permutation, guesses: Permutation) -> Renaming | None:
        """Return a renaming of secrets and guesses with its responses, or None if the table has no such."""
        kept = np.array_equal(self.secrets[secrets], self.secrets)
        kept = kept and np.array_equal(self.guesses[guesses], self.guesses)
        there = kernels.replayed(self.table, self.kinds.shape[1], guesses, secrets) if kept else None
        if there is None:
            return None
        alike = np.take_along_axis(self.kinds[guesses], there, axis=1) == self.kinds
        return Renaming(secrets, guesses, there) if alike[self.met].all() else None


Sorted = list[tuple[Colours, Colours]]
"""The colours of secrets and guesses of each round of a refinement, sorted."""


class Level(NamedTuple):
    """Colours of secrets, those that share one, and what all become when the first of these has its own."""

    colours: Colours
    members: NDArray[np.int64]
    below: Colours
    rounds: Sorted


class TooLongError(Exception):
    """What takes more work than symmetry is worth."""


def different(ordered: Colours) -> int:
    """Return how many numbers there are among sorted ones."""
    return 1 + int(np.count_nonzero(ordered[1:] != ordered[:-1])) if len(ordered) else 0


def shared(colours: Colours) -> NDArray[np.int64] | None:
    """Return the secrets of the colour that fewest have, of those that several have, or None."""
    found, counts = np.unique(colours, return_counts=True)
    several = counts > 1
    if not several.any():
        return None
    fewest = counts[several].min()
    return np.flatnonzero(colours == found[several & (counts == fewest)][0])


def apart(colours: Colours, secret: int) -> Colours:
    """Return colours of which a secret has its own."""
    changed = colours.copy()
    changed[secret] ^= OWN
    return changed
