"""What games about hidden codes share: listing codes, and games whose guesses are the secrets."""

from __future__ import annotations

import re
import sys
from abc import abstractmethod
from collections.abc import Sequence
from functools import cached_property
from itertools import permutations, product
from math import comb, perm
from typing import Any, overload

import numpy as np
from numpy.typing import NDArray

from guesstree.cext import kernels

from ..errors import GameError, SpaceError
from ..game import CodeForm, Game
from ..memory import require_memory, size_text, usual_memory
from ..notation import HOLE
from ..registry import parse_size

BLOCK_CELLS = 1 << 24
MOST_POSITIONS = 20
"""Pairs of numbers from 0 to 21 would be more responses than fit in a byte."""


class Codes(Sequence[str]):
    """All codes of `positions` symbols in lexicographic order, listed only when one is asked for.

    Parameters
    ----------
    symbols: the symbols, in order; at most 35.
    distinct: whether the symbols of a code must differ.
    holes: whether positions may be left empty; `HOLE` stands there, and after the symbols.
    """

    def __init__(self, positions: int, symbols: str, *, distinct: bool = False, holes: bool = False) -> None:
        self.positions, self.distinct, self.holes = positions, distinct, holes
        self.symbols = symbols + HOLE * holes
        if distinct:
            self.size = sum(
                comb(positions, empty) * perm(len(symbols), positions - empty)
                for empty in range(positions * holes + 1)
            )
        else:
            self.size = len(self.symbols) ** positions

    def __getstate__(self) -> dict[str, Any]:
        listed = {"digits", "labels", "_ranks"}  # they can be listed again
        return {name: value for name, value in vars(self).items() if name not in listed}

    @cached_property
    def digits(self) -> NDArray[np.uint8]:
        """The codes as numbers 0.., shape (codes, positions); raises SpaceError when too many."""
        need, have = self.size * self.positions * 4, usual_memory()
        if need > have:
            raise SpaceError(
                f"{self.size:.3g} codes of {self.positions} symbols would need {size_text(need)} to list, "
                f"and {size_text(have)} may be used"
            )
        if self.distinct:
            codes = np.zeros((1, 0), dtype=np.uint8)
            for _ in range(self.positions):
                free = np.ones((len(codes), len(self.symbols)), dtype=bool)
                np.put_along_axis(free, codes.astype(np.intp), False, axis=1)
                free[:, len(free[0]) - self.holes :] = True  # any position may be empty
                code, symbol = np.nonzero(free)
                codes = np.column_stack((codes[code], symbol.astype(np.uint8)))
            return codes
        indices = np.indices((len(self.symbols),) * self.positions, dtype=np.uint8)
        return np.ascontiguousarray(indices.reshape(self.positions, -1).T)

    @cached_property
    def labels(self) -> list[str]:
        """The codes as text."""
        _ = self.digits.shape  # refuses a list that is too long
        if self.distinct and self.holes:
            return ["".join(self.symbols[c] for c in code) for code in self.digits.tolist()]
        if self.distinct:
            return ["".join(code) for code in permutations(self.symbols, self.positions)]
        return ["".join(code) for code in product(self.symbols, repeat=self.positions)]

    def __len__(self) -> int:
        if self.size > sys.maxsize:
            raise SpaceError(f"{self.size} codes are more than this machine can number")
        return self.size

    @overload
    def __getitem__(self, i: int) -> str: ...
    @overload
    def __getitem__(self, i: slice) -> list[str]: ...
    def __getitem__(self, i: int | slice) -> str | list[str]:
        return self.labels[i]

    def index(self, value: str, start: int = 0, stop: int | None = None) -> int:
        """Return the rank of a code; raise ValueError when there is no such code."""
        rank = self._ranks.get(value, -1)
        if not start <= rank < (len(self) if stop is None else stop):
            raise ValueError(f"{value!r} is not a code")
        return rank

    @cached_property
    def _ranks(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.labels)}


