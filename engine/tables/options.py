"""What may stand after the path of a table, ``,key=value`` in any order: how the table is to be taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown, unknown
from ..exact import NoNumber, read_numbers
from ..sheets.sheet import Side

KNOWN: Mapping[str, str] = {
    "merge": "",
    "missing": "any or missing=label",
    "win": "RESPONSE",
    "causes": "rows or causes=columns",
    "cells": "labels or cells=sets",
    "ambiguous": "clique",
    "costs": "NAME or costs=none",
    "weights": "NAME or weights=none",
    "bins": "K",
    "cuts": "TEST:2.5;4",
    "sheet": "NAME",
}
"""Every option, with the values that it takes; ``merge`` takes none."""
_OPTION = re.compile(rf",(?=(?:{'|'.join(KNOWN)})(?:=|,|$))")
_LIKE_ONE = re.compile(r"(.*),([A-Za-z]+)(=[^,]*)?", re.DOTALL)


@dataclass(frozen=True)
class How:
    """What to make of a table.

    Attributes
    ----------
    merge: whether causes that no test tells apart become one.
    missing: ``any``: where a cell says nothing, any answer is possible; ``label``: marks such as ``?`` are
        answers like others; empty: such a cell is refused.
    win: the response that ends the game.
    causes: where the causes are; empty: to be found out.
    cells: ``labels`` or ``sets``; empty: a table whose cells look like sets is refused.
    ambiguous: ``clique``: with sets, a strategy may end with several causes that overlap in every test.
    costs, weights: the label of the line that holds them; ``none``: no line does; empty: one that says so.
    bins: into how many classes of equal counts numbers are put; 0: into none.
    cuts: where the numbers of some tests are cut, by the label of the test.
    sheet: the sheet of a workbook; empty: the first with a table.
    spelling: how an option is written, for messages.

    Raises GameError for missing cells together with a winning response.
    """

    merge: bool = False
    missing: str = ""
    win: str | None = None
    causes: Side = ""
    cells: str = ""
    ambiguous: str = ""
    costs: str = ""
    weights: str = ""
    bins: int = 0
    cuts: tuple[tuple[str, tuple[Fraction, ...]], ...] = ()
    sheet: str = ""
    spelling: str = ",{}={}"

    def spelled(self, key: str, value: object) -> str:
        """Return how an option is written."""
        return self.spelling.format(key, value)

    def __post_init__(self) -> None:
        for key, value, accepted in (
            ("missing", self.missing, ("any", "label")),
            ("causes", self.causes, ("rows", "columns")),
            ("cells", self.cells, ("labels", "sets")),
            ("ambiguous", self.ambiguous, ("clique",)),
        ):
            if value and value not in accepted:
                meaning = " (an empty cell: any answer is possible)" if key == "missing" else ""
                known = " or ".join(self.spelled(key, one).removeprefix(",") for one in accepted)
                raise GameError(f"{self.spelled(key, value).removeprefix(',')}; expected {known}{meaning}")
        if self.ambiguous and self.cells != "sets" and self.missing != "any":
            raise GameError("ambiguous=clique; expected it with cells=sets or missing=any")
        if self.missing == "any" and self.win is not None:
            raise GameError(
                f"a winning response {shown(self.win)} in a table with empty cells; expected missing=any "
                "(any answer is possible) without a winning response"
            )


def parse_options(text: str) -> tuple[str, How]:
    """Return the path of a text ``FILE[,key=value]...``, and what the options say.

    Raises GameError that names an option which is not known, is repeated, or has another value.
    """
    path, *parts = _OPTION.split(text)
    given: dict[str, str] = {}
    for last in (path, *parts):
        found = _LIKE_ONE.fullmatch(last)
        if found and not last.startswith("win="):
            raise GameError(f"{shown(f'table:{text}')}: {unknown('option', found[2], KNOWN)}")
    for part in parts:
        key, marked, value = part.partition("=")
        if bool(KNOWN[key]) != bool(marked and value):
            expected = f"{key}={KNOWN[key]}" if KNOWN[key] else key
            raise GameError(f"{shown(f'table:{text}')}: {shown(part)}; expected {expected}")
        if key in given and key != "cuts":
            raise GameError(f"{shown(f'table:{text}')}: {key} is said twice; expected it once")
        given[key] = f"{given[key]}\n{value}" if key in given else value
    if not path:
        raise GameError("'table:': expected the path of a CSV file, such as table:tests.csv")
    try:
        return path, How(
            merge="merge" in given,
            missing=given.get("missing", ""),
            win=given.get("win"),
            causes=given.get("causes", ""),  # type: ignore[arg-type]  # checked there
            cells=given.get("cells", ""),
            ambiguous=given.get("ambiguous", ""),
            costs=given.get("costs", ""),
            weights=given.get("weights", ""),
            bins=_number_of_bins(given.get("bins")),
            cuts=tuple(_cuts(one) for one in given["cuts"].split("\n")) if "cuts" in given else (),
            sheet=given.get("sheet", ""),
        )
    except GameError as error:
        raise GameError(f"{shown(f'table:{text}')}: {error}") from None


def _number_of_bins(text: str | None) -> int:
    if text is None:
        return 0
    if not re.fullmatch("[0-9]{1,3}", text, re.ASCII) or not 2 <= int(text) <= 100:
        raise GameError(f"bins={text}; expected a whole number from 2 to 100")
    return int(text)


def _cuts(text: str) -> tuple[str, tuple[Fraction, ...]]:
    """Return the test and the numbers of ``TEST:2.5;4``."""
    test, _, listed = text.rpartition(":")
    try:
        numbers, _ = read_numbers(listed.split(";"))
    except NoNumber:
        numbers = []
    if not test or not numbers or sorted(set(numbers)) != numbers:
        raise GameError(f"cuts={text}; expected a test and numbers that rise, such as cuts=height:2.5;4")
    return test, tuple(numbers)
