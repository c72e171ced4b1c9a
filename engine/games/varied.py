"""Codes by other rules: without repetitions, with any code as a guess, or with holes in guesses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..errors import GameError, shown
from ..game import Game
from ..memory import require_memory
from ..notation import Look
from ..symmetry.groups import PositionsColours, PositionwiseColours, Symmetry
from .codes import BLOCK_CELLS, Codes, hits, pair_lookup

DISTINCT, REPEATED, ANY, EMPTY = "distinct", "repeated", "any", "empty"
MEANT = {
    DISTINCT: "no colour twice",
    f"{DISTINCT},{ANY}": "no colour twice in the code; guesses may repeat",
    EMPTY: "guesses may leave holes empty",
}
"""What people choose from, where colours may repeat."""


class VariedCodes(Game):
    """A game about codes whose guesses are not just the secrets, or whose codes have no colour twice.

    An empty hole of a guess gets no key peg, as no secret has one.

    Parameters
    ----------
    look: the look of the game with the plain symbols, without `HOLE`.
    distinct: whether the symbols of a secret, and of a guess, differ.
    any_guess: whether guesses may repeat symbols all the same.
    empty: whether a guess may leave positions empty.
    whites: whether a response counts symbols in other places, too.
    """

    def __init__(
        self,
        spec: str,
        positions: int,
        symbols: str,
        look: Look,
        *,
        distinct: bool,
        any_guess: bool,
        empty: bool,
        whites: bool = True,
    ) -> None:
        if distinct and positions > len(symbols):
            raise GameError(
                f"{shown(spec)}: {positions} different ones out of {len(symbols)} do not exist; "
                f"expected at most {len(symbols)} places"
            )
        self.spec = spec
        self._whites = whites
        different = distinct and not any_guess
        self.codes = Codes(positions, symbols, distinct=distinct)
        self.asked = Codes(positions, symbols, distinct=different, holes=empty)
        if self.asked.symbols == self.codes.symbols and different == distinct:
            self.asked = self.codes
        self.secrets, self.guesses = self.codes, self.asked
        self.look = Look(
            look.codes, look.answers, look.says, self.asked.symbols, distinct=different and not empty
        )
        pairs = possible(positions, len(symbols), distinct=distinct, different=different, empty=empty)
        if whites:
            self.responses = [f"{black},{white}" for black, white in pairs]
            self._lookup = pair_lookup(positions, pairs)
        else:
            blacks = sorted({black for black, _ in pairs})
            self.responses = [str(black) for black in blacks]
            row = np.full(positions + 1, 255, dtype=np.uint8)
            row[blacks] = np.arange(len(blacks))
            self._lookup = np.repeat(row[:, None], positions + 1, axis=1)
        self.winning = len(self.responses) - 1
        group: dict[str, Any] = {"secrets": self.codes, "holes": empty}
        self._symmetry: Symmetry
        if whites or distinct:
            self._symmetry = PositionsColours(
                positions, len(symbols), self.asked, distinct=different, **group
            )
        else:
            self._symmetry = PositionwiseColours(positions, len(symbols), self.asked, **group)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response, from the rules alone."""
        black, white = hits(self.asked.labels[guess], self.codes.labels[secret])
        return self._places[f"{black},{white}" if self._whites else f"{black}"]

    @cached_property
    def _places(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.responses)}

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets), from the kernel, block by block."""
        size = self.codes.size
        require_memory(self.spec, self.asked.size, size)
        found = np.empty((self.asked.size, size), dtype=np.uint8)
        secrets, step = np.arange(size, dtype=np.int32), max(BLOCK_CELLS // size, 1)
        for start in range(0, len(found), step):
            rows = np.arange(start, min(start + step, len(found)), dtype=np.int32)
            found[rows] = self.block(rows, secrets)
        return found

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets), from the kernel."""
        asked, hidden = self.asked.digits[guesses], self.codes.digits[secrets]
        return kernels.code_responses(asked, hidden, len(self.asked.symbols), self._lookup)

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        asked, hidden = self.asked.digits[guesses], self.codes.digits[secrets]
        common = np.zeros(len(asked), dtype=np.int64)
        for symbol in range(len(self.codes.symbols)):
            common += np.minimum((asked == symbol).sum(axis=1), (hidden == symbol).sum(axis=1))
        return self._lookup[(asked == hidden).sum(axis=1), common]

    def own(self) -> NDArray[np.int32]:
        """Return the secret that each guess names: the same code, or -1."""
        rank = {label: i for i, label in enumerate(self.codes.labels)}
        return np.array([rank.get(label, -1) for label in self.asked.labels], dtype=np.int32)

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of positions and of colours, at each position alone where they may be."""
        return self._symmetry


def possible(n: int, k: int, *, distinct: bool, different: bool, empty: bool) -> list[tuple[int, int]]:
    """Return exactly the responses (black, white) that some guess gets on some secret, ascending.

    Where all others are in place, one that is elsewhere has no place to go: (n - 1, 1) never comes. An empty
    hole makes room for all others, but that two colours which are all elsewhere change places, an even number
    of them if no hole is empty, and that one colour alone is never elsewhere. Secrets and full guesses of
    different symbols share at least 2n - k. A full guess that repeats symbols has, where the secret has all
    there are, one of them in place if it has no other.

    Parameters
    ----------
    distinct, different: whether the symbols of secrets, and those of guesses, differ.
    """

    def comes(black: int, white: int) -> bool:
        if (black, white) == (n - 1, 1):
            return False
        if not distinct and k == 1:
            return white == 0 and (empty or black == n)
        if not distinct and k == 2:
            return white % 2 == 0 or (empty and black + white < n)
        if empty or not distinct:
            return True
        if different:
            return black + white >= 2 * n - k
        return k > n or (black + white > 0 and (black, white) != (0, 1))

    return [(b, w) for b in range(n + 1) for w in range(n + 1 - b) if comes(b, w)]


def options_of(family: str, text: str, accepted: Sequence[str]) -> tuple[str, set[str]]:
    """Return the size of a spec, and the options after it; raise GameError for others, or one twice."""
    size, *options = text.split(",")
    odd = next((one for i, one in enumerate(options) if one not in accepted or one in options[:i]), None)
    if odd is not None and not re.fullmatch(r"\s*[0-9]+\s*", text.partition(",")[2]):
        raise GameError(
            f"{shown(f'{family}:{text}')}: option {shown(odd)}; expected {', '.join(accepted)}, each once"
        )
    return (text, set()) if odd is not None else (size, set(options))
