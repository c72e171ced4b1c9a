"""Tables given as data: a DataFrame of pandas or polars, mappings, or arrays; neither library is imported."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from os import PathLike, fspath
from typing import Any

from ..errors import GameError, shown
from ..sheets import Placed, Sheet
from ..tables.options import How
from ..tables.orientation import clues_of
from ..tables.reading import check_widths, read_table
from .rows import breaks_line, table_game
from .table import TableGame

COST, WEIGHT = "cost", "weight"
SPELLING = "{}={!r}"
ACCEPTED = (
    "a DataFrame of pandas or polars, a mapping such as {'test': {'cause': 'outcome'}}, or rows of outcomes "
    "with secrets= and guesses="
)


def table(
    outcomes: object,
    *,
    secrets: Iterable[object] | None = None,
    guesses: Iterable[object] | None = None,
    weights: object = None,
    costs: object = None,
    rows: str | None = None,
    win: object = None,
    merge: bool = False,
    missing: str | None = None,
    cells: str | None = None,
    ambiguous: str | None = None,
    bins: int = 0,
    name: str = "data",
) -> TableGame:
    """Return the game of a table given as data: what each guess (a test) tells of each secret (a cause).

    Parameters
    ----------
    outcomes: one of
        a DataFrame of pandas or polars: a row for each guess, a column for each secret; the rows are labelled
        by the index, where it is more than their numbers, else by the first column;
        a mapping ``{guess: {secret: outcome}}``, or ``{guess: [outcomes in the order of secrets]}``;
        outcomes by row and column, such as a NumPy array, with `guesses` and `secrets`.
    secrets, guesses: the labels, where the data have none.
    weights: how likely each secret is, numbers above 0: in the order of secrets, or by label.
    costs: what each guess costs, numbers from 0: in the order of guesses, or by label.
    rows: what a row stands for: ``guesses`` (the default), or ``secrets`` where columns are the guesses; to
        be said where the data look the other way.
    win: the outcome that ends the game; then every secret needs a guess of the same label.
    merge: whether secrets that no guess tells apart become one.
    missing: ``any``: any answer is possible where the outcome is None, NaN, empty or left out, see
        `games.missing`; ``label``: marks such as ``?`` are outcomes; None: such a cell is refused.
    cells: ``sets``: ``a/b`` is either outcome, ``a:3/b:1`` with odds, see `games.split`; ``labels``: it is
        one outcome; None: outcomes that look like sets are refused.
    ambiguous: ``clique``: with sets, a strategy may end with several secrets, see `masses.model`.
    bins: into how many classes of equal counts the outcomes of a guess are put, if they are more numbers.
    name: what the game is called, ``table:NAME``.

    As in a file, a secret called ``cost`` or ``minutes`` and a guess called ``weight`` or ``probability``
    hold costs and weights. Numbers are exact, 0.1 is 1/10; they may be Fraction, Decimal, or text such as
    ``1/3``. Labels and outcomes become text without spaces around it; 1.0 is written 1. Raises GameError with
    the row and the column of what is no table.
    """
    if rows not in (None, "guesses", "secrets"):
        raise GameError(f"rows={rows!r}; expected 'guesses' or 'secrets'")
    how = How(
        merge,
        missing or "",
        None if win is None else cell_text(win, "win"),
        causes="columns",
        cells=cells or "",
        ambiguous=ambiguous or "",
        bins=bins,
        spelling=SPELLING,
    )
    if not isinstance(name, str) or not name or breaks_line(name):
        raise GameError(f"name={name!r}; expected a text on one line")
    flip = rows == "secrets"
    given = (secrets, guesses) if flip else (guesses, secrets)
    labels = [None if some is None else list(some) for some in given]
    grid = _grid(outcomes, *labels)
    places = ["columns", *(f"row {i}" for i in range(1, len(grid)))]
    if rows is None:
        _check_rows_are_guesses([Placed(place, row) for place, row in zip(places, grid, strict=True)], how)
    if flip:
        grid[0][0] = (
            f"test / {grid[0][0]}" if grid[0][0] else ""
        )  # what its rows were called, columns are now
        grid = [list(column) for column in zip(*grid, strict=True)]
        places = ["rows", *(f"column {i}" for i in range(1, len(grid)))]
    if weights is not None:
        inside = [label != COST for label in grid[0][1:]]
        known = [label for label, own in zip(grid[0][1:], inside, strict=True) if own]
        numbers = iter(_numbers("weights", weights, known, "secret"))
        grid.append([WEIGHT, *(next(numbers) if own else "" for own in inside)])
        places.append("weights")
    if costs is not None:
        known = [row[0] for row in grid[1:] if row[0] != WEIGHT]
        numbers = iter(_numbers("costs", costs, known, "guess"))
        grid[0].append(COST)
        for row in grid[1:]:
            row.append("" if row[0] == WEIGHT else next(numbers))
    how = replace(how, costs="" if costs is None else COST, weights="" if weights is None else WEIGHT)
    listed = [Placed(place, row) for place, row in zip(places, grid, strict=True)]
    return table_game(f"table:{name}", read_table(Sheet("outcomes", listed), how).content)


def _check_rows_are_guesses(grid: list[Placed], how: How) -> None:
    """Raise GameError where rows look like secrets, and nobody has said what they are."""
    if len(grid) < 2 or len(grid[0].cells) < 2:
        return
    check_widths(grid)
    clues, _ = clues_of(grid, how)
    if clues["rows"] and not clues["columns"]:
        raise GameError(
            f"rows look like secrets ({clues['rows'][0]}); expected rows='secrets', or rows='guesses' to "
            "take them as guesses"
        )


def _grid(outcomes: object, labels: list[object] | None, across: list[object] | None) -> list[list[str]]:
    """Return data as text, with labels in front of the rows and above the columns."""
    corner = ""
    if hasattr(outcomes, "columns"):
        labels, across, body, corner = _of_frame(outcomes, labels, across)
    elif isinstance(outcomes, Mapping):
        labels, across, body = _of_mapping(outcomes, labels, across)
    elif isinstance(outcomes, str | PathLike):
        file = fspath(outcomes)
        raise GameError(
            f"outcomes in {shown(file)}; expected the data, or solve({shown(f'table:{file}')}) for the file"
        )
    else:
        if labels is None or across is None:
            raise GameError("outcomes without labels; expected " + ACCEPTED)
        body = _listed(outcomes, "outcomes")
        if len(body) != len(labels):
            raise GameError(f"{len(body)} rows of outcomes; expected {len(labels)}, one for each label")
    head = [cell_text(label, f"the label of column {i}") for i, label in enumerate(across, 1)]
    grid = [[corner, *head]]
    for i, (label, row) in enumerate(zip(labels, body, strict=True), 1):
        first = cell_text(label, f"the label of row {i}")
        cells = _listed(row, f"row {first!r}")
        if len(cells) != len(head):
            raise GameError(
                f"row {first!r} has {len(cells)} outcomes; expected {len(head)}, one for each column"
            )
        grid.append(
            [
                first,
                *(
                    cell_text(cell, f"row {first!r}, column {c!r}")
                    for cell, c in zip(cells, head, strict=True)
                ),
            ]
        )
    return grid


def _of_frame(
    frame: Any, labels: list[object] | None, across: list[object] | None
) -> tuple[list[object], list[object], list[Any], str]:
    """Return the labels of rows and columns, the rows, and what the rows are called, of a DataFrame."""
    if across is not None:
        raise GameError("labels for the columns of a DataFrame; expected those that it has")
    if hasattr(frame, "iter_rows"):
        body = list(frame.iter_rows())
    elif hasattr(frame, "itertuples"):
        body = list(frame.itertuples(index=False, name=None))
    else:
        raise GameError(f"{_kind(frame)}; expected {ACCEPTED}")
    columns = list(frame.columns)
    index = getattr(frame, "index", None)
    if labels is not None:
        if len(labels) != len(body):
            raise GameError(f"{len(labels)} labels; expected {len(body)}, one for each row of the DataFrame")
        return labels, columns, body, ""
    if index is not None and not _only_counts(index):
        return list(index), columns, body, _named(index.name)
    corner = _named(columns[0]) if columns else ""
    return [row[0] for row in body if row], columns[1:], [row[1:] for row in body if row], corner


def _named(name: object) -> str:
    """Return the name of an index or a column, on one line; empty where it has none."""
    return " ".join(name.split()) if isinstance(name, str) and not breaks_line(name) else ""


def _of_mapping(
    rows: Mapping[Any, Any], labels: list[object] | None, across: list[object] | None
) -> tuple[list[object], list[object], list[Any]]:
    """Return the labels of rows and columns, and the rows, of a mapping; what is left out is None."""
    if labels is not None:
        raise GameError("labels for the rows of a mapping; expected its keys")
    found = {label: _by_label(row) for label, row in rows.items()}
    if across is not None:
        return (
            list(rows),
            across,
            [
                row if known is None else [known.get(column) for column in across]
                for row, known in zip(rows.values(), found.values(), strict=True)
            ],
        )
    bare = next((label for label, row in found.items() if row is None), None)
    if bare is not None:
        raise GameError(f"row {bare!r} has outcomes without labels; expected {ACCEPTED}")
    columns = list(dict.fromkeys(column for row in found.values() for column in row or ()))
    return list(rows), columns, [[(row or {}).get(column) for column in columns] for row in found.values()]


def _by_label(values: Any) -> dict[Any, Any] | None:
    """Return a mapping, or a labelled column of pandas, as a dictionary; None for what has no labels."""
    if isinstance(values, Mapping):
        return dict(values)
    index = getattr(values, "index", None)
    if index is None or callable(index) or _only_counts(index):
        return None
    return dict(zip(index, values, strict=True))


def _only_counts(index: Any) -> bool:
    """Return whether the index of a pandas object is the one it has when it is given none."""
    return type(index).__name__ == "RangeIndex" and (index.start, index.step) == (0, 1)


def _listed(values: Any, what: str, accepted: str = ACCEPTED) -> list[Any]:
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
        raise GameError(f"{what}: {_kind(values)}; expected {accepted}")
    return list(values)


def _numbers(what: str, values: Any, labels: Sequence[str], each: str) -> list[str]:
    """Return the numbers given for some labels, as text, in the order of the labels."""
    known = _by_label(values)
    if known is None:
        listed = _listed(values, what, f"a number for each {each}, in order or by label")
        if len(listed) != len(labels):
            raise GameError(f"{what}: {len(listed)} numbers; expected {len(labels)}, one for each {each}")
    else:
        known = {cell_text(label, f"a label of {what}"): number for label, number in known.items()}
        wrong = [label for label in known if label not in labels] or [x for x in labels if x not in known]
        if wrong:
            raise GameError(
                f"{what}: {shown(wrong[0])}; expected a number for each {each}, and for nothing else"
            )
        listed = [known[label] for label in labels]
    return [
        cell_text(number, f"{what} of {each} {label!r}") for number, label in zip(listed, labels, strict=True)
    ]


def cell_text(value: Any, place: str) -> str:
    """Return a label or an outcome as a CSV file would have it: nothing for what is missing.

    Raises GameError with the place for what is neither text nor number.
    """
    if hasattr(value, "dtype") and hasattr(value, "item") and not getattr(value, "shape", ()):
        short = str(value) if getattr(value.dtype, "kind", "") == "f" else ""
        value = float(short) if short else value.item()  # of NumPy; of four bytes 0.1 is not that of eight
    if isinstance(value, str):
        return value.strip()
    if hasattr(value, "__len__") or hasattr(value, "__iter__"):
        raise GameError(f"{place}: {_kind(value)}; expected a text, a number, True or False, or nothing")
    try:
        missing = value is None or bool(value != value)
    except TypeError:  # pandas.NA will not say whether it equals itself
        missing = True
    if missing:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _kind(value: object) -> str:
    return f"a value of type {type(value).__name__}"
