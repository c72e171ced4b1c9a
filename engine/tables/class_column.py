"""Rows that are examples, as most data have them: a column for each feature, and one for the class.

Equal rows of one class are one example, as heavy as they are together. Equal rows of different classes stay
apart, so that what a decision loses is known of each; the search puts them together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from ..errors import GameError, shown
from ..exact import NoNumber, is_number, read_numbers, scaled
from ..notation import plural
from ..sheets import Placed
from ..sheets.sheet import Side
from .cutting import cut_everywhere, put_rows_in_classes
from .extras import ACTION, decision_of, is_actions, some_of
from .headings import corner, read_heading
from .margins import NONE
from .notes import Note
from .options import BEST, How
from .rows import check_seen, check_widths
from .sets import is_unknown
from .table import Content

CLASSES = frozenset({"class", "klasse", "classe", "clase"})
"""What labels the last column, in any letters, if its cells are classes of examples."""
COUNTERS = frozenset({"", "id", "index", "row", "no", "no.", "nr", "nr.", "#", "unnamed: 0"})
"""What labels a first column that only numbers the rows."""
COUNT = "sample_weight"
COUNTS = frozenset({"count", COUNT, "sample weight"})
"""What labels a column that says how many rows each one stands for, and nothing else."""
MOST_CLASSES = 200
"""Classes of examples; more are hardly any, but numbers that were measured."""
CORNER = "example / test"
EQUAL_ROWS = "equal rows"
"""What the weights of examples are called."""
COST = "cost"
MOSTLY = Fraction(9, 10)
"""The share of different cells from which on a first column called `name` or the like has names."""


@dataclass(frozen=True)
class ExampleRows:
    """Examples as rows of a table with causes in rows, and how these are read on.

    Attributes
    ----------
    rows: a name, an answer to each test, and the action that is right.
    how: the options that are left.
    said: what was taken for what, a few words each.
    classes, weights: the class of each, and how many rows it stands for, or what these weigh.
    doubts: that equal examples have different classes, where nothing says what a wrong decision loses.
    """

    rows: list[Placed]
    how: How
    said: list[str]
    classes: tuple[str, ...]
    weights: tuple[Fraction, ...]
    doubts: list[Note]


@dataclass(frozen=True)
class _Columns:
    """What the columns of examples are, by number; None: there is no such column."""

    own: int
    names: int | None
    weights: int | None
    features: tuple[int, ...]


@dataclass
class _Example:
    """A different example: its first row, its name, its answers, its class, and what it weighs."""

    first: Placed
    label: str
    answers: tuple[str, ...]
    own: str
    weight: Fraction = field(default_factory=Fraction)


def examples_in(
    source: str, rows: Sequence[Placed], how: How, known: Side, *, comma: bool
) -> ExampleRows | None:
    """Return the examples that rows are, None where these are no examples.

    They are if `how` names their class; else if the last column is called ``class``, and the first does not
    name the rows: then these are causes, as in other tables. `known`: where the format says that causes are.
    Raises GameError with the place of what is wrong.
    """
    own = _class_column(source, rows, how, known)
    if own is None:
        if how.bins == BEST:
            raise GameError(
                f"{source}: bins=best is for examples; expected {how.spelled('target', 'NAME')}, the column "
                "of their classes, or a last column 'class'"
            )
        return None
    check_widths(rows)
    header, *body = rows
    columns = _columns_of(header, body, own, how)
    costs, body = _costs_apart(header, body, columns, how)
    _require_classes(source, header, body, own)
    labels = [header.cells[j] for j in columns.features]
    prices = dict(zip(labels, (costs.cells[j] for j in columns.features), strict=True)) if costs else {}
    tests, prices, cut = _tests(source, header, body, columns, how, prices, comma=comma)
    found = _together(header, body, tests, columns, _weights(header, body, columns, comma=comma))
    grid = [[CORNER, *prices, ACTION], *([one.label, *one.answers, one.own] for one in found)]
    places = [header.place, *(one.first.place for one in found)]
    placed = [Placed(place, row) for place, row in zip(places, grid, strict=True)]
    if costs:
        placed.append(Placed(costs.place, [COST, *prices.values(), ""]))
    left = replace(
        how,
        causes="rows",
        target="",
        bins=0,
        cuts=(),
        costs=COST if costs else NONE,
        weights=NONE,
    )
    said = [*_said_of(header, body, columns, found), *cut]
    return ExampleRows(
        placed,
        left,
        said,
        tuple(one.own for one in found),
        tuple(one.weight for one in found),
        _contradictions(found, how),
    )


def weighed(content: Content, examples: ExampleRows) -> Content:
    """Return the table of examples with the class and the weight of each."""
    if set(examples.weights) == {1}:
        return replace(content, classes=examples.classes)
    weights, unit = scaled(examples.weights)
    return replace(content, classes=examples.classes, weights=weights, weight_unit=unit)


# -- which columns -----------------------------------------------------------------------------------------


def has_classes(rows: Sequence[Sequence[str]]) -> bool:
    """Return whether rows of cells, labels first, look like examples with their classes in the last column.

    They do not if the first column names the rows: by its label, or as its texts are all different.
    """
    header, *body = rows
    last = len(header) - 1
    if (
        last < 1
        or header[last].strip().casefold() not in CLASSES
        or any(len(row) != last + 1 for row in body)
    ):
        return False
    first = [row[0] for row in body]
    if header[0].casefold() in COUNTERS:
        return _counts(first)
    if corner(header[0]).causes or read_heading(header[0]).kind in ("cause", "test"):
        return False
    return len(set(first)) < len(first) or all(is_number(one) or is_unknown(one) for one in first if one)


def _class_column(source: str, rows: Sequence[Placed], how: How, known: Side) -> int | None:
    """Return the column of classes; None: they are no examples. Raises GameError for no such name."""
    header = rows[0]
    if how.target:
        labels = header.cells
        if how.target not in labels:
            some = some_of([shown(label) for label in labels if label])
            raise GameError(
                f"{header.place}: no column is labelled {shown(how.target)}; expected the column of the "
                f"classes, one of {some}"
            )
        if how.causes:
            raise GameError(f"{source}: causes= beside target=; expected one of them: rows are examples")
        return labels.index(how.target)
    found = not (how.causes or known) and has_classes([row.cells for row in rows])
    return len(header.cells) - 1 if found else None


def _counts(cells: Sequence[str]) -> bool:
    """Return whether cells are different whole numbers."""
    return all(cell.isascii() and cell.isdigit() for cell in cells) and len(set(cells)) == len(cells)


def _columns_of(header: Placed, body: Sequence[Placed], own: int, how: How) -> _Columns:
    """Return what the columns are; raise GameError for labels that are none, or that could be weights."""
    names = _names(header, body, own)
    weights = _weights_column(header, body, (own, names), how)
    features = tuple(j for j in range(len(header.cells)) if j not in (own, names, weights))
    seen: set[str] = set()
    for j in features:
        label = header.cells[j]
        if not label or label in seen:
            what = f"two columns are called {shown(label)}" if label else f"column {j + 1} has no label"
            raise GameError(f"{header.place}: {what}; expected a label of its own for each feature")
        seen.add(label)
        if is_actions(label) or decision_of(label) is not None:
            raise GameError(f"{header.place}: a feature is called {shown(label)}; expected another label")
    if not features:
        raise GameError(f"{header.place}: no feature beside {shown(header.cells[own])}; expected one or more")
    return _Columns(own, names, weights, features)


def _names(header: Placed, body: Sequence[Placed], own: int) -> int | None:
    """Return the first column if it names or numbers the rows."""
    first, cells = header.cells[0], [row.cells[0] for row in body]
    if own == 0:
        return None
    if first.casefold() in COUNTERS:
        return 0 if not first or _counts(cells) or len(set(cells)) == len(cells) else None
    if read_heading(first).kind == "cause" and len(set(cells)) >= MOSTLY * len(cells):
        return 0
    return None


def _weights_column(
    header: Placed, body: Sequence[Placed], others: tuple[int | None, ...], how: How
) -> int | None:
    """Return the column that says how much each row counts; raise GameError where that is not clear."""
    if how.weights == NONE:
        return None
    if how.weights:
        if how.weights not in header.cells:
            raise GameError(
                f"{header.place}: nothing is labelled {shown(how.weights)}; expected the weights of "
                f"weights={how.weights}"
            )
        return header.cells.index(how.weights)
    for j, label in enumerate(header.cells):
        filled = [row.cells[j] for row in body if row.cells[j]]
        if j in others or not filled or not all(map(is_number, filled)):
            continue
        if label.casefold() in COUNTS:
            return j
        if read_heading(label).kind == "weight":
            raise GameError(
                f"{header.place}: {shown(label)} may be a feature, or how much each row counts; add "
                f"{how.spelled('weights', label)} (how much it counts) or {how.spelled('weights', NONE)} "
                "(a feature)"
            )
    return None


def _costs_apart(
    header: Placed, body: Sequence[Placed], columns: _Columns, how: How
) -> tuple[Placed | None, list[Placed]]:
    """Return the row whose class is ``cost``, which has what each feature costs, and the other rows.

    Raises GameError for the costs of a column: rows are examples, which cost nothing.
    """
    if how.costs == NONE:
        return None, list(body)
    if how.costs not in ("", COST):
        what = how.spelled("costs", how.costs)
        raise GameError(
            f"{header.place}: {what} beside examples; expected a row with the class {shown(COST)}"
        )
    found = [row for row in body if row.cells[columns.own].casefold() == COST]
    if len(found) != 1 or not all(is_number(found[0].cells[j]) for j in columns.features):
        return None, list(body)
    return found[0], [row for row in body if row is not found[0]]


def _require_classes(source: str, header: Placed, body: Sequence[Placed], own: int) -> None:
    """Raise GameError where a row has no class, or all have the same."""
    label = shown(header.cells[own])
    for row in body:
        if not row.cells[own] or is_unknown(row.cells[own]):
            raise GameError(f"{row.place}: no class in {label}; expected one for each row")
    for row in body:
        check_seen(row.place, row.cells, "cell")
    kinds = {row.cells[own] for row in body}
    if len(kinds) > MOST_CLASSES:
        raise GameError(
            f"{source}: {len(kinds)} different classes in {label}; expected at most {MOST_CLASSES}, such as "
            "classes of numbers"
        )
    if len(kinds) < 2:
        some = (
            f"all classes in {label} are {shown(*kinds)}" if kinds else "there are no rows below the labels"
        )
        raise GameError(f"{source}: {some}; expected examples of two classes or more")


# -- examples ----------------------------------------------------------------------------------------------


def _tests(
    source: str,
    header: Placed,
    body: Sequence[Placed],
    columns: _Columns,
    how: How,
    costs: dict[str, str],
    *,
    comma: bool,
) -> tuple[list[list[str]], dict[str, str], list[str]]:
    """Return the answers of all rows to each test, what each test costs, and how numbers were cut.

    Numbers beside cells that say nothing stay as they are until an option says what such cells mean.
    """
    rows = [Placed(header.place, ["", *(row.place for row in body)])]
    doubtful = False
    for j in columns.features:
        answers = [row.cells[j] for row in body]
        if how.missing != "label":
            doubtful = doubtful or (not how.missing and any(not one or is_unknown(one) for one in answers))
            answers = answers if doubtful else ["" if is_unknown(one) else one for one in answers]
        rows.append(Placed(f"{source} column {shown(header.cells[j])}", [header.cells[j], *answers]))
    said: list[str] = []
    if doubtful:
        pass  # it is refused, or shown, further on
    elif how.bins == BEST:
        rows, costs, said = cut_everywhere(rows, costs, comma=comma)
    else:
        said = put_rows_in_classes(rows, how, comma=comma)
    prices = {row.cells[0]: costs.get(row.cells[0], "") for row in rows[1:]}
    return [row.cells[1:] for row in rows[1:]], prices, said


def _weights(header: Placed, body: Sequence[Placed], columns: _Columns, *, comma: bool) -> list[Fraction]:
    """Return how much each row counts, from 0; raise GameError with the place of what is no such number."""
    if columns.weights is None:
        return [Fraction(1)] * len(body)
    label = header.cells[columns.weights]
    texts = [row.cells[columns.weights] for row in body]
    try:
        numbers, _ = read_numbers(texts, comma=comma, named=read_heading(label).named)
    except NoNumber as error:
        odd = body[error.index]
        raise GameError(f"{odd.place}: the weight is {shown(texts[error.index])}; expected {error}") from None
    low = next((i for i, number in enumerate(numbers) if number < 0), None)
    if low is not None:
        raise GameError(f"{body[low].place}: the weight is {shown(texts[low])}; expected a number from 0")
    return numbers


def _together(
    header: Placed,
    body: Sequence[Placed],
    tests: Sequence[Sequence[str]],
    columns: _Columns,
    weights: Sequence[Fraction],
) -> list[_Example]:
    """Return the different examples, in the order of their first rows; rows of weight 0 count as none."""
    found: dict[tuple[tuple[str, ...], str], _Example] = {}
    labels = Counter(row.cells[columns.names] for row in body) if columns.names is not None else Counter()
    for number, (row, answers, weight) in enumerate(
        zip(body, zip(*tests, strict=True), weights, strict=True), 1
    ):
        if not weight:
            continue
        own = row.cells[columns.own]
        if (answers, own) not in found:
            name = row.cells[columns.names] if columns.names is not None else ""
            named = bool(name) and labels[name] == 1 and not is_number(name)
            label = (
                name
                if named
                else f"{name or 'row'} {number}: {own}"
                if not name
                else f"{name} (row {number})"
            )
            found[answers, own] = _Example(row, label, answers, own)
        found[answers, own].weight += weight
    if not found:
        raise GameError(f"{header.place}: all rows weigh 0; expected one or more that weighs something")
    return list(found.values())


def _contradictions(found: Sequence[_Example], how: How) -> list[Note]:
    """Return that equal examples have different classes, unless it is said what a wrong decision loses."""
    if how.wrong is not None or how.confidence is not None or how.loss:
        return []
    first: dict[tuple[str, ...], _Example] = {}
    odd = [one for one in found if first.setdefault(one.answers, one) is not one]
    if not odd:
        return []
    one, other = odd[0], first[odd[0].answers]
    more = f" ({len(odd)} such examples)" if len(odd) > 1 else ""
    return [
        Note(
            f"{one.first.place}: {shown(one.own)}, but {shown(other.own)} in "
            f"{_line(other.first.place)}, with all features equal{more}",
            f"add {how.spelled('wrong', 'N')} (what a wrong decision loses) or "
            f"{how.spelled('confidence', '95%')} (how sure to be)",
            (("confidence=95%", "be right with 95 %"), ("confidence=80%", "be right with 80 %")),
        )
    ]


def _line(place: str) -> str:
    """Return the place of a row without its file."""
    return " ".join(place.split()[-2:])


def _said_of(
    header: Placed, body: Sequence[Placed], columns: _Columns, found: Sequence[_Example]
) -> list[str]:
    """Return what was taken for what."""
    counts = Counter(row.cells[columns.own] for row in body)
    classes = some_of([f"{name} {many}" for name, many in counts.most_common()])
    alike = f" ({plural(len(found), 'different one')})" if len(found) < len(body) else ""
    said = [f"{plural(len(body), 'row')} are examples{alike}"]
    said.append(f"classes from {shown(header.cells[columns.own])}: {classes}")
    if columns.names is not None:
        said.append(f"{shown(header.cells[columns.names])} names the rows")
    if columns.weights is not None:
        said.append(f"weights from {shown(header.cells[columns.weights])}")
    return said
