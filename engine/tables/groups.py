"""Tests that share a set-up, and tests that cannot be asked before others: columns beside the cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown, unknown
from ..exact import exact_text
from .extras import BETWEEN, Extra, Extras, Stated, some_of
from .headings import read_heading
from .margins import check_unit, numbers_at
from .rows import check_after


@dataclass(frozen=True)
class Groups:
    """What tests cost, first and later, the group of each, and what is to be said; see `Content`."""

    prices: tuple[Fraction, ...]
    names: tuple[str, ...] = ()
    later: tuple[Fraction, ...] = ()
    lines: tuple[str, ...] = ()


def groups_of(
    extras: Extras, tests: Sequence[str], prices: Sequence[Fraction], unit: str, *, comma: bool
) -> Groups:
    """Return the groups of tests with these prices, in a unit; raise GameError with the place."""
    group, later, setup = (extras.columns.get(word) for word in ("group", "later", "setup"))
    if group is None or not group.filled(tests):
        odd = next((line for line in (later, setup) if line and line.filled(tests)), None)
        if odd is not None:
            raise GameError(
                f"{odd.place}: a column {shown(odd.label)} without a column 'group'; expected both"
            )
        return Groups(tuple(prices))
    if not later and not setup:
        raise GameError(
            f"{group.place}: a column {shown(group.label)} without what it saves; expected a column 'later' "
            "(what a test costs after others of its group) or 'setup' (what the group costs once)"
        )
    if later and setup:
        raise GameError(
            f"{setup.place}: {shown(later.label)} and {shown(setup.label)} both say what a group saves; "
            "expected one of them"
        )
    names = {test: cell.text for test, cell in group.filled(tests).items()}
    line = later or setup
    assert line is not None
    for test, cell in line.filled(tests).items():
        if test not in names:
            raise GameError(
                f"{cell.place}: {shown(line.label)} {cell.text} of test {shown(test)}, which is in no group; "
                "expected a group, or an empty cell"
            )
    each = _numbers(line, "set-up" if setup else "later cost", tests, unit, comma=comma)
    if setup:
        found = _with_setups(setup, tests, names, each, prices)
    else:
        found = _with_later(line, tests, names, each, prices)
    alone = [name for name in dict.fromkeys(names.values()) if list(names.values()).count(name) == 1]
    lines = [f"group {shown(name)} has one test: there is no other to share with" for name in alone]
    return Groups(
        found.prices, tuple(names.get(test, "") for test in tests), found.later, (*found.lines, *lines)
    )


def _numbers(line: Extra, what: str, tests: Sequence[str], unit: str, *, comma: bool) -> dict[str, Fraction]:
    """Return the numbers of a column, from 0, in the unit of costs, where these have one."""
    cells = line.filled(tests)
    entries = [(cell.place, f"{what} of test {shown(test)}", cell.text) for test, cell in cells.items()]
    own = read_heading(line.label).named
    numbers, written = numbers_at(entries, comma=comma, named=own or unit)
    check_unit(entries, written or own, unit)
    for (place, which, text), number in zip(entries, numbers, strict=True):
        if number < 0:
            raise GameError(f"{place}: the {which} is {shown(text)}; expected 0 or more")
    return dict(zip(cells, numbers, strict=True))


def _with_later(
    line: Extra,
    tests: Sequence[str],
    names: Mapping[str, str],
    each: Mapping[str, Fraction],
    prices: Sequence[Fraction],
) -> Groups:
    """Return prices as they are, and later ones, which are at most these."""
    later = tuple(each.get(test, price) for test, price in zip(tests, prices, strict=True))
    for test, price, then in zip(tests, prices, later, strict=True):
        if then > price:
            raise GameError(
                f"{line.cells[test].place}: test {shown(test)} costs {exact_text(price)} first and "
                f"{exact_text(then)} later; expected a later cost that is not above the cost"
            )
    saved: dict[str, list[str]] = {}
    for test, price, then in zip(tests, prices, later, strict=True):
        if test in names:
            saved.setdefault(names[test], []).append(f"{test} {exact_text(price)}, later {exact_text(then)}")
    said = [f"{name} ({some_of(members, '; ')})" for name, members in saved.items()]
    return Groups(tuple(prices), later=later, lines=(f"groups: {some_of(said)}",))


def _with_setups(
    line: Extra,
    tests: Sequence[str],
    names: Mapping[str, str],
    each: Mapping[str, Fraction],
    prices: Sequence[Fraction],
) -> Groups:
    """Return first prices with the set-up of each group, and later ones without."""
    setups: dict[str, tuple[str, Fraction]] = {}
    for test, number in each.items():
        other, known = setups.setdefault(names[test], (test, number))
        if known != number:
            raise GameError(
                f"{line.cells[test].place}: group {shown(names[test])} costs {exact_text(known)} once by "
                f"test {shown(other)}, and {exact_text(number)} by test {shown(test)}; expected one set-up"
            )
    none = next((test for test in names if names[test] not in setups), None)
    if none is not None:
        raise GameError(
            f"{line.cells[none].place}: no set-up for the group {shown(names[none])} of test {shown(none)}; "
            "expected what it costs once, such as 5"
        )
    first = tuple(
        price + (setups[names[test]][1] if test in names else 0)
        for test, price in zip(tests, prices, strict=True)
    )
    members = {name: [test for test in tests if names.get(test) == name] for name in setups}
    said = [f"{name} {exact_text(setup)} ({some_of(members[name])})" for name, (_, setup) in setups.items()]
    return Groups(first, later=tuple(prices), lines=(f"set-ups: {some_of(said)}",))


def after_of(extras: Extras, tests: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """Return the tests that must have been asked before each; empty where there is no such column.

    Raises GameError with the place for a test that is unknown, itself, or in a circle.
    """
    line = extras.columns.get("after")
    if line is None or not line.filled(tests):
        return ()
    known = {test: _names_in(cell, test, tests) for test, cell in line.filled(tests).items()}
    check_after(known, {test: cell.place for test, cell in line.cells.items()})
    return tuple(known.get(test, ()) for test in tests)


def _names_in(cell: Stated, test: str, tests: Sequence[str]) -> tuple[str, ...]:
    """Return the tests that a cell names."""
    parts = [cell.text] if cell.text in tests else [part.strip() for part in cell.text.split(BETWEEN)]
    wrong = next((name for name in parts if name and name not in tests), None)
    if wrong is not None:
        raise GameError(f"{cell.place}: {unknown('test', wrong, tests)} (what comes before {shown(test)})")
    return tuple(dict.fromkeys(filter(None, parts)))
