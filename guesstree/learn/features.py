"""Columns of examples read as tests: each value is an answer, and measurements are cut into classes."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from math import isinf
from numbers import Real
from typing import Any

import numpy as np

from guesstree.engine.errors import GuesstreeError, shown
from guesstree.engine.tables.bins import class_labels, cut_points
from guesstree.engine.tables.data import cell_text

MISSING, UNSEEN = -1, -2
"""What stands for an answer that is not known, and for one that was not seen before."""
ABSENT = "missing"
"""The answer of a missing value where that is an answer of its own."""
USUAL_BINS = 4
Bins = int | Sequence[Any]


@dataclass(frozen=True)
class Columns:
    """Examples by columns: the names, whether they are the data's own, and texts there, and the values."""

    names: tuple[str, ...]
    own: bool
    texts: bool
    values: tuple[tuple[Any, ...], ...]

    @classmethod
    def of(cls, examples: Any) -> Columns:
        """Read a DataFrame, a mapping of columns, or rows; raise GuesstreeError for anything else."""
        accepted = "a DataFrame, a mapping of columns, or an array of examples x features"
        if hasattr(examples, "toarray"):  # sparse; some are mappings, too
            examples = examples.toarray()
        if hasattr(examples, "columns"):
            rows = (
                examples.iter_rows() if hasattr(examples, "iter_rows") else examples.itertuples(index=False)
            )
            names, values = list(examples.columns), list(zip(*rows, strict=True))
            values = values or [()] * len(names)
        elif isinstance(examples, Mapping):
            names, values = list(examples), [_listed(*one) for one in examples.items()]
        else:
            dense = np.asarray(examples) if hasattr(examples, "__array__") else examples
            if isinstance(dense, str) or not hasattr(dense, "__iter__") or getattr(dense, "ndim", 1) == 0:
                raise GuesstreeError(f"examples {shown(dense)}; expected {accepted}")
            listed = list(dense)
            rows = [tuple(row) if hasattr(row, "__iter__") else () for row in listed]
            wide = len(rows[0]) if rows else 0
            if not wide or isinstance(listed[0], str | Mapping):
                raise GuesstreeError(
                    f"examples without features; expected {accepted}. Reshape your data where it is one "
                    "example, to [example]"
                )
            names, values = [f"x{i}" for i in range(wide)], list(_turned(rows, wide))
        texts = tuple(cell_text(name, "the name of a column") for name in names)
        _require_alike(texts, [len(column) for column in values])
        own = hasattr(examples, "columns") or isinstance(examples, Mapping)
        return cls(texts, own, all(isinstance(name, str) for name in names), tuple(values))

    @property
    def examples(self) -> int:
        """How many there are."""
        return len(self.values[0])


def _listed(name: object, column: Any) -> tuple[Any, ...]:
    """Return the values of a column; raise GuesstreeError where these are none."""
    if isinstance(column, str) or not hasattr(column, "__iter__"):
        raise GuesstreeError(f"column {shown(name)}: {shown(column)}; expected a value for each example")
    return tuple(column)


def _turned(rows: Sequence[tuple[Any, ...]], wide: int) -> Iterable[tuple[Any, ...]]:
    """Return rows as columns; raise GuesstreeError for one of another length."""
    for number, row in enumerate(rows):
        if len(row) != wide:
            raise GuesstreeError(f"example {number} has {len(row)} features; expected {wide}, as the first")
    return zip(*rows, strict=True)


def _require_alike(names: Sequence[str], counts: Sequence[int]) -> None:
    """Raise GuesstreeError for columns without a name of their own, or of different lengths."""
    if not names:
        raise GuesstreeError("examples without features; expected a column for each")
    for i, name in enumerate(names):
        if not name or name in names[:i]:
            raise GuesstreeError(f"two columns are called {shown(name)}; expected a name for each")
    for name, count in zip(names, counts, strict=True):
        if count != counts[0]:
            raise GuesstreeError(
                f"column {shown(name)} has {count} values; expected {counts[0]}, as column {shown(names[0])}"
            )


