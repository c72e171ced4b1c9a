"""Higher or lower: a number is found by comparisons, as in a search tree; so is that it is missing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from math import gcd, lcm

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, shown
from ..game import Game
from ..notation import Look
from ..registry import register

LOWER, HIGHER, RIGHT = "lower", "higher", "right"
"""The responses: where the number is, seen from the guess."""
MOST_NUMBERS = 1000
_NUMBER = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,9}|/[0-9]{1,15})?", re.ASCII)


class HigherOrLower(Game):
    """A number from 1 to n, the key of a search tree; a guess is a number, and the response says where it is.

    Without gaps the goal is to guess the number, as a tree finds a key only where it is compared with it.
    With gaps a search may be for something that is no key, such as what lies between 1 and 2. Such a secret
    is known by the comparisons on both sides, and a key only by the one with it, as one of the gaps beside it
    is possible until then. So the goal is to identify the secret, and the optimum that of Knuth (1971).
    (To mirror the numbers exchanges the responses, so it is no renaming that leaves them as they are.)

    Parameters
    ----------
    keys: how likely each number is, in any proportion, at least 0; nobody looks for one of 0.
    gaps: the same of what is below 1, between 1 and 2, ..., above n; empty: a number is always there.
    costs: what the comparison with each number costs; empty: 1.

    Raises GameError where nothing weighs anything, or a key has two gaps of 0 beside it and others have not.
    """

    look = Look(says="the number is lower or higher than the guess, or right", secret="number")

    def __init__(
        self, keys: Sequence[Fraction], gaps: Sequence[Fraction] = (), costs: Sequence[Fraction] = ()
    ) -> None:
        n = len(keys)
        one = f"{keys[0].numerator}/{keys[0].denominator}"  # a whole number alone says how many there are
        parts = [
            str(n) if set(keys) == {Fraction(1)} else "+".join(map(str, keys)) if n > 1 else one,
            *(["gaps=" + "+".join(map(str, gaps))] if gaps else []),
            *(["costs=" + "+".join(map(str, costs))] if costs else []),
        ]
        self.spec = ",".join([f"higher:{parts[0]}", *parts[1:]])
        for what, given, count in (("gaps", gaps, n + 1), ("costs", costs, n)):
            if given and len(given) != count:
                raise GameError(f"{shown(self.spec)}: {len(given)} {what} of {n} numbers; expected {count}")
        alone = [i for i in range(n) if any(gaps) and keys[i] and not (gaps[i] or gaps[i + 1])]
        if alone:
            number = alone[0] + 1
            raise GameError(
                f"{shown(self.spec)}: number {number} has two gaps of 0 beside it, so that it would be known "
                "without a comparison; expected one of them above 0"
            )
        # Secrets stand in their order: gap 0, number 1, gap 1, ...; at number i they are at 2 i - 1.
        places = {2 * i + 1: share for i, share in enumerate(keys)}
        places |= {2 * i: share for i, share in enumerate(gaps)}
        self._at = np.array([place for place in sorted(places) if places[place]], dtype=np.int64)
        if not len(self._at):
            raise GameError(f"{shown(self.spec)}: all weights are 0; expected one above 0")
        shares = [places[place] for place in self._at.tolist()]
        self.secrets = tuple(_called(place, n) for place in self._at.tolist())
        self.guesses = tuple(map(str, range(1, n + 1)))
        order = np.sign(self._at[None, :] - (2 * np.arange(n) + 1)[:, None])
        names = {-1: LOWER, 1: HIGHER, 0: RIGHT}
        seen = [sign for sign in names if (order == sign).any()]
        self.responses = tuple(names[sign] for sign in seen)
        index = {sign: i for i, sign in enumerate(seen)}
        self._table = np.array([index.get(sign, 0) for sign in (-1, 0, 1)], dtype=np.uint8)[order + 1]
        self.winning = None if any(gaps) else index[0]
        if len(set(shares)) > 1:
            self.weight_unit = _unit(shares)
            self.weights = tuple(int(share / self.weight_unit) for share in shares)
        if set(costs) - {Fraction(1)}:
            self.cost_unit = _unit([cost for cost in costs if cost] or [Fraction(1)])
            each = np.array([int(cost / self.cost_unit) for cost in costs], dtype=np.int64)
            self.costs = np.repeat(each[:, None], len(self.responses), axis=1)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: where the number is, seen from the guess."""
        place, own = int(self._at[secret]), 2 * guess + 1
        return self.responses.index(LOWER if place < own else HIGHER if place > own else RIGHT)

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        return self._table

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return self._table[np.ix_(guesses, secrets)]

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the response of each guess on the secret beside it."""
        return self._table[guesses, secrets]

    def own(self) -> NDArray[np.int32]:
        """Return the secret that each guess names: the same number, or -1 where nobody looks for it."""
        own = 2 * np.arange(len(self.guesses)) + 1
        found = np.minimum(np.searchsorted(self._at, own), len(self._at) - 1)
        return np.where(self._at[found] == own, found, -1).astype(np.int32)


def _called(place: int, n: int) -> str:
    """Return the label of a secret: a number, or the gap where nothing is found."""
    number, gap = (place + 1) // 2, not place % 2
    if not gap:
        return str(number)
    return (
        "below 1" if not place else f"above {n}" if place == 2 * n else f"between {number} and {number + 1}"
    )


def _unit(shares: Sequence[Fraction]) -> Fraction:
    """Return the largest number of which all of these are multiples."""
    return Fraction(gcd(*(one.numerator for one in shares)), lcm(*(one.denominator for one in shares)))


@register(
    "higher",
    example="higher:31",
    about="a number from 1 to N, or of weights W+W+...; ,gaps=W+W+...: of what is below 1, between 1 and 2, "
    "..., above N; ,costs=C+C+...: of comparisons",
    reference="Knuth 1971",
    offer=Offer(
        "Higher or lower",
        "Think of a number: each guess is answered lower, higher or right.",
        (Amount("numbers", 1, MOST_NUMBERS, 31),),
        look=Look("tiles"),
        guess="16",
        response=HIGHER,
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``higher:N`` or ``higher:W+W+...`` with gaps and costs after commas."""
    spec = f"higher:{text}"
    numbers, *options = text.split(",")
    given = [option.partition("=") for option in options]
    if any(name not in ("gaps", "costs") for name, _, _ in given) or len({one[0] for one in given}) < len(
        given
    ):
        raise GameError(f"{shown(spec)}: expected gaps=W+W+... and costs=C+C+..., each once, after commas")
    if re.fullmatch("[0-9]{1,9}", numbers, re.ASCII):
        if not 1 <= int(numbers) <= MOST_NUMBERS:
            raise GameError(f"{shown(spec)}: {int(numbers)} numbers; expected 1 to {MOST_NUMBERS}")
        keys = [Fraction(1)] * int(numbers)
    else:
        keys = _numbers(spec, numbers)
    if len(keys) > MOST_NUMBERS:
        raise GameError(f"{shown(spec)}: {len(keys)} numbers; expected 1 to {MOST_NUMBERS}")
    said = {name: _numbers(spec, value) for name, _, value in given}
    return HigherOrLower(keys, said.get("gaps", ()), said.get("costs", ()))


def _numbers(spec: str, text: str) -> list[Fraction]:
    """Return numbers with + between them; raise GameError for anything else."""
    some = text.split("+")
    if not all(map(_NUMBER.fullmatch, some)):
        raise GameError(
            f"{shown(spec)}: expected how many numbers there are, or their weights with + between them, "
            "such as higher:31 or higher:3+1+4,gaps=1+1+1/2+2"
        )
    if len(some) > MOST_NUMBERS + 1:
        raise GameError(f"{shown(spec)}: {len(some)} weights; expected at most {MOST_NUMBERS} numbers")
    try:
        return [Fraction(one) for one in some]
    except ZeroDivisionError:
        raise GameError(f"{shown(spec)}: a number with 0 below the line; expected such as 1/8") from None
