"""Tests whose answers are numbers, cut into classes as the options of a table say, or everywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import pairwise
from string import ascii_letters

from ..errors import GameError, shown
from ..exact import NoNumber, exact_text, is_number, same_unit
from ..notation import plural
from ..sheets import Placed
from .bins import cut_points, put_in_classes, read_answers, short_between
from .headings import read_heading
from .options import BEST, How

YES, NO = "yes", "no"
FEWEST = 2
"""So many different numbers are told apart by one question, and stay as they are."""
MOST_CUTS = 2000
"""Places where the numbers of a table are cut at most."""


def put_rows_in_classes(rows: Sequence[Placed], how: How, *, comma: bool) -> list[str]:
    """Put the numbers of tests into classes, as the options say, and say where they are cut."""
    header, *body = rows
    tests = {row.cells[0]: row for row in body}
    cuts = {test: (points, unit) for test, points, unit in how.cuts}
    bins = 0 if how.bins == BEST else how.bins
    for test in cuts:
        if test not in tests:
            raise GameError(f"{header.place}: no test is labelled {shown(test)}; expected the test of cuts=")
    binned = 0
    for test, row in tests.items():
        if test not in cuts and (not bins or len(set(row.cells[1:])) <= bins):
            continue
        points, cut_unit = cuts.get(test, ((), ""))
        numbers = _measured(header, row, cut_unit, needed=test in cuts, comma=comma)
        if not points and len(set(numbers.values())) <= bins:
            continue
        values = [numbers[cell] for cell in row.cells[1:] if cell]
        row.cells[1:] = put_in_classes(row.cells[1:], numbers, points or cut_points(values, bins))
        binned += 1
    if bins and not binned:
        raise GameError(f"{header.place}: no test has more than {bins} different numbers for bins={bins}")
    return [f"{plural(binned, 'test')} cut into classes"] if binned else []


def cut_everywhere(
    rows: Sequence[Placed], costs: Mapping[str, str], *, comma: bool
) -> tuple[list[Placed], dict[str, str], list[str]]:
    """Return rows in which a test of numbers is a test for each place where it can be cut, ``x < 2.5``.

    `costs` has a text for each test, or nothing; the costs of the new tests are returned, and what was done.
    A test stays as it is if it has other answers than numbers, or no more than two of them.

    All cuts between neighbouring numbers are kept, also those between numbers that only have examples of one
    class. Such a cut is never the best first question by entropy (Fayyad and Irani 1992), but it can be part
    of the best tree, as what is asked below may differ on both sides: on the eight examples of
    `test_a_cut_inside_a_class_can_be_best` the other cuts make 21 questions, all cuts 20. Of tests of one
    cost that part all rows alike only the first is kept. *Proof* that this loses nothing: after either, the
    same examples are left in each branch for the same price, so a tree that asks the one may ask the other.

    Raises GameError for numbers of which some are not known, and for more than `MOST_CUTS` cuts.
    """
    header, *body = rows
    measured = [_measured(header, row, "", needed=False, comma=comma) for row in body]
    places = sum(max(len(set(numbers.values())) - 1, 0) for numbers in measured)
    if places > MOST_CUTS:
        raise GameError(
            f"{header.place}: numbers could be cut at {places} places for bins=best; expected at most "
            f"{MOST_CUTS}: bins=K makes classes of equal counts"
        )
    found, prices, known = [header], dict[str, str](), set[tuple[tuple[bool, ...], str]]()
    cut = made = 0
    for row, numbers in zip(body, measured, strict=True):
        test, *answers = row.cells
        values = sorted(set(numbers.values()))
        if len(values) <= FEWEST:
            found.append(row)
            prices[test] = costs.get(test, "")
            continue
        if "" in answers:
            raise GameError(
                f"{row.place}: a number of {shown(test)} is not known, which bins=best cannot cut; expected "
                "bins=K or cuts="
            )
        cut += 1
        for low, high in pairwise(values):
            at = short_between(low, high)
            below = tuple(numbers[answer] < at for answer in answers)
            price = costs.get(test, "")
            if (below, price) in known:
                continue
            known.add((below, price))
            label = f"{test} < {exact_text(at)}"
            found.append(Placed(row.place, [label, *(YES if one else NO for one in below)]))
            prices[label] = price
            made += 1
    if not cut:
        raise GameError(f"{header.place}: no test has more than {FEWEST} different numbers for bins=best")
    return found, prices, [f"{plural(cut, 'feature')} cut everywhere: {plural(made, 'question')}"]


def _measured(
    header: Placed, row: Placed, cut_unit: str, *, needed: bool, comma: bool
) -> dict[str, Fraction]:
    """Return the number that each answer of a test is, nothing where it has others.

    Raises GameError with the place of an answer that is none where they are `needed`, or where it is one but
    for letters behind it; and for numbers in another unit than those at which they are cut.
    """
    label, *answers = row.cells
    named = read_heading(label).named
    try:
        numbers, unit = read_answers(answers, named=named, comma=comma)
    except NoNumber as error:
        odd, filled = answers[error.index], list(filter(None, answers))
        most = 2 * sum(is_number(answer, named) for answer in filled) >= len(filled)
        if needed or (most and is_number(odd.rstrip(ascii_letters))):
            where = f"(test {shown(label)}, cause {shown(header.cells[1 + error.index])})"
            raise GameError(f"{row.place}: {shown(odd)} {where} among numbers; expected {error}") from None
        return {}
    own = unit if "%" in (unit, cut_unit) else unit or named
    if needed and same_unit(cut_unit) != same_unit(own) and (cut_unit or own == "%"):
        said = f"are in {own!r}" if own else "have no unit"
        raise GameError(
            f"{row.place}: {shown(label)} is cut at numbers {f'in {cut_unit!r}' if cut_unit else 'alone'}, "
            f"and its answers {said}; expected the same unit"
        )
    return numbers
