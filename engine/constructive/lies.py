"""Strategies that survive false responses: at most `lies` of all responses are false, nobody knows which.

A response is certain once it was given so often that not all of these can be lies. Coins need less than
asking everything so often: what a round of weighings concluded is checked as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator
from typing import Generic, TypeVar

import numpy as np

from ..errors import Contradiction, GuesstreeError
from .coins import MANY, Weighings, weigh
from .detecting import Mask, rows_for

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


def weigh_with_lies(n: int, lies: int) -> Weighings:
    """Find which of n coins weigh 1 when at most `lies` of the sums are false.

    The coins are cut into blocks. Each is weighed with the responses taken as they are; then two weighings
    are made certain: all coins found heavy, which must weigh as many as they are, and all found light, which
    must weigh nothing. If they do, each coin is what was found. If not, or if no weights have these sums,
    the block held a lie and is weighed again; so at most `lies` blocks are, and when no lie is left
    nothing is checked. With few coins every weighing is made certain instead. See
    `weighings_with_lies_at_most`. Raises Contradiction when more sums are false, and GuesstreeError for
    numbers that are none.
    """
    doubt: Doubt[Mask, int] = Doubt(lies)
    blocks = _blocks(n, lies)
    if not blocks:
        return (yield from repeated(weigh(n), lies))
    weights = np.zeros(n, dtype=np.int64)
    for i in range(blocks):
        block = slice(n * i // blocks, n * (i + 1) // blocks)
        while not (yield from _block(doubt, weights, block)):
            doubt.expose(1)
    return weights


def _block(doubt: Doubt[Mask, int], weights: np.ndarray, block: slice) -> Generator[Mask, int, bool]:
    """Weigh a block of coins into `weights`; return whether that is certain, or else a sum was false."""

    def whole(mask: Mask) -> Mask:
        scale = np.zeros(len(weights), dtype=np.bool_)
        scale[block] = mask
        return scale

    talk = weigh(block.stop - block.start)
    try:
        mask = next(talk)
        while True:
            mask = talk.send((yield from doubt.ask(whole(mask))))
    except StopIteration as end:
        found = weights[block] = end.value
    except Contradiction:
        return False
    for heavy in (True, False):
        chosen = found == heavy
        if doubt.lies and chosen.any():
            certain = yield from doubt.certain(whole(chosen))
            if certain != heavy * int(chosen.sum()):
                return False
    return True


def weighings_with_lies_at_most(n: int, lies: int) -> int:
    """Return at most how many weighings `weigh_with_lies` asks, whatever is false.

    A round weighs a block, m weighings at most, and makes two sums certain, which costs 2l + 2 when l lies
    are left, and one more for each false response there. A round that is given up holds a lie among its
    weighings. So at most f(b, l) weighings are asked for b blocks, where f(b, 0) = bm and

        f(b, l) = m + 2l + 2 + max(f(b - 1, l), f(b, l - 1));

    a false response in a check costs one weighing, and takes more than one away by lowering l. The maximum
    passes b - 1 blocks without a lie, gives the last one up l times, and weighs it once more, with nothing to
    check:

        f(b, l) = (b - 1)(m + 2l + 2) + (l + 1)m + l(l + 3).

    The number of blocks is chosen for this to be least; with few coins it is none, and m weighings made
    certain cost at most m(l + 1) + l.
    """
    blocks = _blocks(n, lies)
    return _at_most(n, lies, blocks) if blocks else _base(n) * (lies + 1) + lies


def _base(n: int) -> int:
    """Return at most how many weighings `weigh` asks."""
    return rows_for(n) + (n >= MANY)


def _at_most(n: int, lies: int, blocks: int) -> int:
    base = _base(-(-n // blocks))
    return (blocks - 1) * (base + 2 * lies + 2) + (lies + 1) * base + lies * (lies + 3)


def _blocks(n: int, lies: int) -> int:
    """Return into how many blocks the coins are cut; 0: every weighing is made certain."""
    if lies <= 0 or n <= 0:
        return 0
    without = _base(n) * (lies + 1) + lies
    most = min(n, without // (2 * lies + 3) + 1)  # each block but one costs more than 2 lies + 2
    best = min(range(1, most + 1), key=lambda blocks: _at_most(n, lies, blocks))
    return best if _at_most(n, lies, best) < without else 0
