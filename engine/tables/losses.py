"""Numbers that say what a decision loses for each cause: in rows of a table, or in a matrix beside it."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from ..errors import GameError, shown
from ..sheets import Placed, Sheet
from .margins import DECIMAL_COMMAS, check_unit, numbers_at
from .rows import check_labels

NOT_ALLOWED = ("", "-", "inf", "∞", "never")
"""What stands for a loss where a decision is not allowed."""

Losses = tuple[tuple[Fraction | None, ...], ...]


def read_losses(rows: Sequence[Sequence[tuple[str, str, str, str]]], unit: str, *, comma: bool) -> Losses:
    """Return losses of rows of (place, decision, cause, text); raise GameError with the place.

    `unit`: what is written beside costs.
    """
    allowed = [(p, d, c, text) for row in rows for p, d, c, text in row if text.casefold() not in NOT_ALLOWED]
    entries = [
        (place, f"loss of {shown(said)} for {shown(cause)}", text) for place, said, cause, text in allowed
    ]
    numbers, written = numbers_at(entries, comma=comma, named=unit)
    check_unit(entries, written, unit)
    for (place, what, text), number in zip(entries, numbers, strict=True):
        if number < 0:
            raise GameError(
                f"{place}: the {what} is {shown(text)}; expected a number from 0, or nothing (not allowed)"
            )
    found = iter(numbers)
    return tuple(
        tuple(None if text.casefold() in NOT_ALLOWED else next(found) for *_, text in row) for row in rows
    )


def losses_in(
    matrix: Sheet, causes: Sequence[str], actions: Sequence[str] | None, unit: str
) -> tuple[tuple[str, ...], Losses]:
    """Return the decisions of a matrix, what is said x what is true: the actions of causes, or causes.

    Raises GameError with the place of what is no loss, and for other rows or columns.
    """
    header, *body = matrix.rows or [Placed(matrix.source, [])]
    if not body or len(header.cells) < 2:
        raise GameError(
            f"{matrix.source}: expected a row for each decision and a column for each class or cause"
        )
    for row in body:
        if len(row.cells) != len(header.cells):
            raise GameError(
                f"{row.place}: {len(row.cells)} cells; expected {len(header.cells)} as in the first row"
            )
    truths, names = header.cells[1:], tuple(row.cells[0] for row in body)
    check_labels([(header.place, label) for label in truths], "column")
    check_labels([(row.place, row.cells[0]) for row in body], "decision")
    true = list(actions) if actions is not None and set(actions) <= set(truths) else list(causes)
    missing = next((label for label in true if label not in truths), None)
    odd = next((label for label in truths if label not in true), None)
    if missing is not None or odd is not None:
        wanted = list(dict.fromkeys(actions)) if actions is not None else list(causes)
        turned = "; rows are what is said, columns what is true" if set(wanted) <= set(names) else ""
        what = f"no column {shown(missing)}" if missing is not None else f"a column {shown(odd)}"
        raise GameError(
            f"{matrix.source}: {what}; expected a column for each of {', '.join(map(shown, wanted[:4]))}"
            f"{', ...' if len(wanted) > 4 else ''}, and no other{turned}"
        )
    entries = [
        [(row.place, row.cells[0], label, row.cells[1 + truths.index(label)]) for label in true]
        for row in body
    ]
    return names, read_losses(entries, unit, comma=DECIMAL_COMMAS in matrix.said)
