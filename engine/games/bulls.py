"""Bulls and Cows: codes of distinct digits; bulls are right digits in place, cows right digits elsewhere."""

from __future__ import annotations

from ..catalogue import Amount, Offer
from ..errors import GameError
from ..game import Game
from ..notation import DIGITS, Look
from ..registry import parse_size, register
from ..symmetry.groups import PositionsColours, Symmetry
from .codes import CodeGame, Codes, check_symbols, hits, pair_lookup
from .varied import ANY, EMPTY, REPEATED, VariedCodes, options_of


class BullsAndCows(CodeGame):
    """Codes of `positions` distinct digits out of `digits`, written with 0-9 then A-J.

    Responses are ``bulls,cows``; listed are those that some pair of codes gives: (n-1, 1) never, and two
    codes share at least 2n - k digits.
    """

    def __init__(self, positions: int, digits: int) -> None:
        spec = f"bulls:{positions}x{digits}"
        check_symbols(spec, positions, digits, len(DIGITS), "digits")
        if positions > digits:
            raise GameError(
                f"{spec!r}: {positions} distinct digits out of {digits} do not exist; "
                f"expected at most {digits} positions"
            )
        super().__init__(spec, Codes(positions, DIGITS[:digits], distinct=True))
        self.look = Look("tiles", "bulls", "bulls,cows", self.codes.symbols, distinct=True)
        pairs = [
            (bulls, cows)
            for bulls in range(positions + 1)
            for cows in range(positions + 1 - bulls)
            if (bulls, cows) != (positions - 1, 1) and bulls + cows >= 2 * positions - digits
        ]
        self.responses = [f"{bulls},{cows}" for bulls, cows in pairs]
        self.winning = len(pairs) - 1
        self._lookup = pair_lookup(positions, pairs)
        self._symmetry = PositionsColours(positions, digits, self.codes, distinct=True)

    def answer(self, guess: str, secret: str) -> str:
        """Return ``bulls,cows``."""
        bulls, cows = hits(guess, secret)
        return f"{bulls},{cows}"

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of positions and of digits."""
        return self._symmetry


@register(
    "bulls",
    example="bulls:4x10",
    about="POSITIONSxDIGITS, different digits, bulls and cows; ,repeated: digits may be repeated; "
    ",any: in guesses; ,empty: guesses may have holes",
    reference="Tanaka 1996",
    offer=Offer(
        "Bulls and Cows",
        "Find a number whose digits differ: bulls are digits in place, cows are digits elsewhere.",
        (Amount("places", 1, len(DIGITS), 4), Amount("digits", 1, len(DIGITS), 10)),
        {
            f",{REPEATED}": "digits may be repeated",
            f",{ANY}": "guesses may repeat digits",
            f",{EMPTY}": "guesses may leave places empty",
        },
        look=Look("tiles", "bulls"),
        guess="5073",
        response="1,2",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``bulls:POSITIONSxDIGITS``, with options."""
    accepted = (REPEATED, ANY, EMPTY)
    size, chosen = options_of("bulls", text, accepted)
    positions, digits = parse_size(f"bulls:{text}", size, "positions", "digits")
    if not chosen:
        return BullsAndCows(positions, digits)
    spec = ",".join([f"bulls:{positions}x{digits}", *(option for option in accepted if option in chosen)])
    if chosen >= {REPEATED, ANY}:
        raise GameError(f"{spec!r}: with repeated digits any number may be guessed; expected {ANY} alone")
    check_symbols(spec, positions, digits, len(DIGITS), "digits")
    return VariedCodes(
        spec,
        positions,
        DIGITS[:digits],
        Look("tiles", "bulls", "bulls,cows"),
        distinct=REPEATED not in chosen,
        any_guess=ANY in chosen,
        empty=EMPTY in chosen,
    )
