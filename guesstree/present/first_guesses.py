"""What first guesses cost, as a text: why not another one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from guesstree.api.explained import (
    CostExplanation,
    Explained,
    FirstGuess,
    NoisyExplanation,
    PricedExplanation,
)
from guesstree.engine.game import Game
from guesstree.engine.objective import WORST
from guesstree.engine.proofs.noisy_bounds import INFINITE
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import Names

MOST_ROWS = 20
"""First guesses that are listed."""


def first_guess_blocks(explained: Explained, found: Sequence[FirstGuess]) -> Iterator[Block]:
    """Yield what each first guess costs, and how much more that is than the least."""
    words, cost = Names(explained), _text(explained)
    least = min((one.upper for one in found if one.upper is not None), default=None)
    ending = explained.whole.counted.ending if isinstance(explained, NoisyExplanation) else INFINITE
    if least is not None:
        least = min(least, ending)
    shown = explained.proved([one.guess for one in found])
    yield Heading(f"Why not another first {words.guess}?")
    yield Paragraph(
        "The proof had to show of each no more than that it costs at least the least. What the best strategy "
        f"costs that begins with each {words.guess} is what the search says; with --first, that of one "
        f"{words.guess} is proved and explained."
        + (f" To ask nothing costs {cost(ending)}, the least of all." if ending == least else "")
    )
    several = any(one.equal > 1 for one in found)
    rows = []
    for one, proved in zip(found[:MOST_ROWS], shown, strict=False):
        more = one.lower - (one.lower if least is None else least)
        by = (
            "the least"
            if one.lower == least and one.exact
            else f"{cost(more)} more"
            if more > 0
            else "not known"
        )
        rows.append(
            [
                words.name(one.guess),
                *([f"{one.equal:,}"] * several),
                "" if proved is None else cost(proved),
                f"{'exactly' if one.exact else 'at least'} {cost(one.lower)}",
                by if one.exact or more <= 0 else f"at least {by}",
            ]
        )
    if len(found) > MOST_ROWS:
        dots = f"... and {len(found) - MOST_ROWS:,} more"
        rows.append([dots, *([""] * (several + 1)), f"at least {cost(found[MOST_ROWS].lower)}", ""])
    priced = isinstance(explained, CostExplanation)
    how = "at most" if explained.compared_by == WORST.name else "in all"
    like, in_all = ["like it"] * several, f"{'cost' if priced else words.guesses} {how}"
    yield Grid([f"first {words.guess}", *like, "shown above", in_all, "more"], rows)


def _text(explained: Explained) -> Callable[[int], str]:
    """Return how a cost is written that is counted as certificates do."""
    if isinstance(explained, NoisyExplanation):
        figure = "worst" if explained.argument.bounds.worst else "total"
        return lambda value: explained.figure_text(figure, value)
    return Names(explained).cost if isinstance(explained, PricedExplanation) else "{:,}".format


def first_guesses_as_json(game: Game, found: Sequence[FirstGuess]) -> list[dict[str, Any]]:
    """Return what first guesses cost as plain data."""
    return [
        {"guess": game.guesses[one.guess], "equal": one.equal, "lower": one.lower, "upper": one.upper}
        for one in found
    ]
