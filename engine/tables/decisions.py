"""What may be decided at the end, and what that loses: rows of a table, a matrix beside it, or one number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown
from ..exact import exact_text
from ..sheets import Sheet
from .extras import Extra, Extras, some_of
from .losses import Losses, losses_in, read_losses
from .options import How


@dataclass(frozen=True)
class Decisions:
    """What may be decided, its loss for each cause (None: not allowed), and what is to be said."""

    names: tuple[str, ...] = ()
    losses: Losses = ()
    lines: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def decisions_of(
    extras: Extras,
    causes: Sequence[str],
    cheapest: Fraction,
    how: How,
    matrix: Sheet | None,
    unit: str,
    *,
    comma: bool,
) -> Decisions:
    """Return what may be decided; nothing where a cause is to be named without loss.

    `cheapest`: what the cheapest test costs; `matrix`: what is said x what is true; `unit`: what is written
    beside costs. Raises GameError with the place of what is no loss, and for losses that are said twice.
    """
    wrong, notes = _wrong(how, cheapest)
    lines = [] if how.confidence is None else [_sure(1 - how.confidence)]
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
        names, losses = losses_in(matrix, causes, actions, unit)
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
            [(line.cells[cause].place, name, cause, line.cells[cause].text) for cause in causes]
            for name, line in extras.losses.items()
        ]
        names, losses = (*names, *extras.losses), (*losses, *read_losses(entries, unit, comma=comma))
    if not names:
        return Decisions()
    if how.merge or how.ambiguous:
        option = "merge" if how.merge else how.spelled("ambiguous", how.ambiguous).removeprefix(",")
        raise GameError(
            f"{option} beside decisions; expected it left out: what may be decided does not need it"
        )
    return Decisions(names, losses, (_decisions_line(names, losses), *lines), tuple(notes))


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
        f"test ({exact_text(cheapest)}) over {_percent(doubt)}"
    ]


def _sure(doubt: Fraction) -> str:
    """Return in a line what a confidence means."""
    return (
        f"confidence: no test pays where the best decision is wrong with {_percent(doubt)} or less; "
        "elsewhere only tests that are worth their cost are asked"
    )


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


def _decisions_line(names: Sequence[str], losses: Losses) -> str:
    """Return in a line what may be decided."""
    numbers = sorted({loss for row in losses for loss in row if loss is not None})
    between = " to ".join(dict.fromkeys(exact_text(number) for number in (*numbers[:1], *numbers[-1:])))
    never = "" if all(loss is not None for row in losses for loss in row) else "; not all are allowed for all"
    return f"decisions: {some_of(names)}; losses {between}{never}"
