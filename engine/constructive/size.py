"""Mastermind of any size: codes as arrays, specs, responses and how all of these are written.

A `Game` lists its codes; here they are far too many. Colours are numbers from 0, and written from 1.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import log2

import numpy as np
from numpy.typing import NDArray

from ..errors import GameError, GuesstreeError, shown
from ..notation import COLOURS, Look
from ..registry import parse_size

Code = NDArray[np.uint16]
"""A code: the colour at each peg, shape (pegs,)."""
Response = tuple[int, ...]
"""(black, white), or (black,) where only black pegs are counted."""
FAMILIES = ("mastermind", "blackpeg")
PEGS_LOOK = Look("pegs", "keys")


@dataclass(frozen=True)
class Size:
    """A game of Mastermind by its family (``mastermind`` or ``blackpeg``), pegs and colours."""

    family: str
    pegs: int
    colours: int

    @property
    def spec(self) -> str:
        """The text that `parse_spec` turns back into this."""
        return f"{self.family}:{self.pegs}x{self.colours}"

    @property
    def whites(self) -> bool:
        """Whether responses tell white pegs."""
        return self.family == "mastermind"

    def respond(self, guess: Code, secret: Code) -> Response:
        """Return the response that `guess` gets when `secret` is hidden."""
        black = int((guess == secret).sum())
        if not self.whites:
            return (black,)
        common = np.minimum(counts(guess, self.colours), counts(secret, self.colours)).sum()
        return black, int(common) - black

    def possible(self, response: Response) -> bool:
        """Return whether some guess gets this response from some secret."""
        black, white = (*response, 0)[:2]
        return (
            len(response) == 1 + self.whites
            and black >= 0
            and white >= 0
            and black + white <= self.pegs
            and (black, white) != (self.pegs - 1, 1)
            and (self.colours > 2 or white % 2 == 0)
            and (self.colours > 1 or black == self.pegs)
        )

    @property
    def responses(self) -> int:
        """How many responses are possible."""
        n = self.pegs
        if self.colours == 1:
            return 1
        if not self.whites:
            return n + 1
        if self.colours == 2:
            return sum((n - black) // 2 + 1 for black in range(n + 1))
        return (n + 1) * (n + 2) // 2 - 1

    @property
    def counting_bound(self) -> int:
        """At least so many questions are needed to know every code: responses^questions >= codes."""
        questions, distinguished, codes = 0, 1, self.colours**self.pegs
        if self.responses > 1:
            questions = max(int(self.pegs * log2(self.colours) / log2(self.responses)) - 1, 0)
            distinguished = self.responses**questions
        while distinguished < codes:
            distinguished *= self.responses
            questions += 1
        return questions

    def code(self, colours: Sequence[int] | NDArray[np.integer]) -> Code:
        """Return a code of colours numbered from 0; raise GameError for what is none."""
        code = np.asarray(colours)
        if code.shape != (self.pegs,) or (code.size and not 0 <= code.min() <= code.max() < self.colours):
            raise GameError(f"not a code of {self.spec}; expected {self.accepted}")
        return code.astype(np.uint16)

    @property
    def accepted(self) -> str:
        """What a written code looks like."""
        return f"{self.pegs} numbers from 1 to {self.colours}, separated by spaces"

    def parse_code(self, text: str) -> Code:
        """Return the code of a text such as ``3 1 12``; raise GameError for another.

        Where one symbol is enough for a colour, 1-9 then A-Z as in `Game`, spaces may be left out.
        """
        words = re.split(r"[\s,]+", text.strip())
        if len(words) == 1 < self.pegs and self.colours <= len(COLOURS):
            words = [str(COLOURS.find(symbol) + 1) for symbol in words[0].upper()]
        if len(words) == self.pegs and all(re.fullmatch("[0-9]{1,5}", word) for word in words):
            numbers = [int(word) - 1 for word in words]
            if all(0 <= number < self.colours for number in numbers):
                return self.code(numbers)
        raise GameError(f"{shown(text)} is not a code of {self.spec}; expected {self.accepted}")

    def label(self, code: Code) -> str:
        """Return a code as `Game` writes it, with one symbol for each colour, of which there are 35."""
        return "".join(COLOURS[colour] for colour in code)

    def write_code(self, code: Code) -> str:
        """Return a code as numbers from 1, separated by spaces."""
        return " ".join(map(str, (code.astype(np.int64) + 1).tolist()))

    def parse_response(self, text: str) -> Response:
        """Return the response of a text such as ``3,12``, ``3 12`` or ``bbbw``; raise GuesstreeError else."""
        counts = PEGS_LOOK.counted(text)
        if counts is not None and (self.whites or not counts[1]):
            return counts if self.whites else counts[:1]
        words = re.split(r"[\s,;./:+-]+", text.strip())
        if len(words) == 1 + self.whites and all(re.fullmatch("[0-9]{1,5}", word) for word in words):
            return tuple(map(int, words))
        form = "black,white such as 1,0" if self.whites else "the number of black pegs"
        if not text:
            raise GuesstreeError(f"type the response: {form}")
        raise GuesstreeError(f"{shown(text)} is not a response of {self.spec}; expected {form}")

    def write_response(self, response: Response) -> str:
        """Return a response as ``black,white``, or the number of black pegs."""
        return ",".join(map(str, response))


def parse_spec(spec: str) -> Size:
    """Return the size of a spec such as ``mastermind:64x64``; raise GameError for another."""
    family, colon, rest = spec.partition(":")
    if family not in FAMILIES or not colon:
        raise GameError(f"{shown(spec)}: use mastermind:PEGSxCOLOURS or blackpeg:PEGSxCOLOURS here")
    return Size(family, *parse_size(spec, rest, "pegs", "colours"))


def counts(code: Code, colours: int) -> NDArray[np.int64]:
    """Return how often each colour occurs, shape (colours,)."""
    return np.bincount(code, minlength=colours)
