"""The tidy form of a table: a CSV file that reads as the same table without anything to be found out."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence

from ..errors import GameError
from ..exact import exact_text
from ..games.table import LOOK, Content
from ..sheets import Placed
from .extras import DECIDE
from .headings import read_heading
from .margins import PLAIN, margin_texts
from .options import How
from .orientation import find_causes
from .sets import is_unknown, sets_among

COSTS, WEIGHTS = ("cost", "price", "fee"), ("weight", "probability", "prior", "frequency")
"""What margins may be called."""


def tidy_csv(table: Content) -> str:
    """Return a table as CSV: a row for each test, a column for each cause, then costs, and a row of weights.

    Commas, line feeds, exact decimals. It is read as the same table with `tidy_options`.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    costs = None if table.costs is None else margin_texts(table.costs, table.cost_unit)
    noun = table.look.cost
    if read_heading(noun).kind != "cost":
        noun = f"{PLAIN['cost']} ({noun})"
    noun = _free((noun, *COSTS), table.secrets)
    columns = {} if costs is None else {noun: costs}
    if table.groups:
        later = margin_texts(table.later, table.cost_unit)
        columns["group"] = list(table.groups)
        columns["later"] = [n if group else "" for n, group in zip(later, table.groups, strict=True)]
    if table.after:
        columns["after"] = ["; ".join(known) for known in table.after]
    writer.writerow([_corner(table), *table.secrets, *columns])
    for guess, row, *more in zip(table.guesses, table.cells, *columns.values(), strict=True):
        writer.writerow([guess, *row, *more])
    nothing = [""] * len(columns)
    if table.weights is not None:
        writer.writerow(
            [_free(WEIGHTS, table.guesses), *margin_texts(table.weights, table.weight_unit), *nothing]
        )
    for name, losses in zip(table.decisions, table.losses, strict=True):
        each = ["" if loss is None else exact_text(loss * table.cost_unit) for loss in losses]
        writer.writerow([f"{DECIDE} {name}", *each, *nothing])
    return text.getvalue()


def tidy_options(table: Content) -> str:
    """Return the options, such as ``,cells=sets``, with which the tidy form is read as the same table."""
    cells = [cell for row in table.cells for cell in row]
    looks = [sets_among(row) for row in table.cells]
    options = [
        (not _plain_side(table), "causes=columns"),
        (table.sets, "cells=sets"),
        (not table.sets and any(any(found) for found in looks), "cells=labels"),
        (not table.sets and "" in cells, "missing=any"),
        (any(map(is_unknown, cells)), "missing=label"),
        (table.cliques, "ambiguous=clique"),
        (table.ends, f"ends={table.ends}"),
        (table.lapses, f"lapses={table.lapses}"),
        (table.win is not None, f"win={table.win}"),
        (table.costs is None and _taken_for("cost", table.secrets), "costs=none"),
        (table.weights is None and _taken_for("weight", table.guesses), "weights=none"),
    ]
    return "".join(f",{option}" for needed, option in options if needed)


def _plain_side(table: Content) -> bool:
    """Return whether the tidy form shows where the causes are."""
    lines = csv.reader(io.StringIO(tidy_csv(table)))
    try:
        return find_causes("", [Placed("", line) for line in lines], How(), "")[0] == "columns"
    except GameError:
        return False


def _taken_for(kind: str, labels: Sequence[str]) -> bool:
    """Return whether one of these labels would be taken for that of costs, or of weights."""
    return any(read_heading(label).kind == kind for label in labels)


def _free(names: Sequence[str], labels: Sequence[str]) -> str:
    """Return the first name that is no label already."""
    return next((name for name in names if name not in labels), names[0])


def _corner(table: Content) -> str:
    """Return a corner that says that rows are tests: ``test``, or ``symptom / disease`` of both."""
    guess, secret = table.look.guess, table.look.secret
    if read_heading(guess).kind == "test" and secret == LOOK.secret:
        return guess
    return f"{guess} / {secret}"
