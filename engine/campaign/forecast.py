"""What open claims may take, by what like ones took."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from math import sqrt
from typing import TypeVar

K = TypeVar("K", bound=Hashable)
LIKE = 5
"""So many like claims are needed."""


@dataclass(frozen=True)
class Forecast:
    """What is left of some claims.

    Attributes
    ----------
    claims: how many they are.
    seconds, spread: of a processor, that they may take: the mean and the standard deviation of the sum.
    beyond: how many of them took longer so far than all but `LIKE` like ones.
    """

    claims: int
    seconds: float
    spread: float
    beyond: int


def forecast(settled: Mapping[K, Sequence[float]], left: Iterable[tuple[K, float]]) -> Forecast:
    """Return what claims may still take that have taken some seconds, each with its kind.

    A claim is taken to go on as those of its kind did that took longer than it has so far, each as likely as
    the other. Where there are fewer than `LIKE` of them, as much again is assumed, or what a claim of any
    kind takes on average if that is more, and the same uncertainty. Claims are taken as independent.

    Parameters
    ----------
    settled: by kind, what each claim took that is settled.
    """
    sums = {kind: _Tail(sorted(took)) for kind, took in settled.items()}
    every = [seconds for took in settled.values() for seconds in took]
    average = sum(every) / len(every) if every else 0.0
    claims = beyond = 0
    seconds = variance = 0.0
    for kind, spent in left:
        claims += 1
        rest = sums[kind].beyond(spent) if kind in sums else None
        if rest is None:
            beyond += 1
            guess = max(spent, average)
            rest = guess, guess * guess
        seconds, variance = seconds + rest[0], variance + rest[1]
    return Forecast(claims, seconds, sqrt(variance), beyond)


class _Tail:
    """Numbers, ascending, and the sums of those from each on, and of their squares."""

    def __init__(self, numbers: Sequence[float]) -> None:
        self.numbers = numbers
        self.sums = [*accumulate(reversed(numbers), initial=0.0)]
        self.squares = [*accumulate((x * x for x in reversed(numbers)), initial=0.0)]

    def beyond(self, least: float) -> tuple[float, float] | None:
        """Return by how much those above a number exceed it, mean and variance; None: too few do."""
        many = len(self.numbers) - bisect_right(self.numbers, least)
        if many < LIKE:
            return None
        mean = self.sums[many] / many
        return mean - least, max(0.0, self.squares[many] / many - mean * mean)
