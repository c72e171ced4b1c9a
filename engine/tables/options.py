"""What may stand after the path of a table, ``,key=value`` in any order: how the table is to be taken."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction

from ..errors import GameError, shown, unknown
from ..exact import NoNumber, read_numbers
from ..sheets.sheet import Side
from .headings import read_heading

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
    "wrong": "N",
    "loss": "FILE.csv",
    "confidence": "95%",
    "ends": "ANSWER",
    "repeat": "N",
    "error": "2%",
    "lapse": "10%",
    "lapses": "K",
}
"""Every option, with the values that it takes; ``merge`` takes none."""
_OPTION = re.compile(rf",(?=(?:{'|'.join(KNOWN)})(?:=|,|\Z))")
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
    cuts: where the numbers of some tests are cut: the label of the test, the numbers, their unit.
    sheet: the sheet of a workbook; empty: the first with a table.
    wrong: what a wrong decision or a wrong name loses; None: it is not said.
    loss: the file of a matrix of losses, beside the table; empty: there is none.
    confidence: how likely a decision should be right; None: it is not said, see `decisions`.
    ends: the answer that ends a path; empty: none does.
    repeat: how many independent copies there are of each test that may err.
    error, lapse: how often an answer is wrong, or there is none, for all tests; None: as the table says.
    lapses: how many tests on a path may fail to answer, at worst.
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
    cuts: tuple[tuple[str, tuple[Fraction, ...], str], ...] = ()
    sheet: str = ""
    wrong: Fraction | None = None
    loss: str = ""
    confidence: Fraction | None = None
    ends: str = ""
    repeat: int = 1
    error: Fraction | None = None
    lapse: Fraction | None = None
    lapses: int = 0
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
        said = {"wrong": self.wrong, "confidence": self.confidence, "loss": self.loss or None}
        both = [key for key, value in said.items() if value is not None]
        if len(both) > 1:
            raise GameError(f"{both[0]}= and {both[1]}= both say what a wrong decision loses; expected one")
        if self.lapse and self.lapses:
            raise GameError(
                "lapse= (how likely a test fails to answer) and lapses= (how many do at worst); expected one"
            )


def parse_options(text: str) -> tuple[str, How]:
    """Return the path of a text ``FILE[,key=value]...``, and what the options say.

    Raises GameError that names an option which is not known, is repeated, or has another value.
    """
    path, given = split_options(text)
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
            bins=number_of_bins(given.get("bins")),
            cuts=tuple(_cuts(one) for one in given["cuts"].split("\n")) if "cuts" in given else (),
            sheet=given.get("sheet", ""),
            wrong=number_of("wrong", given.get("wrong")),
            loss=given.get("loss", ""),
            confidence=number_of("confidence", given.get("confidence")),
            ends=given.get("ends", ""),
            repeat=count_of("repeat", given.get("repeat"), 1),
            error=number_of("error", given.get("error")),
            lapse=number_of("lapse", given.get("lapse")),
            lapses=count_of("lapses", given.get("lapses"), 0),
        )
    except GameError as error:
        raise GameError(f"{shown(f'table:{text}')}: {error}") from None


def split_options(text: str) -> tuple[str, dict[str, str]]:
    """Return the path of a text ``FILE[,key=value]...`` and its options; those of several `cuts` in lines.

    Raises GameError that names an option which is not known, is repeated, or lacks its value.
    """
    path, *parts = _OPTION.split(text)
    given: dict[str, str] = {}
    for last in (path, *parts):
        found = _LIKE_ONE.fullmatch(last)
        if found and not last.startswith("win="):
            raise GameError(f"{shown(f'table:{text}')}: {unknown('option', found[2], KNOWN)}")
    for part in parts:
        key, marked, value = part.partition("=")
        if key not in KNOWN:
            raise GameError(f"{shown(f'table:{text}')}: {unknown('option', key, KNOWN)}")
        if bool(KNOWN[key]) != bool(marked and value):
            expected = f"{key}={KNOWN[key]}" if KNOWN[key] else key
            raise GameError(f"{shown(f'table:{text}')}: {shown(part)}; expected {expected}")
        if key in given and key != "cuts":
            raise GameError(f"{shown(f'table:{text}')}: {key} is said twice; expected it once")
        given[key] = f"{given[key]}\n{value}" if key in given else value
    if not path:
        raise GameError("'table:': expected the path of a CSV file, such as table:tests.csv")
    return path, given


def join_options(given: Mapping[str, str]) -> str:
    """Return options as they are written after the path of a table, in the order of `KNOWN`."""
    texts = [
        f",{key}={value}" if takes else f",{key}"
        for key, takes in KNOWN.items()
        if key in given
        for value in given[key].split("\n")
    ]
    return "".join(texts)


WRONG = ("error", "lapse")
"""How often answers are wrong, or there is none: columns, and options for all tests."""
RATES = {
    "confidence": "a probability above 0 and below 1, such as 95%",
    "error": "a probability below 1, such as 2%",
    "lapse": "a probability below 1, such as 10%",
}
"""Options that are probabilities, with what is expected of them."""
MOST = {"repeat": 20, "lapses": 20}
"""The largest values of options that are counted."""


def number_of(key: str, text: str | None) -> Fraction | None:
    """Return the exact number of an option; raise GameError for none, or one out of range."""
    if text is None:
        return None
    amount = "a number above 0, such as 20, in the unit of the costs"
    said, expected = f"{key}={shown(text)[1:-1]}", RATES.get(key, amount)
    try:
        (number,), unit = read_numbers([text], plain=True)
    except NoNumber:
        raise GameError(f"{said}; expected {expected}") from None
    least = number > 0 or key in WRONG
    if not least or number < 0 or (number >= 1 if key in RATES else unit):
        raise GameError(f"{said}; expected {expected}")
    return number


def count_of(key: str, text: str | None, default: int) -> int:
    """Return the whole number of an option; raise GameError for none, or one out of range."""
    if text is None:
        return default
    if not re.fullmatch("[0-9]{1,3}", text, re.ASCII) or not 1 <= int(text) <= MOST[key]:
        raise GameError(f"{key}={text}; expected a whole number from 1 to {MOST[key]}")
    return int(text)


def number_of_bins(text: str | None) -> int:
    """Return into how many classes numbers are put; raise GameError for what is none."""
    if text is None:
        return 0
    if not re.fullmatch("[0-9]{1,3}", text, re.ASCII) or not 2 <= int(text) <= 100:
        raise GameError(f"bins={text}; expected a whole number from 2 to 100")
    return int(text)


def _cuts(text: str) -> tuple[str, tuple[Fraction, ...], str]:
    """Return the test, the numbers and the unit of ``TEST:2.5;4``."""
    test, _, listed = text.rpartition(":")
    try:
        numbers, unit = read_numbers(listed.split(";"), named=read_heading(test).named)
    except NoNumber:
        numbers, unit = [], ""
    if not test or not numbers or sorted(set(numbers)) != numbers:
        raise GameError(f"cuts={text}; expected a test and numbers that rise, such as cuts=height:2.5;4")
    return test, tuple(numbers), unit
