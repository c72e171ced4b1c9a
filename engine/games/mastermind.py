"""Mastermind: a response counts black pegs (right colour, right place) and white pegs (right colour)."""

from __future__ import annotations

from ..catalogue import Amount, Offer
from ..errors import GameError
from ..game import Game
from ..notation import COLOURS, Look
from ..registry import register
from ..symmetry.groups import PositionsColours, Symmetry
from .codes import CodeGame, Codes, check_symbols, hits, pair_lookup, parse_pegs
from .varied import ANY, DISTINCT, EMPTY, MEANT, VariedCodes, options_of


class Mastermind(CodeGame):
    """Mastermind with `positions` pegs of `colours` colours, repetitions allowed.

    Codes are written with 1-9 then A-Z, or with the letters that are given; responses as ``black,white``.
    Only responses that some pair of codes gives are listed: (n-1, 1) never; for two colours an even number of
    white pegs; for one colour only the win.
    """

    def __init__(self, positions: int, colours: int, letters: str = "") -> None:
        spec = f"mastermind:{positions}x{letters or colours}"
        check_symbols(spec, positions, colours, len(COLOURS), "colours")
        super().__init__(spec, Codes(positions, letters or COLOURS[:colours]))
        self.look = Look("pegs", "keys", "black,white", self.codes.symbols)
        self.beyond = f"guesstree constructive mastermind:{positions}x{colours}"
        pairs = [
            (black, white)
            for black in range(positions + 1)
            for white in range(positions + 1 - black)
            if (black, white) != (positions - 1, 1)
            and (colours > 2 or white % 2 == 0)
            and (colours > 1 or black == positions)
        ]
        self.responses = [f"{black},{white}" for black, white in pairs]
        self.winning = len(pairs) - 1
        self._lookup = pair_lookup(positions, pairs)
        self._symmetry = PositionsColours(positions, colours, self.codes)

    def answer(self, guess: str, secret: str) -> str:
        """Return ``black,white``."""
        black, white = hits(guess, secret)
        return f"{black},{white}"

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of positions and of colours."""
        return self._symmetry


@register(
    "mastermind",
    example="mastermind:4x6",
    about="PEGSxCOLOURS, black and white pegs; 4xRGBYOW: colours by letters; "
    ",distinct: no colour twice (,any: but in guesses); ,empty: guesses may have holes",
    reference="Knuth 1977; Koyama and Lai 1993",
    offer=Offer(
        "Mastermind",
        "Find the code of coloured pegs: black says right colour and place, white right colour elsewhere.",
        (Amount("pegs", 1, 20, 4), Amount("colours", 1, len(COLOURS), 6, "RGBYOW")),
        {f",{options}": meaning for options, meaning in MEANT.items()},
        look=Look("pegs", "keys"),
        guess="1352",
        response="1,2",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``mastermind:PEGSxCOLOURS``, or with a letter for each colour; options."""
    size, chosen = options_of("mastermind", text, (DISTINCT, ANY, EMPTY))
    pegs, colours, letters = parse_pegs("mastermind", size)
    if not chosen:
        return Mastermind(pegs, colours, letters)
    spec = ",".join(
        [f"mastermind:{pegs}x{letters or colours}", *(o for o in (DISTINCT, ANY, EMPTY) if o in chosen)]
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
        Look("pegs", "keys", "black,white"),
        distinct=DISTINCT in chosen,
        any_guess=ANY in chosen,
        empty=EMPTY in chosen,
    )
