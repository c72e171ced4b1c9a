"""Tables from files, as games: ``table:FILE[,key=value]...``."""

from __future__ import annotations

from collections.abc import Callable

from ..catalogue import Offer
from ..game import Game
from ..registry import register
from .lint import twins_of, warnings_of
from .reading import read_file
from .rows import table_game

MOST_NOTES = 4
"""Lines of warnings; the command `table` has them all."""


@register(
    "table",
    example="table:FILE.csv",
    about="any table: tests in rows and causes in columns, or the other way round, responses in the cells; a "
    "line cost, a line weight; ,merge joins causes that no test tells apart; ,missing=any: an empty cell "
    "is any answer; ,causes=rows; ,win=RESPONSE; further lines say how tests err, what decisions lose, which "
    "tests share a set-up",
    reference="Garey 1972; Hyafil and Rivest 1976",
    names_win=True,
    files="sheet",
    offer=Offer("A table of yours", "Which test or question comes first, and which after each answer?"),
)
def make(text: str, find: Callable[[str], str] = str) -> Game:
    """Return the game of a spec ``table:FILE[,key=value]...``, with how it was read in its notes."""
    found = read_file(text, find)
    content = found.content
    # Causes that no test tells apart are refused, and named, by whoever cannot do with them.
    refused = bool(twins_of(content)) and not (content.decisions or content.cliques or content.ends)
    game = table_game(f"table:{text}", content)
    warnings = [] if refused else [note.line for note in warnings_of(content)]
    if len(warnings) > MOST_NOTES:
        warnings = [
            *warnings[:MOST_NOTES],
            f"{len(warnings) - MOST_NOTES} more warnings: guesstree table {text}",
        ]
    game.notes = tuple(filter(None, [found.line, *found.model.notes, *warnings]))
    return game
