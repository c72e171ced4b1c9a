"""Coin weighing on a spring scale: put some coins on it, read what they weigh together."""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ..catalogue import Amount, Offer
from ..errors import GameError, shown
from ..game import Game
from ..memory import require_memory
from ..notation import Look
from ..registry import register
from ..symmetry.groups import Subsets, Symmetry

COINS = "ABCDEFGHIJKLMNOPQRST"
MOST_WEIGHT = 9
BLOCK_CELLS = 1 << 22


class Coins(Game):
    """N coins of weights 0 to `most`, the total from `low` to `high`; a guess is a set of coins, such as ADE.

    A secret is written as the weights of the coins, one digit each. The goal is to identify it. Guesses are
    in the order A, B, AB, C, AC, ...

    Raises SpaceError when the table of responses would not fit in memory.
    """

    def __init__(self, coins: int, most: int, low: int, high: int) -> None:
        total = f",total={low}" if low == high else f",total={low}..{high}"
        every = (low, high) == (0, coins * most)
        self.spec = f"coins:{coins}" + (f",max={most}" if most > 1 else "") + ("" if every else total)
        require_memory(self.spec, (1 << coins) - 1, how_many(coins, most, low, high))
        self._weights = np.array(list(vectors(coins, most, low, high)), dtype=np.uint8)
        numbers = np.arange(1, 1 << coins, dtype=np.int64)
        self._chosen = ((numbers[:, None] >> np.arange(coins)) & 1).astype(np.uint8)
        self.secrets = tuple("".join(map(str, row)) for row in self._weights.tolist())
        self.guesses = tuple(
            "".join(coin for coin, on in zip(COINS, row, strict=False) if on) for row in self._chosen.tolist()
        )
        self.winning = None
        sums = reachable(coins, most, low, high)
        self.responses = tuple(map(str, sums))
        self._index = {weight: i for i, weight in enumerate(sums)}
        self._number = np.zeros(sums[-1] + 1, dtype=np.uint8)
        self._number[sums] = np.arange(len(sums))
        self._symmetry = Subsets(self._chosen, self._weights)

    def respond(self, guess: int, secret: int) -> int:
        """Return the index of the response: what the coins of the guess weigh together."""
        letters, weights = self.guesses[guess], self.secrets[secret]
        return self._index[sum(int(weights[COINS.index(coin)]) for coin in letters)]

    def table(self) -> NDArray[np.uint8]:
        """Return every response, shape (guesses, secrets)."""
        return self._responses(self._chosen, self._weights)

    def block(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return the responses of some guesses on some secrets, shape (guesses, secrets)."""
        return self._responses(self._chosen[guesses], self._weights[secrets])

    def respond_each(self, guesses: NDArray[np.int32], secrets: NDArray[np.int32]) -> NDArray[np.uint8]:
        """Return what the coins of each guess weigh together in the secret beside it."""
        together = (self._chosen[guesses] * self._weights[secrets]).sum(axis=1)
        found: NDArray[np.uint8] = self._number[together]
        return found

    def _responses(self, chosen: NDArray[np.uint8], weights: NDArray[np.uint8]) -> NDArray[np.uint8]:
        found = np.empty((len(chosen), len(weights)), dtype=np.uint8)
        columns = weights.T.astype(np.float32)  # sums are exact in it, and products fast
        step = max(BLOCK_CELLS // max(len(weights), 1), 1)
        for start in range(0, len(chosen), step):
            sums = chosen[start : start + step].astype(np.float32) @ columns
            found[start : start + step] = self._number[sums.astype(np.intp)]
        return found

    @property
    def symmetry(self) -> Symmetry:
        """Return the permutations of the coins.

        Heavy for light is no symmetry of the contract: it changes responses.
        """
        return self._symmetry


def vectors(length: int, most: int, low: int, high: int) -> Iterator[tuple[int, ...]]:
    """Yield the vectors of entries 0 to `most` with a sum from `low` to `high`, in lexicographic order."""
    if not length:
        yield ()
        return
    for first in range(max(low - most * (length - 1), 0), min(most, high) + 1):
        for rest in vectors(length - 1, most, max(low - first, 0), high - first):
            yield (first, *rest)


def reachable(length: int, most: int, low: int, high: int) -> list[int]:
    """Return what some entries of some vector that `vectors` yields add up to, one entry or more; ascending.

    Of j entries it is s if they can, and the others can bring the sum into its range.
    """
    return sorted(
        {
            s
            for j in range(1, length + 1)
            for s in range(min(j * most, high) + 1)
            if s + (length - j) * most >= low
        }
    )


def how_many(length: int, most: int, low: int, high: int) -> int:
    """Return exactly how many vectors `vectors` yields."""
    ways = [1]
    for _ in range(length):
        ways = [sum(ways[max(t - most, 0) : t + 1]) for t in range(len(ways) + most)]
    return sum(ways[low : high + 1])


@register(
    "coins",
    example="coins:5",
    about="COINS of weight 0 or 1 on a spring scale; ,max=W: weights 0 to W; ,total=T or A..B: a known total",
    reference="Shapiro 1960; Lindstroem 1965",
    offer=Offer(
        "Coins on a scale",
        "Some coins are false: weigh any of them together, and find out which.",
        (Amount("coins", 1, len(COINS), 5),),
        {",max=2": "a coin weighs 0, 1 or 2"},
        look=Look("tiles"),
        guess="ACD",
        response="2",
    ),
)
def make(text: str) -> Game:
    """Return the game of a spec ``coins:N``, ``coins:N,max=W``, ``coins:N,total=T`` or both options."""
    spec = f"coins:{text}"
    found = re.fullmatch(
        r"([0-9]{1,3})(?:,max=([0-9]{1,3}))?(?:,total=([0-9]{1,4})(?:\.\.([0-9]{1,4}))?)?", text, re.ASCII
    )
    if not found:
        raise GameError(
            f"{shown(spec)}: expected a number of coins, then ,max=W and ,total=T or ,total=A..B if wanted, "
            "such as coins:5 or coins:4,max=2,total=3"
        )
    coins, most = int(found[1]), int(found[2] or 1)
    if not 1 <= coins <= len(COINS):
        raise GameError(f"{spec!r}: {coins} coins; expected 1 to {len(COINS)}")
    if not 1 <= most <= MOST_WEIGHT:
        raise GameError(f"{spec!r}: weights up to {most}; expected 1 to {MOST_WEIGHT}")
    low = int(found[3] or 0)
    high = int(found[4] or low) if found[3] else coins * most
    if not low <= high <= coins * most:
        raise GameError(f"{spec!r}: a total from {low} to {high}; expected totals from 0 to {coins * most}")
    return Coins(coins, most, low, high)