@dataclass(frozen=True)
class Feature:
    """A column as a test.

    Attributes
    ----------
    name: of the column.
    answers: labels, those of values in the order in which they were seen, or of classes from the lowest on.
    cuts: where numbers are cut into classes, which hold their lower ends; empty: each value is an answer.
    absent: whether a missing value is an answer of its own.
    """

    name: str
    answers: tuple[str, ...]
    cuts: tuple[Fraction, ...] = ()
    absent: bool = False

    @classmethod
    def of(cls, name: str, values: Sequence[Any], bins: Bins, *, absent: bool) -> Feature:
        """Return the test that a column is.

        `bins`: into how many classes of equal counts numbers are put, if there are more different ones; or
        where they are cut. `absent`: whether a missing value is an answer, as it is where there is no other.
        Raises GuesstreeError.
        """
        place = f"feature {shown(name)}"
        known = _texts(values, place)
        gap = absent and "" in known.values()
        known = {value: text for value, text in known.items() if text}
        if not known:
            return cls(name, (ABSENT,), absent=True)
        if isinstance(bins, int):
            cuts = _quantiles(place, [value for value in values if value in known], known, bins)
        else:
            cuts = sorted({exact_number(cut, f"a cut of {place}") for cut in bins})
        labels = class_labels(cuts) if cuts else known.values()
        return cls(name, tuple(dict.fromkeys((*labels, *([ABSENT] if gap else [])))), tuple(cuts), absent)

    @cached_property
    def _number(self) -> Mapping[str, int]:
        return {answer: i for i, answer in enumerate(self.answers)}

    def read(self, values: Sequence[Any]) -> list[int]:
        """Return the number of the answer that each value is, MISSING or UNSEEN."""
        texts = _texts(values, self._place)
        known = {value: self._answer(value, text) for value, text in texts.items()}
        return [known[value] for value in values]

    def _answer(self, value: Any, text: str) -> int:
        if not text:
            return self._number.get(ABSENT, UNSEEN) if self.absent else MISSING
        if not self.cuts:
            return self._number.get(text, UNSEEN)
        if _is_number(value) and isinf(value):
            return 0 if value < 0 else len(self.cuts)
        return bisect_right(self.cuts, exact_number(text, self._place))

    @property
    def _place(self) -> str:
        return f"feature {shown(self.name)}"


def _texts(values: Sequence[Any], place: str) -> dict[Any, str]:
    """Return the different values as text, those that are missing as an empty one."""
    try:
        different: Iterable[Any] = dict.fromkeys(values)
    except TypeError:  # one of them is no value, which is said below
        different = values
    return {value: cell_text(value, place) for value in different}


def _quantiles(place: str, values: Sequence[Any], texts: Mapping[Any, str], bins: int) -> list[Fraction]:
    """Return where to cut the values of a column; nowhere unless they are more numbers than classes."""
    if len(set(texts.values())) <= bins or not all(map(_is_number, texts)):
        return []
    numbers = {value: exact_number(text, place) for value, text in texts.items()}
    return cut_points([numbers[value] for value in values], bins)


def _is_number(value: Any) -> bool:
    return isinstance(value, Real | Decimal) and not isinstance(value, bool)


def exact_number(value: Any, place: str) -> Fraction:
    """Return a number exactly, 0.1 as 1/10; raise GuesstreeError with the place for what is none."""
    try:
        return Fraction(str(value).strip())
    except (ValueError, ZeroDivisionError):
        raise GuesstreeError(f"{place}: {shown(value)}; expected a number such as 2.5 or 1/3") from None


def bins_of(bins: Any, names: Sequence[str]) -> dict[str, Bins]:
    """Return the bins or the cuts of each feature; raise GuesstreeError for what is none."""
    given = bins if isinstance(bins, Mapping) else dict.fromkeys(names, bins)
    odd = next((name for name in given if name not in names), None)
    if odd is not None:
        raise GuesstreeError(f"bins: {shown(odd)} is not known; expected {', '.join(map(shown, names[:8]))}")
    found = {name: given.get(name, USUAL_BINS) for name in names}
    for name, each in found.items():
        few = isinstance(each, int) and (isinstance(each, bool) or each < 2)
        if few or isinstance(each, str) or not (isinstance(each, int) or hasattr(each, "__iter__")):
            raise GuesstreeError(
                f"bins of {shown(name)}: {shown(each)}; expected an integer from 2, or the numbers at which "
                "it is cut"
            )
    return found
