"""What first guesses cost, as a text: why not another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from guesstree.api.first_guesses import FirstGuess
from guesstree.engine.game import Game
from guesstree.engine.notation import plurals
from guesstree.trees.export.labels import plain
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

MOST_ROWS = 20
"""First guesses that are listed."""


def first_guess_blocks(game: Game, found: Sequence[FirstGuess]) -> Iterator[Block]:
    """Yield what each first guess costs, and how much more that is than the least."""
    look = game.look
    least = min((one.upper for one in found if one.upper is not None), default=None)
    yield Heading(f"Why not another first {look.guess}?")
    yield Paragraph(
        f"So much the best strategy costs that begins with each {look.guess}. Here it is the search that "
        f"says so; with --first, the cost of one {look.guess} is proved and explained."
    )
    several = any(one.equal > 1 for one in found)
    rows = []
    for one in found[:MOST_ROWS]:
        least_of = "exactly" if one.exact else "at least"
        more = "" if least is None else _more(one, least)
        rows.append(
            [
                plain(game.guesses[one.guess]),
                *([f"{one.equal:,}"] * several),
                f"{least_of} {one.lower:,}",
                more,
            ]
        )
    if len(found) > MOST_ROWS:
        next_one = found[MOST_ROWS]
        rows.append(
            [
                f"... and {len(found) - MOST_ROWS:,} more",
                *([""] * several),
                f"at least {next_one.lower:,}",
                "",
            ]
        )
    yield Grid(
        [f"first {look.guess}", *(["like it"] * several), f"{plurals(look.guess)} in all", "more"], rows
    )


def _more(one: FirstGuess, least: int) -> str:
    """Return how much more a first guess costs than the best one that is known."""
    more = one.lower - least
    if one.exact:
        return f"{more:,} more" if more else "the least"
    return f"at least {more:,} more" if more > 0 else "not known"


def first_guesses_as_json(game: Game, found: Sequence[FirstGuess]) -> list[dict[str, Any]]:
    """Return what first guesses cost as plain data."""
    return [
        {"guess": game.guesses[one.guess], "equal": one.equal, "lower": one.lower, "upper": one.upper}
        for one in found
    ]
