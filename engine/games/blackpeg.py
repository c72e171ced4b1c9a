"""Black-peg Mastermind: a response is the number of positions that agree."""

from __future__ import annotations

import numpy as np

from ..catalogue import Amount, Offer
from ..game import Game
from ..notation import COLOURS, Look
from ..registry import register
from ..symmetry.groups import PositionwiseColours, Symmetry
from .codes import CodeGame, Codes, check_symbols, parse_pegs


class BlackPeg(CodeGame):
    """Mastermind without white pegs; responses are 0 to n (with one colour: n alone)."""

    def __init__(self, positions: int, colours: int, letters: str = "") -> None:
        spec = f"blackpeg:{positions}x{letters or colours}"
        check_symbols(spec, positions, colours, len(COLOURS), "colours")
        super().__init__(spec, Codes(positions, letters or COLOURS[:colours]))
        self.look = Look("pegs", "keys", "black pegs", self.codes.symbols)
        self.beyond = f"guesstree constructive blackpeg:{positions}x{colours}"
        self.responses = [str(n) for n in range(positions + 1) if colours > 1 or n == positions]
        self.winning = len(self.responses) - 1
        blacks = (
            np.arange(positions + 1, dtype=np.uint8) if colours > 1 else np.zeros(positions + 1, np.uint8)
        )
        self._lookup = np.repeat(blacks[:, None], positions + 1, axis=1)
        self._symmetry = PositionwiseColours(positions, colours, self.codes)

    def answer(self, guess: str, secret: str) -> str:
        """Return the number of positions that agree."""
        return str(sum(g == s for g, s in zip(guess, secret, strict=True)))

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of positions, and of colours at each position on its own."""
        return self._symmetry


@register(
    "blackpeg",
    example="blackpeg:4x6",
    about="PEGSxCOLOURS, black pegs only; 4xRGBYOW: colours by letters",
    reference="Erdos and Renyi 1963; Goodrich 2009",
    offer=Offer(
        "Mastermind, black pegs only",
        "Find the code of coloured pegs: you are told how many pegs are right, not which.",
        (Amount("pegs", 1, 20, 4), Amount("colours", 1, len(COLOURS), 6, "RGBYOW")),
        look=Look("pegs", "keys"),
        guess="2465",
        response="2",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``blackpeg:PEGSxCOLOURS``, or with a letter for each colour."""
    return BlackPeg(*parse_pegs("blackpeg", text))
