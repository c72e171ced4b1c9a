"""What is said of a table on standard error: how it was read, and what smells."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from guesstree.engine.game import Game

MOST = 4
"""Lines of warnings; the command `table` has them all."""


def tell_reading(game: Game) -> None:
    """Say how the table of a game was read, where that is not plain, and what smells in it."""
    from guesstree.engine.games.smells import twins_of, warnings_of
    from guesstree.engine.games.table import TableGame

    if not isinstance(game, TableGame):
        return
    warnings = [] if twins_of(game.content) else warnings_of(game.content)  # twins are refused, and named
    rest = len(warnings) - MOST
    more = [f"{rest} more warnings; guesstree table {game.spec.partition(':')[2]}"] if rest > 0 else []
    for line in (*game.notes, *warnings[:MOST], *more):
        click.echo(f"guesstree: {line}", err=True)
