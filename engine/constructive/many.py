"""Mastermind of any number of pegs and colours: find which colours occur, how often, then where."""

from __future__ import annotations

from contextlib import suppress

import numpy as np

from ..errors import GuesstreeError
from ..objective import GOALS
from .asking import Asking, Known, Talk
from .blocks import Blocks, Misfit
from .colours import find_counts
from .linear import find_linear
from .size import Code, Size
from .two_colours import find_two_colours, walk_two_colours
from .zeros import WAYS, find_zero

PLACES = ("blocks", "linear")
"""How to find where colours are: fewest questions at every size measured; linear in the pegs."""


def strategy(size: Size, goal: str = "win", zeros: str = "free", places: str = "blocks") -> Talk[Code]:
    """Find a code by questions about as many as n log2 log2 n for n pegs and colours.

    Parameters
    ----------
    goal: ``win``: the code is asked too, unless it was; ``identify``: it is known.
    zeros: how a zero colour is found for every peg when no colour is absent, one of `WAYS`.
    places: one of `PLACES`; ``linear`` is for codes whose colours differ, others are found by blocks.

    Yields guesses, uint16, shape (pegs,), and is sent responses, (black, white), or (black,) without white
    pegs. Raises Contradiction as soon as responses are noticed to fit no code: at once what is never a
    response or goes beyond what is left possible by the weights known, and at the end at the latest all else.
    """
    if goal not in GOALS:
        raise GuesstreeError(f"goal {goal!r}; use {' or '.join(GOALS)}")
    if zeros not in WAYS:
        raise GuesstreeError(f"zeros {zeros!r}; use {', '.join(WAYS)}")
    if places not in PLACES:
        raise GuesstreeError(f"places {places!r}; use {' or '.join(PLACES)}")
    asking = Asking(size)
    return (yield from _concluded(asking, _solve(asking, zeros, places), goal))


def walking(size: Size, goal: str = "win") -> Talk[Code]:
    """Find a code of two colours by n questions, see `walk_two_colours`."""
    asking = Asking(size)
    return (yield from _concluded(asking, walk_two_colours(asking), goal))


def _solve(asking: Asking, zeros: str, places: str) -> Talk[Code]:
    if asking.size.colours == 2:
        return (yield from find_two_colours(asking))
    found = asking.counts = yield from find_counts(asking)
    linear = places == "linear" and found.max() == 1
    yield from find_zero(asking, found, "weigh" if linear and zeros == "free" else zeros)
    try:
        if linear:
            if asking.zero is None:
                asking.zero = np.full(asking.size.pegs, found.argmin(), dtype=np.uint16)
            return (yield from find_linear(asking, np.flatnonzero(found).tolist()))
        return (yield from Blocks(asking, found).solve())
    except Misfit as misfit:
        raise asking.wrong(str(misfit)) from None


def _concluded(asking: Asking, talk: Talk[Code], goal: str) -> Talk[Code]:
    """See that a code concluded fits, and ask it where it is to be won."""
    try:
        code = yield from talk
    except Known as known:
        code = known.code
        if not asking.fits(code):
            raise asking.wrong("the code just won does not fit the others") from None
    asking.verify(code)
    if goal == "win" and not asking.won:
        with suppress(Known):
            response = yield from asking.ask(code.copy())
            raise asking.wrong(f"{asking.size.write_response(response)} for the only code left")
    return code
