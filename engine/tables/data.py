"""Data as rows of text: a DataFrame of pandas or polars, mappings, or arrays; neither library is imported."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from os import PathLike, fspath
from typing import Any

from ..errors import GameError, shown
from ..exact import NoNumber, exact_text, read_numbers
from ..notation import plurals
from ..sheets.sheet import as_seen
from .cells import cell_of
from .rows import breaks_line

ACCEPTED = (
    "a DataFrame of pandas or polars, a mapping such as {'test': {'cause': 'outcome'}}, or rows of outcomes "
    "with secrets= and guesses="
)
CLOSE = Fraction(1, 10**9)
"""Probabilities of floating point that add up to 1 but for this do."""
LARGEST = 10**6
"""The largest denominator that such probabilities are taken to have."""


def grid_of(
    outcomes: object, labels: list[object] | None, across: list[object] | None
) -> tuple[list[list[str]], list[str] | None]:
    """Return data as text, with labels in front of the rows and above the columns.

    Where some outcomes are mappings, of several answers with the probability of each, the others are returned
    too. Raises GameError with the row and the column of what is no text.
    """
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
        body = listed_of(outcomes, "outcomes")
        if len(body) != len(labels):
            raise GameError(f"{len(body)} rows of outcomes; expected {len(labels)}, one for each label")
    head = [cell_text(label, f"the label of column {i}") for i, label in enumerate(across, 1)]
    grid, mapped, plain = [[corner, *head]], False, []
    for i, (label, row) in enumerate(zip(labels, body, strict=True), 1):
        first = cell_text(label, f"the label of row {i}")
        cells = listed_of(row, f"row {first!r}")
        if len(cells) != len(head):
            raise GameError(
                f"row {first!r} has {len(cells)} outcomes; expected {len(head)}, one for each column"
            )
        texts = [_cell(cell, f"row {first!r}, column {c!r}") for cell, c in zip(cells, head, strict=True)]
        mappings = [isinstance(cell, Mapping) for cell in cells]
        mapped = mapped or any(mappings)
        plain += [text for text, mapping in zip(texts, mappings, strict=True) if not mapping]
        grid.append([first, *texts])
    return grid, plain if mapped else None


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
        raise GameError(f"{type_of(frame)}; expected {ACCEPTED}")
    columns = list(frame.columns)
    index = getattr(frame, "index", None)
    if labels is not None:
        if len(labels) != len(body):
            raise GameError(f"{len(labels)} labels; expected {len(body)}, one for each row of the DataFrame")
        return labels, columns, body, ""
    if index is not None and not _only_counts(index):
        return list(index), columns, body, _named(index.name)
    corner = _named(columns[0]) if columns else ""
    names = [row[0] for row in body if row]
    twice = next((one for one, many in Counter(map(str, names)).items() if many > 1), None)
    if twice is not None:
        raise GameError(
            f"nothing names the rows of the DataFrame, and its first column {shown(columns[0])} has "
            f"{shown(twice)} more than once; expected an index of names (set_index), or guesses= (with "
            "rows='secrets' secrets=)"
        )
    return names, columns[1:], [row[1:] for row in body if row], corner


def column_of_names(frame: Any) -> str | None:
    """Return the first column of a DataFrame where that names the rows, as nothing else does; else None."""
    index = getattr(frame, "index", None)
    bare = hasattr(frame, "columns") and (index is None or _only_counts(index))
    return str(next(iter(frame.columns))) if bare and len(frame.columns) else None


def _named(name: object) -> str:
    """Return the name of an index or a column, on one line; empty where it has none."""
    return " ".join(name.split()) if isinstance(name, str) and not breaks_line(name) else ""


def _of_mapping(
    rows: Mapping[Any, Any], labels: list[object] | None, across: list[object] | None
) -> tuple[list[object], list[object], list[Any]]:
    """Return the labels of rows and columns, and the rows, of a mapping; what is left out is None."""
    if labels is not None:
        raise GameError("labels for the rows of a mapping; expected its keys")
    found = {label: by_label(row) for label, row in rows.items()}
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


def _cell(value: Any, place: str) -> str:
    """Return an outcome as a CSV file would have it: of several, with the probability of each."""
    if not isinstance(value, Mapping):
        return cell_text(value, place)
    known = {cell_text(answer, place): cell_text(chance, place) for answer, chance in value.items()}
    try:
        numbers, _ = read_numbers(list(known.values()), plain=True)
    except NoNumber as error:
        answer, text = list(known.items())[error.index]
        what = f"the probability of {shown(answer)} is {shown(text)}"
        raise GameError(f"{place}: {what}; expected {error}") from None
    try:
        return cell_of(_adding_up(dict(zip(known, numbers, strict=True))))
    except GameError as error:
        raise GameError(f"{place}: {error}") from None


def _adding_up(chances: Mapping[str, Fraction]) -> dict[str, Fraction]:
    """Return the probabilities that numbers are, or whole numbers as odds, without 0; raise GameError."""
    total = sum(chances.values(), Fraction(0))
    if total <= 0 or any(number < 0 for number in chances.values()):
        raise GameError(f"probabilities {shown(_plain(chances))}; expected numbers from 0, some above")
    if total != 1 and any(number.denominator > 1 for number in chances.values()):
        if abs(total - 1) > CLOSE:
            what = f"probabilities {shown(_plain(chances))} add up to {exact_text(total)}"
            raise GameError(f"{what}; expected 1, or whole numbers as odds")
        near = {answer: number.limit_denominator(LARGEST) for answer, number in chances.items()}
        chances, total = (near, Fraction(1)) if sum(near.values()) == 1 else (chances, total)
    return {answer: number / total for answer, number in chances.items() if number}


def _plain(chances: Mapping[str, Fraction]) -> dict[str, str]:
    return {answer: exact_text(number) for answer, number in chances.items()}


def by_label(values: Any) -> dict[Any, Any] | None:
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


def listed_of(values: Any, what: str, accepted: str = ACCEPTED) -> list[Any]:
    """Return values in order as a list; raise GameError for what is none."""
    if isinstance(values, str | bytes | Mapping) or not hasattr(values, "__iter__"):
        raise GameError(f"{what}: {type_of(values)}; expected {accepted}")
    return list(values)


def cell_text(value: Any, place: str) -> str:
    """Return a label or an outcome as a CSV file would have it: nothing for what is missing.

    Raises GameError with the place for what is neither text nor number.
    """
    if hasattr(value, "dtype") and hasattr(value, "item") and not getattr(value, "shape", ()):
        short = str(value) if getattr(value.dtype, "kind", "") == "f" else ""
        value = float(short) if short else value.item()  # of NumPy; of four bytes 0.1 is not that of eight
    if isinstance(value, str):
        return as_seen(value)
    if hasattr(value, "__len__") or hasattr(value, "__iter__"):
        raise GameError(f"{place}: {type_of(value)}; expected a text, a number, True or False, or nothing")
    try:
        missing = value is None or bool(value != value)
    except TypeError:  # pandas.NA will not say whether it equals itself
        missing = True
    if missing:
        return ""
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def type_of(value: object) -> str:
    """Return what a value is, in words."""
    return f"a value of type {type(value).__name__}"


def values_for(
    what: str,
    values: object,
    labels: Sequence[str],
    each: str,
    *,
    partial: bool = False,
    noun: str = "number",
) -> list[str]:
    """Return what is given for some labels, as text, in the order of the labels; `partial`: not for all."""
    known = by_label(values)
    if known is None:
        listed = listed_of(values, what, f"a {noun} for each {each}, in order or by label")
        if len(listed) != len(labels):
            raise GameError(
                f"{what}: {len(listed)} {plurals(noun)}; expected {len(labels)}, one for each {each}"
            )
    else:
        known = {cell_text(label, f"a label of {what}"): value for label, value in known.items()}
        wrong = [label for label in known if label not in labels]
        wrong += [label for label in labels if label not in known and not partial]
        if wrong:
            raise GameError(
                f"{what}: {shown(wrong[0])}; expected a {noun} for each {each}, and for nothing else"
            )
        listed = [known.get(label) for label in labels]
    return [
        cell_text(value, f"{what} of {each} {label!r}") for value, label in zip(listed, labels, strict=True)
    ]
