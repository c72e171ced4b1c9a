"""Primel: prime numbers are guessed, each digit is marked as in place, elsewhere in the number, or absent."""

from __future__ import annotations

import re
from functools import cache

import numpy as np

from ..catalogue import Amount, Offer
from ..errors import GameError, shown
from ..game import Game
from ..notation import DIGITS, Look
from ..registry import register
from .marks import SAYS, MarkGame

SYMBOLS = DIGITS[:10]
LEAST, MOST, USUAL = 2, 6, 5
"""Digits of a number."""
TRIES = 6
"""So many guesses a game has."""


class PrimelGame(MarkGame):
    """Secrets and guesses are all prime numbers of so many digits, ascending."""

    tries = TRIES
    look = Look("tiles", "marks", SAYS, SYMBOLS, secret="prime")

    def __init__(self, digits: int) -> None:
        self.spec = f"primel:{digits}"
        self.secrets = self.guesses = primes(digits)
        self.number_responses()


def primes(digits: int) -> tuple[str, ...]:
    """Return all prime numbers of so many digits, ascending; by the sieve of Eratosthenes."""
    prime = np.ones(10**digits, dtype=bool)
    prime[:2] = False
    for number in range(2, int(len(prime) ** 0.5) + 1):
        if prime[number]:
            prime[number * number :: number] = False
    found = np.flatnonzero(prime)
    return tuple(map(str, found[found >= 10 ** (digits - 1)].tolist()))


@cache
def _game(digits: int) -> PrimelGame:
    """Return the game; of six digits, the table of all responses would take long to make."""
    return PrimelGame(digits)


@register(
    "primel",
    example="primel:5",
    about="prime numbers of so many digits, 2 to 6",
    reference="Primel 2022, converged.yt/primel",
    offer=Offer(
        "Primel",
        "Find the prime number: each digit of a guess is in place, elsewhere in the number, or not in it.",
        (Amount("digits", LEAST, MOST, USUAL),),
        look=Look("tiles", "marks", symbols=SYMBOLS),
        guess="12953",
        response="-+=--",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``primel:DIGITS``."""
    if not re.fullmatch("[0-9]", text, re.ASCII) or not LEAST <= int(text) <= MOST:
        spec = shown(f"primel:{text}")
        raise GameError(f"{spec}: expected how many digits a number has, {LEAST} to {MOST}")
    return _game(int(text))
