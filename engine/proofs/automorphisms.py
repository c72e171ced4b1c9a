"""Find renamings of secrets that a table with costs allows (P9 in verify/PRICED.md): its automorphisms.

Secrets, guesses and the parts that guesses leave are coloured so that an automorphism keeps colours, and
colours are refined until none changes (Weisfeiler and Leman 1968). Where several secrets have one colour, one
of them gets a colour of its own on one side, another one on the other side, and both sides are refined again
(McKay 1981). Colours are hashes of 64 bits: equal ones are taken as equal structure, which the checker of the
certificate verifies.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..problem import Problem
from ..state import Ints
from ..symmetry.groups import Permutation, orbits

Colours = NDArray[np.uint64]
MOST_CELLS = 1 << 15
"""Responses of a table whose automorphisms are looked for; a larger one takes too long."""
MOST_TRIES = 200
"""Pairs of secrets of one colour that are tried."""
OWN = np.uint64(0x9E3779B97F4A7C15)
"""What makes a colour another one; the constant of SplitMix64 (Steele, Lea and Flood 2014)."""


def automorphisms(problem: Problem, members: Ints) -> Iterator[Permutation]:
    """Yield automorphisms of a set, as far as they are found: where each secret goes, by its place."""
    rows = problem.table[:, members]
    useful = (rows != rows[:, :1]).any(axis=1)
    rows = rows[useful].astype(np.int64)
    if 0 < rows.size <= MOST_CELLS:
        prices = np.take_along_axis(problem.costs[useful], rows, axis=1)
        yield from Coloured(rows, 2 * prices + (rows == problem.winning), problem.weights[members]).found()


class Coloured:
    """The secrets of a set, the guesses that tell something of them and the parts that these leave, coloured.

    Parameters
    ----------
    rows: responses, int64, shape (guesses, secrets).
    kinds: what an image has in common: the price, and whether the guess wins; of the same shape.
    weights: int64, shape (secrets,).
    """

    def __init__(self, rows: NDArray[np.int64], kinds: NDArray[np.int64], weights: NDArray[np.int64]) -> None:
        secrets = rows.shape[1]
        names = (rows + np.arange(len(rows))[:, None] * (int(rows.max(initial=0)) + 1)).ravel()
        _, first, parts = np.unique(names, return_index=True, return_inverse=True)
        self.parts = parts.reshape(rows.shape)
        self.order = np.argsort(parts, kind="stable")
        self.starts = np.searchsorted(parts[self.order], np.arange(len(first)))
        self.by_guess = np.searchsorted(first // secrets, np.arange(len(rows)))
        self.kind = hashed(kinds.ravel()[first].astype(np.uint64))
        self.weights = hashed(weights.astype(np.uint64))

    def refined(self, colours: Colours) -> tuple[Colours, Colours]:
        """Return colours of secrets that no round refines, and those of the guesses that tell something."""
        each = np.arange(self.parts.size) % len(colours)
        count = 0
        while True:
            sums = np.add.reduceat(hashed(colours)[each[self.order]], self.starts)
            parts = hashed(sums + self.kind)
            guesses = hashed(np.add.reduceat(parts, self.by_guess))
            found = len(np.unique(colours))
            if found == count:
                return colours, guesses
            count = found
            met = hashed(parts[self.parts] + guesses[:, None] * OWN).sum(axis=0, dtype=np.uint64)
            colours = hashed(colours * OWN + met)

    def found(self) -> Iterator[Permutation]:
        """Yield automorphisms: where each secret goes."""
        colours, tries, size = self.refined(self.weights)[0], 0, len(self.weights)
        while True:
            members = shared(colours)
            if members is None:
                return
            found: list[Permutation] = []
            for other in members[1:].tolist():
                orbit = orbits(size, found) if found else np.arange(size)
                if orbit[other] == orbit[members[0]]:
                    continue
                tries += 1
                if tries > MOST_TRIES:
                    return
                moved = self.matched(apart(colours, int(members[0])), apart(colours, other))
                if moved is not None:
                    found.append(moved)
                    yield moved
            colours = self.refined(apart(colours, int(members[0])))[0]

    def matched(self, left: Colours, right: Colours) -> Permutation | None:
        """Return what takes each secret of one side to that of its colour on the other, if anything does."""
        while True:
            (left, mine), (right, theirs) = self.refined(left), self.refined(right)
            pairs = ((left, right), (mine, theirs))
            if not all(np.array_equal(np.sort(one), np.sort(other)) for one, other in pairs):
                return None
            members = shared(left)
            if members is None:
                break
            there = np.flatnonzero(right == left[members[0]])
            left, right = apart(left, int(members[0])), apart(right, int(there[0]))
        secrets = np.empty(len(left), dtype=np.int64)
        secrets[np.argsort(left)] = np.argsort(right)
        return secrets


def hashed(numbers: NDArray[np.uint64]) -> Colours:
    """Return numbers spread over 64 bits (SplitMix64)."""
    mixed = numbers + OWN
    mixed = (mixed ^ (mixed >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    mixed = (mixed ^ (mixed >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return mixed ^ (mixed >> np.uint64(31))


def shared(colours: Colours) -> NDArray[np.int64] | None:
    """Return the secrets of the first colour that several have, or None."""
    _, first, counts = np.unique(colours, return_index=True, return_counts=True)
    several = first[counts > 1]
    return np.flatnonzero(colours == colours[several.min()]) if len(several) else None


def apart(colours: Colours, secret: int) -> Colours:
    """Return colours of which a secret has its own."""
    found = colours.copy()
    found[secret] = hashed(found[secret : secret + 1] ^ OWN)[0]
    return found
