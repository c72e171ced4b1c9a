"""The tidy form of a table: a CSV file that reads as the same table without anything to be found out."""

from __future__ import annotations

import csv
import io

from ..games.table import LOOK, Content
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
    writer.writerow([_corner(table), *table.secrets, *([] if costs is None else [noun])])
    for i, (guess, row) in enumerate(zip(table.guesses, table.cells, strict=True)):
        writer.writerow([guess, *row, *([] if costs is None else [costs[i]])])
    if table.weights is not None:
        weights = margin_texts(table.weights, table.weight_unit)
        writer.writerow([PLAIN["weight"], *weights, *([] if costs is None else [""])])
    return text.getvalue()


def _corner(table: Content) -> str:
    """Return a corner that says that rows are tests: ``test``, or ``symptom / disease`` of both."""
    guess, secret = table.look.guess, table.look.secret
    if read_heading(guess).kind == "test" and secret == LOOK.secret:
        return guess
    return f"{guess} / {secret}"
