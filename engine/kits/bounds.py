"""Lower bounds of kits: by counting answers, by pairs that share no question, and by prices of pairs."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import accumulate
from math import comb
from operator import mul

import numpy as np

from ..stopping import heed

ROUNDS = 400
"""Rounds in which prices of pairs are found."""


class Counting:
    """How many questions it takes at least to tell a number of kinds apart that were answered alike.

    Parameters
    ----------
    parts: how many different answers each question has, of those that may be asked.
    apart: in how many questions two kinds have to differ.
    """

    def __init__(self, parts: Sequence[int], apart: int) -> None:
        self._parts = sorted(parts, reverse=True)
        self._apart = apart
        self.fewest = cache(self._fewest)

    def _fewest(self, kinds: int) -> int:
        """Return exactly the least k that the bounds leave.

        Without lies k questions have at most as many answers as the k largest numbers of answers multiplied.
        With lies a question may be asked again, so r answers each, r the largest: leave out `apart` - 1 of
        the questions, and kinds still differ (Singleton 1964); and around each kind there is a ball of what
        L false answers make of its answers, of which no two meet (Hamming 1950). Smaller numbers of answers
        leave no room for more: a ball of radius L around a word grows by less, in proportion, than all words
        do if one number of answers grows.
        """
        if kinds < 2:
            return 0
        most = self._parts[0] if self._parts else 1
        if most < 2:
            return self._apart * (len(self._parts) + 1)  # it cannot be done at all
        if self._apart == 1:
            room = accumulate(self._parts, mul)
            return next((k for k, answers in enumerate(room, 1) if answers >= kinds), len(self._parts) + 1)
        k, lies = self._apart, (self._apart - 1) // 2
        while not (
            most ** (k - self._apart + 1) >= kinds
            and kinds * sum(comb(k, i) * (most - 1) ** i for i in range(lies + 1)) <= most**k
        ):
            k += 1
        return k


def prices_of_pairs(rows: Sequence[int], costs: Sequence[int], usable: int) -> tuple[list[int], Fraction]:
    """Return prices of pairs and a factor: times it, what a question collects is at most its cost.

    So a kit costs at least the factor times the prices of all pairs, each counted as often as it has to be
    told apart: this is the dual of the linear program of the kit, and any prices give a bound. They are found
    by playing (Freund and Schapire 1999): again and again the price of the pair is raised that the questions,
    mixed, tell apart least, and questions that collect much get more weight. Prices are numbers of rounds, so
    the factor is exact.

    Parameters
    ----------
    rows, costs, usable: questions of each pair as a mask, costs above 0, questions that may be asked as one.
    """
    questions = [g for g in range(len(costs)) if usable >> g & 1]
    table = np.array([[row >> g & 1 for g in questions] for row in rows], dtype=np.float64)
    if not table.size or not table.any(axis=1).all():
        return [0] * len(rows), Fraction(1)
    cost = np.array([costs[g] for g in questions], dtype=np.float64)
    table /= cost / cost.max()
    prices, load = np.zeros(len(rows), dtype=np.int64), np.zeros(len(questions))
    rate = np.sqrt(8 * np.log(len(questions) + 1) / ROUNDS)
    for _ in range(ROUNDS):
        heed()
        weight = np.exp(rate * (load - load.max()))
        pair = int((table @ weight).argmin())
        prices[pair] += 1
        load += table[pair]
    found: list[int] = prices.tolist()
    collected = [sum(y for y, row in zip(found, rows, strict=True) if row >> g & 1) for g in questions]
    return found, min(Fraction(costs[g], many) for g, many in zip(questions, collected, strict=True) if many)
