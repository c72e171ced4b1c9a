"""What first guesses cost, as a text: why not another one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from guesstree.api.explanation import Explanation
from guesstree.api.first_guesses import FirstGuess
from guesstree.engine.game import Game
from guesstree.engine.notation import plurals
from guesstree.engine.proofs.argument import INFINITE
from guesstree.trees.export.labels import plain
from guesstree.trees.export.paper.blocks import Block, Grid, Heading, Paragraph

MOST_ROWS = 20
"""First guesses that are listed."""


def first_guess_blocks(explained: Explanation, found: Sequence[FirstGuess]) -> Iterator[Block]:
    """Yield what each first guess costs, and how much more that is than the least."""
    game, look = explained.game, explained.game.look
    least = min((one.upper for one in found if one.upper is not None), default=None)
    shown = explained.proved([one.guess for one in found])
    yield Heading(f"Why not another first {look.guess}?")
    yield Paragraph(
        f"So much the best strategy costs that begins with each {look.guess}. Of most it is more than was to "
        f"be shown above, and here it is the search that says so; with --first, the cost of one {look.guess} "
        "is proved and explained."
    )
    several = any(one.equal > 1 for one in found)
    rows = []
    for one, proved in zip(found[:MOST_ROWS], shown, strict=False):
        rows.append(
            [
                plain(game.guesses[one.guess]),
                *([f"{one.equal:,}"] * several),
                "" if proved is None else "none" if proved >= INFINITE else f"{proved:,}",
                f"{'exactly' if one.exact else 'at least'} {one.lower:,}",
                "" if least is None else _more(one, least),
            ]
        )
    if len(found) > MOST_ROWS:
        next_one = found[MOST_ROWS]
        dots = f"... and {len(found) - MOST_ROWS:,} more"
        rows.append([dots, *([""] * (several + 1)), f"at least {next_one.lower:,}", ""])
    like = ["like it"] * several
    yield Grid([f"first {look.guess}", *like, "shown above", f"{plurals(look.guess)} in all", "more"], rows)


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
