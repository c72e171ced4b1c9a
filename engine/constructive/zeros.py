"""A zero colour for every peg: one that is certainly not there, when no colour is known to be absent.

`Blocks` gets by without; these are the two ways of the literature, to compare with it.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from .asking import Asking, Mask, Talk
from .coins import weigh_bounded
from .size import Code, Response

Ints = NDArray[np.int64]
WAYS = ("free", "walk", "weigh")
"""No questions; a peg of another colour that walks over the board; the same by weighing coins."""


def find_zero(asking: Asking, found: Ints, way: str) -> Talk[None]:
    """Make `asking.zero` a guess without a black peg, from two colours; `found` is how often each occurs.

    Asks nothing when a colour is absent or such a guess was asked. With b for a at some pegs of a board of
    a, the response changes by 1 for each b there, by -1 for each a.
    """
    if way == "free" or asking.zero is not None or (found == 0).any() or len(found) == 1:
        return
    a, b = np.argsort(found, kind="stable")[:2].tolist()
    pegs = asking.size.pegs

    def show(mask: Mask) -> Code:
        guess: Code = np.where(mask, b, a).astype(np.uint16)
        return guess

    def read(mask: Mask, response: Response) -> int:
        """Return the weight of coins that weigh 0 (a is there), 2 (b is there) or 1."""
        return response[0] - int(found[a]) + int(mask.sum())

    if way == "walk":
        coins = np.ones(pegs, dtype=np.int64)
        for peg in range(pegs):
            mask = np.arange(pegs) == peg
            coins[peg] = read(mask, (yield from asking.ask(show(mask))))
            if not 0 <= coins[peg] <= 2:
                raise asking.wrong("one peg cannot change the response by more than 1")
    else:
        coins = yield from asking.weigh(weigh_bounded(pegs, pegs + int(found[b] - found[a]), 2), show, read)
    if asking.zero is None:
        asking.zero = show(coins == 0)
