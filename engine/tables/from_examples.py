"""Examples given as data: rows as a file with a column of classes has them, see `class_column`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from ..errors import GameError, shown
from ..sheets import Placed, Sheet
from .class_column import COST, COUNT, has_classes
from .data import grid_of, listed_of, values_for
from .margins import NONE
from .options import How


def rows_given(outcomes: Any, how: How, costs: Any, weights: Any, beside: str) -> list[list[str]] | None:
    """Return data as rows that are examples, labels first; None where they are none.

    They are with `target`, and if the last column of a DataFrame that nothing names the rows of is called
    ``class``. `beside`: a keyword that is given and does not go with examples. Raises GameError.
    """
    columns = list(getattr(outcomes, "columns", ()))
    if not how.target:
        index = getattr(outcomes, "index", None)
        bare = columns and (index is None or type(index).__name__ == "RangeIndex")
        if beside or not bare or not has_classes([list(map(str, columns))]):
            return None
    elif beside:
        raise GameError(f"{beside}= beside target=; expected costs=, weights=, losses= or wrong=")
    rows = _rows_of(outcomes, columns)
    if not how.target and not has_classes(rows):
        return None
    many, labels = len(rows) - 1, rows[0]
    own = labels.index(how.target) if how.target in labels else len(labels) - 1
    if costs is not None and costs != NONE:
        prices = values_for("costs", costs, [*labels[:own], *labels[own + 1 :]], "feature")
        rows.append([*prices[:own], COST, *prices[own:]])
    if weights is not None and not isinstance(weights, str):
        texts = [
            COUNT,
            *values_for("weights", listed_of(weights, "weights"), list(map(str, range(many))), "row"),
        ]
        rows = [[*row, text] for row, text in zip_longest(rows, texts, fillvalue="")]
    return rows


def _rows_of(outcomes: Any, columns: Sequence[object]) -> list[list[str]]:
    """Return the labels of columns, then the rows; raise GameError for data without labels."""
    if isinstance(outcomes, Mapping):
        listed = {label: listed_of(column, f"column {shown(label)}") for label, column in outcomes.items()}
        counts = {len(column) for column in listed.values()}
        if len(counts) != 1:
            raise GameError(
                f"columns of {' and '.join(map(str, sorted(counts)))} values; expected as many in each"
            )
        grid, _ = grid_of(list(zip(*listed.values(), strict=True)), list(range(*counts)), list(listed))
    elif columns:
        grid, _ = grid_of(outcomes, list(range(len(outcomes))), None)
    else:
        raise GameError("target= beside data without labels; expected a DataFrame, or a mapping of columns")
    return [row[1:] for row in grid]


def placed_rows(rows: Sequence[list[str]]) -> Sheet:
    """Return rows as a sheet, with their numbers as places."""
    places = ["the labels of columns", *(f"row {i}" for i in range(1, len(rows)))]
    return Sheet("examples", [Placed(place, row) for place, row in zip(places, rows, strict=True)])


def read_as(how: How, weights: object) -> How:
    """Return how such rows are read."""
    named = "" if weights is None else NONE if weights == NONE else COUNT
    return replace(how, causes="", weights=named)
