"""Which colours occur, and how often: the first questions of a game with more than two colours.

With white pegs, a guess that has every colour of a set once shows how many of the set occur: coins that weigh
0 or 1. What pegs are left over show a colour whose number is known. Guesses with every colour t times tell,
of colours that occur t - 1 times at least, how many occur t times.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from .asking import Asking, Mask, Talk
from .coins import weigh_bounded
from .detecting import rows_for
from .ranges import weigh_ranges
from .size import Code, Response

Ints = NDArray[np.int64]
FEW = 12
"""So many coins are weighed by looking ahead."""


def find_counts(asking: Asking) -> Talk[Ints]:
    """Find how often each colour occurs, int64, shape (colours,)."""
    size = asking.size
    found = np.zeros(size.colours, dtype=np.int64)
    if size.colours == 1:
        found[0] = size.pegs
        return found
    found[0] = yield from _alone(asking, 0)
    others = list(range(1, size.colours))
    if size.whites and size.colours > 2:
        yield from _together(asking, found, others)
    else:
        yield from _one_by_one(asking, found, others)
    return found


def _alone(asking: Asking, colour: int) -> Talk[int]:
    """Return how often a colour occurs, by a guess of nothing else."""
    response = yield from asking.ask(np.full(asking.size.pegs, colour, dtype=np.uint16))
    if sum(response) > response[0]:
        raise asking.wrong("a guess of one colour has no white pegs")
    return response[0]


def _one_by_one(asking: Asking, found: Ints, colours: Sequence[int]) -> Talk[None]:
    """Fill in how often some colours occur, at least as often as `found` says, by a question for each."""
    for number, colour in enumerate(colours):
        rest = _rest(asking, found)
        if rest == 0:
            return
        if number == len(colours) - 1:
            found[colour] += rest
            return
        least = int(found[colour])
        found[colour] = yield from _alone(asking, colour)
        if not least <= found[colour] <= least + rest:
            raise asking.wrong(f"colour {colour + 1} occurs {least} to {least + rest} times")


def _together(asking: Asking, found: Ints, colours: list[int]) -> Talk[None]:
    """Fill in how often some colours occur, from guesses of many colours at once."""
    times = 1
    while colours and (rest := _rest(asking, found)):
        # Of those that occur once more all are asked about again, and each peg is one of them but once.
        if times > 1 and rows_for(len(colours) + rest) >= len(colours) - 1:
            yield from _one_by_one(asking, found, colours)
            return
        kept: list[int] = []
        most = max(asking.size.pegs // times, 1)
        for start in range(0, len(colours), most):
            share = np.array(colours[start : start + most])
            if not (rest := _rest(asking, found)):
                break
            coins = _Coins(asking, int(found[0]), share, times)
            total = yield from coins.how_many()
            if len(share) == len(colours) and _dear(len(share), total, rest):
                yield from _one_by_one(asking, found, colours)
                return
            more = yield from coins.which(total)
            found[share] += more
            kept.extend(share[more > 0].tolist())
        colours, times = kept, times + 1
    if _rest(asking, found):
        raise asking.wrong(f"{_rest(asking, found)} pegs have no colour")


def _dear(colours: int, total: int, rest: int) -> bool:
    """Return whether to ask for each colour alone, where `total` occur once more, for `rest` pegs."""
    which = rows_for(colours) if 0 < total < colours else 0
    again = 1 + rows_for(rest) if rest > total else 0
    return which + again >= colours - 1


class _Coins:
    """Colours that occur `times` - 1 times at least, as coins: 1 for each that occurs once more.

    `zeros` is how often colour 0 occurs, which the other pegs show.
    """

    def __init__(self, asking: Asking, zeros: int, colours: Ints, times: int) -> None:
        self.asking, self.zeros, self.colours, self.times = asking, zeros, colours, times

    def how_many(self) -> Talk[int]:
        """Return what all coins weigh together."""
        everything = np.ones(len(self.colours), dtype=np.bool_)
        total = self._read(everything, (yield from self.asking.ask(self._show(everything))))
        if not 0 <= total <= len(self.colours):
            raise self.asking.wrong(
                f"{total} of {len(self.colours)} colours occur {self.times} times or more"
            )
        return total

    def which(self, total: int) -> Talk[Ints]:
        """Return the weight of each coin, int64, shape (colours,)."""
        coins = len(self.colours)
        talk = weigh_ranges([(1, 1)] * coins, total) if coins <= FEW else weigh_bounded(coins, total, 1)
        return (yield from self.asking.weigh(talk, self._show, self._read))

    def _show(self, mask: Mask) -> Code:
        guess = np.zeros(self.asking.size.pegs, dtype=np.uint16)
        guess[: self.times * int(mask.sum())] = np.repeat(self.colours[mask], self.times)
        return guess

    def _read(self, mask: Mask, response: Response) -> int:
        shown = int(mask.sum())
        known = (self.times - 1) * shown + min(self.asking.size.pegs - self.times * shown, self.zeros)
        return sum(response) - known


def _rest(asking: Asking, found: Ints) -> int:
    """Return how many pegs have a colour that is not counted yet."""
    rest = asking.size.pegs - int(found.sum())
    if rest < 0:
        raise asking.wrong("the colours found are more than the pegs")
    return rest
