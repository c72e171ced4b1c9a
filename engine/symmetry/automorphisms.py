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
MOST_TRIES = 500
"""Pairs of secrets of one colour that are tried before the rest of the symmetry is left unknown."""


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
    table: responses, uint8 or uint16, shape (guesses, secrets).
    kinds: what a response and its image have in common, uint64, shape (guesses, responses).
    guesses, secrets: the same of guesses and of secrets, uint64, shapes (guesses,) and (secrets,).

    Attributes
    ----------
    order: how many renamings there are of the secrets, if `complete`; otherwise at least so many.
    complete: whether none was left out.
    """

    def __init__(self, table: Table, kinds: Colours, guesses: Colours, secrets: Colours) -> None:
        self.table, self.kinds, self.guesses, self.secrets = np.ascontiguousarray(table), kinds, guesses, secrets
        self.order, self.complete, self.tries = 1, True, 0

    def refined(self, colours: Colours, like: Sorted | None = None) -> tuple[Colours, Sorted] | None:
        """Return colours of secrets that no round refines, with those of each round, sorted.

        None: they differ from those of `like`, the other side.
        """
        rounds: Sorted = []
        while True:
            heed()
            colours, guesses = kernels.refined(self.table, self.kinds, self.guesses, colours)
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
        start = self.refined(self.secrets)
        assert start is not None
        path: list[tuple[Colours, NDArray[np.int64], Sorted]] = []
        colours = start[0]
        while (members := shared(colours)) is not None:
            below = self.refined(apart(colours, int(members[0])))
            assert below is not None
            path.append((colours, members, below[1]))
            colours = below[0]
        found: list[Permutation] = []
        for level in range(len(path) - 1, -1, -1):
            start_colours, members, _ = path[level]
            failed: list[int] = []
            for other in members[1:].tolist():
                orbit = orbits(len(colours), found) if found else np.arange(len(colours))
                if orbit[other] == orbit[members[0]] or orbit[other] in orbit[failed]:
                    continue
                moved = self.matched(path, level, start_colours, other)
                renaming = None if moved is None else self.replayed(colours, moved)
                if renaming is None:
                    failed.append(other)
                    continue
                found.append(renaming.secrets)
                yield renaming
            orbit = orbits(len(colours), found) if found else np.arange(len(colours))
            self.order *= int((orbit[members] == orbit[members[0]]).sum())

    def matched(
        self, path: list[tuple[Colours, NDArray[np.int64], Sorted]], level: int, right: Colours, other: int
    ) -> Colours | None:
        """Return colours of the other side where `other` stands for the first secret of a level, and so on."""
        self.tries += 1
        if self.tries > MOST_TRIES:
            self.complete = False
            return None
        below = self.refined(apart(right, other), path[level][2])
        if below is None:
            return None
        if level + 1 == len(path):
            return below[0]
        left, members, _ = path[level + 1]
        for there in np.flatnonzero(below[0] == left[members[0]]).tolist():
            moved = self.matched(path, level + 1, below[0], there)
            if moved is not None:
                return moved
        return None

    def replayed(self, left: Colours, right: Colours) -> Renaming | None:
        """Return the renaming that takes each colour to itself, if the table bears it out."""
        secrets, guesses = np.empty(len(left), dtype=np.int64), np.empty(len(self.table), dtype=np.int64)
        secrets[np.argsort(left)] = np.argsort(right)
        mine, theirs = (
            kernels.refined(self.table, self.kinds, self.guesses, side)[1] for side in (left, right)
        )
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
        met = kernels.histograms(self.table, everything(len(secrets)), self.kinds.shape[1]) > 0
        return Renaming(secrets, guesses, there) if alike[met].all() else None


Sorted = list[tuple[Colours, Colours]]
"""The colours of secrets and guesses of each round of a refinement, sorted."""


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