class CodeGame(Game):
    """A game whose guesses are the secrets, all codes over some symbols.

    A subclass sets `responses`, `winning` and `_lookup` (shape (positions + 1, positions + 1): the index of
    the response for so many equal positions and so many common symbols in all) and writes `respond`.
    """

    _lookup: NDArray[np.uint8]

    def __init__(self, spec: str, codes: Codes) -> None:
        self.spec = spec
        self.codes = codes
        self.guesses = self.secrets = codes

    @abstractmethod
    def answer(self, guess: str, secret: str) -> str:
        """Return the label of the response, from the rules alone."""

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response that `guess` gets when `secret` is hidden."""
        labels = self.codes.labels
        return self._response_index[self.answer(labels[guess], labels[secret])]

    @cached_property
    def _response_index(self) -> dict[str, int]:
        return {label: i for i, label in enumerate(self.responses)}

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (codes, codes), from the kernel; in blocks, where it can be ended."""
        size = self.codes.size
        require_memory(self.spec, size, size)
        digits, found = self.codes.digits, np.empty((size, size), dtype=np.uint8)
        step = max(BLOCK_CELLS // size, 1)
        for rows in (slice(start, start + step) for start in range(0, size, step)):
            found[rows] = kernels.code_responses(digits[rows], digits, len(self.codes.symbols), self._lookup)
        return found

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some codes on some codes, from the kernel."""
        digits = self.codes.digits
        return kernels.code_responses(digits[guesses], digits[secrets], len(self.codes.symbols), self._lookup)

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each code on the code beside it."""
        asked, hidden = self.codes.digits[guesses], self.codes.digits[secrets]
        common = np.zeros(len(asked), dtype=np.int64)
        for symbol in range(len(self.codes.symbols)):
            common += np.minimum((asked == symbol).sum(axis=1), (hidden == symbol).sum(axis=1))
        return self._lookup[(asked == hidden).sum(axis=1), common]

    def code_form(self) -> CodeForm:
        """Return the codes; where responses do not depend on common symbols, these are left out."""
        pegs = self.codes.positions
        symbols = 0 if (self._lookup == self._lookup[:, :1]).all() else len(self.codes.symbols)
        response_of = np.zeros(pegs * (pegs + 3) // 2 + 1, dtype=np.uint8)
        for black in range(pegs + 1):
            for common in range(black if symbols else 0, (pegs if symbols else 0) + 1):
                response_of[black * (2 * pegs + 1 - black) // 2 + common] = self._lookup[black, common]
        return CodeForm(self.codes.digits, symbols, response_of)

    def own(self) -> NDArray[np.int32]:
        """Return the secret that each guess names: the same code."""
        return np.arange(len(self.codes), dtype=np.int32)


def hits(guess: str, secret: str) -> tuple[int, int]:
    """Return how many positions agree, and how many symbols are common otherwise (black, white)."""
    black = sum(g == s for g, s in zip(guess, secret, strict=True))
    common = sum(min(guess.count(c), secret.count(c)) for c in set(guess))
    return black, common - black


def pair_lookup(positions: int, pairs: Sequence[tuple[int, int]]) -> NDArray[np.uint8]:
    """Return the response index by (black, black + white) for responses that are such pairs."""
    lookup = np.full((positions + 1, positions + 1), 255, dtype=np.uint8)
    for i, (black, white) in enumerate(pairs):
        lookup[black, black + white] = i
    return lookup


def parse_pegs(family: str, text: str) -> tuple[int, int, str]:
    """Return pegs and colours of ``4x6``, or of ``4xRGBYOW`` with its letters; raise GameError else."""
    lettered = re.fullmatch("([0-9]{1,4})x([A-Za-z]+)", text, re.ASCII)
    if not lettered or not int(lettered[1]):
        return *parse_size(f"{family}:{text}", text, "pegs", "colours"), ""
    letters = lettered[2].upper()
    if len(set(letters)) < len(letters):
        twice = next(letter for letter in letters if letters.count(letter) > 1)
        raise GameError(f"'{family}:{text}': the colour {twice!r} is there twice; expected each letter once")
    return int(lettered[1]), len(letters), letters


def check_symbols(spec: str, positions: int, number: int, most: int, what: str) -> None:
    """Raise GameError when there are more symbols or positions than can be written."""
    if positions > MOST_POSITIONS:
        raise GameError(f"{spec!r}: {positions} positions; expected at most {MOST_POSITIONS}")
    if number > most:
        raise GameError(f"{spec!r}: {number} {what}; expected at most {most}")
