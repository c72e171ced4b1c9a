"""Where each colour is: blocks of pegs are halved until each has one colour.

After Doerr, Doerr, Spoehel and Thomas (2013). A coin is a colour in half of a block; it weighs as many pegs
as have that colour there. Coins of disjoint blocks are weighed together: the chosen ones are shown in their
halves, all other pegs show what adds a known number of black pegs. One half tells the other, colours that a
block has not need no coin, and the last coin of a block is what is left of it.

What other pegs show, the *base*, is a colour that is absent from their block. Where every colour occurs in
a block, a guess that had no black peg serves. Where there was none, the colour that is rarest in the block
does: coins are weighed against it, so that they weigh the difference between their colour and the base. How
often the base is in either half follows, as all colours together fill the half.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import reduce
from itertools import zip_longest
from math import comb, gcd

import numpy as np
from numpy.typing import NDArray

from .asking import Asking, Mask, Talk
from .ranges import BITS, MANY, Odds, bits_of, weigh_ranges
from .size import Code, Response

Ints = NDArray[np.int64]
MOST_EXACT = 32
"""For a weight above this in the whole block, all weights of a coin count as equally likely."""
SMALL = 4
"""Up to this size of a block, odds are those of its places; above, those of so many tosses."""


class Misfit(Exception):  # noqa: N818 - becomes a Contradiction, with its step
    """Say that weights do not add up."""


class Split:
    """A block that is being halved.

    Parameters
    ----------
    start, stop: its pegs.
    weights: how many pegs have each colour that occurs in it, at least two colours.
    base: the colour that its pegs show if it occurs in it, None when they show what is absent.

    Attributes
    ----------
    middle: where the second half starts; it may be a peg smaller.
    low, high: bounds of how often each colour is in the first half.
    gains: of colours weighed, how much more often they are in the first half than the base (0 without one).
    pending: colours to be weighed, those with the smallest ranges first.
    """

    def __init__(self, start: int, stop: int, weights: Mapping[int, int], base: int | None) -> None:
        self.start, self.stop, self.weights, self.base = start, stop, weights, base
        self.middle = (start + stop + 1) // 2
        self.size = self.middle - start
        other = stop - self.middle
        self.low = {colour: max(0, weight - other) for colour, weight in weights.items()}
        self.high = {colour: min(weight, self.size) for colour, weight in weights.items()}
        self.gains: dict[int, int] = {}
        self.pending = sorted(
            (colour for colour in weights if colour != base),
            key=lambda colour: (self.high[colour] - self.low[colour], weights[colour], colour),
        )
        self.least, self.most = (0, 0) if base is None else (self.low[base], self.high[base])
        self.low_sum = sum(self.low[colour] for colour in self.pending)
        self.high_sum = sum(self.high[colour] for colour in self.pending)
        self.gained = 0

    def coins(self, most: int) -> list[Coin]:
        """Return some coins that tell something new, so many in each half at most.

        One while it is not known how often the base is there: that is soon known, and narrows the others.
        """
        if self.least < self.most:
            chosen = self.pending[:2]
        else:
            chosen = self.pending[: min(2 * most, len(self.pending) - 1)]  # the last one is what is left
        return [Coin(self, colour, bool(number % 2)) for number, colour in enumerate(chosen)]

    def learn(self, colour: int, gain: int) -> None:
        """Take in how much more often a colour is in the first half than the base; raise Misfit."""
        self._settle(colour, gain)
        if self.base is not None and self.least < self.most:
            self.least = max(self.least, self.low[colour] - gain)
            self.most = min(self.most, self.high[colour] - gain)

    def _settle(self, colour: int, gain: int) -> None:
        self.pending.remove(colour)
        self.gains[colour] = gain
        self.gained += gain
        self.low_sum -= self.low[colour]
        self.high_sum -= self.high[colour]

    def tighten(self) -> None:
        """Draw what follows from the size of the half; raise Misfit when nothing fits it."""
        based = len(self.gains) + (self.base is not None)
        if self.least < self.most:
            left = self.size - self.gained
            self.least = max(self.least, -((self.high_sum - left) // based))
            self.most = min(self.most, (left - self.low_sum) // based)
        if self.least > self.most:
            raise Misfit(f"pegs {self.start + 1} to {self.middle} cannot be filled")
        while self.least == self.most:
            left = self.size - self.gained - self.least * (len(self.gains) + (self.base is not None))
            up, down = left - self.low_sum, self.high_sum - left
            if up < 0 or down < 0:
                raise Misfit(f"pegs {self.start + 1} to {self.middle} cannot be filled")
            if not self.pending:
                return
            widest = self.pending[-1]
            if self.high[widest] - self.low[widest] <= min(up, down):
                return
            self.high_sum = self.low_sum = 0
            for colour in self.pending:
                low, high = self.low[colour], self.high[colour]
                self.low[colour], self.high[colour] = max(low, high - down), min(high, low + up)
                self.low_sum += self.low[colour]
                self.high_sum += self.high[colour]
            for colour in [colour for colour in self.pending if self.low[colour] == self.high[colour]]:
                self._settle(colour, self.low[colour] - self.least)

    def halves(self) -> tuple[dict[int, int], dict[int, int]]:
        """Return how often each colour is in either half, once nothing is pending."""
        first = {colour: gain + self.least for colour, gain in self.gains.items()}
        if self.base is not None:
            first[self.base] = self.least
        second = {colour: self.weights[colour] - many for colour, many in first.items()}
        return (
            {colour: many for colour, many in sorted(first.items()) if many},
            {colour: many for colour, many in sorted(second.items()) if many},
        )

    def fits(self, code: Code) -> bool:
        """Return whether a code agrees with all that is known of the block."""
        colours, many = np.unique(code[self.start : self.stop], return_counts=True)
        if dict(zip(colours.tolist(), many.tolist(), strict=True)) != dict(self.weights):
            return False
        half = code[self.start : self.middle].tolist()
        base = 0 if self.base is None else half.count(self.base)
        return self.least <= base <= self.most and all(
            half.count(colour) - base == gain for colour, gain in self.gains.items()
        )


@dataclass(frozen=True)
class Coin:
    """A colour in the first or second half of a block, weighed against the base."""

    split: Split
    colour: int
    second: bool

    @property
    def pegs(self) -> slice:
        """Where it is shown."""
        split = self.split
        return slice(split.middle, split.stop) if self.second else slice(split.start, split.middle)

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the most that it weighs."""
        split = self.split
        low, high = split.low[self.colour] - split.most, split.high[self.colour] - split.least
        return (self._turned(high), self._turned(low)) if self.second else (low, high)

    def gain(self, weight: int) -> int:
        """Return what its weight says of the first half."""
        return self._turned(weight) if self.second else weight

    def _turned(self, gain: int) -> int:
        base = self.split.base
        return self.split.weights[self.colour] - (0 if base is None else self.split.weights[base]) - gain

    def odds(self) -> Odds:
        """Return how likely each weight from the least to the most is."""
        low, high = self.bounds
        split, weight = self.split, self.split.weights[self.colour]
        if weight > MOST_EXACT or split.least < split.most:
            return (1,) * (high - low + 1)
        base = (
            0
            if split.base is None
            else split.weights[split.base] - split.least
            if self.second
            else split.least
        )
        size, other = split.size, split.stop - split.middle
        if self.second:
            size, other = other, size
        numbers = range(low + base, high + base + 1)
        if size + other <= SMALL:
            chances = [comb(size, many) * comb(other, weight - many) for many in numbers]
        else:
            chances = [comb(weight, many) for many in numbers]
        divisor = reduce(gcd, chances)
        return tuple(chance // divisor for chance in chances)


class Blocks:
    """The board: what is known of every block.

    Attributes
    ----------
    active: blocks that are being halved, disjoint.
    board: what pegs show that no coin changes: their colour where it is known, else their base.
    certain: how many black pegs the board has.
    """

    def __init__(self, asking: Asking, found: Ints) -> None:
        self.asking = asking
        self.active: list[Split] = []
        self.board: Code = np.zeros(asking.size.pegs, dtype=np.uint16)
        self.certain = 0
        asking.fits = self.fits
        present = np.flatnonzero(found)
        self._enter(0, asking.size.pegs, dict(zip(present.tolist(), found[present].tolist(), strict=True)))

    def solve(self) -> Talk[Code]:
        """Find the code."""
        kept = len(self.asking.open)
        while self.active:
            coins = self._choose()
            weights = yield from self._weigh(coins)
            try:
                for coin, weight in zip(coins, weights.tolist(), strict=True):
                    coin.split.learn(coin.colour, coin.gain(weight))
                self._advance()
            except Misfit as misfit:
                raise self.asking.wrong(str(misfit)) from None
            del self.asking.open[kept:]  # the weights vouch for them
        return self.board

    def fits(self, code: Code) -> bool:
        """Return whether a code agrees with all that is known."""
        waiting = np.zeros(len(self.board), dtype=np.bool_)
        for split in self.active:
            waiting[split.start : split.stop] = True
        return bool((code == self.board)[~waiting].all()) and all(split.fits(code) for split in self.active)

    def _choose(self) -> list[Coin]:
        """Return coins of every block that is being halved, those of a half one after another.

        One in each half where there are many halves; where there are few, as many as make up games for
        looking ahead of nearly as many bits as these can have.
        """
        found = [split.coins(1) for split in self.active]
        bits = bits_of([len(coin.odds()) for coins in found for coin in coins])
        if bits < MANY:
            most = min(range(1, BITS + 1), key=lambda many: (-bits * many / -(-bits * many // BITS), many))
            found = [split.coins(most) for split in self.active]
        rounds = zip_longest(
            *([coins[i : i + 2] for i in range(0, len(coins), 2)] for coins in found), fillvalue=()
        )
        return [coin for coins in rounds for pair in coins for coin in pair]

    def _weigh(self, coins: list[Coin]) -> Talk[Ints]:
        """Return what coins weigh, against their bases."""
        halves: dict[int, int] = {}
        slots = np.array([halves.setdefault(coin.pegs.start, len(halves)) for coin in coins], dtype=np.int64)
        where = np.full(len(self.board), len(halves), dtype=np.int64)
        for coin, slot in zip(coins, slots.tolist(), strict=True):
            where[coin.pegs] = slot
        colours = np.array([coin.colour for coin in coins], dtype=np.int64)
        least = np.array([coin.bounds[0] for coin in coins], dtype=np.int64)

        def show(mask: Mask) -> Code:
            shown = np.full(len(halves) + 1, -1, dtype=np.int64)
            shown[slots[mask]] = colours[mask]
            guess: Code = np.where(shown[where] >= 0, shown[where], self.board).astype(np.uint16)
            return guess

        def read(mask: Mask, response: Response) -> int:
            return response[0] - self.certain - int(least[mask].sum())

        talk = weigh_ranges([coin.odds() for coin in coins], slots=slots.tolist())
        weights = yield from self.asking.weigh(talk, show, read)
        return weights + least

    def _advance(self) -> None:
        """Draw what follows, and replace blocks whose halves are known by the halves."""
        active, self.active = self.active, []
        for split in active:
            split.tighten()
            if split.pending:
                self.active.append(split)
                continue
            if split.base is not None:
                self.certain -= split.weights[split.base]
            first, second = split.halves()
            self._enter(split.start, split.middle, first)
            self._enter(split.middle, split.stop, second)

    def _enter(self, start: int, stop: int, weights: dict[int, int]) -> None:
        """Note a block whose colours are known; halve it until something must be asked."""
        if sum(weights.values()) != stop - start or min(weights.values(), default=1) < 0:
            raise Misfit(f"pegs {start + 1} to {stop} cannot be filled")
        if len(weights) <= 1:
            self.board[start:stop] = next(iter(weights))
            self.certain += stop - start
            return
        base = None
        if len(weights) < self.asking.size.colours:
            self.board[start:stop] = next(c for c in range(self.asking.size.colours) if c not in weights)
        elif self.asking.zero is not None:
            self.board[start:stop] = self.asking.zero[start:stop]
        else:
            base = min(weights, key=lambda colour: (weights[colour], colour))
            self.board[start:stop] = base
            self.certain += weights[base]
        split = Split(start, stop, weights, base)
        split.tighten()
        assert split.pending, "two colours in a block can be arranged in more than one way"
        self.active.append(split)
