"""Nerdle: equations are guessed, each symbol is marked as in place, elsewhere in the equation, or absent."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import product
from math import prod

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, shown
from ..game import Game
from ..notation import DIGITS, Look
from ..registry import register
from .marks import SAYS, MarkGame

OPERATORS = "+-*/"
SYMBOLS = DIGITS[:10] + OPERATORS + "="
LEAST, MOST, USUAL = 5, 8, 8
"""Symbols of an equation; of nine there are too many to be asked for each other."""
TRIES = 6
"""So many guesses a game has."""


class NerdleGame(MarkGame):
    """Secrets and guesses are all equations of `size` symbols, in the order of their characters.

    Two or more numbers joined by ``+-*/``, then ``=`` and a number. No number begins with 0 but the result 0;
    no number has a sign; products and quotients come first, from the left; quotients are exact, and what is
    in between need not be whole: ``3/2*4=6``. An equation with its terms in another order is another one.
    """

    tries = TRIES
    look = Look("tiles", "marks", SAYS, SYMBOLS, secret="equation")

    def __init__(self, size: int) -> None:
        self.spec = f"nerdle:{size}"
        self.secrets = self.guesses = equations(size)
        self.number_responses()


def equations(size: int) -> tuple[str, ...]:
    """Return all equations of so many symbols, in the order of their characters."""
    found: list[str] = []
    for left in range(3, size - 1):
        least, most = 10 ** (size - left - 2) if size - left > 2 else 0, 10 ** (size - 1 - left)
        for lengths in _lengths(left):
            grid = np.meshgrid(*(np.arange(10 ** (n - 1), 10**n) for n in lengths), indexing="ij")
            numbers = np.stack([axis.ravel() for axis in grid])
            for operators in product(OPERATORS, repeat=len(lengths) - 1):
                values = _values(numbers, operators)
                some = np.flatnonzero((values >= least) & (values < most))
                signs = [*operators, "="]
                rows = np.vstack([numbers[:, some], values[some]]).T.tolist()
                found += [
                    "".join(f"{number}{sign}" for number, sign in zip(row, [*signs, ""], strict=True))
                    for row in rows
                ]
    return tuple(sorted(found))


def _lengths(left: int) -> Iterator[tuple[int, ...]]:
    """Yield the lengths of two or more numbers that are so long with an operator between each two."""
    for many in range(2, left // 2 + 2):
        for lengths in product(range(1, left), repeat=many):
            if sum(lengths) + many - 1 == left:
                yield lengths


def _values(numbers: NDArray[np.int64], operators: tuple[str, ...]) -> NDArray[np.int64]:
    """Return the values of columns of numbers, none of them 0, joined by operators; of no whole one, -1.

    Each term is a fraction; with at most 8 symbols, all numerators and denominators stay far below 2^63.
    """
    one = np.ones_like(numbers[0])
    terms = [(1, numbers[0], one)]
    for operator, number in zip(operators, numbers[1:], strict=True):
        sign, over, under = terms[-1]
        if operator == "*":
            terms[-1] = (sign, over * number, under)
        elif operator == "/":
            terms[-1] = (sign, over, under * number)
        else:
            terms.append((1 if operator == "+" else -1, number, one))
    under = prod((term[2] for term in terms), start=one)
    over = sum((sign * top * (under // bottom) for sign, top, bottom in terms), start=0 * one)
    return np.where(over % under == 0, over // under, -1)


@cache
def _game(size: int) -> NerdleGame:
    """Return the game; which responses there are takes a second to find out."""
    return NerdleGame(size)


@register(
    "nerdle",
    example="nerdle:8",
    about="equations of so many symbols, 5 to 8, such as 10+20=30; 6: mini-Nerdle",
    reference="Mann 2022, nerdlegame.com",
    offer=Offer(
        "Nerdle",
        "Find the equation: each symbol of a guess is in place, elsewhere in the equation, or not in it.",
        (Amount("symbols", LEAST, MOST, USUAL),),
        look=Look("tiles", "marks", symbols=SYMBOLS),
        guess="9*8-7=65",
        response="-+=--=+-",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``nerdle:SYMBOLS``."""
    if not re.fullmatch("[0-9]", text, re.ASCII) or not LEAST <= int(text) <= MOST:
        spec = shown(f"nerdle:{text}")
        raise GameError(f"{spec}: expected how many symbols an equation has, {LEAST} to {MOST}")
    return _game(int(text))
