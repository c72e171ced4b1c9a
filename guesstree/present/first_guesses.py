"""What first guesses cost, as a text: why not another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from guesstree.api.explanation import Explained, PricedExplanation
from guesstree.api.first_guesses import FirstGuess
from guesstree.engine.game import Game
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

from .argued import Names

MOST_ROWS = 20
"""First guesses that are listed."""


def first_guess_blocks(explained: Explained, found: Sequence[FirstGuess]) -> Iterator[Block]:
    """Yield what each first guess costs, and how much more that is than the least."""
    words, priced = Names(explained), isinstance(explained, PricedExplanation)
    cost = words.cost if priced else "{:,}".format
    least = min((one.upper for one in found if one.upper is not None), default=None)
    shown = explained.proved([one.guess for one in found])
    yield Heading(f"Why not another first {words.guess}?")
    yield Paragraph(
        "The proof had to show of each no more than that it costs at least the least. What the best strategy "
        f"costs that begins with each {words.guess} is what the search says; with --first, that of one "
        f"{words.guess} is proved and explained."
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
    like, in_all = ["like it"] * several, "cost in all" if priced else f"{words.guesses} in all"
    yield Grid([f"first {words.guess}", *like, "shown above", in_all, "more"], rows)


def first_guesses_as_json(game: Game, found: Sequence[FirstGuess]) -> list[dict[str, Any]]:
    """Return what first guesses cost as plain data."""
    return [
        {"guess": game.guesses[one.guess], "equal": one.equal, "lower": one.lower, "upper": one.upper}
        for one in found
    ]
