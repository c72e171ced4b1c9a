"""Renamings of codes that keep a history (L8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from ..symmetry.groups import Permutation, code_permutation, colour_renaming, swap_and_cycle

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"

Renaming = tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]
"""Where each position goes, and each colour: of all positions, or of one position after the other."""


class CodeRenamings:
    """Permutations of positions and colours of codes: uint8, shape (codes, pegs), in lexicographic order.

    `separate`: whether each position may have its colours renamed alone, as with black pegs only.
    """

    def __init__(self, digits: NDArray[np.uint8], *, separate: bool) -> None:
        self.digits, self.pegs, self.separate = digits, digits.shape[1], separate
        self.colours = int(digits.max()) + 1

    def keeping(self, history: Sequence[int]) -> Iterator[Renaming]:
        """Yield renamings that leave every guess of a history as it is, and generate all of these."""
        past = self.digits[list(history)].astype(np.int64)
        return self._of_each(past) if self.separate else self._of_all(past)

    def image(self, renaming: Renaming) -> Permutation:
        """Return where each code goes, by its number."""
        position, colours = renaming
        moved = np.empty_like(self.digits)
        for x, to in enumerate(position):
            colour = np.array(colours[x if self.separate else 0], dtype=np.uint8)
            moved[:, to] = colour[self.digits[:, x]]
        return code_permutation(self.digits, moved)

    def _of_all(self, past: NDArray[np.int64]) -> Iterator[Renaming]:
        """Yield renamings of the colours of all positions."""
        same, plain = tuple(range(self.pegs)), tuple(range(self.colours))
        for colour in self._unused(past):
            yield same, (colour,)
        columns = alike([tuple(column) for column in past.T.tolist()])
        for members in columns.values():
            for order in swap_and_cycle(len(members)):
                yield moved(same, members, [members[i] for i in order]), (plain,)
        places, sources = list(columns.values()), np.array(list(columns), dtype=np.int64).T
        for way in self._columns(sources, [len(some) for some in places], ()):
            if way != tuple(range(len(places))):
                to = [x for i in way for x in places[i]]
                position = moved(same, [x for some in places for x in some], to)
                yield position, (self._filled(colour_renaming(sources, sources[:, way], self.colours)),)

    def _columns(
        self, sources: NDArray[np.int64], sizes: Sequence[int], order: tuple[int, ...]
    ) -> Iterator[tuple[int, ...]]:
        """Yield the ways to put columns in the place of others with one renaming of the colours."""
        if len(order) == len(sizes):
            yield order
            return
        for i, size in enumerate(sizes):
            longer = *order, i
            if i in order or size != sizes[len(order)]:
                continue
            if colour_renaming(sources[:, : len(longer)], sources[:, longer], self.colours) is not None:
                yield from self._columns(sources, sizes, longer)

    def _of_each(self, past: NDArray[np.int64]) -> Iterator[Renaming]:
        """Yield renamings of the colours of one position, and of two positions that change places."""
        same, plain = tuple(range(self.pegs)), tuple(range(self.colours))
        for x in same:
            for colour in self._unused(past[:, x]):
                yield same, (*same_but(plain, self.pegs, {x: colour}),)
        patterns = [tuple(column.index(c) for c in column) for column in past.T.tolist()]
        for members in alike(patterns).values():
            for x, y in pairwise(members):
                there = self._filled(colour_renaming(past[:, x], past[:, y], self.colours))
                back = tuple(np.argsort(there).tolist())
                yield (
                    moved(same, [x, y], [y, x]),
                    (*same_but(plain, self.pegs, {x: there, y: back}),),
                )

    def _unused(self, past: NDArray[np.int64]) -> Iterator[tuple[int, ...]]:
        """Yield renamings of the colours that do not occur, enough to generate all."""
        free = np.setdiff1d(np.arange(self.colours), past)
        for order in swap_and_cycle(len(free)):
            colour = np.arange(self.colours)
            colour[free] = free[order]
            yield tuple(colour.tolist())

    def _filled(self, rename: NDArray[np.int64] | None) -> tuple[int, ...]:
        """Return a renaming of some colours with the others put in the places that are left, in order."""
        assert rename is not None
        full = rename.copy()
        full[rename < 0] = np.setdiff1d(np.arange(self.colours), rename)
        return tuple(full.tolist())


def alike(things: Sequence[tuple[int, ...]]) -> dict[tuple[int, ...], list[int]]:
    """Return the numbers of equal things."""
    found: dict[tuple[int, ...], list[int]] = {}
    for i, thing in enumerate(things):
        found.setdefault(thing, []).append(i)
    return found


def moved(same: tuple[int, ...], source: Sequence[int], target: Sequence[int]) -> tuple[int, ...]:
    """Return a permutation that takes some places to others, and leaves the rest."""
    to = list(same)
    for a, b in zip(source, target, strict=True):
        to[a] = b
    return tuple(to)


def same_but(plain: tuple[int, ...], pegs: int, other: dict[int, tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Return renamings of the colours of each position: none but in some."""
    return [other.get(x, plain) for x in range(pegs)]


def item_of(renaming: Renaming) -> str:
    """Return a renaming as an item of a certificate."""
    position, colours = renaming
    return f"= {symbols_of(position)} {'/'.join(symbols_of(colour) for colour in colours)}"


def symbols_of(places: Sequence[int]) -> str:
    """Return numbers below 36 as symbols."""
    return "".join(SYMBOLS[i] for i in places)
