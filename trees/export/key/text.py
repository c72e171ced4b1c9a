"""Numbered keys as plain text: leads with dots up to where they go."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import cell_len

from guesstree.engine.game import Game

from ...tree import Tree
from ..wrap import fill, pieces_of
from .couplets import SURE, Lead, NumberedKey, label_of, numbered_key

WIDTH = 80
"""Columns of a page, and where nothing says how many there are."""
WIDEST = 100
"""Columns over which the eye follows dots."""
STEP = 2
"""Columns by which each level of an indented key starts further right."""
ROOM = 44
"""Statements keep so many columns, however deep."""
DOTS = 4
"""At least so many columns between a statement and where it leads."""


def draw(
    game: Game,
    strategy: Tree,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    *,
    costs: bool = False,
    sure: int = SURE,
) -> bytes:
    """Return a key as text of 80 columns in UTF-8."""
    found = key_lines(
        game,
        strategy,
        title=title,
        confirmatory=confirmatory,
        indented=indented,
        costs=costs,
        sure=sure,
    )
    return "".join(f"{line}\n" for line in found).encode()


def key_lines(
    game: Game,
    strategy: Tree,
    *,
    title: str = "",
    confirmatory: int = 0,
    indented: bool = False,
    costs: bool = False,
    sure: int = SURE,
    width: int | None = None,
) -> Iterator[str]:
    """Yield the lines of a key, of so many columns, 100 at most: 80 where none are given."""
    key = numbered_key(game, strategy, title, confirmatory, costs=costs, sure=sure)
    for line in _lines(key, indented, min(width or WIDTH, WIDEST)):
        yield line.replace("\u00a0", " ")


def _lines(key: NumberedKey, indented: bool, width: int) -> Iterator[str]:
    yield from _wrapped(key.title, width)
    yield from _wrapped(key.about, width)
    yield from _wrapped(key.signs, width) if key.signs else ()
    numbers = DOTS + len(f"→ {len(key.couplets)}")
    margin = max(len(label_of(couplet, lead, indented)) for couplet, lead in key.rows()) + 2
    for couplet, lead in key.rows(indented):
        if lead is key.couplets[0].leads[0] or (not indented and lead is couplet.leads[0]):
            yield ""
        start = max(min(STEP * couplet.depth, width - margin - ROOM), 0) if indented else 0
        label = " " * start + label_of(couplet, lead, indented).ljust(margin)
        for line in _lead(lead, width - len(label), numbers, indented):
            yield label + line
            label = " " * len(label)


def _lead(lead: Lead, room: int, numbers: int, indented: bool) -> list[str]:
    """Return the lines of a lead; where it leads stands at the right, on the last one or below.

    What it says leaves so much room to the numbers.
    """
    lines = _wrapped(f"{lead.says} {lead.remarks}", room - numbers)
    if lead.goes and indented:
        return lines
    first, *more = _wrapped(lead.end or f"→ {lead.goes}", room - DOTS)
    if cell_len(lines[-1]) + DOTS + cell_len(first) > room:
        lines.append("")
    dots = room - cell_len(lines[-1]) - cell_len(first)
    lines[-1] += f" {'.' * (dots - 2)} {first}" if lines[-1] else f"{'.' * (dots - 1)} {first}"
    return lines + [" " * (room - cell_len(line)) + line for line in more]


def _wrapped(text: str, room: int) -> list[str]:
    pieces = list(pieces_of(text, room, cell_len))
    widths = [(piece.startswith(" "), cell_len(piece.lstrip(" "))) for piece in pieces]
    return ["".join(pieces[line]).strip(" ") for line in fill(widths, room)]
