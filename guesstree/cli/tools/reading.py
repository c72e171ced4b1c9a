"""Strategy files as commands read them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from .group import OTHERS, option
from .options import make_game

if TYPE_CHECKING:
    from guesstree.trees.export.files import Reading

other_game_option = option(
    OTHERS,
    "--game",
    "spec",
    metavar="GAME",
    help="Use this game instead of the one in the file, or this table instead of the one inside.",
)


def read_strategy(path: str, spec: str | None) -> Reading:
    """Return the strategy in a file, for the game of a spec if there is one; say if its table has changed.

    Raises GuesstreeError for none, which says what a file of another kind is.
    """
    from guesstree.engine.meant import file_kind
    from guesstree.engine.registry import used_as
    from guesstree.trees.export.files import read_with_origin
    from guesstree.trees.tree import TreeError

    game = make_game(spec) if spec else None
    try:
        reading = read_with_origin(path, game)
    except TreeError:
        kind = file_kind(path)
        if kind in ("", "strategy"):
            raise
        raise TreeError(used_as(path, kind, "a strategy file")) from None
    if reading.origin.note:
        click.echo(f"guesstree: {path!r}: {reading.origin.note}", err=True)
    return reading
