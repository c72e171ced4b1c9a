"""The tidy form of a table: a CSV file that reads as the same table without anything to be found out."""

from __future__ import annotations

import csv
import io

from ..exact import exact_text
from ..games.table import LOOK, Content
from .extras import DECIDE
from .headings import read_heading
from .margins import PLAIN, margin_texts


def tidy_csv(table: Content) -> str:
    """Return a table as CSV: a row for each test, a column for each cause, then costs, and a row of weights.

    Commas, line feeds, exact decimals. Where cells are empty or look like sets, it is read again with the
    options that it was read with.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    costs = None if table.costs is None else margin_texts(table.costs, table.cost_unit)
    noun = table.look.cost
    if read_heading(noun).kind != "cost":
        noun = f"{PLAIN['cost']} ({noun})"
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
        writer.writerow([PLAIN["weight"], *margin_texts(table.weights, table.weight_unit), *nothing])
    for name, losses in zip(table.decisions, table.losses, strict=True):
        each = ["" if loss is None else exact_text(loss * table.cost_unit) for loss in losses]
        writer.writerow([f"{DECIDE} {name}", *each, *nothing])
    return text.getvalue()


def _corner(table: Content) -> str:
    """Return a corner that says that rows are tests: ``test``, or ``symptom / disease`` of both."""
    guess, secret = table.look.guess, table.look.secret
    if read_heading(guess).kind == "test" and secret == LOOK.secret:
        return guess
    return f"{guess} / {secret}"
