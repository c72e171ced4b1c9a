"""Rows of text that have the form of a table: first the labels of secrets, then a row for each guess."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from ..errors import GameError, noted, refuse, shown
from ..sheets import Placed
from ..sheets.sheet import as_seen
from .dichotomous import SplitTable
from .missing import UnsureTable, listable
from .noisy import NoisyTable
from .table import Content, TableGame

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")


def check_rows(rows: Sequence[Placed]) -> None:
    """Raise Problems that name the places of ragged rows, and of labels that are none or are repeated."""
    header, *body = rows
    lines: list[str] = []
    with noted(lines):
        check_labels([(header.place, label) for label in header.cells[1:]], "cause")
    with noted(lines):
        check_labels([(row.place, row.cells[0]) for row in body], "test")
    with noted(lines):
        check_widths(rows)
    with noted(lines):
        for row in body:
            check_seen(row.place, row.cells, "cell")
    refuse(lines)


def check_widths(rows: Sequence[Placed]) -> None:
    """Raise Problems that name the places of rows with more or fewer cells than the first."""
    width = len(rows[0].cells)
    ragged = [row for row in rows[1:] if len(row.cells) != width]
    expected = f"cells; expected {width} as in the first row"
    refuse([f"{row.place}: {len(row.cells)} {expected}" for row in ragged])


def breaks_line(text: str) -> bool:
    """Return whether a text would break a line or a terminal, or holds a lone surrogate."""
    return bool(_CONTROL.search(text))


def table_game(spec: str, table: Content) -> TableGame:
    """Return the game of a table; raise GameError for one that makes no game."""
    game = _game_of(spec, table)
    game.guess_remarks, game.secret_remarks = table.guess_remarks, table.secret_remarks
    return game


def _game_of(spec: str, table: Content) -> TableGame:
    if table.orders:
        return SplitTable(spec, table)
    if table.splits or not listable(table.cells):
        return NoisyTable(spec, table)
    if any("" in row for row in table.cells):
        return UnsureTable(spec, table)
    return TableGame(
        spec,
        table.guesses,
        table.secrets,
        table.cells,
        table.win,
        table.weights,
        table.costs,
        **table.units,
    )


def whole_number(place: str, what: str, text: str, least: int) -> int:
    """Return the integer that a text is; raise GameError for none, one below `least` or above 18 digits."""
    if not re.fullmatch(r"[0-9]{1,18}", text, flags=re.ASCII) or int(text) < least:
        raise GameError(
            f"{place}: the {what} is {shown(text)}; expected an integer from {least}, of at most 18 digits"
        )
    return int(text)


def check_labels(labels: Iterable[tuple[str, str]], what: str) -> None:
    """Raise Problems that name the places of labels that are none or are repeated."""
    seen: dict[str, str] = {}
    lines: list[str] = []
    for place, label in labels:
        if not label:
            lines.append(f"{place}: a {what} has no label")
            continue
        with noted(lines):
            check_seen(place, [label])
        if label in seen:
            first = "" if seen[label] == place else f" (first in {' '.join(seen[label].split()[-2:])})"
            lines.append(f"{place}: the {what} label {shown(label)} is repeated{first}")
        seen.setdefault(label, place)
    refuse(lines)


def check_seen(place: str, texts: Iterable[str], what: str = "label") -> None:
    """Raise GameError that names the place of a text that breaks a line, or is seen as another one."""
    known = list(dict.fromkeys(texts))
    if breaks_line("".join(known)):
        raise GameError(f"{place}: a {what} holds a control character or a line break")
    odd = next((text for text in known if as_seen(text) != text), None)
    if odd is not None:
        raise GameError(
            f"{place}: the {what} {odd[:40]!a} is seen as {shown(as_seen(odd))}; expected what is seen "
            "alone, without spaces around it"
        )


def check_after(known: Mapping[str, Sequence[str]], places: Mapping[str, str]) -> None:
    """Raise GameError that names tests which come after each other in a circle, and the place of one.

    `known` are the tests before each, `places` where that stands.
    """
    circle = _circle(known)
    if circle:
        way = " after ".join(map(shown, circle[:6])) + (" after ..." if len(circle) > 6 else "")
        raise GameError(f"{places[circle[0]]}: {way}; expected tests of which one can be asked first")


def _circle(known: Mapping[str, Sequence[str]]) -> list[str]:
    """Return tests of which each comes after the next, the first also last; empty: there are none."""
    done: set[str] = set()
    for start in known:
        path: list[str] = []
        waiting = [(start, False)]
        while waiting:
            test, leaving = waiting.pop()
            if leaving:
                done.add(path.pop())
                continue
            if test in path:
                return [*path[path.index(test) :], test]
            if test not in done:
                path.append(test)
                waiting.append((test, True))
                waiting += [(other, False) for other in known.get(test, ())]
    return []
