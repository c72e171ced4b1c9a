"""Renamings of codes that keep a history (L8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations

import numpy as np
from numpy.typing import NDArray

from ..symmetry import Permutation, code_permutation, colour_renaming, swap_and_cycle

Renaming = tuple[tuple[int, ...], tuple[int, ...]]
"""Where each position goes, and each colour."""


class CodeRenamings:
    """Permutations of positions and colours of codes: uint8, shape (codes, pegs), in lexicographic order."""

    def __init__(self, digits: NDArray[np.uint8], colours: int) -> None:
        self.digits, self.pegs, self.colours = digits, digits.shape[1], colours

    def keeping(self, history: Sequence[int]) -> Iterator[Renaming]:
        """Yield renamings that leave every guess of a history as it is, and generate all of these."""
        past = self.digits[list(history)].astype(np.int64)
        free = np.setdiff1d(np.arange(self.colours), past)
        same = tuple(range(self.pegs))
        for order in swap_and_cycle(len(free)):
            colour = np.arange(self.colours)
            colour[free] = free[order]
            yield same, tuple(colour.tolist())
        for position in permutations(same):
            rename = colour_renaming(past, past[:, list(position)], self.colours)
            if position != same and rename is not None:
                colour = np.where(rename < 0, np.arange(self.colours), rename)
                yield position, tuple(colour.tolist())

    def image(self, renaming: Renaming) -> Permutation:
        """Return where each code goes, by its number."""
        position, colour = renaming
        moved = np.empty_like(self.digits)
        moved[:, list(position)] = np.array(colour, dtype=np.uint8)[self.digits]
        return code_permutation(self.digits, moved)
