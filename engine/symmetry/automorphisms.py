"""Find the renamings that a table allows: its automorphisms, responses renamed guess by guess included.

Secrets and guesses split each other by colours until none changes (Weisfeiler and Leman 1968). Where several
secrets have one colour, one of them gets a colour of its own on one side, another one on the other side, and
both sides are refined again, until every secret is alone or the sides differ (McKay 1981; McKay and Piperno
2014). At each step the renaming that leaves where they are as many secrets as it can is tried. What renamings
that were found make equal is tried once. Colours are hashes of 64 bits: equal ones are taken for equal
structure, and each renaming is replayed over the table before it is believed.
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
from .groups import Permutation, joined

Colours = NDArray[np.uint64]
Table = NDArray[np.uint8] | NDArray[np.uint16]
OWN = np.uint64(0x9E3779B97F4A7C15)
"""What makes a colour another one."""
MOST_WORK, CALL, LEVEL = 1 << 30, 1 << 14, 1 << 7
"""Cells of a table that are read, a few seconds, before the rest of its symmetry is left unknown. Calls of a
kernel and secrets of a level, which take memory, are counted as so many."""


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

    def spend(self, cells: int) -> None:
        """Count cells that are read, or what takes as long, or raise `TooLongError`."""
        heed()
        self.work += cells
        if self.work > MOST_WORK:
            raise TooLongError

    def read(self, colours: Colours) -> tuple[Colours, Colours]:
        """Return colours of secrets and of guesses that also say what each meets."""
        self.spend(self.table.size + CALL)
        return kernels.refined(self.table, self.kinds, self.guesses, colours)

    def refined(self, colours: Colours) -> tuple[Colours, Sums]:
        """Return colours of secrets that no round refines, and the sums of those of each round."""
        rounds, before, now = Sums(), 0, different(colours)
        while before < now < len(colours) or not rounds:
            colours, guesses = self.read(colours)
            rounds.append((int(colours.sum()), int(guesses.sum())))
            before, now = now, different(colours)
        return colours, rounds

    def refined_like(self, colours: Colours, rounds: Sums) -> Colours | None:
        """Return colours after as many rounds, or None if the sums of one are not those of the other side."""
        for of_secrets, of_guesses in rounds:
            colours, guesses = self.read(colours)
            if int(colours.sum()) != of_secrets or int(guesses.sum()) != of_guesses:
                return None
        return colours

    def found(self) -> Iterator[Renaming]:
        """Yield renamings that generate all, as far as they are found, with fewer secrets moved first.

        Where each secret is named by those before it, no renaming moves any: the levels are searched from
        the last one up, so that what is found below says which secrets of a level are alike.
        """
        try:
            path = self.path()
            if path:
                named = path[-1].below
                yield from self.searched(path, Named(named, self.read(named)[1]))
        except TooLongError:
            self.complete = False

    def path(self) -> list[Level]:
        """Return levels: on each, one secret of a colour gets its own, until all secrets have their own."""
        colours, path = self.refined(self.secrets)[0], list[Level]()
        while len(members := shared(colours)):
            self.spend(LEVEL * len(colours))
            path.append(Level(colours, members, *self.refined(apart(colours, int(members[0])))))
            colours = path[-1].below
        return path

    def searched(self, path: list[Level], named: Named) -> Iterator[Renaming]:
        """Yield what takes the first secret of a level elsewhere, from the last level up; count them."""
        orbit = np.arange(len(self.secrets))
        for number in range(len(path) - 1, -1, -1):
            level, failed = path[number], list[int]()
            first, *others = level.members.tolist()
            try:
                for other in others:
                    if orbit[other] == orbit[first] or orbit[other] in orbit[failed]:
                        continue
                    renaming = self.matched(path[number:], level.colours, other, named)
                    if renaming is None:
                        failed.append(other)
                        continue
                    orbit = joined(orbit, renaming.secrets)
                    yield renaming
            finally:
                self.order *= int((orbit[level.members] == orbit[first]).sum())

    def matched(self, path: list[Level], right: Colours, other: int, named: Named) -> Renaming | None:
        """Return a renaming of colours to those of the other side, and of the first of a level to `other`."""
        waiting = [(iter([other]), right)]
        while waiting:
            others, right = waiting[-1]
            there = next(others, None)
            if there is None:
                waiting.pop()
                continue
            level = path[len(waiting) - 1]
            below = self.refined_like(apart(right, there), level.rounds)
            renaming = None if below is None else self.replayed(level.below, below, named)
            if renaming is not None:
                return renaming
            if below is not None and len(waiting) < len(path):
                colour = level.below[path[len(waiting)].members[0]]
                waiting.append((iter(np.flatnonzero(below == colour).tolist()), below))
        return None

    def replayed(self, left: Colours, right: Colours, named: Named) -> Renaming | None:
        """Return a renaming that takes each colour to itself, if the table bears it out.

        Of secrets of one colour those stay where they are that can; the others go in their order. Where all
        have their own, no other renaming is possible.
        """
        secrets = np.arange(len(left))
        moved = np.flatnonzero(left != right)
        secrets[moved[np.argsort(left[moved], kind="stable")]] = moved[
            np.argsort(right[moved], kind="stable")
        ]
        colours = np.empty_like(left)
        colours[secrets] = named.secrets
        there, guesses = self.read(colours)[1], np.empty(len(self.table), dtype=np.int64)
        if int(there.sum()) != int(named.guesses.sum()):
            return None
        guesses[np.argsort(named.guesses, kind="stable")] = np.argsort(there, kind="stable")
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


Sums = list[tuple[int, int]]
"""The sums of the colours of secrets and of guesses in each round of a refinement, whatever the names."""


class Level(NamedTuple):
    """Colours of secrets, those that share one, and what all become when the first of these has its own."""

    colours: Colours
    members: NDArray[np.int64]
    below: Colours
    rounds: Sums


class Named(NamedTuple):
    """Colours of secrets, of which each has its own, and of guesses that say what each meets."""

    secrets: Colours
    guesses: Colours


class TooLongError(Exception):
    """What takes more work than symmetry is worth."""


def different(colours: Colours) -> int:
    """Return how many colours there are."""
    return len(np.unique(colours))


def shared(colours: Colours) -> NDArray[np.int64]:
    """Return the secrets of the colour that most have, if more than one has it; otherwise none.

    Where most are alike, one of them tells most of the others apart, so that few levels follow.
    """
    found, counts = np.unique(colours, return_counts=True)
    return np.flatnonzero(colours == found[counts.argmax()])[: len(colours) if counts.max() > 1 else 0]


def apart(colours: Colours, secret: int) -> Colours:
    """Return colours of which a secret has its own."""
    changed = colours.copy()
    changed[secret] ^= OWN
    return changed
