"""Tables read from rows of text, wherever these come from: first the labels of secrets, then the guesses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..errors import GameError, shown
from ..sheets import Placed
from .missing import UnsureTable, listable
from .split import SplitTable
from .table import Content, TableGame, merged

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
COST, WEIGHT = "cost", "weight"
"""The column and the row that hold numbers in place of responses."""


@dataclass(frozen=True)
class How:
    """What to make of a table: `merge` equal secrets, accept `missing` cells, and the response to `win`.

    Raises GameError for missing cells together with a winning response.
    """

    merge: bool = False
    missing: bool = False
    win: str | None = None

    def __post_init__(self) -> None:
        if self.missing and self.win is not None:
            raise GameError(
                f"a winning response {shown(self.win)} in a table with empty cells; expected missing=any "
                "(any answer is possible) without a winning response"
            )


def read_rows(source: str, rows: Sequence[Placed], how: How, allow: str) -> Content:
    """Return the table of some rows, of which the first has the labels of secrets.

    A column `cost` says what each guess costs, a row `weight` how likely each secret is; where they meet the
    cell is empty. Raises GameError that names the place for what is no table; `allow` says how empty cells
    would be accepted.
    """
    if len(rows) < 2 or len(rows[0].cells) < 2:
        raise GameError(f"{source}: expected a first row of secret labels, then one row for each guess")
    check_rows(rows)
    header, *body = (Placed(row.place, list(row.cells)) for row in rows)
    weights = _take_weights(body, header)
    costs = _take_costs(body, header)
    if not body or len(header.cells) < 2:
        raise GameError(f"{source}: expected at least one guess and one secret beside costs and weights")
    return make_table([header, *body], weights, costs, how, allow)


def check_rows(rows: Sequence[Placed]) -> None:
    """Raise GameError that names the place for ragged rows, for labels that are none or are repeated."""
    header, *body = rows
    _check_labels([(header.place, label) for label in header.cells[1:]], "secret")
    _check_labels([(row.place, row.cells[0]) for row in body], "guess")
    for row in body:
        if len(row.cells) != len(header.cells):
            raise GameError(
                f"{row.place}: {len(row.cells)} cells; expected {len(header.cells)} as in the first row"
            )
        if breaks_line("".join(row.cells)):
            raise GameError(f"{row.place}: a cell holds a control character or a line break")


def make_table(
    rows: Sequence[Placed],
    weights: tuple[int, ...] | None,
    costs: tuple[int, ...] | None,
    how: How,
    allow: str,
) -> Content:
    """Return the table of rows with nothing but labels and responses; raise GameError for empty cells."""
    header, *body = rows
    for row in body:
        if "" in row.cells and not how.missing:
            secret = header.cells[row.cells.index("")]
            where = f"(guess {shown(row.cells[0])}, secret {shown(secret)})"
            raise GameError(f"{row.place}: a cell is empty {where}; expected a response, or {allow}")
    cells = tuple(tuple(row.cells[1:]) for row in body)
    table = Content(
        tuple(row.cells[0] for row in body), tuple(header.cells[1:]), cells, weights, costs, how.win
    )
    if how.merge:
        table = merged(table)
        _check_labels([(header.place, label) for label in table.secrets], "merged secret")
    return table


def breaks_line(text: str) -> bool:
    """Return whether a text would break a line or a terminal, or holds a lone surrogate."""
    return bool(_CONTROL.search(text))


def table_game(spec: str, table: Content) -> TableGame:
    """Return the game of a table; raise GameError for one that makes no game."""
    if table.sets or not listable(table.cells):
        return SplitTable(spec, table)
    cost_unit, weight_unit, look = table.cost_unit, table.weight_unit, table.look
    if any("" in row for row in table.cells):
        return UnsureTable(
            spec,
            table.guesses,
            table.secrets,
            table.cells,
            table.weights,
            table.costs,
            cost_unit=cost_unit,
            weight_unit=weight_unit,
            look=look,
        )
    return TableGame(
        spec,
        table.guesses,
        table.secrets,
        table.cells,
        table.win,
        table.weights,
        table.costs,
        cost_unit=cost_unit,
        weight_unit=weight_unit,
        look=look,
    )


def _take_weights(body: list[Placed], header: Placed) -> tuple[int, ...] | None:
    """Take the row of weights out of the rows, and return it."""
    for i, row in enumerate(body):
        if row.cells[0] == WEIGHT:
            del body[i]
            pairs = list(zip(header.cells[1:], row.cells[1:], strict=True))
            if any(label == COST and cell for label, cell in pairs):
                raise GameError(f"{row.place}: the weights have a cost; expected an empty cell")
            return tuple(
                whole_number(row.place, f"weight of secret {shown(label)}", cell, 1)
                for label, cell in pairs
                if label != COST
            )
    return None


def _take_costs(body: Iterable[Placed], header: Placed) -> tuple[int, ...] | None:
    """Take the column of costs out of the rows, and return it."""
    if COST not in header.cells[1:]:
        return None
    column = header.cells.index(COST, 1)
    del header.cells[column]
    return tuple(
        whole_number(row.place, f"cost of guess {shown(row.cells[0])}", row.cells.pop(column), 0)
        for row in body
    )


def whole_number(place: str, what: str, text: str, least: int) -> int:
    """Return the integer that a text is; raise GameError for none, one below `least` or above 18 digits."""
    if not re.fullmatch(r"[0-9]{1,18}", text, flags=re.ASCII) or int(text) < least:
        raise GameError(
            f"{place}: the {what} is {shown(text)}; expected an integer from {least}, of at most 18 digits"
        )
    return int(text)


def _check_labels(labels: Iterable[tuple[str, str]], what: str) -> None:
    seen: set[str] = set()
    for place, label in labels:
        if not label:
            raise GameError(f"{place}: a {what} has no label")
        if breaks_line(label):
            raise GameError(f"{place}: a label holds a control character or a line break")
        if label in seen:
            raise GameError(f"{place}: the {what} label {shown(label)} is repeated")
        seen.add(label)
