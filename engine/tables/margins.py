"""Lines of a table that hold numbers beside its cells: what tests cost, and how likely causes are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import MOST_PROBLEMS, GameError, noted, refuse, shown
from ..exact import UNITS, NoNumber, exact_text, is_number, read_numbers, same_unit, scaled
from ..sheets import Placed
from .headings import Heading, Kind, read_heading
from .options import How

DECIMAL_COMMAS = "semicolons"
"""What `Sheet.said` has of a file that may have commas in its numbers."""
NONE = "none"
PLAIN = {"cost": "cost", "weight": "weight"}
"""The labels of margins in the canonical form."""
PROBABILITIES = ("probability", "prior", "wahrscheinlichkeit", "probabilité", "probabilidad")
"""Weights that are expected to add up to 1; they count by their shares if they do not."""


@dataclass(frozen=True)
class Margin:
    """Numbers of one line, for each test or for each cause.

    Attributes
    ----------
    label, heading: what the line is called.
    counts, unit: the numbers as integers, and what the integer 1 stands for.
    written: the unit written beside the numbers, such as ``%``.
    """

    label: str
    heading: Heading
    counts: tuple[int, ...]
    unit: Fraction
    written: str = ""

    @property
    def noun(self) -> str:
        """What costs are called: by the heading, or by a unit beside the numbers that it does not name."""
        known = UNITS.get(self.written, "%")
        return known if known != "%" and not self.heading.named else self.heading.cost_noun

    def said(self, kind: Kind) -> str:
        """Return where the numbers are from, in a few words; empty where that is plain."""
        if self.label == PLAIN.get(kind) and self.unit == 1 and not self.written:
            return ""
        percent = self.written == "%"
        unit, sums = " in percent" if percent else f" in {self.written}" if self.written else "", ""
        whole = sum(self.counts) * self.unit
        shares = max(self.counts) * self.unit <= 1 and self.heading.noun in PROBABILITIES
        if kind == "weight" and whole != 1 and (percent or shares):
            text = f"{exact_text(100 * whole)} %" if percent else f"{exact_text(whole)}, not 1"
            sums = f", which add up to {text}"
        return f"{kind}s{unit} from {shown(self.label)}{sums}"


@dataclass(frozen=True)
class Margins:
    """What stands beside the cells of a table: costs of tests, weights of causes; and lines left out."""

    costs: Margin | None
    weights: Margin | None
    left_out: tuple[str, ...] = ()


def numeric_lines(
    labels: Sequence[str], lines: Sequence[Sequence[str]], kind: Kind, wanted: str
) -> list[int]:
    """Return which lines hold numbers of a kind, the one to take first.

    They do by their label, if most of their cells are numbers. `wanted` is the label of the one to take,
    whatever it is called; ``none``: no line does.
    """
    if wanted == NONE:
        return []
    headings = [read_heading(label) for label in labels]
    named = [i for i, one in enumerate(headings) if one.kind == kind and _numeric(lines[i], one.named)]
    own = [i for i, label in enumerate(labels) if wanted and label == wanted]
    return [*own, *(i for i in named if i not in own)] if own or not wanted else []


def _numeric(cells: Sequence[str], unit: str) -> bool:
    filled = [cell for cell in cells if cell]
    return 2 * sum(is_number(cell, unit) for cell in filled) >= len(filled)


def take_margins(rows: list[Placed], how: How, lines: list[str], *, comma: bool) -> Margins:
    """Take costs and weights out of rows that have tests below the labels of causes, and return them.

    Adds to `lines` the place of a number that is none. Raises GameError for two lines that say the same.
    """
    header, *body = rows
    costs, weights = _find(header, body, how)
    odd: list[int] = []
    if not how.costs:
        odd, wrong = _not_numeric(header, body, costs, weights, how)
        lines += wrong
    for i in weights:
        if any(body[i].cells[j] for j in costs):
            raise GameError(f"{body[i].place}: the weights have a cost; expected an empty cell")
    tests = [row for i, row in enumerate(body) if i not in weights]
    causes = [j for j in range(1, len(header.cells)) if j not in (*costs, *odd)]
    of_tests = of_causes = None
    if costs and tests:
        entries = [(row.place, f"cost of test {shown(row.cells[0])}", row.cells[costs[0]]) for row in tests]
        with noted(lines):
            of_tests = _margin(header.cells[costs[0]], entries, least=0, comma=comma)
    if weights and causes:
        row = body[weights[0]]
        entries = [(row.place, f"weight of cause {shown(header.cells[j])}", row.cells[j]) for j in causes]
        with noted(lines):
            if not costs:
                _check_counted(header, tests, row, how)
            of_causes = _margin(row.cells[0], entries, least=1, comma=comma)
    left_out = [header.cells[j] for j in costs[1:]] + [body[i].cells[0] for i in weights[1:]]
    rows[:] = [Placed(row.place, [row.cells[j] for j in (0, *causes)]) for row in (header, *tests)]
    return Margins(of_tests, of_causes, tuple(left_out))


def _find(header: Placed, body: Sequence[Placed], how: How) -> tuple[list[int], list[int]]:
    """Return which columns have costs and which rows have weights; where they cross is part of neither."""
    across, down = header.cells[1:], [row.cells[0] for row in body]
    weights: list[int] = []
    for _ in range(2):  # the second time without the weights in the columns
        columns = [
            [row.cells[j] for i, row in enumerate(body) if i not in weights]
            for j in range(1, len(header.cells))
        ]
        costs = [j + 1 for j in numeric_lines(across, columns, "cost", how.costs)]
        lines = [[cell for j, cell in enumerate(row.cells) if j and j not in costs] for row in body]
        weights = numeric_lines(down, lines, "weight", how.weights)
    _check_one([j - 1 for j in costs], across, "cost", how, header.place)
    _check_one(weights, down, "weight", how, header.place)
    return costs, weights


def _not_numeric(
    header: Placed, body: Sequence[Placed], costs: Sequence[int], weights: Sequence[int], how: How
) -> tuple[list[int], list[str]]:
    """Return the columns that are called costs and have other things than numbers, and a line for each."""
    columns, lines = list[int](), list[str]()
    for j, label in enumerate(header.cells):
        heading = read_heading(label)
        if not j or j in costs or heading.kind != "cost":
            continue
        columns.append(j)
        for i, row in enumerate(body):
            if i in weights or not row.cells[j] or is_number(row.cells[j], heading.named):
                continue
            try:
                read_numbers([row.cells[j]], named=heading.named)
            except NoNumber as error:
                lines.append(
                    f"{row.place}: the cost of test {shown(row.cells[0])} is {shown(row.cells[j])}; expected "
                    f"{error}, or {how.spelled('costs', NONE)} where {shown(label)} is a cause"
                )
    return columns, lines


def _check_counted(header: Placed, tests: Sequence[Placed], weights: Placed, how: How) -> None:
    """Raise GameError that names the only column of numbers, if it has no weight: it may be of costs."""
    counted = [
        j for j in range(1, len(header.cells)) if tests and all(is_number(row.cells[j]) for row in tests)
    ]
    for j in counted if len(counted) == 1 else ():
        if not weights.cells[j]:
            label = header.cells[j]
            raise GameError(
                f"{weights.place}: the weight of cause {shown(label)} is ''; expected a number, or "
                f"{how.spelled('costs', label)} where its column says what tests cost"
            )


def _check_one(found: Sequence[int], labels: Sequence[str], kind: Kind, how: How, place: str) -> None:
    """Raise GameError where more than one line holds numbers of a kind, or none where one is wanted."""
    wanted = how.costs if kind == "cost" else how.weights
    if len(found) > 1 and not wanted:
        some = " and ".join(shown(labels[i]) for i in found[:2])
        raise GameError(
            f"{place}: {some} both say {kind}s; expected one, which "
            f"{how.spelled(f'{kind}s', labels[found[0]])} takes, and leaves the other out"
        )
    if not found and wanted not in ("", NONE):
        raise GameError(
            f"{place}: nothing is labelled {shown(wanted)}; expected the {kind}s of {kind}s={wanted}"
        )


Entry = tuple[str, str, str]
"""A number beside the cells: its place, what it is, and its text."""


def numbers_at(
    entries: Sequence[Entry], *, comma: bool, named: str = "", plain: bool = False
) -> tuple[list[Fraction], str]:
    """Return numbers that belong together, and their unit; raise Problems with the places of what is none.

    `named`, `plain`: which units may stand beside them, see `read_numbers`.
    """
    left, lines = list(entries), list[str]()
    found: tuple[list[Fraction], str] = [], ""
    while left and len(lines) <= MOST_PROBLEMS:
        try:
            found = read_numbers([text for _, _, text in left], comma=comma, named=named, plain=plain)
        except NoNumber as error:
            place, what, text = left.pop(error.index)
            lines.append(f"{place}: the {what} is {shown(text)}; expected {error}")
        else:
            break
    refuse(lines)
    return found


def check_unit(entries: Sequence[Entry], written: str, unit: str) -> None:
    """Raise GameError with the place where numbers are in another unit than costs, as written or labelled."""
    if written and same_unit(written) != same_unit(unit):
        place, what, text = entries[0]
        costs = f"costs in {unit!r}" if unit else "costs in none"
        raise GameError(f"{place}: the {what} is {shown(text)}, and {costs}; expected the same unit")


def _margin(label: str, entries: Sequence[Entry], *, least: int, comma: bool) -> Margin:
    """Return the numbers of a line; raise GameError with the place of what is none, or is too small."""
    heading = read_heading(label)
    numbers, written = numbers_at(entries, comma=comma, named=heading.named)
    if written and heading.named in UNITS and same_unit(written) != same_unit(heading.named):
        place, what, text = entries[0]
        raise GameError(
            f"{place}: the {what} is {shown(text)}, and {shown(label)} says {heading.named!r}; expected the "
            "same unit"
        )
    accepted = "a number above 0, or no such cause" if least else "0 or more"
    low = (i for i, number in enumerate(numbers) if number < 0 or (least and not number))
    refuse(
        [
            f"{place}: the {what} is {shown(text)}; expected {accepted}"
            for place, what, text in (entries[i] for i in low)
        ]
    )
    counts, unit = scaled(numbers)
    return Margin(label, heading, counts, unit, written)


def margin_texts(counts: Sequence[int], unit: Fraction) -> list[str]:
    """Return the numbers of a margin as they are written in the canonical form."""
    return [exact_text(count * unit) for count in counts]
