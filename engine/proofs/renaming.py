"""CodeRenamings of codes that keep a history, and the orbits of guesses under them (L8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

Renaming = tuple[tuple[int, ...], tuple[int, ...]]
"""Where each position goes, and each colour."""


class CodeRenamings:
    """Permutations of positions and colours of codes: uint8, shape (codes, pegs), in lexicographic order."""

    def __init__(self, digits: NDArray[np.uint8], colours: int) -> None:
        self.digits, self.pegs, self.colours = digits.astype(np.int64), digits.shape[1], colours
        self.places = colours ** np.arange(self.pegs - 1, -1, -1, dtype=np.int64)
        self.numbers = self.digits @ self.places

    def keeping(self, history: Sequence[int]) -> Iterator[Renaming]:
        """Yield renamings that leave every guess of a history as it is, and generate all of these."""
        past = self.digits[list(history)]
        used = set(past.ravel().tolist())
        free = [c for c in range(self.colours) if c not in used]
        same = tuple(range(self.pegs))
        for images in ([*free[1::-1], *free[2:]], [*free[1:], *free[:1]]):
            if images != free:
                colour = list(range(self.colours))
                for c, to in zip(free, images, strict=True):
                    colour[c] = to
                yield same, tuple(colour)
        for position in permutations(range(self.pegs)):
            found = self.forced(past, position)
            if position != same and found is not None:
                yield position, found

    def forced(self, past: NDArray[np.int64], position: Sequence[int]) -> tuple[int, ...] | None:
        """Return how colours must be renamed so that a permutation of positions keeps some codes, or None."""
        colour = list(range(self.colours))
        met: dict[int, int] = {}
        for c, to in zip(past.ravel().tolist(), past[:, list(position)].ravel().tolist(), strict=True):
            if met.setdefault(c, to) != to:
                return None
        if len(set(met.values())) < len(met):
            return None
        for c, to in met.items():
            colour[c] = to
        return tuple(colour)

    def images(self, renaming: Renaming) -> NDArray[np.int64]:
        """Return the code that each code goes to."""
        position, colour = renaming
        moved = np.empty_like(self.digits)
        moved[:, list(position)] = np.array(colour)[self.digits]
        return np.searchsorted(self.numbers, moved @ self.places)


def orbits(size: int, images: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    """Return the smallest member of the orbit of each number under some permutations."""
    label = np.arange(size)
    while True:
        before = label
        for image in images:
            least = np.minimum(label, label[image])
            label = least.copy()
            np.minimum.at(label, image, least)
        label = np.minimum(label, label[label])
        if np.array_equal(label, before):
            return label
