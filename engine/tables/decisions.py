"""What may be decided at the end, and what that loses: rows of a table, a matrix beside it, or one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown
from ..exact import exact_text
from ..sheets import Placed, Sheet
from .extras import Extra, Extras
from .margins import numbers_at
from .options import How

NOT_ALLOWED = ("", "-", "inf", "∞", "never")
"""What stands for a loss where a decision is not allowed."""
MOST_TOLD = 6
"""Decisions that are listed; more are counted."""

Losses = tuple[tuple[Fraction | None, ...], ...]


@dataclass(frozen=True)
class Decisions:
    """What may be decided, its loss for each cause (None: not allowed), and what is to be said."""

    names: tuple[str, ...] = ()
    losses: Losses = ()
    told: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def decisions_of(
    extras: Extras, causes: Sequence[str], cheapest: Fraction, how: How, matrix: Sheet | None, *, comma: bool
) -> Decisions:
    """Return what may be decided; nothing where a cause is to be named without loss.

    `cheapest`: what the cheapest test costs; `matrix`: what is said x what is true. Raises GameError with the
    place of what is no loss, and for losses that are said in two ways.
    """
    wrong, notes = _wrong(how, cheapest)
    actions = None if extras.actions is None else _actions(extras.actions, causes)
    rows = list(extras.losses.values())
    if matrix is not None and (rows or wrong is not None):
        other = shown(rows[0].label) if rows else "wrong= or confidence="
        raise GameError(f"{matrix.source}: losses are said in {other}, too; expected one of them")
    if rows and wrong is not None and actions is None:
        raise GameError(
            f"{rows[0].place}: a row {shown(rows[0].label)} beside wrong= or confidence=; expected one of "
            "them, or a row 'action' with the decision that is right for each cause"
        )
    if matrix is not None:
        names, losses = _of_matrix(matrix, causes, actions, comma=comma)
    elif actions is not None:
        names = tuple(dict.fromkeys(actions))
        losses = tuple(tuple(Fraction(0) if own == name else wrong for own in actions) for name in names)
    elif wrong is not None:
        names = tuple(causes)
        losses = tuple(tuple(Fraction(0) if own == name else wrong for own in causes) for name in names)
    else:
        names, losses = (), ()
    for name in extras.losses:
        if name in names:
            raise GameError(
                f"{extras.losses[name].place}: {shown(name)} is said before; expected its losses once"
            )
    if rows:
        entries = [
            [(line.cells[cause].place, line.label, cause, line.cells[cause].text) for cause in causes]
            for line in rows
        ]
        names, losses = (*names, *extras.losses), (*losses, *_read(entries, comma=comma))
    if not names:
        return Decisions()
    if how.merge or how.ambiguous:
        option = "merge" if how.merge else how.spelled("ambiguous", how.ambiguous).removeprefix(",")
        raise GameError(
            f"{option} beside decisions; expected it left out: what may be decided does not need it"
        )
    return Decisions(names, losses, (_told(names, losses),), tuple(notes))


def _wrong(how: How, cheapest: Fraction) -> tuple[Fraction | None, list[str]]:
    """Return what a wrong decision loses where one number says so, and what that means."""
    if how.confidence is None:
        return how.wrong, []
    doubt = 1 - how.confidence
    if not cheapest:
        raise GameError(
            f"{_percent(how.confidence)} confidence where a test costs nothing, which is always worth it; "
            f"expected {how.spelled('wrong', 'N').removeprefix(',')}, the loss of a wrong decision"
        )
    wrong = cheapest / doubt
    return wrong, [
        f"confidence {_percent(how.confidence)}: a wrong decision loses {exact_text(wrong)}, the cheapest "
        f"test ({exact_text(cheapest)}) over {_percent(doubt)}; so no test pays where the best decision is "
        f"wrong with {_percent(doubt)} or less, and elsewhere only tests that are worth their cost are asked"
    ]


def _percent(number: Fraction) -> str:
    return f"{exact_text(100 * number)} %"


def _actions(line: Extra, causes: Sequence[str]) -> list[str]:
    """Return the action of each cause."""
    none = next((cause for cause in causes if not line.cells[cause].text), None)
    if none is not None:
        raise GameError(
            f"{line.cells[none].place}: no action for the cause {shown(none)}; expected one for each"
        )
    return [line.cells[cause].text for cause in causes]


def _read(rows: Sequence[Sequence[tuple[str, str, str, str]]], *, comma: bool) -> Losses:
    """Return losses of rows of (place, decision, cause, text)."""
    allowed = [(p, d, c, text) for row in rows for p, d, c, text in row if text.casefold() not in NOT_ALLOWED]
    entries = [
        (place, f"loss of {shown(said)} for {shown(cause)}", text) for place, said, cause, text in allowed
    ]
    numbers, unit = numbers_at(entries, comma=comma)
    for (place, what, text), number in zip(entries, numbers, strict=True):
        if number < 0 or unit == "%":
            raise GameError(
                f"{place}: the {what} is {shown(text)}; expected a number from 0, or nothing (not allowed)"
            )
    found = iter(numbers)
    return tuple(
        tuple(None if text.casefold() in NOT_ALLOWED else next(found) for *_, text in row) for row in rows
    )


def _of_matrix(
    matrix: Sheet, causes: Sequence[str], actions: Sequence[str] | None, *, comma: bool
) -> tuple[tuple[str, ...], Losses]:
    """Return the decisions of a matrix, what is said x what is true: the classes of causes, or causes."""
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
    for what, labels in (("column", truths), ("decision", names)):
        twice = next((label for i, label in enumerate(labels) if not label or label in labels[:i]), None)
        if twice is not None:
            raise GameError(f"{matrix.source}: the {what} {shown(twice)} is repeated or has no label")
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
    return names, _read(entries, comma=comma)


def _told(names: Sequence[str], losses: Losses) -> str:
    """Return in a line what may be decided."""
    numbers = sorted({loss for row in losses for loss in row if loss is not None})
    some = ", ".join(names[:MOST_TOLD]) + (f", ... {len(names)} in all" if len(names) > MOST_TOLD else "")
    between = (
        " to ".join(dict.fromkeys(exact_text(number) for number in (numbers[0], numbers[-1])))
        if numbers
        else ""
    )
    never = "" if all(loss is not None for row in losses for loss in row) else "; not all are allowed for all"
    return f"decisions: {some}; losses {between}{never}"
