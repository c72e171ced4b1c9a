"""Strategies that survive false responses: at most `lies` of all responses are false, nobody knows which.

A response is certain once it was given so often that not all of these can be lies. Coins need far less than
asking everything so often: see `plans`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Generic, TypeVar

from ..errors import Contradiction, GuesstreeError
from .coins import MANY, Weighings, weigh
from .plans import Plan, plan

G = TypeVar("G")
R = TypeVar("R")
S = TypeVar("S")


class Doubt(Generic[G, R]):
    """How many responses were asked for, and how many more may be false.

    Raises GuesstreeError for a number of lies below 0.
    """

    def __init__(self, lies: int) -> None:
        if lies < 0:
            raise GuesstreeError(f"{lies} lies; expected 0 or more")
        self.allowed, self.lies, self.asked = lies, lies, 0

    def ask(self, guess: G) -> Generator[G, R, R]:
        """Ask once."""
        self.asked += 1
        return (yield guess)

    def expose(self, number: int) -> None:
        """Take note that so many responses were false; raise Contradiction when they are too many."""
        self.lies -= number
        if self.lies < 0:
            raise Contradiction(f"more than {self.allowed} of {self.asked} responses are false", self.asked)

    def certain(self, guess: G) -> Generator[G, R, R]:
        """Ask until one response was given more often than there may be lies: it is true.

        Costs one weighing more than there may be lies, and one more for each false response, which is then
        known.
        """
        given: Counter[R] = Counter()
        while True:
            given[(yield from self.ask(guess))] += 1
            response, times = given.most_common(1)[0]
            false = given.total() - times  # at least, and exactly when this one is true
            if times > self.lies or false > self.lies:
                self.expose(false)
                return response


def repeated(talk: Generator[G, R, S], lies: int) -> Generator[G, R, S]:
    """Play a strategy of any game with every response made certain.

    Asks at most (lies + 1) times as many questions as the strategy, and one more for each false response.
    Raises Contradiction when more responses are false.
    """
    doubt: Doubt[G, R] = Doubt(lies)
    try:
        guess = next(talk)
        while True:
            guess = talk.send((yield from doubt.certain(guess)))
    except StopIteration as end:
        return end.value
    except Contradiction:  # what was thought certain is not
        doubt.expose(doubt.lies + 1)
        raise


def weigh_with_lies(n: int, lies: int, most: int = 1) -> Weighings:
    """Find the weights of n coins, 0 to `most`, when at most `lies` of the sums are false.

    Makes the weighings of a plan until the coins are known; where every weighing made certain has a better
    guarantee, does that. See `weighings_with_lies_at_most`. Raises Contradiction when more sums are false,
    and GuesstreeError for numbers that are none.
    """
    planned = _plan(n, lies, most)
    if planned is None:
        return (yield from repeated(weigh(n, most=most), lies))
    sums: list[int] = []
    while True:
        sums.append((yield planned.mask(len(sums))))
        weights = planned.settled(sums)
        if weights is not None:
            return weights


def weighings_with_lies_at_most(n: int, lies: int, most: int = 1) -> int:
    """Return at most how many weighings `weigh_with_lies` asks, whatever is false.

    m weighings made certain cost at most m(l + 1) + l with l lies.
    """
    planned = _plan(n, lies, most)
    return _certain_at_most(n, lies, most) if planned is None else planned.rows


def _certain_at_most(n: int, lies: int, most: int) -> int:
    """Return at most how many weighings are asked when each is made certain."""
    return (plan(n, most).rows + (n >= MANY)) * (lies + 1) + lies if n else lies


def _plan(n: int, lies: int, most: int) -> Plan | None:
    """Return the plan that has a better guarantee than making every weighing certain."""
    if lies <= 0 or n <= 0:
        return None
    found = plan(n, most, lies)
    return found if found.rows < _certain_at_most(n, lies, most) else None
