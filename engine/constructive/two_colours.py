"""Two colours, dark and light: a game of coins that weigh 0 or 1."""

from __future__ import annotations

import numpy as np

from .asking import Asking, Mask, Talk
from .coins import weigh_bounded
from .ranges import weigh_ranges
from .size import Code, Response

FEW = 24
"""Up to so many pegs, coins are weighed by looking ahead."""


def find_two_colours(asking: Asking) -> Talk[Code]:
    """Find a code of two colours, 0 (dark) and 1 (light).

    Without white pegs the first guess is all dark: its black pegs tell how many are light. With them, the
    first guess has one light peg, and tells besides whether that is right, unless all but one are black.
    """
    size = asking.size
    first = np.zeros(size.pegs, dtype=np.bool_)
    if size.pegs == 1 or not size.whites:
        light = size.pegs - (yield from asking.ask(_shown(first)))[0]
        known = 0
    else:
        first[0] = True
        response = yield from asking.ask(_shown(first))
        # Black and white pegs together are n - |light - 1|.
        away = size.pegs - sum(response)
        light, known = 1 + away, 1
        if away == 1 and response[0] == size.pegs - 1:  # all dark, or this peg is light and one more
            dark = (yield from asking.ask(_shown(first & ~first)))[0]
            if dark != size.pegs - 2:
                raise asking.wrong(f"{size.pegs - dark} light pegs, not 0 or 2")
    # Each light peg of a guess that is light in the code is one black peg more, each other one less.
    coins = np.arange(known, size.pegs)

    def show(mask: Mask) -> Code:
        wide = np.zeros(size.pegs, dtype=np.bool_)
        wide[coins[mask]] = True
        return _shown(wide)

    def read(mask: Mask, response: Response) -> int:
        twice = response[0] - size.pegs + int(mask.sum()) + light
        if twice % 2:
            raise asking.wrong(
                f"{response[0]} black pegs: with {light} light pegs it would be one more or less"
            )
        return twice // 2

    heavy = 0
    if known:
        twice = response[0] - size.pegs + 1 + light
        if twice not in (0, 2):
            raise asking.wrong(f"{response[0]} black pegs cannot be")
        heavy = twice // 2
    rest = light - heavy
    if not 0 <= rest <= len(coins):
        raise asking.wrong(f"{rest} light pegs cannot be among {len(coins)}")
    talk = (
        weigh_ranges([(1, 1)] * len(coins), rest) if len(coins) <= FEW else weigh_bounded(len(coins), rest, 1)
    )
    found = yield from asking.weigh(talk, show, read)
    return _shown(np.append(np.full(known, heavy), found).astype(np.bool_))


def walk_two_colours(asking: Asking) -> Talk[Code]:
    """Find a code of two colours by all dark, then one light peg that walks over all pegs but the last."""
    size = asking.size
    pegs = np.arange(size.pegs)
    dark = (yield from asking.ask(_shown(pegs < 0)))[0]
    light = np.zeros(size.pegs, dtype=np.bool_)
    for peg in range(size.pegs - 1):
        black = (yield from asking.ask(_shown(pegs == peg)))[0]
        if abs(black - dark) != 1:
            raise asking.wrong(f"{black} black pegs after {dark}: one peg was changed")
        light[peg] = black > dark
    light[-1] = size.pegs - dark > light.sum()
    return _shown(light)


def _shown(light: Mask) -> Code:
    return light.astype(np.uint16)
