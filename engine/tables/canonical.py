"""The canonical form of a table: a CSV file that reads as the same table without anything to be found out."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product

from ..errors import GameError, shown
from ..exact import exact_text
from ..remarks import Remarks
from ..sheets.separated import guarded, read_separated
from .extras import DECIDE
from .headings import read_heading
from .margins import NONE, PLAIN, margin_texts
from .options import parse_options
from .orders import order_option
from .reading import read_table
from .remarked import IMAGE, NOTES
from .sets import is_unknown, sets_among
from .table import LOOK, Content

COSTS, WEIGHTS = ("cost", "price", "fee"), ("weight", "probability", "prior", "frequency")
"""What margins may be called."""
SEPARATED = "sep=,\n"
"""What a file begins with whose labels look as if other signs parted its cells."""


def canonical_form(table: Content, words: tuple[str, str, str] = ("", "", "")) -> tuple[str, str]:
    """Return a table as CSV, and the options, such as ``,cells=sets``, with which it is read as the same.

    A row for each test, a column for each cause, then costs, and a row of weights; commas, line feeds, exact
    decimals. What a spreadsheet would take for a formula has an apostrophe in front. `words` are what its
    corner, costs and weights are called, see `ReadTable.words`; others stand there where it would be read as
    another table. Raises GameError for one with labels that would make another one of it.
    """
    table = replace(table, classes=())  # the losses say of each what may be decided
    own = _corner(table)
    needed = _options(table)
    if any(words):
        for start in ("", SEPARATED):
            text = start + _written(table, words[0] or own, *words[1:])
            if _same(table, text, needed):
                return text, needed
    for start, corner, side in product(("", SEPARATED), (own, ""), ("", ",causes=columns")):
        text, options = start + _written(table, corner), needed + side
        if _same(table, text, options):
            return text, options
    if table.guess_remarks or table.secret_remarks:  # the cells come before what is said of them
        bare = replace(table, guess_remarks=Remarks(), secret_remarks=Remarks())
        return canonical_form(bare, words)
    odd = next(
        (label for label in (*table.secrets, *table.guesses) if read_heading(label).kind or "," in label), ""
    )
    what = f"; give {shown(odd)} another label" if odd else ""
    raise GameError(f"the canonical form of this table would be read as another one{what}")


def _same(table: Content, text: str, options: str) -> bool:
    """Return whether a text is read as a table with some options."""
    try:
        path, how = parse_options(f"tidy.csv{options}")
        found = read_table(read_separated(path, text.encode()), how).content
        noted = (found.guess_remarks.notes, found.secret_remarks.notes)
        known = (table.guess_remarks.notes, table.secret_remarks.notes)
        return path == "tidy.csv" and found == table and noted == known
    except GameError:
        return False


def _written(table: Content, corner: str, cost: str = "", weight: str = "") -> str:
    """Return a table as CSV; `cost`, `weight`: what their lines are called, if not as usual."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    costs = _written_costs(table)
    columns = {} if costs is None else {cost or _cost_noun(table): margin_texts(costs, table.cost_unit)}
    if table.groups:
        later = margin_texts(table.later, table.cost_unit)
        columns["group"] = list(table.groups)
        columns["later"] = [n if group else "" for n, group in zip(later, table.groups, strict=True)]
    if table.after:
        columns["after"] = ["; ".join(known) for known in table.after]
    columns |= {
        label: [cells.get(guess, "") for guess in table.guesses]
        for label, cells in _remark_lines(table.guess_remarks)
    }
    rows = [[corner, *table.secrets, *columns]]
    for guess, row, *more in zip(table.guesses, table.cells, *columns.values(), strict=True):
        rows.append([guess, *row, *more])
    nothing = [""] * len(columns)
    if table.weights is not None:
        label = weight or _free(WEIGHTS, table.guesses)
        rows.append([label, *margin_texts(table.weights, table.weight_unit), *nothing])
    for name, losses in zip(table.decisions, table.losses, strict=True):
        each = ["" if loss is None else exact_text(loss * table.cost_unit) for loss in losses]
        rows.append([f"{DECIDE} {name}", *each, *nothing])
    for label, cells in _remark_lines(table.secret_remarks):
        rows.append([label, *(cells.get(secret, "") for secret in table.secrets), *nothing])
    writer.writerows([guarded(cell) for cell in row] for row in rows)
    return text.getvalue()


def _remark_lines(remarks: Remarks) -> list[tuple[str, Mapping[str, str]]]:
    """Return the lines of notes and of pictures, which are named as they were, with their cells by label."""
    return [(label, cells) for label, cells in ((NOTES, remarks.notes), (IMAGE, remarks.sources)) if cells]


def _options(table: Content) -> str:
    """Return the options without which a canonical form is read otherwise, but for the side of causes."""
    cells = [cell for row in table.cells for cell in row]
    looks = [sets_among(row) for row in table.cells]
    costs, weights = _taken_for("cost", table.secrets), _taken_for("weight", table.guesses)
    options = [
        (table.sets, "cells=sets"),
        (not table.sets and any(any(found) for found in looks), "cells=labels"),
        (not table.sets and (table.cliques or "" in cells), "missing=any"),
        (any(map(is_unknown, cells)), "missing=label"),
        (table.cliques, "ambiguous=clique"),
        (table.ends, f"ends={table.ends}"),
        (table.failures, f"failures={table.failures}"),
        (table.orders, order_option(table) if table.orders else ""),
        (table.win is not None, f"win={table.win}"),
        (costs, f"costs={NONE if _written_costs(table) is None else _cost_noun(table)}"),
        (weights, f"weights={NONE if table.weights is None else _free(WEIGHTS, table.guesses)}"),
    ]
    return "".join(f",{option}" for needed, option in options if needed)


def _written_costs(table: Content) -> tuple[int, ...] | None:
    """Return the costs, or None where they go without saying beside a cause that is called so."""
    counted = table.groups or table.decisions  # which make costs of none
    plain = counted and all(cost * table.cost_unit == 1 for cost in table.costs or ())
    return None if plain and _taken_for("cost", table.secrets) else table.costs


def _cost_noun(table: Content) -> str:
    """Return the label of the column of costs: what they are called, unless a cause is."""
    noun = table.look.cost
    if read_heading(noun).kind != "cost":
        noun = f"{PLAIN['cost']} ({noun})"
    return _free((noun, *COSTS), table.secrets)


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
