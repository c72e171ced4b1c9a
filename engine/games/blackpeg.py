"""Black-peg Mastermind: a response is the number of positions that agree."""

from __future__ import annotations

import numpy as np

from ..catalogue import Amount, Offer
from ..errors import GameError
from ..game import Game
from ..notation import COLOURS, Look
from ..registry import register
from ..symmetry.groups import PositionwiseColours, Symmetry
from .codes import CodeGame, Codes, check_symbols, parse_pegs
from .varied import ANY, DISTINCT, EMPTY, MEANT, VariedCodes, options_of


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
    about="PEGSxCOLOURS, black pegs only; 4xRGBYOW: colours by letters; "
    ",distinct: no colour twice (,any: but in guesses); ,empty: guesses may have holes",
    reference="Erdos and Renyi 1963; Goodrich 2009",
    offer=Offer(
        "Mastermind, black pegs only",
        "Find the code of coloured pegs: you are told how many pegs are right, not which.",
        (Amount("pegs", 1, 20, 4), Amount("colours", 1, len(COLOURS), 6, "RGBYOW")),
        {f",{options}": meaning for options, meaning in MEANT.items()},
        look=Look("pegs", "keys"),
        guess="2465",
        response="2",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``blackpeg:PEGSxCOLOURS``, or with a letter for each colour; options."""
    size, chosen = options_of("blackpeg", text, (DISTINCT, ANY, EMPTY))
    pegs, colours, letters = parse_pegs("blackpeg", size)
    if not chosen:
        return BlackPeg(pegs, colours, letters)
    spec = ",".join(
        [f"blackpeg:{pegs}x{letters or colours}", *(o for o in (DISTINCT, ANY, EMPTY) if o in chosen)]
    )
    if ANY in chosen and DISTINCT not in chosen:
        raise GameError(
            f"{spec!r}: with repeated colours any code may be guessed; expected {DISTINCT} beside {ANY}"
        )
    check_symbols(spec, pegs, colours, len(COLOURS), "colours")
    return VariedCodes(
        spec,
        pegs,
        letters or COLOURS[:colours],
        Look("pegs", "keys", "black pegs"),
        distinct=DISTINCT in chosen,
        any_guess=ANY in chosen,
        empty=EMPTY in chosen,
        whites=False,
    )
